import Postgres

/// The metrics of the pool.
final class DatabaseMetrics: Sendable {
    private let durations: [Histogram]
    private let waits: [Histogram]
    private let errors = ReasonCounters(label: "class")
    private let batchSizes: Histogram
    private let batches: Counters
    private let connections: Counters

    private static let accesses = ["read", "write"]

    init(_ registry: MetricsRegistry) {
        durations = Self.accesses.map { access in
            registry.add(
                "juliet_database_statement_duration_seconds", .histogram,
                "Time from sending a statement to its end, with the rest of its batch and the commit.",
                Histogram(.seconds, labels: MetricsText.labels([("access", access)])))
        }
        waits = Self.accesses.map { access in
            registry.add(
                "juliet_database_statement_wait_seconds", .histogram, "Time from the call to sending the statement.",
                Histogram(.seconds, labels: MetricsText.labels([("access", access)])))
        }
        registry.add(
            "juliet_database_errors_total", .counter,
            "Statements that failed, by the class of their SQLSTATE or the client's error.", errors)
        batchSizes = registry.add(
            "juliet_database_batch_statements", .histogram, "Statements in a batch.", Histogram(.numbers))
        batches = registry.add(
            "juliet_database_batches_total", .counter, "Batches, by outcome.",
            Counters(count: 3) { MetricsText.labels([("outcome", ["committed", "rolledBack", "lost"][$0])]) })
        connections = registry.add(
            "juliet_database_connection_events_total", .counter,
            "Connections of the pool that were opened, failed to open, or were lost.",
            Counters(count: 3) { MetricsText.labels([("event", ["opened", "failed", "lost"][$0])]) })
    }

    func statementEnded(_ access: StatementAccess, waiting: Int, running: Int, _ error: PostgresError?) {
        let access = access == .read ? 0 : 1
        durations[access].take(running)
        waits[access].take(waiting)
        if let error { errors.add(error.sqlState?.classCode ?? "\(error.code)") }
    }

    func batchEnded(_ report: PostgresBatchReport) {
        batchSizes.take(report.size)
        switch report.outcome {
        case .committed: batches.add(at: 0)
        case .rolledBack: batches.add(at: 1)
        case .lost: batches.add(at: 2)
        }
    }

    func connectionOpened() { connections.add(at: 0) }
    func connectionFailed() { connections.add(at: 1) }
    func connectionLost() { connections.add(at: 2) }
}

extension Duration {
    /// In whole nanoseconds, rounded down.
    var wholeNanoseconds: Int { Int(self / .nanoseconds(1)) }
}
