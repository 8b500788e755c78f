import Foundation
import Testing

@Suite("juliet users, run as a program")
struct UsersCommandTests {
    private func program() async throws -> Program {
        let program = try await Program.migrated()
        let folder = try TemporaryFolder()
        let list = try folder.write("x-guessable.txt", "apple\nbread\ncrane\n")
        _ = try await program.run(["words", "import", list])
        return program
    }

    @Test("an export is taken over, mended and remarked on by line; again changes nothing")
    func importing() async throws {
        let program = try await program()
        let folder = try TemporaryFolder()
        let export = try folder.write(
            "export.jsonl",
            """
            {"Item": {"userID": {"S": "A"}, "energy": {"N": "15.0"}, "playedWords": {"L": [{"S": "APPLE"}, {"S": "Bread"}]}, "userWins": {"N": "2"}, "hasMadePurchase": {"BOOL": true}}}
            {"userID": "B", "energy": -5, "playedWords": ["apple", "Apple", "zzzzz"]}
            broken
            {"userID": "C\\\\t", "energy": 7}
            {"userID": "A", "energy": 99}
            {"energy": 99}

            """)
        var outcome = try await program.run(["users", "import", export, "--report", "\(folder.path)/report.txt"])
        #expect(outcome.status == 0, "\(outcome.notes)")
        #expect(
            outcome.output == """
                items         6
                imported      3
                here already  1
                refused       2
                mended        1
                """)
        let remarks = """
            line 2: negative energy taken as 0, repeated word merged, 1 unknown word left out
            line 3: refused, is no JSON object
            line 6: refused, has no userID of 1 to 128 printable characters
            """
        #expect(outcome.notes == remarks + "\n6 items read, 3 players imported")
        #expect(try String(contentsOfFile: "\(folder.path)/report.txt", encoding: .utf8) == remarks + "\n")
        let players = "SELECT id, energy, wins, ledger_entry FROM users ORDER BY id"
        #expect(try await program.psql(players) == "A|15|2|1\nB|0|0|1\nC\\t|7|0|1")
        #expect(
            try await program.psql("SELECT user_id, word FROM played_words JOIN words ON id = word_id ORDER BY 1, 2")
                == "A|apple\nA|bread\nB|apple")
        #expect(
            try await program.psql(
                "SELECT user_id, delta, balance_after, reason, reference FROM energy_ledger ORDER BY user_id")
                == "A|15|15|import|had made purchases\nB|0|0|import|\nC\\t|7|7|import|")

        try await program.psql("SELECT pay_for_game('A', NULL, NULL)")
        outcome = try await program.run(["users", "import", export])
        #expect(
            outcome.output == """
                items         6
                imported      0
                here already  4
                refused       2
                mended        1
                """)
        #expect(try await program.psql(players) == "A|10|2|2\nB|0|0|1\nC\\t|7|0|1")
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
            SELECT record_played_word('DEVICE-1', 'apple', 'en')
            """)
        var outcome = try await program.run(["users", "show", "DEVICE-1"])
        #expect(
            outcome.output.contains(
                #/^player        DEVICE-1\nsince         \S{20}\nenergy        55\nwins          1\nwords played  1\npurchases     1, of 30 energy in all\nledger        3 rows$/#
            ), "\(outcome.output)\(outcome.notes)")
        outcome = try await program.run(["users", "export", "DEVICE-1"])
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(Set(document.keys) == ["userID", "createdAt", "energy", "wins", "ledger", "operations", "playedWords"])
        let ledger = try #require(document["ledger"] as? [[String: Any]])
        #expect(ledger.map { $0["reason"] as? String } == ["registration", "game", "purchase"])
        #expect(ledger.map { $0["reference"] as? String } == [nil, "apple", nil])
        #expect(((document["playedWords"] as? [[String: Any]])?.first)?["word"] as? String == "apple")

        outcome = try await program.run(["users", "delete", "DEVICE-1"])
        #expect(
            outcome.output.contains(
                #/^deleted: the account and 1 played word\nkept as deleted [0-9a-f]{32}: 3 ledger rows$/#),
            "\(outcome.output)\(outcome.notes)")
        let tables = try await program.psql(
            "SELECT string_agg(relname, ' ') FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
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
}
