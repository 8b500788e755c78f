import EventLoop
import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// `/v2/players/me/merge`: two players become one.
struct MergeHandler {
    let accounts: PlayerAccounts
    /// Wrong recovery codes count here as they do for sessions.
    let attempts: RecoveryAttempts

    var routes: [PlayRoute] {
        [
            PlayRoute(
                "mergePlayer", .post, "/players/me/merge",
                "Merges another player into this one: everything is this one's then, and the other is gone.",
                takes: V2.MergePlayer.self, answers: .ok(V2.Player.self),
                refuses: [.mergeSelf, .mergeUnfinished, .tooMany, .energyFull, .idempotencyKeyReused]
            ) { try await merge($0) }
        ]
    }

    func merge(_ request: PlayRequest) async throws -> Response {
        let body = try request.body(V2.MergePlayer.self)
        let session = try request.player()
        // What proves who the other is. A way in that is verified here, not by the records, becomes `.verified`: the player
        // whose it is, or nil, so that a known operation gets its first answer all the same.
        switch body.proof {
        case .token(let text):
            return .of(
                try await accounts.merge(
                    .token(V2.AccessToken(text).map { Credential($0) }), into: session, as: request.operation))
        case .recoveryCode(let text):
            return try await attempts.counted(from: request.client) {
                let code = V2.RecoveryCode(text).map { Credential($0) }
                let answer = try await accounts.merge(.recoveryCode(code), into: session, as: request.operation)
                return (.of(answer), isWrong: answer?.refusal == .proofUnknown)
            }
        }
    }
}

/// Counts wrong recovery codes by the addresses they come from, whatever they are given for.
final class RecoveryAttempts: Sendable {
    private let attempts = Locked(AttemptLimiter())
    private let start = ContinuousClock.now

    /// Looks at a code, unless too many wrong ones came from there.
    ///
    /// - Parameter body: Answers, and says whether the code was wrong. What throws was not.
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
