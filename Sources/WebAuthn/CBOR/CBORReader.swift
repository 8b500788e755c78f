import StrictEncoding

/// Reads CBOR in the one spelling that WebAuthn allows, the CTAP2 canonical CBOR encoding form.
///
/// WebAuthn Level 3 §2.4: all CBOR is written in that form, decoders should reject what is not, and reject keys that
/// come twice. So there is one sequence of bytes for one value: shortest numbers and lengths, no indefinite lengths, no
/// tags, keys in ascending order. CTAP 2.2 §8 lets nobody nest deeper than four levels; attestation statements that
/// hold others reach six.
struct CBORReader {
    /// How many arrays and maps may be open at once.
    static let maximumDepth = 8

    private let bytes: ArraySlice<UInt8>
    /// Where the next item begins.
    private(set) var position: Int

    /// A reader at the beginning of some bytes.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// Reads bytes that are one item and nothing else.
    static func item(_ bytes: [UInt8]) throws(CBORError) -> CBOR {
        var reader = CBORReader(bytes[...])
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
        case 2: return .bytes(Array(try take(argument(head))))
        case 3:
            guard let text = ExactText(validating: Array(try take(argument(head)))) else { throw .invalidUTF8 }
            return .text(text)
        case 4: return .array(try elements(argument(head), depth: depth + 1))
        case 5: return .map(try entries(argument(head), depth: depth + 1))
        case 6: throw .tag
        default: return try simple(head)
        }
    }

    private mutating func elements(_ count: UInt64, depth: Int) throws(CBORError) -> [CBOR] {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        var elements: [CBOR] = []
        // The count is not trusted: memory is allocated only for elements that have bytes.
        for _ in 0..<count { elements.append(try item(depth: depth)) }
        return elements
    }

    private mutating func entries(_ count: UInt64, depth: Int) throws(CBORError) -> [CBOR.Entry] {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        var entries: [CBOR.Entry] = []
        var last: ArraySlice<UInt8>?
        for _ in 0..<count {
            let start = position
            let key = try item(depth: depth)
            let written = bytes[start..<position]
            if let last, !Self.isBefore(last, written) { throw .keyOrder }
            last = written
            entries.append(CBOR.Entry(key: key, value: try item(depth: depth)))
        }
        return entries
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
        default: throw .simpleValue
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
        // One byte is allowed only for numbers that do not fit into the head, and more bytes only for
        // numbers that do not fit into half as many.
        guard value >= (size == 1 ? 24 : 1 << UInt64(size * 4)) else { throw .notShortest }
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
