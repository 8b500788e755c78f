import Foundation
import TestSupport
import Testing

@testable import juliet

@Suite("juliet admin, run as a program", .everyLayout)
struct AdminCommandTests {
    @Test("keys are made once a name, listed without telling them, and revoked")
    func keys() async throws {
        let program = try await Program.migrated()
        var outcome = try await program.run(["admin", "keys", "list"])
        #expect(outcome.status == 0 && outcome.output == "")
        #expect(
            outcome.notes.wholeMatch(
                of: #/there are no keys yet. Make one: \S*juliet admin keys add NAME --role owner/#)
                != nil)
        // A database that was named is named again.
        outcome = try await program.run([
            "admin", "keys", "list", "--database", program.cluster.connectionString(database: program.database),
        ])
        #expect(outcome.notes.hasSuffix("juliet admin keys add NAME --role owner --database URL"))
        outcome = try await program.run(["admin", "keys", "add", "anna"])
        #expect(outcome.status == 0 && outcome.output.wholeMatch(of: /juliet-admin-[0-9a-hjkmnp-tv-z]{52}/) != nil)
        #expect(outcome.notes.hasPrefix("this is the only time the key is shown"))
        let key = outcome.output
        #expect(
            try await program.psql(
                "SELECT count(*) FROM admin_keys WHERE key_hash = sha256(sha256('\(key)')) AND name = 'anna'")
                == "1", "any shell can tell whose a key is")
        outcome = try await program.run(["admin", "keys", "add", "anna"])
        #expect(outcome.status == 1)
        #expect(
            outcome.notes.wholeMatch(
                of: #/error: "anna" already has a key. Revoke it first: \S*juliet admin keys revoke anna/#) != nil)
        let list = try await program.run(["admin", "keys", "list"]).output
        #expect(
            list.contains(
                #/^name  role     made                  used last  revoked\nanna  support  \S{20}  never      -$/#),
            "who forgets to say a role gives away the least")
        outcome = try await program.run(["admin", "keys", "revoke", "anna"])
        #expect(outcome.output == "revoked: anna")
        outcome = try await program.run(["admin", "keys", "revoke", "anna"])
        #expect(outcome.status == 1 && outcome.notes == "error: \"anna\" has no key")
        let again = try await program.run(["admin", "keys", "add", "anna", "--role", "words", "--json"]).document()
        #expect(again["role"] as? String == "words")
        #expect(again["name"] as? String == "anna" && again["key"] as? String != key)
        for name in ["", "a b", "os:root", "ä", String(repeating: "x", count: 65)] {
            let outcome = try await program.run(["admin", "keys", "add", name])
            #expect(outcome.status == 64, "\(name)")
        }
        #expect(try await program.run(["admin", "keys", "add", "ben", "--role", "king"]).status == 64)
        #expect(
            try await program.psql(
                "SELECT string_agg(role || details::text, ' ' ORDER BY id) FROM admin_keys JOIN admin_actions ON subject = name AND done_at = created_at"
            )
                == #"support{"role": "support"} words{"role": "words"}"#)
        let dump = try await program.psql("SELECT string_agg(t::text, ' ') FROM admin_actions t")
        #expect(!dump.contains("juliet-admin-"))
    }

    @Test("what commands change is in the trail, newest first, with the person before sudo")
    func trail() async throws {
        let program = try await Program.withPlayers()
        let person = ["SUDO_USER": "sergej"]
        func run(_ arguments: String...) async throws {
            let outcome = try await program.run(arguments, environment: person)
            #expect(outcome.status == 0, "\(outcome.notes)")
        }
        let folder = try TemporaryFolder()
        let list = try folder.write("x-guessable.txt", "apple\nbread\ncrane\n")
        try await run("words", "import", list)
        try await run("words", "import", list, "--dry-run")
        try await run("words", "retire", "bread", "crane")
        try await run("words", "restore", "crane")
        try await run("words", "restore", "crane")
        try await run("energy", "grant", "ANNA", "7", "--reason", "ticket\n1\u{1B}[31m", "--operation-id", "t")
        try await run("energy", "grant", "ANNA", "7", "--reason", "ticket\n1\u{1B}[31m", "--operation-id", "t")
        let shown = try await program.run(["admin", "audit"]).output
        let output = shown.replacing(#/\d{4}-\d\d-\d\dT\S{8}Z/#, with: "TIME")
        let lines = output.split(separator: "\n").map { $0.replacing(#/ {2,}/#, with: " | ") }
        try #require(lines.count == 6, "\(output)")
        #expect(lines[0] == "time | who | what | whom | why | values")
        #expect(
            lines[1].hasPrefix(#"TIME | os:sergej | energy.grant | ANNA | "ticket\u{A}1\u{1B}[31m" | {"amount": 7, "#))
        #expect(lines[2].hasPrefix("TIME | os:sergej | word.restore | en/crane | - | "))
        #expect(lines[3].hasPrefix("TIME | os:sergej | word.retire | en/crane | - | "))
        #expect(lines[4].hasPrefix("TIME | os:sergej | word.retire | en/bread | - | "))
        #expect(lines[5].hasPrefix("TIME | os:sergej | words.import | en | - | "))
        let own = try await program.run(["admin", "audit", "ANNA", "--json"])
        let actions = try #require(JSONSerialization.jsonObject(with: Data(own.output.utf8)) as? [[String: Any]])
        #expect(actions.count == 1 && actions[0]["userID"] as? String == "ANNA")
        #expect(try await program.run(["admin", "audit", "--last", "2"]).output.split(separator: "\n").count == 3)
        #expect(try await program.run(["admin", "audit", "--last", "0"]).status == 64)
        #expect(try await program.audit().status == 0)
    }

    @Test("the actor of a command is the person before sudo, else the account")
    func systemUser() {
        #expect(SystemUser.actor(["SUDO_USER": "sergej"]) == "os:sergej")
        #expect(SystemUser.actor([:]).hasPrefix("os:"))
        #expect(SystemUser.actor(["SUDO_USER": ""]) == SystemUser.actor([:]))
    }
}
