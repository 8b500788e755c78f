/// Takes the chunked transfer coding off a body (RFC 9112 §7.1): sizes, extensions, data, trailer fields.
///
/// Extensions and trailer fields are checked against their grammar, bounded, and dropped: nothing in them may change
/// what a request means (RFC 9110 §6.5.1).
struct ChunkedDecoder {
    private enum State: UInt8 {
        case sizeStart
        case size
        /// After blanks that only a semicolon may follow.
        case beforeSemicolon
        case extensionNameStart
        case extensionName
        /// After blanks behind a name: a value, or the next extension.
        case beforeEquals
        case extensionValueStart
        case extensionToken
        case quotedString
        case quotedPair
        case quotedStringEnd
        case sizeLineFeed
        case data
        case dataCarriageReturn
        case dataLineFeed
        case trailers
        case complete
    }

    private var state = State.sizeStart
    private var digits = 0
    private var remaining = 0
    private var extensionSize = 0
    private var trailers = FieldSectionScanner()

    /// With more digits even leading zeros are refused.
    private static let longestSize = 16

    var isComplete: Bool { state == .complete }

    /// Whether a byte has been decoded.
    var hasBegun: Bool { state != .sizeStart || digits > 0 }

    /// Bytes of the current chunk still to come.
    var remainingInChunk: Int { remaining }

    /// Decodes on.
    ///
    /// - Parameters:
    ///   - input: The bytes at hand.
    ///   - position: Where to go on in `input`; afterwards the first byte not taken.
    ///   - body: Gets the data; grows to the body limit at most.
    ///   - limits: The limits of sizes.
    mutating func decode(
        _ input: Span<UInt8>, _ position: inout Int, into body: inout [UInt8], limits: ParserLimits
    ) throws(HTTPParseError) {
        while position < input.count, state != .complete {
            switch state {
            case .data:
                let room = limits.bodySize - body.count
                let count = min(remaining, input.count - position, room)
                body.append(copying: input, position..<(position + count))
                position += count
                remaining -= count
                if remaining == 0 {
                    state = .dataCarriageReturn
                } else if count == room {
                    throw .bodyTooLarge
                }
            case .dataCarriageReturn:
                guard input[position] == ASCII.carriageReturn else { throw .unterminatedChunk }
                state = .dataLineFeed
                position += 1
            case .dataLineFeed:
                guard input[position] == ASCII.lineFeed else { throw .unterminatedChunk }
                state = .sizeStart
                position += 1
            case .trailers:
                try trailers.scan(input, &position, base: 0, limits: limits)
                if trailers.isComplete { state = .complete }
            default:
                try scanSizeLine(input[position], limits: limits)
                position += 1
            }
        }
    }

    /// chunk-size [ chunk-ext ] CRLF, byte by byte.
    private mutating func scanSizeLine(_ byte: UInt8, limits: ParserLimits) throws(HTTPParseError) {
        switch (state, byte) {
        case (.sizeStart, _), (.size, _):
            if let value = CharacterClass.hexValue(byte) {
                if state == .sizeStart { (digits, remaining) = (0, 0) }
                digits += 1
                guard digits <= Self.longestSize, remaining <= Int.max >> 4 else { throw .malformedChunkSize }
                remaining = remaining << 4 | Int(value)
                state = .size
                return
            }
            guard state == .size, let next = afterItem(byte) else { throw .malformedChunkSize }
            state = next
        case (.beforeSemicolon, _):
            guard !CharacterClass.isBlank(byte) else { break }
            guard byte == ASCII.semicolon else { throw .malformedChunkExtension }
            state = .extensionNameStart
        case (.extensionNameStart, _):
            guard !CharacterClass.isBlank(byte) else { break }
            guard CharacterClass.isToken(byte) else { throw .malformedChunkExtension }
            state = .extensionName
        case (.extensionName, ASCII.equals), (.beforeEquals, ASCII.equals):
            state = .extensionValueStart
        case (.extensionName, _):
            guard !CharacterClass.isToken(byte) else { break }
            guard let next = afterItem(byte) else { throw .malformedChunkExtension }
            state = next == .beforeSemicolon ? .beforeEquals : next
        case (.beforeEquals, _):
            guard !CharacterClass.isBlank(byte) else { break }
            guard byte == ASCII.semicolon else { throw .malformedChunkExtension }
            state = .extensionNameStart
        case (.extensionValueStart, ASCII.quote):
            state = .quotedString
        case (.extensionValueStart, _):
            guard !CharacterClass.isBlank(byte) else { break }
            guard CharacterClass.isToken(byte) else { throw .malformedChunkExtension }
            state = .extensionToken
        case (.extensionToken, _) where CharacterClass.isToken(byte):
            break
        case (.quotedString, ASCII.quote):
            state = .quotedStringEnd
        case (.quotedString, ASCII.backslash):
            state = .quotedPair
        case (.quotedString, _), (.quotedPair, _):
            guard CharacterClass.isFieldContent(byte) else { throw .malformedChunkExtension }
            state = .quotedString
        case (.extensionToken, _), (.quotedStringEnd, _):
            guard let next = afterItem(byte) else { throw .malformedChunkExtension }
            state = next
        case (.sizeLineFeed, _):
            guard byte == ASCII.lineFeed else { throw .bareLineEnd }
            state = remaining == 0 ? .trailers : .data
            return
        default:
            break
        }
        guard state != .sizeLineFeed else { return }
        extensionSize += 1
        guard extensionSize <= limits.headSize else { throw .chunkExtensionsTooLarge }
    }

    /// What may follow a size, a name or a value: the end of the line, the next extension, or blanks before one.
    private func afterItem(_ byte: UInt8) -> State? {
        switch byte {
        case ASCII.carriageReturn: .sizeLineFeed
        case ASCII.semicolon: .extensionNameStart
        case ASCII.blank, ASCII.tab: .beforeSemicolon
        default: nil
        }
    }
}
