import Foundation
import TestSupport
import Testing

@Suite("juliet energy")
struct EnergyCommandTests {
    /// A database with players whose ledgers are right.
    private func program() async throws -> Program {
        let program = try await Program.migrated()
        try await program.psql(
            """
            INSERT INTO users (id, energy, energy_reason) VALUES ('ANNA', 30, 'registration'), ('BEN', 30, 'registration');
            UPDATE users SET energy = energy - 5, energy_reason = 'game', energy_reference = 'music' WHERE id = 'ANNA';
            UPDATE users SET energy = energy + 30, energy_reason = 'purchase', operation_id = 'buy', operation_request = 1
            WHERE id = 'ANNA';
            UPDATE users SET wins = wins + 1, operation_id = 'win', operation_request = 2, operation_done = true;
            """)
        return program
    }

    /// The last line without the time it took.
    private func verdict(_ output: String) -> String {
        String(output.split(separator: "\n").last ?? "").replacing(#/ \([\d.]+ s\)$/#, with: "")
    }

    @Test("audit: nothing wrong")
    func clean() async throws {
        let program = try await program()
        let outcome = try await program.run(["energy", "audit"])
        #expect(outcome.status == 0, "\(outcome.notes)")
        #expect(verdict(outcome.output) == "2 players, 4 rows, nothing wrong")
    }

    @Test(
        "audit: the first fault of a player by name, and status 3",
        arguments: [
            (
                "DELETE FROM energy_ledger WHERE user_id = 'ANNA' AND entry = 2",
                "ANNA: entry 3 does not follow: entry 1 left 30, 30 makes 55"
            ),
            (
                "UPDATE energy_ledger SET balance_after = 24 WHERE user_id = 'ANNA' AND entry = 2",
                "ANNA: entry 2 does not follow: entry 1 left 30, -5 makes 24"
            ),
            (
                "DELETE FROM energy_ledger WHERE user_id = 'ANNA' AND entry = 1",
                "ANNA: the ledger begins with entry 2 instead of 1"
            ),
            (
                "UPDATE energy_ledger SET delta = 20 WHERE user_id = 'BEN'",
                "BEN: before entry 1 there were 10 instead of 0"
            ),
            (
                "UPDATE energy_ledger SET delta = 7, balance_after = 32 WHERE user_id = 'ANNA' AND entry = 3",
                "ANNA: entry 3 is no change that its reason allows"
            ),
            (
                "DELETE FROM energy_ledger WHERE user_id = 'ANNA' AND entry = 3",
                "ANNA: the ledger ends with entry 2, the player with 3"
            ),
            (
                """
                ALTER TABLE users DISABLE TRIGGER users_energy_change; UPDATE users SET energy = 99 WHERE id = 'BEN';
                ALTER TABLE users ENABLE TRIGGER users_energy_change
                """,
                "BEN: the balance is 99, the ledger makes 30"
            ),
            ("DELETE FROM energy_ledger WHERE user_id = 'BEN'", "BEN: a balance of 30 and no ledger"),
            ("DELETE FROM users WHERE id = 'BEN'", "BEN: a ledger of 1 and no player"),
            (
                "UPDATE energy_ledger SET reason = NULL WHERE user_id = 'ANNA' AND entry = 3",
                "ANNA: entry 3 is no change that its reason allows"
            ),
            (
                """
                INSERT INTO energy_ledger (user_id, delta, balance_after, operation_id, operation_request)
                VALUES ('BEN', 30, 60, 'bought', 1)
                """,
                "BEN: operation bought was paid or bought and has no entry"
            ),
            (
                """
                UPDATE users SET operation_id = 'paid', operation_done = true,
                    operation_request = 7739284370211950619 WHERE id = 'BEN'
                """,
                "BEN: operation paid was paid or bought and has no entry"
            ),
        ])
    func faults(harm: String, line: String) async throws {
        let program = try await program()
        try await program.psql(harm)
        let outcome = try await program.run(["energy", "audit"])
        #expect(outcome.status == 3, "\(outcome.notes)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.dropLast().joined(separator: "\n") == line)
        #expect(verdict(outcome.output).hasSuffix(", 1 fault"))
        let json = try await program.run(["energy", "audit", "--json"])
        #expect(json.status == 3)
        let document = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let fault = try #require((document["faults"] as? [[String: Any]])?.first)
        #expect("\(fault["userID"] ?? ""): \(fault["fault"] ?? "")" == line)
    }

    @Test("audit: what keeps ledger and balances together is there")
    func guards() async throws {
        let program = try await program()
        try await program.psql(
            """
            ALTER TABLE users DISABLE TRIGGER users_energy_change;
            ALTER TABLE energy_ledger DROP CONSTRAINT energy_ledger_pkey
            """)
        let outcome = try await program.run(["energy", "audit"])
        #expect(outcome.status == 3)
        #expect(
            outcome.output.hasPrefix(
                """
                the key energy_ledger_pkey is missing or disabled: nothing keeps ledger and balances together
                the trigger users_energy_change is missing or disabled: nothing keeps ledger and balances together

                """))
    }

    @Test("history: a table and JSON")
    func history() async throws {
        let program = try await program()
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

    @Test("grant: once, however often it is given")
    func grant() async throws {
        let program = try await program()
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
        #expect(outcome.notes == "error: the player has another operation called t17; nothing was changed")
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

    @Test("archive: old entries go, the last one stays, and the audit and history still hold")
    func archive() async throws {
        let program = try await program()
        try await program.psql("UPDATE energy_ledger SET created_at = now() - interval '500 days'")
        #expect(try await program.run(["energy", "archive", "--days", "600"]).output == "0 rows moved to the archive")
        #expect(try await program.run(["energy", "archive"]).output == "2 rows moved to the archive")
        #expect(
            try await program.psql("SELECT user_id, entry FROM energy_ledger WHERE entry > 0 ORDER BY 1, 2")
                == "ANNA|3\nBEN|1")
        #expect(verdict(try await program.run(["energy", "audit"]).output) == "2 players, 2 rows, nothing wrong")
        #expect(try await program.run(["energy", "history", "ANNA"]).output.split(separator: "\n").count == 4)

        // The player goes on, more is moved, and the archive is emptied.
        try await program.psql(
            "UPDATE users SET energy = energy - 5, energy_reason = 'game', energy_reference = 'drunk' WHERE id = 'ANNA'"
        )
        #expect(try await program.run(["energy", "archive"]).output == "1 row moved to the archive")
        try await program.psql("TRUNCATE energy_ledger_archive")
        #expect(verdict(try await program.run(["energy", "audit"]).output) == "2 players, 2 rows, nothing wrong")
        try await program.psql("UPDATE energy_checkpoints SET balance = 54")
        #expect(
            try await program.run(["energy", "audit"]).output.hasPrefix(
                "ANNA: before entry 4 there were 55 instead of 54\n"))
        #expect(try await program.run(["energy", "archive", "--days", "30"]).status == 64)
    }

    @Test("prune: operations that changed no balance are forgotten after 400 days")
    func prune() async throws {
        let program = try await program()
        for (player, days) in [("ANNA", 399), ("BEN", 401)] {
            try await program.psql(
                "UPDATE energy_ledger SET created_at = now() - interval '\(days) days' WHERE user_id = '\(player)'")
        }
        #expect(try await program.run(["energy", "prune"]).output == "1 operation forgotten")
        #expect(try await program.psql("SELECT user_id FROM energy_ledger WHERE entry IS NULL") == "ANNA")
        #expect(verdict(try await program.run(["energy", "audit"]).output).hasSuffix("nothing wrong"))
        #expect(try await program.run(["energy", "prune", "--days", "399"]).status == 64)
    }
}
