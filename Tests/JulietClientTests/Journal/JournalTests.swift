import Foundation
import Testing

@testable import JulietClient

@Suite("Journal")
struct JournalTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func numbers() async throws -> [UInt64] {
        try await folder.contents().requests.map(\.entry.id.number)
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
        journal.note(try Journal.Group([.progress(ids[0], .init(attempts: 4, answers: 3, isInFlight: true))]))
        journal.note(try Journal.Group([.resolved(local, "42"), .ended(ids[1], .success(answer), isDead: false)]))
        journal.note(try Journal.Group([.ended(ids[2], .failure(refusal), isDead: true), .told(ids[2])]))
        journal.note(try Journal.Group([.removed(ids[3]), .cancelled(ids[4])]))
        await journal.close()

        let contents = try await folder.contents()
        #expect(contents.requests.map(\.entry.id) == [ids[0], ids[1], ids[2], ids[4]])
        #expect(contents.requests[0].progress == .init(attempts: 4, answers: 3, isInFlight: true))
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

    @Test("any byte wrong: at most its request is missing, put aside and reported")
    func damage() async throws {
        try await makeJournal(folder.journal, 1...4)
        let whole = try folder.bytes(of: folder.journal)
        let record = (whole.count - JournalFormat.headerLength) / 4
        for offset in stride(from: 0, to: whole.count, by: 5) {
            var bytes = whole
            bytes[offset] ^= UInt8(1 << (offset % 8))
            try folder.write(bytes, to: folder.journal)
            try? FileManager.default.removeItem(atPath: folder.journal + ".damaged")
            let contents = try await folder.contents()
            var expected: [UInt64] = [1, 2, 3, 4]
            if offset >= JournalFormat.headerLength {
                let index = (offset - JournalFormat.headerLength) / record
                expected.remove(at: index)
                let kept = try folder.bytes(of: folder.journal + ".damaged")
                #expect(kept.count <= record, "byte \(offset)")
            }
            // The header's last four bytes mean nothing.
            #expect(contents.damagedBytes > 0 || (28..<32).contains(offset), "byte \(offset)")
            #expect(contents.requests.map(\.entry.id.number) == expected, "byte \(offset)")
            // It is put aside once.
            #expect(try await folder.contents().damagedBytes == 0, "byte \(offset)")
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

    @Test("a newer journal, an older one, and a file that is no journal are refused and left as they are")
    func foreign() async throws {
        let newer = JournalFormat.Header(version: JournalFormat.version + 1, marker: 7).bytes + [1, 2, 3]
        let older = JournalFormat.Header(version: JournalFormat.version - 1, marker: 7).bytes + [1, 2, 3]
        for (bytes, code) in [
            (newer, QueueError.Code.newerJournal), (older, .olderJournal),
            (Array("A letter to somebody, longer than the header of a journal.".utf8), .notAJournal),
        ] {
            try folder.write(bytes, to: folder.journal)
            await #expect(throws: QueueError(code)) { try await Journal.open(folder.journal) }
            #expect(try folder.bytes(of: folder.journal) == bytes)
        }
    }

    @Test("what an older journal holds is put aside when it is salvaged, and then it is an empty journal")
    func olderJournal() async throws {
        try await makeJournal(folder.journal, 1...2)
        var bytes = try folder.bytes(of: folder.journal)
        let marker = try #require(JournalFormat.Header(bytes[..<32])?.marker)
        bytes.replaceSubrange(
            ..<32, with: JournalFormat.Header(version: JournalFormat.version - 1, marker: marker).bytes)
        try folder.write(bytes, to: folder.journal)
        await #expect(throws: QueueError(.olderJournal)) { try await Journal.open(folder.journal) }
        #expect(try await Journal.salvage(folder.journal) == bytes.count)
        #expect(try folder.bytes(of: folder.journal + ".damaged") == bytes)
        #expect(try await folder.contents().requests.isEmpty)
        // A journal of this version stays as it is, and so does a newer one.
        try await makeJournal(folder.journal, 1...2)
        #expect(try await Journal.salvage(folder.journal) == 0)
        #expect(try await folder.contents().requests.count == 2)
        let newer = JournalFormat.Header(version: JournalFormat.version + 1, marker: 7).bytes + [1, 2, 3]
        try folder.write(newer, to: folder.journal)
        #expect(try await Journal.salvage(folder.journal) == 0)
        #expect(try folder.bytes(of: folder.journal) == newer)
    }

    @Test("a second opening is an error until the first has closed the journal")
    func lock() async throws {
        let (journal, _) = try await Journal.open(folder.journal)
        await #expect(throws: QueueError(.journalInUse)) { try await Journal.open(folder.journal) }
        await journal.close()
        _ = try await folder.contents()
    }

    // MARK: The edges

    @Test(
        "any byte wrong in requests that were appended together, at the file's end: the other one is there, all is told"
    )
    func damagedGroup() async throws {
        try await makeJournal(folder.journal, 1...1)
        let start = try folder.bytes(of: folder.journal).count
        let (journal, _) = try await Journal.open(folder.journal)
        try await journal.commit(Journal.Group([storedRequest(2), storedRequest(3)]))
        await journal.close()
        let whole = try folder.bytes(of: folder.journal)
        let middle = start + (whole.count - start) / 2
        for offset in stride(from: start, to: whole.count, by: 3) {
            for bit in [offset % 8, (offset + 3) % 8] {
                var bytes = whole
                bytes[offset] ^= UInt8(1 << bit)
                try folder.write(bytes, to: folder.journal)
                let contents = try await folder.contents()
                let expected: [UInt64] = offset < middle ? [1, 3] : [1, 2]
                #expect(contents.requests.map(\.entry.id.number) == expected, "byte \(offset), bit \(bit)")
                #expect(contents.damagedBytes > 0, "byte \(offset), bit \(bit)")
                #expect(try await folder.contents().damagedBytes == 0, "byte \(offset), bit \(bit)")
            }
        }
        // Half of it never came to the disk: nobody was told that any of it is there.
        var torn = whole
        torn.replaceSubrange((whole.count - 20)..., with: repeatElement(0, count: 20))
        try folder.write(torn, to: folder.journal)
        let contents = try await folder.contents()
        #expect(contents.requests.map(\.entry.id.number) == [1] && contents.damagedBytes > 0)
    }

    @Test(
        "a group with a record that reads as zeros is not there at all, whatever lies behind it", arguments: [0, 1, 2],
        [false, true])
    func hole(index: Int, isLast: Bool) async throws {
        try await makeJournal(folder.journal, 1...1)
        let start = try folder.bytes(of: folder.journal).count
        let (journal, _) = try await Journal.open(folder.journal)
        let group = try Journal.Group((2...4).map { storedRequest($0) })
        try await journal.commit(group)
        if !isLast { try await journal.commit(Journal.Group([storedRequest(5), storedRequest(6)])) }
        await journal.close()
        var bytes = try folder.bytes(of: folder.journal)
        let place = start + group.lengths[..<index].reduce(0, +)
        bytes.replaceSubrange(place..<place + group.lengths[index], with: repeatElement(0, count: group.lengths[index]))
        try folder.write(bytes, to: folder.journal)
        let contents = try await folder.contents()
        #expect(contents.requests.map(\.entry.id.number) == (isLast ? [1] : [1, 5, 6]))
        #expect(contents.damagedBytes > 0)
        #expect(folder.exists(folder.journal + ".damaged"))
        try await goesOn(with: isLast ? [1] : [1, 5, 6])
    }

    @Test("a block of zeros in a group is a hole too", arguments: [false, true])
    func blank(isLast: Bool) async throws {
        try await makeJournal(folder.journal, 1...1)
        let start = try folder.bytes(of: folder.journal).count
        let (journal, _) = try await Journal.open(folder.journal)
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 3000)
        try await journal.commit(Journal.Group([storedRequest(2, body: body), storedRequest(3)]))
        if !isLast { try await journal.commit(Journal.Group([storedRequest(4)])) }
        await journal.close()
        var bytes = try folder.bytes(of: folder.journal)
        bytes.replaceSubrange(start + 1000..<start + 1512, with: repeatElement(0, count: 512))
        try folder.write(bytes, to: folder.journal)
        let contents = try await folder.contents()
        #expect(contents.requests.map(\.entry.id.number) == (isLast ? [1] : [1, 4]))
        #expect(contents.damagedBytes > 3000)
    }

    @Test("without its beginning a journal is read from the first intact record on", arguments: [1, 31, 32, 512, 4096])
    func zeroedBeginning(count: Int) async throws {
        try await makeJournal(folder.journal, 1...40)
        var bytes = try folder.bytes(of: folder.journal)
        let record = (bytes.count - JournalFormat.headerLength) / 40
        bytes.replaceSubrange(..<count, with: repeatElement(0, count: count))
        try folder.write(bytes, to: folder.journal)
        let contents = try await folder.contents()
        let lost = max(0, count - JournalFormat.headerLength + record - 1) / record
        let numbers = contents.requests.map(\.entry.id.number)
        #expect(numbers.last == 40 && 40 - numbers.count <= lost + 1 && 40 - numbers.count >= lost - 1)
        #expect(contents.damagedBytes >= count)
        try await goesOn(with: numbers)
    }

    @Test("a file of zeros is reported, and becomes a journal again", arguments: [32, 4096, 3_000_000])
    func zeros(count: Int) async throws {
        try folder.write([UInt8](repeating: 0, count: count), to: folder.journal)
        #expect(try await folder.contents().damagedBytes == count)
        try await goesOn(with: [])
    }

    @Test("a damaged header without records is reported, and the journal goes on")
    func damagedHeader() async throws {
        try await contentsOfNew()
        let whole = try folder.bytes(of: folder.journal)
        for offset in 0..<28 {
            var bytes = whole
            bytes[offset] ^= 4
            try folder.write(bytes, to: folder.journal)
            #expect(try await folder.contents().damagedBytes > 0, "byte \(offset)")
            try await goesOn(with: [])
            try FileManager.default.removeItem(atPath: folder.journal)
        }
    }

    private func contentsOfNew() async throws { #expect(try await folder.contents().damagedBytes == 0) }

    /// The journal takes what comes, and nothing more is wrong with it.
    private func goesOn(with numbers: [UInt64]) async throws {
        let (journal, _) = try await Journal.open(folder.journal)
        try await journal.commit(Journal.Group([storedRequest(99)]))
        await journal.close()
        let contents = try await folder.contents()
        #expect(contents.requests.map(\.entry.id.number) == numbers + [99] && contents.damagedBytes == 0)
    }

    @Test(
        "whatever of a compaction's rename outlives a power cut, the journal is the old or the new file",
        arguments: ["old and new", "new alone", "empty and new", "zeros and new", "old and half of new"])
    func renames(left: String) async throws {
        try await makeJournal(folder.journal, 1...3)
        let whole = try folder.bytes(of: folder.journal)
        let new = folder.journal + ".new"
        try folder.write(left == "old and half of new" ? Array(whole.prefix(200)) : whole, to: new)
        switch left {
        case "new alone": try FileManager.default.removeItem(atPath: folder.journal)
        case "empty and new": try folder.write([], to: folder.journal)
        case "zeros and new": try folder.write([UInt8](repeating: 0, count: whole.count), to: folder.journal)
        default: break
        }
        #expect(try await numbers() == [1, 2, 3])
        #expect(!folder.exists(new))
        try await goesOn(with: [1, 2, 3])
    }

    @Test("the lock is on the file: no other name leads past it, and a link stays one")
    func otherNames() async throws {
        let link = folder.path + "/link"
        let twin = folder.path + "/twin"
        try await makeJournal(folder.journal, 1...3)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.journal)
        let (journal, contents) = try await Journal.open(link)
        for path in [link, folder.journal] {
            await #expect(throws: QueueError(.journalInUse)) { try await Journal.open(path) }
        }
        let (size, _) = try await journal.compact(keeping: contents.kept())
        await #expect(throws: QueueError(.journalInUse)) { try await Journal.open(folder.journal) }
        try await journal.commit(Journal.Group([storedRequest(4)]))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == folder.journal)
        #expect(try folder.bytes(of: folder.journal).count > size)

        try FileManager.default.linkItem(atPath: folder.journal, toPath: twin)
        await #expect(throws: QueueError(.journalInUse)) { try await Journal.open(twin) }
        // The other name would keep the old file.
        await #expect(throws: QueueError(.fileError)) { try await journal.compact(keeping: contents.kept()) }
        try await journal.commit(Journal.Group([storedRequest(5)]))
        await journal.close()
        #expect(try folder.bytes(of: folder.journal) == folder.bytes(of: twin))
        #expect(try await numbers() == [1, 2, 3, 4, 5])
    }

    @Test("a file that is no journal becomes one when asked, and what it held is kept")
    func salvage() async throws {
        let letter = Array("A letter to somebody, longer than the header of a journal.".utf8)
        try folder.write(letter, to: folder.journal)
        await #expect(throws: QueueError(.notAJournal)) { try await Journal.open(folder.journal) }
        #expect(try await RequestQueue.salvage(folder.journal) == letter.count)
        #expect(try folder.bytes(of: folder.journal + ".damaged") == letter)
        try await goesOn(with: [])
        #expect(try await RequestQueue.salvage(folder.journal) == 0)
        #expect(try await numbers() == [99])
        let newer = JournalFormat.Header(version: JournalFormat.version + 1, marker: 7).bytes
        try folder.write(newer, to: folder.journal)
        #expect(try await RequestQueue.salvage(folder.journal) == 0)
        #expect(try folder.bytes(of: folder.journal) == newer)
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
        let contents = try await folder.contents()
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
