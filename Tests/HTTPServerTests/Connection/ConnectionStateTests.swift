import Testing

@testable import HTTPServer

@Suite("A connection as a value")
struct ConnectionStateTests {
    // MARK: Deadlines

    @Test("the table of deadlines: which holds, how long, and what comes then", arguments: rows)
    func table(_ row: Row) {
        var model = ConnectionModel(Row.configuration, isOverload: row.isOverload)
        row.prepare(&model)
        #expect(model.complaints == [])
        #expect(model.state.deadline?.kind == row.kind)
        #expect(model.state.deadline?.outcome == row.outcome)
        #expect(model.state.deadline.map { $0.end - model.now } == row.duration)
    }

    /// A situation and the deadline that holds in it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isOverload = false
        var kind: Deadline.Kind?
        var duration: Duration?
        var outcome: Deadline.Outcome?
        let prepare: @Sendable (inout ConnectionModel) -> Void

        init(
            _ name: String, isOverload: Bool = false, _ kind: Deadline.Kind?, _ duration: Duration?,
            _ outcome: Deadline.Outcome?, _ prepare: @escaping @Sendable (inout ConnectionModel) -> Void
        ) {
            testDescription = name
            self.isOverload = isOverload
            self.kind = kind
            self.duration = duration
            self.outcome = outcome
            self.prepare = prepare
        }

        static var configuration: HTTPServerConfiguration {
            var configuration = HTTPServerConfiguration()
            configuration.maximumBodySize = 10
            configuration.firstByteDeadline = .seconds(11)
            configuration.headDeadline = .seconds(12)
            configuration.bodyDeadline = .seconds(13)
            configuration.keepAliveDeadline = .seconds(14)
            configuration.writeDeadline = .seconds(15)
            configuration.lingerDeadline = .seconds(16)
            configuration.shutdownGrace = .seconds(17)
            configuration.streamedBody = { $0.path == "/stream" ? 1000 : nil }
            return configuration
        }
    }

    private static let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n"
    private static let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let streamed = "POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n"
    private static let oversized = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n"

    static let rows: [Row] = [
        Row("opened", .firstByte, .seconds(11), .close(abort: false)) { _ in },
        Row("opened, empty lines came", .firstByte, .seconds(11), .close(abort: false)) { $0.receive("\r\n\r\n") },
        Row("opened, draining", .drain, .seconds(17), .look) { $0.drain() },
        Row("a head has begun", .head, .seconds(12), .refuse(.late)) { $0.receive("G") },
        Row("a head has begun, draining", .head, .seconds(12), .refuse(.late)) {
            $0.receive("G")
            $0.drain()
        },
        Row("a body is due", .body, .seconds(13), .refuse(.late)) { $0.receive(head + "hel") },
        Row("a body is announced to be too large", .pause, .milliseconds(500), .refuse(.broken(.bodyTooLarge))) {
            $0.receive(oversized)
        },
        Row("a handler is at work", nil, nil, nil) {
            $0.receive(Raw.get("/"))
            $0.takeRequest()
        },
        Row("a stream is written", nil, nil, nil) {
            $0.handle(Raw.get("/"), Response(body: .stream { _ in }))
            $0.write(10)
        },
        Row("a stream waits for the peer", .write, .seconds(15), .close(abort: true)) {
            $0.handle(Raw.get("/"), Response(body: .stream { _ in }))
            $0.window = 0
            $0.write(10)
        },
        Row("a response waits for the peer", .write, .seconds(15), .close(abort: true)) {
            $0.window = 50
            $0.handle(Raw.get("/"))
        },
        Row("a 100 waits for the peer", .write, .seconds(15), .close(abort: true)) {
            $0.window = 0
            $0.receive(Raw.get("/", "Expect: 100-continue\r\nContent-Length: 5\r\n"))
        },
        Row("a handler waits for more of its body", .piece, .seconds(13), .starve) {
            $0.receive(streamed)
            $0.takeRequest()
            $0.readBody()
        },
        Row("a stream's writer waits for more of its body", .piece, .seconds(13), .starve) {
            $0.handle(streamed, Response(body: .stream { _ in }))
            $0.readBody()
        },
        Row("a body comes that its handler does not ask for", nil, nil, nil) {
            $0.receive(streamed + "abc")
            $0.takeRequest()
        },
        Row("the rest of a body that nobody reads is due", .rest, .seconds(16), .close(abort: false)) {
            $0.handle(streamed)
        },
        Row("between requests", .keepAlive, .seconds(14), .close(abort: false)) { $0.handle(Raw.get("/")) },
        Row("between requests, empty lines came", .keepAlive, .seconds(14), .close(abort: false)) {
            $0.handle(Raw.get("/"))
            $0.receive("\r\n\r\n")
        },
        Row("between requests, draining", .drain, .seconds(17), .look) {
            $0.handle(Raw.get("/"))
            $0.drain()
        },
        Row("the next head has begun", .head, .seconds(12), .refuse(.late)) { $0.handle(Raw.get("/") + "G") },
        Row("after the last response", .linger, .seconds(16), .close(abort: false)) {
            $0.handle(Raw.get("/", "Connection: close\r\n"))
        },
        Row("over the limit", isOverload: true, .overload, .seconds(1), .refuse(.overloaded)) { _ in },
        Row("over the limit, a head has begun", isOverload: true, .overload, .seconds(1), .refuse(.overloaded)) {
            $0.receive("G")
        },
        Row("over the limit, draining", isOverload: true, .overload, .seconds(1), .refuse(.overloaded)) { $0.drain() },
        Row("closed", nil, nil, nil) { $0.hangUp() },
    ]

    @Test("bytes buy no time for a head, a body, or a connection over the limit")
    func trickle() {
        for (text, isOverload, end) in [
            ("GET / HTTP/1.1\r\nX: ", false, 12), (Self.chunked + "5;", false, 13), ("GET / HTTP/1.1\r\nX: ", true, 1),
        ] {
            var model = ConnectionModel(Row.configuration, isOverload: isOverload)
            model.receive(text)
            while model.refusals.isEmpty, model.now < .seconds(20) {
                model.pass(.milliseconds(250))
                model.receive("a")
            }
            #expect(model.now == .seconds(end))
            #expect(model.refusals == [isOverload ? .overloaded : .late])
        }
    }

    @Test("each byte of a body that is too large starts its pause anew, up to the body's deadline")
    func pause() {
        var model = ConnectionModel(Row.configuration)
        model.receive(Self.oversized)
        model.pass(.milliseconds(400))
        model.receive("a")
        model.pass(.milliseconds(400))
        #expect(model.refusals == [])
        model.pass(.milliseconds(100))
        #expect(model.refusals == [.broken(.bodyTooLarge)])
        model = ConnectionModel(Row.configuration)
        model.receive(Self.chunked + "FFFF;")
        while model.refusals.isEmpty, model.now < .seconds(20) {
            model.receive("a")
            model.pass(.milliseconds(400))
        }
        #expect(model.now == .milliseconds(13_200), "the first look after 13 s")
    }

    @Test("each byte the peer takes starts the time for the next anew; then the body's time goes on as it was")
    func write() {
        var model = ConnectionModel(Row.configuration)
        model.window = 0
        model.receive(Raw.get("/", "Expect: 100-continue\r\nContent-Length: 5\r\n"))
        #expect(model.continues == 1)
        model.pass(.seconds(10))
        model.read(1)
        #expect(model.state.deadline == Deadline(.seconds(10), .write, .seconds(15), .close(abort: true)))
        model.read(.max)
        #expect(model.state.deadline == Deadline(.zero, .body, .seconds(13), .refuse(.late)))
        model.pass(.seconds(3))
        #expect(model.refusals == [.late])
    }

    @Test("a peer that takes nothing is cut off, and its writers go on")
    func cutOff() {
        var model = ConnectionModel(Row.configuration)
        model.handle(Raw.get("/"), Response(body: .stream { _ in }))
        model.window = 0
        model.write(10)
        #expect(model.writers == 1)
        model.passDeadline()
        #expect(model.closed?.abort == true)
        #expect(model.writers == 0)
        model.endStream()
        #expect(model.complaints == [])
    }

    @Test("before its deadline an early timer changes nothing")
    func early() {
        var model = ConnectionModel(Row.configuration)
        let deadline = model.state.deadline
        model.pass(.seconds(10))
        #expect(model.state.deadline == deadline)
        model.pass(.seconds(1))
        #expect(model.closed?.abort == false)
    }

    // MARK: Draining

    @Test("a request that has arrived when the time to drain is over is served, nothing else is")
    func look() {
        var model = ConnectionModel()
        model.drain()
        model.arriving = Array(Raw.get("/").utf8)
        model.passDeadline()
        model.takeRequest()
        model.answer()
        #expect(model.requests == ["GET / @a"])
        #expect(model.hasAnnouncedClose)
        for text in ["", "\r\n"] {
            model = ConnectionModel()
            model.drain()
            model.arriving = Array(text.utf8)
            model.passDeadline()
            #expect(model.closed?.abort == false, "\(text.debugDescription)")
        }
    }

    @Test("of the requests that have come, the last one announces the end", arguments: [true, false])
    func drainingPipeline(_ fromTheStart: Bool) {
        var model = ConnectionModel(isDraining: fromTheStart)
        model.receive(Raw.get("/1") + Raw.get("/2") + Raw.get("/3"))
        if !fromTheStart { model.drain() }
        for number in 1...3 {
            model.takeRequest()
            model.answer()
            #expect(model.requests.count == number)
            #expect(model.hasAnnouncedClose == (number == 3))
        }
        #expect(model.hasEndedOutput)
        #expect(model.complaints == [])
    }

    // MARK: Responses

    @Test(
        "how a response is framed (RFC 9112 §6.3, RFC 9110 §8.6) and what it says of the connection", arguments: plans)
    func plan(_ request: String, _ response: Response, _ expected: ResponsePlan) {
        var model = ConnectionModel()
        model.receive(request)
        var state = model.state
        _ = state.takeRequest(from: SocketAddress(127, 0, 0, 1, port: 1)) { _ in RequestContent.Source { nil } }
        #expect(state.begin(response) == expected)
    }

    private static let stream = Response(body: .stream { _ in })
    private static let http10 = "GET / HTTP/1.0\r\n\r\n"
    private static let http10KeepAlive = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
    private static let headRequest = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let closing = Raw.get("/", "Connection: close\r\n")

    static let plans: [(String, Response, ResponsePlan)] = [
        (Raw.get("/"), .text("ok"), ResponsePlan(framing: .length(2), persistence: .keepAlive, content: .bytes)),
        (Raw.get("/"), Response(), ResponsePlan(framing: .length(0), persistence: .keepAlive, content: .none)),
        (Raw.get("/"), stream, ResponsePlan(framing: .chunked, persistence: .keepAlive, content: .stream)),
        (Raw.get("/"), Response(status: 204), ResponsePlan(framing: .none, persistence: .keepAlive, content: .none)),
        (
            Raw.get("/"), .text("ok", status: 304),
            ResponsePlan(framing: .none, persistence: .keepAlive, content: .none)
        ),
        (
            Raw.get("/"), .text("ok", status: 205),
            ResponsePlan(framing: .length(0), persistence: .keepAlive, content: .none)
        ),
        (
            Raw.get("/"), Response(headers: ["connection": "Close"]),
            ResponsePlan(framing: .length(0), persistence: .close, content: .none)
        ),
        (headRequest, .text("ok"), ResponsePlan(framing: .length(2), persistence: .keepAlive, content: .none)),
        (headRequest, stream, ResponsePlan(framing: .unknown, persistence: .keepAlive, content: .none)),
        (closing, .text("ok"), ResponsePlan(framing: .length(2), persistence: .close, content: .bytes)),
        (http10, .text("ok"), ResponsePlan(framing: .length(2), persistence: .close, content: .bytes)),
        (
            http10KeepAlive, .text("ok"),
            ResponsePlan(framing: .length(2), persistence: .keepAliveAnnounced, content: .bytes)
        ),
        (http10KeepAlive, stream, ResponsePlan(framing: .unknown, persistence: .close, content: .stream)),
        (
            "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", .text("no"),
            ResponsePlan(framing: .length(2), persistence: .close, content: .bytes)
        ),
    ]

    @Test("a stream that fails ends the connection: in order for 1.1, by a reset for 1.0")
    func failedStream() {
        var model = ConnectionModel()
        model.handle(Raw.get("/") + Raw.get("/2"), Self.stream)
        model.endStream(failing: true)
        #expect(model.hasEndedOutput)
        model = ConnectionModel()
        model.handle(Self.http10, Self.stream)
        model.endStream(failing: true)
        #expect(model.closed?.abort == true)
    }

    // MARK: The end

    @Test("what lingers is thrown away, up to a bound, and closes with the peer")
    func linger() {
        var model = ConnectionModel()
        model.handle(Self.closing)
        let piece = [UInt8](repeating: 0x61, count: 1 << 20)
        for _ in 0..<16 {
            model.arriving = piece
            model.receive()
        }
        #expect(model.state.isOpen)
        model.arriving = [0x61]
        model.receive()
        #expect(model.closed?.abort == true)
        model = ConnectionModel()
        model.handle(Self.closing)
        model.hasEndedInput = true
        model.receive()
        #expect(model.closed?.abort == false)
    }

    @Test("an end in the midst of a request is a broken one, between requests it is the end")
    func inputEnds() {
        for (text, refusals) in [("GET", [Refusal.broken(.incomplete)]), ("", []), ("\r\n", [])] {
            var model = ConnectionModel()
            model.receive(text)
            model.hasEndedInput = true
            model.receive()
            #expect(model.refusals == refusals)
            #expect(model.closed?.abort == false, "the peer will not send the end again")
        }
    }

    @Test("a failure is told what was read of its request, and nothing of it is left")
    func failure() throws {
        var state = ConnectionState(
            limits: ConnectionLimits(HTTPServerConfiguration()), isOverload: false, isDraining: false, now: .zero)
        let text = "HEAD /a?b HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\nrest"
        #expect(state.received(Array(text.utf8).span, now: .zero) == .refuse(.broken(.repeatedHost)))
        var failure = HTTPFailure(code: .malformed, status: .badRequest, message: "")
        state.describe(&failure)
        #expect(failure.method == .head && failure.path == "/a" && failure.query == "b")
        #expect(String(decoding: failure.body, as: UTF8.self) == "rest")
        let plan = ResponsePlan(framing: .length(2), persistence: .close, content: .none)
        #expect(state.begin(.text("no")) == plan)
        #expect(state.responseEnded(now: .zero) == .endOutput)
    }
}

extension ConnectionModel {
    /// Receives a request and answers it.
    fileprivate mutating func handle(_ text: String, _ response: Response = .text("ok")) {
        receive(text)
        takeRequest()
        answer(response)
    }
}
