#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The content of a request, and what it is.
public struct RequestBody: Hashable, Sendable {
    /// The content.
    public var bytes: [UInt8]
    /// The value of `Content-Type`; nil adds none.
    public var contentType: String?

    /// Takes bytes as they are.
    public init(_ bytes: [UInt8], contentType: String? = nil) {
        self.bytes = bytes
        self.contentType = contentType
    }

    /// The fields of a form, as browsers send them: `application/x-www-form-urlencoded` (HTML, "URL-encoded form data").
    ///
    /// - Parameter fields: Written like a query.
    public static func form(_ fields: RequestQuery) -> RequestBody {
        RequestBody(Array(fields.items.percentEncoded.utf8), contentType: "application/x-www-form-urlencoded")
    }

    /// Encodes a value as JSON, its keys sorted, so that the same value is always the same bytes.
    ///
    /// - Parameters:
    ///   - value: What is sent. Its keys are those of its type, as the service's own requests have them.
    ///   - encoder: Replaces the usual one, for other dates or keys: `keyEncodingStrategy = .convertToSnakeCase`.
    /// - Throws: What the encoder throws.
    public static func json(_ value: some Encodable, encoder: JSONEncoder? = nil) throws -> RequestBody {
        var usual: JSONEncoder {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return encoder
        }
        return RequestBody(Array(try (encoder ?? usual).encode(value)), contentType: "application/json")
    }
}
