import Foundation
import TestSupport
import Testing

@testable import JulietGame

/// Whatever is asked of players on several servers is answered as on one.
@Suite("Both layouts", .citusLayout, .serialized)
struct LayoutsTests {
    /// Asks both, and tells of each answer that differs.
    private func compare(_ questions: [Question], in world: TwoLayouts) async throws -> [String] {
        var differences: [String] = []
        for question in questions {
            let (plain, spread) = try await world.answers(to: question)
            if plain != spread { differences.append("\(question):\nplain: \(plain)\nspread: \(spread)") }
            #expect(!plain.hasPrefix("refused: "), "\(question): \(plain)")
            #expect(!plain.hasPrefix("64\n"), "\(question): \(plain)")
        }
        return differences
    }

    private func expectSame(_ questions: [Question], in world: TwoLayouts) async throws {
        for difference in try await compare(questions, in: world) { Issue.record("\(difference)") }
    }

    @Test(
        "every question of the audit, the admin page, exports, lottery and commands has one answer, and every deed as well"
    )
    func answers() async throws {
        let world = try await TwoLayouts.shared.value
        try await world.restoreAll()
        try await world.plain.psql("SELECT pg_stat_reset()")
        try await expectSame(Question.reads(world.facts), in: world)
        try await expectSame(Question.deeds(world.facts), in: world)
        #expect(
            try await world.plain.psql("SELECT energy, wins FROM users WHERE id = 'FRESH'") == "7|2",
            "an import replaced it")
        let again = Question.functions(world.facts) + [.command(["audit"])]
        try await expectSame(again, in: world)
        let uncalled = try await world.uncalled()
        #expect(uncalled == [])
        try await world.restoreAll()
    }

    @Test("a difference is found, and so is a function for which there is no question")
    func alarms() async throws {
        let world = try await TwoLayouts.shared.value
        try await world.restoreAll()
        let questions: [Question] = [.command(["users", "show", "ANNA"]), .sql("SELECT juliet.lottery_list()")]
        try await expectSame(questions, in: world)
        try await world.spread.psql("UPDATE users SET wins = wins + 1 WHERE id = 'ANNA'")
        #expect(try await compare(questions, in: world).count == 1)
        try await world.spread.psql("DELETE FROM lottery_entries")
        #expect(try await compare(questions, in: world).count == 2)
        try await world.restoreAll()
        try await expectSame(questions, in: world)
        try await world.plain.psql(
            "CREATE FUNCTION juliet.admin_news() RETURNS integer LANGUAGE plpgsql AS 'BEGIN RETURN 1; END'")
        #expect(try await world.uncalled().contains("admin_news"))
        try await world.plain.psql("DROP FUNCTION juliet.admin_news()")
    }

    /// One damage of each kind, in rounds in which each part of the records has one.
    private static let rounds: [[Damage]] = {
        let parts = [
            Damage.toPlayers, Damage.toGames, Damage.toChallenges, Damage.toBoards, Damage.toLeagues, Damage.toWords,
            Damage.toPurchases, Damage.toLottery, Damage.toTrail, Damage.toEnergy, Damage.toMerges,
        ]
        var known: Set<String> = []
        let chosen = parts.map { part in part.filter { known.insert($0.kind).inserted } }
        return (0..<(chosen.map(\.count).max() ?? 0)).map { round in
            chosen.compactMap { round < $0.count ? $0[round] : nil }
        }
    }()

    @Test("the audit finds the same of every kind of damage")
    func damages() async throws {
        let world = try await TwoLayouts.shared.value
        try await world.restoreAll()
        for program in [world.plain, world.spread] {
            let findings = try await program.findings().map(\.description)
            #expect(findings == [])
        }
        var found: Set<String> = []
        for round in Self.rounds {
            try await world.harm(round)
            async let plain = world.plain.findings()
            async let spread = world.spread.findings()
            let (expected, told) = (Set(try await plain), Set(try await spread))
            #expect(expected.subtracting(told).map(\.description) == [], "\(round): not on several servers")
            #expect(told.subtracting(expected).map(\.description) == [], "\(round): on several servers alone")
            found.formUnion(expected.map(\.kind))
            try await world.restore(round)
        }
        let kinds = Set(Self.rounds.joined().map(\.kind))
        #expect(kinds.subtracting(found) == [])
    }

    /// What cannot be done on several servers, and why.
    private static let ofOneServer = [
        "a table inherits": "Citus: non-distributed tables cannot inherit distributed tables"
    ]

    @Test(
        "the audit finds the same of every damage to the schema",
        arguments: Damage.toSchema.filter { ofOneServer[$0.testDescription] == nil })
    func schema(_ damage: Damage) async throws {
        let world = try await TwoLayouts.shared.value
        // Without more in the same text, because Citus passes it on as it is.
        for program in [world.plain, world.spread] { try await program.psql(damage.sql) }
        let plain = try await Set(world.plain.findings([.schema]))
        let spread = try await Set(world.spread.findings([.schema]))
        #expect(plain == spread)
        #expect(plain.contains { $0.kind == damage.kind })
        if let undo = damage.undo {
            for program in [world.plain, world.spread] { try await program.psql(undo) }
        } else {
            try await world.restoreAll()
        }
    }
}
