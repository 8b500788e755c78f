import StrictEncoding

/// As one object: `{"draw": 7, "state": "over", "commitment": "<64 hex>", "prize": 0, "entries": 12, "listDigest": "<64 hex>",
/// "rounds": [{"userId": 10, "name": "Jack Alexy"}, …], "winner": {"userId": 10, …}, "seed": "<64 hex>", "list": "10 0\n…"}`. Members
/// that are still secret are left out, and `winner` if nobody wins.
extension KeptDraw: Codable {
    private enum CodingKeys: String, CodingKey {
        case draw, state, commitment, prize, entries, listDigest, rounds, winner, seed, list
    }

    /// How far a draw has come.
    private enum State: String, Encodable {
        case next, running, over
    }

    /// Writes one object.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(draw.number, forKey: .draw)
        try members.encode(Hexadecimal.encode(draw.commitment), forKey: .commitment)
        try members.encode(draw.prize, forKey: .prize)
        try members.encode(draw.entries, forKey: .entries)
        guard let progress = draw.progress else { return try members.encode(State.next, forKey: .state) }
        try members.encode(progress.end == nil ? State.running : State.over, forKey: .state)
        try members.encode(Hexadecimal.encode(progress.listDigest), forKey: .listDigest)
        try members.encode(progress.rounds, forKey: .rounds)
        if let winner = progress.end?.winner {
            let round = progress.rounds.last { $0.userID == winner }
            try members.encode(round ?? LotteryDraw.Round(userID: winner, name: ""), forKey: .winner)
        }
        try members.encodeIfPresent(progress.end.map { Hexadecimal.encode($0.seed) }, forKey: .seed)
        try members.encodeIfPresent(list, forKey: .list)
    }

    /// Reads one object. How long ago the draw started is not in it.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func bytes(_ key: CodingKeys) throws -> [UInt8] {
            guard let bytes = Hexadecimal.decode(try members.decode(String.self, forKey: key)) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: members, debugDescription: "no hex digits")
            }
            return bytes
        }
        var draw = LotteryDraw(
            number: try members.decode(Int.self, forKey: .draw), commitment: try bytes(.commitment),
            prize: try members.decodeIfPresent(Int.self, forKey: .prize) ?? 0,
            entries: try members.decode(Int.self, forKey: .entries))
        if members.contains(.listDigest) {
            let winner = try members.decodeIfPresent(LotteryDraw.Round.self, forKey: .winner)?.userID
            draw.progress = LotteryDraw.Progress(
                listDigest: try bytes(.listDigest), elapsed: .zero,
                rounds: try members.decode([LotteryDraw.Round].self, forKey: .rounds),
                end: members.contains(.seed) ? LotteryDraw.End(seed: try bytes(.seed), winner: winner) : nil)
        }
        self.init(draw: draw, list: try members.decodeIfPresent(String.self, forKey: .list))
    }
}
