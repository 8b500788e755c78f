/// What one session has prepared.
struct PreparedStatements {
    /// A statement's name on the server and the types of its parameters.
    struct Entry {
        let name: String
        let types: [UInt32]
        /// Whether the server has confirmed it.
        var isReady = false
    }

    /// One-off statements.
    var queries: QueryCache

    private var entries: [StatementText: Entry] = [:]
    /// How often something was forgotten: a name that somebody may still know is not used again.
    private var generation = 0

    init(queries: QueryCache = QueryCache(limit: 0, threshold: 1)) { self.queries = queries }

    subscript(_ text: StatementText) -> Entry? { entries[text] }

    /// Remembers what is about to be prepared.
    mutating func add(_ text: StatementText, types: [UInt32]) -> Entry {
        var name = text.preparedName
        if generation > 0 { name += "_\(generation)" }
        // The same text in another literal.
        if entries.values.contains(where: { $0.name == name }) { name += "_\(entries.count)a" }
        let entry = Entry(name: name, types: types)
        entries[text] = entry
        return entry
    }

    /// Hears that the server has prepared it.
    mutating func confirm(_ text: StatementText?) {
        if let text { entries[text]?.isReady = true }
    }

    /// Hears that the server has not prepared it, unless it had before.
    ///
    /// A pooler that follows prepared statements knows the name all the same, and cuts who prepares it once more.
    mutating func remove(_ text: StatementText?) {
        guard let text, entries[text]?.isReady == false else { return }
        entries[text] = nil
        generation += 1
    }

    /// Forgets everything, after `DISCARD ALL`: each statement is prepared anew, under another name.
    mutating func forgetAll() {
        entries = [:]
        generation += 1
        queries.forgetAll()
    }

    /// Forgets everything after the error of a statement that is outdated, or that the server does not have.
    mutating func forgetAll(after error: PostgresError) {
        entries = [:]
        generation += 1
        if error.sqlState == .invalidStatementName { queries.forgetAll() } else { queries.retireAll() }
    }
}
