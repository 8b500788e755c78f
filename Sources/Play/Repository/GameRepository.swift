package import PlayUseCase

/// The game's records: what outlives the program, and the way to the service.
package protocol GameRepository: Sendable {
    /// What was kept; nil the first time.
    ///
    /// - Throws: When it cannot be read.
    func load() throws -> SavedPlay?

    /// Keeps it: after a crash either this is there or what was kept before.
    func save(_ saved: SavedPlay) async throws

    /// Takes deeds to send to the service, in this order: all or none. Those it takes are sent, whatever happens.
    ///
    /// Deeds that it has already, by their operation, are not taken twice.
    /// - Throws: When they cannot be kept; then none is taken.
    func append(_ deeds: [Deed]) async throws

    /// Tries at once what waits for its next attempt.
    func retry() async

    /// Tells the service what was appended, now and before a restart, until the task is cancelled.
    ///
    /// - Parameter report: Called in order with answers (`answered`) and what waits (`outbox`).
    func run(_ report: @escaping @Sendable (Play.Event) -> Void) async throws
}
