import EventLoop

/// What this process did in the last hour, a sample every ten seconds: 50 KB.
package final class ProcessHistory: Sendable {
    /// How far apart samples are, in seconds.
    package static let interval = 10
    private static let count = 361

    private let registry: MetricsRegistry
    private let samples = Locked<[ProcessSample]>([])

    /// A history without samples.
    package init(_ registry: MetricsRegistry) { self.registry = registry }

    /// Takes a sample.
    ///
    /// - Parameter time: Seconds of a monotonic clock.
    func take(at time: Int = Stopwatch.now / 1_000_000_000) async {
        let sample = await ProcessSample(registry, at: time)
        samples.withLock { samples in
            samples.append(sample)
            if samples.count > Self.count { samples.removeFirst(samples.count - Self.count) }
        }
    }

    /// Takes samples until the task is cancelled.
    package func run() async throws {
        while true {
            await take()
            try await Task.sleep(for: .seconds(Self.interval))
        }
    }

    /// What this process does now, and did in the last five minutes: a JSON object of whole numbers, `half` and `most` in
    /// microseconds, `load` in hundredths of a processor; `minutes` has requests and failures of each minute of the last hour;
    /// `warnings` are names, which the page has words for.
    ///
    /// - Parameter time: Seconds of a monotonic clock.
    func json(at time: Int = Stopwatch.now / 1_000_000_000) async -> String {
        let now = await ProcessSample(registry, at: time)
        let samples = samples.withLock { $0 }
        let minute = now.since(samples.last { $0.time <= time - 60 } ?? samples.first ?? now)
        let five = now.since(samples.last { $0.time <= time - 300 } ?? samples.first ?? now)
        let numbers: [(String, Int?)] = [
            ("requests", five.requests), ("failures", five.failures), ("limited", five.limited),
            ("seconds", five.time), ("half", five.microseconds(of: 0.5)), ("most", five.microseconds(of: 0.99)),
            ("statementErrors", five.statementErrors),
            ("load", minute.time > 0 ? Int(100 * minute.processorSeconds / Double(minute.time)) : nil),
            ("memory", gauge("process_resident_memory_bytes")), ("connections", gauge("juliet_http_connections")),
            ("poolIdle", gauge("juliet_database_connections", #"state="idle""#)),
            ("poolInUse", gauge("juliet_database_connections", #"state="in_use""#)),
            ("waiting", gauge("juliet_database_statements_waiting")),
        ]
        let fields = numbers.compactMap { name, value in value.map { #""\#(name)":\#($0)"# } }
        let minutes = Self.minutes(samples + [now]).map { "[\($0.requests),\($0.failures)]" }
        let warnings = warnings(five).map { #""\#($0)""# }
        return """
            {\(fields.joined(separator: ",")),"minutes":[\(minutes.joined(separator: ","))],\
            "warnings":[\(warnings.joined(separator: ","))]}
            """
    }

    /// What is wrong, by the rules of packaging/observability/juliet.rules.yml.
    private func warnings(_ five: ProcessSample) -> [String] {
        var found: [String] = []
        if gauge("juliet_ready") == 0 { found.append("ready") }
        if Double(five.failures) > 0.01 * Double(five.requests) { found.append("failures") }
        if five.requests > 0, (five.microseconds(of: 0.99) ?? .max) > 1_000_000 { found.append("slow") }
        if five.connectionsLost > 5 { found.append("lost") }
        if gauge("juliet_database_statements_waiting") > 1000 { found.append("waiting") }
        if five.connectionsRefused > 0 { found.append("refused") }
        if five.linesDropped > 0 { found.append("log") }
        return found
    }

    private func gauge(_ name: String, _ labels: String = "") -> Int { Int(registry.gauge(name, labels)) }

    /// What came in each whole minute before the last sample, the oldest first.
    private static func minutes(_ samples: [ProcessSample]) -> [ProcessSample] {
        guard let first = samples.first, let last = samples.last else { return [] }
        var (minutes, end): ([ProcessSample], ProcessSample) = ([], last)
        while minutes.count < 60, end.time - first.time >= 60,
            let start = samples.last(where: { $0.time <= end.time - 60 })
        {
            minutes.append(end.since(start))
            end = start
        }
        return minutes.reversed()
    }
}
