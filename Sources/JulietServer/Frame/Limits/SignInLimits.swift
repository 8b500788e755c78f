import HTTPServer
import JulietAPI

/// How often an address may try to sign in, and ask for challenges and nonces. No address is exempt.
final class SignInLimits: Sendable {
    /// Challenges and nonces of an address within a minute, of each kind.
    private static let perMinute = TokenBuckets.Allowance(count: 60, period: .seconds(60), refill: .afterPeriod)

    private let nonces = RateLimit(perMinute)
    private let challenges = RateLimit(perMinute)
    private let recoveryCodes = GuessLimit(10)
    private let passkeys = GuessLimit(30)

    /// Counts a nonce.
    ///
    /// - Returns: nil: go on. Otherwise how many seconds to wait.
    func secondsToWait(nonceFor client: RequestLimits.Client) -> Int? { nonces.take(client.address.network) }

    /// Counts a challenge for signing in; as above.
    func secondsToWait(challengeFor client: RequestLimits.Client) -> Int? { challenges.take(client.address.network) }

    /// Answers an attempt with a recovery code, whatever request it comes with. After ten wrong ones none is checked.
    ///
    /// - Parameter body: Answers, and says whether the code was wrong.
    func answer(
        recoveryCodeOf client: RequestLimits.Client, _ body: () async throws -> (Response, isWrong: Bool)
    ) async throws -> Response {
        try await recoveryCodes.attempt(from: client.address, body)
    }

    /// Answers an attempt to sign in with a passkey. After thirty guesses nothing is checked.
    ///
    /// - Parameter answer: Answers; nil: it was a guess, and is 401.
    func answer(
        passkeyOf client: RequestLimits.Client, _ answer: () async throws -> Response?
    ) async throws -> Response {
        try await passkeys.answer(client, keepsAnswers: true, otherwise: .problem(V2.Problem(.unauthorized)), answer)
    }
}
