import JulietAPI
import JulietGame
import Postgres

/// One URL of the contract: request in, outcome out.
protocol EndpointHandler: Sendable {
    /// The URL.
    var endpoint: Endpoint { get }

    /// Whether `signedTransaction` says anything. Default: no.
    var takesTransactions: Bool { get }

    /// Asks the game.
    ///
    /// - Parameters:
    ///   - request: One of the URL's own types; the decoder has refused others.
    ///   - operation: The name to do it under, once; what changes nothing, or is the same however often it is done,
    ///     takes none.
    /// - Returns: nil for a type of another URL.
    func outcome(of request: GameRequest, as operation: Operation.ID?) async throws(PostgresError) -> Outcome?
}

extension EndpointHandler {
    var takesTransactions: Bool { false }
}
