import EventLoop
import Foundation
import Testing

@testable import JulietClient

@Suite("Queue")
struct RequestQueueTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: Answers

    @Test("the caller that appended gets the typed answer, as often as it asks for it")
    func value() async throws {
        let server = AnsweringTransport { _, _ in HTTPResponse(status: 200, body: Array("7".utf8)) }
        try await withQueue(server, folder: folder) { queue in
            let pending = try await queue.append(Look(path: "/wins"))
            #expect(try await pending.value == 7)
            #expect(try await pending.value == 7)
            let other = try await queue.append(Change(path: "/change"))
            try await other.value
        }
    }

    @Test("handlers are told in order, also of requests of an earlier launch, until they are taken back")
    func handlers() async throws {
        let client = Juliet(JulietConfiguration(baseURL: "http://127.0.0.1", transport: AnsweringTransport()))
        let before = try await RequestQueue.open(folder.journal, client: client)
        try await before.append(Change(path: "/1"), options: QueueOptions(identifiers: ["game": "7"]))
        await before.close()

        let notes = Notes()
        var token: HandlerToken?
        try await withQueue(AnsweringTransport(), folder: folder) { queue in
            await queue.handle(Change.self) { answer in
                let request = answer.request
                await notes.add(
                    "first \(request.identifiers["game"] ?? "-") \(request.method.rawValue) \(request.path)")
            }
            token = await queue.handle(Change.self) { _ in await notes.add("second") }
            await queue.handle(Look.self) { _ in await notes.add("wrong type") }
            await queue.handleAll(tag: "other") { _ in await notes.add("wrong tag") }
            await queue.handle(Change.self, named: "Other") { _ in await notes.add("wrong name") }
        } _: { queue in
            await waitUntil("both are told") { await notes.lines == ["first 7 POST /1", "second"] }
            if let token { await queue.unregister(token) }
            try await queue.append(Change(path: "/2"))
            await waitUntil("one is told") { await notes.lines.dropFirst(2) == ["first - POST /2"] }
        }
    }

    @Test("an answer that had no handler is handled after the next start, without another request")
    func untold() async throws {
        let server = AnsweringTransport()
        let gate = Latch()
        // The process ends while a handler is at work: its journal as it was then.
        try await withQueue(server, folder: folder) { queue in
            await queue.handle(Change.self) { _ in await gate.pass() }
        } _: { queue in
            try await queue.append(Change(path: "/1")).value
            await waitUntil("the handler is at work") { await gate.count == 1 }
            // The handler has been called after the end was noted; reading a message writes what is noted.
            try await queue.append(Change(path: "/2"))
            try FileManager.default.copyItem(atPath: folder.journal, toPath: folder.journal + ".copy")
            await gate.open()
        }
        try FileManager.default.removeItem(atPath: folder.journal)
        try FileManager.default.moveItem(atPath: folder.journal + ".copy", toPath: folder.journal)
        let again = AnsweringTransport()
        let notes = Notes()
        try await withQueue(again, folder: folder) { queue in
            await queue.handle(Change.self) { answer in
                if case .success = answer.outcome { await notes.add("told") }
            }
        } _: { queue in
            await waitUntil("both are told") { await notes.lines.count == 2 }
        }
        #expect(await !again.paths.contains("/1"))
    }

    // MARK: Order and attempts

    @Test("a change waits for all ahead and holds all behind, also while it is tried again; questions run side by side")
    func barriers() async throws {
        let gate = Latch()
        let server = AnsweringTransport { message, attempt in
            if message.path.hasPrefix("/look") { await gate.pass() }
            if message.path == "/change", attempt < 3 { throw ClientError(.connectionLost) }
            return HTTPResponse(status: 200, body: [UInt8(ascii: "1")])
        }
        try await withQueue(server, folder: folder) { queue in
            let ids = try await queue.append([
                Look(path: "/look/1"), Look(path: "/look/2"), Change(path: "/change"), Look(path: "/behind"),
            ])
            #expect(ids == ids.sorted() && ids.count == 4)
            await waitUntil("both look") { await gate.count == 2 }
            #expect(await server.paths.count == 2)
            await gate.open()
            await waitUntil("all are sent") { await queue.status.waiting == 0 }
        }
        #expect(await Set(server.paths.prefix(2)) == ["/look/1", "/look/2"])
        #expect(await server.paths.dropFirst(2) == ["/change", "/change", "/change", "/behind"])
    }

    @Test("every attempt carries the key that was made at the append, also after a restart")
    func keys() async throws {
        let server = AnsweringTransport { _, attempt in
            if attempt < 3 { throw ClientError(.timedOut) }
            return HTTPResponse(status: 200)
        }
        let slow = QueueConfiguration(retry: RetryPolicy(firstDelay: .seconds(60)))
        try await withQueue(server, folder: folder, configuration: slow) { queue in
            try await queue.append(Change(path: "/1"))
            await waitUntil("the first attempt fails") { await queue.status.lastFailure == .timedOut }
        }
        try await withQueue(server, folder: folder) { queue in
            // Before the queue runs: the next attempt comes at once.
            #expect(await queue.requests.map(\.attempts) == [1])
        } _: { queue in
            await waitUntil("it is done") { await queue.status.waiting == 0 }
        }
        let keys = await server.keys
        #expect(keys.count == 3 && Set(keys).count == 1 && keys[0]?.count == 32)
    }

    @Test("a refusal ends a request; one that can be tried again does not; too many become a dead letter")
    func failures() async throws {
        let server = AnsweringTransport { message, attempt in
            switch message.path {
            case "/refused": refusal(404, code: "no.such")
            case "/busy": attempt < 3 ? refusal(503) : refusal(200)
            default: attempt <= 4 ? refusal(500) : refusal(200)
            }
        }
        try await withQueue(server, folder: folder) { queue in
            let refused = try await queue.append(Change(path: "/refused"))
            let busy = try await queue.append(Change(path: "/busy"))
            let broken = try await queue.append(Change(path: "/broken"))
            let error = await #expect(throws: ClientError.self) { try await refused.value }
            #expect(error?.refusal?.code == "no.such")
            try await busy.value
            await #expect(throws: ClientError.self) { try await broken.value }
            let letters = await queue.deadLetters
            #expect(letters.map(\.request.id) == [broken.id] && letters[0].error.refusal?.status == 500)
        }
        // It is there after a restart, and goes out under its old name.
        try await withQueue(server, folder: folder) { queue in
            let letters = await queue.deadLetters
            #expect(letters.count == 1 && letters[0].request.attempts == 4)
            let ids = try await queue.redrive(letters.map(\.request.id))
            #expect(ids.count == 1)
            await waitUntil("it is done") { await queue.status.waiting == 0 }
            #expect(await queue.deadLetters.isEmpty)
        }
        let broken = await server.sent.filter { $0.path == "/broken" }
        #expect(broken.count == 5 && Set(broken.map(\.idempotencyKey)).count == 1)
    }

    @Test("a 401 stops everything until there is a fresh token, and is no failure")
    func tokens() async throws {
        let token = Notes()
        let server = AnsweringTransport { message, _ in
            message.path == "/open" || message.headers.contains(HeaderField("Token", "2")) ? refusal(200) : refusal(401)
        }
        let client = Juliet(
            JulietConfiguration(baseURL: "http://127.0.0.1", transport: server) { message in
                message.headers.append(HeaderField("Token", String(await token.lines.count)))
            })
        var configuration = QueueConfiguration.quick
        configuration.refreshToken = { await token.add("refreshed") }
        let queue = try await RequestQueue.open(folder.journal, client: client, configuration: configuration)
        async let run: Void = queue.run()
        let pending = try await queue.append(Change(path: "/1"))
        try await pending.value
        // The first fresh token was refused too.
        #expect(await token.lines.count == 2)
        // One that needs no token is refused like any other.
        let open = Change(path: "/2", options: RequestOptions(isAuthenticated: false))
        await token.add("3")
        let refused = try await queue.append(open)
        await #expect(throws: ClientError.self) { try await refused.value }
        await queue.close()
        try await run
    }

    @Test("without a hook a 401 waits for resume")
    func resume() async throws {
        let server = AnsweringTransport { _, attempt in attempt == 1 ? refusal(401) : refusal(200) }
        try await withQueue(server, folder: folder) { queue in
            let pending = try await queue.append(Change(path: "/1"))
            await waitUntil("it wants a token") { await queue.status.needsToken }
            #expect(await server.sent.count == 1)
            await queue.resume()
            try await pending.value
        }
    }

    // MARK: Control

    @Test("paused, nothing starts; flushed, nothing waits for its next attempt")
    func pauseAndFlush() async throws {
        let server = AnsweringTransport { _, attempt in
            if attempt == 1 { throw ClientError(.noNetwork) }
            return HTTPResponse(status: 200)
        }
        let slow = QueueConfiguration(retry: RetryPolicy(firstDelay: .seconds(60)))
        try await withQueue(server, folder: folder, configuration: slow) { queue in
            await queue.pause()
            let pending = try await queue.append(Change(path: "/1"))
            #expect(await queue.status.isPaused)
            #expect(await server.sent.isEmpty)
            await queue.resume()
            await waitUntil("there is no network") { await queue.status.lastFailure == .noNetwork }
            await queue.flush()
            try await pending.value
            await waitUntil("nothing is left") { await queue.status == QueueStatus(isRunning: true) }
        }
    }

    @Test("a cancelled request is aborted, waiting or under way, and stays so")
    func cancelling() async throws {
        let gate = Latch()
        let server = AnsweringTransport { message, _ in
            await gate.pass()
            try await Task.sleep(for: .seconds(60))
            return HTTPResponse(status: 200)
        }
        await gate.open()
        let notes = Notes()
        try await withQueue(server, folder: folder) { queue in
            await queue.handleAll { answer in await notes.add("\(answer.request.id) \(answer.outcome.isAborted)") }
        } _: { queue in
            let first = try await queue.append(Change(path: "/1"))
            let second = try await queue.append(Change(path: "/2"))
            await waitUntil("the first is under way") { await gate.count == 1 }
            try await queue.cancel(second.id)
            try await queue.cancel(first.id)
            for pending in [first, second] {
                let error = await #expect(throws: ClientError.self) { try await pending.value }
                #expect(error?.code == .aborted)
            }
            await waitUntil("handlers are told") { await notes.lines == ["2 true", "1 true"] }
        }
        try await withQueue(server, folder: folder) { queue in #expect(await queue.requests.isEmpty) }
    }

    @Test("states are told as they change, and end with the queue")
    func statuses() async throws {
        let server = AnsweringTransport()
        var states: AsyncStream<QueueStatus>?
        try await withQueue(server, folder: folder) { queue in
            states = await queue.statuses()
            try await queue.append(Change(path: "/1")).value
        }
        var last: QueueStatus?
        if let states { for await state in states { last = state } }
        #expect(last?.waiting == 0)
    }

    @Test("a closed queue takes nothing; callers that wait get an error, and the request goes on next time")
    func closing() async throws {
        let server = AnsweringTransport { _, _ in throw ClientError(.noNetwork) }
        var queue: RequestQueue?
        var pending: PendingAnswer<Void>?
        try await withQueue(server, folder: folder) { running in
            queue = running
            pending = try await running.append(Change(path: "/1"))
            await waitUntil("its worker has started") { await running.status.isRunning }
            await #expect(throws: QueueError(.alreadyRunning)) { try await running.run() }
        }
        let closed = try #require(queue)
        await #expect(throws: QueueError(.closed)) { try await closed.append(Change(path: "/2")) }
        try await closed.run()
        let error = await #expect(throws: ClientError.self) { try await pending?.value }
        #expect(error?.code == .queueClosed)
        try await withQueue(AnsweringTransport(), folder: folder) { queue in
            await waitUntil("it is done") { await queue.status.waiting == 0 }
        }
    }

    @Test("a cancelled wait leaves the request alone; a cancelled worker can start again")
    func cancelledTasks() async throws {
        let gate = Latch()
        let server = AnsweringTransport { _, _ in
            await gate.pass()
            return HTTPResponse(status: 200)
        }
        let client = Juliet(JulietConfiguration(baseURL: "http://127.0.0.1", transport: server))
        let queue = try await RequestQueue.open(folder.journal, client: client, configuration: .quick)
        let pending = try await queue.append(Change(path: "/1"))
        let waiter = Task { try await pending.value }
        waiter.cancel()
        let error = await #expect(throws: ClientError.self) { try await waiter.value }
        #expect(error?.code == .cancelled)
        let first = Task { try await queue.run() }
        await waitUntil("it is under way") { await gate.count == 1 }
        first.cancel()
        await gate.open()
        try await first.value
        let second = Task { try await queue.run() }
        try await pending.value
        second.cancel()
        try await second.value
        await queue.close()
    }

    // MARK: Uniquing and sharing

    @Test("a newer request takes the place of one that waits with its key, at the tail")
    func uniquing() async throws {
        let server = AnsweringTransport()
        try await withQueue(server, folder: folder) { queue in
            await queue.pause()
            let first = try await queue.append(Change(path: "/old"), options: QueueOptions(uniquingKey: "energy"))
            try await queue.append(Change(path: "/other"))
            let second = try await queue.append(Change(path: "/new"), options: QueueOptions(uniquingKey: "energy"))
            let error = await #expect(throws: ClientError.self) { try await first.value }
            #expect(error?.code == .replaced)
            await queue.resume()
            try await second.value
        }
        #expect(await server.paths == ["/other", "/new"])
    }

    @Test("identical queries under way are sent once, and all callers get the answer")
    func sharing() async throws {
        let gate = Latch()
        let server = AnsweringTransport { _, _ in
            await gate.pass()
            return HTTPResponse(status: 200, body: [UInt8(ascii: "3")])
        }
        try await withQueue(server, folder: folder) { queue in
            let first = try await queue.append(Look(path: "/wins"))
            let second = try await queue.append(Look(path: "/wins"))
            await waitUntil("both are under way") { await queue.status.inFlight == 2 }
            // The second has read its message, or is about to find the first's answer on its way.
            await waitUntil("one is sent") { await gate.count == 1 }
            let juliet = await queue.client
            await waitUntil("they share") { await callers(in: juliet) == 2 }
            await gate.open()
            #expect(try await first.value == 3)
            #expect(try await second.value == 3)
        }
        #expect(await server.sent.count == 1)
    }

    @Test("a third identical query shares the answer too: after one of them was cancelled, and without the queue")
    func sharingWithOthers() async throws {
        let gate = Latch()
        let server = AnsweringTransport { _, _ in
            await gate.pass()
            return HTTPResponse(status: 200, body: [UInt8(ascii: "3")])
        }
        try await withQueue(server, folder: folder) { queue in
            let juliet = await queue.client
            let first = try await queue.append(Look(path: "/wins"))
            let second = try await queue.append(Look(path: "/wins"))
            await waitUntil("they share") { await callers(in: juliet) == 2 }
            try await queue.cancel(first.id)
            await waitUntil("one has left") { await callers(in: juliet) == 1 }
            let third = try await queue.append(Look(path: "/wins"))
            async let direct = juliet.send(Look(path: "/wins"))
            await waitUntil("all share") { await callers(in: juliet) == 3 }
            await gate.open()
            #expect(try await second.value == 3)
            #expect(try await third.value == 3)
            #expect(try await direct == 3)
        }
        #expect(await server.sent.count == 1)
    }

    /// How many wait for the same answer.
    private func callers(in juliet: Juliet) async -> Int {
        await juliet.shared.exchanges.values.map(\.callers.count).reduce(0, +)
    }

    @Test("questions that differ in their word for logs alone share an answer")
    func sharingAcrossTags() async throws {
        struct Tagged: Request {
            typealias Response = Int
            let path = "/wins"
            let tag: String
            var options: RequestOptions { RequestOptions(tag: tag) }
        }
        let gate = Latch()
        let server = AnsweringTransport { _, _ in
            await gate.pass()
            return HTTPResponse(status: 200, body: [UInt8(ascii: "3")])
        }
        try await withQueue(server, folder: folder) { queue in
            let first = try await queue.append(Tagged(tag: "a"))
            let second = try await queue.append(Tagged(tag: "b"))
            let juliet = await queue.client
            await waitUntil("they share") { await callers(in: juliet) == 2 }
            await gate.open()
            #expect(try await first.value == 3)
            #expect(try await second.value == 3)
        }
        #expect(await server.sent.count == 1)
    }

    // MARK: Types

    private enum Left {
        struct Tap: Request {
            typealias Response = Void
            let path = "/left"
            let method = HTTPMethod.post
        }
    }

    private enum Right {
        struct Tap: Request {
            typealias Response = Void
            let path = "/right"
            let method = HTTPMethod.post
        }
    }

    @Test("two types of one name hear their own answers, in this launch and the next; also within one function")
    func sameNames() async throws {
        func local() -> any Request {
            struct Tap: Request {
                typealias Response = Void
                let path = "/local"
                let method = HTTPMethod.post
            }
            return Tap()
        }
        struct Tap: Request {
            typealias Response = Void
            let path = "/other"
            let method = HTTPMethod.post
        }
        let notes = Notes()
        func listen(to queue: RequestQueue) async {
            await queue.handle(Left.Tap.self) { answer in await notes.add("left \(answer.request.idempotencyKey)") }
            await queue.handle(Right.Tap.self) { answer in await notes.add("right \(answer.request.idempotencyKey)") }
            await queue.handle(Tap.self) { answer in await notes.add("other \(answer.request.idempotencyKey)") }
        }
        try await withQueue(AnsweringTransport(), folder: folder) { queue in
            await listen(to: queue)
        } _: { queue in
            try await queue.append(Left.Tap(), options: QueueOptions(idempotencyKey: "l"))
            try await queue.append(Right.Tap(), options: QueueOptions(idempotencyKey: "r"))
            try await queue.append([QueueItem(local(), options: QueueOptions(idempotencyKey: "x"))])
            try await queue.append(Tap(), options: QueueOptions(idempotencyKey: "o"))
            await waitUntil("all are told") { await notes.lines == ["left l", "right r", "other o"] }
            await queue.pause()
            try await queue.append(Right.Tap(), options: QueueOptions(idempotencyKey: "r2"))
        }
        try await withQueue(AnsweringTransport(), folder: folder) { queue in
            await listen(to: queue)
        } _: { queue in
            await waitUntil("it is told") { await notes.lines.last == "right r2" }
        }
        #expect(await notes.lines.count == 4)
        #expect(RequestName(Left.Tap.self).full == "JulietClientTests.RequestQueueTests.Left.Tap")
        #expect(!RequestName(Tap.self).full.contains("0x") && !RequestName(Tap.self).full.contains("$"))
    }

    @Test("a handler of a request type gets the answers of authorised ones too")
    func authorised() async throws {
        let server = AnsweringTransport { _, _ in refusal(409, code: "game-unfinished") }
        let notes = Notes()
        try await withQueue(server, folder: folder) { queue in
            await queue.handle(StartJudgedGame.self) { answer in
                if case .failure(let error) = answer.outcome { await notes.add("\(error)") }
            }
        } _: { queue in
            try await queue.append(StartJudgedGame().authorized(by: "jt_x"))
            await waitUntil("it is told") { await notes.lines == ["refused 409 game-unfinished"] }
        }
    }

    // MARK: Background time

    @Test("background time lasts while a retry waits, ends with the request, and with the queue")
    func backgroundTime() async throws {
        final class Times: BackgroundTime {
            let calls = Locked<[String]>([])

            func begin() { calls.withLock { $0.append("begin") } }
            func end() { calls.withLock { $0.append("end") } }
        }
        let times = Times()
        let server = AnsweringTransport { _, attempt in
            if attempt == 1 { throw ClientError(.connectionLost) }
            return HTTPResponse(status: 200)
        }
        let slow = QueueConfiguration(
            retry: RetryPolicy(firstDelay: .seconds(60), maximumAttempts: 4), backgroundTime: times)
        let options = RequestOptions(isBackground: true)
        try await withQueue(server, folder: folder, configuration: slow) { queue in
            let first = try await queue.append(Change(path: "/1", options: options))
            await waitUntil("it waits") { await queue.status.lastFailure == .connectionLost }
            #expect(times.calls.withLock { $0 } == ["begin"])
            await queue.flush()
            try await first.value
            #expect(times.calls.withLock { $0 } == ["begin", "end"])
            try await queue.append(Change(path: "/2", options: options))
            await waitUntil("it waits") { await queue.status.lastFailure == .connectionLost }
            #expect(times.calls.withLock { $0 } == ["begin", "end", "begin"])
        }
        #expect(times.calls.withLock { $0 } == ["begin", "end", "begin", "end"])
    }

    // MARK: The journal

    @Test("who watches a queue or a session is released with it")
    func observersEnd() async throws {
        let juliet = Juliet(JulietConfiguration(baseURL: "http://test", transport: AnsweringTransport()))
        var queue: RequestQueue? = try await RequestQueue.open(folder.journal, client: juliet)
        let statuses = try #require(await queue?.statuses())
        queue = nil
        for await _ in statuses {}

        var gone: Session? = try await Session.open(juliet.configuration, store: MemorySecretStore())
        let states = try #require(await gone?.states())
        gone = nil
        for await _ in states {}

        // So is who shows its status beside that of a session, which goes on.
        let session = try await Session.open(juliet.configuration, store: MemorySecretStore())
        let other = try await RequestQueue.open(folder.path + "/other.journal", client: session.juliet)
        let status = JulietStatus()
        async let following: Void = status.follow(queue: other, session: session)
        await waitUntil("it follows") { await !other.observers.isEmpty }
        await other.close()
        await following
    }

    @Test("the journal stays short however much goes through it")
    func compaction() async throws {
        var configuration = QueueConfiguration.quick
        configuration.compactionThreshold = 20_000
        try await withQueue(AnsweringTransport(), folder: folder, configuration: configuration) { queue in
            for round in 0..<10 {
                try await queue.append((0..<50).map { QueueItem(Change(path: "/\(round)/\($0)")) })
            }
            await waitUntil("all are sent") { await queue.status.waiting == 0 }
            await waitUntil("the journal is short") {
                (try? folder.bytes(of: folder.journal).count) ?? .max < 45_000
            }
            try await queue.append(Change(path: "/last")).value
        }
    }

    @Test("invalid names, and requests that cannot be encoded, are refused")
    func invalid() async throws {
        try await withQueue(AnsweringTransport(), folder: folder) { queue in
            for key in ["", "two words", "é", String(repeating: "k", count: 256)] {
                await #expect(throws: QueueError(.invalidRequest)) {
                    try await queue.append(Change(path: "/"), options: QueueOptions(idempotencyKey: key))
                }
            }
            let none = try await queue.append([QueueItem]())
            #expect(none.isEmpty)
        }
    }
}

extension QueueOutcome {
    var isAborted: Bool { if case .aborted = self { true } else { false } }
}
