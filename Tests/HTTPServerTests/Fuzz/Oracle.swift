@testable import HTTPServer
@testable import HTTPServerTesting

/// What must hold of any reading, decided without the parser's own code.
enum Oracle {
    /// Reads the stream and looks for requests that should not have been let in, or that end where they should not.
    static func complaint(about stream: [UInt8], _ limits: ParserLimits) -> String? {
        var parser = RequestParser()
        var start = 0
        while start < stream.count {
            var position = start
            do {
                try parser.consume(stream.span, &position, limits: limits)
            } catch {
                return nil
            }
            guard let request = parser.takeRequest(from: SocketAddress(127, 0, 0, 1, port: 1)) else { return nil }
            if let complaint = complaint(about: request, readFrom: Array(stream[start..<position]), limits) {
                return complaint
            }
            start = position
        }
        return nil
    }

    private static func complaint(about request: Request, readFrom bytes: [UInt8], _ limits: ParserLimits) -> String? {
        var bytes = bytes
        var emptyLines = 0
        while bytes.starts(with: [13, 10]) {
            bytes.removeFirst(2)
            emptyLines += 1
        }
        if emptyLines > 4 { return "too many empty lines" }
        guard let headEnd = bytes.firstRange(of: [13, 10, 13, 10]) else { return "no end of the head" }
        let head = Array(bytes[..<headEnd.lowerBound])
        let body = Array(bytes[headEnd.upperBound...])
        var lines = split(head)
        if lines.contains(where: { $0.contains { $0 != 9 && $0 < 32 || $0 == 127 } }) { return "a control character" }
        let parts = lines.removeFirst().split(separator: 32, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].count == 8, parts[2].starts(with: "HTTP/1.".utf8),
            parts[2].last.map({ (48...57).contains($0) }) == true
        else {
            return "a bad request line"
        }
        if parts[1].contains(where: { $0 <= 32 || $0 >= 127 || "\"<>\\^`{|}#".utf8.contains($0) }) {
            return "a bad target"
        }
        var values: [String: [String]] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: 58), colon > 0, line[0] != 32, line[0] != 9, line[colon - 1] != 32,
                line[colon - 1] != 9
            else { return "a bad field line" }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
            let isBlank = { (character: Character) in character == " " || character == "\t" }
            let start = value.firstIndex { !isBlank($0) } ?? value.endIndex
            let end = value.lastIndex { !isBlank($0) }.map(value.index(after:)) ?? start
            values[name, default: []].append(String(value[start..<end]))
        }
        if lines.count > limits.fieldCount || lines.count != request.headers.count { return "the number of fields" }
        if values["host", default: []].count > 1 { return "two hosts" }
        if request.version == .http11, values["host"] == nil { return "no host" }
        let lengths = values["content-length", default: []]
        let codings = values["transfer-encoding", default: []]
        if codings.isEmpty {
            guard lengths.count <= 1, let length = Int(lengths.first ?? "0"), length >= 0, length <= limits.bodySize
            else {
                return "a bad length"
            }
            return body.count == length && body == request.body ? nil : "the body ends elsewhere"
        }
        guard codings.count == 1, codings[0].lowercased() == "chunked", lengths.isEmpty, request.version == .http11
        else {
            return "a bad transfer coding"
        }
        return decode(body) == request.body ? nil : "the chunks end elsewhere"
    }

    /// Decodes chunks the simple way; nil if that fails.
    private static func decode(_ body: [UInt8]) -> [UInt8]? {
        var rest = body[...]
        var decoded: [UInt8] = []
        while true {
            guard let lineEnd = rest.firstRange(of: [13, 10]) else { return nil }
            let line = String(decoding: rest[..<lineEnd.lowerBound], as: UTF8.self)
            let digits = line.prefix { $0.isASCII && $0.isHexDigit }
            guard let size = Int(digits, radix: 16) else { return nil }
            rest = rest[lineEnd.upperBound...]
            if size == 0 { break }
            guard rest.count >= size + 2 else { return nil }
            decoded += rest.prefix(size)
            rest = rest.dropFirst(size)
            guard rest.starts(with: [13, 10]) else { return nil }
            rest = rest.dropFirst(2)
        }
        // What is left are trailer fields and the empty line.
        return rest == [13, 10] || rest.suffix(4) == [13, 10, 13, 10] ? decoded : nil
    }

    private static func split(_ head: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = head[...]
        while let end = rest.firstRange(of: [13, 10]) {
            lines.append(Array(rest[..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return lines + [Array(rest)]
    }

    /// Whether the responses are those the reading of the stream asks for.
    static func complaint(aboutResponses bytes: [UInt8], to stream: [UInt8]) -> String? {
        var expected: [(method: String, closes: Bool)] = []
        var parser = RequestParser()
        var position = 0
        var fails = false
        while position < stream.count, !fails, expected.last?.closes != true {
            do {
                try parser.consume(stream.span, &position, limits: ParserLimits())
            } catch {
                fails = true
                continue
            }
            if let request = parser.takeRequest(from: SocketAddress(127, 0, 0, 1, port: 1)) {
                expected.append((request.method.rawValue, !request.isKeepAlive || request.method == .connect))
            }
        }
        if expected.last?.closes != true, parser.hasBegun { fails = true }
        var rest = bytes
        var methods = expected.map(\.method)[...]
        var last: HTTPTestResponse?
        while !rest.isEmpty {
            let method = HTTPMethod(rawValue: methods.first ?? "")
            var parsed = try? HTTPTestResponse.parse(rest, hasEnded: true, method: method)
            // A broken HEAD request is answered without content.
            if parsed == nil, methods.isEmpty {
                parsed = try? HTTPTestResponse.parse(rest, hasEnded: true, method: .head)
            }
            guard let (response, count) = parsed else {
                return "no response: \(String(decoding: rest, as: UTF8.self).debugDescription)"
            }
            rest.removeFirst(count)
            if response.status == 100 { continue }
            last = response
            if methods.isEmpty {
                guard fails, rest.isEmpty, response.status >= 400 else { return "a response nobody asked for" }
                guard response.headers["Connection"] == "close" else { return "no close behind a broken request" }
                return nil
            }
            methods.removeFirst()
        }
        if !methods.isEmpty { return "\(methods.count) requests without a response" }
        if fails, last?.headers["Connection"] != "close" { return "no answer to a broken request" }
        return nil
    }
}
