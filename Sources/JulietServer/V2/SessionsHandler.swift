import HTTPServer
import JulietAPI
import JulietGame
import Postgres
import WebAuthn

/// `/v2/sessions`: the devices that are signed in.
struct SessionsHandler {
    private let accounts: PlayerAccounts
    private let service: AccountService?
    private let limits: SignInLimits
    private let requestLimits: RequestLimits
    private let metrics: GameMetrics
    private let ways: V2.SignIn.Ways

    /// - Parameters:
    ///   - service: The ways to sign in other than recovery codes; nil: there are none.
    ///   - requestLimits: Where a sign-in counts as a new player does.
    init(
        accounts: PlayerAccounts, service: AccountService?, limits: SignInLimits, requestLimits: RequestLimits,
        metrics: GameMetrics
    ) {
        self.accounts = accounts
        self.service = service
        self.limits = limits
        self.requestLimits = requestLimits
        self.metrics = metrics
        ways = service?.ways ?? []
    }

    var routes: [V2Route] {
        [
            V2Route(
                "signIn", .post, "/sessions",
                "Signs another device in, with a passkey, an identity or a recovery code, which is then used up.",
                for: .newcomers, takes: V2.SignIn.self,
                answers: .created(V2.OpenedSession.self, at: .path("/sessions/current")),
                refuses: ways.contains(.identities) ? [.identityRefused, .identityUnknown] : []
            ) { try await create($0) },
            V2Route(
                "listSessions", .get, "/sessions", "The devices that are signed in.", answers: .ok(V2.SessionList.self)
            ) { try await list($0) },
            V2Route(
                "endOtherSessions", .delete, "/sessions", "Signs all other devices out.", answers: .done
            ) { .of(try await accounts.revokeOthers(by: $0.player())) },
            V2Route(
                "endSession", .delete, "/sessions/{id}", "Signs a device out.", answers: .done
            ) { try await revoke($0) },
        ] + (ways.contains(.passkeys) ? [options] : [])
    }

    private var options: V2Route {
        V2Route(
            "readSignInOptions", .post, "/sessions/options", "The options to sign in with a passkey.",
            for: .newcomers, takes: V2.NoMembers.self, answers: .ok(V2.PasskeyRequest.schema), refuses: [.notFound]
        ) { request in
            _ = try request.body(V2.NoMembers.self)
            guard let verifier = service?.passkeyVerifier else { return .problem(V2.Problem(.notFound)) }
            if let wait = limits.secondsToWait(challengeFor: request.client) {
                return .tooManyRequests(retryAfter: wait)
            }
            return .json(bytes: try await verifier.request())
        }
    }

    func create(_ request: V2Request) async throws -> Response {
        switch try V2.SignIn.decode(request.http.body.span, knowing: ways).way() {
        case .recoveryCode(let text): try await signIn(by: text, request.client)
        case .passkey(let signed): try await signIn(by: signed, request.client)
        case .identity(let proof): try await signIn(by: proof, request.client)
        }
    }

    private func signIn(by text: String, _ client: RequestLimits.Client) async throws -> Response {
        try await limits.answer(recoveryCodeOf: client) {
            guard let code = V2.RecoveryCode(text) else { return (Self.wrongCode, isWrong: true) }
            // Before the code is used up.
            if let wait = requestLimits.secondsToWait(registering: client) {
                return (.tooManyRequests(retryAfter: wait), isWrong: false)
            }
            let answer = try await accounts.signIn(with: code)
            if answer.refusal == .unauthorized { return (Self.wrongCode, isWrong: true) }
            return (opened(answer, by: .recoveryCode), isWrong: false)
        }
    }

    private func signIn(by signed: V2.SignedCredential, _ client: RequestLimits.Client) async throws -> Response {
        guard let service, let verifier = service.passkeyVerifier else { return .problem(V2.Problem(.notFound)) }
        let response = try AuthenticationResponse(signed)
        return try await limits.answer(passkeyOf: client) {
            if let wait = requestLimits.secondsToWait(registering: client) {
                return .tooManyRequests(retryAfter: wait)
            }
            switch try await verifier.signIn(by: response, service.passkeys) {
            case .done(let answer): return opened(answer, by: .passkey)
            case .refused(let failure): return failure.isGuess ? nil : .problem(failure.problem)
            }
        }
    }

    private func signIn(by proof: V2.IdentityProof, _ client: RequestLimits.Client) async throws -> Response {
        guard let service, let verifier = service.identityVerifier else { return .problem(V2.Problem(.notFound)) }
        switch try await verifier.verdict(on: proof) {
        case .proven(let identity, let nonce):
            if let wait = requestLimits.secondsToWait(registering: client) {
                return .tooManyRequests(retryAfter: wait)
            }
            return opened(try await service.identities.signIn(identity, nonce: nonce), by: .identity)
        case .refused(let reason, let nonce):
            _ = try await service.nonces.spend(nonce)
            return .problem(V2.Problem(for: .identityRefused, V2Details(reason: reason)))
        }
    }

    private func opened(_ answer: V2Answer<V2.OpenedSession>, by way: GameMetrics.SignIn) -> Response {
        if answer.news != nil { metrics.signedIn(way) }
        return .of(answer, status: .created)
    }

    func list(_ request: V2Request) async throws -> Response {
        .of(try await accounts.sessions(of: request.player()))
    }

    func revoke(_ request: V2Request) async throws -> Response {
        let isCurrent = request.http.parameters["id"] == "current"
        // No session has the id of zeros.
        let id = isCurrent ? nil : request.id() ?? PostgresUUID(high: 0, low: 0)
        return .of(try await accounts.revoke(id, by: request.player()))
    }

    private static var wrongCode: Response {
        .problem(V2.Problem(.unauthorized, detail: "That code is not valid, or was already used."))
    }
}
