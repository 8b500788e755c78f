import Foundation
import TestSupport
import Testing

@testable import juliet

@Suite("juliet names, run as a program", .everyLayout)
struct NamesCommandTests {
    @Test("parts are refused and allowed again with a line of the trail, listed, and so is who is called so")
    func names() async throws {
        let program = try await Program.migrated()
        try await program.psql(AuditWorld.script)
        // The release's own, which `juliet migrate up` has brought.
        var outcome = try await program.run(["names", "list", "--shipped"])
        let shipped = outcome.output.split(separator: "\n")
        #expect(
            outcome.status == 0 && shipped.count > 100 && shipped.contains("=admin") && shipped.contains("moderator"))
        #expect(try await program.run(["names", "list"]).output == outcome.output)
        outcome = try await program.run(["names", "allow", "moderator", "--reason", "ticket 0"])
        #expect(outcome.output == "allowed: moderator")
        outcome = try await program.run(["names", "allow", "--shipped", "--reason", "ticket 0"])
        #expect(outcome.status == 0 && outcome.output.split(separator: "\n").count == shipped.count - 1)
        #expect(try await program.run(["migrate", "up"]).status == 0)
        outcome = try await program.run(["names", "list", "--shipped"])
        #expect(outcome.output.split(separator: "\n") == shipped.map { "\($0) (allowed)" }, "they stay allowed")
        outcome = try await program.run(["names", "list"])
        #expect(outcome.status == 0 && outcome.output == "" && outcome.notes == "nothing is refused")
        outcome = try await program.run(["names", "refuse", "Zé", "rude", "--reason", "ticket 1"])
        #expect(outcome.status == 0 && outcome.output == "refused: Zé\nrefused: rude", "\(outcome)")
        outcome = try await program.run(["names", "refuse", "RUDE", "ok2", "--reason", "ticket 2", "--json"])
        let changes = try outcome.document()
        #expect(changes["changed"] as? [String] == ["ok2"] && changes["unchanged"] as? [String] == ["RUDE"])
        outcome = try await program.run(["names", "refuse", "rude", "--reason", "ticket 2"])
        #expect(outcome.status == 0 && outcome.notes == "refused already: rude")
        #expect(try await program.run(["names", "list"]).output == "ok2\nrude\nZé")
        #expect(
            try await program.psql(
                "SELECT action, subject, reason, user_id IS NULL FROM admin_actions ORDER BY id DESC LIMIT 1")
                == "name.refuse|name/ok2|ticket 2|t")

        outcome = try await program.run(["names", "list", "--players"])
        #expect(outcome.status == 0 && outcome.notes == "no name has a refused part", "\(outcome)")
        let player = try await program.psql("SELECT min(user_id) FROM players")
        try await program.psql("UPDATE players SET name = 'Truder' WHERE user_id = '\(player)'")
        outcome = try await program.run(["names", "list", "--players"])
        #expect(outcome.output.contains("\(player)  Truder  rude"), "\(outcome)")

        outcome = try await program.run(["names", "allow", "zE", "--reason", "ticket 3"])
        #expect(outcome.status == 0 && outcome.output == "allowed: zE")
        outcome = try await program.run(["names", "allow", "zE", "--reason", "ticket 3"])
        #expect(outcome.status == 1 && outcome.notes == #"error: "zE" is not refused"#)
        outcome = try await program.run(["names", "refuse", "x", "--reason", "ticket 3"])
        #expect(
            outcome.status == 64
                && outcome.notes
                    == #"error: "x" must have 2 to 24 characters; after =, only letters, digits, and single blanks between words"#
        )
        for wrong in [
            ["refuse", "ab"], ["refuse", "--reason", "x"], ["allow", "ab", "--reason", " "],
            ["refuse", "ab", "--shipped", "--reason", "x"], ["list", "--shipped", "--players"],
        ] {
            #expect(try await program.run(["names"] + wrong).status == 64, "\(wrong)")
        }
        #expect(try await program.run(["names", "list", "--first", "0"]).status == 64)
        outcome = try await program.run(["names", "refuse", "--shipped", "--reason", "ticket 4"])
        #expect(outcome.output.split(separator: "\n").count == shipped.count)
        #expect(try await program.run(["audit"]).status == 0)
    }
}
