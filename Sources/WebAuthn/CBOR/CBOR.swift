import StrictEncoding

/// A data item of CBOR (RFC 8949).
indirect enum CBOR: Hashable, Sendable {
    /// A whole number from 0.
    case unsigned(UInt64)
    /// A whole number below 0: -1 less this.
    case negative(UInt64)
    /// A byte string.
    case bytes([UInt8])
    /// A text string, well-formed UTF-8.
    case text(ExactText)
    /// An array.
    case array([CBOR])
    /// A map: its keys in the order in which they are written, none twice.
    case map([Entry])
    /// `true` or `false`.
    case boolean(Bool)
    /// `null`.
    case null
    /// `undefined`.
    case undefined
    /// A floating-point number of two, four or eight bytes, which nothing here reads.
    case float([UInt8])
    /// Another simple value.
    case simple(UInt8)
    /// A tag and what it is of.
    case tagged(UInt64, CBOR)

    /// A key and its value.
    struct Entry: Hashable, Sendable {
        let key: CBOR
        let value: CBOR
    }

    /// A whole number.
    static func integer(_ value: Int) -> CBOR {
        value < 0 ? .negative(UInt64(-1 - value)) : .unsigned(UInt64(value))
    }

    /// The value of a key; nil: this is not a map, or has no such key.
    subscript(key: CBOR) -> CBOR? { entries?.first { $0.key == key }?.value }

    /// The entries of a map; nil for anything else.
    var entries: [Entry]? {
        guard case .map(let entries) = self else { return nil }
        return entries
    }

    /// The bytes of a byte string; nil for anything else.
    var bytes: [UInt8]? {
        guard case .bytes(let bytes) = self else { return nil }
        return bytes
    }
}
