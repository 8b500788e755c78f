import Foundation
import TestSupport
import Testing

@testable import juliet

@Suite("juliet leagues, run as a program", .everyLayout)
struct LeaguesCommandTests {
    private func program() async throws -> (Program, league: String) {
        let program = try await Program.migrated()
        try await program.psql(AuditWorld.script)
        let league = try await program.psql(
            "SELECT league_id FROM league_members GROUP BY league_id ORDER BY count(*) DESC, league_id LIMIT 1")
        return (program, league)
    }

    @Test("lists leagues by name and by player, and shows one with its members")
    func read() async throws {
        let (program, league) = try await program()
        let name = try await program.psql("SELECT name FROM leagues WHERE id = '\(league)'")
        let owner = try await program.psql("SELECT league_owner('\(league)')")
        let list = try await program.run(["leagues", "list"])
        #expect(list.status == 0)
        #expect(list.output.contains(league) && list.output.contains(name) && list.output.contains(owner))
        let named = try await program.run(["leagues", "list", "--name", String(name.dropFirst()).uppercased()])
        #expect(named.output.contains(league))
        #expect(try await program.run(["leagues", "list", "--player", owner]).output.contains(league))
        for nothing in [["--name", "%"], ["--player", "nobody"]] {
            let none = try await program.run(["leagues", "list"] + nothing)
            #expect(none.status == 0 && !none.output.contains(league), "\(nothing)")
            #expect(none.notes.contains("no such leagues"), "\(none)")
        }
        #expect(try await program.run(["leagues", "list", "--last", "1"]).output.split(separator: "\n").count == 2)
        #expect(try await program.run(["leagues", "list", "--last", "0"]).status == 64)

        let shown = try await program.run(["leagues", "show", league])
        let members = try await program.psql("SELECT user_id FROM league_members WHERE league_id = '\(league)'")
        #expect(shown.status == 0)
        for member in members.split(separator: "\n") { #expect(shown.output.contains(member)) }
        struct Whole: Decodable {
            struct Member: Decodable { let player: String }
            let members: [Member]
        }
        let json = try await program.run(["leagues", "show", league, "--json"])
        let whole = try JSONDecoder().decode(Whole.self, from: Data(json.output.utf8))
        #expect(whole.members.first?.player == owner)
        #expect(whole.members.count == members.split(separator: "\n").count)
        // Whoever reads the lists joins no league by them.
        let invite = try await program.psql("SELECT invite FROM leagues WHERE id = '\(league)'")
        for text in [list.output, shown.output, json.output] { #expect(!text.contains(invite)) }
        for unknown in ["x", UUID().uuidString] {
            let none = try await program.run(["leagues", "show", unknown])
            #expect(none.status == 1 && none.notes.contains("there is no league"), "\(unknown)")
        }
    }

    @Test("ends one, once, for all its members, with a line in the audit trail")
    func end() async throws {
        let (program, league) = try await program()
        let members = try await program.psql("SELECT count(*) FROM league_members WHERE league_id = '\(league)'")
        for refused in [["leagues", "end", league], ["leagues", "end", league, "--reason", " "]] {
            #expect(try await program.run(refused).status == 64, "\(refused)")
        }
        let ended = try await program.run(["leagues", "end", league, "--reason", "rude"])
        #expect(ended.output == "ended \(league)")
        #expect(try await program.run(["leagues", "end", league, "--reason", "rude"]).status == 1)
        #expect(
            try await program.psql(
                "SELECT action, subject, reason, user_id IS NULL, details FROM admin_actions ORDER BY id DESC LIMIT 1")
                == #"league.end|\#(league)|rude|t|{"members": \#(members)}"#)
        #expect(
            try await program.psql(
                "SELECT (SELECT count(*) FROM leagues WHERE id = '\(league)') + (SELECT count(*) FROM league_members WHERE league_id = '\(league)')"
            ) == "0")
        #expect(try await program.run(["audit"]).status == 0)
    }
}
