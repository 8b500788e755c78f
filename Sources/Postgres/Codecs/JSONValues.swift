#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A Swift value as `jsonb`. A `String` reads `json` as text.
public struct PostgresJSONBValue<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value

    /// A value that travels as JSON.
    public init(_ value: Value) { self.value = value }

    /// The version byte that begins the binary form (`jsonb_recv`).
    private static var version: UInt8 { 1 }
}

extension PostgresJSONBValue: Equatable where Value: Equatable {}
extension PostgresJSONBValue: Hashable where Value: Hashable {}

extension PostgresJSONBValue: PostgresEncodable where Value: Encodable {
    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .jsonb }

    /// Writes the value as JSON. One that has no JSON, such as a number that is infinite, makes the writer fail.
    public func encode(to writer: inout ParameterWriter) {
        guard let text = try? JSONEncoder().encode(value) else {
            return writer.fail("a value that cannot be written as JSON")
        }
        writer.append(Self.version)
        writer.append(bytes: Array(text))
    }
}

extension PostgresJSONBValue: PostgresDecodable where Value: Decodable {
    /// Reads `json` and `jsonb`.
    ///
    /// - Throws: `.type`, and `.malformed` for JSON that is not the value's.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var text = bytes.copied[...]
        switch type {
        case .json: break
        case .jsonb: guard text.popFirst() == Self.version else { throw .malformed }
        default: throw .type(type)
        }
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(text)) else { throw .malformed }
        self.value = value
    }
}
