import EventLoop
import HTTPServer
import JulietAPI

/// Keeps a kind of secret from being guessed: in any ten minutes an address may try no more than a number of wrong ones.
/// After these it gets 429, for right ones too. An IPv6 address counts as its /64, and none is exempt.
final class GuessLimit: Sendable {
    private struct State {
        /// A token for each that may be wrong.
        var wrong: TokenBuckets
        /// Attempts that have begun and are not answered yet.
        var underWay: [SocketAddress.IP: Int] = [:]
    }

    private let state: Locked<State>
    private let now: @Sendable () -> Duration

    /// - Parameters:
    ///   - count: How many may be wrong.
    ///   - now: The time since any one moment. It never goes back.
    init(_ count: Int, now: @escaping @Sendable () -> Duration = GuessLimit.time) {
        let wrong = TokenBuckets(.init(count: count, period: .seconds(600), refill: .afterPeriod), capacity: 16384)
        state = Locked(State(wrong: wrong))
        self.now = now
    }

    /// Answers a request that names something by its secret.
    ///
    /// A right one never counts, not even while it is looked up. So the limit is checked twice, before and after the
    /// lookup: otherwise many that are tried at the same moment would all be answered.
    ///
    /// - Parameters:
    ///   - client: Who asks.
    ///   - keepsAnswers: Whether an answer is given even if the limit was reached meanwhile, because something was done. Default: no.
    ///   - unknown: The answer to a wrong one; 404.
    ///   - answer: Looks the secret up and answers; nil: it is wrong. If it throws, nothing is counted.
    /// - Returns: The answer, that to a wrong one, or 429.
    func answer(
        _ client: RequestLimits.Client, keepsAnswers: Bool = false,
        otherwise unknown: @autoclosure () -> Response = .problem(V2.Problem(.notFound)),
        _ answer: () async throws -> Response?
    ) async throws -> Response {
        let name = RateLimit.hash(client.address.network)
        if let wait = wait(name) { return .tooManyRequests(retryAfter: wait) }
        let answered = try await answer()
        if keepsAnswers, let answered { return answered }
        let wait = answered == nil ? state.withLock { RateLimit.seconds($0.wrong.take(name, now: now())) } : wait(name)
        if let wait { return .tooManyRequests(retryAfter: wait) }
        return answered ?? unknown()
    }

    /// Answers a request that uses a secret up.
    ///
    /// An attempt counts as wrong while it is under way, so no more are checked at the same moment than may be wrong. If
    /// only those under way are too many, the caller has to wait for a second.
    ///
    /// - Parameters:
    ///   - address: Who asks.
    ///   - body: Answers, and says whether the secret was wrong. If it throws, it does not count as wrong.
    func attempt(
        from address: SocketAddress.IP, _ body: () async throws -> (Response, isWrong: Bool)
    ) async throws -> Response {
        let network = address.network
        if let wait = begin(network) { return .tooManyRequests(retryAfter: wait) }
        do {
            let (response, isWrong) = try await body()
            end(network, isWrong: isWrong)
            return response
        } catch {
            end(network, isWrong: false)
            throw error
        }
    }

    /// Begins an attempt.
    ///
    /// - Returns: nil: it has begun. Otherwise how many seconds to wait.
    private func begin(_ network: SocketAddress.IP) -> Int? {
        let name = RateLimit.hash(network)
        return state.withLock { state in
            let (time, others) = (now(), state.underWay[network, default: 0])
            guard state.wrong.has(others + 1, name, now: time) else {
                return RateLimit.seconds(state.wrong.wait(name, now: time)) ?? 1
            }
            state.underWay[network] = others + 1
            return nil
        }
    }

    private func end(_ network: SocketAddress.IP, isWrong: Bool) {
        let name = RateLimit.hash(network)
        state.withLock { state in
            if let underWay = state.underWay[network] { state.underWay[network] = underWay > 1 ? underWay - 1 : nil }
            if isWrong { _ = state.wrong.take(name, now: now()) }
        }
    }

    /// How long an address that has tried too many wrong ones has to wait.
    private func wait(_ name: UInt64) -> Int? {
        state.withLock { RateLimit.seconds($0.wrong.wait(name, now: now())) }
    }

    private static let start = ContinuousClock.now

    /// The time since the first use.
    static func time() -> Duration { start.duration(to: .now) }
}
