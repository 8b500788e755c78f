/// What PostgreSQL does with a command and its transaction, known before the SQL is sent.
///
/// The first word says it, and that is no guess: the extended protocol takes one command ("cannot insert multiple commands
/// into a prepared statement"), and PostgreSQL's grammar fixes the word that each begins with. Before it may be blanks,
/// comments and semicolons only.
enum CommandKind: Equatable {
    /// What the grammar calls `PreparableStmt`, a query or a change of rows. It has a plan, and takes effect together with the
    /// transaction that it is in, whatever that is.
    case preparable
    /// Begins or ends a transaction, or may. `PREPARE TRANSACTION` ends one; other names that a session keeps are no use in
    /// a pool. What `CALL` and `DO` run may commit.
    case transactionControl
    /// All others. Some commit by themselves, such as `VACUUM`, `CREATE INDEX CONCURRENTLY`, `CREATE DATABASE` and
    /// `ALTER SYSTEM`: the server refuses them in a transaction that has begun, but not as the first command of a pipeline.
    /// Others change the session, such as `SET`.
    case other

    init(_ sql: String) {
        switch Self.firstWord(of: sql) {
        case "SELECT", "VALUES", "TABLE", "WITH", "(", "INSERT", "UPDATE", "DELETE", "MERGE": self = .preparable
        case "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE", "PREPARE", "CALL", "DO":
            self = .transactionControl
        default: self = .other
        }
    }

    /// The first word behind blanks and comments, in capital letters, or an opening parenthesis; empty if that is none.
    private static func firstWord(of sql: String) -> String {
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
        if rest.first == UInt8(ascii: "(") { return "(" }
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
