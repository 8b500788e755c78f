import StrictEncoding

/// Reads CBOR.
///
/// CTAP 2.2 §8 lets nobody nest deeper than four levels; attestation statements that hold others reach six.
struct CBORReader {
    /// Which encodings of a value are read.
    enum Form {
        /// The CTAP2 canonical CBOR encoding form, in which WebAuthn Level 3 §2.4 has all CBOR written. There is one
        /// sequence of bytes for one value: shortest numbers and lengths, no indefinite lengths, no tags, keys in ascending
        /// order. For what is stored.
        case canonical
        /// Whatever is well-formed (RFC 8949 §1.2), and has no key twice. §2.4 says that decoders should reject more, but
        /// makers of authenticators do write it, for instance with members in another order.
        case wellFormed
    }

    /// How many arrays, maps and tags may be open at once.
    static let maximumDepth = 8
    /// The end of what has no length.
    private static let end: UInt8 = 0xFF

    private let bytes: ArraySlice<UInt8>
    private let form: Form
    /// Where the next item begins.
    private(set) var position: Int

    /// A reader at the beginning of some bytes.
    init(_ bytes: ArraySlice<UInt8>, form: Form = .canonical) {
        self.bytes = bytes
        self.form = form
        position = bytes.startIndex
    }

    /// Reads bytes that are one item and nothing else.
    static func item(_ bytes: [UInt8], form: Form = .canonical) throws(CBORError) -> CBOR {
        var reader = CBORReader(bytes[...], form: form)
        let item = try reader.item()
        guard reader.position == bytes.endIndex else { throw .trailingBytes }
        return item
    }

    /// Reads the next item, and moves past it.
    mutating func item() throws(CBORError) -> CBOR { try item(depth: 0) }

    private mutating func item(depth: Int) throws(CBORError) -> CBOR {
        let head = try byte()
        switch head >> 5 {
        case 0: return .unsigned(try argument(head))
        case 1: return .negative(try argument(head))
        case 2: return .bytes(try string(head))
        case 3:
            guard let text = ExactText(validating: try string(head)) else { throw .invalidUTF8 }
            return .text(text)
        case 4: return .array(try elements(head, depth: depth + 1))
        case 5: return .map(try entries(head, depth: depth + 1))
        case 6: return try tagged(head, depth: depth + 1)
        default: return try simple(head)
        }
    }

    /// The bytes of a string: all at once, or in chunks of the same type that have lengths (RFC 8949 §3.2.3).
    private mutating func string(_ head: UInt8) throws(CBORError) -> [UInt8] {
        var left = try length(head)
        if let left { return Array(try take(left)) }
        var string: [UInt8] = []
        while try hasMore(&left) {
            let chunk = try byte()
            guard chunk >> 5 == head >> 5 else { throw .indefiniteLength }
            string.append(contentsOf: try take(argument(chunk)))
        }
        return string
    }

    private mutating func elements(_ head: UInt8, depth: Int) throws(CBORError) -> [CBOR] {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        var left = try length(head)
        var elements: [CBOR] = []
        // The count is not trusted: memory is allocated only for elements that have bytes.
        while try hasMore(&left) { elements.append(try item(depth: depth)) }
        return elements
    }

    private mutating func entries(_ head: UInt8, depth: Int) throws(CBORError) -> [CBOR.Entry] {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        var left = try length(head)
        var entries: [CBOR.Entry] = []
        var last: ArraySlice<UInt8>?
        var keys: Set<CBOR> = []
        while try hasMore(&left) {
            let start = position
            let key = try item(depth: depth)
            switch form {
            case .canonical:
                let written = bytes[start..<position]
                if let last, !Self.isBefore(last, written) { throw .keyOrder }
                last = written
            case .wellFormed:
                guard keys.insert(key).inserted else { throw .keyTwice }
            }
            entries.append(CBOR.Entry(key: key, value: try item(depth: depth)))
        }
        return entries
    }

    private mutating func tagged(_ head: UInt8, depth: Int) throws(CBORError) -> CBOR {
        guard form == .wellFormed else { throw .tag }
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        let tag = try argument(head)
        return .tagged(tag, try item(depth: depth))
    }

    /// The length in or behind a head; nil: there is none, and an end follows the items.
    private mutating func length(_ head: UInt8) throws(CBORError) -> UInt64? {
        if head & 31 == 31, form == .wellFormed { return nil }
        return try argument(head)
    }

    /// Whether another item follows, which is counted; moves past the end of what has no length.
    private mutating func hasMore(_ left: inout UInt64?) throws(CBORError) -> Bool {
        if let count = left {
            guard count > 0 else { return false }
            left = count - 1
            return true
        }
        guard position < bytes.endIndex else { throw .unexpectedEnd }
        guard bytes[position] == Self.end else { return true }
        position += 1
        return false
    }

    /// The order of keys, as they are written: by major type, then the shorter, then by their bytes.
    private static func isBefore(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        let types = (left.first.map { $0 >> 5 } ?? 0, right.first.map { $0 >> 5 } ?? 0)
        if types.0 != types.1 { return types.0 < types.1 }
        if left.count != right.count { return left.count < right.count }
        return left.lexicographicallyPrecedes(right)
    }

    private mutating func simple(_ head: UInt8) throws(CBORError) -> CBOR {
        switch head & 31 {
        case 20: return .boolean(false)
        case 21: return .boolean(true)
        case 22: return .null
        case 23: return .undefined
        case 25: return .float(Array(try take(2)))
        case 26: return .float(Array(try take(4)))
        case 27: return .float(Array(try take(8)))
        case 28...30: throw .reserved
        case 31: throw .indefiniteLength
        case let value:
            guard form == .wellFormed else { throw .simpleValue }
            if value < 24 { return .simple(value) }
            // RFC 8949 §3.3: those below 32 have no second spelling.
            let long = try byte()
            guard long >= 32 else { throw .simpleValue }
            return .simple(long)
        }
    }

    /// The number in or behind a head.
    private mutating func argument(_ head: UInt8) throws(CBORError) -> UInt64 {
        let size: Int
        switch head & 31 {
        case let value where value < 24: return UInt64(value)
        case 24: size = 1
        case 25: size = 2
        case 26: size = 4
        case 27: size = 8
        case 31: throw .indefiniteLength
        default: throw .reserved
        }
        let value = try take(UInt64(size)).reduce(0) { $0 << 8 | UInt64($1) }
        // In the canonical form, one byte is allowed only for numbers that do not fit into the head, and more bytes
        // only for numbers that do not fit into half as many.
        guard form == .wellFormed || value >= (size == 1 ? 24 : 1 << UInt64(size * 4)) else { throw .notShortest }
        return value
    }

    private mutating func byte() throws(CBORError) -> UInt8 {
        guard position < bytes.endIndex else { throw .unexpectedEnd }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func take(_ count: UInt64) throws(CBORError) -> ArraySlice<UInt8> {
        guard count <= UInt64(bytes.endIndex - position) else { throw .unexpectedEnd }
        defer { position += Int(count) }
        return bytes[position..<position + Int(count)]
    }
}
