import EventLoop

/// Counters of failures, by reasons that are not known in advance. They are behind a lock, so they are not for every
/// request. Their number is bounded.
final class ReasonCounters: Sendable {
    private let label: String
    private let counts = Locked<[String: Int]>([:])

    /// More reasons than these are "other".
    private static let limit = 64

    /// - Parameter label: The name of the label.
    init(label: String) { self.label = label }

    /// Counts, on any thread.
    func add(_ reason: String) {
        counts.withLock { counts in
            let isKnown = counts[reason] != nil || counts.count < Self.limit
            counts[isKnown ? reason : "other", default: 0] += 1
        }
    }

    /// The sum over all reasons.
    var sum: Int { counts.withLock { $0.values.reduce(0, +) } }
}

extension ReasonCounters: MetricSeries {
    func write(_ name: String, to text: inout MetricsText) {
        for (reason, count) in counts.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            text.sample(name, MetricsText.labels([(label, reason)]), "\(count)")
        }
    }
}
