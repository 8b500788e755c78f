import Foundation
import TestSupport
import Testing

@testable import JulietGame

@Suite("juliet audit", .everyLayout)
struct AuditCommandTests {
    @Test("says that nothing is wrong, and exits 0")
    func nothing() async throws {
        let program = try await Program.withPlayers()
        let outcome = try await program.run(["audit"])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.notes)")
        #expect(outcome.output.hasPrefix("2 players, 4 rows of the ledger, nothing wrong ("))
    }

    @Test(
        "counts what its parts read",
        arguments: [
            (["energy"], "2 players, 4 rows of the ledger, nothing wrong ("), (["games"], "2 players, nothing wrong ("),
            (["schema"], "nothing wrong ("),
        ])
    func counts(parts: [String], beginning: String) async throws {
        let outcome = try await Program.withPlayers().run(["audit", "--only"] + parts)
        #expect(outcome.status == 0 && outcome.output.hasPrefix(beginning), "\(outcome.output)\(outcome.notes)")
    }

    @Test("prints a line for each fault with the record and what to do, exits 3, and the same as JSON")
    func faults() async throws {
        let program = try await Program.withJudgedPlayer().program
        try await program.psql("SET session_replication_role = replica; UPDATE players SET current_streak = 9")
        let outcome = try await program.run(["audit"])
        #expect(outcome.status == 3)
        let line = try #require(outcome.faults.first)
        #expect(
            line.hasPrefix(
                "games: player 6ed8320e-51c1-8a06-b8b0-2ca148cbfb98: the statistics do not agree with the games (streak 9 instead of 2). To do: "
            ), "\(line)")
        #expect(outcome.faults.count == 1)
        #expect(outcome.output.contains(", 1 fault ("))
        let json = try await program.run(["audit", "--json"])
        #expect(json.status == 3)
        let document = try json.document()
        #expect(document["faults"] as? Int == 1)
        #expect(document["parts"] as? [String] == Audit.Part.allCases.map(\.rawValue))
        let finding = try #require((document["findings"] as? [[String: Any]])?.first)
        #expect(finding["kind"] as? String == "games.statistics")
        #expect(finding["userID"] as? String == "6ed8320e-51c1-8a06-b8b0-2ca148cbfb98")
        #expect((finding["remedy"] as? String)?.isEmpty == false)
    }

    @Test("--only looks at these parts alone")
    func only() async throws {
        let program = try await Program.withJudgedPlayer().program
        try await program.psql("SET session_replication_role = replica; UPDATE players SET current_streak = 9")
        #expect(try await program.run(["audit", "--only", "words", "boards"]).status == 0)
        #expect(try await program.run(["audit", "--only", "games"]).status == 3)
    }

    @Test("--since looks at players who did something since then")
    func since() async throws {
        let program = try await Program.withJudgedPlayer().program
        try await program.psql(
            """
            SET session_replication_role = replica;
            UPDATE players SET current_streak = 9;
            UPDATE users SET ledger_seal = 7
            """)
        let lines = try await program.run(["audit", "--only", "games", "energy", "--since", "2026-01-01"]).faults
        #expect(lines.count == 2, "\(lines)")
        let later = try await program.run(["audit", "--only", "games", "energy", "--since", "2999-01-01T08:30"])
        #expect(later.status == 0, "\(later.output)\(later.notes)")
        #expect(later.output.hasPrefix("0 players, 0 rows of the ledger, nothing wrong"))
    }

    @Test(
        "what it cannot take is wrong usage",
        arguments: [["--only", "nothing"], ["--since", "yesterday"], ["--since", "2026-13-01"]])
    func usage(arguments: [String]) async throws {
        #expect(try await Program.run(["audit"] + arguments).status == 64)
    }

    @Test("finds no fault in what a service and operators do with the archive, files and imports")
    func archive() async throws {
        let program = try await Program.withArchive()
        let folder = try TemporaryFolder()
        // As old players have come with their first entries.
        try await program.psql(
            """
            UPDATE users SET created_at = first.created_at
            FROM (SELECT user_id, created_at FROM energy_ledger WHERE entry = 1
                UNION ALL SELECT user_id, created_at FROM energy_ledger_archive WHERE entry = 1) AS first
            WHERE user_id = id
            """)
        for files in [[], ["--archive", "\(folder.path)/old"]] {
            let outcome = try await program.run(["audit"] + files)
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.notes)")
            if files.isEmpty {
                #expect(try await program.run(["energy", "archive", "--to", "\(folder.path)/old"]).status == 0)
                #expect(try await program.run(["audit"]).status == 0)
            }
        }
    }

    @Test("prints a thousand faults of a kind, and says that there are more")
    func many() async throws {
        let program = try await Program.withPlayers()
        try await program.psql(
            """
            SET session_replication_role = replica;
            INSERT INTO sessions (user_id, id, token_hash, opened_by)
            SELECT 'nobody', gen_random_uuid(), sha256(number::text::bytea), 'registration' FROM generate_series(1, 1500) AS number
            """)
        let outcome = try await program.run(["audit", "--only", "players"])
        #expect(outcome.status == 3)
        #expect(outcome.output.contains("more of players.session: only the first 1,000 are shown"))
        #expect(outcome.output.split(separator: "\n").count == 1002)
    }

    @Test("names what cannot be checked, when a column is gone, and goes on")
    func broken() async throws {
        let program = try await Program.withPlayers()
        for sql in ["ALTER TABLE judged_games DROP COLUMN marks", "DELETE FROM trail_seals"] {
            try await program.psql(sql)
        }
        let outcome = try await program.run(["audit"])
        #expect(outcome.status == 3, "\(outcome.notes)")
        let lines = outcome.faults
        #expect(lines.contains { $0.hasPrefix("schema: the column judged_games.marks is missing") })
        #expect(lines.contains { $0.hasPrefix("games: it cannot be checked: column \"marks\" does not exist") })
        #expect(lines.contains { $0.hasPrefix("trail: admin_actions: ") }, "\(lines)")
    }
}
