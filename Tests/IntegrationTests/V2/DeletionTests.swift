import AppStoreTesting
import JulietGame
import TestSupport
import Testing

@Suite("What stays of a player who is deleted", .everyLayout)
struct DeletionTests {
    private let store: TestStore

    init() throws { store = try TestStore() }

    /// Every time that is kept about a player, as PostgreSQL prints it.
    private func times(of id: String, in database: TestDatabase) async throws -> Set<String> {
        let columns = [
            ("users", "id", ["created_at"]), ("energy_ledger", "user_id", ["created_at"]),
            ("energy_ledger_archive", "user_id", ["created_at"]), ("sessions", "user_id", ["created_at"]),
            ("judged_games", "user_id", ["started_at", "ended_at"]), ("board_entries", "user_id", ["reached_at"]),
            ("played_words", "user_id", ["played_at"]), ("admin_actions", "user_id", ["done_at"]),
            ("purchases", "user_id", ["created_at", "purchased_at", "signed_at"]),
        ].flatMap { table, key, columns in
            columns.map { "SELECT \($0)::text FROM \(table) WHERE \(key) = '\(id)' AND \($0) IS NOT NULL" }
        }
        let printed = try await database.psql(columns.joined(separator: " UNION "))
        return Set(printed.split(separator: "\n").map(String.init))
    }

    /// Every row of all tables, with the table's name before it.
    private func rows(of database: TestDatabase) async throws -> [String] {
        let tables = try await database.psql(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'juliet'::regnamespace")
        let printed = try await database.psql(
            tables.split(separator: "\n").map { "SELECT '\($0) ' || t::text FROM \($0) AS t" }
                .joined(separator: " UNION ALL "))
        return printed.split(separator: "\n").map(String.init)
    }

    @Test("no row has a game's id or an exact time of theirs, or ties the ledger to a draw; and all of it is audited")
    func leadsNowhere() async throws {
        let database = try await TestDatabase.create()
        // Words with a rare letter: none is within a name of ours by chance, as "chase" is within "purchase".
        try await database.psql(
            """
            UPDATE words SET is_secret = false WHERE is_secret AND word !~ '[jqxz]';
            SELECT refresh_word_lists()
            """)
        let service = try await TestService.start(store.settings("none"), on: database)
        let player = try await V2Client.player(on: service, named: "Ada")
        let id = try await player.me().id.text
        let won = try await player.end(try await player.start(), in: 2, of: database)
        let daily = try await player.end(try await player.post("/v2/daily/game").json.game, in: 3, of: database)
        // What is in the archive is as old as that.
        try await database.psql(
            """
            UPDATE energy_ledger SET created_at = earlier(created_at, '500 days') WHERE user_id = '\(id)';
            UPDATE users SET created_at = earlier(created_at, '500 days'), ledger_seal = (SELECT bit_xor(
                energy_entry_seal(entry, delta, balance_after, reason, reference, energy_ledger.created_at))
                FROM energy_ledger)
            WHERE id = '\(id)'
            """)
        let running = try await player.start()
        let archived = try await database.withOwner {
            try await EnergyLedger(connection: $0).archive(olderThanDays: 400)
        }
        #expect(archived == 3)
        let transaction = TestStore.newNumber()
        let bought = TestTransaction(transaction, product: TestStore.thirty)
        #expect(try await player.buy(store.signed(bought)).status == 201)
        try await database.psql("SELECT grant_energy('os:test', '\(id)', 5, 'ticket 5', 'op', 3)")
        try await database.psql("SELECT enter_player('os:test', '\(id)')")
        try await database.psql("SELECT announce_prize('os:test', 50)")
        try await database.psql("SELECT start_draw('os:test'::text, 1)")
        try await database.expectCleanAudit("before")

        let games = [won.id.text, daily.id.text, running.id.text]
        var times = try await times(of: id, in: database)
        #expect(times.count > 10)
        // What the trail says of the draw is not about the player.
        let drawn = try await database.psql("SELECT done_at FROM admin_actions WHERE action = 'lottery.draw'")
        times.remove(drawn)
        let number = try await database.psql("SELECT number FROM lottery_participants")
        #expect(try await player.delete("/v2/players/me").status == 204)

        let pseudonym = try await database.psql("SELECT user_id FROM closed_ledgers")
        let left = try await rows(of: database)
        for row in left {
            for trace in [id, "Ada"] + games { #expect(!row.contains(trace), "\(row)") }
            for time in times { #expect(!row.contains(time), "\(row)") }
        }
        // What bears the pseudonym names neither the draw's winner nor a word.
        let closed = left.filter { $0.contains(pseudonym.split(separator: "\t")[1]) }
        #expect(
            Set(closed.compactMap { $0.split(separator: " ").first }) == [
                "admin_actions", "closed_ledgers", "energy_checkpoints", "energy_ledger", "energy_ledger_archive",
                "purchases",
            ])
        for row in closed {
            #expect(!row.contains(number) && !row.contains(drawn), "\(row)")
            #expect(!row.contains(won.secret.text) && !row.contains(daily.secret.text), "\(row)")
        }
        #expect(
            try await database.psql(
                """
                SELECT string_agg(format('%s %s', reason, coalesce(reference, '-')), ', ' ORDER BY entry) FROM (
                    SELECT entry, reason, reference FROM energy_ledger UNION ALL
                    SELECT entry, reason, reference FROM energy_ledger_archive) AS entries
                """)
                    == """
                    registration -, game -, daily -, game -, purchase Production/\(transaction), support ticket 5, lottery -
                    """)
        try await database.expectCleanAudit("after")

        // The store takes back what was bought: the entry that follows is as the others are.
        #expect(try await service.tell(store.notification("REFUND", bought)) == 200)
        #expect(
            try await database.psql(
                "SELECT count(*), count(*) FILTER (WHERE created_at = day_of(created_at)) FROM energy_ledger") == "5|5")
        try await database.expectCleanAudit("after a refund")
        try await service.stop()
    }
}
