extension LotteryViewState: Encodable {
    private enum CodingKeys: String, CodingKey {
        case state, message, round, name
        case userID = "userId"
    }

    /// Writes one object.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .landing(let landing):
            try members.encode("landing", forKey: .state)
            try landing.encode(to: encoder)
        case .loading(let running):
            try members.encode("loading", forKey: .state)
            try running.encode(to: encoder)
        case .round(let number, let userID, let name, let running):
            try members.encode("round", forKey: .state)
            try members.encode(number, forKey: .round)
            try members.encode(userID, forKey: .userID)
            try members.encode(name, forKey: .name)
            try running.encode(to: encoder)
        case .winner(let result), .noWinner(let result): try result.encode(to: encoder)
        case .failure(let message):
            try members.encode("failure", forKey: .state)
            try members.encode(message, forKey: .message)
        }
    }
}

extension LotteryViewState.Result: Encodable {
    private enum CodingKeys: String, CodingKey {
        case state, name, seed, verified
        case userID = "userId"
    }

    /// Writes one object.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(hasWon ? "winner" : "noWinner", forKey: .state)
        try members.encode(name, forKey: .name)
        try members.encode(userID, forKey: .userID)
        try members.encode(seed, forKey: .seed)
        try members.encode(isVerified, forKey: .verified)
        try running.encode(to: encoder)
    }
}
