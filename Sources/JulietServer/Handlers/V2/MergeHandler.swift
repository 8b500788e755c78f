import EventLoop
import HTTPServer
import JulietAPI
import JulietGame
import Postgres
import WebAuthn

/// `/v2/players/me/merge`: two players become one.
struct MergeHandler {
    private let accounts: PlayerAccounts
    private let service: AccountService?
    private let limits: SignInLimits
    private let attempts: RecoveryAttempts
    private let ways: V2.SignIn.Ways
    private let metrics: GameMetrics

    /// - Parameters:
    ///   - service: The ways to sign in other than recovery codes; nil: there are none.
    ///   - limits: Where guesses of passkeys count, as for sessions.
    ///   - attempts: Where wrong recovery codes count, as for sessions.
    init(
        accounts: PlayerAccounts, service: AccountService?, limits: SignInLimits, attempts: RecoveryAttempts,
        metrics: GameMetrics
    ) {
        self.metrics = metrics
        self.accounts = accounts
        self.service = service
        self.limits = limits
        self.attempts = attempts
        ways = service?.ways ?? []
    }

    var routes: [PlayRoute] {
        [
            PlayRoute(
                "mergePlayer", .post, "/players/me/merge",
                "Merges another player into this one, who gets everything; the other no longer exists.",
                takes: V2.MergePlayer.self, answers: .ok(V2.Player.self),
                refuses: [.mergeSelf, .mergeUnfinished, .tooMany, .energyFull, .idempotencyKeyReused]
            ) { try await merge($0) }
        ]
    }

    func merge(_ request: PlayRequest) async throws -> Response {
        let body = try V2.MergePlayer.decode(request.http.body.span, knowing: ways)
        let session = try request.player()
        func merged(_ proof: MergeProof) async throws -> MergeAnswer? {
            let answer = try await accounts.merge(proof, into: session, as: request.operation)
            metrics.merged(answer, by: proof.kind)
            return answer
        }
        // A proof that fails goes to the database all the same, because it has the first answer to a known operation.
        switch body.proof {
        case .token(let text): return .of(try await merged(.token(V2.AccessToken(text).map { Credential($0) })))
        case .way(.recoveryCode(let text)):
            return try await attempts.counted(from: request.client) {
                let answer = try await merged(.recoveryCode(V2.RecoveryCode(text).map { Credential($0) }))
                return (.of(answer), isWrong: answer?.refusal == .proofUnknown)
            }
        case .way(.passkey(let signed)):
            guard let service, let desk = service.passkeyDesk else { return .problem(V2.Problem(.notFound)) }
            let response = try AuthenticationResponse(signed)
            return try await limits.answer(passkeyOf: request.client) {
                switch try await desk.proof(in: response, service.passkeys) {
                case .proven(_, let use):
                    return .of(try await merged(.passkey(use, challenge: use.challenge, sent: signed.json)))
                case .refused(let challenge, let isGuess):
                    let answer = try await merged(.passkey(nil, challenge: challenge, sent: signed.json))
                    return isGuess && answer?.refusal == .proofUnknown ? nil : .of(answer)
                }
            }
        case .way(.identity(let proof)):
            guard let desk = service?.identityDesk else { return .problem(V2.Problem(.notFound)) }
            switch try await desk.verdict(on: proof) {
            case .proven(let identity, let nonce):
                return .of(try await merged(.identity(identity, nonce: nonce, sent: proof)))
            case .refused(_, let nonce): return .of(try await merged(.identity(nil, nonce: nonce, sent: proof)))
            }
        }
    }
}

extension MergeProof {
    /// The kind, for the metrics.
    fileprivate var kind: GameMetrics.MergedBy {
        switch self {
        case .token: .token
        case .recoveryCode: .recoveryCode
        case .passkey: .passkey
        case .identity: .identity
        }
    }
}

/// Counts wrong recovery codes by address, whatever request they come with.
final class RecoveryAttempts: Sendable {
    private let attempts = Locked(AttemptLimiter())
    private let start = ContinuousClock.now

    /// Checks a code, unless too many wrong ones came from that address.
    ///
    /// - Parameter body: Answers, and says whether the code was wrong. If it throws, the code does not count as wrong.
    func counted(
        from client: RequestLimits.Client, _ body: () async throws -> (Response, isWrong: Bool)
    ) async throws -> Response {
        let now = ContinuousClock.now - start
        let attempt: AttemptLimiter.Attempt
        switch attempts.withLock({ $0.begin(from: client.address, now: now) }) {
        case .admitted(let admitted): attempt = admitted
        case .refused(let wait):
            return .tooManyRequests(retryAfter: Int((wait / .seconds(1)).rounded(.up)))
        }
        do {
            let (response, isWrong) = try await body()
            if !isWrong { attempts.withLock { $0.takeBack(attempt) } }
            return response
        } catch {
            attempts.withLock { $0.takeBack(attempt) }
            throw error
        }
    }
}
