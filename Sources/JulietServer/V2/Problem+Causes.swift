import HTTPServer
import JulietAPI
import JulietGame
import Postgres

extension V2.Problem {
    /// Why the game refused a request. Only here do refusals become codes.
    ///
    /// - Parameter details: Each refusal shows what concerns it.
    init(for refusal: V2Refusal, _ details: V2Details = V2Refusal.nothing) {
        switch refusal {
        case .unauthorized: self.init(.unauthorized)
        case .notFound, .notMaker: self.init(.notFound)
        case .nameRefused:
            if let name = details.name { self.init(refusing: name) } else { self.init(.nameRefused) }
        case .claimRefused: self.init(.claimRefused)
        case .claimed: self.init(.claimed)
        case .energyInsufficient:
            self.init(
                .energyInsufficient, detail: details.energy.flatMap(Debt.explanation), energy: details.energy,
                refill: details.refill)
        case .refillEarly: self.init(.refillEarly, retryAfter: details.retryAfter)
        case .refillFull: self.init(.refillFull)
        case .gameUnfinished: self.init(.gameUnfinished, game: details.game)
        case .noWords: self.init(.unavailable, retryAfter: 1)
        case .guessTaken: self.init(.guessTaken, game: details.game)
        case .gameOver: self.init(.gameOver, game: details.game)
        case .gameRunning: self.init(.gameRunning)
        case .noReview: self.init(.noReview)
        case .guessEarly: self.init(.guessEarly)
        case .listUnknown: self.init(.listUnknown)
        case .wordUnknown: self.init(.wordUnknown)
        case .wordRefused: self.init(.wordRefused)
        case .hintTells: self.init(.hintTells)
        case .guessHard: self.init(.guessHard, rule: details.rule)
        case .tooMany: self.init(.tooMany)
        case .challengeOwnWord: self.init(.challengeOwnWord)
        case .challengeOver: self.init(.challengeOver)
        case .challengeFull: self.init(.challengeFull)
        case .notOwner: self.init(.notOwner)
        case .leagueFull: self.init(.leagueFull)
        case .passkeyRefused: self.init(.passkeyRefused, reason: details.reason)
        case .identityRefused: self.init(.identityRefused, reason: details.reason)
        case .nonceUsed: self.init(.identityRefused, reason: "nonce")
        case .identityUnknown: self.init(.identityUnknown)
        case .identityTaken: self.init(.identityTaken)
        case .identityLinked: self.init(.identityLinked)
        case .busy: self.init(.unavailable, retryAfter: 1)
        case .proofUnknown:
            self.init(.unauthorized, detail: "No player has this token, recovery code, passkey or identity.")
        case .mergeSelf: self.init(.mergeSelf)
        case .mergeUnfinished: self.init(.mergeUnfinished, game: details.game)
        case .energyFull: self.init(.energyFull)
        case .transactionRefused:
            self.init(
                .transactionRefused, detail: details.reason.flatMap(PurchaseReason.init(rawValue:))?.message,
                reason: details.reason)
        case .operationReused: self.init(.idempotencyKeyReused)
        }
    }

    /// The database failed.
    init(for error: PostgresError) {
        switch error.errorCode {
        case .serverOverloaded, .serverUnavailable: self.init(.unavailable, retryAfter: 1)
        default: self.init(.internalError)
        }
    }

    /// An error that the HTTP server answers by itself.
    init(for failure: HTTPFailure) {
        switch failure.status {
        case .badRequest: self.init(.requestInvalid, detail: failure.message, path: "")
        case .notFound: self.init(.notFound)
        case .methodNotAllowed: self.init(.methodNotAllowed)
        case .requestTimeout: self.init(.requestTimeout)
        case .contentTooLarge: self.init(.contentTooLarge)
        case .uriTooLong: self.init(.uriTooLong)
        case .requestHeaderFieldsTooLarge: self.init(.headerFieldsTooLarge)
        case .internalServerError: self.init(.internalError)
        case .serviceUnavailable:
            self.init(.unavailable, retryAfter: failure.headers["Retry-After"].flatMap { Int($0) } ?? 1)
        default:
            // 415, 417, 421, 501, 505: the contract has no code for these, so HTTP's reason phrase is used.
            let title = failure.status.reasonPhrase
            self.init(
                code: title.lowercased().replacing(" ", with: "-"), status: failure.status.code, title: title,
                detail: failure.message)
        }
    }
}
