import Foundation
import TestSupport
import Testing

@testable import JulietGame

/// Damage is done to one database, never to what the server's databases share: others are audited at the same time.
@Suite("juliet audit, damage by damage", .defaultLayout("hundreds of databases; LayoutsTests compare the audits"))
struct DamageTests {
    private static let all =
        Damage.toPlayers + Damage.toGames + Damage.toChallenges + Damage.toBoards + Damage.toLeagues + Damage.toWords
        + Damage.toPurchases
        + Damage.toLottery
        + Damage.toTrail + Damage.toSchema + Damage.toEnergy + Damage.toMerges

    @Test("finds nothing where everything has happened once and nothing is wrong")
    func nothing() async throws {
        try await AuditWorld.lend { world in
            let findings = try await world.audit().map(\.description)
            #expect(findings == [])
            return findings.isEmpty
        }
    }

    @Test("finds what was done, names the record, says what to do, and finds nothing when it is undone", arguments: all)
    func damage(_ damage: Damage) async throws {
        let part = try #require(damage.part)
        try await AuditWorld.lend { world in
            try await world.harm(damage)
            let findings = try await world.audit()
            try await world.mend(damage)
            let lines = findings.filter { $0.kind == damage.kind }.map(\.description)
            #expect(
                lines.contains { damage.names.isEmpty || $0.contains(damage.names) },
                "\(damage.kind) of \(damage.names): \(findings.map(\.description))")
            #expect(findings.allSatisfy { !$0.remedy.isEmpty && !$0.fault.contains("cannot be checked") })
            let left = try await world.audit([part]).map(\.description)
            #expect(left == [])
            return left.isEmpty
        }
    }

    @Test("knows each kind of finding by a damage")
    func kinds() {
        let known = Set(Self.all.map(\.kind))
        let checks =
            PlayerChecks.all + AccountChecks.all + GameChecks.all + ChallengeChecks.all + BoardChecks.all
            + LeagueChecks.all
            + WordChecks.all
            + PurchaseChecks.all
            + LotteryChecks.all + TrailChecks.all(hasFiles: false)
        #expect(checks.map(\.name).filter { !known.contains($0) } == [])
    }
}
