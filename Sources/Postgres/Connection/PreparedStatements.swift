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

    subscript(_ type: ObjectIdentifier) -> Entry? { entries[type] }

    mutating func add(_ type: ObjectIdentifier, _ entry: Entry) { entries[type] = entry }

    mutating func confirm(_ type: ObjectIdentifier) { entries[type]?.isReady = true }

    mutating func remove(_ type: ObjectIdentifier) { entries[type] = nil }

    mutating func removeAll() { entries = [:] }

    /// A name that is the same in every process and fits PostgreSQL's 63 bytes: the type's own name, for those who read
    /// `pg_prepared_statements`, and a digest (FNV-1a) of its full name and its SQL.
    static func name(type: String, sql: String) -> String {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in (type + "\n" + sql).utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let short = type.split(separator: ".").last ?? ""
        let letters = short.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || $0 == "_") }
        return String(String.UnicodeScalarView(letters.prefix(40))) + "_" + String(digest, radix: 16)
    }
}
