#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A player's session on this device: who is signed in at `/v2`, kept in a store of secrets.
///
/// ```swift
/// let session = try await Session.open(
///     JulietConfiguration(baseURL: "https://words.example.org"), store: KeychainStore(service: "com.example.words"))
/// if await session.interrupted != nil { try await session.resume() }
/// if await session.state == .signedOut { try await session.createPlayer() }
/// let game = try await session.juliet.send(StartDailyGame()).game
/// ```
///
/// `juliet` sends the token with each request that wants one, a queue's too; so no journal contains a token. When the service refuses
/// it (401), `state` changes and nothing else happens: no recovery code is used to sign in again unless the app calls `renew()`. Tokens
/// do not expire by themselves; they end when the player ends them, on another device for instance.
///
/// A recovery code works once. So before one is sent the store holds what is about to happen, and after the answer, in one
/// write, the token and the next code. If the process ends or the network fails in between, `interrupted` says so in the next launch,
/// and `resume()` continues if possible. Resume or `abandon()` before anything else, because signing in in another way replaces it. Such
/// a step is completed once it has begun, even if the calling task is cancelled.
///
/// One process signs in, renews and signs out. Another with the same store, an app's extension, may use the token that it found there; when
/// that is refused, it opens the session again.
public actor Session {
    /// Who is signed in.
    public enum State: Hashable, Sendable {
        /// Nobody is signed in.
        case signedOut
        /// A player, as last known to the session.
        case signedIn(V2.Player)
        /// A player whose token the service no longer accepts: ask the player, then `renew()` or `forget()`.
        case refused(V2.Player)
    }

    /// Something that was begun, in an earlier launch for instance, and whose outcome is not known.
    public enum Interruption: Hashable, Sendable {
        /// A player was to be created. `resume()` creates one; if the service has already created one, that player is lost.
        case creation
        /// Somebody was signing in with a recovery code. `resume()` sends it once more; if it was used up, the answer with the next code
        /// is lost, and `resume()` throws `SessionError.Code.codeUsedUp`.
        case signIn
        /// A new recovery code was to be made, so the stored one may no longer work. `resume()` makes another.
        case recoveryCode
    }

    /// The client that uses the session's token.
    public nonisolated let juliet: Juliet

    private let store: any SecretStore
    private let name: String
    private let bearer: SessionToken
    private var kept: KeptSession
    /// Whether the store has the session's current state; not after `SessionError.Code.notSaved`, until `save()` has succeeded.
    public private(set) var isSaved = true
    private var isBusy = false
    private var observers: [AsyncStream<State>.Continuation] = []
    /// What they were told last.
    private var told: State

    // MARK: Opening

    /// Opens the session that a store keeps, or one in which nobody is signed in. Nothing is sent.
    ///
    /// - Parameters:
    ///   - configuration: How the service is asked. Its hooks are called as usual; a header field `Authorization` from its
    ///     `prepare` replaces the token. A request to another host (`RequestOptions.host`) gets no token.
    ///   - store: Where token and recovery code lie.
    ///   - name: The name of the secrets in the store; one for each service and player.
    /// - Throws: `SessionError` `.damaged`, or what the store throws, `SecretStoreError` `.locked` for instance.
    public static func open(
        _ configuration: JulietConfiguration, store: any SecretStore, name: String = "juliet"
    ) async throws -> Session {
        let kept = try await KeptSession.load(name, from: store) ?? .signedOut
        let session = Session(configuration, store, name, kept)
        await session.bearer.set(kept)
        await session.bearer.onChange { [weak session] token, isRefused in
            await session?.mark(token, isRefused: isRefused)
        }
        return session
    }

    private init(
        _ configuration: JulietConfiguration, _ store: any SecretStore, _ name: String, _ kept: KeptSession
    ) {
        self.store = store
        self.name = name
        self.kept = kept
        told = kept.state
        let bearer = SessionToken()
        self.bearer = bearer
        var configuration = configuration
        let (prepare, didEnd, baseURL) = (configuration.prepare, configuration.didEnd, configuration.baseURL)
        configuration.prepare = { message in
            try await prepare(&message)
            guard message.options.isAuthenticated, message.goes(to: baseURL),
                message.headers.value(of: "Authorization") == nil,
                let token = try await bearer.token(for: JournalOwner.current)
            else { return }
            message.headers.append(HeaderField("Authorization", "Bearer \(token)"))
        }
        configuration.didEnd = { ended in
            if ended.exchange.message.goes(to: baseURL) { await bearer.took(ended) }
            await didEnd(ended)
        }
        juliet = Juliet(configuration) { await bearer.player }
    }

    deinit {
        for observer in observers { observer.finish() }
    }

    // MARK: What there is

    /// Who is signed in.
    public var state: State { kept.state }

    /// Who is signed in, now and whenever that changes: sent when the current step has ended, so that another can begin. A slow reader gets
    /// the latest. It ends when the session is released.
    public func states() -> AsyncStream<State> {
        let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(told)
        observers.append(continuation)
        return stream
    }

    /// What was begun and whose outcome is not known; nil: nothing.
    public var interrupted: Interruption? {
        switch kept.attempt?.step {
        case nil: nil
        case .createPlayer: .creation
        case .signIn: .signIn
        case .renewRecoveryCode: .recoveryCode
        }
    }

    /// The code that signs another device in, once, or this one again; nil: there is none here. Show it to the player, who writes it
    /// down: it is the only way back when the device is lost. A secret.
    public var recoveryCode: String? { kept.recoveryCode }

    // MARK: Signing in

    /// Creates a player, who is signed in then.
    ///
    /// - Parameters:
    ///   - name: What to be called; nil: the service makes a name.
    ///   - claim: The vendorID of a player of the published app, who becomes this one, once.
    ///   - identity: Who the player is to a provider.
    /// - Throws: `SessionError` `.signedIn`, `.storeUnavailable`, `.busy` or `.notSaved`; `ClientError`: as `CreatePlayer`.
    @discardableResult
    public func createPlayer(
        name: String? = nil, claim: String? = nil, identity: V2.IdentityProof? = nil
    ) async throws -> V2.Player {
        try await alone {
            guard kept.player == nil else { throw SessionError(.signedIn) }
            guard let identity else { return try await perform(.createPlayer(name: name, claim: claim)) }
            // A repeat is `identity-taken`: if the answer was lost, sign in with the identity. Nothing needs to be stored.
            let made = try await juliet.send(CreatePlayer(name: name, claim: claim, identity: identity))
            return try await take(V2.OpenedSession(made))
        }
    }

    /// Signs in by a recovery code. It is used up: the next one is `recoveryCode` then.
    ///
    /// - Parameter recoveryCode: As people type it; `V2.RecoveryCode` tells whether it can be one.
    /// - Throws: `SessionError` `.signedIn`, `.storeUnavailable`, `.codeUsedUp`, `.busy` or `.notSaved`; `ClientError`. After one
    ///   that leaves open whether the code was used up, `interrupted` is `.signIn`, and `resume()` sends it again.
    @discardableResult
    public func signIn(recoveryCode: String) async throws -> V2.Player {
        try await alone {
            guard kept.player == nil else { throw SessionError(.signedIn) }
            return try await perform(.signIn(recoveryCode: recoveryCode))
        }
    }

    /// Signs in by what a passkey has signed for the challenge of `FetchSignInOptions`.
    ///
    /// - Throws: `SessionError` `.signedIn`, `.busy` or `.notSaved`; `ClientError`: have another challenge signed, and try again.
    @discardableResult
    public func signIn(passkey: V2.SignedCredential) async throws -> V2.Player {
        try await alone {
            guard kept.player == nil else { throw SessionError(.signedIn) }
            return try await take(try await juliet.send(SignInWithPasskey(credential: passkey)))
        }
    }

    /// Signs in by what a provider has signed for the nonce of `MakeNonce`.
    ///
    /// - Throws: `SessionError` `.signedIn`, `.busy` or `.notSaved`; `ClientError`: as `SignInWithIdentity`. Each try needs a new
    ///   nonce.
    @discardableResult
    public func signIn(identity: V2.IdentityProof) async throws -> V2.Player {
        try await alone {
            guard kept.player == nil else { throw SessionError(.signedIn) }
            return try await take(try await juliet.send(SignInWithIdentity(identity: identity)))
        }
    }

    // MARK: The same player again

    /// Signs the player in again by the recovery code on this device, which is used up: the next one is `recoveryCode` then.
    ///
    /// - Throws: `SessionError` `.signedOut`, `.noRecoveryCode`, `.storeUnavailable`, `.codeUsedUp`, `.busy` or `.notSaved`; `ClientError`.
    @discardableResult
    public func renew() async throws -> V2.Player {
        try await alone {
            guard kept.player != nil else { throw SessionError(.signedOut) }
            guard let code = kept.recoveryCode else { throw SessionError(.noRecoveryCode) }
            return try await perform(.signIn(recoveryCode: code))
        }
    }

    /// Signs the player in again by what a passkey of theirs has signed.
    ///
    /// - Throws: `SessionError` `.signedOut`, `.otherPlayer`, `.busy` or `.notSaved`; `ClientError`.
    @discardableResult
    public func renew(passkey: V2.SignedCredential) async throws -> V2.Player {
        try await alone {
            guard kept.player != nil else { throw SessionError(.signedOut) }
            return try await takeSamePlayer(try await juliet.send(SignInWithPasskey(credential: passkey)))
        }
    }

    /// Signs the player in again by what a provider has signed.
    ///
    /// - Throws: `SessionError` `.signedOut`, `.otherPlayer`, `.busy` or `.notSaved`; `ClientError`.
    @discardableResult
    public func renew(identity: V2.IdentityProof) async throws -> V2.Player {
        try await alone {
            guard kept.player != nil else { throw SessionError(.signedOut) }
            return try await takeSamePlayer(try await juliet.send(SignInWithIdentity(identity: identity)))
        }
    }

    /// Makes a new recovery code; the old one stops working.
    ///
    /// - Throws: `SessionError` `.signedOut`, `.storeUnavailable`, `.busy` or `.notSaved`; `ClientError`. After one that leaves open whether
    ///   there is a new code, `interrupted` is `.recoveryCode`, and `resume()` makes another.
    @discardableResult
    public func renewRecoveryCode() async throws -> String {
        try await alone {
            guard kept.player != nil else { throw SessionError(.signedOut) }
            try await perform(.renewRecoveryCode)
            return kept.recoveryCode ?? ""
        }
    }

    /// Continues the step of `interrupted`, if there is one: sends it once more, under the same name.
    ///
    /// - Throws: As the interrupted step; it may be interrupted again. It stays interrupted if the token is refused while a recovery code
    ///   is to be made: `renew()` resolves that too.
    public func resume() async throws {
        try await alone {
            guard let attempt = kept.attempt else { return }
            try await perform(attempt)
        }
    }

    /// Gives up the step of `interrupted`.
    ///
    /// - Throws: What the store throws: it is interrupted still.
    public func abandon() async throws {
        try await alone {
            guard kept.attempt != nil else { return }
            var kept = kept
            kept.attempt = nil
            try await write(kept)
        }
    }

    // MARK: The end

    /// Ends this device's session at the service, and forgets the player here, recovery code included.
    ///
    /// A session that has ended already is no error. If you call it again after an error or a crash, it continues.
    /// - Throws: `ClientError`: nothing is forgotten; `SessionError` `.signedOut` or `.busy`; what the store throws.
    public func signOut() async throws {
        try await alone {
            guard let token = kept.token else { throw SessionError(.signedOut) }
            do {
                try await juliet.send(RevokeSession().authorized(by: token))
            } catch let error as ClientError where error.refusal?.isOfService == true {
                guard let status = error.refusal?.status, [401, 404].contains(status) else { throw error }
            }
            try await erase()
        }
    }

    /// Forgets the player here, recovery code included, without telling the service, where the session stays open.
    ///
    /// - Throws: `SessionError` `.busy`; what the store throws: the player is still there.
    public func forget() async throws {
        try await alone { try await erase() }
    }

    /// Writes to the store what could not be written (`SessionError.Code.notSaved`).
    ///
    /// - Throws: `SessionError` `.busy`; what the store throws.
    public func save() async throws {
        try await alone { try await write(kept) }
    }

    /// Updates the stored player, with a new name for instance, so that the next launch shows it.
    ///
    /// If another process has signed in since, with the same store, only this one's memory is updated.
    /// - Throws: `SessionError` `.signedOut`, `.otherPlayer`, `.busy` or `.damaged`; what the store throws.
    public func note(_ player: V2.Player) async throws {
        try await alone {
            guard let known = kept.player else { throw SessionError(.signedOut) }
            guard known.id == player.id else { throw SessionError(.otherPlayer) }
            let stored = try await KeptSession.load(name, from: store)
            kept.player = player
            if stored?.token == kept.token { try await write(kept) }
        }
    }
}

// MARK: - Steps

extension Session {
    /// One step at a time: between two awaits nothing else changes the stored state, except a refusal of the token.
    private func alone<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        guard !isBusy else { throw SessionError(.busy) }
        isBusy = true
        defer {
            isBusy = false
            publish()
        }
        return try await body()
    }

    @discardableResult
    private func perform(_ step: KeptSession.Attempt.Step) async throws -> V2.Player {
        // What was begun before with the same code has its name.
        if let attempt = kept.attempt, attempt.step == step { return try await perform(attempt) }
        return try await perform(KeptSession.Attempt(step: step, key: RandomName.make()))
    }

    /// Not in the caller's task: a view that goes away would cancel it and lose an answer that comes only once.
    @discardableResult
    private func perform(_ attempt: KeptSession.Attempt) async throws -> V2.Player {
        guard !Task.isCancelled else { throw ClientError(.cancelled) }
        return try await Task { try await carryOut(attempt) }.value
    }

    private func carryOut(_ attempt: KeptSession.Attempt) async throws -> V2.Player {
        let isRepeat = attempt.isSent
        // Open besides, and still so if this one comes to nothing.
        var other = kept.attempt?.step == attempt.step ? nil : kept.attempt
        var attempt = attempt
        attempt.isSent = true
        try await begin(attempt)
        do {
            switch attempt.step {
            case .createPlayer(let name, let claim):
                let made = try await juliet.send(
                    CreatePlayer(name: name, claim: claim), idempotencyKey: attempt.key)
                return try await take(V2.OpenedSession(made))
            case .signIn(let code):
                let opened = try await juliet.send(SignIn(recoveryCode: code), idempotencyKey: attempt.key)
                return try await take(V2.OpenedSession(opened))
            case .renewRecoveryCode:
                let renewed = try await juliet.send(RenewRecoveryCode(), idempotencyKey: attempt.key)
                return try await take(renewed)
            }
        } catch let error as ClientError {
            let status = error.refusal.flatMap { $0.isOfService ? $0.status : nil }
            let isRefused = status.map { $0 < 500 && ![408, 429].contains($0) } ?? false
            let isUndone = error.isUnsent || status == 429
            // The stored code no longer works.
            if status == 401, case .signIn(let sent) = attempt.step, kept.recoveryCode == sent {
                kept.recoveryCode = nil
                other = nil
            }
            // The first attempt's result stays open if the repeat was not sent, or was refused while making a new code.
            let staysOpen = isRepeat && (isUndone || attempt.step == .renewRecoveryCode)
            if isRefused || isUndone, !staysOpen { try? await end(attempt, goingBackTo: other) }
            if isRepeat, status == 401, case .signIn = attempt.step {
                throw SessionError(.codeUsedUp, underlying: error)
            }
            throw error
        }
    }

    /// Stores the step that is about to happen. That also shows that the store can be written, before anything is used up.
    private func begin(_ attempt: KeptSession.Attempt) async throws {
        var kept = kept
        kept.attempt = attempt
        do {
            try await write(kept)
        } catch {
            throw SessionError(.storeUnavailable, underlying: error)
        }
    }

    private func end(_ attempt: KeptSession.Attempt, goingBackTo other: KeptSession.Attempt?) async throws {
        guard kept.attempt == attempt else { return }
        // In memory too if the store fails: a later write brings it there.
        kept.attempt = other
        try await write(kept)
    }

    /// Applies the service's answer: in memory at once, then in the store.
    private func take(_ session: V2.OpenedSession) async throws -> V2.Player {
        let isSame = kept.player?.id == session.player.id
        var new = KeptSession(session, recoveryCode: isSame ? kept.recoveryCode : nil)
        if isSame, session.recoveryCode == nil { new.attempt = kept.openRenewal }
        try await adopt(new)
        return session.player
    }

    private func takeSamePlayer(_ session: V2.OpenedSession) async throws -> V2.Player {
        guard session.player.id == kept.player?.id else {
            // Nobody will use it.
            _ = try? await juliet.send(RevokeSession().authorized(by: session.token))
            throw SessionError(.otherPlayer)
        }
        return try await take(session)
    }

    private func take(_ renewed: V2.RenewedRecoveryCode) async throws -> V2.Player {
        guard let player = kept.player else { throw SessionError(.signedOut) }
        var kept = kept
        kept.recoveryCode = renewed.recoveryCode
        kept.attempt = nil
        try await adopt(kept)
        return player
    }

    private func adopt(_ new: KeptSession) async throws {
        kept = new
        isSaved = false
        await bearer.set(new)
        await juliet.shared.beginEpoch()
        do {
            try await write(new)
        } catch {
            throw SessionError(.notSaved, underlying: error)
        }
    }

    private func write(_ new: KeptSession) async throws {
        try await store.save(Array(try JSONEncoder().encode(new)), as: name)
        // The service may have refused the token, or taken it again, meanwhile.
        let isRefused = kept.token == new.token ? kept.isRefused : new.isRefused
        kept = new
        kept.isRefused = isRefused
        isSaved = true
    }

    private func erase() async throws {
        try await store.delete(name)
        kept = .signedOut
        isSaved = true
        await bearer.set(kept)
        await juliet.shared.beginEpoch()
    }

    /// The service refuses a token, or accepts it again. The store is not changed: another process may have a newer token there, and the
    /// next launch learns it from its first 401.
    private func mark(_ token: String, isRefused: Bool) {
        guard kept.token == token, kept.isRefused != isRefused else { return }
        kept.isRefused = isRefused
        publish()
    }

    private func publish() {
        let state = state
        guard !isBusy, state != told else { return }
        told = state
        observers.removeAll { observer in
            if case .terminated = observer.yield(state) { true } else { false }
        }
    }
}

extension Session: CustomStringConvertible, CustomReflectable {
    /// The type's name: what a session keeps is secret.
    public nonisolated var description: String { "Session" }

    /// Shows nothing of what is kept.
    public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension V2.OpenedSession {
    fileprivate init(_ credentials: V2.PlayerCredentials) {
        self.init(player: credentials.player, token: credentials.token, recoveryCode: credentials.recoveryCode)
    }
}
