package import PlayUseCase

/// The records of a player of `/v2`: what outlives the program, and the way to the service.
package protocol DeskRepository: Sendable {
    /// What was kept; nil the first time.
    ///
    /// - Throws: When it cannot be read.
    func load() throws -> SavedDesk?

    /// Keeps it: after a crash either this is there or what was kept before.
    func save(_ saved: SavedDesk) async throws

    /// Asks the service, after all earlier requests; `run` reports the answer.
    func send(_ errand: DeskErrand) async

    /// Tries at once what waits for its next attempt.
    func retry() async

    /// Sends the requests, until the task is cancelled.
    ///
    /// - Parameter report: Called in order with answers (`answered`), and with what they wait for (`delayed`).
    func run(_ report: @escaping @Sendable (Desk.Event) -> Void) async
}
