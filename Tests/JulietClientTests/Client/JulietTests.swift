import EventLoop
import Foundation
import JulietClientTesting
import Testing

@testable import JulietClient

@Suite("Juliet, the client", .timeLimit(.minutes(1)))
struct JulietTests {
    struct Echo: Request {
        typealias Response = String
        var method = HTTPMethod.get
        var path = "/echo"
        var options = RequestOptions()

        static func decode(_ response: HTTPResponse) -> String { String(decoding: response.body, as: UTF8.self) }
    }

    struct FetchBoard: Request {
        typealias Response = [String]?
        let path = "/board"
        var tag: String?
        var headers: [HeaderField] { tag.map { [HeaderField("If-None-Match", $0)] } ?? [] }
    }

    /// Answers every request with itself.
    private func echo() throws -> ScriptedServer {
        try ScriptedServer { connection in
            while case let request = connection.request(), !request.isEmpty { connection.answer(request) }
        }
    }

    private func value(of name: String, in request: String) -> String? {
        request.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
    }

    // MARK: What it adds

    @Test("the API key goes with authenticated requests only")
    func key() async throws {
        let server = try echo()
        let juliet = Juliet(baseURL: server.baseURL, apiKey: "secret")
        #expect(value(of: "AuthToken", in: try await juliet.send(Echo())) == "secret")
        let open = try await juliet.send(Echo(options: RequestOptions(isAuthenticated: false)))
        #expect(value(of: "AuthToken", in: open) == nil)
    }

    @Test("a request that changes something carries a name, a new one each time, or the one it is given")
    func idempotencyKey() async throws {
        let server = try echo()
        let juliet = Juliet(baseURL: server.baseURL)
        let first = value(of: "Idempotency-Key", in: try await juliet.send(Echo(method: .post)))
        let second = value(of: "Idempotency-Key", in: try await juliet.send(Echo(method: .post)))
        #expect(first?.count == 36)
        #expect(second?.count == 36)
        #expect(first != second)
        let named = try await juliet.send(Echo(method: .post), idempotencyKey: "tap-1")
        #expect(value(of: "Idempotency-Key", in: named) == "tap-1")
        #expect(value(of: "Idempotency-Key", in: try await juliet.send(Echo())) == nil)
    }

    @Test(
        "an answer that is not of the type a request accepts is somebody else's",
        arguments: [
            (200, "application/json", true), (200, "Application/JSON; charset=utf-8", true), (200, nil, true),
            (404, "application/problem+json", true), (200, "text/html", false), (404, "text/html", false),
            (302, nil, false), (302, "application/json", false), (304, nil, false), (503, "text/html", true),
            (429, "text/plain", true), (401, "text/html", true),
        ] as [(Int, String?, Bool)])
    func someoneElse(status: Int, type: String?, isServers: Bool) async throws {
        let fields = type.map { "Content-Type: \($0)\r\n" } ?? ""
        let server = try ScriptedServer { connection in
            while !connection.request().isEmpty { connection.answer("{}", status: "\(status) Some", headers: fields) }
        }
        let message = try FetchWins(player: "me").message()
        do {
            _ = try await Juliet(baseURL: server.baseURL).attempt(message)
            #expect(isServers)
        } catch {
            #expect((error.code == .unexpectedContent) == !isServers)
            // None of these says what the service says.
            #expect(RetryPolicy.standard.retries(after: error))
        }
    }

    @Test("the hook completes every attempt, and sees what it is for")
    func prepare() async throws {
        let server = try echo()
        let count = Locked(0)
        let juliet = Juliet(
            JulietConfiguration(
                baseURL: server.baseURL,
                prepare: { message in
                    await Task.yield()
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    if message.options.isAuthenticated {
                        message.headers.append(HeaderField("Authorization", "Bearer \(number)"))
                    }
                }))
        #expect(value(of: "Authorization", in: try await juliet.send(Echo())) == "Bearer 1")
        #expect(value(of: "Authorization", in: try await juliet.send(Echo())) == "Bearer 2")
        let open = try await juliet.send(Echo(options: RequestOptions(isAuthenticated: false)))
        #expect(value(of: "Authorization", in: open) == nil)
    }

    @Test("a hook that fails ends the attempt unsent, with its own error inside")
    func prepareFails() async throws {
        struct NoToken: Error {}
        let seen = Gate()
        let server = try ScriptedServer { _ in seen.pass() }
        let juliet = Juliet(JulietConfiguration(baseURL: server.baseURL, prepare: { _ in throw NoToken() }))
        let error = await #expect(throws: ClientError.self) { try await juliet.send(Echo()) }
        #expect(error?.code == .preparation)
        #expect(error?.underlying is NoToken)
        #expect(error?.isUnsent == true)
        #expect(seen.count == 0)
    }

    @Test("a request's own time-out and host count before the client's")
    func options() async throws {
        let server = try ScriptedServer { connection in connection.waitForEnd() }
        let other = try echo()
        let juliet = Juliet(baseURL: server.baseURL)
        let error = await #expect(throws: ClientError.self) {
            try await juliet.send(Echo(options: RequestOptions(timeout: .milliseconds(50))))
        }
        #expect(error?.code == .timedOut)
        let elsewhere = try await juliet.send(Echo(options: RequestOptions(host: other.baseURL)))
        #expect(elsewhere.hasPrefix("GET /echo HTTP/1.1\r\n"))
    }

    // MARK: What it makes of answers

    @Test("a refusal tells status, code and message, and holds the whole answer")
    func refusal() async throws {
        let body = #"{"error":{"code":"energy.insufficient","message":"Not enough energy."}}"#
        let server = try ScriptedServer { connection in
            _ = connection.request()
            connection.answer(body, status: "404 Not Found", headers: "Retry-After: 3\r\n")
        }
        let error = await #expect(throws: ClientError.self) {
            try await Juliet(baseURL: server.baseURL).send(StartGame(player: "me"))
        }
        #expect(error?.code == .refused)
        #expect(error?.refusal?.status == 404)
        #expect(error?.refusal?.code == "energy.insufficient")
        #expect(error?.refusal?.message == "Not enough energy.")
        #expect(error?.refusal?.response[header: "Retry-After"] == "3")
        #expect(error?.refusal?.response.body == Array(body.utf8))
        #expect(error?.isUnsent == false)
    }

    @Test("an error body of another kind is read by the developer's own mapping")
    func mapError() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.request()
            connection.answer("E17: too late", status: "400 Bad Request")
        }
        let juliet = Juliet(
            JulietConfiguration(
                baseURL: server.baseURL,
                mapError: { response in
                    let parts = String(decoding: response.body, as: UTF8.self).split(separator: ":")
                    return ClientError.Refusal(
                        status: response.status, code: parts.first.map(String.init), response: response)
                }))
        let error = await #expect(throws: ClientError.self) { try await juliet.send(Echo()) }
        #expect(error?.refusal?.code == "E17")
    }

    @Test("another transport takes the place of the system's; its errors are wrapped")
    func transport() async throws {
        struct Broken: Error {}
        struct Wire: Transport {
            func send(
                _ message: RequestMessage, to baseURL: String, timeout: Duration
            ) async throws -> HTTPResponse {
                guard message.path == "/echo" else { throw Broken() }
                return HTTPResponse(status: 200, body: Array("\(baseURL) \(timeout)".utf8))
            }
        }
        let juliet = Juliet(JulietConfiguration(baseURL: "any", timeout: .seconds(7), transport: Wire()))
        #expect(try await juliet.send(Echo()) == "any 7.0 seconds")
        let error = await #expect(throws: ClientError.self) { try await juliet.send(Echo(path: "/broken")) }
        #expect(error?.code == .other)
        #expect(error?.underlying is Broken)
    }

    @Test("a value comes with its answer's head, and a copy that still holds is nil")
    func head() async throws {
        let server = try ScriptedServer { connection in
            while case let request = connection.request(), !request.isEmpty {
                if request.contains("If-None-Match: \"1\"") {
                    connection.send("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n")
                } else {
                    connection.answer(#"["a"]"#, headers: "ETag: \"1\"\r\n")
                }
            }
        }
        let juliet = Juliet(baseURL: server.baseURL)
        let first = try await juliet.response(to: FetchBoard())
        #expect(first.value == ["a"] && first.response.status == 200)
        let tag = try #require(first.response[header: "etag"])
        #expect(try await juliet.send(FetchBoard(tag: tag)) == nil)
        #expect(try await juliet.response(to: FetchBoard(tag: tag)).response.status == 304)
        #expect(try await juliet.send(FetchBoard(tag: "\"0\"")) == ["a"])
    }

    @Test("a 304 that nobody asked for is no answer", arguments: [HTTPMethod.get, .post])
    func unasked(method: HTTPMethod) async throws {
        let juliet = Juliet(
            JulietConfiguration(
                baseURL: "http://test", transport: ScriptedTransport([.response(HTTPResponse(status: 304))])))
        let error = await #expect(throws: ClientError.self) { try await juliet.send(Echo(method: method)) }
        #expect(error?.code == .unexpectedContent)
    }

    @Test("a request is sent again when the caller says so, each time under the same name", arguments: [1, 2, 3, 4])
    func retried(attempts: Int) async throws {
        let failures = [ScriptedAnswer.failure(.connectionLost), .json(text: "{}", status: 503)]
        let transport = ScriptedTransport(failures + [.json(text: "done")])
        let juliet = Juliet(JulietConfiguration(baseURL: "http://test", transport: transport))
        let policy = RetryPolicy(firstDelay: .milliseconds(1), maximumAttempts: attempts)
        let result = await Result<String, any Error>(catching: {
            try await juliet.send(Echo(method: .post), retry: policy)
        })
        #expect(await transport.sent.count == min(attempts, 3))
        #expect(Set(await transport.sent.compactMap(\.idempotencyKey)).count == 1)
        switch attempts {
        case 1: #expect((result.failure as? ClientError)?.code == .connectionLost)
        case 2: #expect((result.failure as? ClientError)?.refusal?.status == 503)
        default: #expect(try result.get() == "done")
        }
    }

    @Test(
        "by default, and after an answer, nothing is sent again; a caller that waits for the next attempt can give up")
    func notRetried() async throws {
        let missing = V2.Problem(code: "not-found", status: 404, title: "x")
        let transport = ScriptedTransport([.failure(.timedOut), try .problem(missing), .failure(.timedOut)])
        let juliet = Juliet(JulietConfiguration(baseURL: "http://test", transport: transport))
        for policy in [RetryPolicy.never, .standard] {
            await #expect(throws: ClientError.self) { try await juliet.send(Echo(), retry: policy) }
        }
        #expect(await transport.sent.count == 2)
        let slow = RetryPolicy(firstDelay: .seconds(3600), maximumDelay: .seconds(3600))
        let waiting = Task { try await juliet.send(Echo(), retry: slow) }
        #expect(try await eventually { await transport.sent.count == 3 })
        waiting.cancel()
        let error = await #expect(throws: ClientError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
    }

    @Test("an answer that comes too late for the app is the hook's error, a refusal too")
    func checkResponse() async throws {
        struct SignedOut: Error {}
        let isSignedOut = Locked(false)
        let transport = ScriptedTransport([.json(text: "{}"), .json(text: "{}"), .json(text: "{}", status: 404)])
        let juliet = Juliet(
            JulietConfiguration(
                baseURL: "http://test", transport: transport,
                checkResponse: { message, _ in
                    #expect(message.path == "/echo")
                    if isSignedOut.withLock(\.self) { throw SignedOut() }
                }))
        #expect(try await juliet.send(Echo()) == "{}")
        isSignedOut.withLock { $0 = true }
        for _ in 0..<2 {
            let error = await #expect(throws: ClientError.self) { try await juliet.send(Echo()) }
            #expect(error?.code == .rejected && error?.underlying is SignedOut && error?.isUnsent == false)
        }
    }

    @Test("a local identifier in path or query is never sent by itself")
    func localIdentifier() async throws {
        struct Look: Request {
            typealias Response = Void
            var path = "/thing"
            var query: RequestQuery = [:]
        }
        let local = LocalIdentifier().placeholder
        let transport = ScriptedTransport([])
        let juliet = Juliet(JulietConfiguration(baseURL: "http://test", transport: transport))
        for request in [Look(path: "/things/\(local)"), Look(query: ["of": [local]])] {
            let error = await #expect(throws: ClientError.self) { try await juliet.send(request) }
            #expect(error?.code == .unusableIdentifier && error?.isUnsent == true)
        }
        #expect(await transport.sent.isEmpty)
    }

    // MARK: Without async

    @Test("a completion handler gets the response, or the error")
    func completion() async throws {
        let server = try echo()
        let juliet = Juliet(baseURL: server.baseURL)
        let text = await withCheckedContinuation { continuation in
            juliet.send(Echo()) { continuation.resume(returning: $0) }
        }
        #expect(try text.get().hasPrefix("GET /echo "))
        let none = await withCheckedContinuation { continuation in
            Juliet(baseURL: "none").send(Echo()) { continuation.resume(returning: $0) }
        }
        #expect(throws: ClientError.self) { try none.get() }
    }

    @Test("a request that is called off gets its handler called once, with that error")
    func completionCancelled() async throws {
        let gate = Gate()
        let server = try ScriptedServer { _ in gate.pass() }
        defer { gate.open() }
        let juliet = Juliet(baseURL: server.baseURL)
        let (results, continuation) = AsyncStream.makeStream(of: Result<String, ClientError>.self)
        let handle = juliet.send(Echo()) { continuation.yield($0) }
        #expect(try await eventually { gate.count == 1 })
        handle.cancel()
        handle.cancel()
        let result = try #require(await results.first { _ in true })
        let error = #expect(throws: ClientError.self) { try result.get() }
        #expect(error?.code == .cancelled)
    }

    // MARK: Identical requests

    @Test("identical requests that read are sent once, and all callers get the answer")
    func shared() async throws {
        let gate = Gate()
        let server = try held(gate)
        let juliet = Juliet(baseURL: server.baseURL)
        let tasks = (0..<20).map { _ in Task { try await juliet.send(Echo()) } }
        let different = Task { try await juliet.send(Echo(path: "/other")) }
        // How it is treated on this side makes no other request of it.
        let same = RequestOptions(mayBeDeduplicated: true, tag: "log", isBackground: true)
        let treated = Task { try await juliet.send(Echo(options: same)) }
        #expect(try await callers(of: Echo(), are: 21, in: juliet))
        #expect(try await eventually { gate.count == 2 })
        gate.open()
        for task in tasks { #expect(try await task.value.hasPrefix("GET /echo ")) }
        #expect(try await treated.value.hasPrefix("GET /echo "))
        #expect(try await different.value.hasPrefix("GET /other "))
        #expect(gate.count == 2)
        // Nobody shares with one that has ended.
        _ = try await juliet.send(Echo())
        #expect(gate.count == 3)
    }

    @Test("requests that change something are sent each, unless they say otherwise; reads too if they say so")
    func notShared() async throws {
        let gate = Gate()
        let server = try held(gate)
        let juliet = Juliet(baseURL: server.baseURL)
        let alone = [
            Echo(method: .post), Echo(method: .post), Echo(options: RequestOptions(mayBeDeduplicated: false)),
            Echo(options: RequestOptions(mayBeDeduplicated: false)),
        ]
        let tasks = alone.map { request in Task { try await juliet.send(request) } }
        #expect(try await eventually { gate.count == 4 })
        gate.open()
        for task in tasks { _ = try await task.value }
        #expect(try FetchWins(player: "me").message().options.mayBeDeduplicated == true)
        #expect(try StartGame(player: "me").message().options.mayBeDeduplicated == nil)
    }

    @Test("when one caller gives up the others get their answer; when the last one does the request ends")
    func leaving() async throws {
        let gate = Gate()
        let ended = Gate()
        let server = try ScriptedServer { connection in
            let request = connection.request()
            if request.hasPrefix("GET /end") {
                gate.pass()
                connection.waitForEnd()
                ended.open()
                ended.pass()
            } else {
                gate.pass()
                connection.answer("answer")
            }
        }
        let juliet = Juliet(baseURL: server.baseURL)
        let tasks = (0..<3).map { _ in Task { try await juliet.send(Echo()) } }
        #expect(try await callers(of: Echo(), are: 3, in: juliet))
        tasks[0].cancel()
        let error = await #expect(throws: ClientError.self) { try await tasks[0].value }
        #expect(error?.code == .cancelled)
        gate.open()
        #expect(try await tasks[1].value == "answer")
        #expect(try await tasks[2].value == "answer")

        let last = (0..<2).map { _ in Task { try await juliet.send(Echo(path: "/end")) } }
        #expect(try await callers(of: Echo(path: "/end"), are: 2, in: juliet))
        #expect(try await eventually { gate.count == 2 })
        for task in last { task.cancel() }
        for task in last {
            let error = await #expect(throws: ClientError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
        #expect(try await eventually { ended.count >= 1 })
    }

    /// Waits until so many wait for the same answer.
    private func callers(of request: Echo, are count: Int, in juliet: Juliet) async throws -> Bool {
        let key = SharedExchanges.Key(message: try request.message())
        return try await eventually { await juliet.shared.exchanges[key]?.callers.count == count }
    }

    /// Answers every request with itself once a gate is open.
    private func held(_ gate: Gate) throws -> ScriptedServer {
        try ScriptedServer { connection in
            while case let request = connection.request(), !request.isEmpty {
                gate.pass()
                connection.answer(request)
            }
        }
    }
}

extension Result {
    /// Runs a body that can wait.
    fileprivate init(catching body: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }

    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
