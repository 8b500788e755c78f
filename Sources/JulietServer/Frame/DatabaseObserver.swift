import Logging
import Postgres

/// Counts the work of the pool, and logs slow and failed statements: their names, never their values.
final class DatabaseObserver: PostgresObserver {
    let metrics: DatabaseMetrics
    let logger: Logger
    /// In nanoseconds; 0: never.
    private let slow: Int

    init(_ metrics: DatabaseMetrics, _ logger: Logger, slowStatement: Duration) {
        self.metrics = metrics
        self.logger = logger
        slow = slowStatement.wholeNanoseconds
    }

    func statementEnded(_ report: PostgresStatementReport) {
        let (waiting, running) = (report.waiting.wholeNanoseconds, report.running.wholeNanoseconds)
        metrics.statementEnded(report.access, waiting: waiting, running: running, report.error)
        guard slow > 0, waiting &+ running >= slow else { return }
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
        logger.warning("no connection to PostgreSQL: \(error)\(error.connectionAdvice)")
    }

    func connectionLost(_ error: PostgresError) {
        metrics.connectionLost()
        logger.warning("a connection to PostgreSQL is lost: \(error)")
    }
}
