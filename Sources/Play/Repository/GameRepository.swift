package import PlayUseCase

/// Where the game's records are: what outlives the program, and the way to the service.
package protocol GameRepository: Sendable {
    /// What was kept; nil the first time.
    ///
    /// - Throws: When it cannot be read.
    func load() throws -> SavedPlay?

    /// Keeps it: what was kept before, or this, is there after a crash.
    func save(_ saved: SavedPlay) async throws

    /// Takes deeds to tell the service, in this order: all or none. Those it takes are told, whatever happens.
    ///
    /// Deeds it has already, by their operation, it does not take twice.
    /// - Throws: When they cannot be kept: none is taken then.
    func append(_ deeds: [Deed]) async throws

    /// Tries at once what waits for its next attempt.
    func retry() async

    /// Tells the service what was appended, now and before a restart, until the task is cancelled.
    ///
    /// - Parameter report: Called in order with answers (`answered`) and what waits (`outbox`).
    func run(_ report: @escaping @Sendable (Play.Event) -> Void) async throws
}
