/// A text that equals another only if their bytes are equal.
///
/// `String` compares texts by how they look: `K` and U+212A KELVIN SIGN, `é` and `e` with an accent behind it. Names,
/// origins and issuers are compared by their bytes (RFC 8259 §8.3, RFC 7519 §2).
package struct ExactText: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text in UTF-8, well-formed.
    package let utf8: [UInt8]

    /// The text of a string.
    package init(_ text: String) { utf8 = Array(text.utf8) }

    /// A constant.
    package init(stringLiteral text: String) { self.init(text) }

    /// Bytes that are UTF-8; the caller has checked that.
    init(wellFormed utf8: [UInt8]) { self.utf8 = utf8 }

    /// Unchecked bytes; nil: they are not well-formed UTF-8.
    package init?(validating utf8: [UInt8]) {
        guard String(validating: utf8, as: UTF8.self) != nil else { return nil }
        self.utf8 = utf8
    }

    /// The text as a `String`.
    package var string: String { String(decoding: utf8, as: UTF8.self) }
}
