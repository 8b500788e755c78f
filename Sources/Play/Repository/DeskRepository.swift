package import PlayUseCase

/// Where the records are of whoever plays by `/v2`: what outlives the program, and the way to the service.
package protocol DeskRepository: Sendable {
    /// What was kept; nil the first time.
    ///
    /// - Throws: When it cannot be read.
    func load() throws -> SavedDesk?

    /// Keeps it: what was kept before, or this, is there after a crash.
    func save(_ saved: SavedDesk) async throws

    /// Asks the service, after what it was asked before; `run` tells the answer.
    func send(_ errand: DeskErrand) async

    /// Tries at once what waits for its next attempt.
    func retry() async

    /// Asks what was sent, until the task is cancelled.
    ///
    /// - Parameter report: Called in order with answers (`answered`), and with what they wait for (`delayed`).
    func run(_ report: @escaping @Sendable (Desk.Event) -> Void) async
}
