import Foundation
import Testing

@testable import JulietClient

@Suite("Journal")
struct JournalTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Opens the journal, and closes it again.
    private func contents() async throws -> JournalContents {
        let (journal, contents) = try await Journal.open(folder.journal)
        await journal.close()
        return contents
    }

    private func numbers() async throws -> [UInt64] {
        try await contents().requests.map(\.entry.id.number)
    }

    @Test("what was appended is there after it is opened again, to the last byte")
    func roundTrip() async throws {
        let body = (0..<70_000).map { UInt8(truncatingIfNeeded: $0) }
        let record = storedRequest(3, body: body, references: [LocalIdentifier()])
        let (journal, empty) = try await Journal.open(folder.journal)
        #expect(empty.requests.isEmpty)
        try await journal.commit(Journal.Group([record]))
        await journal.close()

        let (again, contents) = try await Journal.open(folder.journal)
        let stored = try #require(contents.requests.first?.entry)
        guard case .request(let entry, let message) = record else { return }
        #expect(stored.id == entry.id && stored.appendedAt == entry.appendedAt && stored.name == entry.name)
        #expect(stored.tag == entry.tag && stored.idempotencyKey == entry.idempotencyKey)
        #expect(stored.uniquingKey == entry.uniquingKey && stored.identifiers == entry.identifiers)
        #expect(stored.isBarrier == entry.isBarrier && stored.isAuthenticated && stored.isBackground)
        #expect(stored.references == entry.references && stored.policy == entry.policy)
        let read = try await again.message(of: entry.id)
        #expect(read == message)
        #expect(contents.lastID == entry.id)
        await again.close()
    }

    @Test("how far a request has come, its end and what local identifiers stand for are kept")
    func progress() async throws {
        let (journal, _) = try await Journal.open(folder.journal)
        let local = LocalIdentifier()
        let ids = (1...5).map { RequestID(number: $0) }
        try await journal.commit(Journal.Group((1...5).map { storedRequest($0) }))
        let answer = HTTPResponse(status: 201, headers: [HeaderField("A", "b")], body: [1, 2, 3])
        let refusal = ClientError(
            ClientError.Refusal(status: 409, code: "taken", message: "No.", response: HTTPResponse(status: 409)))
        journal.note(try Journal.Group([.progress(ids[0], .init(attempts: 4, sent: 3, isInFlight: true))]))
        journal.note(try Journal.Group([.resolved(local, "42"), .ended(ids[1], .success(answer), isDead: false)]))
        journal.note(try Journal.Group([.ended(ids[2], .failure(refusal), isDead: true), .told(ids[2])]))
        journal.note(try Journal.Group([.removed(ids[3]), .cancelled(ids[4])]))
        await journal.close()

        let contents = try await contents()
        #expect(contents.requests.map(\.entry.id) == [ids[0], ids[1], ids[2], ids[4]])
        #expect(contents.requests[0].progress == .init(attempts: 4, sent: 3, isInFlight: true))
        let success = try #require(contents.requests[1].ending)
        #expect(try success.outcome.get() == answer && !success.isDead && !success.isTold)
        let failure = try #require(contents.requests[2].ending)
        #expect(failure.isDead && failure.isTold)
        guard case .failure(let error) = failure.outcome else {
            Issue.record("not a failure")
            return
        }
        #expect(error.refusal?.status == 409 && error.refusal?.code == "taken" && error.refusal?.message == "No.")
        #expect(contents.requests[3].isCancelled)
        #expect(contents.resolutions.map(\.0) == [local] && contents.resolutions.map(\.1) == ["42"])
    }

    @Test("cut off at any byte, it opens with the whole records before, and goes on")
    func tornTail() async throws {
        try await makeJournal(folder.journal, 1...2)
        let start = try folder.bytes(of: folder.journal).count
        let (journal, _) = try await Journal.open(folder.journal)
        // Written together: half of them is nothing.
        try await journal.commit(Journal.Group([storedRequest(3), storedRequest(4)]))
        await journal.close()
        let whole = try folder.bytes(of: folder.journal)
        for length in stride(from: start, to: whole.count, by: 7) {
            try folder.write(Array(whole[..<length]), to: folder.journal)
            #expect(try await numbers() == [1, 2], "cut at \(length)")
            let (journal, _) = try await Journal.open(folder.journal)
            try await journal.commit(Journal.Group([storedRequest(9)]))
            await journal.close()
            #expect(try await numbers() == [1, 2, 9], "cut at \(length)")
        }
        // A file system may have made room without data.
        try folder.write(whole[..<start] + [UInt8](repeating: 0, count: 300), to: folder.journal)
        #expect(try await numbers() == [1, 2])
    }

    @Test("any byte wrong: at most the request it belongs to is missing, put aside and told")
    func damage() async throws {
        try await makeJournal(folder.journal, 1...4)
        let whole = try folder.bytes(of: folder.journal)
        let record = (whole.count - JournalFormat.headerLength) / 4
        for offset in stride(from: 0, to: whole.count, by: 5) {
            var bytes = whole
            bytes[offset] ^= UInt8(1 << (offset % 8))
            try folder.write(bytes, to: folder.journal)
            try? FileManager.default.removeItem(atPath: folder.journal + ".damaged")
            let contents = try await contents()
            var expected: [UInt64] = [1, 2, 3, 4]
            if offset >= JournalFormat.headerLength {
                let index = (offset - JournalFormat.headerLength) / record
                expected.remove(at: index)
                let kept = try folder.bytes(of: folder.journal + ".damaged")
                #expect(kept.count <= record, "byte \(offset)")
                #expect(index == 3 || contents.damagedBytes > 0, "byte \(offset)")
            }
            #expect(contents.requests.map(\.entry.id.number) == expected, "byte \(offset)")
            // It is put aside once.
            #expect(try await self.contents().damagedBytes == 0, "byte \(offset)")
        }
    }

    @Test("a length that reaches far beyond the file hides nothing behind it")
    func wrongLength() async throws {
        try await makeJournal(folder.journal, 1...4)
        var bytes = try folder.bytes(of: folder.journal)
        bytes.replaceSubrange(40..<44, with: [0xFF, 0xFF, 0xFF, 0x0F])
        try folder.write(bytes, to: folder.journal)
        #expect(try await numbers() == [2, 3, 4])
    }

    @Test("a body that is a journal itself does not come to life when its record is damaged")
    func forgery() async throws {
        try await makeJournal(folder.journal + "-other", 7...9)
        let other = try folder.bytes(of: folder.journal + "-other")
        let (journal, _) = try await Journal.open(folder.journal)
        try await journal.commit(Journal.Group([storedRequest(1, body: other)]))
        try await journal.commit(Journal.Group([storedRequest(2)]))
        await journal.close()
        var bytes = try folder.bytes(of: folder.journal)
        bytes[60] ^= 1
        try folder.write(bytes, to: folder.journal)
        #expect(try await numbers() == [2])
    }

    @Test("a record that is damaged while the journal is open is found when it is read")
    func lateDamage() async throws {
        let (journal, _) = try await Journal.open(folder.journal)
        try await journal.commit(Journal.Group([storedRequest(1)]))
        var bytes = try folder.bytes(of: folder.journal)
        bytes[200] ^= 1
        let file = try FileHandle(forWritingTo: URL(filePath: folder.journal))
        try file.write(contentsOf: bytes)
        try file.close()
        await #expect(throws: DamagedRecord.self) { try await journal.message(of: RequestID(number: 1)) }
        #expect(folder.exists(folder.journal + ".damaged"))
        await journal.close()
    }

    @Test("a journal of version 1 is read, and written as this version")
    func migration() async throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/version-1.journal")
        try folder.write(Array(try Data(contentsOf: fixture)), to: folder.journal)
        let (journal, contents) = try await Journal.open(folder.journal)
        #expect(contents.requests.map(\.entry.idempotencyKey) == ["first-key", "second-key"])
        #expect(contents.requests.map(\.entry.isBarrier) == [true, false])
        #expect(contents.requests[0].entry.identifiers == ["game": "7"])
        #expect(contents.requests[0].progress == .init(attempts: 2, sent: 1))
        let message = try await journal.message(of: contents.requests[0].entry.id)
        #expect(message.path == "/Juliet_IAPManager" && message.body == Array("{\"a\":1}".utf8))
        await journal.close()
        let bytes = try folder.bytes(of: folder.journal)
        #expect(JournalFormat.Header(bytes[..<32])?.version == JournalFormat.version)
        let again = try await self.contents()
        #expect(again.requests.map(\.entry.idempotencyKey) == ["first-key", "second-key"])
        #expect(again.requests[0].progress == .init(attempts: 2, sent: 1))
    }

    @Test("a newer journal, and a file that is none, are refused and left as they are")
    func foreign() async throws {
        let newer = JournalFormat.Header(version: JournalFormat.version + 1, marker: 7).bytes + [1, 2, 3]
        for (bytes, code) in [
            (newer, QueueError.Code.newerJournal),
            (Array("A letter to somebody, longer than the header of a journal.".utf8), .notAJournal),
        ] {
            try folder.write(bytes, to: folder.journal)
            await #expect(throws: QueueError(code)) { try await Journal.open(folder.journal) }
            #expect(try folder.bytes(of: folder.journal) == bytes)
        }
    }

    @Test("whoever comes second gets an error, until the first has closed it")
    func lock() async throws {
        let (journal, _) = try await Journal.open(folder.journal)
        await #expect(throws: QueueError(.journalInUse)) { try await Journal.open(folder.journal) }
        await journal.close()
        _ = try await contents()
    }

    @Test("a compaction keeps what is needed and gives the rest back, also when one before it was cut short")
    func compaction() async throws {
        try folder.write([1, 2, 3], to: folder.journal + ".new")
        let (journal, _) = try await Journal.open(folder.journal)
        #expect(!folder.exists(folder.journal + ".new"))
        for number in 1...50 { try await journal.commit(Journal.Group([storedRequest(UInt64(number))])) }
        let before = try folder.bytes(of: folder.journal).count
        let kept = (40...42).map { Journal.Kept.request(RequestID(number: $0)) }
        let last = Journal.Kept.group(try Journal.Group([.lastID(RequestID(number: 50))]))
        let (size, damaged) = try await journal.compact(keeping: [last] + kept)
        #expect(damaged.isEmpty && size < before / 10)
        #expect(try folder.bytes(of: folder.journal).count == size)
        let message = try await journal.message(of: RequestID(number: 41))
        #expect(message.path == "/notes/ü")
        try await journal.commit(Journal.Group([storedRequest(51)]))
        await journal.close()
        let contents = try await contents()
        #expect(contents.requests.map(\.entry.id.number) == [40, 41, 42, 51])
        #expect(contents.lastID.number == 51)
    }

    @Test("appends at the same time are all there, each in one piece")
    func concurrentAppends() async throws {
        let (journal, _) = try await Journal.open(folder.journal)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...200 {
                group.addTask { try await journal.commit(Journal.Group([storedRequest(UInt64(number))])) }
            }
            try await group.waitForAll()
        }
        await journal.close()
        #expect(try await Set(numbers()) == Set(1...200))
    }

    @Test("checksums are those of CRC-32C", arguments: [("123456789", 0xE306_9283), ("", 0), ("a", 0xC1D0_4330)])
    func checksum(text: String, value: UInt32) {
        #expect(Checksum.of(Array(text.utf8)) == value)
    }
}
