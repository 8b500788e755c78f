import Foundation
import JulietAPI
import TestSupport
import Testing

/// How words are dealt to players who have played many.
@Suite("Dealing", .everyLayout)
struct DealingTests {
    /// So many words of the list have been played, of those with the lowest places.
    private static let levels = [0, 500, 2000, 2200, 2260]

    /// A player who has played the words of the lowest places, in that order.
    private func player(played count: Int, on database: TestDatabase) async throws -> String {
        let user = TestService.newUser()
        try await database.psql(
            """
            SELECT register_user('\(user)', NULL, NULL);
            INSERT INTO played_words (user_id, number, word_id)
            SELECT '\(user)', place + 1, id FROM words WHERE place < \(count);
            UPDATE users SET words_played = \(count), played_secrets = rpad(repeat('1', \(count)), 2560, '0')::bit varying
            WHERE id = '\(user)'
            """)
        return user
    }

    @Test("at any number played, each unplayed word is dealt as often as any other", arguments: levels)
    func uniform(played: Int) async throws {
        let database = try await TestDatabase.shared()
        let service = try await TestService.shared(.standard)
        let user = try await player(played: played, on: database)
        let unplayed = Set(
            try await database.psql("SELECT word FROM words WHERE place >= \(played)").split(separator: "\n").map(
                String.init))
        #expect(unplayed.count == database.secrets.count - played)

        // Chance alone fails one in a thousand, so one in a million after another try.
        let first = try await deviations(of: user, from: unplayed, service)
        guard first >= 3.09 else { return }
        let second = try await deviations(of: user, from: unplayed, service)
        #expect(second < 3.09, "\(first), then \(second) standard deviations")
    }

    /// How far 20,000 deals are from each word being as likely as any other, by the chi-squared test: in standard
    /// deviations of a normal distribution, where 3.09 is p = 0.001.
    private func deviations(
        of user: String, from unplayed: Set<String>, _ service: TestService
    ) async throws -> Double {
        let draws = 20_000
        var counts: [String: Int] = [:]
        for word in try await service.freeWords(for: user, count: draws) { counts[word.lowercased(), default: 0] += 1 }
        #expect(Set(counts.keys).isSubset(of: unplayed))
        let expected = Double(draws) / Double(unplayed.count)
        let chiSquared = unplayed.reduce(0.0) { sum, word in
            let difference = Double(counts[word] ?? 0) - expected
            return sum + difference * difference / expected
        }
        // Wilson and Hilferty's approximation (1931): the cube root is nearly normal.
        let degrees = Double(unplayed.count - 1)
        let variance = 2 / (9 * degrees)
        return (cbrt(chiSquared / degrees) - (1 - variance)) / variance.squareRoot()
    }

    @Test(
        "a deal reads as little of the database when all words are played as when none is",
        .defaultLayout("EXPLAIN counts no pages of other servers"),
        arguments: [500, 2264, 2272, 2273])
    func cost(played: Int) async throws {
        let database = try await TestDatabase.shared()
        func pages(_ user: String) async throws -> Int {
            // The first calls of a session read the catalogs and make plans.
            let calls = String(repeating: "SELECT deal_word('\(user)', 'en', 5); ", count: 3)
            let plan = try await database.psql(
                "\(calls) EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) SELECT deal_word('\(user)', 'en', 5)")
            let match = try #require(plan.firstMatch(of: #/Buffers: shared hit=(\d+)/#))
            return try #require(Int(match.1))
        }
        let none = try await pages(try await player(played: 0, on: database))
        let many = try await pages(try await player(played: played, on: database))
        #expect(many <= 3 * none, "\(many) pages instead of \(none)")
    }

    @Test("a word that becomes a secret is not dealt to those who have played it")
    func promoted() async throws {
        let database = try await TestDatabase.create()
        try await database.deleteWords()
        try await database.insert(words: ["amber"], language: "xx", areSecret: true)
        try await database.insert(words: ["brook"], language: "xx", areSecret: false)
        let service = try await TestService.start(["game.language": "xx"], on: database)
        let user = TestService.newUser()
        _ = try await service.reply(to: .initialRegistration(vendorID: user))
        _ = try await service.reply(to: .updateUserPlayedWordsList(userID: user, playedWord: "brook"))
        try await database.psql("UPDATE words SET is_secret = true WHERE word = 'brook'; SELECT refresh_word_lists()")
        #expect(Set(try await service.freeWords(for: user, count: 50)) == ["AMBER"])
        _ = try await service.reply(to: .updateUserPlayedWordsList(userID: user, playedWord: "amber"))
        #expect(Set(try await service.freeWords(for: user, count: 50)) == ["BROOK"])
        try await service.stop()
    }

    @Test("a retired word is dealt no more, at once; when all others are played, not even then")
    func retired() async throws {
        let database = try await TestDatabase.create()
        try await database.deleteWords()
        try await database.insert(words: ["amber", "brook", "cedar"], language: "xx", areSecret: true)
        let service = try await TestService.start(["game.language": "xx"], on: database)
        let user = TestService.newUser()
        _ = try await service.reply(to: .initialRegistration(vendorID: user))
        for word in ["brook", "amber"] {
            _ = try await service.reply(to: .updateUserPlayedWordsList(userID: user, playedWord: word))
        }
        try await database.psql(
            "UPDATE words SET retired_at = now() WHERE word IN ('brook', 'cedar'); SELECT refresh_word_lists()")
        #expect(Set(try await service.freeWords(for: user, count: 50)) == ["AMBER"])
        try await service.stop()
    }
}

extension TestService {
    /// Draws free words, many on a connection.
    func freeWords(for user: String, count: Int) async throws -> [String] {
        let port = port
        let request = GameRequest.fetchNewSecretWord(userID: user)
        let bytes = Self.post(request.encoded(), to: request.type.endpoint.path)
        return try await offPool {
            var words: [String] = []
            let connection = try ClientConnection(port: port)
            while words.count < count {
                let batch = min(50, count - words.count)
                try connection.send(Array(repeatElement(bytes, count: batch).joined()))
                for _ in 0..<batch {
                    words.append(try connection.receive().answer(to: request.type).secretWord.joined())
                }
            }
            return words
        }
    }
}
