import Dispatch

/// The file behind a queue: what was appended to it is on the disk.
///
/// Appends that come while the disk is busy share one write and one wait for it. A write that fails leaves the file as
/// it was. All file work is done on a serial queue of the journal's own, off Swift's threads, in the order it was asked
/// for.
final class Journal: @unchecked Sendable {
    // Invariant: mutable state is touched on `queue` only, or before the journal is shared.

    /// Records that are written together: after a crash either all of them are there or none.
    struct Group: Sendable {
        fileprivate let records: [(kind: UInt8, content: [UInt8], request: RequestID?)]

        /// How many bytes of the file each of them takes.
        let lengths: [Int]

        /// How many all of them take.
        var length: Int { lengths.reduce(0, +) }

        /// - Throws: `QueueError` `.tooLarge`, or what keeps a message from being encoded.
        init(_ records: [JournalRecord]) throws {
            self.records = try records.map { record in
                let content = try record.content()
                guard content.count <= JournalFormat.maximumLength else { throw QueueError(.tooLarge) }
                guard case .request(let entry, _) = record else { return (record.kind, content, nil) }
                return (record.kind, content, entry.id)
            }
            lengths = self.records.map { JournalFormat.recordHeaderLength + $0.content.count }
        }
    }

    /// What a compaction writes.
    enum Kept: Sendable {
        /// A request, as it lies in the file.
        case request(RequestID)
        case group(Group)
    }

    /// Where the file lies.
    let path: String

    private struct Staged {
        let group: Group
        let completion: (@Sendable (Result<Void, QueueError>) -> Void)?
    }

    private let queue: DispatchQueue
    /// Locked for this journal alone.
    private var file: JournalFile?
    /// Whether a power cut may undo the file's rename: its folder is not on the disk yet.
    private var isFolderBehind = false
    private var marker: UInt64
    /// The valid length of the file: what a failed write left lies behind it.
    private var size: Int
    private var places: [RequestID: Range<Int>]
    /// Whether the file's torn end has been put aside: the next write takes its place.
    private var isTailKept: Bool
    private var staged: [Staged] = []
    private var isFlushScheduled = false

    /// Takes over a file that was read.
    ///
    /// - Parameter isTailKept: Whether what lies behind `size`, if anything, has been put aside.
    init(
        path: String, queue: DispatchQueue, file: JournalFile, header: JournalFormat.Header, size: Int,
        places: [RequestID: Range<Int>], isTailKept: Bool = true
    ) {
        self.path = path
        self.queue = queue
        self.file = file
        marker = header.marker
        self.size = size
        self.places = places
        self.isTailKept = isTailKept
    }

    // MARK: What a queue asks for

    /// Appends records, and returns when they are on the disk.
    ///
    /// - Throws: `QueueError` `.diskFull`, `.fileError`, `.journalGone` or `.closed`: nothing was appended.
    func commit(_ group: Group) async throws(QueueError) {
        let result: Result<Void, QueueError> = await withCheckedContinuation { continuation in
            queue.async { self.stage(Staged(group: group) { continuation.resume(returning: $0) }) }
        }
        try result.get()
    }

    /// Appends records soon: a crash of the process does not lose them once they are in the file, a crash of the system
    /// may. What the disk has no room for is kept in memory and written when it has.
    func note(_ group: Group) {
        queue.async { self.stage(Staged(group: group, completion: nil)) }
    }

    /// Reads a request's message. Records noted before are in the file by then.
    ///
    /// - Throws: `QueueError` `.fileError` or `.closed`; `DamagedRecord` if the record is not what was written.
    func message(of id: RequestID) async throws -> RequestMessage {
        try await onQueue {
            self.flush()
            return try self.messageInFile(id)
        }
    }

    /// Forgets where a request lies.
    func forget(_ id: RequestID) {
        queue.async { self.places[id] = nil }
    }

    /// Writes what is kept to a new file and puts it in the place of the old one.
    ///
    /// - Returns: The new length, and the requests whose records are damaged; they are in the file of damaged records.
    /// - Throws: `QueueError`: the old file is still there.
    func compact(keeping kept: [Kept]) async throws -> (size: Int, damaged: [RequestID]) {
        try await onQueue {
            self.flush()
            return try self.rewrite(kept)
        }
    }

    /// Writes what is noted and closes the file. Others may then open it.
    func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.flush()
                try? self.file?.synchronize()
                try? self.synchronizeFolder()
                self.file?.unlock()
                self.file = nil
                continuation.resume()
            }
        }
    }

    /// Writes contents anew, before the journal is shared.
    ///
    /// - Returns: The new length.
    func rewriteNow(_ contents: JournalContents) throws -> Int {
        try rewrite(contents.kept()).size
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    // MARK: Writing

    private func stage(_ group: Staged) {
        staged.append(group)
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        // Behind everything that waits by now, so that it is written together.
        queue.async { self.flush() }
    }

    private func flush() {
        isFlushScheduled = false
        guard !staged.isEmpty else { return }
        let groups = staged
        staged = []
        if write(groups) == nil { return }
        // One by one, so that a large one that fails does not take the small ones with it.
        for group in groups {
            // A note is lost only with the process: it is written later, and no later note before it.
            if group.completion == nil, !staged.isEmpty {
                staged.append(group)
                continue
            }
            guard let error = write([group]) else { continue }
            if let completion = group.completion { completion(.failure(error)) } else { staged.append(group) }
        }
    }

    /// Writes groups, all or none, and resumes the callers that wait if it succeeds.
    private func write(_ groups: [Staged]) -> QueueError? {
        guard let file else { return QueueError(.closed) }
        do throws(QueueError) {
            try keepTail(of: file)
        } catch {
            return error
        }
        var bytes: [UInt8] = []
        var added: [(RequestID, Range<Int>)] = []
        for group in groups {
            for (index, record) in group.group.records.enumerated() {
                let start = size + bytes.count
                bytes += JournalFormat.record(
                    kind: record.kind, part: .init(index, of: group.group.records.count), content: record.content,
                    marker: marker)
                if let id = record.request { added.append((id, start..<size + bytes.count)) }
            }
        }
        do throws(QueueError) {
            try file.write(bytes, at: size)
            if groups.contains(where: { $0.completion != nil }) {
                try file.synchronize()
                try synchronizeFolder()
                // Otherwise it would be on the disk and nobody would find it.
                guard try file.isCalled(path) else { throw QueueError(.journalGone) }
            }
        } catch {
            // If this fails too, the next write begins at the same place.
            try? file.truncate(to: size)
            return error
        }
        size += bytes.count
        for (id, place) in added { places[id] = place }
        for group in groups { group.completion?(.success(())) }
        return nil
    }

    /// Puts the file's torn end aside, if there was no room for that when it was opened.
    private func keepTail(of file: JournalFile) throws(QueueError) {
        guard !isTailKept else { return }
        try Quarantine(path: path).put(try file.read(at: size, count: try file.size() - size))
        isTailKept = true
    }

    /// Makes a compaction's rename outlive a power cut: if it were undone, later appends would be lost.
    private func synchronizeFolder() throws(QueueError) {
        guard isFolderBehind else { return }
        try JournalFile.synchronizeFolder(of: path)
        isFolderBehind = false
    }

    // MARK: Reading and compacting

    /// The content of a request's record.
    private func recordInFile(of id: RequestID) throws -> ArraySlice<UInt8> {
        guard let file else { throw QueueError(.closed) }
        guard let place = places[id] else { throw DamagedRecord(isKept: true) }
        let bytes = try file.read(at: place.lowerBound, count: place.count)
        guard bytes.count == place.count, let header = JournalFormat.RecordHeader(bytes.prefix(20), marker: marker),
            JournalFormat.isIntact(bytes[...], header)
        else {
            throw DamagedRecord(isKept: Quarantine(path: path).keep(bytes))
        }
        return bytes.dropFirst(JournalFormat.recordHeaderLength)
    }

    private func messageInFile(_ id: RequestID) throws -> RequestMessage {
        let content = try recordInFile(of: id)
        var reader = ByteReader(content)
        do {
            _ = try QueueEntry.read(from: &reader)
            return try RequestMessage(from: &reader)
        } catch {
            throw DamagedRecord(isKept: Quarantine(path: path).keep(content))
        }
    }

    /// The content of a request's record; nil: it is damaged, and put aside.
    ///
    /// - Throws: `QueueError`; `.fileError` also if a damaged one could not be put aside: the file has the only copy.
    private func intactRecord(of id: RequestID) throws -> ArraySlice<UInt8>? {
        do {
            return try recordInFile(of: id)
        } catch let error as DamagedRecord {
            guard error.isKept else { throw QueueError(.fileError) }
            return nil
        }
    }

    private func rewrite(_ kept: [Kept]) throws -> (size: Int, damaged: [RequestID]) {
        // Another hard link would keep leading to the old file.
        guard let file, try !file.hasOtherNames() else { throw QueueError(.fileError) }
        // What has taken its place is not this journal's to replace.
        guard try file.isCalled(path) else { throw QueueError(.journalGone) }
        try keepTail(of: file)
        let path = path + ".new"
        let header = JournalFormat.Header(marker: .random(in: .min ... .max))
        guard let new = try JournalFile.open(path, .create), try new.lock() else { throw QueueError(.fileError) }
        var bytes = header.bytes
        var written = 0
        var newPlaces: [RequestID: Range<Int>] = [:]
        var damaged: [RequestID] = []
        do {
            for kept in kept {
                switch kept {
                case .request(let id):
                    guard let content = try intactRecord(of: id) else {
                        damaged.append(id)
                        continue
                    }
                    let start = written + bytes.count
                    bytes += JournalFormat.record(
                        kind: JournalRecord.requestKind, part: .whole, content: content, marker: header.marker)
                    newPlaces[id] = start..<written + bytes.count
                case .group(let group):
                    for (index, record) in group.records.enumerated() {
                        bytes += JournalFormat.record(
                            kind: record.kind, part: .init(index, of: group.records.count), content: record.content,
                            marker: header.marker)
                    }
                }
                if bytes.count > 1 << 20 {
                    try new.write(bytes, at: written)
                    written += bytes.count
                    bytes = []
                }
            }
            try new.write(bytes, at: written)
            written += bytes.count
            try new.synchronize()
            try JournalFile.replace(self.path, with: path)
        } catch {
            JournalFile.remove(path)
            throw error
        }
        self.file = new
        marker = header.marker
        size = written
        // Notes that could not be written so far are part of the contents.
        staged.removeAll { $0.completion == nil }
        places = newPlaces
        // If that fails, the next append does it, or fails.
        isFolderBehind = true
        try? synchronizeFolder()
        return (written, damaged)
    }
}

/// A record that is not what was written.
struct DamagedRecord: Error {
    /// Whether it lies in the file of damaged records.
    let isKept: Bool
}

/// The file beside a journal that keeps what could not be read, for people.
struct Quarantine {
    /// The journal's path.
    let path: String

    /// Adds bytes to the file.
    ///
    /// - Returns: Whether they are there for good.
    @discardableResult
    func keep(_ bytes: some Collection<UInt8>) -> Bool {
        do throws(QueueError) {
            try put(bytes)
            return true
        } catch {
            return false
        }
    }

    /// Adds bytes to the file.
    ///
    /// - Throws: `QueueError`: they are not there.
    func put(_ bytes: some Collection<UInt8>) throws(QueueError) {
        guard let file = try JournalFile.open(path + ".damaged", .append) else { throw QueueError(.fileError) }
        let size = try file.size()
        do throws(QueueError) {
            try file.write(Array(bytes), at: size)
            try file.synchronize()
        } catch {
            try? file.truncate(to: size)
            throw error
        }
    }
}
