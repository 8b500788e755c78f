import JulietClient
import JulietClientTesting
import Testing

@Suite("A player's session on a device", .timeLimit(.minutes(1)))
struct SessionTests {
    static let unauthorized = V2.Problem(code: "unauthorized", status: 401, title: "Unauthorized")

    static func player(_ id: String = "p", name: String = "Ada") -> V2.Player {
        V2.Player(
            id: V2.Player.ID(rawValue: id), name: name, energy: 30,
            createdAt: V2.Timestamp(microsecondsSince1970: 1_795_262_400_000_000),
            statistics: V2.Statistics(
                played: 0, won: 0, currentStreak: 0, longestStreak: 0, distribution: [0, 0, 0, 0, 0, 0]))
    }

    static func credentials(_ token: String, _ code: String, id: String = "p") -> V2.PlayerCredentials {
        V2.PlayerCredentials(player: player(id), token: token, recoveryCode: code)
    }

    static func open(
        _ transport: any Transport, _ store: any SecretStore = MemorySecretStore()
    ) async throws -> Session {
        try await Session.open(JulietConfiguration(baseURL: "http://test", transport: transport), store: store)
    }

    static func token(of message: RequestMessage?) -> String? {
        message?.headers.first { $0.name == "Authorization" }?.value
    }

    @Test(
        "a new player is signed in, here and in the next launch; requests carry the token, those that open sessions do not"
    )
    func creation() async throws {
        let store = MemorySecretStore()
        let transport = ScriptedTransport([
            try .json(Self.credentials("jt_1", "A-1"), status: 201), try .json(Self.player()),
            try .json(Self.player()),
        ])
        let session = try await Self.open(transport, store)
        #expect(await session.state == .signedOut)
        try await session.createPlayer(name: "Ada")
        #expect(await session.state == .signedIn(Self.player()))
        #expect(await session.recoveryCode == "A-1")
        _ = try await session.juliet.send(FetchPlayer())
        let next = try await Self.open(transport, store)
        #expect(await next.state == .signedIn(Self.player()))
        #expect(await next.interrupted == nil)
        _ = try await next.juliet.send(FetchPlayer())
        let sent = await transport.sent
        #expect(sent.map { Self.token(of: $0) } == [nil, "Bearer jt_1", "Bearer jt_1"])
        await #expect { try await next.signIn(recoveryCode: "X") } throws: { ($0 as? SessionError)?.code == .signedIn }
    }

    @Test("a refused token is told, and nothing is renewed before the app asks")
    func refusal() async throws {
        let store = MemorySecretStore()
        let transport = ScriptedTransport { [unauthorized = Self.unauthorized] message, attempt in
            switch (message.path, attempt) {
            case ("/v2/players", _): try .json(Self.credentials("jt_1", "A-1"), status: 201)
            case ("/v2/sessions", _): try .json(Self.credentials("jt_2", "A-2"), status: 201)
            default:
                Self.token(of: message) == "Bearer jt_2" ? try .json(Self.player()) : try .problem(unauthorized)
            }
        }
        let session = try await Self.open(transport, store)
        var states = await session.states().makeAsyncIterator()
        #expect(await states.next() == .signedOut)
        try await session.createPlayer()
        await #expect(throws: ClientError.self) { try await session.juliet.send(FetchPlayer()) }
        #expect(await session.state == .refused(Self.player()))
        #expect(await states.next() == .refused(Self.player()))
        #expect(await transport.lines == ["POST /v2/players", "GET /v2/players/me"])
        // The next launch learns it from its own first question.
        let next = try await Self.open(transport, store)
        await #expect(throws: ClientError.self) { try await next.juliet.send(FetchPlayer()) }
        #expect(await next.state == .refused(Self.player()))
        try await next.renew()
        #expect(await next.state == .signedIn(Self.player()))
        #expect(await next.recoveryCode == "A-2")
        _ = try await next.juliet.send(FetchPlayer())
        let codes = await transport.sent.filter { $0.path == "/v2/sessions" }.map {
            String(decoding: $0.body ?? [], as: UTF8.self)
        }
        #expect(codes == [#"{"recoveryCode":"A-1"}"#])
    }

    @Test("another server's 401 does not refuse the session, and a token that is accepted again is valid again")
    func strangers() async throws {
        let answers: [ScriptedAnswer] = [
            try .json(Self.credentials("jt_1", "A-1"), status: 201), .json(text: #"{"who":"a proxy"}"#, status: 401),
            try .problem(Self.unauthorized), try .json(Self.player()),
        ]
        let session = try await Self.open(ScriptedTransport(answers))
        try await session.createPlayer()
        await #expect(throws: ClientError.self) { try await session.juliet.send(FetchPlayer()) }
        #expect(await session.state == .signedIn(Self.player()))
        await #expect(throws: ClientError.self) { try await session.juliet.send(FetchPlayer()) }
        #expect(await session.state == .refused(Self.player()))
        _ = try await session.juliet.send(FetchPlayer())
        #expect(await session.state == .signedIn(Self.player()))
    }

    // MARK: Crashes

    @Test("a process that ends between the answer and the write finds in the next launch what it had begun")
    func crash() async throws {
        let transport = ScriptedTransport { message, attempt in
            attempt == 1
                ? try .json(Self.credentials("jt_1", "A-2"), status: 201) : try .problem(Self.unauthorized)
        }
        let store = EndingStore(writes: 1)
        let session = try await Self.open(transport, store)
        await #expect { try await session.signIn(recoveryCode: "A-1") } throws: {
            ($0 as? SessionError)?.code == .notSaved
        }
        // As long as the process lives, the player is signed in; the app can try to save again.
        #expect(await session.state == .signedIn(Self.player()))
        #expect(await !session.isSaved)
        await #expect(throws: SecretStoreError.self) { try await session.save() }

        await store.mend()
        let next = try await Self.open(transport, store)
        #expect(await next.state == .signedOut)
        #expect(await next.interrupted == .signIn)
        await #expect { try await next.resume() } throws: { ($0 as? SessionError)?.code == .codeUsedUp }
        #expect(await next.interrupted == nil)
        let keys = await transport.sent.map(\.idempotencyKey)
        #expect(keys.count == 2 && keys[0] == keys[1] && keys[0] != nil)

        // What the first process still had in memory could be saved, too.
        try await session.save()
        #expect(await session.isSaved)
        #expect(try await Self.open(transport, store).recoveryCode == "A-2")
    }

    @Test(
        "an answer that is lost leaves the sign-in open; sent again, the same code works if the service had not got it")
    func lostAnswer() async throws {
        let store = MemorySecretStore()
        let transport = ScriptedTransport([
            .failure(.timedOut), .failure(.noNetwork), try .json(Self.credentials("jt_1", "A-2"), status: 201),
        ])
        let session = try await Self.open(transport, store)
        await #expect(throws: ClientError.self) { try await session.signIn(recoveryCode: "A-1") }
        #expect(await session.interrupted == .signIn)
        // Sent again without a network: still open.
        let next = try await Self.open(transport, store)
        await #expect(throws: ClientError.self) { try await next.resume() }
        #expect(await next.interrupted == .signIn)
        try await next.resume()
        #expect(await next.state == .signedIn(Self.player()))
        #expect(await next.recoveryCode == "A-2")
        #expect(await next.interrupted == nil)
        #expect(Set(await transport.sent.map(\.idempotencyKey)).count == 1)
    }

    @Test(
        "a request that the service has certainly not done leaves nothing open",
        arguments: [
            ScriptedAnswer.failure(.noNetwork), .failure(.tls),
            .json(
                text: #"{"type":"/problems/too-many-requests","title":"x","status":429,"code":"too-many-requests"}"#,
                status: 429),
            .json(
                text: #"{"type":"/problems/unauthorized","title":"x","status":401,"code":"unauthorized"}"#, status: 401),
        ])
    func notDone(answer: ScriptedAnswer) async throws {
        let session = try await Self.open(ScriptedTransport([answer]))
        await #expect(throws: ClientError.self) { try await session.signIn(recoveryCode: "A-1") }
        #expect(await session.interrupted == nil)
        #expect(await session.state == .signedOut)
    }

    @Test("a code that works once is not sent when the store cannot be written")
    func fullDisk() async throws {
        let transport = ScriptedTransport([])
        let session = try await Self.open(transport, EndingStore(writes: 0))
        await #expect { try await session.signIn(recoveryCode: "A-1") } throws: {
            ($0 as? SessionError)?.code == .storeUnavailable
        }
        #expect(await transport.sent.isEmpty)
    }

    @Test("a new recovery code whose answer was lost is made once more")
    func lostCode() async throws {
        let store = MemorySecretStore()
        let transport = ScriptedTransport([
            try .json(Self.credentials("jt_1", "A-1"), status: 201), .failure(.connectionLost),
            .json(text: #"{"recoveryCode":"A-3"}"#, status: 201),
        ])
        let session = try await Self.open(transport, store)
        try await session.createPlayer()
        await #expect(throws: ClientError.self) { try await session.renewRecoveryCode() }
        let next = try await Self.open(transport, store)
        #expect(await next.interrupted == .recoveryCode)
        #expect(await next.state == .signedIn(Self.player()))
        try await next.resume()
        #expect(await next.recoveryCode == "A-3")
        #expect(await next.interrupted == nil)
    }

    @Test("what was begun can be given up")
    func abandoning() async throws {
        let session = try await Self.open(ScriptedTransport([.failure(.timedOut)]))
        await #expect(throws: ClientError.self) { try await session.createPlayer() }
        #expect(await session.interrupted == .creation)
        // Another one that was not sent takes its place in nothing.
        await #expect(throws: ClientError.self) { try await session.createPlayer(name: "Ada") }
        #expect(await session.interrupted == .creation)
        try await session.abandon()
        #expect(await session.interrupted == nil)
    }

    // MARK: Other ways in, and the end

    @Test("a passkey of somebody else renews nothing, and the session it opened is ended")
    func otherPlayer() async throws {
        let other = V2.OpenedSession(player: Self.player("q"), token: "jt_q")
        let own = V2.OpenedSession(player: Self.player(), token: "jt_2")
        let transport = ScriptedTransport([
            try .json(Self.credentials("jt_1", "A-1"), status: 201), try .json(other, status: 201), .noContent,
            try .json(own, status: 201),
        ])
        let passkey = V2.SignedCredential(
            id: [1], clientDataJSON: [2], authenticatorData: [3], signature: [4], userHandle: [5])
        let session = try await Self.open(transport)
        try await session.createPlayer()
        await #expect { try await session.renew(passkey: passkey) } throws: {
            ($0 as? SessionError)?.code == .otherPlayer
        }
        #expect(Self.token(of: await transport.sent.last) == "Bearer jt_q")
        #expect(await session.recoveryCode == "A-1")
        try await session.renew(passkey: passkey)
        // A passkey uses no code up.
        #expect(await session.recoveryCode == "A-1")
        #expect(await session.state == .signedIn(Self.player()))
    }

    @Test(
        "signing out ends the session and forgets all; one that has ended already is forgotten too",
        arguments: [204, 401, 404])
    func signOut(status: Int) async throws {
        let store = MemorySecretStore()
        let ended = V2.Problem(code: "x", status: status, title: "x")
        let transport = ScriptedTransport([
            try .json(Self.credentials("jt_1", "A-1"), status: 201), .failure(.timedOut),
            status == 204 ? .noContent : try .problem(ended),
        ])
        let session = try await Self.open(transport, store)
        try await session.createPlayer()
        await #expect(throws: ClientError.self) { try await session.signOut() }
        #expect(await session.state == .signedIn(Self.player()))
        try await session.signOut()
        #expect(await session.state == .signedOut)
        #expect(await session.recoveryCode == nil)
        #expect(await store.load("juliet") == nil)
        #expect(try await Self.open(transport, store).state == .signedOut)
        await #expect { try await session.signOut() } throws: { ($0 as? SessionError)?.code == .signedOut }
    }

    @Test("one thing at a time")
    func busy() async throws {
        let gate = Latch()
        let transport = ScriptedTransport { _, _ in
            await gate.pass()
            return try .json(Self.credentials("jt_1", "A-1"), status: 201)
        }
        let session = try await Self.open(transport)
        async let first = session.createPlayer()
        await waitUntil("it is under way") { await gate.count == 1 }
        await #expect { try await session.createPlayer() } throws: { ($0 as? SessionError)?.code == .busy }
        await gate.open()
        #expect(try await first.id == "p")
    }

    @Test("a stored value that is no session is an error, and is not changed")
    func damaged() async throws {
        let store = MemorySecretStore(["juliet": Array("{".utf8)])
        await #expect { _ = try await Self.open(ScriptedTransport([]), store) } throws: {
            ($0 as? SessionError)?.code == .damaged
        }
        #expect(await store.load("juliet") == Array("{".utf8))
    }

    @Test("no token or code lies in the journal of a queue that sends with the session")
    func journal() async throws {
        let folder = try TemporaryFolder()
        let transport = ScriptedTransport { message, _ in
            message.path == "/v2/players"
                ? try .json(Self.credentials("jt_secret", "A-SECRET"), status: 201) : try .json(Self.player())
        }
        let session = try await Self.open(transport)
        try await session.createPlayer()
        let queue = try await RequestQueue.open(folder.journal, client: session.juliet)
        async let work: Void = queue.run()
        _ = try await queue.append(RenamePlayer(name: "Zoë")).value
        await queue.close()
        try await work
        #expect(Self.token(of: await transport.sent.last) == "Bearer jt_secret")
        let bytes = try folder.bytes(of: folder.journal)
        #expect(!bytes.isEmpty && bytes.firstRange(of: Array("SECRET".utf8)) == nil)
        #expect(bytes.firstRange(of: Array("secret".utf8)) == nil)
    }
}

/// A store that can be written so often, and then no more: as if the process ended there.
private actor EndingStore: SecretStore {
    private let store = MemorySecretStore()
    private var writes: Int

    init(writes: Int) { self.writes = writes }

    func mend() { writes = .max }

    func load(_ name: String) async -> [UInt8]? { await store.load(name) }

    func save(_ secret: [UInt8], as name: String) async throws {
        guard writes > 0 else { throw SecretStoreError(.unavailable) }
        writes -= 1
        await store.save(secret, as: name)
    }

    func delete(_ name: String) async { await store.delete(name) }
}
