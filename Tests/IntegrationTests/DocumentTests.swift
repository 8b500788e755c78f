import Foundation
import JulietAPI
import TestSupport
import Testing

@Suite("The documents", .defaultLayout("about what is written"))
struct DocumentTests {
    private static let root = TestDatabase.root
    private static let pages = root.appending(path: "scripts/pages").path

    @Test("print what runs, and what it prints")
    func commands() async throws {
        let output = try await Command.run(["env", "PROGRAM=\(ServiceProcess.executable.path)", Self.pages])
        let last = output.split(separator: "\n").last ?? ""
        #expect(last.wholeMatch(of: /pages: \d+ as printed/) != nil, "\(output)")
    }

    @Test("say of each block of commands where it is typed")
    func rooms() async throws {
        let list = try await Command.run([Self.pages, "--list"]).split(separator: "\n")
        #expect(list.count > 40)
        let place = #/^[\w./]+:\d+: (play|operator|compose|debian|citus|not: |a file, )/#
        for line in list {
            #expect(line.firstMatch(of: place) != nil, "\(line)")
        }
    }

    @Test("name every problem of /v2 with its status", arguments: V2.ProblemCode.allCases)
    func problems(code: V2.ProblemCode) throws {
        let text = try String(contentsOf: Self.root.appending(path: "docs/v2.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("`\(code.rawValue)`") }
        #expect(rows.contains { $0.split(separator: "|")[0].contains("\(code.status)") })
    }
}
