extension Damage {
    private static let (ada, bob) = (Someone.ada, Someone.bob)
    /// Changes a challenge that its maker has paid for: there is one of each kind.
    private static func challenge(_ change: String, ownWord: Bool = true) -> String {
        "UPDATE challenges SET \(change) WHERE maker IS NOT NULL AND is_own_word = \(ownWord) AND ledger IS NULL"
    }

    static let toChallenges: [Damage] = [
        Damage("a challenge has another word", challenge("word = 'lemon'"), "challenges.word", ada),
        Damage("a challenge has another salt", challenge("salt = gen_random_uuid()"), "challenges.word", ada),
        Damage(
            "a challenge's word is none", challenge("word = 'xxxxx', commitment = commitment(salt, 'xxxxx')"),
            "challenges.word", ada),
        Damage(
            "a challenge's word is another, and the commitment as well",
            challenge("word = 'lemon', commitment = commitment(salt, 'lemon')"), "challenges.games", bob),
        Damage("a challenge's hint tells its word", challenge("hint = 'CRANES'"), "challenges.word", ada),
        Damage("a challenge's hint is changed", challenge("hint = 'another'"), "challenges.games", bob),
        Damage("a challenge is of any word", challenge("is_any_word = true"), "challenges.games", bob),
        Damage(
            "a game takes any word", "UPDATE judged_games SET is_any_word = true WHERE kind = 'game'", "games.word",
            "game "
        ),
        Damage("a challenge's mode is changed", challenge("is_hard = NOT is_hard"), "challenges.games", bob),
        Damage(
            "a challenge goes on for longer", challenge("ends_at = ends_at + interval '1 hour'"), "challenges.time", ada
        ),
        Damage(
            "a challenge goes on for a year", challenge("ends_at = created_at + interval '365 days'"),
            "challenges.time", ada),
        Damage(
            "a challenge is made in time to come",
            challenge("created_at = now() + interval '1 day', ends_at = now() + interval '8 days'", ownWord: false),
            "challenges.time", ada),
        Damage(
            "a challenge is begun before it was made",
            challenge("created_at = created_at + interval '1 day', ends_at = ends_at + interval '1 day'"),
            "challenges.games", bob),
        Damage(
            "a challenge's code is none", challenge("code = 'UUUUUUUU'", ownWord: false), "challenges.code", "UUUUUUUU"),
        Damage("a challenge has fewer players", challenge("players = 0"), "challenges.players", "0 players, 1 games"),
        Damage("a challenge has too many players", challenge("players = 1001"), "challenges.players", "1001 players"),
        Damage("a challenge is nobody's", challenge("maker = 'nobody'"), "challenges.maker", "nobody"),
        Damage(
            "a challenge is deleted and still its maker's", challenge("deleted_at = now()"), "challenges.maker", ada),
        Damage(
            "a maker plays their own word", challenge("maker = '\(bob)'"), "challenges.maker", "game "),
        Damage(
            "the payment of a challenge is another's",
            "UPDATE energy_ledger SET reference = 'AAAAAAAA' WHERE reason = 'challenge' AND reference IN (SELECT code FROM challenges WHERE is_own_word)",
            "challenges.unpaid", ada),
        Damage(
            "a challenge is deleted by hand", "DELETE FROM challenges WHERE NOT is_own_word", "challenges.gone", ada),
        Damage(
            "a challenge is another's", challenge("maker = '\(bob)'", ownWord: false), "challenges.gone", ada),
        Damage(
            "a challenge's game is an ordinary one",
            "UPDATE judged_games SET kind = 'archive' WHERE challenge IS NOT NULL", "challenges.games", bob),
        Damage(
            "a challenge's game is of no challenge",
            "UPDATE judged_games SET challenge = NULL WHERE challenge IS NOT NULL", "challenges.games",
            "challenge missing"),
    ]
}
