import Foundation
import JulietAPI
import TestSupport
import Testing

@Suite("The documents")
struct DocumentTests {
    private static let root = TestDatabase.root

    @Test(
        "show what their commands print, on a service that deals the word they have",
        arguments: [("README.md", "bagel"), ("docs/v2.md", "music")])
    func commands(document: String, word: String) async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            UPDATE word_lists
            SET dealable = set_bit(no_bits(length(dealable)), (SELECT place FROM words WHERE word = '\(word)'), 1)
            """)
        let service = try await TestService.start(on: database)
        let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
        let shown = Self.commands(in: text)
        #expect(!shown.isEmpty)

        let folder = FileManager.default.temporaryDirectory.appending(path: "juliet-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data((Self.blocks("python", in: text).first ?? "").utf8).write(to: URL(filePath: "\(folder)/verify.py"))
        let programs = ServiceProcess.executable.deletingLastPathComponent().path
        let script = shown.map { "printf '\\001'\n\($0.command)\n" }.joined()
            .replacing("127.0.0.1:8080", with: "127.0.0.1:\(service.port)")
        let output = try await Command.run(["env", "bash", "-c", "cd \(folder); PATH=\(programs):$PATH\n\(script)"])
        let printed = output.split(separator: "\u{1}", omittingEmptySubsequences: false).dropFirst()
        #expect(printed.count == shown.count, "\(output)")
        for ((command, answer), printed) in zip(shown, printed) {
            let printed = printed.trimmingCharacters(in: .newlines)
            #expect(Self.comparable(printed) == Self.comparable(answer), "\(command)")
        }
        try await service.stop()
    }

    @Test("name every problem of /v2 with its status", arguments: V2.ProblemCode.allCases)
    func problems(code: V2.ProblemCode) throws {
        let text = try String(contentsOf: Self.root.appending(path: "docs/v2.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("`\(code.rawValue)`") }
        #expect(rows.contains { $0.split(separator: "|")[0].contains("\(code.status)") })
    }

    /// The fenced blocks of a language; "": of none.
    private static func blocks(_ language: String, in text: String) -> [String] {
        var blocks: [String] = []
        var fence: (language: Substring, lines: [Substring])?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let fence, fence.language == language { blocks.append(fence.lines.joined(separator: "\n")) }
                fence = fence == nil ? (line.dropFirst(3), []) : nil
            } else {
                fence?.lines.append(line)
            }
        }
        return blocks
    }

    /// What stands behind a `$`, and the lines below it.
    private static func commands(in text: String) -> [(command: String, answer: String)] {
        var commands: [(command: String, answer: String)] = []
        for block in blocks("", in: text) where block.hasPrefix("$ ") {
            for line in block.split(separator: "\n") {
                if line.hasPrefix("$ ") {
                    commands.append((String(line.dropFirst(2)), ""))
                } else {
                    commands[commands.count - 1].answer += (commands.last?.answer == "" ? "" : "\n") + line
                }
            }
        }
        return commands
    }

    /// The text without what is another each time: ids, times, days, secrets.
    private static func comparable(_ text: String) -> String {
        text.replacing(#/jt_[\w\-]{43}/#, with: "TOKEN")
            .replacing(#/[0-9A-Z]{5}(-[0-9A-Z]{5}){3}/#, with: "CODE")
            .replacing(#/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/#, with: "ID")
            .replacing(#/[0-9a-f]{64}|[0-9a-f]{32}/#, with: "HEX")
            .replacing(#/\d{4}-\d\d-\d\dT[\d:.]+Z/#, with: "TIME")
            .replacing(#/"[0-9A-Z]{4}-[0-9A-Z]{4}"/#, with: "CODE")
            .replacing(#/"day":"\d{4}-\d\d-\d\d","number":\d+/#, with: "DAY")
    }
}
