/// Reads a request head: a few empty lines, the request line, the field lines (RFC 9112 §2.1, §2.2).
///
/// The bytes are looked at once and kept as they came in one array, which becomes the storage of the request's headers.
/// `RequestHead` interprets them when all are there.
struct RequestHeadParser {
    private enum State: UInt8 {
        case start
        case emptyLineFeed
        case method
        case target
        case version
        case lineFeed
        case fields
        case complete
    }

    /// All of the head that was taken, verbatim.
    private(set) var bytes: [UInt8] = []
    private(set) var method = 0..<0
    private(set) var target = 0..<0
    private(set) var version = HTTPVersion.http11
    private(set) var section = FieldSectionScanner()

    private var state = State.start
    private var lineStart = 0
    private var versionDigits: (major: UInt8, minor: UInt8) = (0, 0)

    /// Longer than any method in the registry of RFC 9110 §16.1.1.
    private static let longestMethod = 64
    /// Empty lines that may stand before a request line (RFC 9112 §2.2 asks for at least one).
    private static let maximumEmptyLines = 4

    /// Whether a byte of a request has been taken; the empty lines before it are none.
    var hasBegun: Bool { state != .start && state != .emptyLineFeed }

    var isComplete: Bool { state == .complete }

    /// The method if it was read, for the answer to a request that failed.
    var methodRead: Range<Int>? { state.rawValue > State.method.rawValue ? method : nil }

    /// The target if it was read, or the part of it that was, for the same.
    var targetRead: Range<Int>? {
        guard state == .target else { return state.rawValue > State.target.rawValue ? target : nil }
        let part = (method.upperBound + 1)..<bytes.count
        return part.isEmpty ? nil : part
    }

    /// Takes bytes up to the end of the head.
    ///
    /// - Parameters:
    ///   - input: The bytes at hand.
    ///   - position: Where to go on in `input`; afterwards the first byte not taken.
    ///   - limits: What is refused for its size.
    /// - Throws: The rule that was broken; what was read up to there is kept.
    mutating func consume(
        _ input: Span<UInt8>, _ position: inout Int, limits: ParserLimits
    ) throws(HTTPParseError) {
        let start = position
        defer {
            bytes.append(copying: input, start..<position)
            if state == .complete {
                let bytes = bytes
                section.trimValues(in: bytes.span)
            }
        }
        let base = bytes.count - start
        if state != .fields {
            try scanRequestLine(input, &position, base: base, limits: limits)
            guard state == .fields else { return }
        }
        try section.scan(input, &position, base: base, limits: limits)
        if section.isComplete { state = .complete }
    }

    private mutating func scanRequestLine(
        _ input: Span<UInt8>, _ position: inout Int, base: Int, limits: ParserLimits
    ) throws(HTTPParseError) {
        while position < input.count {
            let byte = input[position]
            switch state {
            // Nothing but empty lines of two bytes each has been taken.
            case .start where byte == ASCII.carriageReturn && base + position < 2 * Self.maximumEmptyLines:
                state = .emptyLineFeed
            case .start:
                guard byte != ASCII.lineFeed else { throw .bareLineEnd }
                lineStart = base + position
                state = .method
                continue
            case .emptyLineFeed:
                guard byte == ASCII.lineFeed else { throw .bareLineEnd }
                state = .start
            case .method:
                let end = lineEnd(input, base, limits)
                while position < end, CharacterClass.isToken(input[position]) { position += 1 }
                guard base + position - lineStart <= Self.longestMethod else { throw .methodTooLong }
                guard base + position - lineStart <= limits.requestLineSize else { throw .requestLineTooLong }
                guard position < end else { return }
                method = lineStart..<(base + position)
                guard input[position] == ASCII.blank, !method.isEmpty else { throw .malformedMethod }
                state = .target
            case .target:
                let end = lineEnd(input, base, limits)
                while position < end, Self.isTarget(input[position]) { position += 1 }
                guard base + position - lineStart <= limits.requestLineSize else { throw .requestLineTooLong }
                guard position < end else { return }
                target = (method.upperBound + 1)..<(base + position)
                guard input[position] == ASCII.blank, !target.isEmpty else { throw .malformedTarget }
                state = .version
            case .version:
                guard base + position - lineStart <= limits.requestLineSize else { throw .requestLineTooLong }
                try scanVersion(byte, at: base + position - target.upperBound - 1)
            case .lineFeed:
                guard byte == ASCII.lineFeed else { throw .bareLineEnd }
                position += 1
                state = .fields
                return
            case .fields, .complete:
                return
            }
            position += 1
        }
    }

    /// Where a scan of the request line ends: with the input or one byte past the limit. Since the limit bounds the
    /// scan, a request breaks it at the same byte however it is split.
    private func lineEnd(_ input: Span<UInt8>, _ base: Int, _ limits: ParserLimits) -> Int {
        min(input.count, lineStart + limits.requestLineSize + 1 - base)
    }

    /// HTTP-version is case-sensitive and always eight bytes long (RFC 9112 §2.3).
    private mutating func scanVersion(_ byte: UInt8, at index: Int) throws(HTTPParseError) {
        switch (index, byte) {
        case (0, UInt8(ascii: "H")), (1, UInt8(ascii: "T")), (2, UInt8(ascii: "T")), (3, UInt8(ascii: "P")),
            (4, ASCII.slash), (6, UInt8(ascii: ".")):
            break
        case (5, let digit) where CharacterClass.isDigit(digit):
            versionDigits.major = digit - ASCII.zero
        case (7, let digit) where CharacterClass.isDigit(digit):
            versionDigits.minor = digit - ASCII.zero
        case (8, ASCII.carriageReturn):
            switch versionDigits {
            case (1, 0): version = .http10
            // A higher minor version is served as the highest we know (RFC 9110 §2.5).
            case (1, _): version = .http11
            default: throw .unsupportedVersion
            }
            state = .lineFeed
        default:
            throw .malformedVersion
        }
    }

    /// Brackets are allowed only around an IPv6 address; `RequestTarget` checks that.
    private static func isTarget(_ byte: UInt8) -> Bool {
        CharacterClass.isTarget(byte) || byte == ASCII.openBracket || byte == ASCII.closeBracket
    }
}
