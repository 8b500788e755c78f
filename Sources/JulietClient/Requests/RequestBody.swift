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

    /// Encodes a value as JSON, its keys sorted, so that the same value is always the same bytes.
    ///
    /// - Parameters:
    ///   - value: What is sent.
    ///   - encoder: Replaces the usual one, for other dates or keys.
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
