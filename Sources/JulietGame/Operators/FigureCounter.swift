package import EventLoop
package import Postgres

/// Counts the figures of days, weeks and months that are over, once for all services, and keeps them.
///
/// It has a session of its own: a month of a large game takes seconds, and no batch of players' requests may wait for that.
package struct FigureCounter: Sendable {
    private let configuration: PostgresConfiguration
    private let loop: EventLoop

    /// How long one period may take.
    private static let patience: Duration = .seconds(600)

    /// Counts on this database.
    ///
    /// - Parameter loop: The loop that drives the session.
    package init(database configuration: PostgresConfiguration, on loop: EventLoop) {
        var configuration = configuration
        // A step that takes a second must not be logged as a player's slow statement.
        configuration.observer = nil
        self.configuration = configuration
        self.loop = loop
    }

    /// Counts all past periods that are not counted, the newest first. After each step of half a second it pauses as long as
    /// the step took, so it uses at most half of one of the database's processors.
    ///
    /// When cancelled, it leaves what it has counted.
    package func count() async throws {
        let connection = try await PostgresConnection.connect(configuration, on: loop)
        do {
            while true {
                let start = ContinuousClock.now
                let left = try await connection.first(FunctionCall.countFigures(), timeout: Self.patience) ?? 0
                guard left > 0 else { break }
                try await Task.sleep(for: start.duration(to: .now))
            }
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }
}

extension FunctionCall<Int32> {
    /// Returns how many periods are left.
    fileprivate static func countFigures() -> Self { Self("SELECT juliet.count_figures()") }
}
