/// What a connection prepares once: the SQL that the values of a type of statement have, or some of them.
///
/// Two are equal when they are of one type and their SQL is the same literal. The same text in two literals is two, which
/// costs one more `PREPARE`.
struct StatementText: Sendable {
    let type: any Statement.Type
    let sql: StaticString

    /// What people call it: the function that it calls, such as `pay_for_game`, or else the name of its type. Looked up by
    /// the runtime, which takes its time.
    var name: String { Self.function(in: sql.description) ?? String(describing: type) }

    /// A name that is the same in every process and fits PostgreSQL's 63 bytes: a short one, for those who read
    /// `pg_prepared_statements`, and a digest (FNV-1a) of the type's full name and the SQL.
    var preparedName: String { Self.preparedName(type: String(reflecting: type), sql: sql.description) }

    static func preparedName(type: String, sql: String) -> String {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in (type + "\n" + sql).utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let short = function(in: sql) ?? String(type.split(separator: ".").last ?? "")
        let letters = short.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || $0 == "_") }
        return String(String.UnicodeScalarView(letters.prefix(32))) + "_" + String(digest, radix: 16)
    }

    /// The function in `SELECT schema.function(…`; `nil`: the SQL is another.
    private static func function(in sql: String) -> String? {
        guard sql.hasPrefix("SELECT "), let end = sql.firstIndex(of: "(") else { return nil }
        let called = sql[..<end].dropFirst("SELECT ".count).split(separator: ".", omittingEmptySubsequences: false)
        guard called.count == 2, called.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0 == "_" } }) else {
            return nil
        }
        return String(called[1])
    }
}

extension StatementText: Hashable {
    static func == (left: StatementText, right: StatementText) -> Bool {
        left.address == right.address && left.type == right.type
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(address)
        hasher.combine(ObjectIdentifier(type))
    }

    private var address: UInt { unsafe UInt(bitPattern: sql.utf8Start) }
}
