/// Which one-off statements a session prepares: those that come again and again, as many as a limit allows, the least
/// recently used of which makes room for the next. It does no I/O.
struct QueryCache {
    /// A statement: its text, and the types of its parameters, which another call may give otherwise.
    struct Key: Hashable {
        let sql: String
        let types: [UInt32]
    }

    /// How a statement is to be sent.
    enum Use: Equatable {
        case unnamed
        /// It is to be prepared under the name first.
        case prepare(name: String)
        case prepared(name: String)
    }

    private struct Entry {
        let name: String
        var usedAt: Int
    }

    /// A longer text is not kept, in bytes.
    private static let longestText = 32 * 1024

    private let limit: Int
    private let threshold: Int
    private var entries: [Key: Entry] = [:]
    /// How often what is not prepared has come, and when it came last.
    private var counts: [Key: (uses: Int, usedAt: Int)] = [:]
    private var time = 0
    private var lastName = 0
    /// The names of what is to be closed on the server, the oldest first.
    private(set) var evicted: [String] = []
    /// Whether the transaction that is open may have changed the schema.
    private var mayRollBackSchema = false

    /// - Parameter limit: How many statements may be prepared; 0: none.
    /// - Parameter threshold: At which use a statement is prepared, 1 or more.
    init(limit: Int, threshold: Int) {
        self.limit = max(0, limit)
        self.threshold = max(1, threshold)
    }

    /// How many statements are prepared.
    var count: Int { entries.count }

    /// Whether it is remembered how often a statement has come.
    func isCounted(_ key: Key) -> Bool { counts[key] != nil }

    /// Notes that a statement is about to be sent.
    mutating func use(_ key: Key) -> Use {
        guard limit > 0 else { return .unnamed }
        time += 1
        if let entry = entries[key] {
            entries[key]?.usedAt = time
            return .prepared(name: entry.name)
        }
        // What has no plan gains nothing.
        guard key.sql.utf8.count <= Self.longestText, CommandKind(key.sql) == .preparable else { return .unnamed }
        let uses = (counts[key]?.uses ?? 0) + 1
        guard uses >= threshold else {
            counts[key] = (uses, time)
            trim()
            return .unnamed
        }
        counts[key] = nil
        if entries.count >= limit, let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt }) {
            entries[oldest.key] = nil
            evicted.append(oldest.value.name)
        }
        lastName += 1
        let name = "query_\(lastName)"
        entries[key] = Entry(name: name, usedAt: time)
        return .prepare(name: name)
    }

    /// Hears that the server has not prepared it. It is as if it had never come.
    mutating func remove(_ key: Key) { entries[key] = nil }

    /// Hears that the server has closed what has the name.
    mutating func closed(_ name: String) { evicted.removeAll { $0 == name } }

    /// Has everything prepared anew when it comes next, and what is prepared closed.
    mutating func retireAll() {
        for (key, entry) in entries {
            evicted.append(entry.name)
            counts[key] = (threshold, entry.usedAt)
        }
        entries = [:]
        mayRollBackSchema = true
        trim()
    }

    /// Forgets the oldest of the texts that are counted, half at a time, so that looking for them costs nothing to speak of.
    private mutating func trim() {
        guard counts.count > 2 * limit else { return }
        for (key, _) in counts.sorted(by: { $0.value.usedAt < $1.value.usedAt }).dropLast(limit) { counts[key] = nil }
    }

    /// Hears that the open transaction, or the part behind a savepoint, is undone: what was prepared since it changed the
    /// schema has plans of one that never was.
    mutating func rolledBack() {
        if mayRollBackSchema { retireAll() }
    }

    /// Hears that the open transaction was committed.
    mutating func committed() { mayRollBackSchema = false }

    /// Hears that no transaction is open. One that was not committed is undone, whatever the server said at its end.
    mutating func isOutsideTransaction() {
        rolledBack()
        mayRollBackSchema = false
    }

    /// Hears that the server has dropped everything.
    mutating func forgetAll() {
        retireAll()
        evicted = []
    }
}
