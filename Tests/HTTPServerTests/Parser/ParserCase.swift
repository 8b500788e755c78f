import Testing

@testable import HTTPServer

/// One stream of bytes and what a strict parser makes of it.
struct ParserCase: Sendable, CustomTestStringConvertible {
    /// What is shown, with the section that says so.
    let name: String
    let bytes: [UInt8]
    let expected: Reading
    var limits = ParserLimits()

    var testDescription: String { name }

    /// The stream holds these requests, each as `Reading.summary` writes it, and then waits for more.
    static func reads(_ name: String, _ text: String, _ requests: String..., limits: ParserLimits? = nil) -> ParserCase
    {
        ParserCase(
            name: name, bytes: Array(text.utf8), expected: Reading(requests: requests),
            limits: limits ?? ParserLimits())
    }

    /// The stream breaks a rule, after the requests before it.
    static func refuses(
        _ name: String, _ text: String, _ error: HTTPParseError, after requests: String..., limits: ParserLimits? = nil
    ) -> ParserCase {
        ParserCase(
            name: name, bytes: Array(text.utf8), expected: Reading(requests: requests, error: error),
            limits: limits ?? ParserLimits())
    }

    static func refuses(_ name: String, bytes: [UInt8], _ error: HTTPParseError) -> ParserCase {
        ParserCase(name: name, bytes: bytes, expected: Reading(error: error))
    }

    static func reads(_ name: String, bytes: [UInt8], _ requests: String...) -> ParserCase {
        ParserCase(name: name, bytes: bytes, expected: Reading(requests: requests))
    }

    /// Feeds the bytes whole, in two pieces split at every byte, and byte by byte; the reading is always the same.
    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(Reading(of: [bytes], limits) == expected, "whole", sourceLocation: sourceLocation)
        // Long streams are split at fewer places: the work grows with the square.
        let step = max(1, bytes.count / 400)
        for index in stride(from: 1, to: bytes.count, by: step) {
            let reading = Reading(of: [Array(bytes[..<index]), Array(bytes[index...])], limits)
            #expect(reading == expected, "split at \(index)", sourceLocation: sourceLocation)
        }
        #expect(Reading(of: bytes.map { [$0] }, limits) == expected, "byte by byte", sourceLocation: sourceLocation)
    }
}

/// What was read from a stream.
struct Reading: Equatable, CustomStringConvertible {
    var requests: [String] = []
    var error: HTTPParseError?

    init(requests: [String] = [], error: HTTPParseError? = nil) {
        self.requests = requests
        self.error = error
    }

    /// Feeds a new parser with the pieces.
    init(of pieces: [[UInt8]], _ limits: ParserLimits = ParserLimits()) {
        var parser = RequestParser()
        for piece in pieces {
            var position = 0
            while position < piece.count {
                do {
                    try parser.consume(piece.span, &position, limits: limits)
                } catch {
                    self.error = error
                    return
                }
                if let request = parser.takeRequest(from: SocketAddress(127, 0, 0, 1, port: 1)) {
                    requests.append(Self.summary(request))
                }
            }
        }
    }

    /// The same with bodies that are taken as they come.
    init(streaming pieces: [[UInt8]], _ limits: ParserLimits) {
        var (parser, head, body) = (RequestParser(), Request?.none, [UInt8]())
        let address = SocketAddress(127, 0, 0, 1, port: 1)
        for piece in pieces {
            var position = 0
            while position < piece.count {
                do {
                    try parser.consume(piece.span, &position, limits: limits)
                } catch {
                    self.error = error
                    return
                }
                guard parser.isStreamed else {
                    if let request = parser.takeRequest(from: address) { requests.append(Self.summary(request)) }
                    continue
                }
                if head == nil { head = parser.takeHead(from: address, content: RequestContent.Source { nil }) }
                body += parser.takeBody()
                guard parser.isComplete, var request = head else { continue }
                request.contentSource = nil
                request.body = body
                requests.append(Self.summary(request))
                (parser, head, body) = (RequestParser(), nil, [])
            }
        }
    }

    /// The first request in the text, nil if none is complete.
    static func firstRequest(in text: String, _ limits: ParserLimits = ParserLimits()) throws -> Request? {
        var parser = RequestParser()
        var position = 0
        try parser.consume(Array(text.utf8).span, &position, limits: limits)
        return parser.takeRequest(from: SocketAddress(127, 0, 0, 1, port: 1))
    }

    /// `GET /path?query @authority` and, where they are not the usual, ` 1.0`, ` close` and ` =body`.
    static func summary(_ request: Request) -> String {
        var summary = "\(request.method) \(request.path)"
        if let query = request.query { summary += "?" + query }
        summary += " @" + request.authority
        if request.version == .http10 { summary += " 1.0" }
        if request.isKeepAlive != (request.version == .http11) { summary += request.isKeepAlive ? " keep" : " close" }
        if !request.body.isEmpty { summary += " =" + String(decoding: request.body, as: UTF8.self) }
        return summary
    }

    var description: String {
        "\(requests)\(error.map { ", then \($0)" } ?? "")"
    }
}
