/// The meaning of a well-formed head: target, host, framing, persistence, expectation.
struct RequestHead {
    /// How the body's end is found (RFC 9112 §6.3).
    enum Framing: Equatable {
        /// Neither field: no body.
        case none
        case length(Int)
        case chunked
    }

    /// The request, still without its body.
    let request: Request
    let framing: Framing
    let expectsContinue: Bool

    /// Interprets a complete head.
    ///
    /// - Throws: The rule that was broken, out of RFC 9112 §3.2, §3.3, §6 and RFC 9110 §7.4, §10.1.1.
    init(_ parsed: borrowing RequestHeadParser, limits: ParserLimits) throws(HTTPParseError) {
        let bytes = parsed.bytes.span
        var known = KnownFields()
        for field in parsed.section.fields { try known.note(field, bytes) }
        let version = parsed.version
        let method = HTTPMethod(bytes, parsed.method)
        let target = try RequestTarget(bytes, parsed.target, method: method)
        switch known.host {
        case .none: guard version == .http10 else { throw .missingHost }
        case .some(let host): guard Authority.isValid(bytes, host) else { throw .malformedHost }
        }
        // Accepting a plain-text request as `https` would claim a secrecy that it did not have (RFC 9110 §4.2.2, §7.4).
        guard !target.isHTTPS || limits.acceptsHTTPS else { throw .misdirected }
        let framing = try known.framing(version)
        // An expectation of an HTTP/1.0 client is ignored (RFC 9110 §10.1.1).
        guard !known.hasUnknownExpectation || version == .http10 else { throw .unknownExpectation }
        let path =
            target.isPathImplied
            ? (method == .options && target.query == nil ? "*" : "/")
            : String(decoding: parsed.bytes[target.path], as: UTF8.self)
        request = Request(
            method: method, path: path, query: Self.text(target.query, of: parsed), version: version,
            headers: Headers(bytes: parsed.bytes, fields: parsed.section.fields), body: [],
            isKeepAlive: version == .http11 ? !known.hasClose : known.hasKeepAlive && !known.hasClose,
            remoteAddress: SocketAddress(127, 0, 0, 1, port: 0),
            targetAuthority: Self.text(target.authority, of: parsed))
        self.framing = framing
        expectsContinue = known.expectsContinue && version == .http11
    }

    private static func text(_ range: Range<Int>?, of parsed: borrowing RequestHeadParser) -> String? {
        guard let range else { return nil }
        return String(decoding: parsed.bytes[range], as: UTF8.self)
    }
}

/// The fields a server must understand, gathered in one pass over the head.
private struct KnownFields {
    var host: Range<Int>?
    var contentLength: Int?
    var hasTransferEncoding = false
    var hasUnknownCoding = false
    var hasClose = false
    var hasKeepAlive = false
    var expectsContinue = false
    var hasUnknownExpectation = false

    mutating func note(_ field: Headers.Field, _ bytes: Span<UInt8>) throws(HTTPParseError) {
        switch field.nameCount {
        case 4 where bytes.equalsIgnoringCase(field.name, "host"):
            guard host == nil else { throw .repeatedHost }
            host = field.value
        case 6 where bytes.equalsIgnoringCase(field.name, "expect"):
            let isEmpty = Self.forEachListElement(bytes, field.value) { element in
                if bytes.equalsIgnoringCase(element, "100-continue") {
                    expectsContinue = true
                } else {
                    hasUnknownExpectation = true
                }
            }
            if isEmpty { hasUnknownExpectation = true }
        case 10 where bytes.equalsIgnoringCase(field.name, "connection"):
            _ = Self.forEachListElement(bytes, field.value) { element in
                if bytes.equalsIgnoringCase(element, "close") {
                    hasClose = true
                } else if bytes.equalsIgnoringCase(element, "keep-alive") {
                    hasKeepAlive = true
                }
            }
        case 14 where bytes.equalsIgnoringCase(field.name, "content-length"):
            guard contentLength == nil else { throw .repeatedContentLength }
            contentLength = try Self.decimal(bytes, field.value)
        case 17 where bytes.equalsIgnoringCase(field.name, "transfer-encoding"):
            guard !hasTransferEncoding else { throw .malformedTransferEncoding }
            hasTransferEncoding = true
            if !bytes.equalsIgnoringCase(field.value, "chunked") {
                guard Self.endsInChunked(bytes, field.value) else { throw .malformedTransferEncoding }
                hasUnknownCoding = true
            }
        default:
            break
        }
    }

    func framing(_ version: HTTPVersion) throws(HTTPParseError) -> RequestHead.Framing {
        guard hasTransferEncoding else { return contentLength.map { .length($0) } ?? .none }
        guard version == .http11 else { throw .transferEncodingInHTTP10 }
        guard contentLength == nil else { throw .ambiguousLength }
        guard !hasUnknownCoding else { throw .unsupportedTransferEncoding }
        return .chunked
    }

    /// Whether this is a list of other codings, without parameters, and `chunked` as the last and once only. Anything
    /// else leaves open where the body ends (RFC 9112 §6.3).
    private static func endsInChunked(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var count = 0
        var isSound = true
        var isChunked = false
        _ = forEachListElement(bytes, range) { element in
            count += 1
            isSound = isSound && !isChunked && element.allSatisfy { CharacterClass.isToken(bytes[$0]) }
            isChunked = bytes.equalsIgnoringCase(element, "chunked")
        }
        return isSound && isChunked && count > 1
    }

    /// 1*DIGIT that fits an Int; a list, a sign or a blank is none (RFC 9110 §8.6).
    private static func decimal(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(HTTPParseError) -> Int {
        guard !range.isEmpty else { throw .malformedContentLength }
        var value = 0
        for index in range {
            guard CharacterClass.isDigit(bytes[index]) else { throw .malformedContentLength }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int(bytes[index] - ASCII.zero))
            guard !overflow, !carry else { throw .malformedContentLength }
            value = sum
        }
        return value
    }

    /// Calls the function for each element of a comma-separated list, blanks and empty elements left out (RFC 9110
    /// §5.6.1).
    ///
    /// - Returns: Whether there was none.
    private static func forEachListElement(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ body: (Range<Int>) -> Void
    ) -> Bool {
        var isEmpty = true
        var start = range.lowerBound
        while start < range.upperBound {
            let end = range[from: start].first { bytes[$0] == ASCII.comma } ?? range.upperBound
            var element = start..<end
            while let first = element.first, CharacterClass.isBlank(bytes[first]) { element.removeFirst() }
            while let last = element.last, CharacterClass.isBlank(bytes[last]) { element.removeLast() }
            if !element.isEmpty {
                isEmpty = false
                body(element)
            }
            start = end + 1
        }
        return isEmpty
    }
}

extension HTTPMethod {
    /// The method in a request line; a short string, so nothing is allocated.
    fileprivate init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        self.init(
            rawValue: String(unsafeUninitializedCapacity: range.count) { buffer in
                for (offset, index) in range.enumerated() { buffer[offset] = bytes[index] }
                return range.count
            })
    }
}
