public import LotteryEntities

/// Repeats a draw that is over: from its seed and its list.
public struct DrawProof: Sendable {
    /// The draw.
    public let draw: LotteryDraw
    /// Its frozen list.
    public let list: String
    /// The commitment as it was seen before the draw started; nil: it was not noted.
    public var notedCommitment: [UInt8]?
    /// The digest of the list as it was seen before the first round; nil: it was not noted.
    public var notedListDigest: [UInt8]?

    /// Why a draw is not proved.
    public enum Failure: Error, Hashable {
        /// Its seed is not shown yet.
        case notOver
        /// Something does not fit; what, in words.
        case doesNotFit(String)
    }

    /// Takes a draw to repeat.
    public init(
        _ draw: LotteryDraw, list: String, notedCommitment: [UInt8]? = nil, notedListDigest: [UInt8]? = nil
    ) {
        self.draw = draw
        self.list = list
        self.notedCommitment = notedCommitment
        self.notedListDigest = notedListDigest
    }

    /// Compares everything there is.
    ///
    /// - Returns: The entries that the rounds showed.
    @discardableResult
    public func check() throws(Failure) -> [LotteryEntry] {
        guard let progress = draw.progress, let end = progress.end else { throw .notOver }
        try demand(end.seed.count == 32, "the seed is not 32 bytes long")
        try demand(DrawFunction.digest(end.seed) == draw.commitment, "the commitment is to another seed")
        try demand(
            notedCommitment ?? draw.commitment == draw.commitment, "the commitment is not the one that was noted")
        guard let frozen = FrozenList(text: list), !frozen.entries.isEmpty else {
            throw .doesNotFit("the frozen list is not valid")
        }
        try demand(frozen.digest == progress.listDigest, "the digest is that of another list")
        try demand(
            notedListDigest ?? progress.listDigest == progress.listDigest,
            "the digest of the list is not the one that was noted")
        try demand(
            frozen.entries.count == draw.entries,
            "the list has \(frozen.entries.count) entries, the draw \(draw.entries)")
        let expected = frozen.rounds(seed: end.seed)
        try demand(progress.rounds.count == expected.count, "the draw has \(progress.rounds.count) rounds")
        for (index, (round, entry)) in zip(progress.rounds, expected).enumerated() {
            try demand(
                round.userID == entry.userID,
                "round \(index + 1) showed \(round.userID), seed and list give \(entry.userID)")
        }
        let winner = expected.last.flatMap { $0.isVoid ? nil : $0.userID }
        try demand(
            end.winner == winner,
            "\(end.winner.map { "\($0)" } ?? "nobody") is said to win, seed and list give \(winner.map { "\($0)" } ?? "nobody")"
        )
        return expected
    }

    private func demand(_ isSo: Bool, _ otherwise: @autoclosure () -> String) throws(Failure) {
        guard isSo else { throw .doesNotFit(otherwise()) }
    }
}
