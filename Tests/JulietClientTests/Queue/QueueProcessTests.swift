import Foundation
import TestSupport
import Testing

@testable import JulietClient

/// What takes a process of its own.
@Suite("Queue and the system")
struct QueueProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The program that was built with these tests.
    static let program: String = {
        let beside = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let candidates = [beside, root.appending(path: ".build/debug")].map {
            $0.appending(path: "QueueTestClient").path
        }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "QueueTestClient"
    }()

    @Test("a second process gets an error that says why, and touches nothing")
    func secondProcess() async throws {
        try await makeJournal(folder.journal, 1...3)
        let (journal, _) = try await Journal.open(folder.journal)
        let bytes = try folder.bytes(of: folder.journal)
        #expect(try await Command.run([Self.program, "count", folder.journal]) == "journalInUse")
        #expect(try folder.bytes(of: folder.journal) == bytes)
        await journal.close()
        #expect(try await Command.run([Self.program, "count", folder.journal]) == "waiting 3")
    }

    @Test("a file that may not grow surfaces to append, and the journal is whole")
    func fileLimit() async throws {
        let output = try await Command.run([Self.program, "fill", folder.journal, "60000"])
        try await check(output, count: Command.run([Self.program, "count", folder.journal]))
    }

    @Test("a full disk surfaces to append, and the journal is whole")
    func fullDisk() async throws {
        // A disk of its own takes rights that not everybody has; a limit of the file's length is the same to a journal.
        let prefix = geteuid() == 0 ? ["unshare", "-m"] : ["unshare", "-rm"]
        let mount = "mount -t tmpfs -o size=160k none '\(folder.path)'"
        let canMount = (try? await Command.run(prefix + ["sh", "-c", mount])) != nil
        let script =
            (canMount ? "\(mount) && " : "")
            + "'\(Self.program)' fill '\(folder.journal)' \(canMount ? 0 : 160_000) && '\(Self.program)' count '\(folder.journal)'"
        let lines = try await Command.run((canMount ? prefix : []) + ["sh", "-c", script]).split(separator: "\n")
        try check(lines.dropLast().joined(separator: "\n"), count: String(try #require(lines.last)))
    }

    @Test("an end that the disk has no room for is not told of either: after a restart the request is still there")
    func noRoomForEnd() async throws {
        let output = try await Command.run([Self.program, "end", folder.journal, "20000"])
        #expect(output == "told, 1 dead")
        #expect(try await Command.run([Self.program, "count", folder.journal]) == "waiting 1")
    }

    private func check(_ output: String, count: String) throws {
        let words = output.split(whereSeparator: \.isWhitespace)
        let appended = try #require(words.count > 1 ? Int(words[1]) : nil, "\(output)")
        #expect(appended > 10)
        #expect(output == "appended \(appended) diskFull\nrefused diskFull\nwaiting \(appended)")
        #expect(count == "waiting \(appended)")
    }
}
