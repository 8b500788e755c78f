/// Writes one row that `COPY … FROM STDIN` loads, value by value in the order of the columns.
///
/// It exists only while a copy asks for a row.
public struct CopyRowWriter: Sendable {
    /// A column that is loaded.
    struct Column: Sendable {
        let name: String
        /// Unspecified: not known, and so not compared.
        var type = PostgresType.unspecified
    }

    private let columns: [Column]
    private let format: PostgresCopyFormat
    /// The most that one row may take, in bytes: the server takes no line of 1 GiB.
    private let rowLimit: Int
    private var output = ParameterWriter()
    /// Where the row under way begins.
    private var start: Int
    /// How many values the row under way has.
    private var count = 0
    private var failure: PostgresError?

    init(
        columns: [Column], format: PostgresCopyFormat, types: RegisteredTypes? = nil,
        rowLimit: Int = Parameters.defaultSizeLimit
    ) {
        self.columns = columns
        self.format = format
        self.rowLimit = rowLimit
        output.types = types
        if format == .binary { output.append(bytes: CopyRowReader.signature + Array(repeating: 0, count: 8)) }
        start = output.bytes.count
    }

    // MARK: One row

    /// Appends one value. The first page of the module has a table of the types.
    ///
    /// A value that cannot be sent, or is not of the column's type, makes the copy fail; nothing is loaded then.
    public mutating func append<Value: PostgresEncodable>(_ value: Value) {
        defer { count += 1 }
        // What is too many is told at the end of the row.
        guard count < columns.count, failure == nil else { return }
        switch format {
        case .binary: appendBinary(value, to: columns[count])
        case .text: appendText(value)
        }
    }

    /// Appends several values, in order.
    public mutating func append<First: PostgresEncodable, Second: PostgresEncodable, each Value: PostgresEncodable>(
        _ first: First, _ second: Second, _ more: repeat each Value
    ) {
        append(first)
        append(second)
        repeat append(each more)
    }

    /// Appends a value by a codec.
    public mutating func append<Codec: PostgresCodec>(_ value: Codec.Value, by _: Codec.Type) {
        append(PostgresCoded<Codec>(value))
    }

    private mutating func appendBinary<Value: PostgresEncodable>(_ value: Value, to column: Column) {
        guard column.type.takes(Value.self, output.types) else {
            failure = PostgresError(
                .misuse, reason: "column \"\(column.name)\" is of \(column.type), not of \(Value.postgresType)")
            return
        }
        if value.isPostgresNull {
            output.append(Int32(-1))
        } else {
            output.appendCounted { value.encode(to: &$0) }
        }
    }

    private mutating func appendText<Value: PostgresEncodable>(_ value: Value) {
        if count > 0 { output.append(UInt8(ascii: "\t")) }
        if value.isPostgresNull { return output.append(utf8: "\\N") }
        let start = output.bytes.count
        value.encodeText(to: &output)
        output.escapeCopyText(from: start)
    }

    // MARK: All rows

    /// How many bytes wait to be taken.
    var byteCount: Int { output.bytes.count - 1 }

    /// Appends a row.
    ///
    /// - Parameter number: Which row it is, from 1.
    /// - Throws: What `body` throws; `.misuse` for a value that cannot be sent, or for more or fewer values than columns.
    mutating func appendRow(_ number: Int, _ body: (inout CopyRowWriter) throws -> Void) throws {
        start = output.bytes.count
        count = 0
        if format == .binary { output.append(Int16(columns.count)) }
        try body(&self)
        if format == .text { output.append(UInt8(ascii: "\n")) }
        if count != columns.count {
            throw PostgresError(.misuse, reason: "row \(number) has \(count) values, not \(columns.count)")
        }
        if var failure = failure ?? output.failure {
            failure.reason = "row \(number): \(failure.reason ?? "")"
            throw failure
        }
        guard output.bytes.count - start <= rowLimit else {
            throw PostgresError(.misuse, reason: "row \(number) has more than \(rowLimit) bytes")
        }
    }

    /// Says that all rows are there.
    mutating func end() { if format == .binary { output.append(Int16(-1)) } }

    /// Takes the rows that are there; `nil`: none.
    mutating func take() -> [UInt8]? {
        guard byteCount > 0 else { return nil }
        defer { output.reset() }
        return Array(output.bytes.dropFirst())
    }
}

extension ParameterWriter {
    /// Puts a backslash before what would end a value or a row (PostgreSQL, `COPY`, "Text Format").
    fileprivate mutating func escapeCopyText(from start: Int) {
        guard bytes[start...].contains(where: { $0.copyEscape != nil }) else { return }
        let text = Array(bytes[start...])
        bytes.removeSubrange(start...)
        for byte in text {
            if let letter = byte.copyEscape {
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(letter)
            } else {
                bytes.append(byte)
            }
        }
    }
}

extension UInt8 {
    /// What stands for the byte behind a backslash, where it cannot stand for itself.
    fileprivate var copyEscape: UInt8? {
        switch self {
        case UInt8(ascii: "\\"): self
        case UInt8(ascii: "\t"): UInt8(ascii: "t")
        case UInt8(ascii: "\n"): UInt8(ascii: "n")
        case UInt8(ascii: "\r"): UInt8(ascii: "r")
        default: nil
        }
    }
}

extension PostgresType {
    /// Whether a column of this type takes the binary form of a value: nothing is converted there.
    func takes<Value: PostgresEncodable>(_: Value.Type, _ types: RegisteredTypes?) -> Bool {
        let type = Value.postgresType
        if self == .unspecified || self == type { return true }
        // Also an enum whose raw value is a text.
        let isText = type == .text || type == .unspecified && Value.postgresArrayType == String.postgresArrayType
        if isUserDefined {
            if let name = Value.postgresTypeName, let oid = types?.oids[name] { return oid == self.oid }
            return isText || type == .unspecified
        }
        if isText { return self.isText && self != .char }
        return type == .varbit && self == .bit
    }
}
