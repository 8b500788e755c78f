import Dispatch

/// What a journal holds when it is opened.
struct JournalContents: Sendable {
    /// A request that has not come to its end, or a dead letter.
    struct Request: Sendable {
        let entry: QueueEntry
        /// How many bytes of the file it takes.
        var length = 0
        var progress = JournalRecord.Progress()
        var isCancelled = false
        var ending: (outcome: QueueOutcome<HTTPResponse>, isDead: Bool, isTold: Bool)?
    }

    /// In the order they were appended.
    var requests: [Request] = []
    /// In the order they became known.
    var resolutions: [(LocalIdentifier, String)] = []
    var lastID = RequestID(number: 0)
    /// How many bytes were damaged and are in the file of damaged records now.
    var damagedBytes = 0
    /// The file's length.
    var size = 0
}

extension Journal {
    /// Opens a journal, or makes one.
    ///
    /// - Throws: `QueueError` `.journalInUse`, `.notAJournal`, `.newerJournal`, `.diskFull` or `.fileError`: nothing was
    ///   changed.
    static func open(_ path: String) async throws -> (Journal, JournalContents) {
        let queue = DispatchQueue(label: "juliet.journal", qos: .userInitiated)
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try openNow(path, queue) }) }
        }
    }

    private static func openNow(_ path: String, _ queue: DispatchQueue) throws -> (Journal, JournalContents) {
        guard let lock = try JournalFile.open(path + ".lock", .lock) else { throw QueueError(.fileError) }
        guard try lock.lock() else { throw QueueError(.journalInUse) }
        JournalFile.remove(path + ".new")

        guard let file = try JournalFile.open(path, .readWrite), try file.size() >= JournalFormat.headerLength else {
            // None, or the system stopped before there was one.
            return try create(path, queue, lock)
        }
        let header = try header(of: file)
        guard header.version <= JournalFormat.version else { throw QueueError(.newerJournal) }
        var replay = JournalReplay(version: header.version, quarantine: Quarantine(path: path))
        var scan = JournalScan(file, size: try file.size(), marker: header.marker)
        try scan.forEach { items throws(QueueError) in
            for item in items { try replay.take(item, of: file) }
        }
        let journal = Journal(
            path: path, queue: queue, lock: lock, file: file, header: header, size: replay.end,
            places: replay.places)
        var contents = replay.contents
        contents.size = replay.end
        if header.version < JournalFormat.version || replay.isRewritable {
            contents.size = try journal.rewriteNow(contents)
        } else {
            try file.truncate(to: replay.end)
        }
        return (journal, contents)
    }

    private static func create(
        _ path: String, _ queue: DispatchQueue, _ lock: JournalFile
    ) throws -> (Journal, JournalContents) {
        guard let file = try JournalFile.open(path, .create) else { throw QueueError(.fileError) }
        let header = JournalFormat.Header(marker: .random(in: .min ... .max))
        try file.write(header.bytes, at: 0)
        try file.synchronize()
        try JournalFile.synchronizeFolder(of: path)
        let journal = Journal(
            path: path, queue: queue, lock: lock, file: file, header: header, size: header.bytes.count, places: [:])
        return (journal, JournalContents(size: header.bytes.count))
    }

    /// The file's header; of a damaged one what the first record tells.
    private static func header(of file: JournalFile) throws -> JournalFormat.Header {
        let bytes = try file.read(at: 0, count: JournalFormat.headerLength + JournalFormat.recordHeaderLength)
        if let header = JournalFormat.Header(bytes.prefix(JournalFormat.headerLength)) { return header }
        var reader = ByteReader(bytes.dropFirst(JournalFormat.headerLength))
        guard let marker = try? reader.integer(UInt64.self),
            let record = JournalFormat.RecordHeader(bytes.dropFirst(JournalFormat.headerLength), marker: marker)
        else { throw QueueError(.notAJournal) }
        let first = try file.read(
            at: JournalFormat.headerLength, count: JournalFormat.recordHeaderLength + record.length)
        guard first.count == JournalFormat.recordHeaderLength + record.length,
            JournalFormat.isIntact(first[...], record)
        else { throw QueueError(.notAJournal) }
        return JournalFormat.Header(marker: marker)
    }
}

extension JournalContents {
    /// All of it, as a compaction writes it.
    func kept() throws -> [Journal.Kept] {
        var kept: [Journal.Kept] = [.group(try Journal.Group([.lastID(lastID)]))]
        for (local, value) in resolutions { kept.append(.group(try Journal.Group([.resolved(local, value)]))) }
        for request in requests {
            let id = request.entry.id
            var state: [JournalRecord] = []
            if request.progress != JournalRecord.Progress() { state.append(.progress(id, request.progress)) }
            if request.isCancelled { state.append(.cancelled(id)) }
            if let ending = request.ending {
                state.append(.ended(id, ending.outcome, isDead: ending.isDead))
                if ending.isTold { state.append(.told(id)) }
            }
            kept.append(.request(id))
            if !state.isEmpty { kept.append(.group(try Journal.Group(state))) }
        }
        return kept
    }
}
