/// What one session has prepared, by the type of the statement.
struct PreparedStatements {
    /// A statement's name on the server and the types of its parameters.
    struct Entry {
        let name: String
        let types: [UInt32]
        /// Whether the server has confirmed it.
        var isReady = false
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    /// How often something was forgotten: a name that somebody may still know is not used again.
    private var generation = 0

    subscript(_ type: ObjectIdentifier) -> Entry? { entries[type] }

    /// Remembers what is about to be prepared.
    mutating func add(_ type: ObjectIdentifier, of submission: Submission, types: [UInt32]) -> Entry {
        var name = Self.name(type: submission.typeName, sql: submission.sql)
        if generation > 0 { name += "_\(generation)" }
        let entry = Entry(name: name, types: types)
        entries[type] = entry
        return entry
    }

    /// Hears that the server has prepared it.
    mutating func confirm(_ type: ObjectIdentifier?) {
        if let type { entries[type]?.isReady = true }
    }

    /// Hears that the server has not prepared it, unless it had before.
    ///
    /// A pooler that follows prepared statements knows the name all the same, and cuts who prepares it once more.
    mutating func remove(_ type: ObjectIdentifier?) {
        guard let type, entries[type]?.isReady == false else { return }
        entries[type] = nil
        generation += 1
    }

    /// Forgets everything, after a migration or `DISCARD ALL`: each statement is prepared anew, under another name.
    mutating func forgetAll() {
        entries = [:]
        generation += 1
    }

    /// A name that is the same in every process and fits PostgreSQL's 63 bytes: the type's own name, for those who read
    /// `pg_prepared_statements`, and a digest (FNV-1a) of its full name and its SQL.
    static func name(type: String, sql: String) -> String {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in (type + "\n" + sql).utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let short = type.split(separator: ".").last ?? ""
        let letters = short.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || $0 == "_") }
        return String(String.UnicodeScalarView(letters.prefix(32))) + "_" + String(digest, radix: 16)
    }
}
