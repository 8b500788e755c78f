import Foundation
import TestSupport
import Testing

@Suite("juliet users, run as a program", .everyLayout)
struct UsersCommandTests {
    private func program() async throws -> Program {
        let program = try await Program.migrated()
        let folder = try TemporaryFolder()
        let list = try folder.write("x-guessable.txt", "apple\nbread\ncrane\n")
        _ = try await program.run(["words", "import", list])
        return program
    }

    @Test("show, export and delete: everything, and then nothing but a pseudonymous ledger")
    func tending() async throws {
        let program = try await program()
        try await program.psql(
            """
            SELECT register_user('DEVICE-1', NULL, NULL);
            SELECT change_energy('DEVICE-1', -5, 'game', 'apple', NULL, NULL);
            SELECT buy_energy('DEVICE-1', 30, 'key-DEVICE-1', 1);
            SELECT add_win('DEVICE-1', 'win-DEVICE-1', 2);
            SELECT record_played_word('DEVICE-1', 'apple', 'en');
            SELECT grant_energy('os:test', 'DEVICE-1', 5, 'ticket 5', 'op-DEVICE-1', 3)
            """)
        var outcome = try await program.run(["users", "show", "DEVICE-1"])
        #expect(
            outcome.output.contains(
                #/^player        DEVICE-1\nsince         \S{20}\nenergy        60\nwins          1\nwords played  1\npurchases     1, of 30 energy in all\nledger        4 rows$/#
            ), "\(outcome.output)\(outcome.notes)")
        outcome = try await program.run(["users", "export", "DEVICE-1"])
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(
            Set(document.keys) == [
                "userID", "createdAt", "energy", "wins", "ledger", "operations", "playedWords", "adminActions",
                "purchases",
            ])
        let actions = try #require(document["adminActions"] as? [[String: Any]])
        #expect(actions.map { $0["reason"] as? String } == ["ticket 5"])
        let ledger = try #require(document["ledger"] as? [[String: Any]])
        #expect(ledger.map { $0["reason"] as? String } == ["registration", "game", "purchase", "support"])
        #expect(ledger.map { $0["reference"] as? String } == [nil, "apple", nil, "ticket 5"])
        #expect(((document["playedWords"] as? [[String: Any]])?.first)?["word"] as? String == "apple")

        outcome = try await program.run(["users", "delete", "DEVICE-1"])
        #expect(
            outcome.output.contains(
                #/^deleted: the account and 1 played word\nkept as deleted [0-9a-f]{32}: 4 ledger rows$/#),
            "\(outcome.output)\(outcome.notes)")
        let tables = try await program.psql(
            "SELECT string_agg(relname, ' ') FROM pg_class WHERE relkind = 'r' AND relnamespace = 'juliet'::regnamespace"
        )
        for table in tables.split(separator: " ") {
            let count = try await program.psql("SELECT count(*) FROM \(table) t WHERE t::text LIKE '%DEVICE-1%'")
            #expect(count == "0", "\(table)")
        }
        #expect(
            try await program.psql("SELECT delta, balance_after FROM energy_ledger WHERE reason = 'purchase'")
                == "30|55")
        outcome = try await program.run(["users", "delete", "DEVICE-1"])
        #expect(outcome.status == 1)
        #expect(outcome.notes == "error: there is no player \"DEVICE-1\"")
    }

    @Test("show and export of a player of /v2: all there is, but nothing of the word that is played, and no digest")
    func judgedPlayer() async throws {
        let (program, player) = try await Program.withJudgedPlayer()
        var outcome = try await program.run(["users", "show", player])
        #expect(
            outcome.output.replacing(#/\d{4}-\d\d-\d\dT[\d:.]+Z/#, with: "TIME") == """
                player             \(player)
                since              TIME
                energy             20
                wins               2
                words played       1
                purchases          0, of 0 energy in all
                ledger             5 rows
                name               Ada
                games              3, of which 1 running
                won                2 of 2
                with guesses       2, 0, 0, 0, 0, 0
                days won in a row  1, the longest 1
                wins in a row      2, the longest 2
                sessions           1, used last TIME
                leaderboards       5 places
                claimed            DEVICE-1
                """, "\(outcome.notes)")
        outcome = try await program.run(["users", "show", player, "--json"])
        #expect((try outcome.document()["player"] as? [String: Any])?["runningGames"] as? Int == 1)

        outcome = try await program.run(["users", "export", player])
        let document = try outcome.document()
        #expect(
            Set(document.keys) == [
                "userID", "createdAt", "energy", "wins", "ledger", "operations", "playedWords", "purchases", "name",
                "statistics", "refill", "claimed", "sessions", "passkeys", "identities", "games", "challenges",
                "leagues", "leaderboards", "adminActions",
            ])
        let records = try JSONSerialization.jsonObject(
            with: Data(try await program.psql("SELECT player_records('\(player)')").utf8))
        for (name, value) in try #require(records as? [String: Any]) {
            #expect((document[name] as? NSObject)?.isEqual(value) == true, "\(name)")
        }
        let secrets = try await program.psql(
            """
            SELECT word FROM judged_games WHERE ended_at IS NULL
            UNION ALL SELECT replace(salt::text, '-', '') FROM judged_games WHERE ended_at IS NULL
            UNION ALL SELECT encode(token_hash, 'hex') FROM sessions
            UNION ALL SELECT encode(recovery_hash, 'hex') FROM players
            """
        ).split(separator: "\n")
        #expect(secrets.count == 4 && secrets.first == "bread")
        let history = try await program.run(["energy", "history", player, "--json"])
        for secret in secrets {
            #expect(!outcome.output.contains(secret))
            #expect(!history.output.contains(secret))
        }
    }

    @Test("on a terminal a deletion shows the player and asks for the id", .timeLimit(.minutes(2)))
    func asks() async throws {
        let program = try await Program.withPlayers()
        let environment = ["DATABASE_URL": program.cluster.connectionString(database: program.database)]
        let terminal = try PseudoTerminal()
        for (typed, status) in [("ANNE\r", 1), ("\r", 1), ("ANNA\r", 0)] {
            let command = try terminal.start(
                [Program.executable.path, "users", "delete", "ANNA"], environment: environment)
            try await terminal.wait(for: "Type the id to do it:")
            terminal.type(typed)
            #expect(await command.end().status == status)
            #expect(try await program.psql("SELECT count(*) FROM users WHERE id = 'ANNA'") == "\(status)")
            _ = try terminal.start(["clear"], environment: ["TERM": "xterm"])
        }
        let sure = try terminal.start(
            [Program.executable.path, "users", "delete", "BEN", "--yes"], environment: environment)
        #expect(await sure.end().status == 0)
    }

    @Test("a player of the app who was claimed is found under the new id only, and deleted under it with all there is")
    func claimedPlayer() async throws {
        let (program, player) = try await Program.withJudgedPlayer()
        for command in [
            ["users", "show", "DEVICE-1"], ["users", "export", "DEVICE-1"], ["users", "delete", "DEVICE-1"],
            ["energy", "history", "DEVICE-1"], ["energy", "grant", "DEVICE-1", "5", "--reason", "x"],
        ] {
            let outcome = try await program.run(command)
            #expect(outcome.status == 1)
            #expect(outcome.output == "")
            #expect(outcome.notes == "error: \"DEVICE-1\" was claimed: the player is now \(player)")
        }
        let outcome = try await program.run(["users", "delete", player])
        #expect(
            outcome.output.contains(
                #/^deleted: the account and 1 played word\nkept as deleted [0-9a-f]{32}: 5 ledger rows$/#),
            "\(outcome.output)\(outcome.notes)")
        for trace in ["DEVICE-1", player, "Ada"] { #expect(try await program.rows(thatSay: trace) == 0) }
        #expect(
            try await program.run(["users", "show", "DEVICE-1"]).notes == "error: there is no player \"DEVICE-1\"")
        #expect(try await program.audit().status == 0)
    }
}
