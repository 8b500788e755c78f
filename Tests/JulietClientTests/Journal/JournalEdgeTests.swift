import Foundation
import Testing

@testable import JulietClient

@Suite("Journals of older versions, and disks without room", .timeLimit(.minutes(1)))
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

    // MARK: Older versions

    @Test("a program of version 2 that has the journal is noticed, also by the name it was opened with")
    func oldLock() async throws {
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.journal)
        for name in [folder.journal, link] {
            let bytes = try secondVersion(of: ["Change"])
            try folder.write(bytes, to: folder.journal)
            let lock = try #require(try JournalFile.open(name + ".lock", .create))
            #expect(try lock.lock())
            await #expect(throws: QueueError(.journalInUse)) { try await Journal.open(name) }
            #expect(try folder.bytes(of: folder.journal) == bytes)
            lock.unlock()
            let (journal, contents) = try await Journal.open(name)
            #expect(contents.requests.count == 1)
            #expect(!folder.exists(name + ".lock"))
            await journal.close()
        }
        // The lock of a program that is gone keeps nobody from a journal of this version.
        let lock = try #require(try JournalFile.open(folder.journal + ".lock", .create))
        #expect(try lock.lock())
        #expect(try await folder.contents().requests.count == 1)
    }

    @Test("as long as a journal stays one of version 2, programs of that version find it locked")
    func oldLockKept() async throws {
        try folder.write(secondVersion(of: ["Change"]), to: folder.journal)
        try folder.write([], to: folder.journal + ".lock")
        // Another name would keep the old file: it is not rewritten.
        let twin = folder.path + "/twin"
        try FileManager.default.linkItem(atPath: folder.journal, toPath: twin)
        let (journal, contents) = try await Journal.open(folder.journal)
        let lock = try #require(try JournalFile.open(folder.journal + ".lock", .readWrite))
        #expect(try !lock.lock())
        try FileManager.default.removeItem(atPath: twin)
        _ = try await journal.compact(keeping: contents.kept())
        #expect(!folder.exists(folder.journal + ".lock"))
        await journal.close()
        #expect(try await folder.contents().requests.count == 1)
    }

    @Test("without its header a journal of an older version is read as one of that version", arguments: [1, 2])
    func lostHeader(version: Int) async throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/version-1.journal")
        var bytes = version == 1 ? Array(try Data(contentsOf: fixture)) : try secondVersion(of: ["Change", "Look"])
        bytes.replaceSubrange(..<32, with: repeatElement(0, count: 32))
        try folder.write(bytes, to: folder.journal)
        let (journal, contents) = try await Journal.open(folder.journal)
        #expect(contents.damagedBytes == 32)
        #expect(contents.requests.count == 2)
        let first = try #require(contents.requests.first)
        #expect(first.progress == .init(attempts: 2, sent: 1))
        let path = try await journal.message(of: first.entry.id).path
        #expect(path == (version == 1 ? "/Juliet_IAPManager" : "/1"))
        await journal.close()
    }

    @Test("whether a refusal was the service's own outlives the process; older records have none of it")
    func refusals() throws {
        for isOfService in [true, false] {
            let refusal = ClientError.Refusal(
                status: 403, code: isOfService ? nil : "c", response: HTTPResponse(status: 403),
                isOfService: isOfService)
            let record = JournalRecord.ended(RequestID(number: 1), .failure(ClientError(refusal)), isDead: true)
            let content = try record.content()
            for (content, expected) in [(content, isOfService), (Array(content.dropLast()), !isOfService)] {
                let stored = try StoredRecord(kind: 3, content: content[...], version: JournalFormat.version)
                guard case .other(.ended(_, .failure(let error), _)) = stored else {
                    Issue.record("no end")
                    return
                }
                #expect(error.refusal?.isOfService == expected)
            }
        }
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
        let pattern = hasHeader ? [UInt8(truncatingIfNeeded: marker), 0, 0, 0] : [1, 0, 0, 0]
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
        let bytes = (0..<2_500_000).flatMap { _ in [0, 0, 0, 1, 1, 0, 0, 0] as [UInt8] }
        try folder.write(bytes, to: folder.journal)
        let before = try bytesRead()
        await #expect(throws: QueueError(.notAJournal)) { try await Journal.open(folder.journal) }
        #expect(try bytesRead() - before < 10_000_000_000)
    }
}
