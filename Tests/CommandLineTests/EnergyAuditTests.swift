import Foundation
import TestSupport
import Testing

@testable import JulietGame

/// Something that must not happen to a ledger, and what the audit says of it.
struct Harm: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What a superuser does.
    let sql: String
    /// The one line that is printed.
    let line: String
    /// The entry that the JSON names.
    let entry: Int?
    /// Whether no trigger sees it.
    let isUnseen: Bool

    init(_ what: String, _ sql: String, _ line: String, entry: Int? = nil, isUnseen: Bool = false) {
        testDescription = what
        self.sql = sql
        self.line = line
        self.entry = entry
        self.isUnseen = isUnseen
    }
}

@Suite("juliet energy audit", .defaultLayout("hundreds of databases; LayoutsTests compare the audits"))
struct EnergyAuditTests {
    private static let altered =
        "does not match the checksum: an entry was altered, or entries were cut off and the player's row was set back"

    private static let chainHarms: [Harm] = [
        Harm(
            "an entry in the middle is deleted",
            "DELETE FROM energy_ledger WHERE user_id = 'ANNA' AND entry = 2",
            "ANNA: entry 3 does not follow from the previous entry", entry: 3),
        Harm(
            "a balance in the ledger is altered",
            "UPDATE energy_ledger SET balance_after = 24 WHERE user_id = 'ANNA' AND entry = 2",
            "ANNA: entry 2 does not follow from the previous entry", entry: 2),
        Harm(
            "the first entry is deleted",
            "DELETE FROM energy_ledger WHERE user_id = 'ANNA' AND entry = 1",
            "ANNA: the ledger begins with entry 2 instead of 1", entry: 2),
        Harm(
            "the first change is altered",
            "UPDATE energy_ledger SET delta = 20 WHERE user_id = 'BEN' AND entry = 1",
            "BEN: the balance before entry 1 was 10 instead of 0", entry: 1),
        Harm(
            "a registration of the wrong size",
            "UPDATE energy_ledger SET delta = 20, balance_after = 20 WHERE user_id = 'BEN' AND entry = 1",
            "BEN: entry 1 is not a change that its reason allows", entry: 1),
        Harm(
            "a first entry that begins no ledger",
            "UPDATE energy_ledger SET reason = 'support' WHERE user_id = 'BEN' AND entry = 1",
            "BEN: entry 1 is not a change that its reason allows", entry: 1),
        Harm(
            "a second registration",
            "UPDATE energy_ledger SET reason = 'registration' WHERE user_id = 'ANNA' AND entry = 3",
            "ANNA: entry 3 is not a change that its reason allows", entry: 3),
        Harm(
            "an import over a player who has played",
            "UPDATE energy_ledger SET reason = 'import' WHERE user_id = 'ANNA' AND entry = 3",
            "ANNA: entry 3 is not a change that its reason allows", entry: 3),
        Harm(
            "a purchase of what is not on sale",
            "UPDATE energy_ledger SET delta = 7, balance_after = 32 WHERE user_id = 'ANNA' AND entry = 3",
            "ANNA: entry 3 is not a change that its reason allows", entry: 3),
        Harm(
            "a game at another price",
            """
            UPDATE energy_ledger SET delta = -4, balance_after = 26 WHERE user_id = 'ANNA' AND entry = 2;
            UPDATE energy_ledger SET delta = 29 WHERE user_id = 'ANNA' AND entry = 3
            """,
            "ANNA: entry 2 is not a change that its reason allows", entry: 2),
        Harm(
            "energy that came back and takes",
            "UPDATE energy_ledger SET reason = 'refill' WHERE user_id = 'ANNA' AND entry = 2",
            "ANNA: entry 2 is not a change that its reason allows", entry: 2),
        Harm(
            "an entry without a reason",
            "UPDATE energy_ledger SET reason = NULL WHERE user_id = 'ANNA' AND entry = 3",
            "ANNA: entry 3 is not a change that its reason allows", entry: 3),
        Harm(
            "an entry below zero, though all follows from it",
            """
            INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason)
            VALUES ('BEN', 'entry 2', 2, -40, -10, 'client_report');
            UPDATE users SET energy = -10, ledger_entry = 2 WHERE id = 'BEN'
            """,
            "BEN: entry 2 is not a change that its reason allows", entry: 2),
        Harm(
            "an entry moved back by a day",
            """
            UPDATE energy_ledger SET created_at = earlier(created_at, '1 day') WHERE user_id = 'ANNA' AND entry = 2
            """,
            "ANNA: entry 2 is older than the previous entry", entry: 2),
    ]

    private static let endsHarms: [Harm] = [
        Harm(
            "the last entry is deleted",
            "DELETE FROM energy_ledger WHERE user_id = 'ANNA' AND entry = 3",
            "ANNA: the ledger ends with entry 2 instead of 3"),
        Harm(
            "the last entry is cut off and the player wound back, all numbers fitting",
            """
            DELETE FROM energy_ledger WHERE user_id = 'ANNA' AND entry = 3;
            UPDATE users SET energy = 25, ledger_entry = 2 WHERE id = 'ANNA'
            """,
            "ANNA: the ledger \(altered)"),
        Harm(
            "an entry is added that no function wrote, all numbers fitting",
            """
            INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason)
            VALUES ('BEN', 'entry 2', 2, 30, 60, 'purchase');
            UPDATE users SET energy = 60, ledger_entry = 2 WHERE id = 'BEN'
            """,
            "BEN: the ledger \(altered)"),
        Harm(
            "a balance is altered by who has no triggers fire",
            "UPDATE users SET energy = 99 WHERE id = 'BEN'",
            "BEN: the balance is 99, but the ledger adds up to 30", isUnseen: true),
        Harm(
            "a balance below zero",
            "UPDATE users SET energy = -5 WHERE id = 'BEN'",
            "BEN: the balance is -5, but the ledger adds up to 30", isUnseen: true),
        Harm(
            "a ledger is deleted",
            "DELETE FROM energy_ledger WHERE user_id = 'BEN'", "BEN: a balance of 30, but no ledger"),
        Harm(
            "a player is deleted but for the ledger",
            "DELETE FROM users WHERE id = 'BEN'", "BEN: a ledger of 1 entry, but no player"),
        Harm(
            "a player is deleted whose own id looks like a pseudonym",
            "SELECT register_user('deleted-x', NULL, NULL); DELETE FROM users WHERE id = 'deleted-x'",
            "deleted-x: a ledger of 1 entry, but no player"),
        Harm(
            "a deleted player's ledger is gone",
            """
            INSERT INTO closed_ledgers (user_id, ledger_entry, ledger_balance, ledger_seal)
            VALUES (E'deleted\\t0', 3, 17, 1)
            """,
            "deleted\t0: a balance of 17, but no ledger"),
        Harm(
            "a balance and the number of the last entry are altered together",
            "UPDATE users SET energy = 99, ledger_entry = 2 WHERE id = 'BEN'",
            "BEN: the ledger ends with entry 1 instead of 2"),
        Harm(
            "two changes are altered that cancel each other out",
            """
            SELECT report_energy('BEN', 25, NULL, NULL), report_energy('BEN', 20, NULL, NULL);
            UPDATE energy_ledger SET delta = -4, balance_after = 26 WHERE user_id = 'BEN' AND entry = 2;
            UPDATE energy_ledger SET delta = -6 WHERE user_id = 'BEN' AND entry = 3
            """,
            "BEN: the ledger \(altered)"),
        Harm(
            "what an entry was for is altered",
            "UPDATE energy_ledger SET reference = 'drunk' WHERE user_id = 'ANNA' AND entry = 2",
            "ANNA: the ledger \(altered)"),
        Harm(
            "why there is an entry is altered to what is allowed as well",
            "UPDATE energy_ledger SET reason = 'support' WHERE user_id = 'ANNA' AND entry = 3",
            "ANNA: the ledger \(altered)"),
        Harm(
            "the first entry moved back by a day",
            """
            UPDATE energy_ledger SET created_at = earlier(created_at, '1 day') WHERE user_id = 'ANNA' AND entry = 1
            """,
            "ANNA: the ledger \(altered)"),
    ]

    private static let namesHarms: [Harm] =
        [
            Harm(
                "a name that changed a balance",
                """
                UPDATE energy_ledger SET delta = 30, balance_after = 60 WHERE user_id = 'BEN' AND operation_id = 'win'
                """,
                "BEN: operation win spent or bought energy and has no entry"),
            Harm(
                "names of nobody",
                """
                INSERT INTO energy_ledger (user_id, operation_id, delta, balance_after, operation_request)
                VALUES ('NOBODY', 'win', 0, 0, 2), ('NOBODY', 'win2', 0, 0, 2)
                """,
                "NOBODY: 2 names of operations, but no player"),
            Harm(
                "a checkpoint of nobody",
                """
                INSERT INTO energy_checkpoints (user_id, begins, entry, balance, seal)
                VALUES ('NOBODY', 'ledger', 0, 0, 0)
                """,
                "NOBODY: a checkpoint, but neither player nor ledger"),
            Harm(
                "a checkpoint of an archive of nobody",
                """
                INSERT INTO energy_checkpoints (user_id, begins, entry, balance, seal)
                VALUES ('NOBODY', 'archive', 0, 0, 0)
                """,
                "NOBODY: a checkpoint, but neither player nor ledger"),
            Harm(
                "a name that is an entry's",
                "UPDATE energy_ledger SET operation_id = 'entry 17' WHERE user_id = 'BEN' AND operation_id = 'win'",
                "BEN: \"entry 17\" is not a name for an operation"),
            Harm(
                "an entry called by another's number",
                "UPDATE energy_ledger SET operation_id = 'entry 17' WHERE user_id = 'BEN' AND entry = 1",
                "BEN: \"entry 17\" is not a name for an operation"),
            Harm(
                "a name with a blank",
                "UPDATE energy_ledger SET operation_id = 'b uy' WHERE user_id = 'ANNA' AND operation_id = 'buy'",
                "ANNA: \"b uy\" is not a name for an operation"),
        ]
        + [
            "pay_for_game", "start_game", "buy_energy", "move_energy", "start_judged_game", "take_refill",
            "create_challenge", "credit_prize",
        ].map { kind in
            Harm(
                "\(kind) was done and has no entry",
                """
                UPDATE energy_ledger SET operation_kind = '\(kind)', answer = '{"ledger": "NOBODY"}'
                WHERE user_id = 'BEN' AND operation_id = 'win'
                """,
                "BEN: operation win spent or bought energy and has no entry")
        }
        + [
            ("an entry of another kind", "operation_kind = 'take_refill' WHERE operation_id = 'buy'"),
            ("an entry without a kind", "operation_kind = NULL WHERE operation_id = 'buy'"),
            ("an entry of no request", "operation_kind = NULL, operation_request = NULL WHERE operation_id = 'buy'"),
            ("an entry that was refused", "refusal = 'energy-full' WHERE operation_id = 'buy'"),
            ("an entry with another answer", "answer = '{}' WHERE operation_id = 'buy'"),
        ].map { what, damage in
            Harm(
                what, "UPDATE energy_ledger SET \(damage)",
                "ANNA: operation buy is of another kind than its entry or its answer")
        }
        + [
            ("a win of another kind", "operation_kind = 'guess' WHERE user_id = 'BEN' AND operation_id = 'win'"),
            ("a win without its count", "answer = NULL WHERE user_id = 'BEN' AND operation_id = 'win'"),
            ("a win of many", #"answer = '{"wins": "many"}' WHERE user_id = 'BEN' AND operation_id = 'win'"#),
            ("an answer that is a word", #"answer = '"wins"' WHERE user_id = 'BEN' AND operation_id = 'win'"#),
        ].map { what, damage in
            Harm(
                what, "UPDATE energy_ledger SET \(damage)",
                "BEN: operation win is of another kind than its entry or its answer")
        }

    private static let archiveHarms: [Harm] = [
        Harm(
            "an operation done twice, long ago and lately",
            """
            UPDATE energy_ledger_archive SET operation_id = 'buy', operation_request = 1, operation_kind = 'pay_for_game'
            WHERE user_id = 'ANNA' AND entry = 2
            """,
            "ANNA: operation buy was done twice: it is in the archive as well"),
        Harm(
            "an archived operation of another kind",
            """
            UPDATE energy_ledger_archive SET operation_id = 'pay', operation_request = 1, operation_kind = 'buy_energy'
            WHERE user_id = 'ANNA' AND entry = 2
            """,
            "ANNA: operation pay is of another kind than its entry or its answer"),
        Harm(
            "what an entry in the archive was for is altered",
            "UPDATE energy_ledger_archive SET reference = 'drunk' WHERE entry = 2", "ANNA: the archive \(altered)"),
        Harm(
            "a change in the archive is altered",
            "UPDATE energy_ledger_archive SET delta = -10 WHERE entry = 2",
            "ANNA: entry 2 is not a change that its reason allows", entry: 2),
        Harm(
            "a balance in the archive is altered",
            "UPDATE energy_ledger_archive SET balance_after = 26 WHERE entry = 2",
            "ANNA: entry 2 does not follow from the previous entry", entry: 2),
        Harm(
            "an entry in the archive moved back by a day",
            "UPDATE energy_ledger_archive SET created_at = earlier(created_at, '1 day') WHERE entry = 2",
            "ANNA: entry 2 is older than the previous entry", entry: 2),
        Harm(
            "the archive's first row is missing",
            "DELETE FROM energy_ledger_archive WHERE entry = 1",
            "ANNA: the archive begins with entry 2 instead of 1", entry: 2),
        Harm(
            "the archive's last row is missing",
            "DELETE FROM energy_ledger_archive WHERE entry = 2", "ANNA: the archive ends with entry 1 instead of 2"),
        Harm(
            "all of the archive is missing",
            "TRUNCATE energy_ledger_archive", "ANNA: the archive ends with entry 0 instead of 2"),
        Harm(
            "a checkpoint with another balance",
            "UPDATE energy_checkpoints SET balance = 54", "ANNA: the balance before entry 3 was 54 instead of 25",
            entry: 3),
        Harm(
            "a checkpoint with another seal",
            "UPDATE energy_checkpoints SET seal = seal + 1", "ANNA: the archive \(altered)"),
        Harm(
            "a checkpoint at another entry",
            "UPDATE energy_checkpoints SET entry = 1", "ANNA: the archive ends with entry 2 instead of 1"),
        Harm(
            "a checkpoint that is gone",
            "DELETE FROM energy_checkpoints", "ANNA: the archive ends with entry 2 instead of 0"),
        Harm(
            "a checkpoint that hides the archive",
            """
            TRUNCATE energy_ledger_archive;
            INSERT INTO energy_checkpoints (user_id, begins, entry, balance, seal)
            SELECT user_id, 'archive', entry, balance, seal + 1 FROM energy_checkpoints
            """,
            "ANNA: the archive does not match the checksum: an entry was altered, or entries were cut off and the player's row was set back"
        ),
        Harm(
            "the ledger after the archive is cut off and the player wound back",
            """
            DELETE FROM energy_ledger WHERE user_id = 'ANNA' AND entry = 3;
            UPDATE users SET energy = 25, ledger_entry = 2 WHERE id = 'ANNA'
            """,
            "ANNA: a balance of 25, but no ledger"),
    ]

    private static let purchaseHarms: [Harm] = [
        Harm(
            "a transaction that nobody credited",
            """
            INSERT INTO purchases (
                environment, transaction_id, user_id, product, quantity, energy, credit_entry, last_entry)
            VALUES ('Production', 'F1', 'BEN', 'thirty', 1, 30, 1, 1)
            """,
            "BEN: the transaction Production/F1 counts, but was not credited exactly once"),
        Harm(
            "a transaction that counts without an entry",
            "UPDATE purchases SET is_refunded = false WHERE transaction_id = 'T4'",
            "BEN: the transaction Production/T4 counts, but was not credited exactly once"),
        Harm(
            "a transaction that changed hands",
            "UPDATE purchases SET user_id = 'BEN' WHERE transaction_id = 'T1'",
            "ANNA: the ledger names the transaction Production/T1, which is not the player's"),
        Harm(
            "a transaction that is gone",
            "DELETE FROM purchases WHERE transaction_id = 'T1'",
            "ANNA: the ledger names the transaction Production/T1, which is not the player's"),
        Harm(
            "a refund without its debit",
            "UPDATE purchases SET is_refunded = true WHERE transaction_id = 'T1'",
            "ANNA: the transaction Production/T1 and the ledger differ on its state"),
        Harm(
            "a debit without its refund",
            "UPDATE purchases SET is_refunded = false WHERE transaction_id = 'T3'",
            "BEN: the transaction Production/T3 and the ledger differ on its state"),
        Harm(
            "a transaction worth another amount",
            "UPDATE purchases SET energy = 25 WHERE transaction_id = 'T1'",
            "ANNA: the transaction Production/T1 and the ledger differ on its state"),
        Harm(
            "a refund that was applied and is not noted",
            "UPDATE store_notifications SET type = 'REFUND' WHERE id = 'n6'",
            "ANNA: a later notification of the store about the transaction Production/T1 was not applied"),
        Harm(
            "a transaction of nobody",
            """
            INSERT INTO purchases (environment, transaction_id, user_id, is_refunded)
            VALUES ('Production', 'F2', 'EVE', true)
            """,
            "EVE: the transaction Production/F2 belongs to no player"),
    ]

    @Test("names transactions and refunds that the ledger does not bear out", arguments: purchaseHarms)
    func purchases(_ harm: Harm) async throws {
        let program = try await Program.withPurchases()
        let before = try await program.audit()
        #expect(before.output == "2 players, 10 rows, nothing wrong", "\(before.notes)")
        try await program.psql(harm.sql)
        let faults = try await program.audit().faults
        #expect(faults.contains(harm.line), "\(faults)")
    }

    @Test("a refund of a transaction that nobody presented, applied and not noted, is named")
    func unheeded() async throws {
        let program = try await Program.withPurchases()
        try await program.psql("DELETE FROM purchases WHERE transaction_id = 'T5'")
        #expect(
            try await program.audit().faults
                == ["a later notification of the store about the transaction Production/T5 was not applied"])
        #expect(try await program.run(["purchases", "replay"]).status == 0)
        #expect(try await program.audit().status == 0)
    }

    @Test("a refund that is kept and was not applied for ten minutes is named")
    func unapplied() async throws {
        let program = try await Program.withPurchases()
        try await program.psql(
            "SELECT store_notification('n7', 'signed', 'REFUND', NULL, 'Production', 'T1', NULL, '2026-03-01')")
        #expect(try await program.audit().status == 0, "it may come at this moment")
        try await program.psql(
            "UPDATE store_notifications SET received_at = now() - interval '11 minutes' WHERE id = 'n7'")
        let faults = try await program.audit().faults
        #expect(faults.count == 1 && faults[0].contains("T1"), "\(faults)")
        #expect(try await program.run(["purchases", "replay"]).status == 0)
        #expect(try await program.audit().status == 0)
    }

    @Test("purchases and refunds whose entries went to the archive, and to files, are right; so are closed ledgers")
    func archivedPurchases() async throws {
        let program = try await Program.withPurchases()
        func refund(_ id: String, _ number: String) async throws {
            try await program.psql(
                """
                SELECT store_notification('\(id)', 'signed', 'REFUND', NULL, 'Production', '\(number)', NULL, '2026-03-01'),
                    apply_notification('\(id)')
                """)
        }
        try await program.age(days: 500)
        #expect(try await program.run(["energy", "archive"]).status == 0)
        #expect(try await program.audit().status == 0)
        try await refund("n8", "T2")
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/ledger"
        #expect(try await program.run(["energy", "archive", "--to", file]).status == 0)
        for files in [[], [file]] {
            let outcome = try await program.audit(archive: files)
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.notes)")
        }
        #expect(try await program.run(["users", "delete", "ANNA"]).status == 0)
        try await refund("n9", "T1")
        for files in [[], [file]] {
            let outcome = try await program.audit(archive: files)
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.notes)")
        }
    }

    @Test("names what does not follow in a ledger", arguments: chainHarms)
    func chain(_ harm: Harm) async throws { try await check(harm, in: try await .withPlayers()) }

    @Test("names where ledger and player do not meet", arguments: endsHarms)
    func ends(_ harm: Harm) async throws { try await check(harm, in: try await .withPlayers()) }

    @Test("names operations without an entry, and names that no operation can have", arguments: namesHarms)
    func names(_ harm: Harm) async throws { try await check(harm, in: try await .withPlayers()) }

    @Test("names what is wrong with the archive", arguments: archiveHarms)
    func archive(_ harm: Harm) async throws { try await check(harm, in: try await .withArchive()) }

    /// Rules that hold since an hour ago.
    private static func since(_ rules: String) -> String {
        """
        SELECT apply_rules('test', '{\(rules)}');
        UPDATE rules SET since = now() - interval '1 hour' WHERE since = (SELECT max(since) FROM rules);
        """
    }

    private static let ruleHarms: [Harm] = [
        Harm(
            "another price than the one that held", since(#""energy.price": 7"#),
            "ANNA: entry 2 is not a change that its reason allows", entry: 2),
        Harm(
            "another beginning than the rules gave",
            "\(since(#""energy.start": 31"#)) DELETE FROM energy_ledger WHERE user_id = 'ANNA';"
                + "DELETE FROM users WHERE id = 'ANNA'", "BEN: entry 1 is not a change that its reason allows", entry: 1
        ),
        Harm(
            "a purchase without a signature where there is none", since(#""purchases.verification": "required""#),
            "ANNA: entry 3 is not a change that its reason allows", entry: 3),
        Harm(
            "a report where the rules take none",
            "SELECT report_energy('BEN', 7, NULL, NULL); \(since(#""energy.clientUpdates": "refuse""#))",
            "BEN: entry 2 is not a change that its reason allows", entry: 2),
        Harm(
            "a report that raises where the rules let it lower only",
            "SELECT report_energy('BEN', 31, NULL, NULL); \(since(#""energy.clientUpdates": "lowerOnly""#))",
            "BEN: entry 2 is not a change that its reason allows", entry: 2),
        Harm(
            "a report beyond the rules' maximum",
            "SELECT report_energy('BEN', 31, NULL, NULL); \(since(#""energy.maximum": 30"#))",
            "BEN: entry 2 is not a change that its reason allows", entry: 2),
    ]

    @Test("judges an entry by the rules of its time", arguments: ruleHarms)
    func rules(_ harm: Harm) async throws { try await check(harm, in: try await .withPlayers()) }

    @Test("entries of times with other rules are right, and so are those of the ten minutes in which rules changed")
    func rulesOfTheTime() async throws {
        let program = try await Program.withPlayers()
        try await program.psql(
            """
            SELECT report_energy('BEN', 1000, NULL, NULL);
            SELECT apply_rules('test', '{"energy.price": 7, "energy.start": 1, "energy.clientUpdates": "refuse",
                "purchases.verification": "required"}');
            SELECT register_user('CARL', NULL, NULL), pay_for_game('ANNA', NULL, NULL);
            """)
        #expect(try await program.audit().output == "3 players, 7 rows, nothing wrong")
        // All of it an hour ago, and the change of rules in the middle.
        try await program.psql("UPDATE energy_ledger SET created_at = earlier(created_at, '1 hour')")
        try await program.reseal()
        try await program.psql("UPDATE rules SET since = earlier(since, '55 minutes') WHERE since > '-infinity'")
        #expect(try await program.audit().output == "3 players, 7 rows, nothing wrong")
    }

    @Test("an entry of which only the day is known may follow any rule of that day")
    func rulesOfTheDay() async throws {
        let program = try await Program.withPlayers()
        try await program.psql("SELECT apply_rules('test', '{\"energy.price\": 7}')")
        try await program.psql("SELECT pay_for_game('ANNA', NULL, NULL)")
        #expect(try await program.run(["users", "delete", "ANNA"]).status == 0)
        #expect(try await program.audit().output == "2 players, 5 rows, nothing wrong")
        try await program.psql("UPDATE rules SET since = earlier(since, '-2 days') WHERE since > '-infinity'")
        #expect(
            try await program.audit().faults.map { $0.suffix(46) } == ["entry 4 is not a change that its reason allows"]
        )
    }

    @Test(
        "what was altered before the player was deleted is still reported",
        arguments: ["energy_ledger", "energy_ledger_archive"])
    func alteredBeforeDeletion(table: String) async throws {
        let program = try await Program.withArchive()
        try await program.psql(
            "UPDATE \(table) SET created_at = earlier(created_at, '1 minute') WHERE user_id = 'ANNA'")
        #expect(try await program.run(["users", "delete", "ANNA"]).status == 0)
        let part = table == "energy_ledger" ? "ledger" : "archive"
        let faults = try await program.audit().faults
        #expect(faults.count == 1 && faults[0].hasSuffix(": the \(part) \(Self.altered)"), "\(faults)")
    }

    @Test("names a day on which more was bought without a signature than the rules allowed")
    func dayExceeded() async throws {
        let program = try await Program.withPlayers()
        try await program.psql("SELECT buy_energy('BEN', 30, NULL, NULL), buy_energy('ANNA', 5, NULL, NULL)")
        try await program.age(days: 2)
        let day = try await program.psql("SELECT max((created_at AT TIME ZONE 'UTC')::date) FROM energy_ledger")
        try await program.psql(
            """
            SELECT apply_rules('test', '{"purchases.unverifiedDailyLimit": 30}');
            UPDATE rules SET since = now() - interval '10 days' WHERE since > '-infinity'
            """)
        // The two purchases of ANNA may be of two days, for one moment at midnight.
        #expect(
            try await program.audit().faults
                == ["ANNA: more was bought without a signature on \(day) than the rules allowed"])
        try await program.psql("UPDATE rules SET unverified_daily_limit = 35 WHERE since > '-infinity'")
        #expect(try await program.audit().faults == [])
        // A day counts by the largest limit that held in it.
        try await program.psql(
            "UPDATE rules SET unverified_daily_limit = 5 WHERE since > '-infinity';"
                + "UPDATE rules SET since = now() - interval '2 days' WHERE since > '-infinity'")
        #expect(try await program.audit().faults == [])
    }

    /// One line and no other, status 3, and the same as JSON.
    private func check(_ harm: Harm, in program: Program) async throws {
        if harm.isUnseen { try await program.harm(harm.sql) } else { try await program.psql(harm.sql) }
        let outcome = try await program.audit()
        #expect(outcome.status == 3, "\(outcome.notes)")
        #expect(outcome.faults == [harm.line])
        #expect(outcome.output.hasSuffix(", 1 fault"))
        let json = try await program.run(["energy", "audit", "--json"])
        #expect(json.status == 3)
        let faults = try #require(try json.document()["faults"] as? [[String: Any]])
        #expect(faults.map { "\($0["userID"] ?? ""): \($0["fault"] ?? "")" } == [harm.line])
        #expect(faults.first?["entry"] as? Int == harm.entry)
    }

    @Test(
        "altering a balance by hand, without an entry, is refused",
        arguments: [
            "UPDATE users SET energy = 99 WHERE id = 'BEN'",
            "UPDATE users SET energy = energy + 30",
            "INSERT INTO users (id, energy, ledger_entry, ledger_seal) VALUES ('CARL', 30, 1, 0)",
            """
            INSERT INTO users (id, energy, ledger_entry, ledger_seal) VALUES ('BEN', 30, 1, 0)
            ON CONFLICT (id) DO UPDATE SET energy = 99
            """,
        ])
    func balanceAlone(_ sql: String) async throws {
        let program = try await Program.withPlayers()
        let before = try await program.ledgerRows()
        let error = await #expect(throws: Command.Failure.self) { try await program.psql(sql) }
        #expect(error?.output.contains("energy may change only together with an entry of the ledger") == true)
        #expect(try await program.ledgerRows() == before)
    }

    @Test("a balance that is altered without the guard is two faults: the guard and the balance")
    func unguarded() async throws {
        let program = try await Program.withPlayers()
        try await program.psql(
            """
            ALTER TABLE users DISABLE TRIGGER users_energy_guard; UPDATE users SET energy = 99 WHERE id = 'BEN'
            """)
        let outcome = try await program.audit()
        #expect(
            outcome.faults
                == [
                    "the trigger users_energy_guard is missing", "BEN: the balance is 99, but the ledger adds up to 30",
                ])
        #expect(outcome.output.hasSuffix(", 2 faults"))
    }

    @Test("entries ahead of the clock, which may have been set back, are no fault, nor are several of one moment")
    func aheadOfTheClock() async throws {
        let program = try await Program.withPlayers()
        try await program.psql(
            "UPDATE energy_ledger SET created_at = '2100-01-01' WHERE entry > 1; UPDATE users SET ledger_at = '2100-01-01'"
        )
        try await program.reseal()
        #expect(try await program.audit().status == 0)
    }

    @Test("every player with a fault is named, once")
    func several() async throws {
        let program = try await Program.withPlayers()
        try await program.psql("UPDATE energy_ledger SET delta = 7, balance_after = 7")
        let outcome = try await program.audit()
        #expect(
            outcome.faults.sorted() == [
                "ANNA: entry 1 is not a change that its reason allows",
                "BEN: entry 1 is not a change that its reason allows",
            ])
        #expect(outcome.output.hasSuffix("2 players, 4 rows, 2 faults"))
    }

    @Test("after all that operators and players do there is nothing wrong")
    func plenty() async throws {
        let program = try await Program.withPlayers()
        let folder = try TemporaryFolder()
        let words = try folder.write("x-guessable.txt", "apple\nbread\ncrane\n")
        _ = try await program.run(["words", "import", words])
        _ = try await program.run(["words", "import", "--kind", "secret", words])
        try await program.psql("SELECT register_user('CARL', 'reg', 1), register_user('DORA', NULL, NULL)")
        try await play(program, "CARL")
        try await play(program, "DORA")
        try await program.age(days: 500)
        _ = try await program.run(["energy", "grant", "BEN", "100", "--reason", "a gift"])
        try await play(program, "CARL")
        try await play(program, "DORA")
        let first = "\(folder.path)/first"
        #expect(try await program.run(["energy", "archive", "--to", first]).status == 0)
        #expect(try await program.run(["users", "delete", "DORA"]).status == 0)
        try await program.age(days: 500)
        try await play(program, "CARL")
        let second = "\(folder.path)/second"
        #expect(try await program.run(["energy", "archive", "--to", second]).status == 0)
        try await program.age(days: 500)
        try await play(program, "CARL")
        #expect(try await program.run(["energy", "archive"]).status == 0)
        #expect(try await program.run(["energy", "prune"]).status == 0)
        try await play(program, "BEN")
        let export = try folder.write("export.jsonl", #"{"userID": "EVE", "energy": 15, "playedWords": ["apple"]}"#)
        #expect(try await program.run(["users", "import", export]).status == 0)
        try await play(program, "EVE")
        #expect(try await program.run(["users", "delete", "EVE"]).status == 0)
        for files in [[], [first, second]] {
            let outcome = try await program.audit(archive: files)
            #expect(outcome.output.hasSuffix(", nothing wrong"), "\(outcome.output)\(outcome.notes)")
            #expect(outcome.status == 0)
        }
    }

    /// What a player does: some of it done, some refused, some with names and some of it twice.
    private func play(_ program: Program, _ player: String) async throws {
        let name = UUID().uuidString
        try await program.psql(
            """
            SELECT pay_for_game('\(player)', 'pay-\(name)', 1), pay_for_game('\(player)', 'pay-\(name)', 1);
            SELECT start_game('\(player)', 'en', 5, 'start-\(name)', 2), start_game('\(player)', 'en', 5, NULL, NULL);
            SELECT start_game('\(player)', 'xx', 5, 'none-\(name)', 2);
            SELECT buy_energy('\(player)', 30, 'buy-\(name)', 3), buy_energy('\(player)', 7, 'odd-\(name)', 3);
            SELECT pay_for_game('\(player)', 'buy-\(name)', 1);
            SELECT add_win('\(player)', 'win-\(name)', 4), record_played_word('\(player)', 'apple', 'en');
            SELECT apply_rules('test', '{"energy.clientUpdates": "lowerOnly"}');
            SELECT report_energy('\(player)', 3, 'report-\(name)', 5);
            SELECT apply_rules('test', '{"energy.clientUpdates": "accept", "energy.maximum": 100}');
            SELECT report_energy('\(player)', 1000, NULL, NULL);
            SELECT apply_rules('test', '{"energy.clientUpdates": "refuse"}');
            SELECT report_energy('\(player)', 3, 'no-\(name)', 5);
            SELECT apply_rules('test', '{"energy.clientUpdates": "accept"}');
            SELECT report_energy('\(player)', 3, NULL, NULL), pay_for_game('\(player)', 'poor-\(name)', 1);
            SELECT buy_energy('\(player)', 5, NULL, NULL), register_user('\(player)', 'again-\(name)', 6);
            """)
    }
}
