/// A column that did not hold what the statement's `decode` asked for.
public struct PostgresDecodingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why the column could not be read. No case carries a value.
    public enum Reason: Error, Sendable, Hashable {
        /// NULL, and the type asked for is not optional.
        case null
        /// The column is of this type, which the value asked for cannot be read from.
        case type(PostgresType)
        /// The bytes are not of the type's binary form.
        case malformed
        /// The value does not fit the type asked for.
        case outOfRange
        /// The row has fewer columns.
        case missingColumn
    }

    /// The column's name, empty if a column beyond the last was asked for.
    public let column: String
    /// The column's position, 0 is the leftmost; -1 if there is no column of the name that was asked for.
    public let index: Int
    /// What was asked for, as Swift writes the type.
    public let expected: String
    /// Why it could not be read.
    public let reason: Reason

    /// An error about one column.
    public init(column: String, index: Int, expected: String, reason: Reason) {
        self.column = column
        self.index = index
        self.expected = expected
        self.reason = reason
    }

    /// The column's name and position, and what was wrong with it; never its value.
    public var description: String {
        let position = index < 0 ? "column" : "column \(index)"
        let name = column.isEmpty ? position : "\(position) \"\(column)\""
        return switch reason {
        case .null: "\(name) is NULL, expected \(expected)"
        case .type(let type): "\(name) is of \(type), expected \(expected)"
        case .malformed: "\(name) is malformed, expected \(expected)"
        case .outOfRange: "\(name) is out of range for \(expected)"
        case .missingColumn: "\(name) is missing, expected \(expected)"
        }
    }
}
