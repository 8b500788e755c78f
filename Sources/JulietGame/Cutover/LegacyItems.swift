/// Cuts an export of the old backend's table into its items while it is read, one item in memory at a time.
///
/// The export is JSON lines, one object a line, or one JSON array of objects; its first character tells which.
package struct LegacyItems: ~Copyable {
    /// One item as it stands in the file.
    package struct Item: Sendable {
        /// The line it begins on, from 1.
        package let line: Int
        /// Its bytes; nil when it is larger than the old table's items could be.
        package let bytes: [UInt8]?
    }

    private enum Form {
        case unknown
        case lines
        case array
    }

    private var form = Form.unknown
    private var line = 1
    private var bytes: [UInt8] = []
    private var start = 1
    private var isTooLarge = false
    // Inside an array: how deep, and whether within a string.
    private var depth = 0
    private var isString = false
    private var isEscaped = false

    /// DynamoDB's items are at most 400 KB; their JSON is a few times that.
    private static let limit = 4 << 20

    /// Begins an export.
    package init() {}

    /// Takes the next piece of the file.
    package mutating func consume(_ piece: [UInt8], item: (Item) throws -> Void) rethrows {
        for byte in piece {
            switch form {
            case .unknown: begin(byte)
            case .lines where byte == UInt8(ascii: "\n"): try end(item)
            case .lines: keep(byte)
            case .array: try scan(byte, item)
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
        }
    }

    /// Takes the end of the file.
    package mutating func finish(item: (Item) throws -> Void) rethrows { try end(item) }

    private mutating func begin(_ byte: UInt8) {
        switch byte {
        case 0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF: break
        case UInt8(ascii: "["): form = .array
        default:
            form = .lines
            start = line
            keep(byte)
        }
    }

    private mutating func scan(_ byte: UInt8, _ item: (Item) throws -> Void) rethrows {
        if depth == 0 {
            guard byte == UInt8(ascii: "{") else { return }
            start = line
        }
        keep(byte)
        if isString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isString = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if depth == 0 { try end(item) }
        default: break
        }
    }

    private mutating func keep(_ byte: UInt8) {
        if bytes.count < Self.limit { bytes.append(byte) } else { isTooLarge = true }
    }

    private mutating func end(_ item: (Item) throws -> Void) rethrows {
        let isBlank = bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        if !isBlank { try item(Item(line: start, bytes: isTooLarge ? nil : bytes)) }
        bytes.removeAll(keepingCapacity: true)
        isTooLarge = false
        start = line + 1
    }
}
