import Foundation
import Testing

@testable import JulietClient

@Suite("Journals on disks without room, and with much damage", .timeLimit(.minutes(1)))
struct JournalEdgeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// From now on nothing can be put aside, until `makeRoom()`.
    private func takeRoom() throws {
        try? FileManager.default.removeItem(atPath: folder.journal + ".damaged")
        try FileManager.default.createDirectory(
            atPath: folder.journal + ".damaged", withIntermediateDirectories: false)
    }

    private func makeRoom() throws { try FileManager.default.removeItem(atPath: folder.journal + ".damaged") }

    @Test("whether a refusal was the service's own outlives the process", arguments: [true, false])
    func refusals(isOfService: Bool) throws {
        let refusal = ClientError.Refusal(
            status: 403, code: isOfService ? nil : "c", response: HTTPResponse(status: 403), isOfService: isOfService)
        let record = JournalRecord.ended(RequestID(number: 1), .failure(ClientError(refusal)), isDead: true)
        let stored = try StoredRecord(kind: record.kind, content: record.content()[...])
        guard case .other(.ended(_, .failure(let error), _)) = stored else {
            Issue.record("no end")
            return
        }
        #expect(error.refusal?.isOfService == isOfService)
    }

    // MARK: No room

    @Test("a torn end that cannot be put aside stays in the file: nothing is written before it can")
    func tornEnd() async throws {
        try await makeJournal(folder.journal, 1...2)
        let whole = try folder.bytes(of: folder.journal)
        let torn = whole + whole[32..<132]
        try folder.write(torn, to: folder.journal)
        try takeRoom()
        let (journal, contents) = try await Journal.open(folder.journal)
        #expect(contents.requests.count == 2 && contents.damagedBytes == 100)
        #expect(try folder.bytes(of: folder.journal) == torn)
        let message = try await journal.message(of: RequestID(number: 1))
        #expect(message.path == "/notes/ü")
        await #expect(throws: QueueError.self) { try await journal.commit(Journal.Group([storedRequest(3)])) }
        await #expect(throws: QueueError.self) { try await journal.compact(keeping: contents.kept()) }
        #expect(try folder.bytes(of: folder.journal) == torn)
        try makeRoom()
        try await journal.commit(Journal.Group([storedRequest(3)]))
        await journal.close()
        #expect(try folder.bytes(of: folder.journal + ".damaged") == Array(torn.suffix(100)))
        let again = try await folder.contents()
        #expect(again.requests.map(\.entry.id.number) == [1, 2, 3] && again.damagedBytes == 0)
    }

    @Test("a compaction does not give up a damaged record that cannot be put aside")
    func damagedRecord() async throws {
        try await makeJournal(folder.journal, 1...2)
        let (journal, contents) = try await Journal.open(folder.journal)
        var bytes = try folder.bytes(of: folder.journal)
        bytes[200] ^= 1
        let file = try FileHandle(forWritingTo: URL(filePath: folder.journal))
        try file.write(contentsOf: bytes)
        try file.close()
        try takeRoom()
        await #expect(throws: QueueError(.fileError)) { try await journal.compact(keeping: contents.kept()) }
        #expect(try folder.bytes(of: folder.journal) == bytes)
        try makeRoom()
        let (_, damaged) = try await journal.compact(keeping: contents.kept())
        #expect(damaged.map(\.number) == [1])
        #expect(folder.exists(folder.journal + ".damaged"))
        await journal.close()
    }

    // MARK: Much damage

    @Test("damage that looks like a record at every place is not read again for each", arguments: [false, true])
    func manyCandidates(hasHeader: Bool) async throws {
        try await makeJournal(folder.journal, 1...2)
        var bytes = try folder.bytes(of: folder.journal)
        let marker = try #require(JournalFormat.Header(bytes[..<32])?.marker)
        // Of a marker the first byte; of a file without a header, a kind that there is and no length.
        let pattern = hasHeader ? [UInt8(truncatingIfNeeded: marker), 0, 0, 0] : [9, 0, 0, 0]
        let record = (bytes.count - 32) / 2
        bytes.insert(contentsOf: (0..<250_000).flatMap { _ in pattern }, at: 32 + record)
        if !hasHeader { bytes.replaceSubrange(..<(32 + record), with: repeatElement(0, count: 32 + record)) }
        try folder.write(bytes, to: folder.journal)
        let before = try bytesRead()
        let contents = try await folder.contents()
        // Other tests read too: megabytes, not 100 GB.
        #expect(try bytesRead() - before < 10_000_000_000)
        #expect(contents.requests.map(\.entry.id.number) == (hasHeader ? [1, 2] : [2]))
        #expect(contents.damagedBytes >= 1_000_000)
    }

    /// How many bytes this process has read.
    private func bytesRead() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("rchar: ") }
        return try #require(line.flatMap { Int($0.dropFirst("rchar: ".count)) })
    }

    @Test("what could be a record and claims much of the file is not read without end")
    func largeClaims() async throws {
        // At every eighth place a length of 16 MB, and a kind that there is.
        let bytes = (0..<2_500_000).flatMap { _ in [0, 0, 0, 1, 9, 0, 0, 0] as [UInt8] }
        try folder.write(bytes, to: folder.journal)
        let before = try bytesRead()
        await #expect(throws: QueueError(.notAJournal)) { try await Journal.open(folder.journal) }
        #expect(try bytesRead() - before < 10_000_000_000)
    }
}
