import EventLoop
import Logging
import Postgres

/// Counts the work of the pool, and logs slow and failed statements: their names, never their values.
final class DatabaseObserver: PostgresObserver {
    let metrics: DatabaseMetrics
    let logger: Logger
    /// In nanoseconds; 0: never.
    private let slow: Int
    private let refusals = Locked(RepeatedReasons())

    init(_ metrics: DatabaseMetrics, _ logger: Logger, slowStatement: Duration) {
        self.metrics = metrics
        self.logger = logger
        slow = slowStatement.wholeNanoseconds
    }

    func statementEnded(_ report: PostgresStatementReport) {
        let (waiting, running) = (report.waiting.wholeNanoseconds, report.running.wholeNanoseconds)
        metrics.statementEnded(report.access, waiting: waiting, running: running, report.error)
        // One that was never sent is not slow: the connections are busy, or there are none, and that is logged elsewhere.
        guard slow > 0, running > 0, waiting &+ running >= slow else { return }
        logger.warning(
            "slow statement: \(report.name)",
            metadata: [
                "waitingMilliseconds": .stringConvertible(waiting / 1_000_000),
                "runningMilliseconds": .stringConvertible(running / 1_000_000),
            ])
    }

    func batchEnded(_ report: PostgresBatchReport) { metrics.batchEnded(report) }

    func connectionOpened() { metrics.connectionOpened() }

    func connectionFailed(_ error: PostgresError) {
        metrics.connectionFailed()
        let reason = StartupError.line(error)
        guard refusals.withLock({ $0.isDue(reason, at: .now) }) else { return }
        logger.warning("no connection to PostgreSQL: \(reason)")
    }

    func connectionLost(_ error: PostgresError) {
        metrics.connectionLost()
        logger.warning("a connection to PostgreSQL is lost: \(error)")
    }
}

/// Which reasons were logged within the last minute. The pool tries to connect several times a second.
struct RepeatedReasons {
    private var logged: [String: ContinuousClock.Instant] = [:]

    private static let interval: Duration = .seconds(60)

    /// Whether a reason is to be logged now: it is new, or was logged a minute ago.
    mutating func isDue(_ reason: String, at now: ContinuousClock.Instant) -> Bool {
        logged = logged.filter { now - $0.value < Self.interval }
        guard logged[reason] == nil else { return false }
        logged[reason] = now
        return true
    }
}
