import JulietAPI

/// One of each, as the contract shows them.
enum Examples {
    static let noon = V2.Timestamp(microsecondsSince1970: 1_795_262_400_123_456)
    static let day = V2.Day(daysSince1970: 20_778)
    static let commitment = String(repeating: "0a", count: 32)
    static let salt = String(repeating: "f", count: 32)
    static let statistics = V2.Statistics(
        played: 9, won: 7, currentStreak: 2, longestStreak: 5, distribution: [0, 1, 2, 3, 1, 0],
        days: V2.DayStatistics(played: 4, won: 3, currentStreak: 1, longestStreak: 2))
    static let player = V2.Player(
        id: "0f4c7c2e-9c57-4d0e-8a53-0d4d7c0b1231", name: "Zoë \"Z\"", energy: 25, createdAt: noon,
        statistics: statistics)
    static let running = V2.Game(
        id: "g1", kind: .game, state: .playing, language: "en", length: 5,
        guesses: [V2.Guess(word: "crane", marks: [.absent, .present, .correct, .absent, .absent])],
        commitment: commitment, startedAt: noon)
    static let over = V2.Game(
        id: "g2", kind: .daily, state: .won, language: "en", length: 5, guesses: [], commitment: commitment,
        startedAt: noon, endedAt: noon, secret: "music", salt: salt, day: day)
}
