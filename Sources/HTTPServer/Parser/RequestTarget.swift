/// A parsed request target in one of the four forms of RFC 9112 §3.2, which the method determines.
struct RequestTarget: Equatable {
    /// The path as sent; "*" in asterisk-form, empty in authority-form.
    var path: Range<Int>
    /// What follows the first "?".
    var query: Range<Int>?
    /// The authority of an absolute-form or authority-form target.
    var authority: Range<Int>?
    /// Whether an absolute target of OPTIONS left the path out, which stands for "*" (RFC 9112 §3.2.4), or any other
    /// left it out, which stands for "/" (RFC 9110 §4.2.3).
    var isPathImplied = false
    /// Whether an absolute target has the scheme `https`.
    var isHTTPS = false

    /// Parses the target.
    ///
    /// - Parameters:
    ///   - bytes: The head.
    ///   - range: The target in it, not empty, made of target characters and brackets only.
    ///   - method: The method.
    /// - Throws: `malformedTarget` or `userInformation`.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>, method: HTTPMethod) throws(HTTPParseError) {
        if method == .connect {
            guard Authority.isValid(bytes, range, portRequired: true) else { throw .malformedTarget }
            path = range.upperBound..<range.upperBound
            authority = range
            return
        }
        if bytes[range.lowerBound] == ASCII.slash {
            (path, query) = try Self.pathAndQuery(bytes, range)
            return
        }
        if range.count == 1, bytes[range.lowerBound] == ASCII.asterisk {
            guard method == .options else { throw .malformedTarget }
            path = range
            return
        }
        let start: Int
        (start, isHTTPS) = try Self.scheme(bytes, range)
        let end = range[from: start].first { bytes[$0] == ASCII.slash || bytes[$0] == ASCII.questionMark }
        let authority = start..<(end ?? range.upperBound)
        guard !authority.contains(where: { bytes[$0] == ASCII.at }) else { throw .userInformation }
        guard Authority.isValid(bytes, authority) else { throw .malformedTarget }
        self.authority = authority
        (path, query) = try Self.pathAndQuery(bytes, range[from: authority.upperBound])
        isPathImplied = path.isEmpty
    }

    /// Where the authority of an absolute `http` or `https` target starts, and which of them it is (RFC 9110 §4.2).
    private static func scheme(
        _ bytes: Span<UInt8>, _ range: Range<Int>
    ) throws(HTTPParseError) -> (end: Int, isHTTPS: Bool) {
        for (scheme, isHTTPS) in [("http://", false), ("https://", true)] where range.count > scheme.utf8.count {
            if zip(range, scheme.utf8).allSatisfy({ CharacterClass.lowercased(bytes[$0]) == $1 }) {
                return (range.lowerBound + scheme.utf8.count, isHTTPS)
            }
        }
        throw .malformedTarget
    }

    private static func pathAndQuery(
        _ bytes: Span<UInt8>, _ range: Range<Int>
    ) throws(HTTPParseError) -> (path: Range<Int>, query: Range<Int>?) {
        var queryStart: Int?
        var index = range.lowerBound
        while index < range.upperBound {
            switch bytes[index] {
            case ASCII.percent:
                guard Authority.isPercentEncoded(bytes, index, before: range.upperBound) else {
                    throw .malformedTarget
                }
                index += 2
            case ASCII.questionMark where queryStart == nil:
                queryStart = index
            case ASCII.openBracket, ASCII.closeBracket:
                throw .malformedTarget
            default:
                break
            }
            index += 1
        }
        guard let queryStart else { return (range, nil) }
        return (range.lowerBound..<queryStart, (queryStart + 1)..<range.upperBound)
    }
}

extension Request {
    /// Path and query of a target in origin-form or asterisk-form, by the parser's rules (RFC 9112 §3.2.1, §3.2.4); nil for
    /// anything else.
    package static func pathAndQuery(of target: String, method: HTTPMethod) -> (path: String, query: String?)? {
        let bytes = Array(target.utf8)
        guard let first = bytes.first, first == ASCII.slash || first == ASCII.asterisk, method != .connect,
            bytes.allSatisfy(CharacterClass.isTarget),
            let parts = try? RequestTarget(bytes.span, bytes.indices, method: method)
        else { return nil }
        return (
            String(decoding: bytes[parts.path], as: UTF8.self),
            parts.query.map { String(decoding: bytes[$0], as: UTF8.self) }
        )
    }

    /// Whether a text is a host with at most one port, by the parser's rules (RFC 9112 §3.2).
    package static func isAuthority(_ text: String, portRequired: Bool) -> Bool {
        let bytes = text.utf8.span
        return Authority.isValid(bytes, bytes.indices, portRequired: portRequired)
    }
}

extension Range<Int> {
    /// The part of the range from this index on.
    subscript(from start: Int) -> Range<Int> { start..<upperBound }
}
