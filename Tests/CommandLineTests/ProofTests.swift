import Foundation
import TestSupport
import Testing

@Suite("The long proofs", .timeLimit(.minutes(5)))
struct ProofTests {
    private let prove = Program.root.appending(path: "scripts/prove").path

    @Test("are listed with what they prove, each with its commands; an unknown name is refused")
    func list() async throws {
        let list = try await Command.run([prove, "--list"]).split(separator: "\n")
        let script = try String(contentsOfFile: prove, encoding: .utf8)
        #expect(list.count >= 8)
        for line in list {
            #expect(line.firstMatch(of: /^[a-z]+ +[0-9]+ min  +[a-z]/) != nil, "\(line)")
            #expect(script.contains("\nprove_\(line.prefix { $0 != " " })() {"), "\(line)")
        }
        let refused = try await Command.run(["/bin/sh", "-c", "'\(prove)' fuzz x; echo $?"])
        #expect(refused.hasPrefix("prove: there is no proof called x: stress churn ") && refused.hasSuffix("\n64"))
    }

    @Test("point-in-time recovery with the settings of docs/operations.md brings back the game as it was")
    func recovery() async throws {
        let script = Program.root.appending(path: "scripts/prove-recovery").path
        let output = try await Command.run(["env", "PROGRAM=\(Program.executable.path)", script])
        #expect(output.hasSuffix("held: 1000|25000 players and energy, as before"), "\(output)")
    }
}
