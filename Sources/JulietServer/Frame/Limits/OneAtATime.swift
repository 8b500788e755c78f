import EventLoop
import HTTPServer

/// Keeps a player from having costly work done twice at the same time, so that a few players cannot take all its places.
final class OneAtATime: Sendable {
    private let underWay = Locked<Set<String>>([])

    /// Answers a request whose answer is costly.
    ///
    /// - Parameters:
    ///   - player: The id of the player who asks, whose session is valid: otherwise anybody could keep them waiting.
    ///   - answer: Does the work.
    /// - Returns: The answer; 429 with `Retry-After: 1` while another request of the player is answered.
    func answer(_ player: String, _ answer: () async throws -> Response) async throws -> Response {
        guard underWay.withLock({ $0.insert(player).inserted }) else { return .tooManyRequests(retryAfter: 1) }
        defer { underWay.withLock { _ = $0.remove(player) } }
        return try await answer()
    }
}
