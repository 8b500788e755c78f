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
    private let ways: V2.SignIn.Ways
    private let metrics: GameMetrics

    /// - Parameters:
    ///   - service: The ways to sign in other than recovery codes; nil: there are none.
    ///   - limits: Where guesses of passkeys and wrong recovery codes count, as for sessions.
    init(accounts: PlayerAccounts, service: AccountService?, limits: SignInLimits, metrics: GameMetrics) {
        self.metrics = metrics
        self.accounts = accounts
        self.service = service
        self.limits = limits
        ways = service?.ways ?? []
    }

    var routes: [V2Route] {
        [
            V2Route(
                "mergePlayer", .post, "/players/me/merge",
                "Merges another player into this one; the other no longer exists.",
                takes: V2.MergePlayer.self, answers: .ok(V2.Player.self),
                refuses: [.mergeSelf, .mergeUnfinished, .tooMany, .energyFull, .idempotencyKeyReused]
            ) { try await merge($0) }
        ]
    }

    func merge(_ request: V2Request) async throws -> Response {
        let body = try V2.MergePlayer.decode(request.http.body.span, knowing: ways)
        let session = try request.player()
        func merged(_ proof: MergeProof) async throws -> V2Answer<V2.Player> {
            let answer = try await accounts.merge(proof, into: session, as: request.operation)
            metrics.merged(answer, by: proof.kind)
            return answer
        }
        // A proof that fails goes to the database all the same, because it has the first answer to a known operation.
        switch try body.proof() {
        case .token(let text): return .of(try await merged(.token(V2.AccessToken(text).map { Credential($0) })))
        case .way(.recoveryCode(let text)):
            return try await limits.answer(recoveryCodeOf: request.client) {
                let answer = try await merged(.recoveryCode(V2.RecoveryCode(text).map { Credential($0) }))
                return (.of(answer), isWrong: answer.refusal == .proofUnknown)
            }
        case .way(.passkey(let signed)):
            guard let service, let verifier = service.passkeyVerifier else { return .problem(V2.Problem(.notFound)) }
            let response = try AuthenticationResponse(signed)
            return try await limits.answer(passkeyOf: request.client) {
                switch try await verifier.proof(in: response, service.passkeys) {
                case .proven(_, let use):
                    return .of(try await merged(.passkey(use, sent: signed.json)))
                case .failed(let failure):
                    let answer = try await merged(.passkey(nil, sent: signed.json))
                    // Only the first answer to a known operation leaves the challenge as it is.
                    guard answer.refusal == .proofUnknown || answer.refusal == .unauthorized else { return .of(answer) }
                    let refused = try await verifier.refuse(failure)
                    if answer.refusal == .unauthorized { return .of(answer) }
                    if refused.isGuess { return nil }
                    return refused.isLockout ? .problem(refused.problem) : .of(answer)
                }
            }
        case .way(.identity(let proof)):
            guard let verifier = service?.identityVerifier else { return .problem(V2.Problem(.notFound)) }
            switch try await verifier.verdict(on: proof) {
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
