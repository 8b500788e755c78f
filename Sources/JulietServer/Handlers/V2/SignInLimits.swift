import EventLoop
import HTTPServer
import JulietAPI

/// How often an address may try to sign in, and ask for challenges and nonces. Nobody is exempt. Each process counts for itself.
final class SignInLimits: Sendable {
    /// Challenges and nonces of an address within a minute, of each kind.
    static let noncesPerMinute = 60

    private let nonces = Locked(UnknownCodeCounts(limit: noncesPerMinute, window: .seconds(60)))
    private let challenges = Locked(UnknownCodeCounts(limit: noncesPerMinute, window: .seconds(60)))
    private let wrongPasskeys = UnknownCodes()
    private let start = ContinuousClock.now

    /// Counts a nonce.
    ///
    /// - Returns: nil: go on. Otherwise how many seconds to wait.
    func secondsToWait(nonceFor client: RequestLimits.Client) -> Int? { secondsToWait(client, nonces) }

    /// Counts a challenge for signing in; as above.
    func secondsToWait(challengeFor client: RequestLimits.Client) -> Int? { secondsToWait(client, challenges) }

    /// Answers an attempt to sign in with a passkey. After thirty guesses within ten minutes nothing is checked.
    ///
    /// - Parameter answer: Answers; nil: it was a guess, and is 401.
    func answer(
        passkeyOf client: RequestLimits.Client, _ answer: () async throws -> Response?
    ) async throws -> Response {
        try await wrongPasskeys.answer(
            client, keepsAnswers: true, otherwise: .problem(V2.Problem(.unauthorized)), answer)
    }

    private func secondsToWait(_ client: RequestLimits.Client, _ counts: Locked<UnknownCodeCounts>) -> Int? {
        let network = client.address.network
        let now = ContinuousClock.now - start
        let wait = counts.withLock { counts in
            let wait = counts.wait(network, now: now)
            if wait == nil { counts.count(network, now: now) }
            return wait
        }
        return wait.map { max(1, Int(($0 / .seconds(1)).rounded(.up))) }
    }
}
