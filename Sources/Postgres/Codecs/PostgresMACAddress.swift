/// A `macaddr`: an address of six bytes (EUI-48).
public struct PostgresMACAddress: Hashable, Sendable, PostgresEncodable, PostgresDecodable {
    /// The six bytes in order.
    public let bytes: [UInt8]

    /// An address of six bytes. `nil` for another number of them.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 6 else { return nil }
        self.bytes = bytes
    }

    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .macaddr }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) { writer.append(bytes: bytes) }

    /// Reads the binary form.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type == .macaddr else { throw .type(type) }
        guard let value = Self(bytes: bytes.copied) else { throw .malformed }
        self = value
    }
}

/// A `macaddr8`: an address of eight bytes (EUI-64).
public struct PostgresMACAddress8: Hashable, Sendable, PostgresEncodable, PostgresDecodable {
    /// The eight bytes in order.
    public let bytes: [UInt8]

    /// An address of eight bytes. `nil` for another number of them.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 8 else { return nil }
        self.bytes = bytes
    }

    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .macaddr8 }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) { writer.append(bytes: bytes) }

    /// Reads the binary form.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type == .macaddr8 else { throw .type(type) }
        guard let value = Self(bytes: bytes.copied) else { throw .malformed }
        self = value
    }
}

extension PostgresMACAddress: LosslessStringConvertible {
    /// Reads `08:00:2b:01:02:03`. `nil` for any other text, the other ways in which PostgreSQL reads one included.
    public init?(_ text: String) {
        guard let bytes = bytesOfMACAddress(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// As PostgreSQL writes it: `08:00:2b:01:02:03`.
    public var description: String { textOfMACAddress(bytes) }
}

extension PostgresMACAddress8: LosslessStringConvertible {
    /// Reads `08:00:2b:ff:fe:01:02:03`. `nil` for any other text.
    public init?(_ text: String) {
        guard let bytes = bytesOfMACAddress(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// As PostgreSQL writes it: `08:00:2b:ff:fe:01:02:03`.
    public var description: String { textOfMACAddress(bytes) }
}

private func bytesOfMACAddress(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    for part in text.split(separator: ":", omittingEmptySubsequences: false) {
        guard part.utf8.count == 2, part.first?.isHexDigit == true, let byte = UInt8(part, radix: 16) else {
            return nil
        }
        bytes.append(byte)
    }
    return bytes
}

private func textOfMACAddress(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
}
