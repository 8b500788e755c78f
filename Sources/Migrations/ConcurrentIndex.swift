/// The index a `CREATE INDEX CONCURRENTLY` or `DROP INDEX CONCURRENTLY` is about.
///
/// A concurrent build that fails leaves an invalid index behind under the name it was given (PostgreSQL manual,
/// CREATE INDEX, "Building Indexes Concurrently"); the runner has to find it.
enum ConcurrentIndex: Hashable {
    /// The index's name and its table, as SQL identifiers; the table may be qualified. No name: PostgreSQL makes one.
    case create(name: String?, table: String)
    /// The index's name as an SQL identifier, qualified or not.
    case drop(name: String)

    /// Recognises the statement; nil for any other.
    init?(_ statement: SQLStatement) {
        var words = statement.words[...]
        func skip(_ expected: String...) -> Bool {
            guard words.starts(with: expected) else { return false }
            words = words.dropFirst(expected.count)
            return true
        }
        if skip("DROP", "INDEX", "CONCURRENTLY") {
            _ = skip("IF", "EXISTS")
            guard let name = words.first else { return nil }
            self = .drop(name: name)
            return
        }
        guard skip("CREATE") else { return nil }
        _ = skip("UNIQUE")
        guard skip("INDEX", "CONCURRENTLY") else { return nil }
        _ = skip("IF", "NOT", "EXISTS")
        let name = words.first == "ON" ? nil : words.popFirst()
        guard skip("ON") else { return nil }
        _ = skip("ONLY")
        guard let table = words.first else { return nil }
        self = .create(name: name, table: table)
    }
}
