/// SQL for one-off queries: a literal, or text that the caller vouches for.
///
/// A literal is SQL; a `String`, interpolated or not, is a value and belongs in a parameter:
///
/// ```swift
/// let total: SQLText = "SELECT count(*) FROM users"
/// let table = "TABLE " + SQLText(identifier: name)
/// ```
public struct SQLText: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The text as it goes to the server.
    public let text: String

    /// A literal. An interpolated literal does not compile.
    public init(stringLiteral value: StaticString) { self.text = value.description }

    /// Text that comes from a trusted file, such as a migration. Never text that a user had a hand in.
    public init(trusted text: String) { self.text = text }

    /// A quoted identifier: the name of a table, column, role or database, any text without a zero byte.
    public init(identifier: String) {
        var quoted = "\""
        for character in identifier.unicodeScalars where character != "\0" {
            if character == "\"" { quoted.append("\"") }
            quoted.unicodeScalars.append(character)
        }
        quoted.append("\"")
        self.text = quoted
    }

    /// Two pieces of SQL, one after the other.
    public static func + (left: SQLText, right: SQLText) -> SQLText { SQLText(trusted: left.text + right.text) }
}
