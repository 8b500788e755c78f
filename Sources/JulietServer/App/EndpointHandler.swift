import JulietAPI
import JulietGame
import Postgres

/// One URL of the contract: request in, answer out.
protocol EndpointHandler: Sendable {
    /// The URL.
    var endpoint: Endpoint { get }

    /// Whether `signedTransaction` is read. Default: no.
    var takesTransactions: Bool { get }

    /// Asks the game.
    ///
    /// - Parameters:
    ///   - request: One of the URL's own types; the decoder has refused others.
    ///   - operation: The name under which it takes effect once. Requests that change nothing or can be repeated
    ///     without harm have none.
    /// - Returns: nil for a type of another URL.
    func answer(to request: GameRequest, as operation: Operation.ID?) async throws(PostgresError) -> AppAnswer?
}

extension EndpointHandler {
    var takesTransactions: Bool { false }
}
