#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the App Store signs: JSON with the date of the signature in it. Unknown members are ignored, because Apple adds some.
protocol SignedPayload: Decodable {
    /// When it was signed.
    var signedDate: AppStoreDate { get }
}

extension SignedPayload {
    /// Reads the members that count.
    ///
    /// - Throws: `malformed` when one is missing or of another type.
    init(json: [UInt8]) throws(AppStoreRefusal) {
        do { self = try JSONDecoder().decode(Self.self, from: Data(json)) } catch { throw .malformed }
    }
}

/// A name that is kept as a key: 1 to 64 visible ASCII characters.
struct StoredName: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try container.decode(String.self)
        guard 1...64 ~= text.utf8.count, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no name")
        }
    }
}
