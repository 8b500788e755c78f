#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes response heads and chunks (RFC 9112 §4, §7.1).
struct ResponseEncoder {
    /// How the end of a body is marked (RFC 9112 §6.3).
    enum Framing: Equatable {
        /// There can be no body: 204, 304.
        case none
        case length(Int)
        case chunked
        /// The body ends with the connection: a stream to HTTP/1.0; or a length that is not known, to HEAD.
        case unknown
    }

    enum Persistence {
        case close
        /// Explicitly, as HTTP/1.0 needs it.
        case keepAliveAnnounced
        case keepAlive
    }

    private var dateLine: [UInt8] = []
    private var dateSecond = Int.min

    /// The interim response to `Expect: 100-continue`.
    static let continueResponse = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// The last chunk and an empty trailer section.
    static let lastChunk = Array("0\r\n\r\n".utf8)

    /// Appends the status line and the field lines.
    mutating func appendHead(
        _ response: Response, framing: Framing, persistence: Persistence, to output: inout [UInt8]
    ) {
        if response.status == .ok {
            Self.append("HTTP/1.1 200 OK\r\n", to: &output)
        } else {
            Self.append("HTTP/1.1 ", to: &output)
            Self.append(response.status.code, to: &output)
            output.append(ASCII.blank)
            output += response.status.reasonPhrase.utf8
            Self.endLine(&output)
        }
        appendFields(response.headers, to: &output)
        appendDate(to: &output)
        switch framing {
        case .length(let count):
            Self.append("Content-Length: ", to: &output)
            Self.append(count, to: &output)
            Self.endLine(&output)
        case .chunked: Self.append("Transfer-Encoding: chunked\r\n", to: &output)
        case .none, .unknown: break
        }
        switch persistence {
        case .close: Self.append("Connection: close\r\n", to: &output)
        case .keepAliveAnnounced: Self.append("Connection: keep-alive\r\n", to: &output)
        case .keepAlive: break
        }
        Self.endLine(&output)
    }

    /// Appends one chunk; the bytes are not empty.
    static func appendChunk(_ bytes: [UInt8], to output: inout [UInt8]) {
        output += String(bytes.count, radix: 16).utf8
        endLine(&output)
        output += bytes
        endLine(&output)
    }

    private func appendFields(_ headers: Headers, to output: inout [UInt8]) {
        for field in headers.fields where !Headers.isServersOwn(headers.bytes, field) {
            output += headers.bytes[field.name]
            output.append(ASCII.colon)
            output.append(ASCII.blank)
            output += headers.bytes[field.value]
            Self.endLine(&output)
        }
    }

    /// The date changes once a second; in between the line is copied (RFC 9110 §6.6.1).
    private mutating func appendDate(to output: inout [UInt8]) {
        let now = time(nil)
        if now != dateSecond {
            dateSecond = now
            dateLine = Array("Date: \(HTTPDate.format(now))\r\n".utf8)
        }
        output += dateLine
    }

    private static func append(_ text: StaticString, to output: inout [UInt8]) {
        text.withUTF8Buffer { output.append(contentsOf: $0) }
    }

    private static func append(_ number: Int, to output: inout [UInt8]) {
        output += String(number).utf8
    }

    private static func endLine(_ output: inout [UInt8]) {
        output.append(ASCII.carriageReturn)
        output.append(ASCII.lineFeed)
    }
}
