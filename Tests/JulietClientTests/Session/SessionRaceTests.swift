import JulietClient
import JulietClientTesting
import Synchronization
import Testing

@Suite("A session among cancelled tasks, lost answers, other processes and other players", .timeLimit(.minutes(1)))
struct SessionRaceTests {
    private static let passkey = V2.SignedCredential(
        id: [1], clientDataJSON: [2], authenticatorData: [3], signature: [4], userHandle: [5])

    /// Creates a player with the code `A-1` and the token `jt_1`, and answers then as a script says.
    private static func open(
        _ answers: [ScriptedAnswer], _ store: any SecretStore = MemorySecretStore()
    ) async throws -> (Session, ScriptedTransport) {
        let transport = ScriptedTransport([try .json(SessionTests.credentials("jt_1", "A-1"), status: 201)] + answers)
        let session = try await SessionTests.open(transport, store)
        try await session.createPlayer()
        return (session, transport)
    }

    // MARK: Cancelled tasks

    @Test("a code that works once is not lost with the task that asked for it")
    func cancelled() async throws {
        let gates = (0..<4).map { _ in Latch() }
        let transport = ScriptedTransport { message, attempt in
            await gates[attempt - 1].pass()
            try Task.checkCancellation()
            return message.path == "/v2/players/me/recovery-code"
                ? .json(text: #"{"recoveryCode":"A-\#(attempt)"}"#, status: 201)
                : try .json(SessionTests.credentials("jt_\(attempt)", "A-\(attempt)"), status: 201)
        }
        let store = MemorySecretStore()
        let session = try await SessionTests.open(transport, store)
        let steps: [@Sendable () async throws -> Void] = [
            { try await session.createPlayer() }, { try await session.renew() },
            { try await session.renewRecoveryCode() },
        ]
        for (index, step) in steps.enumerated() {
            let view = Task { try await step() }
            await waitUntil("it is under way") { await gates[index].count == 1 }
            view.cancel()
            await gates[index].open()
            _ = await view.result
            let next = try await SessionTests.open(transport, store)
            #expect(await next.recoveryCode == "A-\(index + 1)")
            #expect(await next.interrupted == nil)
        }
    }

    @Test("a task that was cancelled before begins nothing")
    func cancelledBefore() async throws {
        let transport = ScriptedTransport([])
        let session = try await SessionTests.open(transport)
        let view = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await session.createPlayer()
        }
        let error = await #expect(throws: ClientError.self) { try await view.value }
        #expect(error?.code == .cancelled)
        #expect(await session.interrupted == nil)
        #expect(await transport.sent.isEmpty)
    }

    // MARK: Other processes

    @Test("a process that still has an old token leaves alone what another has signed in with since")
    func otherProcess() async throws {
        let store = MemorySecretStore()
        let transport = ScriptedTransport { message, _ in
            switch message.path {
            case "/v2/players": try .json(SessionTests.credentials("jt_1", "A-1"), status: 201)
            case "/v2/sessions": try .json(SessionTests.credentials("jt_2", "A-2"), status: 201)
            default:
                SessionTests.token(of: message) == "Bearer jt_2"
                    ? try .json(SessionTests.player()) : try .problem(SessionTests.unauthorized)
            }
        }
        let app = try await SessionTests.open(transport, store)
        try await app.createPlayer()
        let other = try await SessionTests.open(transport, store)
        try await app.renew()
        await #expect(throws: ClientError.self) { try await other.juliet.send(FetchPlayer()) }
        #expect(await other.state == .refused(SessionTests.player()))
        try await other.note(SessionTests.player(name: "Zoë"))
        #expect(await other.state == .refused(SessionTests.player(name: "Zoë")))
        let next = try await SessionTests.open(transport, store)
        #expect(await next.recoveryCode == "A-2")
        #expect(await next.state == .signedIn(SessionTests.player()))
        _ = try await next.juliet.send(FetchPlayer())
        // Nothing keeps the one whose token it is from noting.
        try await next.note(SessionTests.player(name: "Zoë"))
        #expect(try await SessionTests.open(transport, store).state == .signedIn(SessionTests.player(name: "Zoë")))
    }

    @Test("a caller that learns that a token is refused can renew at once")
    func atOnce() async throws {
        let store = SlowStore()
        let (session, _) = try await Self.open(
            [
                try .problem(SessionTests.unauthorized),
                try .json(SessionTests.credentials("jt_2", "A-2"), status: 201),
            ], store)
        let gate = await store.hold()
        let asking = Task { try? await session.juliet.send(FetchPlayer()) }
        for await state in await session.states() { if case .refused = state { break } }
        let renewing = Task { try await session.renew() }
        await waitUntil("somebody writes") { await gate.count > 0 }
        await gate.open()
        #expect(try await renewing.value == SessionTests.player())
        #expect(await session.recoveryCode == "A-2")
        _ = await asking.value
    }

    // MARK: Lost answers

    @Test("a renewal without an answer leaves open whether the code is good, also when another way in works")
    func openCode() async throws {
        let opened = V2.OpenedSession(player: SessionTests.player(), token: "jt_2")
        let store = MemorySecretStore()
        let (session, transport) = try await Self.open(
            [
                .failure(.timedOut), try .json(opened, status: 201), .failure(.noNetwork),
                .json(text: #"{"recoveryCode":"A-3"}"#, status: 201),
            ], store)
        await #expect(throws: ClientError.self) { try await session.renew() }
        try await session.renew(passkey: Self.passkey)
        let next = try await SessionTests.open(transport, store)
        #expect(await next.interrupted == .recoveryCode)
        await #expect(throws: ClientError.self) { try await next.resume() }
        #expect(await next.interrupted == .recoveryCode)
        try await next.resume()
        #expect(await next.recoveryCode == "A-3")
        #expect(await next.interrupted == nil)
    }

    @Test("a new code without an answer stays open after another way in, a refusal, and a renewal that was not sent")
    func openRenewal() async throws {
        let opened = V2.OpenedSession(player: SessionTests.player(), token: "jt_2")
        let (session, _) = try await Self.open([
            .failure(.timedOut), try .json(opened, status: 201), try .problem(SessionTests.unauthorized),
            .failure(.noNetwork), try .problem(SessionTests.unauthorized),
        ])
        await #expect(throws: ClientError.self) { try await session.renewRecoveryCode() }
        try await session.renew(passkey: Self.passkey)
        #expect(await session.interrupted == .recoveryCode)
        await #expect(throws: ClientError.self) { try await session.resume() }
        #expect(await session.interrupted == .recoveryCode)
        await #expect(throws: ClientError.self) { try await session.renew() }
        #expect(await session.interrupted == .recoveryCode)
        // The old code is none any more: there is nothing left to find out.
        await #expect(throws: ClientError.self) { try await session.renew() }
        #expect(await session.interrupted == nil)
        #expect(await session.recoveryCode == nil)
    }

    @Test("a code that the service does not know is kept no longer")
    func deadCode() async throws {
        let store = MemorySecretStore()
        let (session, transport) = try await Self.open([try .problem(SessionTests.unauthorized)], store)
        await #expect(throws: ClientError.self) { try await session.renew() }
        #expect(await session.recoveryCode == nil)
        #expect(try await SessionTests.open(transport, store).recoveryCode == nil)
        await #expect { try await session.renew() } throws: { ($0 as? SessionError)?.code == .noRecoveryCode }
    }

    // MARK: Other players

    @Test("a question of one player's that is under way does not answer the next player's", arguments: [false, true])
    func sharedAnswers(isQueued: Bool) async throws {
        let gate = Latch()
        let transport = ScriptedTransport { message, _ in
            guard message.path != "/v2/players" else {
                let id = String(decoding: message.body ?? [], as: UTF8.self).contains("Ada") ? "a" : "b"
                return try .json(SessionTests.credentials("jt_\(id)", "A-1", id: id), status: 201)
            }
            if SessionTests.token(of: message) == "Bearer jt_a" { await gate.pass() }
            return try .json(SessionTests.player(SessionTests.token(of: message) == "Bearer jt_a" ? "a" : "b"))
        }
        let session = try await SessionTests.open(transport)
        let folder = try TemporaryFolder()
        let queue = try await RequestQueue.open(folder.journal, client: session.juliet)
        let working = Task { try await queue.run() }
        let ask: @Sendable () async throws -> V2.Player = {
            isQueued
                ? try await queue.append(FetchPlayer()).value : try await session.juliet.send(FetchPlayer())
        }
        try await session.createPlayer(name: "Ada")
        let first = Task { try await ask() }
        await waitUntil("it is under way") { await gate.count == 1 }
        try await session.forget()
        try await session.createPlayer(name: "Bob")
        if isQueued {
            // The queue is the first player's.
            await #expect(throws: QueueError(.otherOwner)) { try await ask() }
            await gate.open()
            #expect(try await first.value.id == "a")
        } else {
            let second = Task { try await ask() }
            await waitUntil("both were sent") { await transport.sent.count == 4 }
            await gate.open()
            #expect(try await first.value.id == "a")
            #expect(try await second.value.id == "b")
        }
        await queue.close()
        try await working.value
    }

    // MARK: Other servers

    @Test(
        "token and API key go to the server of the base URL alone",
        arguments: [
            (nil, true), ("https://words.example.org/prod", true), ("HTTPS://Words.example.org", true),
            ("http://words.example.org", false), ("https://words.example.org:8443", false),
            ("https://words.example.org.evil.example", false), ("https://other.example", false),
        ] as [(String?, Bool)])
    func hosts(host: String?, isOwn: Bool) async throws {
        struct Look: Request {
            typealias Response = Void
            let path = "/v2/look"
            let options: RequestOptions
        }
        let transport = ScriptedTransport([
            try .json(SessionTests.credentials("jt_1", "A-1"), status: 201), .noContent,
            try .problem(SessionTests.unauthorized),
        ])
        let session = try await Session.open(
            JulietConfiguration(baseURL: "https://words.example.org/", apiKey: "key", transport: transport),
            store: MemorySecretStore())
        try await session.createPlayer()
        try await session.juliet.send(Look(options: RequestOptions(host: host)))
        let sent = try #require(await transport.sent.last)
        #expect(SessionTests.token(of: sent) == (isOwn ? "Bearer jt_1" : nil))
        #expect(sent.headers.contains { $0.name == "AuthToken" } == isOwn)
        // What another server says of a token is not the service's word.
        let look = Look(options: RequestOptions(host: host)).authorized(by: "jt_1")
        await #expect(throws: ClientError.self) { try await session.juliet.send(look) }
        #expect(await session.state == (isOwn ? .refused(SessionTests.player()) : .signedIn(SessionTests.player())))
    }

    @Test("what looks at no token says nothing of it: a success of the app's URLs, or its refusal of the API key")
    func firstContract() async throws {
        let (session, _) = try await Self.open([
            .json(text: #"{"error":{"code":"auth.invalid","message":"No."}}"#, status: 401),
            try .problem(SessionTests.unauthorized), .json(text: "{}"),
        ])
        _ = try? await session.juliet.send(FetchWins(player: "me"))
        #expect(await session.state == .signedIn(SessionTests.player()))
        _ = try? await session.juliet.send(FetchPlayer())
        #expect(await session.state == .refused(SessionTests.player()))
        _ = try? await session.juliet.send(FetchWins(player: "me"))
        #expect(await session.state == .refused(SessionTests.player()))
    }

    // MARK: Secrets

    @Test("neither a session nor an exchange that is printed shows a secret")
    func printed() async throws {
        let texts = Mutex<[String]>([])
        @Sendable func note(_ value: some Sendable) {
            var text = "\(value) \(String(reflecting: value)) \([value]) "
            dump(value, to: &text)
            texts.withLock { $0.append(text) }
        }
        let transport = ScriptedTransport([
            try .json(SessionTests.credentials("jt_secret", "A-SECRET"), status: 201), .failure(.timedOut),
        ])
        let session = try await Session.open(
            JulietConfiguration(
                baseURL: "http://test", apiKey: "key-secret", transport: transport, willSend: { note($0) },
                didEnd: { note($0) }),
            store: MemorySecretStore())
        try await session.createPlayer()
        _ = try? await session.juliet.send(FetchPlayer())
        note(session)
        let all = texts.withLock { $0.joined(separator: "\n") }
        #expect(!all.lowercased().contains("secret"))
        #expect(all.contains("POST /v2/players: 201, ") && all.contains("GET /v2/players/me: no answer, "))
    }
}

/// A store whose writes can be held.
private actor SlowStore: SecretStore {
    private let store = MemorySecretStore()
    private var gate: Latch?

    func hold() -> Latch {
        let gate = Latch()
        self.gate = gate
        return gate
    }

    func load(_ name: String) async -> [UInt8]? { await store.load(name) }

    func save(_ secret: [UInt8], as name: String) async {
        await gate?.pass()
        await store.save(secret, as: name)
    }

    func delete(_ name: String) async { await store.delete(name) }
}
