import Foundation
import TestSupport
import Testing

@testable import juliet

@Suite("juliet challenges, run as a program", .everyLayout)
struct ChallengesCommandTests {
    private func program() async throws -> Program {
        let program = try await Program.migrated()
        try await program.psql(AuditWorld.script)
        return program
    }

    @Test("lists what was made, shows one by its code however it is spelled, and never a word")
    func read() async throws {
        let program = try await program()
        let code = try await program.psql(
            "SELECT show_share_code(code) FROM challenges WHERE is_own_word AND maker IS NOT NULL")
        let list = try await program.run(["challenges", "list"])
        #expect(list.status == 0)
        #expect(list.output.contains(code))
        #expect(list.output.contains("own, hard"))
        #expect(list.output.contains("deleted"))
        let all = try await program.run(["challenges", "list", "--json"])
        let shown = try await program.run(["challenges", "show", code.lowercased().replacing("-", with: "")])
        #expect(shown.status == 0)
        #expect(shown.output.contains("Ada"))
        for text in [list.output, all.output, shown.output] { #expect(!text.contains("crane")) }
        #expect(try await program.run(["challenges", "list", "--last", "1"]).output.split(separator: "\n").count == 2)
        #expect(try await program.run(["challenges", "list", "--last", "0"]).status == 64)
        #expect(try await program.run(["challenges", "show", "AAAA-AAAA"]).status == 1)
        #expect(try await program.run(["challenges", "show", "x"]).status == 64)
    }

    @Test("ends one, once, with a line in the audit trail")
    func end() async throws {
        let program = try await program()
        let code = try await program.psql(
            "SELECT show_share_code(code) FROM challenges WHERE is_own_word AND maker IS NOT NULL")
        let ended = try await program.run(["challenges", "end", code, "--reason", "rude"])
        #expect(ended.output == "ended: \(code)")
        #expect(try await program.run(["challenges", "end", code, "--reason", "rude"]).status == 1)
        #expect(
            try await program.psql(
                "SELECT action, subject, reason, user_id FROM admin_actions ORDER BY id DESC LIMIT 1")
                == "challenge.end|challenge/\(code)|rude|\(Someone.ada)")
        #expect(try await program.run(["challenges", "show", code]).output.contains("deleted"))
        #expect(try await program.run(["challenges", "end", code]).status == 64)
        #expect(try await program.run(["audit"]).status == 0)
    }

    @Test("takes a hint away, from games too, with a line in the audit trail")
    func hint() async throws {
        let program = try await program()
        let code = try await program.psql(
            "SELECT show_share_code(code) FROM challenges WHERE hint IS NOT NULL AND maker IS NOT NULL")
        #expect(try await program.run(["challenges", "show", code]).output.contains("a kind of bird"))
        #expect(try await program.run(["challenges", "list"]).output.contains("own, hard"))
        #expect(try await program.run(["challenges", "hide-hint", code]).status == 64)
        let hidden = try await program.run(["challenges", "hide-hint", code, "--reason", "rude"])
        #expect(hidden.output == "hint taken away: \(code)")
        #expect(try await program.psql("SELECT count(hint) FROM judged_games") == "0")
        #expect(
            try await program.psql("SELECT action, subject, reason FROM admin_actions ORDER BY id DESC LIMIT 1")
                == "challenge.hint|challenge/\(code)|rude")
        let again = try await program.run(["challenges", "hide-hint", code, "--reason", "rude"])
        #expect(again.status == 0 && again.output == "it has no hint: \(code)")
        #expect(try await program.run(["challenges", "hide-hint", "AAAA-AAAA", "--reason", "rude"]).status == 1)
        #expect(!(try await program.run(["challenges", "show", code, "--json"]).output.contains("bird")))
        #expect(try await program.run(["audit"]).status == 0)
    }
}
