import Foundation
import JulietClient
import JulietClientTesting
import Synchronization
import Testing

@Suite("Server-sent events", .timeLimit(.minutes(1)))
struct EventTests {
    private static let stream =
        "\u{FEFF}: hello\n\ndata: one\n\nevent: round\r\ndata:two\r\ndata:  three\rid: 7\n\n\ndata\n\nretry: 10\nnobody: knows\n\nid: \0\ndata: é\n\ndata: cut off"

    private static let events = [
        ServerSentEvent(data: "one"), ServerSentEvent(type: "round", data: "two\n three", lastEventID: "7"),
        ServerSentEvent(data: "", lastEventID: "7"), ServerSentEvent(data: "é", lastEventID: "7"),
    ]

    @Test("are read as HTML says, however the bytes are cut", arguments: [1, 2, 3, 7, 1000])
    func parser(size: Int) throws {
        var parser = ServerSentEventParser()
        let bytes = Array(Self.stream.utf8)
        var events: [ServerSentEvent] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += try parser.events(in: bytes[start..<min(start + size, bytes.count)])
        }
        #expect(events == Self.events)
    }

    @Test("an event without end is refused")
    func tooLarge() {
        var parser = ServerSentEventParser()
        let line = Array("data: ".utf8) + Array(repeating: UInt8(ascii: "x"), count: 1 << 19) + [UInt8(ascii: "\n")]
        #expect(throws: Never.self) { try parser.events(in: line) }
        #expect(throws: ServerSentEventParser.TooLarge.self) { try parser.events(in: line) }
        // Comments do not count: a stream that says nothing goes on for as long as it likes.
        var quiet = ServerSentEventParser()
        for _ in 0..<20 {
            #expect(throws: Never.self) {
                try quiet.events(in: [UInt8(ascii: ":")] + Array(repeating: 1, count: 1 << 17) + [UInt8(ascii: "\n")])
            }
        }
    }

    @Test("the lottery is watched over a connection, and its states are told as they come")
    func lottery() async throws {
        let landing =
            #"{"state":"landing","draw":7,"commitment":"c","prize":0,"entries":2,"canStart":true,"wait":0,"last":{"state":"noWinner","draw":6,"commitment":"c","listDigest":"d","entries":2,"prize":0,"name":"Jack","userId":10,"seed":"s","verified":true}}"#
        let round =
            #"{"state":"round","round":3,"userId":10,"name":"Jack","draw":7,"commitment":"c","listDigest":"d","entries":2,"prize":0}"#
        let gate = Gate()
        let server = try ScriptedServer { connection in
            _ = connection.request()
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: \(landing)\n\n: still here\n\n")
            gate.pass()
            connection.send("data: \(round.prefix(20))")
            connection.send("\(round.dropFirst(20))\n\ndata: {\"state\":\"later\"}\n\n")
            connection.waitForEnd()
        }
        var states: [LotteryEvent] = []
        for try await state in Juliet(baseURL: server.baseURL).events(WatchLottery()) {
            states.append(state)
            if states.count == 1 { gate.open() }
            if case .unknown = state { break }
        }
        guard case .landing(let first)? = states.first else { return #expect(Bool(false), "\(states)") }
        #expect(first.draw == 7 && first.canStart && first.last?.hasWon == false && first.last?.running.draw == 6)
        // Who is slow misses states, so the round may have been passed over; the newest is never.
        #expect(states.last == .unknown("later"))
        if states.count > 2 {
            guard case .round(let number, 10, "Jack", let running) = states[1] else {
                return #expect(Bool(false), "\(states)")
            }
            #expect(number == 3 && running.draw == 7 && running.listDigest == "d")
        }
    }

    @Test("silence, a refusal, another server's page and a broken connection are different errors")
    func failures() async throws {
        let server = try ScriptedServer { connection in
            let request = connection.request()
            switch request.split(separator: " ").dropFirst().first {
            case "/silent": connection.waitForEnd()
            case "/refused":
                connection.answer(
                    #"{"type":"/problems/unavailable","title":"x","status":503,"code":"unavailable"}"#,
                    status: "503 Service Unavailable", headers: "Content-Type: application/problem+json\r\n")
            case "/page": connection.answer("<html>", headers: "Content-Type: text/html\r\n")
            default:
                connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 100\r\n\r\ndata: 1\n\n")
            }
        }
        let juliet = Juliet(JulietConfiguration(baseURL: server.baseURL, timeout: .seconds(1)))
        let expected: [(String, ClientError.Code)] = [
            ("/silent", .timedOut), ("/refused", .refused), ("/page", .unexpectedContent), ("/cut", .connectionLost),
        ]
        for (path, code) in expected {
            let error = await #expect(throws: ClientError.self) {
                for try await _ in juliet.events(Numbers(path: path)) {}
            }
            #expect(error?.code == code, "\(path)")
        }
        let plain = Juliet(JulietConfiguration(baseURL: server.baseURL, transport: AnsweringTransport()))
        let error = await #expect(throws: ClientError.self) {
            for try await _ in plain.events(Numbers(path: "/")) {}
        }
        #expect(error?.code == .cannotStream)
    }

    @Test("a server that says a byte now and then is not silent, however slow that is")
    func quiet() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream ; charset=utf-8\r\n\r\n")
            for _ in 0..<5 {
                usleep(1_500_000)
                connection.send("\n")
            }
            connection.send("data: 1\n\n")
            connection.waitForEnd()
        }
        let juliet = Juliet(JulietConfiguration(baseURL: server.baseURL, timeout: .seconds(4)))
        var numbers: [Int] = []
        let error = await #expect(throws: ClientError.self) {
            for try await number in juliet.events(Numbers(path: "/")) { numbers.append(number) }
        }
        // From then on it is.
        #expect(numbers == [1] && error?.code == .timedOut)
    }

    @Test(
        "a stream has header fields of its own, can keep all events for a slow reader, and limits the body of a refusal"
    )
    func details() async throws {
        let server = try ScriptedServer { connection in
            let request = connection.request()
            if request.contains("\r\nLast-Event-ID: 7\r\n") {
                connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n")
                connection.send("Content-Length: 27\r\n\r\n")
                connection.send("data: 1\n\ndata: 2\n\ndata: 3\n\n")
                connection.waitForEnd()
            } else {
                connection.send("HTTP/1.1 503 Service Unavailable\r\n\r\n")
                for _ in 0..<20 { connection.send(String(repeating: "x", count: 1 << 16)) }
                connection.waitForEnd()
            }
        }
        let hasEnded = Latch()
        let juliet = Juliet(
            JulietConfiguration(baseURL: server.baseURL, didEnd: { _ in await hasEnded.open() }))
        let events = juliet.events(Steps(headers: [HeaderField("Last-Event-ID", "7")]))
        await hasEnded.pass()
        var steps: [Int] = []
        for try await step in events { steps.append(step) }
        #expect(steps == [1, 2, 3])
        let error = await #expect(throws: ClientError.self) { for try await _ in juliet.events(Steps(headers: [])) {} }
        #expect(error?.code == .tooLarge)
    }

    @Test("an event without end is too large; a stream of small ones may be as long as it likes")
    func sizes() async throws {
        let server = try ScriptedServer { connection in
            let isLong = connection.request().hasPrefix("GET /long ")
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
            if isLong {
                for number in 0..<1000 { connection.send("data: \(number)\n\n") }
            } else {
                connection.send("data: " + String(repeating: "1", count: 2 << 20))
                connection.waitForEnd()
            }
        }
        let juliet = Juliet(
            JulietConfiguration(
                baseURL: server.baseURL, transport: SystemTransport(maximumResponseSize: 1000)))
        var last: Int?
        for try await number in juliet.events(Numbers(path: "/long")) { last = number }
        #expect(last == 999)
        let error = await #expect(throws: ClientError.self) {
            for try await _ in juliet.events(Numbers(path: "/")) {}
        }
        #expect(error?.code == .tooLarge && error?.underlying is ServerSentEventParser.TooLarge)
    }

    @Test("releasing the stream closes the connection")
    func leaving() async throws {
        let hasEnded = Gate()
        let server = try ScriptedServer { connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
            connection.waitForEnd()
            hasEnded.open()
            hasEnded.pass()
        }
        let juliet = Juliet(baseURL: server.baseURL)
        for try await number in juliet.events(Numbers(path: "/")) {
            #expect(number == 1)
            break
        }
        #expect(try await eventually { hasEnded.count == 1 })
    }

    @Test("hooks are told of each attempt before and after, with what was queued too")
    func hooks() async throws {
        let lines = Mutex<[String]>([])
        let transport = ScriptedTransport([.failure(.timedOut), .json(text: "{}", status: 404), .events(["1"])])
        var configuration = JulietConfiguration(baseURL: "http://test", transport: transport)
        configuration.prepare = { $0.headers.append(HeaderField("X-Trace", "t")) }
        configuration.willSend = { exchange in
            let trace = exchange.message.headers.last?.value ?? ""
            lines.withLock { $0.append("> \(exchange.method.rawValue) \(exchange.path) \(trace)") }
        }
        configuration.didEnd = { ended in
            lines.withLock { $0.append("< \(ended.exchange.path) \(ended.status.map(String.init) ?? "-")") }
        }
        let juliet = Juliet(configuration)
        _ = try? await juliet.send(FetchPlayer())
        _ = try? await juliet.send(RenamePlayer(name: "x"))
        for try await _ in juliet.events(Numbers(path: "/events")) {}
        #expect(
            lines.withLock(\.self) == [
                "> GET /v2/players/me t", "< /v2/players/me -", "> PATCH /v2/players/me t", "< /v2/players/me 404",
                "> GET /events t", "< /events 200",
            ])
    }
}

private struct Steps: EventRequest {
    typealias Event = Int
    let path = "/"
    let headers: [HeaderField]
    let buffering = EventBuffering.all
}

private struct Numbers: EventRequest {
    typealias Event = Int
    let path: String
}
