import Foundation
import JulietAPI
import TestSupport
import Testing

@testable import juliet

@Suite("juliet players, run as a program", .everyLayout)
struct PlayersCommandTests {
    private func program() async throws -> Program {
        let program = try await Program.migrated()
        try await program.psql(AuditWorld.script)
        return program
    }

    private func trail(_ program: Program) async throws -> String {
        try await program.psql(
            "SELECT action, subject, reason, user_id, actor LIKE 'os:%' FROM admin_actions ORDER BY id DESC LIMIT 1")
    }

    @Test("shows the ways in, and no secret")
    func show() async throws {
        let program = try await program()
        let shown = try await program.run(["players", "show", Someone.bob])
        #expect(shown.status == 0)
        #expect(shown.output.contains("https://appleid.apple.com"))
        #expect(shown.output.contains("registration") && shown.output.contains("apple"))
        let ada = try await program.run(["players", "show", Someone.ada])
        #expect(ada.output.contains("Phone") && ada.output.contains("never"))
        let json = try await program.run(["players", "show", Someone.ada, "--json"]).output
        for text in [ada.output, shown.output, json] {
            for secret in ["ada", "bob", "ada code", "bob 2"] {
                let digest = try await program.psql("SELECT encode(sha256('\(secret)'), 'hex')")
                #expect(!text.contains(digest))
            }
        }
        #expect(try await program.run(["users", "show", Someone.bob]).output.contains("apple"))
        for nobody in ["ANNA", "x"] {
            #expect(try await program.run(["players", "show", nobody]).status == 1)
        }
    }

    @Test("takes a passkey, an identity and sessions away, once, with a line in the audit trail")
    func remove() async throws {
        let program = try await program()
        let passkey = try await program.psql("SELECT id FROM passkeys WHERE user_id = '\(Someone.ada)'")
        for arguments in [
            ["remove-passkey", Someone.ada, passkey], ["remove-identity", Someone.bob, "apple"],
            ["end-sessions", Someone.bob],
        ] {
            #expect(try await program.run(["players"] + arguments).status == 64, "a reason is wanted")
            let done = try await program.run(["players"] + arguments + ["--reason", "lost"])
            #expect(done.status == 0, "\(done.notes)")
            #expect(try await program.run(["players"] + arguments + ["--reason", "lost"]).status == 1)
            let action = ["remove-passkey": "passkey", "remove-identity": "identity", "end-sessions": "session"]
            #expect(
                try await trail(program)
                    == "player.\(action[arguments[0]] ?? "")|\(arguments.count > 2 ? arguments[2] : "")|lost|\(arguments[1])|t"
            )
        }
        #expect(try await program.run(["players", "remove-passkey", Someone.ada, "x", "--reason", "y"]).status == 1)
        #expect(try await program.psql("SELECT count(*) FROM sessions WHERE user_id = '\(Someone.bob)'") == "0")
        let session = try await program.psql("SELECT id FROM sessions WHERE user_id = '\(Someone.ada)'")
        let ended = try await program.run(
            ["players", "end-sessions", Someone.ada, "--session", session, "--reason", "stolen"])
        #expect(ended.output == "ended 1 session")
        #expect(try await program.run(["audit"]).status == 0)
    }

    @Test("makes a recovery code that opens a session, and another key for nonces")
    func recover() async throws {
        let program = try await program()
        let made = try await program.run(["players", "recovery-code", Someone.ada, "--reason", "ticket 17"])
        #expect(made.status == 0)
        let code = try #require(V2.RecoveryCode(made.output))
        #expect(try await trail(program) == "player.recoveryCode||ticket 17|\(Someone.ada)|t")
        let owner = try await program.psql("SELECT recovered_player(sha256('\(code.characters)'))")
        #expect(owner == Someone.ada)
        #expect(try await program.run(["players", "recovery-code", "ANNA", "--reason", "x"]).status == 1)
        let key = try await program.psql("SELECT key FROM nonce_keys")
        #expect(try await program.run(["players", "renew-nonces", "--reason", "a dump was lost"]).status == 0)
        let other = try await program.psql("SELECT key FROM nonce_keys")
        #expect(other != key && other.count == key.count)
        #expect(try await program.run(["audit"]).status == 0)
    }
}

@Suite("juliet identity check", .defaultLayout("asks no database"))
struct IdentityCommandTests {
    private static let key =
        #"{"kty":"EC","crv":"P-256","kid":"one","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x0","use":"sig"}"#
    private static let good =
        #"{"kty":"EC","crv":"P-256","kid":"two","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#

    @Test("tells keys that are of use from others, by its exit status too")
    func check() async throws {
        let folder = try TemporaryFolder()
        let both = try folder.write("both.json", "{\"keys\":[\(Self.key),\(Self.good)]}")
        let found = try await Program.run(["identity", "check", both])
        #expect(found.status == 0)
        #expect(found.output == "key two\nskipped: key one: malformed")
        let json = try await Program.run(["identity", "check", both, "--json"]).output
        #expect(json.contains("\"malformed\"") && json.contains("\"two\""))
        let nameless = "{\"keys\":[\(Self.good.replacing(#""kid":"two","#, with: ""))]}"
        let unnamed = try await Program.run(["identity", "check", try folder.write("nameless.json", nameless)])
        #expect(unnamed.status == 0)
        #expect(unnamed.output == "a key without kid")
        for text in ["{\"keys\":[\(Self.key)]}", "{\"keys\":[]}"] {
            let none = try await Program.run(["identity", "check", try folder.write("none.json", text)])
            #expect(none.status == 1)
            #expect(none.output.hasPrefix("no key can be used"))
        }
        for text in ["", "{}", "<html>", "[]"] {
            let nonsense = try await Program.run(["identity", "check", try folder.write("x.json", text)])
            #expect(nonsense.status == 1)
            #expect(nonsense.notes.contains("is not a JWK Set"))
        }
        #expect(try await Program.run(["identity", "check", "/nowhere"]).status == 1)
        #expect(try await Program.run(["identity", "check"]).status == 64)
    }
}
