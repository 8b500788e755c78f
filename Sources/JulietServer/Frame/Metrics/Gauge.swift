import CoreMetrics
import Synchronization

/// A value that goes up and down.
final class Gauge: Sendable {
    /// As `MetricsText.labels` writes them.
    let labels: String
    private let bits: Atomic<UInt64>

    /// - Parameter labels: As `MetricsText.labels` writes them.
    init(labels: String = "", _ value: Double = 0) {
        self.labels = labels
        bits = Atomic(value.bitPattern)
    }

    /// The value, on any thread.
    var value: Double {
        get { Double(bitPattern: bits.load(ordering: .relaxed)) }
        set { bits.store(newValue.bitPattern, ordering: .relaxed) }
    }

    private func change(by amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (isDone, seen) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if isDone { return }
            old = seen
        }
    }
}

extension Gauge: MetricSeries {
    func write(_ name: String, to text: inout MetricsText) {
        text.sample(name, labels, MetricsText.number(value))
    }
}

extension Gauge: MeterHandler, RecorderHandler {
    func set(_ value: Int64) { self.value = Double(value) }
    func set(_ value: Double) { self.value = value }
    func record(_ value: Int64) { self.value = Double(value) }
    func record(_ value: Double) { self.value = value }
    func increment(by amount: Double) { change(by: amount) }
    func decrement(by amount: Double) { change(by: -amount) }
}
