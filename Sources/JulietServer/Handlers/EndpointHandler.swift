import JulietAPI
import JulietGame

/// One URL of the contract: request in, answer out.
protocol EndpointHandler: Sendable {
    /// The URL.
    var endpoint: Endpoint { get }

    /// Asks the game.
    ///
    /// - Parameter request: One of the URL's own types; the decoder has refused others.
    func answer(_ request: GameRequest) async throws(GameError) -> Answer
}

extension EndpointHandler {
    /// What a handler says to a type of another URL, which the decoder lets through to none.
    func misplaced(_ request: GameRequest) -> Answer { .failed(.typeMisplaced, type: request.type) }
}
