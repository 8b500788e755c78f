extension Bool: PostgresEncodable, PostgresDecodable {
    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .bool }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) { writer.append(self ? 1 : 0 as UInt8) }

    /// Reads the binary form.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type == .bool else { throw .type(type) }
        guard bytes.count == 1 else { throw .malformed }
        self = bytes[0] != 0
    }
}

extension Int16: PostgresEncodable, PostgresDecodable {
    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .int2 }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) { writer.append(self) }

    /// Reads the binary form.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        self = try decodeInteger(bytes, type)
    }
}

extension Int32: PostgresEncodable, PostgresDecodable {
    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .int4 }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) { writer.append(self) }

    /// Reads `int2` and `int4`.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        self = try decodeInteger(bytes, type)
    }
}

extension Int64: PostgresEncodable, PostgresDecodable {
    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .int8 }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) { writer.append(self) }

    /// Reads `int2`, `int4`, `int8` and `oid`.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        self = try decodeInteger(bytes, type)
    }
}

/// A Swift `Int` travels as `int8`.
extension Int: PostgresEncodable, PostgresDecodable {
    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .int8 }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) { writer.append(Int64(self)) }

    /// Reads `int2`, `int4`, `int8` and `oid`.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        self = try decodeInteger(bytes, type)
    }
}

extension Double: PostgresEncodable, PostgresDecodable {
    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .float8 }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) { writer.append(bitPattern) }

    /// Reads `float4` and `float8`.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        if type == .float4 {
            self = Double(try Float(binary: bytes, type: type))
            return
        }
        guard type == .float8 else { throw .type(type) }
        guard bytes.count == 8 else { throw .malformed }
        self = Double(bitPattern: bytes.integer(at: 0, as: UInt64.self))
    }
}

/// A `real`.
extension Float: PostgresEncodable, PostgresDecodable {
    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .float4 }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) { writer.append(bitPattern) }

    /// Reads the binary form.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type == .float4 else { throw .type(type) }
        guard bytes.count == 4 else { throw .malformed }
        self = Float(bitPattern: bytes.integer(at: 0, as: UInt32.self))
    }
}

/// Reads whichever integer type the column has. A wider column is refused by its type, not by the value it happens to
/// hold today: that would fail on the first large one.
private func decodeInteger<Integer: FixedWidthInteger & SignedInteger>(
    _ bytes: Span<UInt8>, _ type: PostgresType
) throws(PostgresDecodingError.Reason) -> Integer {
    let width: Int
    switch type {
    case .int2: width = 2
    case .int4, .oid: width = 4
    case .int8: width = 8
    default: throw .type(type)
    }
    guard width <= Integer.bitWidth / 8, type != .oid || Integer.bitWidth == 64 else { throw .type(type) }
    guard bytes.count == width else { throw .malformed }
    switch type {
    case .int2: return Integer(truncatingIfNeeded: bytes.integer(at: 0, as: Int16.self))
    case .int4: return Integer(truncatingIfNeeded: bytes.integer(at: 0, as: Int32.self))
    case .oid: return Integer(truncatingIfNeeded: bytes.integer(at: 0, as: UInt32.self))
    default: return Integer(truncatingIfNeeded: bytes.integer(at: 0, as: Int64.self))
    }
}
