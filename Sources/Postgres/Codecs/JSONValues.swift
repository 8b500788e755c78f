#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A Swift value as `json`. ``PostgresJSON`` has the text itself.
public struct PostgresJSONValue<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value

    /// A value that travels as JSON.
    public init(_ value: Value) { self.value = value }
}

/// A Swift value as `jsonb`. ``PostgresJSONB`` has the text itself.
public struct PostgresJSONBValue<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value

    /// A value that travels as JSON.
    public init(_ value: Value) { self.value = value }
}

extension PostgresJSONValue: Equatable where Value: Equatable {}
extension PostgresJSONValue: Hashable where Value: Hashable {}
extension PostgresJSONBValue: Equatable where Value: Equatable {}
extension PostgresJSONBValue: Hashable where Value: Hashable {}

extension PostgresJSONValue: PostgresEncodable where Value: Encodable {
    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .json }

    /// Writes the value as JSON. One that has no JSON, such as a number that is infinite, makes the writer fail.
    public func encode(to writer: inout ParameterWriter) {
        guard let text = jsonText(value, &writer) else { return }
        PostgresJSON(text).encode(to: &writer)
    }
}

extension PostgresJSONBValue: PostgresEncodable where Value: Encodable {
    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .jsonb }

    /// Writes the value as JSON. One that has no JSON, such as a number that is infinite, makes the writer fail.
    public func encode(to writer: inout ParameterWriter) {
        guard let text = jsonText(value, &writer) else { return }
        PostgresJSONB(text).encode(to: &writer)
    }
}

extension PostgresJSONValue: PostgresDecodable where Value: Decodable {
    /// Reads `json` and `jsonb`.
    ///
    /// - Throws: `.type`, and `.malformed` for JSON that is not the value's.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        value = try decodeValue(PostgresJSON(binary: bytes, type: type).text)
    }
}

extension PostgresJSONBValue: PostgresDecodable where Value: Decodable {
    /// Reads `json` and `jsonb`.
    ///
    /// - Throws: `.type`, and `.malformed` for JSON that is not the value's.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        value = try decodeValue(PostgresJSONB(binary: bytes, type: type).text)
    }
}

func jsonText(_ value: some Encodable, _ writer: inout ParameterWriter) -> String? {
    guard let data = try? JSONEncoder().encode(value) else {
        writer.fail("a value that cannot be written as JSON")
        return nil
    }
    return String(decoding: data, as: UTF8.self)
}

func decodeValue<Value: Decodable>(_ text: String) throws(PostgresDecodingError.Reason) -> Value {
    guard let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8)) else { throw .malformed }
    return value
}
