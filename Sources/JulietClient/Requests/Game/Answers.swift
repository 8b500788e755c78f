/// A player's energy after a request.
public struct EnergyBalance: Codable, Hashable, Sendable {
    /// What is left.
    public var energy: Int

    /// Takes a balance.
    public init(energy: Int) {
        self.energy = energy
    }
}

/// A player's wins after a request.
public struct WinCount: Codable, Hashable, Sendable {
    /// How many games were won.
    public var wins: Int

    /// Takes a count.
    public init(wins: Int) {
        self.wins = wins
    }
}

/// A secret word.
public struct DealtWord: Codable, Hashable, Sendable {
    /// The word's letters, upper case.
    public var letters: [String]
    /// The word, upper case.
    public var word: String { letters.joined() }

    /// Takes letters.
    public init(letters: [String]) {
        self.letters = letters
    }
}

/// A game that was paid for.
public struct StartedGame: Codable, Hashable, Sendable {
    /// The balance after paying.
    public var energy: Int
    /// The secret word's letters, upper case.
    public var letters: [String]
    /// The secret word, upper case.
    public var word: String { letters.joined() }

    /// Takes a balance and letters.
    public init(energy: Int, letters: [String]) {
        self.energy = energy
        self.letters = letters
    }
}
