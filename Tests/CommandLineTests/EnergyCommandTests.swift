import Foundation
import TestSupport
import Testing

@Suite("juliet energy", .everyLayout)
struct EnergyCommandTests {
    @Test("audit: nothing wrong")
    func clean() async throws {
        let program = try await Program.withPlayers()
        let outcome = try await program.audit()
        #expect(outcome.status == 0, "\(outcome.notes)")
        #expect(outcome.output == "2 players, 4 rows, nothing wrong")
        let document = try await program.run(["energy", "audit", "--json"]).document()
        #expect(document["players"] as? Int == 2)
        #expect(document["entries"] as? Int == 4)
        #expect((document["faults"] as? [Any])?.isEmpty == true)
    }

    @Test("history: a table and JSON")
    func history() async throws {
        let program = try await Program.withPlayers()
        try await program.psql("UPDATE energy_ledger SET created_at = '2026-11-20 20:30:40+00'")
        var outcome = try await program.run(["energy", "history", "ANNA"])
        #expect(
            outcome.output == """
                time                  reason        for    entry  change  balance
                2026-11-20T20:30:40Z  registration             1     +30       30
                2026-11-20T20:30:40Z  game          music      2      -5       25
                2026-11-20T20:30:40Z  purchase                 3     +30       55
                """)
        outcome = try await program.run(["energy", "history", "ANNA", "--last", "1"])
        #expect(outcome.output.hasSuffix("3     +30       55"))
        #expect(outcome.notes == "2 older changes: --last shows more")
        outcome = try await program.run(["energy", "history", "ANNA", "--last", "1", "--json"])
        #expect(
            outcome.output == """
                [
                  {
                    "at" : "2026-11-20T20:30:40Z",
                    "balanceAfter" : 55,
                    "delta" : 30,
                    "entry" : 3,
                    "operationID" : "buy",
                    "reason" : "purchase"
                  }
                ]
                """)
        outcome = try await program.run(["energy", "history", "NOBODY"])
        #expect(outcome.status == 1)
        #expect(outcome.notes == "error: there is no player \"NOBODY\"")
    }

    @Test("history, grant and audit of a player of /v2: games by their ids, those of the app before by their words")
    func judgedPlayer() async throws {
        let (program, player) = try await Program.withJudgedPlayer()
        try await program.psql("UPDATE energy_ledger SET created_at = '2026-11-20 20:30:40+00'")
        try await program.reseal()
        let games = try await program.psql("SELECT id FROM judged_games ORDER BY id")
            .split(separator: "\n")
        try #require(games.count == 3)
        var outcome = try await program.run(["energy", "history", player])
        #expect(
            outcome.output == """
                time                  reason        for                                   entry  change  balance
                2026-11-20T20:30:40Z  registration                                            1     +30       30
                2026-11-20T20:30:40Z  game          music                                     2      -5       25
                2026-11-20T20:30:40Z  game          \(games[0])      3      -5       20
                2026-11-20T20:30:40Z  daily         \(games[1])      4      +5       25
                2026-11-20T20:30:40Z  game          \(games[2])      5      -5       20
                """, "\(outcome.notes)")
        outcome = try await program.run(["energy", "grant", player, "30", "--reason", "ticket 17"])
        #expect(outcome.output.hasPrefix("granted: 30 energy, the balance is 50 now"))
        #expect(try await program.audit().output == "1 player, 6 rows, nothing wrong")
    }

    @Test("grant: once, however often it is given")
    func grant() async throws {
        let program = try await Program.withPlayers()
        let grant = [
            "energy", "grant", "BEN", "1200", "--reason", "ticket 17: a purchase was lost", "--operation-id", "t17",
        ]
        #expect(
            try await program.run(grant).output == "granted: 1,200 energy, the balance is 1,230 now\noperation: t17")
        #expect(
            try await program.run(grant).output
                == "already granted: 1,200 energy, the balance was 1,230 then\noperation: t17")
        var outcome = try await program.run(["energy", "grant", "BEN", "7", "--reason", "x", "--operation-id", "t17"])
        #expect(outcome.status == 1)
        #expect(
            outcome.notes
                == "error: the player has another operation called t17; nothing was changed: give another --operation-id"
        )
        outcome = try await program.run(["energy", "grant", "BEN", "7", "--reason", "x"])
        #expect(
            outcome.output.contains(
                #/^granted: 7 energy, the balance is 1,237 now\noperation: support-[0-9A-F-]{36}$/#))
        #expect(
            try await program.run(["energy", "history", "BEN", "--last", "2"]).output.contains("ticket 17: a pu…"))
        outcome = try await program.run(["energy", "grant", "NOBODY", "7", "--reason", "x"])
        #expect(outcome.notes == "error: there is no player \"NOBODY\"")
        #expect(try await program.run(["energy", "audit"]).status == 0)
    }

    @Test("grant: a balance without room for it stays as it is")
    func grantWithoutRoom() async throws {
        let program = try await Program.withPlayers()
        try await program.psql("SELECT change_energy('BEN', 2147483617, 'support', 'to the brim', NULL, NULL)")
        let grant = ["energy", "grant", "BEN", "7", "--reason", "x", "--operation-id", "t18"]
        let error =
            "the balance was 2,147,483,647, and 7 more would be too high; the grant t18 is refused, even if you repeat it"
        var outcome = try await program.run(grant)
        #expect(outcome.status == 1)
        #expect(outcome.notes == "error: \(error)")
        outcome = try await program.run(grant + ["--json"])
        #expect(outcome.status == 1)
        #expect(try outcome.document()["error"] as? String == error)
        #expect(
            try await program.psql("SELECT energy, ledger_entry FROM users WHERE id = 'BEN'") == "2147483647|2")
        #expect(
            try await program.psql("SELECT max(entry) FROM energy_ledger WHERE user_id = 'BEN'") == "2")
        #expect(try await program.audit().status == 0)
    }

    @Test("archive: old entries go, the last one stays, and the audit and history still hold")
    func archive() async throws {
        let program = try await Program.withPlayers()
        try await program.age(days: 500)
        #expect(try await program.run(["energy", "archive", "--days", "600"]).output == "0 rows moved to the archive")
        #expect(try await program.run(["energy", "archive"]).output == "2 rows moved to the archive")
        #expect(
            try await program.psql("SELECT user_id, entry FROM energy_ledger WHERE entry > 0 ORDER BY 1, 2")
                == "ANNA|3\nBEN|1")
        #expect(try await program.audit().output == "2 players, 4 rows, nothing wrong")
        #expect(try await program.run(["energy", "history", "ANNA"]).output.split(separator: "\n").count == 4)

        // The player goes on, and more is moved.
        try await program.psql("SELECT change_energy('ANNA', -5, 'game', 'drunk', NULL, NULL)")
        #expect(try await program.run(["energy", "archive", "--json"]).document()["moved"] as? Int == 1)
        #expect(try await program.run(["energy", "archive"]).output == "0 rows moved to the archive")
        #expect(try await program.audit().output == "2 players, 5 rows, nothing wrong")
        #expect(try await program.run(["energy", "history", "ANNA"]).output.split(separator: "\n").count == 5)
        #expect(try await program.run(["energy", "archive", "--days", "30"]).status == 64)
    }

    @Test("prune: operations that changed no balance are forgotten after 400 days")
    func prune() async throws {
        let program = try await Program.withPlayers()
        for (player, days) in [("ANNA", 399), ("BEN", 401)] {
            try await program.psql(
                """
                UPDATE energy_ledger SET created_at = now() - interval '\(days) days' WHERE user_id = '\(player)'
                """)
        }
        try await program.reseal()
        #expect(try await program.run(["energy", "prune"]).output == "1 operation forgotten")
        #expect(try await program.psql("SELECT user_id FROM energy_ledger WHERE entry IS NULL") == "ANNA")
        #expect(try await program.audit().output.hasSuffix("nothing wrong"))
        #expect(try await program.run(["energy", "prune", "--days", "399"]).status == 64)
    }

    @Test("prune and archive go through more players than fit in one transaction")
    func thousands() async throws {
        let program = try await Program.migrated()
        // Each of 2,500 players is registered, pays, and wins once with a name.
        try await program.psql(
            """
            SELECT register_user(id, NULL, NULL), pay_for_game(id, NULL, NULL), add_win(id, 'win', 2)
            FROM (SELECT upper(md5(number::text)) AS id FROM generate_series(1, 2500) AS number) AS players
            """)
        try await program.age(days: 500)
        try await program.psql("SELECT register_user('YOUNG', NULL, NULL), add_win('YOUNG', 'win', 2)")
        #expect(try await program.run(["energy", "prune"]).output == "2,500 operations forgotten")
        #expect(try await program.psql("SELECT user_id FROM energy_ledger WHERE entry IS NULL") == "YOUNG")
        #expect(try await program.run(["energy", "prune", "--json"]).document()["forgotten"] as? Int == 0)
        #expect(try await program.run(["energy", "archive"]).output == "2,500 rows moved to the archive")
        #expect(try await program.audit().output == "2,501 players, 5,001 rows, nothing wrong")
    }

    @Test("users delete and archive at the same time: no id is left behind, and every ledger stays whole")
    func deletionsWhileArchiving() async throws {
        let program = try await Program.migrated()
        try await program.psql(
            """
            SELECT register_user(id, 'reg', 1), buy_energy(id, 30, 'buy', 1), buy_energy(id, 5, 'more', 1),
                add_win(id, 'win', 2)
            FROM (SELECT 'DEVICE-' || number AS id FROM generate_series(10, 49) AS number) AS players
            """)
        try await program.age(days: 500)
        let folder = try TemporaryFolder()
        let deletions = (10..<40).map { ["users", "delete", "DEVICE-\($0)"] }
        // Between the deletions, some by way of a file.
        let archives = (0..<10).map {
            $0.isMultiple(of: 2) ? ["energy", "archive"] : ["energy", "archive", "--to", "\(folder.path)/\($0)"]
        }
        let commands = (deletions + archives).shuffled()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, command) in commands.enumerated() {
                // Eight at a time.
                if index >= 8 { try await group.next() }
                group.addTask {
                    let outcome = try await program.run(command)
                    #expect(outcome.status == 0, "\(command): \(outcome.notes)")
                }
            }
            try await group.waitForAll()
        }
        for number in 10..<40 { #expect(try await program.rows(thatSay: "DEVICE-\(number)") == 0) }
        #expect(try await program.psql("SELECT count(*) FROM closed_ledgers") == "30")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).map { "\(folder.path)/\($0)" }
        let outcome = try await program.audit(archive: files)
        #expect(outcome.output == "40 players, 120 rows, nothing wrong")
        for file in files { #expect(!(try String(contentsOfFile: file, encoding: .utf8)).contains("DEVICE")) }
    }
}
