import Foundation
import JulietAPI
import JulietGame
import Postgres
import TestSupport
import Testing

/// When what is recorded happened: entries follow each other and the rules of their time, however long transactions are open or
/// wait, and whatever the server's clock does.
@Suite("Times", .everyLayout)
struct TimeTests {
    private static let (player, token) = (ServiceFunction.id("01"), ServiceFunction.token("01"))

    private func database() async throws -> TestDatabase {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            SELECT register_user('ANNA', NULL, NULL), choose_daily_words();
            SELECT create_player(\(Self.player), 'Ann', NULL, \(Self.token), gen_random_uuid(), sha256('01'))
            """)
        return database
    }

    /// The entries of a player: whether each is later than the one before, by number.
    private func order(of player: String, in database: TestDatabase) async throws -> String {
        try await database.psql(
            """
            SELECT string_agg(CASE WHEN created_at > before THEN '<' WHEN created_at = before THEN '=' ELSE '>' END, '' ORDER BY entry)
            FROM (SELECT entry, created_at, lag(created_at) OVER (ORDER BY entry) AS before FROM energy_ledger
                WHERE user_id = \(player) AND entry IS NOT NULL) AS entries WHERE before IS NOT NULL
            """)
    }

    @Test("an entry of a transaction that has been open for long is not older than the one before")
    func longTransaction() async throws {
        let database = try await database()
        try await database.withOwner { other in
            try await other.executeScript("BEGIN; SET ROLE player_service; SELECT juliet.read_rules()")
            try await database.psql("SELECT pay_for_game('ANNA', 'k', 1)")
            for call in [
                "pay_for_game('ANNA', NULL, NULL)", "buy_energy('ANNA', 5, 'b', 1)",
                "report_energy('ANNA', 8, NULL, NULL)",
                "start_game('ANNA', 'en', 5, NULL, NULL)", "register_user('BELA', NULL, NULL)",
            ] { try await other.executeScript("SELECT juliet.\(call)") }
            try await other.executeScript("COMMIT")
        }
        #expect(try await order(of: "'ANNA'", in: database) == "<<<<<")
        try await database.expectCleanAudit()
    }

    @Test(
        "who has waited for a lock goes by the rules of now",
        arguments: [
            ("pay_for_game('ANNA', NULL, NULL)", "'ANNA'", "-7"),
            ("start_game('ANNA', 'en', 5, 'k', 1)", "'ANNA'", "-7"),
            ("report_energy('ANNA', 1000, NULL, NULL)", "'ANNA'", "report-refused"),
            ("buy_energy('ANNA', 5, NULL, NULL)", "'ANNA'", "purchase-unverified"),
            ("start_judged_game(\(token), 'en', 5, false, NULL, NULL)", player, "-7"),
            ("create_challenge(\(token), 'en', 5, NULL, false, 7, NULL, NULL)", player, "-7"),
            ("resign_game(\(token), 'GAME')", player, "9"),
        ])
    func waiting(call: String, who: String, result: String) async throws {
        let database = try await database()
        try await database.psql(
            """
            SELECT start_daily_game(\(Self.token), false);
            SELECT guess_known_word(\(Self.token), id, (SELECT word FROM words
                WHERE language = g.language AND char_length(word) = letters AND word <> g.word LIMIT 1), NULL, language)
            FROM judged_games AS g
            """)
        let call = call.replacing("GAME", with: try await database.psql("SELECT id FROM judged_games"))
        try await database.withOwner { holder in
            try await holder.executeScript("BEGIN; SELECT FROM juliet.users WHERE id = \(who) FOR UPDATE")
            async let answer = database.psql("SET ROLE player_service; SELECT (\(call)).refusal")
            try await database.waitForWaitingSessions(1)
            try await database.psql(
                """
                SELECT apply_rules('test', '{"energy.price": 7, "energy.clientUpdates": "refuse", "energy.dailyReward": 9,
                    "purchases.verification": "required"}')
                """)
            try await holder.executeScript("COMMIT")
            let refusal = try await answer
            let last = try await database.psql(
                "SELECT delta FROM energy_ledger WHERE user_id = \(who) AND entry IS NOT NULL ORDER BY entry DESC LIMIT 1"
            )
            #expect((refusal.isEmpty ? last : refusal) == result)
        }
        let follows = try await database.psql(
            """
            SELECT bool_and(created_at > since) FROM energy_ledger, (SELECT max(since) AS since FROM rules) AS held
            WHERE user_id = \(who) AND delta IN (-7, 9)
            """)
        #expect(follows == (Int(result) == nil ? "" : "t"))
        try await database.expectCleanAudit()
    }

    @Test("an old snapshot, and with it old rules, changes no balance")
    func oldSnapshot() async throws {
        let database = try await database()
        for isolation in ["REPEATABLE READ", "SERIALIZABLE"] {
            for call in [
                "pay_for_game('ANNA', NULL, NULL)", "buy_energy('ANNA', 5, NULL, NULL)",
                "register_user('NEW', NULL, NULL)",
            ] {
                let failure = await #expect(throws: Command.Failure.self, "\(isolation): \(call)") {
                    try await database.psql(
                        "SET ROLE player_service; BEGIN ISOLATION LEVEL \(isolation); SELECT \(call)")
                }
                #expect(failure?.output.contains("only in a READ COMMITTED transaction") == true)
            }
        }
    }

    @Test(
        "after the clock was set back, entries have the time of the last one, energy comes back as before, and that is no fault"
    )
    func clockSetBack() async throws {
        let database = try await database()
        try await database.psql(
            """
            SELECT apply_rules('test', '{"energy.refillEvery": 1}');
            UPDATE users SET ledger_at = now() + interval '1 year';
            SELECT pay_for_game('ANNA', NULL, NULL), start_judged_game(\(Self.token), 'en', 5, false, NULL, NULL)
            """)
        let balance =
            "SELECT (read_player(\(Self.token))).energy, (read_player(\(Self.token))).refill_next_at < now() + interval '5 s'"
        #expect(try await database.psql(balance) == "25|t")
        while try await database.psql("SELECT (take_refill(\(Self.token), NULL, NULL)).refusal") == "refill-early" {}
        #expect(try await database.psql(balance).hasPrefix("30|"))
        try await database.psql("SELECT pay_for_game('ANNA', NULL, NULL), buy_energy('ANNA', 5, NULL, NULL)")
        #expect(try await order(of: "'ANNA'", in: database) == "<==")
        #expect(try await order(of: Self.player, in: database) == "<=")
        // Rules that were applied before have a later time, too.
        try await database.psql(
            """
            UPDATE rules SET since = now() + interval '2 years' WHERE since > '-infinity';
            SELECT apply_rules('test', '{"energy.price": 9}'), pay_for_game('ANNA', NULL, NULL)
            """)
        #expect(try await order(of: "'ANNA'", in: database) == "<==<")
        // The trail has the former time.
        try await database.expectCleanAudit(without: [.trail])
    }

    @Test("a day without a word gets one when it is asked for")
    func missingDay() async throws {
        let database = try await TestDatabase.create()
        let services = [try await TestService.start(on: database), try await TestService.start(on: database)]
        let player = try await V2Client.player(on: services[0])
        // As after a clock has jumped over the days whose words were chosen.
        try await database.psql("DELETE FROM daily_words")
        #expect(try await player.post("/v2/daily/game", "{}").status == 201)
        #expect(try await database.psql("SELECT count(*) FROM daily_words") == "31")
        try await database.psql("DELETE FROM daily_words")
        #expect(try await V2Client.player(on: services[1]).get("/v2/daily").status == 200)
        for service in services { try await service.stop() }
    }
}
