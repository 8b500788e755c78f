import Foundation
import TestSupport
import Testing

@Suite("juliet energy audit, on energy that comes back", .everyLayout)
struct RefillAuditTests {
    private static let player = "6ed8320e-51c1-8a06-b8b0-2ca148cbfb98"
    private static let token = "sha256('token') || '\(player)'::bytea"

    /// A player who paid four games nine hours ago, and took ten of the energy that came back.
    private func program() async throws -> Program {
        let program = try await Program.migrated()
        try await program.psql(
            """
            SELECT create_player('\(Self.player)', 'Ada', NULL, \(Self.token), gen_random_uuid(), sha256('code'));
            SELECT change_energy('\(Self.player)', -5, 'game', NULL, NULL, NULL, held => held)
            FROM generate_series(1, 4), (SELECT jsonb_populate_record(NULL::rules, to_jsonb(r)) AS held FROM rules AS r) AS rules;
            UPDATE energy_ledger SET created_at = earlier(created_at, '9 hours');
            UPDATE users SET refill = ROW(0, earlier((refill).since, '9 hours'))::refill_clock;
            """)
        try await program.reseal()
        #expect(
            try await program.psql("SELECT energy, taken FROM take_refill(\(Self.token), NULL, NULL)") == "20|10")
        return program
    }

    @Test("refills that were due, and the reward of the day, are right")
    func right() async throws {
        let program = try await program()
        try await program.psql("SELECT change_energy('\(Self.player)', 5, 'daily', 'g', NULL, NULL)")
        #expect(try await program.audit().output == "1 player, 7 rows, nothing wrong")
    }

    private static let harms: [Harm] = [
        Harm(
            "more came back than was due",
            "SELECT change_energy('\(player)', 1, 'refill', NULL, NULL, NULL)",
            "\(player): entry 7 brings back more energy than was due", entry: 7),
        Harm(
            "a refill earlier than it was due",
            "UPDATE energy_ledger SET created_at = earlier(created_at, '2 hours') WHERE reason = 'refill'",
            "\(player): entry 6 brings back more energy than was due", entry: 6),
        Harm(
            "a refill beyond the rules' limit",
            "SELECT change_energy('\(player)', 11, 'refill', NULL, NULL, NULL)",
            "\(player): entry 7 brings back more energy than was due", entry: 7),
        Harm(
            "a reward of another size",
            "SELECT change_energy('\(player)', 6, 'daily', 'g', NULL, NULL)",
            "\(player): entry 7 is not a change that its reason allows", entry: 7),
        Harm(
            "a reward for no game",
            "SELECT change_energy('\(player)', 5, 'daily', NULL, NULL, NULL)",
            "\(player): entry 7 is not a change that its reason allows", entry: 7),
    ]

    @Test("what did not come back by the rules is named", arguments: harms)
    func harm(_ harm: Harm) async throws {
        let program = try await program()
        try await program.psql(harm.sql)
        try await program.reseal()
        let outcome = try await program.audit()
        #expect(outcome.status == 3)
        #expect(outcome.faults.contains(harm.line), "\(outcome.output)")
    }
}
