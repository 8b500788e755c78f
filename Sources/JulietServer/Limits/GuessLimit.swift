import HTTPServer
import JulietAPI

/// Keeps a kind of secret from being guessed: after a number of wrong ones, an address gets 429 for right ones too, until the
/// first of the wrong ones is ten minutes old. Then all are forgotten, so nearly twice the number can be tried around that
/// moment. An IPv6 address counts as its /64, and none is exempt.
final class GuessLimit: Sendable {
    private let wrong: RateLimit

    /// - Parameter count: How many may be wrong.
    init(_ count: Int) { wrong = RateLimit(.init(count: count, period: .seconds(600), refill: .atOnce)) }

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
        let network = client.address.network
        if let wait = wrong.wait(network) { return .tooManyRequests(retryAfter: wait) }
        let answered = try await answer()
        if keepsAnswers, let answered { return answered }
        if let wait = answered == nil ? wrong.take(network) : wrong.wait(network) {
            return .tooManyRequests(retryAfter: wait)
        }
        return answered ?? unknown()
    }

    /// Answers a request that uses a secret up.
    ///
    /// An attempt counts from its beginning, so of many at the same moment no more are checked than may be wrong. One that was
    /// not wrong is given back.
    ///
    /// - Parameters:
    ///   - address: Who asks.
    ///   - refused: The answer after too many wrong ones, with how many seconds to wait.
    ///   - body: Answers, and says whether the secret was wrong. If it throws, it does not count as wrong.
    func attempt(
        from address: SocketAddress.IP, refused: (Int) -> Response = Response.tooManyRequests(retryAfter:),
        _ body: () async throws -> (Response, isWrong: Bool)
    ) async throws -> Response {
        if let wait = wrong.take(address.network) { return refused(wait) }
        do {
            let (response, isWrong) = try await body()
            if !isWrong { wrong.giveBack(address.network) }
            return response
        } catch {
            wrong.giveBack(address.network)
            throw error
        }
    }
}
