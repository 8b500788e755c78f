import CredentialTesting
import Crypto
import Foundation
import JulietClient
import StrictEncoding
import TestSupport
import Testing

@Suite(
    "A session of the client against the service", .defaultLayout("about the service, not the database"),
    .timeLimit(.minutes(2)))
struct ClientSessionTests {
    private static func open(
        on service: TestService, _ store: any SecretStore = MemorySecretStore(),
        transport: any Transport = SystemTransport()
    ) async throws -> Session {
        let address = "http://127.0.0.1:\(service.port)"
        return try await Session.open(JulietConfiguration(baseURL: address, transport: transport), store: store)
    }

    @Test("a new player plays, and signs in elsewhere by the recovery code, which is used up")
    func recoveryCode() async throws {
        let service = try await TestService.shared(.standard)
        let first = try await Self.open(on: service)
        let player = try await first.createPlayer(name: "Ada")
        #expect(try await first.juliet.send(StartJudgedGame()).energy == 25)
        let code = try #require(await first.recoveryCode)
        let store = MemorySecretStore()
        let second = try await Self.open(on: service, store)
        #expect(try await second.signIn(recoveryCode: code).id == player.id)
        #expect(await second.recoveryCode != code)
        #expect(try await Self.open(on: service, store).juliet.send(FetchPlayer()).energy == 25)
        // What the first device still has is no code any more: it says so, and its session goes on.
        let error = await #expect(throws: ClientError.self) { try await first.renew() }
        #expect(error?.problem?.knownCode == .unauthorized)
        #expect(await first.recoveryCode == nil)
        #expect(await first.state == .signedIn(player))
        #expect(await first.interrupted == nil)
        let renewed = try await first.renewRecoveryCode()
        #expect(renewed != code)
        try await first.renew()
        #expect(try await first.juliet.send(ListSessions()).sessions.count == 3)
    }

    @Test("a session that another device has ended is refused here, and the app renews it")
    func ended() async throws {
        let service = try await TestService.shared(.standard)
        let store = MemorySecretStore()
        let session = try await Self.open(on: service, store)
        let player = try await session.createPlayer()
        let code = try #require(await session.recoveryCode)
        let other = try await Self.open(on: service)
        try await other.signIn(recoveryCode: code)
        try await other.juliet.send(RevokeOtherSessions())
        let error = await #expect(throws: ClientError.self) { try await session.juliet.send(FetchPlayer()) }
        #expect(error?.refusal?.status == 401)
        #expect(await session.state == .refused(player))
        // The next launch learns it from its own first question.
        let next = try await Self.open(on: service, store)
        await #expect(throws: ClientError.self) { try await next.juliet.send(FetchPlayer()) }
        #expect(await next.state == .refused(player))
        // Its own code was used up by the other device: the player types the one that came with it.
        try await session.forget()
        try await session.signIn(recoveryCode: try #require(await other.recoveryCode))
        #expect(try await session.juliet.send(FetchPlayer()).id == player.id)
        try await session.signOut()
        #expect(await session.state == .signedOut)
        #expect(await store.load("juliet") == nil)
        #expect(try await other.juliet.send(ListSessions()).sessions.count == 1)
    }

    @Test("a passkey signs in, renews, and takes no other player's place")
    func passkey() async throws {
        let service = try await TestService.shared(.standard)
        let session = try await Self.open(on: service)
        let player = try await session.createPlayer()
        var phone = Phone()
        let asked = try await session.juliet.send(FetchPasskeyOptions()).publicKey
        phone.handle = asked.user.id
        var registration = phone.authenticator.registration()
        registration.client.challenge = try #require(Base64URL.decode(asked.challenge))
        let made = V2.NewCredential(
            id: phone.authenticator.credentialID, clientDataJSON: registration.client.json,
            attestationObject: registration.attestation)
        _ = try await session.juliet.send(RegisterPasskey(credential: made))

        let elsewhere = try await Self.open(on: service)
        #expect(
            try await elsewhere.signIn(passkey: try await Self.assertion(of: phone, for: elsewhere)).id == player.id)
        #expect(await elsewhere.recoveryCode == nil)
        await #expect { try await elsewhere.renew() } throws: { ($0 as? SessionError)?.code == .noRecoveryCode }
        let code = await session.recoveryCode
        try await session.renew(passkey: try await Self.assertion(of: phone, for: session))
        #expect(await session.recoveryCode == code)
        let stranger = try await Self.open(on: service)
        let other = try await stranger.createPlayer()
        let assertion = try await Self.assertion(of: phone, for: stranger)
        await #expect { try await stranger.renew(passkey: assertion) } throws: {
            ($0 as? SessionError)?.code == .otherPlayer
        }
        #expect(await stranger.state == .signedIn(other))
        // Of the sessions that the passkey has opened two are left: the stranger's was ended.
        #expect(try await session.juliet.send(ListSessions()).sessions.count { $0.by == "passkey" } == 2)
    }

    @Test("an identity token creates a player, and signs in")
    func identity() async throws {
        let voucher = try Voucher()
        let service = try await TestService.start(voucher.settings(), on: try await TestDatabase.shared())
        let subject = "s-\(UUID().uuidString)"
        func proof(_ session: Session) async throws -> V2.IdentityProof {
            let nonce = try await session.juliet.send(MakeNonce()).nonce
            return V2.IdentityProof(
                provider: "company", idToken: try voucher.token(of: subject, for: nonce), nonce: nonce)
        }
        let session = try await Self.open(on: service)
        let unknown = await #expect(throws: ClientError.self) {
            try await session.signIn(identity: try await proof(session))
        }
        #expect(unknown?.problem?.knownCode == .identityUnknown)
        let player = try await session.createPlayer(identity: try await proof(session))
        // As after a lost answer: somebody has it already, and signs in with it.
        let elsewhere = try await Self.open(on: service)
        let taken = await #expect(throws: ClientError.self) {
            try await elsewhere.createPlayer(identity: try await proof(elsewhere))
        }
        #expect(taken?.problem?.knownCode == .identityTaken)
        #expect(await elsewhere.interrupted == nil)
        #expect(try await elsewhere.signIn(identity: try await proof(elsewhere)).id == player.id)
        try await elsewhere.renew(identity: try await proof(elsewhere))
        try await service.stop()
    }

    @Test("a process that ends between the service's answer and the write knows in the next launch what it had begun")
    func crash() async throws {
        let service = try await TestService.shared(.standard)
        let first = try await Self.open(on: service)
        let player = try await first.createPlayer()
        let code = try #require(await first.recoveryCode)

        // The store takes the intent, and nothing of the answer.
        let store = CrashingStore()
        let session = try await Self.open(on: service, store)
        await #expect { try await session.signIn(recoveryCode: code) } throws: {
            ($0 as? SessionError)?.code == .notSaved
        }
        let next = try await Self.open(on: service, store.copy())
        #expect(await next.state == .signedOut)
        #expect(await next.interrupted == .signIn)
        await #expect { try await next.resume() } throws: { ($0 as? SessionError)?.code == .codeUsedUp }
        // The way that is left: a device that is signed in has a new code made.
        try await next.signIn(recoveryCode: try await first.renewRecoveryCode())
        #expect(await next.state == .signedIn(player))
        #expect(await next.interrupted == nil)
    }

    @Test("an answer that is lost after the service has done it is told from one it never got")
    func lostAnswer() async throws {
        let service = try await TestService.shared(.standard)
        let first = try await Self.open(on: service)
        let player = try await first.createPlayer()
        for isDone in [false, true] {
            let code = try await first.renewRecoveryCode()
            let store = MemorySecretStore()
            let session = try await Self.open(on: service, store, transport: LosingTransport(isDone: isDone))
            let error = await #expect(throws: ClientError.self) { try await session.signIn(recoveryCode: code) }
            #expect(error?.code == .connectionLost)
            let next = try await Self.open(on: service, store)
            #expect(await next.interrupted == .signIn)
            if isDone {
                await #expect { try await next.resume() } throws: { ($0 as? SessionError)?.code == .codeUsedUp }
            } else {
                try await next.resume()
                #expect(await next.state == .signedIn(player))
            }
        }
    }

    @Test("a queue waits when its token is refused, and goes on with the new one")
    func queue() async throws {
        let service = try await TestService.shared(.standard)
        let session = try await Self.open(on: service)
        try await session.createPlayer()
        let code = try #require(await session.recoveryCode)
        let other = try await Self.open(on: service)
        try await other.signIn(recoveryCode: code)
        try await other.juliet.send(RevokeOtherSessions())
        let folder = FileManager.default.temporaryDirectory.appending(path: "juliet-session-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let queue = try await RequestQueue.open(
            folder.appending(path: "requests.journal").path, client: session.juliet)
        async let work: Void = queue.run()
        let renamed = try await queue.append(RenamePlayer(name: "Zoë"))
        for await status in await queue.statuses() where status.needsToken { break }
        try await session.forget()
        try await session.signIn(recoveryCode: try #require(await other.recoveryCode))
        await queue.resume()
        #expect(try await renamed.value.name == "Zoë")
        await queue.close()
        try await work
    }

    private static func assertion(of phone: Phone, for session: Session) async throws -> V2.SignedCredential {
        let asked = try await session.juliet.send(FetchSignInOptions()).publicKey
        var assertion = phone.authenticator.assertion()
        assertion.client.challenge = try #require(Base64URL.decode(asked.challenge))
        let signature = try assertion.key.sign(
            assertion.said.bytes + Array(SHA256.hash(data: assertion.client.json)))
        return V2.SignedCredential(
            id: phone.authenticator.credentialID, clientDataJSON: assertion.client.json,
            authenticatorData: assertion.said.bytes, signature: signature,
            userHandle: try #require(Base64URL.decode(phone.handle)))
    }
}

@Suite("The lottery in the client, against the service", .everyLayout, .timeLimit(.minutes(2)))
struct ClientLotteryTests {
    @Test("it is watched, started by the client and checked")
    func draw() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let juliet = Juliet(baseURL: "http://127.0.0.1:\(service.port)")
        let me = try await juliet.send(CreatePlayer(name: "Ada"))
        let place = try await juliet.send(EnterLottery().authorized(by: me.token))
        #expect(place.entries == 1)
        #expect(try await juliet.send(FetchLotteryEntries()).lotteryList.map(\.userID) == [place.userID])
        #expect(try await juliet.send(FetchLotteryUsers()).items.map(\.name) == ["Ada"])
        var commitment = ""
        var rounds = 0
        watching: for try await state in juliet.events(WatchLottery()) {
            switch state {
            case .landing(let landing):
                commitment = landing.commitment
                #expect(landing.canStart)
                try await juliet.send(StartLotteryDraw(number: landing.draw))
            case .round(let round, let userID, _, _):
                rounds = round
                #expect(userID == place.userID)
            case .winner(let result):
                #expect(result.name == "Ada" && result.isVerified && result.running.commitment == commitment)
                break watching
            default: break
            }
        }
        #expect(rounds == 10)
        let record = try await juliet.send(FetchLotteryDraw(number: 1))
        #expect(record.state == .over && record.winner?.userID == place.userID && record.commitment == commitment)
        let early = await #expect(throws: ClientError.self) { try await juliet.send(StartLotteryDraw(number: 2)) }
        #expect(early?.problem?.code == "pause" && early?.problem?.retryAfter != nil)
        try await service.stop()
    }
}

/// A store that a process wrote to once before it ended.
private actor CrashingStore: SecretStore {
    private let store = MemorySecretStore()
    private var writes = 0

    func load(_ name: String) async -> [UInt8]? { await store.load(name) }

    func save(_ secret: [UInt8], as name: String) async throws {
        writes += 1
        guard writes == 1 else { throw SecretStoreError(.unavailable) }
        await store.save(secret, as: name)
    }

    func delete(_ name: String) async { await store.delete(name) }

    /// What the next process finds.
    func copy() async -> MemorySecretStore {
        let kept = await store.load("juliet")
        return MemorySecretStore(kept.map { ["juliet": $0] } ?? [:])
    }
}

/// Loses the answer of each request, or the request.
private struct LosingTransport: Transport {
    let isDone: Bool
    private let transport = SystemTransport()

    init(isDone: Bool) { self.isDone = isDone }

    func send(_ message: RequestMessage, to baseURL: String, timeout: Duration) async throws -> HTTPResponse {
        if isDone { _ = try await transport.send(message, to: baseURL, timeout: timeout) }
        throw ClientError(.connectionLost)
    }
}
