import Foundation

@testable import JulietClient

/// A folder of a test's own.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "juliet-client-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A journal in it.
    var journal: String { path + "/requests.journal" }

    /// What is in the journal, which is closed before and after.
    func contents() async throws -> JournalContents {
        let (journal, contents) = try await Journal.open(journal)
        await journal.close()
        return contents
    }

    func bytes(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }

    func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}

/// A request to keep.
func storedRequest(
    _ number: UInt64, body: [UInt8] = Array("{\"word\":\"music\"}".utf8), references: [LocalIdentifier] = []
) -> JournalRecord {
    let entry = QueueEntry(
        id: RequestID(number: number), appendedAt: 1_700_000_000_000, name: "Note", tag: "notes",
        idempotencyKey: "key-\(number)", uniquingKey: "unique-\(number)", identifiers: ["game": "7", "row": "2"],
        isBarrier: number % 2 == 0, isBackground: true, references: references, policy: .never)
    return .request(
        entry,
        RequestMessage(
            method: .put, path: "/notes/ü", query: [QueryItem("a[]", "1"), QueryItem("a[]", "&")],
            headers: [HeaderField("Content-Type", "application/json")], body: body,
            options: RequestOptions(timeout: .milliseconds(1500))))
}

/// A journal with requests, one write each.
func makeJournal(_ path: String, _ numbers: ClosedRange<UInt64>) async throws {
    let (journal, _) = try await Journal.open(path)
    for number in numbers { try await journal.commit(Journal.Group([storedRequest(number)])) }
    await journal.close()
}
