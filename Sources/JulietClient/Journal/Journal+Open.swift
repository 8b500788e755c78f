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
    /// In the order in which they became known.
    var resolutions: [(LocalIdentifier, String)] = []
    var lastID = RequestID(number: 0)
    /// Whose requests these are; nil: anybody's.
    var owner: String?
    /// How many bytes were damaged and are in the file of damaged records now.
    var damagedBytes = 0
    /// The file's length.
    var size = 0
}

extension Journal {
    /// Opens a journal, or makes one.
    ///
    /// - Throws: `QueueError` `.journalInUse`, `.notAJournal`, `.olderJournal`, `.newerJournal`, `.diskFull` or
    ///   `.fileError`: nothing was changed.
    static func open(_ path: String) async throws -> (Journal, JournalContents) {
        let queue = DispatchQueue(label: "juliet.journal", qos: .userInitiated)
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try openNow(path, queue) }) }
        }
    }

    /// Makes a journal of a file that is no journal, for instance because its beginning was overwritten, or one of an older
    /// version.
    ///
    /// What the file holds goes to the file of damaged records; then it is an empty journal. A journal that can be opened
    /// is left as it is: what is intact in it is read anyway.
    /// - Returns: How many bytes were put aside.
    /// - Throws: `QueueError` `.journalInUse`, `.diskFull` or `.fileError`: nothing was changed.
    static func salvage(_ path: String) async throws -> Int {
        let queue = DispatchQueue(label: "juliet.journal", qos: .userInitiated)
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try salvageNow(path) }) }
        }
    }

    private static func salvageNow(_ path: String) throws -> Int {
        let file = try JournalFile.openLocked(path)
        let path = JournalFile.resolved(path)
        defer { file.unlock() }
        let size = try file.size()
        switch try Beginning(of: file) {
        case .foreign: break
        case .journal(let header, _) where header.version < JournalFormat.version: break
        case .empty, .zeros, .journal: return 0
        }
        guard Quarantine(path: path).keep(try file.read(at: 0, count: size)) else { throw QueueError(.fileError) }
        try makeEmpty(file)
        return size
    }

    private static func openNow(_ name: String, _ queue: DispatchQueue) throws -> (Journal, JournalContents) {
        var file = try JournalFile.openLocked(name)
        let path = JournalFile.resolved(name)
        var beginning = try Beginning(of: file)
        if beginning.isNothing, let new = try finished(path + ".new") {
            // The system stopped in the middle of a compaction, and the new file is all there is.
            try JournalFile.replace(path, with: path + ".new")
            try JournalFile.synchronizeFolder(of: path)
            file = new
            beginning = try Beginning(of: file)
        }

        switch beginning {
        case .foreign: throw QueueError(.notAJournal)
        case .empty, .zeros:
            let size = try file.size()
            JournalFile.remove(path + ".new")
            let header = try makeEmpty(file)
            try JournalFile.synchronizeFolder(of: path)
            let journal = Journal(
                path: path, queue: queue, file: file, header: header, size: JournalFormat.headerLength, places: [:])
            var contents = JournalContents(size: JournalFormat.headerLength)
            if case .zeros = beginning { contents.damagedBytes = size }
            return (journal, contents)
        case .journal(let header, let isIntact):
            guard header.version <= JournalFormat.version else { throw QueueError(.newerJournal) }
            guard header.version >= JournalFormat.version else { throw QueueError(.olderJournal) }
            JournalFile.remove(path + ".new")
            return try read(path, queue, file, header, isIntact: isIntact)
        }
    }

    private static func read(
        _ path: String, _ queue: DispatchQueue, _ file: JournalFile, _ header: JournalFormat.Header, isIntact: Bool
    ) throws -> (Journal, JournalContents) {
        var replay = JournalReplay(quarantine: Quarantine(path: path))
        if !isIntact { replay.keep(try file.read(at: 0, count: JournalFormat.headerLength)) }
        var scan = JournalScan(file, size: try file.size(), marker: header.marker)
        try scan.forEach { items throws(QueueError) in
            for item in items { try replay.take(item, of: file) }
        }
        let journal = Journal(
            path: path, queue: queue, file: file, header: header, size: replay.end, places: replay.places,
            isTailKept: replay.isTailKept)
        var contents = replay.contents
        contents.size = replay.end
        if replay.isRewritable && replay.isTailKept, try !file.hasOtherNames() {
            contents.size = try journal.rewriteNow(contents)
        } else if replay.isTailKept {
            try file.truncate(to: replay.end)
        }
        return (journal, contents)
    }

    /// Writes a header, and nothing behind it.
    @discardableResult
    private static func makeEmpty(_ file: JournalFile) throws -> JournalFormat.Header {
        let header = JournalFormat.Header(marker: .random(in: .min ... .max))
        try file.truncate(to: 0)
        try file.write(header.bytes, at: 0)
        try file.synchronize()
        return header
    }

    /// A file that a compaction wrote, completely or in part, and that no other process has locked.
    private static func finished(_ path: String) throws -> JournalFile? {
        guard let file = try JournalFile.open(path, .readWrite), try file.lock() else { return nil }
        guard case .journal(_, isIntact: true) = try Beginning(of: file) else { return nil }
        return file
    }
}

/// How a file begins.
private enum Beginning {
    /// There is nothing yet, or the beginning of a header that was being written when the system stopped.
    case empty
    /// The file has a length, but none of its bytes came to the disk.
    case zeros
    /// A journal. If its header is damaged the records tell what is needed.
    case journal(JournalFormat.Header, isIntact: Bool)
    /// Something else.
    case foreign

    var isNothing: Bool {
        switch self {
        case .empty, .zeros: true
        case .journal, .foreign: false
        }
    }

    init(of file: JournalFile) throws(QueueError) {
        let bytes = try file.read(at: 0, count: JournalFormat.headerLength)
        let size = try file.size()
        if let header = JournalFormat.Header(bytes[...]) {
            self = .journal(header, isIntact: true)
        } else if let marker = try JournalScan.marker(in: file, size: size) {
            self = .journal(JournalFormat.Header(marker: marker), isIntact: false)
        } else if try JournalScan.isBlank(file, size: size) {
            self = size < JournalFormat.headerLength ? .empty : .zeros
        } else if JournalFormat.Header.isBeginning(bytes) {
            // No record came to the disk, or none is left.
            self =
                size < JournalFormat.headerLength
                ? .empty : .journal(JournalFormat.Header(marker: .random(in: .min ... .max)), isIntact: false)
        } else {
            self = .foreign
        }
    }
}

extension JournalContents {
    /// All of it, as a compaction writes it.
    func kept() throws -> [Journal.Kept] {
        var kept: [Journal.Kept] = [.group(try Journal.Group([.lastID(lastID)]))]
        if let owner { kept.append(.group(try Journal.Group([.owner(owner)]))) }
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
