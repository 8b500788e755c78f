/// Recognises SQL that begins or ends a transaction, by its first word.
///
/// It must be known before the SQL is sent: a `COMMIT` inside a shared batch ends the transaction of all others, and the
/// server says so only afterwards (its command tag, its transaction state).
enum TransactionControl {
    private static let words: Set<String> = [
        "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE", "PREPARE", "CALL", "DO",
    ]

    /// Whether the SQL's first word, behind blanks and comments, is one of transaction control (PostgreSQL, "SQL
    /// Commands").
    ///
    /// `PREPARE` is among them: `PREPARE TRANSACTION` ends one, and other names that a session keeps are no use in a
    /// pool. So are `CALL` and `DO`: what they run may commit.
    static func begins(_ sql: String) -> Bool { words.contains(firstWord(of: sql)) }

    /// The first word behind blanks and comments, in capital letters; empty if that is none.
    static func firstWord(of sql: String) -> String {
        var rest = Substring(sql).utf8
        while let first = rest.first {
            if [0x20, 0x09, 0x0A, 0x0D, 0x0C, 0x0B, UInt8(ascii: ";")].contains(first) {
                rest = rest.dropFirst()
            } else if rest.starts(with: "--".utf8) {
                rest = rest.drop { $0 != 0x0A && $0 != 0x0D }
            } else if rest.starts(with: "/*".utf8) {
                rest = behindComment(rest)
            } else {
                break
            }
        }
        let word = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }
        return String(decoding: word, as: UTF8.self).uppercased()
    }

    /// What follows a comment in `/* */`, which may hold others.
    private static func behindComment(_ sql: Substring.UTF8View) -> Substring.UTF8View {
        var rest = sql
        var depth = 0
        while !rest.isEmpty {
            if rest.starts(with: "/*".utf8) {
                depth += 1
                rest = rest.dropFirst(2)
            } else if rest.starts(with: "*/".utf8) {
                depth -= 1
                rest = rest.dropFirst(2)
                if depth == 0 { return rest }
            } else {
                rest = rest.dropFirst()
            }
        }
        return rest
    }
}
