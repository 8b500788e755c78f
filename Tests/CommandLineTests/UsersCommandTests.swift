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
