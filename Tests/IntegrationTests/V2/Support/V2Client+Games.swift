import Foundation
import Testing

// What a player does, and what only the superuser of the database knows.
extension V2Client {
    /// Words of the list that tests guess when they want to miss.
    static let words = ["crane", "slate", "pious", "mound", "fjord", "blitz", "vixen", "llama", "geese", "abbey"]

    /// Begins a game.
    func start(fields: [String] = []) async throws -> JSON {
        let reply = try await post("/v2/games", "{}", fields: fields)
        #expect(reply.status == 201, "\(reply)")
        return reply.json.game
    }

    /// Guesses a word.
    func guess(_ word: String, number: Int? = nil, in game: JSON, fields: [String] = []) async throws -> V2Reply {
        let number = number.map { #", "number": \#($0)"# } ?? ""
        return try await post("/v2/games/\(game.id.text)/guesses", #"{"word": "\#(word)"\#(number)}"#, fields: fields)
    }

    /// Plays a game to its end.
    ///
    /// - Parameter guesses: With how many guesses to win it, 1...6; nil: lose it.
    @discardableResult
    func end(_ game: JSON, in guesses: Int?, of database: TestDatabase? = nil) async throws -> JSON {
        let secret = try await secret(of: game, in: database)
        let misses = Self.words.filter { $0 != secret }.prefix(guesses.map { $0 - 1 } ?? 6)
        var reply: V2Reply?
        for word in misses { reply = try await guess(word, in: game) }
        if guesses != nil { reply = try await guess(secret, in: game) }
        let ended = try #require(reply).json
        #expect(ended.state == (guesses == nil ? "lost" : "won"), "\(ended)")
        return ended
    }

    /// The word of a game, which nobody can ask the service for.
    func secret(of game: JSON, in database: TestDatabase? = nil) async throws -> String {
        let database = if let database { database } else { try await TestDatabase.shared() }
        return try await database.psql("SELECT word FROM judged_games WHERE id = '\(game.id.text)'")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The player.
    func me() async throws -> JSON { try await get("/v2/players/me").json }
}

extension TestDatabase {
    /// Makes the word of a running game another one, so that a test knows it.
    func setWord(_ word: String, of game: JSON) async throws {
        try await psql(
            """
            UPDATE judged_games SET word = '\(word)', commitment = commitment(salt, '\(word)')
            WHERE id = '\(game.id.text)'
            """)
    }

    /// Moves all that is kept of days some days into the past: what was today is over.
    func passDays(_ days: Int) async throws {
        try await gatherBoards()
        try await psql(
            """
            UPDATE daily_words SET day = day - 10000 - \(days);
            UPDATE daily_words SET day = day + 10000;
            UPDATE judged_games SET day = day - 10000;
            UPDATE board_entries SET starts_on = starts_on - 10000 WHERE board = 'daily';
            UPDATE board_counts SET starts_on = starts_on - 10000 WHERE board = 'daily';
            UPDATE judged_games SET day = day + 10000 - \(days), started_at = earlier(started_at, '\(days) days'),
                ended_at = earlier(ended_at, '\(days) days');
            UPDATE board_entries SET starts_on = starts_on + 10000 - \(days), reached_at = earlier(reached_at, '\(days) days')
                WHERE board = 'daily';
            UPDATE board_counts SET starts_on = starts_on + 10000 - \(days) WHERE board = 'daily';
            UPDATE leagues SET created_at = earlier(created_at, '\(days) days');
            UPDATE league_members SET joined_at = earlier(joined_at, '\(days) days');
            DELETE FROM daily_results;
            DO $$ DECLARE g judged_games; player text; BEGIN
                FOR g IN SELECT * FROM judged_games WHERE kind = 'daily' AND (ended_at AT TIME ZONE 'UTC')::date = day LOOP
                    PERFORM note_daily_result(g.user_id, g.day, CASE WHEN g.is_won THEN g.guess_count ELSE 7 END);
                END LOOP;
                FOREACH player IN ARRAY ARRAY(SELECT user_id FROM players) LOOP PERFORM recount_days(player); END LOOP;
            END $$
            """)
    }

    /// Has all that changed on the boards be in their counts.
    func gatherBoards() async throws {
        repeat {
            try await psql("SELECT tend_boards(10)")
        } while try await psql("SELECT count(*) FROM board_changes") != "0"
    }
}

/// What a guess is marked, as the contract says it: correct first, then present by what is left of each letter.
func marks(of guess: String, against secret: String) -> JSON {
    var marks = Array(repeating: "absent", count: secret.count)
    var left: [Character: Int] = [:]
    for (index, (letter, own)) in zip(guess, secret).enumerated() {
        if letter == own { marks[index] = "correct" } else { left[own, default: 0] += 1 }
    }
    for (index, letter) in guess.enumerated() where marks[index] != "correct" && left[letter, default: 0] > 0 {
        marks[index] = "present"
        left[letter, default: 0] -= 1
    }
    return .array(marks.map { .string($0) })
}
