/// Scans field lines up to the empty line that ends them: the header section of a head, or a trailer section
/// (RFC 9112 §5). One pass, one byte looked at once, whatever pieces the bytes come in.
struct FieldSectionScanner {
    private enum State: UInt8 {
        /// At the start of a line.
        case start
        /// In a field name.
        case name
        /// In the blanks before a value.
        case blanks
        /// In a value.
        case value
        /// After the CR of a field line.
        case lineFeed
        /// After the CR of the empty line.
        case lastLineFeed
        case complete
    }

    /// The field lines read so far; the positions are the caller's.
    private(set) var fields: [Headers.Field] = []

    /// The line that is being read.
    private var current = Headers.Field(nameStart: 0)
    private var state = State.start
    private var size = 0

    /// The initial capacity; more than most requests have.
    private static let usualCount = 12

    /// Whether the empty line has been read.
    var isComplete: Bool { state == .complete }

    /// Takes the blanks off the ends of the values (RFC 9112 §5.1).
    mutating func trimValues(in bytes: Span<UInt8>) {
        for index in fields.indices {
            var end = Int(fields[index].valueEnd)
            let start = Int(fields[index].valueStart)
            while end > start, CharacterClass.isBlank(bytes[end - 1]) { end -= 1 }
            fields[index].valueEnd = UInt32(end)
        }
    }

    /// Scans on.
    ///
    /// - Parameters:
    ///   - input: The bytes at hand.
    ///   - position: Where to go on in `input`; afterwards the first byte not taken.
    ///   - base: The offset of the input's first byte in the storage that `fields` points into; may be negative.
    ///   - limits: Bounds of the section's size and its number of lines.
    /// - Throws: The rule that was broken, with `position` at the offending byte.
    mutating func scan(
        _ input: Span<UInt8>, _ position: inout Int, base: Int, limits: ParserLimits
    ) throws(HTTPParseError) {
        // The size limit bounds the scan itself, so that a request breaks it at the same byte however it is split.
        let start = position
        let allowance = limits.headSize - size + 1
        let end = input.count - position > allowance ? position + allowance : input.count
        defer { size += position - start }
        while position < end, state != .complete {
            switch state {
            case .start:
                let byte = input[position]
                if CharacterClass.isToken(byte) {
                    guard fields.count < limits.fieldCount else { throw .tooManyFields }
                    if fields.isEmpty { fields.reserveCapacity(Self.usualCount) }
                    current = Headers.Field(nameStart: UInt32(base + position))
                    state = .name
                } else if byte == ASCII.carriageReturn {
                    state = .lastLineFeed
                } else {
                    throw CharacterClass.isBlank(byte)
                        ? .foldedLine : byte == ASCII.lineFeed ? .bareLineEnd : .malformedFieldName
                }
                position += 1
            case .name:
                while position < end, CharacterClass.isToken(input[position]) { position += 1 }
                guard position < end else { break }
                let byte = input[position]
                guard byte == ASCII.colon else {
                    throw CharacterClass.isBlank(byte) ? .blankBeforeColon : .malformedFieldName
                }
                current.nameEnd = UInt32(base + position)
                state = .blanks
                position += 1
            case .blanks:
                while position < end, CharacterClass.isBlank(input[position]) { position += 1 }
                guard position < end else { break }
                current.valueStart = UInt32(base + position)
                state = .value
            case .value:
                while position < end, CharacterClass.isFieldContent(input[position]) { position += 1 }
                guard position < end else { break }
                guard input[position] == ASCII.carriageReturn else {
                    throw input[position] == ASCII.lineFeed ? .bareLineEnd : .malformedFieldValue
                }
                current.valueEnd = UInt32(base + position)
                fields.append(current)
                state = .lineFeed
                position += 1
            case .lineFeed, .lastLineFeed:
                guard input[position] == ASCII.lineFeed else { throw .bareLineEnd }
                position += 1
                state = state == .lastLineFeed ? .complete : .start
            case .complete:
                break
            }
        }
        if size + position - start > limits.headSize { throw .headTooLarge }
    }
}
