import Foundation
import Postgres
import TestSupport
import Testing

/// Whom a service that was taken over reaches by the functions of the app's URLs, which ask for no token.
@Suite("A service that was taken over, and players who prove who they are", .everyLayout)
struct TakeoverReachTests {
    private static let (one, two, claimer) = (
        ServiceFunction.id("01"), ServiceFunction.id("02"), ServiceFunction.id("03")
    )

    private func database() async throws -> TestDatabase {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            SELECT apply_rules('test', '{"players.claims": "allow"}');
            SELECT register_user('ACCOUNT', NULL, NULL), register_user('OTHER', NULL, NULL)
            """)
        for (number, account) in [("01", "NULL"), ("02", "NULL"), ("03", "'ACCOUNT'")] {
            try await database.psql(
                """
                SELECT create_player(\(ServiceFunction.id(number)), 'Ann', \(account), \(ServiceFunction.token(number)),
                    gen_random_uuid(), sha256('\(number)'))
                """)
        }
        return database
    }

    /// Calls a function as the service's role.
    ///
    /// - Returns: Why it was refused; an empty text: it was done.
    private func refusal(
        _ function: ServiceFunction, of player: String, as account: String = "NULL", in database: TestDatabase
    ) async throws -> String {
        let call = function.call(["player": player, "account": account])
        return try await database.psql("SET ROLE player_service; SELECT refusal FROM \(call)")
    }

    @Test(
        "no function without a token changes or shows a player of /v2, but of one who claimed the account, where the rules accept it"
    )
    func players() async throws {
        let database = try await database()
        let functions = try await ServiceFunction.all(in: database).filter { function in
            function.arguments.first?.name == "player" && function.arguments.last?.name == "account"
        }
        #expect(
            functions.map(\.name) == [
                "add_win", "buy_energy", "credit_purchase", "deal_word", "pay_for_game", "record_played_word",
                "refuse_purchase", "register_user", "report_energy", "start_game",
            ])
        func records() async throws -> String {
            try await database.psql(
                """
                SELECT users.*, players.* FROM users JOIN players ON user_id = id ORDER BY id;
                SELECT * FROM energy_ledger ORDER BY user_id, operation_id; SELECT * FROM played_words
                """)
        }
        let before = try await records()
        for function in functions {
            for (player, account) in [
                (Self.one, "NULL"), (Self.one, "'ACCOUNT'"), (Self.claimer, "NULL"), (Self.claimer, "'ACCOUNT'"),
                (ServiceFunction.id("77"), "NULL"), (ServiceFunction.id("77"), "'ACCOUNT'"),
            ] {
                let refusal = try await refusal(function, of: player, as: account, in: database)
                #expect(refusal == "user-unknown", "\(function.name) \(player) \(account)")
            }
        }
        #expect(try await records() == before)
        #expect(try await database.psql("SET ROLE player_service; SELECT claimed_user('ACCOUNT') IS NULL") == "t")

        try await database.psql(#"SELECT apply_rules('test', '{"players.claimedApp": "accept", "energy.price": 1}')"#)
        #expect(
            try await database.psql("SET ROLE player_service; SELECT claimed_user('ACCOUNT')")
                == Self.claimer.trimmingCharacters(in: ["'"]))
        for function in functions {
            for (player, account) in [
                (Self.one, "NULL"), (Self.one, "'ACCOUNT'"), (Self.claimer, "NULL"), (Self.claimer, "'OTHER'"),
                (ServiceFunction.id("77"), "'ACCOUNT'"),
            ] {
                let refusal = try await refusal(function, of: player, as: account, in: database)
                #expect(refusal == "user-unknown", "\(function.name) \(player) \(account)")
            }
        }
        #expect(try await records() == before)
        for function in functions {
            let refusal = try await refusal(function, of: Self.claimer, as: "'ACCOUNT'", in: database)
            #expect(refusal == (function.name == "refuse_purchase" ? "purchase-x" : ""), "\(function.name)")
        }
        #expect(try await records() != before)

        // Neither an old snapshot nor a call that waited brings back the former rule.
        let changed = try await records()
        for function in functions {
            let call = function.call(["player": Self.claimer, "account": "'ACCOUNT'"])
            let failure = await #expect(throws: Command.Failure.self, "\(function.name)") {
                try await database.psql(
                    "SET ROLE player_service; BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT \(call)")
            }
            #expect(failure?.output.contains("only in a READ COMMITTED transaction") == true)
        }
        try await database.withOwner { holder in
            try await holder.executeScript("BEGIN; SELECT FROM juliet.users WHERE id = \(Self.claimer) FOR UPDATE")
            let waiting = functions.filter { $0.name != "deal_word" }
            async let refusals = waiting.concurrently { function in
                try await self.refusal(function, of: Self.claimer, as: "'ACCOUNT'", in: database)
            }
            try await database.waitForWaitingSessions(waiting.count)
            try await database.psql(#"SELECT apply_rules('test', '{"players.claimedApp": "refuse"}')"#)
            try await holder.executeScript("COMMIT")
            #expect(Set(try await refusals) == ["user-unknown"])
        }
        #expect(try await records() == changed)
        try await database.expectCleanAudit()
    }

    @Test("each function that takes a player's id and no proof is one of these, or makes the player")
    func isComplete() async throws {
        let database = try await TestDatabase.shared()
        let functions = try await ServiceFunction.all(in: database)
        let others = functions.filter { function in
            let names = function.arguments.map(\.name)
            return names.contains("player") && !function.name.hasPrefix("admin_") && names.last != "account"
        }
        #expect(others.map(\.name) == ["create_identified_player", "create_player"])
        // Sets of these (SetTests).
        let sets = functions.filter { function in function.arguments.contains { $0.name == "players" } }
        #expect(
            sets.map(\.name) == [
                "add_win_each", "buy_energy_each", "deal_word_each", "pay_for_game_each", "record_played_word_each",
                "start_game_each",
            ])
    }

    @Test("what the app says was played decides nothing in judged play")
    func judged() async throws {
        let database = try await database()
        try await database.psql(
            """
            SELECT apply_rules('test', '{"players.claimedApp": "accept", "energy.price": 0}');
            SELECT count((record_played_word(\(Self.claimer), word, 'en', 'ACCOUNT')).refusal) FROM (
                SELECT word FROM words WHERE is_secret AND char_length(word) = 5 ORDER BY word OFFSET 1) AS played
            """)
        let secrets = Int(try await database.psql("SELECT bit_count(dealable) FROM word_lists WHERE letters = 5"))
        let total = try #require(secrets)
        func play() async throws -> String {
            try await database.psql(
                """
                SET ROLE player_service;
                SELECT start_judged_game(\(ServiceFunction.token("03")), 'en', 5, false, NULL, NULL) IS NULL;
                RESET ROLE;
                SELECT word, resign_game(\(ServiceFunction.token("03")), id) IS NULL FROM judged_games
                WHERE kind = 'game' AND ended_at IS NULL
                """
            ).split(separator: "\n").last.map { String($0.prefix { $0 != "|" }) } ?? ""
        }
        var dealt: [String] = []
        for _ in 1...8 { dealt.append(try await play()) }
        #expect(Set(dealt).count == 8, "each once, and not the one that is left in the app")
        // With one left it is dealt, and then any of them is.
        try await database.psql(
            """
            UPDATE players SET judged_secrets = (SELECT bit_or(with_bit(no_bits(8192), place)) FROM words
                WHERE is_secret AND char_length(word) = 5 AND word <> '\(dealt[0])')
            WHERE user_id = \(Self.claimer)
            """)
        #expect(try await play() == dealt[0])
        let places = try await database.psql(
            "SELECT bit_count(judged_secrets) FROM players WHERE user_id = \(Self.claimer)")
        #expect(places == "\(total)")
        dealt = []
        for _ in 1...12 { dealt.append(try await play()) }
        #expect(Set(dealt).count > 6 && !dealt.contains(""))
        // In the app nothing has changed: the one word that it did not name, until a judged game has had it.
        let left = try await database.psql(
            "SELECT count(*) FROM words WHERE is_secret AND char_length(word) = 5 AND id NOT IN (SELECT word_id FROM played_words)"
        )
        #expect(["0", "1"].contains(left))
    }

    @Test("a merge unites the secrets of judged games")
    func merged() async throws {
        let database = try await database()
        for number in ["01", "02"] {
            try await database.psql(
                """
                SELECT start_judged_game(\(ServiceFunction.token(number)), 'en', 5, false, NULL, NULL);
                SELECT resign_game(\(ServiceFunction.token(number)), id) FROM judged_games WHERE ended_at IS NULL
                """)
        }
        let both = try await database.psql(
            "SELECT count(DISTINCT place) FROM judged_games JOIN words USING (language, word)")
        try await database.expectCleanAudit()
        try await database.psql(
            "SELECT merge_player(\(ServiceFunction.token("01")), \(ServiceFunction.token("02")), NULL, NULL, NULL)")
        #expect(
            try await database.psql("SELECT bit_count(judged_secrets) FROM players WHERE user_id = \(Self.one)") == both
        )
        try await database.expectCleanAudit()
    }
}

extension Array where Element: Sendable {
    /// The results of a closure for each, all at once.
    fileprivate func concurrently<Result: Sendable>(
        _ body: @escaping @Sendable (Element) async throws -> Result
    ) async throws -> [Result] {
        try await withThrowingTaskGroup(of: Result.self) { group in
            for element in self { group.addTask { try await body(element) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
