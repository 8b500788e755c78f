public import HTTPServer

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

    private static let lineEnd = Array("\r\n".utf8)

    /// Reads one response, by code of its own: a fault of the server's parser must not hide one of its encoder.
    ///
    /// - Returns: The response and its length in bytes; nil when more is needed.
    static func parse(
        _ bytes: [UInt8], hasEnded: Bool, method: HTTPMethod
    ) throws(HTTPTestError) -> (HTTPTestResponse, Int)? {
        guard let headEnd = bytes.firstRange(of: lineEnd + lineEnd) else { return nil }
        var lines = try lines(of: bytes[..<headEnd.lowerBound])[...]
        let parts = (lines.popFirst() ?? "").split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "HTTP/1.1", let status = Int(parts[1]) else { throw .malformedResponse }
        let headers = try headers(in: lines)
        var end = headEnd.upperBound
        var body: [UInt8] = []
        if method == .head || status < 200 || status == 204 || status == 304 {
            body = []
        } else if headers["Transfer-Encoding"] == "chunked" {
            guard let content = try takeChunks(bytes, &end) else { return nil }
            body = content
        } else if let length = headers["Content-Length"] {
            guard let count = Int(length) else { throw .malformedResponse }
            guard bytes.count - end >= count else { return nil }
            body = Array(bytes[end..<(end + count)])
            end += count
        } else {
            guard hasEnded else { return nil }
            body = Array(bytes[end...])
            end = bytes.count
        }
        return (HTTPTestResponse(status: status, reason: String(parts[2]), headers: headers, body: body), end)
    }

    private static func lines(of head: ArraySlice<UInt8>) throws(HTTPTestError) -> [String] {
        var lines: [String] = []
        var rest = head
        while !rest.isEmpty {
            let end = rest.firstRange(of: lineEnd) ?? (rest.endIndex..<rest.endIndex)
            let line = rest[..<end.lowerBound]
            guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { throw .malformedResponse }
            lines.append(String(decoding: line, as: UTF8.self))
            rest = rest[end.upperBound...]
        }
        return lines
    }

    private static func headers(in lines: ArraySlice<String>) throws(HTTPTestError) -> Headers {
        var headers = Headers()
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(isToken) else {
                throw .malformedResponse
            }
            let isBlank = { (character: Character) in character == " " || character == "\t" }
            let value = parts[1].drop(while: isBlank).reversed().drop(while: isBlank).reversed()
            headers.append(String(parts[0]), String(value))
        }
        return headers
    }

    /// tchar (RFC 9110 §5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool {
        let character = Character(Unicode.Scalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    /// Takes chunks up to the last one, whose trailer section is empty (RFC 9112 §7.1).
    ///
    /// - Parameter position: Where they start; afterwards behind them.
    /// - Returns: The content; nil when more is needed.
    private static func takeChunks(_ bytes: [UInt8], _ position: inout Int) throws(HTTPTestError) -> [UInt8]? {
        var content: [UInt8] = []
        while let sizeEnd = bytes[position...].firstRange(of: lineEnd) {
            let digits = String(decoding: bytes[position..<sizeEnd.lowerBound], as: UTF8.self)
            guard let size = Int(digits, radix: 16), size >= 0 else { throw .malformedResponse }
            let dataEnd = sizeEnd.upperBound + size
            guard bytes.count >= dataEnd + lineEnd.count else { return nil }
            content += bytes[sizeEnd.upperBound..<dataEnd]
            position = dataEnd + lineEnd.count
            guard bytes[dataEnd..<position].elementsEqual(lineEnd) else { throw .malformedResponse }
            if size == 0 { return content }
        }
        return nil
    }
}
