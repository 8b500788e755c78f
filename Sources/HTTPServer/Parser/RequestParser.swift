/// Reads one request after the other from bytes that come in any pieces. A pure value: no I/O, no clock.
///
/// Feed it with `consume` until `isComplete`, take the request, and continue with the bytes it left. After an error no byte
/// may be read as a request any more.
struct RequestParser {
    private enum Body {
        case none
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
    }

    private var headParser = RequestHeadParser()
    /// The head as a request, still without its body, once it is whole.
    private var request: Request?
    private var expectsContinue = false
    private var framing = Body.none
    /// How large the body may be, where that is more than elsewhere; how much more may come of one that is handed over as
    /// it comes.
    private var largerBodySize = 0
    /// Whether the head is whole and the body is handed over as it comes.
    private(set) var isStreamed = false
    /// What has come of the body and has not been taken.
    private(set) var body: [UInt8] = []
    private(set) var isComplete = false

    /// Whether a byte of a request has been read, so that the peer waits for an answer.
    var hasBegun: Bool { hasHead || headParser.hasBegun }

    /// How many bytes are kept of a request that is not whole.
    var size: Int { headParser.bytes.count + body.count }

    /// Whether the head is whole.
    var hasHead: Bool { request != nil || isStreamed }

    /// How much of the body is still to come: nil where only its end will tell.
    var remainingSize: Int? {
        switch framing {
        case .none: 0
        case .length(let remaining): remaining
        case .chunked(let decoder): decoder.isComplete ? 0 : nil
        }
    }

    /// Whether the head is whole and its sender waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
    var awaitsContinue: Bool {
        guard expectsContinue, !isComplete, body.isEmpty else { return false }
        if case .chunked(let decoder) = framing { return !decoder.hasBegun }
        return true
    }

    /// Whether the body is announced to be over the limit. It is still received up to the limit, so that the answer
    /// can use it; then `consume` throws.
    func isOversized(_ limits: ParserLimits) -> Bool {
        let room = max(limits.bodySize, largerBodySize) - body.count
        return switch framing {
        case .none: false
        case .length(let remaining): remaining > room
        case .chunked(let decoder): decoder.remainingInChunk > room
        }
    }

    /// Reads on.
    ///
    /// - Parameters:
    ///   - input: The bytes at hand.
    ///   - position: Where to go on in `input`; afterwards the first byte not taken. Stops behind a complete request.
    ///   - limits: What is refused for its size.
    /// - Throws: The rule that was broken; `describe` tells what was read up to there.
    mutating func consume(
        _ input: Span<UInt8>, _ position: inout Int, limits: ParserLimits
    ) throws(HTTPParseError) {
        if !hasHead {
            try headParser.consume(input, &position, limits: limits)
            guard headParser.isComplete else { return }
            let head = try RequestHead(headParser, limits: limits)
            request = head.request
            expectsContinue = head.expectsContinue
            switch head.framing {
            case .length(let count) where count > 0:
                framing = .length(remaining: count)
                try beginBody(ofSize: count, limits)
            case .chunked:
                framing = .chunked(ChunkedDecoder())
                try beginBody(ofSize: nil, limits)
            default: framing = .none
            }
        }
        switch framing {
        case .none:
            isComplete = true
        case .length(let remaining):
            let room = room(limits)
            let count = min(remaining, input.count - position, room)
            body.append(copying: input, position..<(position + count))
            position += count
            framing = .length(remaining: remaining - count)
            isComplete = remaining == count
            // Fail only when the byte beyond the limit is there: until then the peer may be waiting for an answer.
            if !isComplete, count == room, position < input.count { throw .bodyTooLarge }
        case .chunked(var decoder):
            framing = .none
            defer {
                isComplete = decoder.isComplete
                framing = .chunked(decoder)
            }
            var limits = limits
            limits.bodySize = room(limits) + body.count
            try decoder.decode(input, &position, into: &body, limits: limits)
        }
    }

    /// Decides how the body is taken in and how large it may be.
    private mutating func beginBody(ofSize size: Int?, _ limits: ParserLimits) throws(HTTPParseError) {
        guard let request else { return }
        if let streamed = limits.streamedBodySize(of: request) {
            if let size, size > streamed { throw .bodyTooLarge }
            (isStreamed, largerBodySize) = (true, streamed)
        } else if size ?? .max > limits.bodySize {
            largerBodySize = limits.largerBodySize(at: request.path)
        }
    }

    /// How much more of the body may come.
    private func room(_ limits: ParserLimits) -> Int {
        (isStreamed ? largerBodySize : max(limits.bodySize, largerBodySize)) - body.count
    }

    /// What has come of a body that is handed over as it comes; empty if there is nothing new.
    mutating func takeBody() -> [UInt8] {
        largerBodySize -= body.count
        if !body.isEmpty { expectsContinue = false }
        defer { body = [] }
        return body
    }

    /// All but the body of a request whose body is handed over as it comes. The parser is then ready to read that.
    mutating func takeHead(from remoteAddress: SocketAddress, content: RequestContent.Source) -> Request? {
        guard isStreamed, var request = request.take() else { return nil }
        request.remoteAddress = remoteAddress
        request.contentSource = content
        return request
    }

    /// The complete request. The parser is then ready for the next one.
    mutating func takeRequest(from remoteAddress: SocketAddress) -> Request? {
        guard isComplete, var request = request.take() else { return nil }
        swap(&request.body, &body)
        request.remoteAddress = remoteAddress
        self = RequestParser()
        return request
    }

    /// Adds to a failure what has been read of the request.
    ///
    /// - Parameter rest: Bytes after a head that was refused as a whole, most likely a part of its body.
    func describe(in failure: inout HTTPFailure, rest: [UInt8] = []) {
        if let request {
            failure.method = request.method
            failure.path = request.path
            failure.query = request.query
            failure.requestHeaders = request.headers
            failure.body = body
        } else if let method = headParser.methodRead {
            failure.method = HTTPMethod(rawValue: String(decoding: headParser.bytes[method], as: UTF8.self))
            guard let range = headParser.targetRead else { return }
            let target = headParser.bytes[range].split(
                separator: ASCII.questionMark, maxSplits: 1, omittingEmptySubsequences: false)
            failure.path = String(decoding: target[0], as: UTF8.self)
            if target.count == 2 { failure.query = String(decoding: target[1], as: UTF8.self) }
            failure.requestHeaders = Headers(bytes: headParser.bytes, fields: headParser.section.fields)
            if headParser.isComplete { failure.body = rest }
        }
    }
}
