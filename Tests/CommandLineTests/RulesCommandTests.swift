import Foundation
import JulietGame
import TestSupport
import Testing

@Suite("juliet rules", .everyLayout)
struct RulesCommandTests {
    private static let published = """
        energy.start                    30
        energy.price                    5
        energy.clientUpdates            accept
        energy.maximum                  1000000
        players.claims                  refuse
        players.claimedApp              refuse
        purchases.verification          none
        purchases.unverifiedDailyLimit  0
        energy.refillAmount             5
        energy.refillEvery              14400
        energy.refillUpTo               30
        energy.dailyReward              5
        game.language                   en
        game.wordLength                 5
        game.timeZone                   UTC
        """

    @Test("shows the published app's rules at first, then who changed what and when")
    func history() async throws {
        let program = try await Program.migrated()
        #expect(try await program.run(["rules"]).output == Self.published)
        let environment = ["JULIET_ENERGY_PRICE": "7", "JULIET_PLAYERS_CLAIMS": "allow"]
        let applied = try await program.run(["rules", "apply"], environment: environment)
        #expect(applied.status == 0 && applied.notes == "")
        #expect(applied.output == "energy.price 5 → 7\nplayers.claims refuse → allow")
        let again = try await program.run(["rules", "apply"], environment: environment)
        #expect(again.output == "the rules are what the settings say: nothing to change")
        // What no setting names gets its default.
        #expect(
            try await program.run(["rules", "apply"]).output == "energy.price 7 → 5\nplayers.claims allow → refuse")

        let shown = try await program.run(["rules", "show"])
        #expect(shown.output.hasPrefix("\(Self.published)\n\nsince, who, what:\n"))
        let lines = shown.output.split(separator: "\n").suffix(2)
        let line = #/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ  os:\S+  (?<what>.*)/#
        #expect(
            lines.map { $0.wholeMatch(of: line).map { String($0.what) } } == [
                "energy.price 7 → 5, players.claims allow → refuse",
                "energy.price 5 → 7, players.claims refuse → allow",
            ])
        let trail = try await program.run(["admin", "audit"])
        #expect(trail.output.contains("rules.apply"))
        #expect(trail.output.contains(#""new": {"energy.price": 7, "players.claims": "allow"}"#))
    }

    @Test("a dry run changes nothing, and JSON says the same")
    func json() async throws {
        let program = try await Program.migrated()
        let environment = ["JULIET_PURCHASES_VERIFICATION": "required", "JULIET_ENERGY_START": "100"]
        let dry = try await program.run(["rules", "apply", "--dry-run"], environment: environment)
        #expect(
            dry.output
                == "energy.start 30 → 100\npurchases.verification none → required\nnothing was changed: --dry-run")
        #expect(try await program.run(["rules"]).output == Self.published)
        func json(_ arguments: [String]) async throws -> String {
            try await program.run(arguments + ["--json"], environment: environment).output
                .replacing(#/\s+/#, with: "").replacing(#/"20[^"]*Z"/#, with: "TIME").replacing(
                    #/"os:[^"]*"/#, with: "WHO")
        }
        let changes = #"{"energy.start":{"from":30,"to":100},"purchases.verification":{"from":"none","to":"required"}}"#
        #expect(try await json(["rules", "apply", "--dry-run"]) == #"{"changes":\#(changes),"isApplied":false}"#)
        #expect(try await json(["rules", "apply"]) == #"{"changes":\#(changes),"isApplied":true}"#)
        #expect(try await json(["rules", "apply"]) == #"{"changes":{},"isApplied":true}"#)
        let former =
            #"{"rules":{"energy.clientUpdates":"accept","energy.dailyReward":5,"energy.maximum":1000000,"#
            + #""energy.price":5,"energy.refillAmount":5,"energy.refillEvery":14400,"energy.refillUpTo":30,"#
            + #""energy.start":30,"game.language":"en","game.timeZone":"UTC","game.wordLength":5,"players.claimedApp":"refuse","players.claims":"refuse","purchases.unverifiedDailyLimit":0,"#
            + #""purchases.verification":"none"},"#
        let now = former.replacing(#""energy.start":30"#, with: #""energy.start":100"#)
            .replacing(#""purchases.verification":"none""#, with: #""purchases.verification":"required""#)
        #expect(
            try await json(["rules"])
                == #"[\#(now)"setBy":WHO,"since":TIME},\#(former)"setBy":"juliet"}]"#)
    }

    @Test(
        "a list of words that is not there is refused, also by a dry run; another one holds for days from the third on")
    func lists() async throws {
        let program = try await Program.migrated()
        // As long as there are no words any list can be named.
        let french = ["JULIET_GAME_LANGUAGE": "fr", "JULIET_GAME_WORD_LENGTH": "6"]
        var outcome = try await program.run(["rules", "apply"], environment: french)
        #expect(outcome.output == "game.language en → fr\ngame.wordLength 5 → 6")
        let carried = try await program.run(["words", "import"])
        #expect(carried.status == 1)
        #expect(carried.notes == "error: the program has words of de and en only: name files of fr")
        for language in ["en", "de"] { _ = try await program.run(["words", "import", "--language", language]) }
        #expect(try await program.run(["rules", "apply"]).status == 0)
        try await program.psql("SELECT choose_daily_words()")
        for dry in [["--dry-run"], []] {
            outcome = try await program.run(["rules", "apply"] + dry, environment: french)
            #expect(outcome.status == 1 && outcome.output.isEmpty)
            #expect(
                outcome.notes
                    == #"error: there are no secret words of 6 letters in "fr": import some, or name an existing list: de 5, en 5"#
            )
            #expect(try await program.run(["rules"]).output.hasPrefix(Self.published))
        }
        let german = ["JULIET_GAME_LANGUAGE": "de"]
        let day = try await program.psql("SELECT today() + 3")
        let start =
            "the words of the day are of the list \"de\", 5 letters, from \(day) on; the days before keep their words"
        outcome = try await program.run(["rules", "apply", "--dry-run"], environment: german)
        #expect(outcome.output == "game.language en → de\n\(start)\nnothing was changed: --dry-run")
        outcome = try await program.run(["migrate", "up"], environment: german)
        #expect(outcome.notes.hasSuffix("rules:\ngame.language en → de\n\(start)"), "\(outcome.notes)")
        outcome = try await program.run(["rules", "apply"], environment: german)
        #expect(outcome.output == "the rules are what the settings say: nothing to change\n\(start)")
        outcome = try await program.run(["rules", "apply", "--json"], environment: german)
        #expect(try outcome.document()["listFrom"] as? String == day)
        #expect(
            try await program.psql("SELECT language, count(*) FROM daily_words GROUP BY 1 ORDER BY 1") == "de|28\nen|3")
    }

    @Test("an invalid setting changes nothing")
    func badSetting() async throws {
        let program = try await Program.migrated()
        for arguments in [["rules", "apply"], ["migrate", "up"]] {
            let outcome = try await program.run(
                arguments, environment: ["JULIET_ENERGY_PRICE": "much", "JULIET_ENERGY_START": "7"])
            #expect(outcome.status == 1)
            #expect(
                outcome.notes
                    == "error: energy.price (JULIET_ENERGY_PRICE): \"much\" is not a whole number from 0 to 1000000")
        }
        #expect(try await program.run(["rules"]).output == Self.published)
        // Nor does one of another part of the service.
        #expect(try await program.run(["rules", "apply"], environment: ["JULIET_HTTP_PORT": "none"]).status == 0)
    }

    @Test("migrate up applies the rules that settings name, and leaves the others alone")
    func migrateUp() async throws {
        let program = try await Program()
        let first = try await program.run(["migrate", "up"], environment: ["JULIET_ENERGY_PRICE": "7"])
        #expect(first.status == 0 && first.notes.hasSuffix("rules:\nenergy.price 5 → 7"))
        let second = try await program.run(["migrate", "up"], environment: ["JULIET_ENERGY_START": "8"])
        #expect(second.output == "nothing to do" && second.notes == "rules:\nenergy.start 30 → 8")
        let third = try await program.run(["migrate", "up"])
        #expect(third.output == "nothing to do" && third.notes == "")
        #expect(
            try await program.psql("SELECT starting_energy, game_price FROM rules ORDER BY since DESC LIMIT 1")
                == "8|7")
    }

    @Test("of rules applied at the same moment each is kept, in an order")
    func atOnce() async throws {
        let program = try await Program.migrated()
        let outcomes = try await withThrowingTaskGroup(of: Program.Outcome.self) { group in
            for price in 10..<18 {
                group.addTask {
                    try await program.run(["rules", "apply"], environment: ["JULIET_ENERGY_PRICE": "\(price)"])
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0.status == 0 })
        #expect(try await program.psql("SELECT count(*), count(DISTINCT game_price) FROM rules") == "9|9")
        let trail = try await program.psql(
            """
            SELECT string_agg(details #>> '{former,energy.price}', ' ' ORDER BY id)
                = string_agg(former, ' ' ORDER BY id)
            FROM (SELECT id, details, coalesce(lag(details #>> '{new,energy.price}') OVER (ORDER BY id), '5') AS former
                FROM admin_actions) AS actions
            """)
        #expect(trail == "t")
    }

    @Test("a role that is not the owner, and a database without the table, are errors that say so")
    func refused() async throws {
        let program = try await Program.migrated()
        let role = "reader\(UInt32.random(in: 0 ... .max))"
        try await program.psql("CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA juliet TO \(role)")
        let url = program.cluster.connectionString(database: program.database) + " user=\(role)"
        let outcome = try await program.run(["rules", "apply", "--database", url])
        #expect(outcome.status == 1 && outcome.notes == "error: permission denied for function apply_rules")
        try await program.psql("REVOKE USAGE ON SCHEMA juliet FROM \(role); DROP ROLE \(role)")
        let empty = try await Program()
        let nothing = try await empty.run(["rules"])
        #expect(nothing.status == 1 && nothing.notes.hasPrefix("error: "))
    }

    @Test("an unknown rule is refused, and so is a value that a rule cannot have")
    func strange() async throws {
        let program = try await Program.migrated()
        for given in [
            #"{"energy.prize": 5}"#, #"{"energy.price": -1}"#, #"{"energy.price": null}"#, #"{"energy.price": "x"}"#,
            #"{"players.claims": "perhaps"}"#, #"{"energy.price": 2000000}"#,
        ] {
            await #expect(throws: Command.Failure.self) {
                try await program.psql("SELECT apply_rules('test', '\(given)')")
            }
        }
        #expect(try await program.psql("SELECT count(*) FROM rules") == "1")
    }
}
