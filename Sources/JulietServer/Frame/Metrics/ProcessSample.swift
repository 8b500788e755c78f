/// The counts of this process up to a moment that the admin page shows. The page's own requests are left out.
struct ProcessSample: Sendable {
    /// Seconds of a monotonic clock.
    var time = 0
    /// Requests that were answered.
    var requests = 0
    /// Those that failed, with a status from 500 on.
    var failures = 0
    /// Those that were refused by a limit.
    var limited = 0
    /// The distribution of their durations, by the buckets of ``Histogram/Scale/seconds``.
    var durations = [Int](repeating: 0, count: Histogram.Scale.seconds.bounds.count + 1)
    /// Statements that failed.
    var statementErrors = 0
    /// Connections to the database that were lost or could not be opened.
    var connectionsLost = 0
    /// Connections of clients that were turned away.
    var connectionsRefused = 0
    /// Lines of the log that were dropped.
    var linesDropped = 0
    /// Processor time, in seconds.
    var processorSeconds = 0.0
}

extension ProcessSample {
    /// Reads the metrics as they are now.
    init(_ registry: MetricsRegistry, at time: Int) async {
        await registry.refresh()
        self.init()
        self.time = time
        let isPlayers = { (labels: String) in !labels.contains(#"route="/admin"#) }
        let counted = registry.series(of: "juliet_http_requests_total").compactMap { $0 as? Counters }
        for counters in counted {
            requests += counters.sum(where: isPlayers)
            failures += counters.sum { isPlayers($0) && $0.contains(#"status="5"#) }
            limited += counters.sum { isPlayers($0) && $0.contains(#"status="429""#) }
        }
        for case let histogram as Histogram in registry.series(of: "juliet_http_request_duration_seconds")
        where isPlayers(histogram.labels) {
            for (index, count) in histogram.counts.enumerated() { durations[index] += count }
        }
        for case let counters as ReasonCounters in registry.series(of: "juliet_database_errors_total") {
            statementErrors += counters.sum
        }
        for case let counters as Counters in registry.series(of: "juliet_database_connection_events_total") {
            connectionsLost += counters.sum { !$0.contains("opened") }
        }
        connectionsRefused = Int(registry.gauge("juliet_http_connections_refused_total"))
        linesDropped = Int(registry.gauge("juliet_log_lines_dropped_total"))
        processorSeconds = registry.gauge("process_cpu_seconds_total")
    }

    /// The counts between an earlier sample and this one.
    func since(_ earlier: ProcessSample) -> ProcessSample {
        ProcessSample(
            time: time - earlier.time, requests: requests - earlier.requests, failures: failures - earlier.failures,
            limited: limited - earlier.limited, durations: zip(durations, earlier.durations).map { $0 - $1 },
            statementErrors: statementErrors - earlier.statementErrors,
            connectionsLost: connectionsLost - earlier.connectionsLost,
            connectionsRefused: connectionsRefused - earlier.connectionsRefused,
            linesDropped: linesDropped - earlier.linesDropped,
            processorSeconds: processorSeconds - earlier.processorSeconds)
    }

    /// The microseconds within which a share of the requests was answered, as exactly as the buckets allow; nil: there were no
    /// requests, or they took longer than the highest bound.
    func microseconds(of share: Double) -> Int? {
        let total = durations.reduce(0, +)
        guard total > 0 else { return nil }
        var count = 0
        for (bound, durations) in zip(Histogram.Scale.seconds.bounds, durations) {
            count += durations
            if Double(count) >= share * Double(total) { return bound / 1000 }
        }
        return nil
    }
}

extension MetricsRegistry {
    /// The value of a gauge; 0: there is none of that name and labels.
    func gauge(_ name: String, _ labels: String = "") -> Double {
        for case let gauge as Gauge in series(of: name) where gauge.labels == labels { return gauge.value }
        return 0
    }
}
