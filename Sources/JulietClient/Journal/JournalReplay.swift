/// Builds a journal's contents from its records.
struct JournalReplay {
    private let quarantine: Quarantine
    /// Where the requests lie in the file.
    private(set) var places: [RequestID: Range<Int>] = [:]
    /// Where the file's whole records end.
    private(set) var end = 0
    /// Whether there was damage, and all of it is kept elsewhere.
    private(set) var isRewritable = false
    /// Whether what lies behind the whole records, if anything, is kept elsewhere.
    private(set) var isTailKept = true
    private var isDamageKept = true
    private var requests: [RequestID: JournalContents.Request] = [:]
    private var result = JournalContents()

    /// - Parameter quarantine: Where damage is kept.
    init(quarantine: Quarantine) {
        self.quarantine = quarantine
    }

    /// The contents that the records make.
    var contents: JournalContents {
        var contents = result
        contents.requests = requests.values.sorted { $0.entry.id.number < $1.entry.id.number }
        return contents
    }

    /// Takes in what lies at a place of the file.
    mutating func take(_ item: JournalScan.Item, of file: JournalFile) throws(QueueError) {
        switch item {
        case .record(let kind, let content, let place):
            do {
                apply(try StoredRecord(kind: kind, content: content), at: place)
            } catch {
                keep(Array(content))
            }
        case .damage(let range):
            keep(try file.read(at: range.lowerBound, count: range.count))
        case .end(let end):
            self.end = end
            let rest = try file.read(at: end, count: try file.size() - end)
            // Cut short while it was written, so no caller was told that it is there. It is kept aside all the
            // same, since a disk may be at fault.
            guard rest.contains(where: { $0 != 0 }) else { return }
            isTailKept = quarantine.keep(rest)
            result.damagedBytes += rest.count
        }
    }

    /// Puts damage aside.
    mutating func keep(_ bytes: [UInt8]) {
        result.damagedBytes += bytes.count
        isDamageKept = quarantine.keep(bytes) && isDamageKept
        isRewritable = isDamageKept
    }

    /// Takes a record in.
    ///
    /// - Parameter place: Where it lies in the file.
    mutating func apply(_ record: StoredRecord, at place: Range<Int>) {
        switch record {
        case .request(let entry):
            note(entry.id)
            requests[entry.id] = JournalContents.Request(entry: entry, length: place.count)
            places[entry.id] = place
        case .other(let record):
            switch record {
            case .request: break
            case .progress(let id, let progress):
                note(id)
                requests[id]?.progress = progress
            case .ended(let id, let outcome, let isDead):
                note(id)
                requests[id]?.ending = (outcome, isDead, false)
            case .told(let id):
                note(id)
                if requests[id]?.ending?.isDead == true { requests[id]?.ending?.isTold = true } else { remove(id) }
            case .removed(let id):
                note(id)
                remove(id)
            case .cancelled(let id):
                note(id)
                requests[id]?.isCancelled = true
            case .resolved(let local, let value):
                result.resolutions.append((local, value))
            case .lastID(let id):
                note(id)
            case .owner(let name):
                result.owner = name
            }
        }
    }

    private mutating func remove(_ id: RequestID) {
        requests[id] = nil
        places[id] = nil
    }

    private mutating func note(_ id: RequestID) {
        if id.number > result.lastID.number { result.lastID = id }
    }
}
