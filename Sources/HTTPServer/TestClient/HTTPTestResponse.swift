/// A response as a test sees it.
public struct HTTPTestResponse: Sendable {
    /// The status code.
    public let status: Int

    /// The reason phrase.
    public let reason: String

    /// The field lines.
    public let headers: Headers

    /// The content, transfer coding removed.
    public let body: [UInt8]

    /// The content as UTF-8.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Reads one response.
    ///
    /// - Returns: The response and its length in bytes; nil when more is needed.
    static func parse(
        _ bytes: [UInt8], hasEnded: Bool, method: HTTPMethod
    ) throws(HTTPTestError) -> (HTTPTestResponse, Int)? {
        guard let lineEnd = bytes.firstIndex(of: ASCII.lineFeed) else { return nil }
        let line = String(decoding: bytes[..<lineEnd], as: UTF8.self)
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "HTTP/1.1", let status = Int(parts[1]), line.hasSuffix("\r") else {
            throw .malformedResponse
        }
        var position = lineEnd + 1
        let limits = ParserLimits(headSize: 1 << 20, fieldCount: 1000, bodySize: 1 << 30)
        var section = FieldSectionScanner()
        var body: [UInt8] = []
        do {
            try section.scan(bytes.span, &position, base: 0, limits: limits)
            guard section.isComplete else { return nil }
            section.trimValues(in: bytes.span)
            let headers = Headers(bytes: bytes, fields: section.fields)
            let end: Int
            if method == .head || status < 200 || status == 204 || status == 304 {
                end = position
            } else if headers["Transfer-Encoding"] == "chunked" {
                var decoder = ChunkedDecoder()
                try decoder.decode(bytes.span, &position, into: &body, limits: limits)
                guard decoder.isComplete else { return nil }
                end = position
            } else if let length = headers["Content-Length"] {
                guard let count = Int(length) else { throw HTTPTestError.malformedResponse }
                guard bytes.count - position >= count else { return nil }
                end = position + count
                body = Array(bytes[position..<end])
            } else {
                guard hasEnded else { return nil }
                end = bytes.count
                body = Array(bytes[position...])
            }
            let response = HTTPTestResponse(
                status: status, reason: String(parts[2].dropLast()), headers: headers, body: body)
            return (response, end)
        } catch {
            throw .malformedResponse
        }
    }
}
