extension Bool {
    /// Writes `t` or `f`.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: self ? "t" : "f") }

    /// Reads `t` and `f`.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) {
        switch text {
        case "t": self = true
        case "f": self = false
        default: throw .malformed
        }
    }
}

/// Reads digits. A whole number that does not fit is out of range.
private func integer<Integer: FixedWidthInteger>(_ text: String) throws(PostgresDecodingError.Reason) -> Integer {
    if let value = Integer(text) { return value }
    let digits = text.hasPrefix("-") ? text.utf8.dropFirst() : text.utf8[...]
    throw !digits.isEmpty && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        ? .outOfRange : .malformed
}

extension Int16 {
    /// Writes digits.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }
    /// Reads digits.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { self = try integer(text) }
}

extension Int32 {
    /// Writes digits.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }
    /// Reads digits.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { self = try integer(text) }
}

extension Int64 {
    /// Writes digits.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }
    /// Reads digits.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { self = try integer(text) }
}

extension Int {
    /// Writes digits.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }
    /// Reads digits.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { self = try integer(text) }
}

extension UInt32 {
    /// Writes digits.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }
    /// Reads digits. What is an `oid` under another name, such as `regclass`, writes a name, which is malformed.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { self = try integer(text) }
}

/// Reads a number or a word. Swift makes infinity or zero of digits that do not fit.
private func floatingPoint<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ text: String
) throws(PostgresDecodingError.Reason) -> Number {
    let number: Number = try value(ofText: text)
    let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    if number.isInfinite, digits.contains(where: { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) { throw .outOfRange }
    if number.isZero, digits.contains(where: { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 }) { throw .outOfRange }
    return number
}

extension Double {
    /// Writes the shortest digits that are this number.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }
    /// Reads what PostgreSQL writes: `0.1`, `1e+300`, `NaN`, `-Infinity`. A number that does not fit is out of range.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { self = try floatingPoint(text) }
}

extension Float {
    /// Writes the shortest digits that are this number.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }
    /// Reads what PostgreSQL writes: `0.1`, `1e+30`, `NaN`, `-Infinity`. A number that does not fit is out of range.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { self = try floatingPoint(text) }
}

extension String {
    /// Writes the text.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: self) }
    /// Reads the text form of any type.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { self = text }
}

extension PostgresJSON {
    /// Writes the text.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: text) }
    /// Reads the text.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { self.init(text) }
}

extension PostgresJSONB {
    /// Writes the text.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: text) }
    /// Reads the text.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { self.init(text) }
}

extension PostgresUUID {
    /// Writes the digits in groups.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }
    /// Reads the digits in groups.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) {
        guard let value = Self(text) else { throw .malformed }
        self = value
    }
}

extension PostgresNumeric {
    /// Writes every digit.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }
    /// Reads digits, `NaN`, `Infinity`.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { self = try value(ofText: text) }
}

extension PostgresInet {
    /// Writes the address, with a prefix unless it is one host.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }
    /// Reads an address, with a prefix or without.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { self = try value(ofText: text) }
}

extension PostgresMACAddress {
    /// Writes the bytes with colons between them.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }
    /// Reads the bytes with colons between them.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { self = try value(ofText: text) }
}

extension PostgresMACAddress8 {
    /// Writes the bytes with colons between them.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }
    /// Reads the bytes with colons between them.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { self = try value(ofText: text) }
}

extension PostgresBitString {
    /// Writes zeros and ones.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }
    /// Reads zeros and ones.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { self = try value(ofText: text) }
}
