import CoreMetrics
import Synchronization

/// Counts values between given bounds, and their sum.
final class Histogram: @unchecked Sendable {
    /// Bounds, and the unit they are counted in.
    struct Scale: Sendable {
        /// The upper bound of each bucket but the last, which has none.
        let bounds: [Int]
        /// How many recorded units make one unit of the metric.
        let unit: Double

        /// Durations from half a millisecond to ten seconds: recorded in nanoseconds, shown in seconds.
        static let seconds = Scale(
            bounds: [
                500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
                10_000_000,
            ]
            .map { $0 * 1000 },
            unit: 1e9)
        /// Small numbers of things.
        static let numbers = Scale(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], unit: 1)
    }

    // Invariant: the cells are atomic, and live as long as this. One for each bucket; the last holds the sum.
    private let cells: UnsafeMutablePointer<Atomic<Int>>
    private let scale: Scale
    /// As `MetricsText.labels` writes them.
    let labels: String

    /// - Parameter labels: As `MetricsText.labels` writes them.
    init(_ scale: Scale, labels: String = "") {
        self.scale = scale
        self.labels = labels
        cells = .allocate(capacity: scale.bounds.count + 2)
        for index in 0..<scale.bounds.count + 2 { (cells + index).initialize(to: Atomic(0)) }
    }

    deinit {
        cells.deinitialize(count: scale.bounds.count + 2)
        cells.deallocate()
    }

    /// Records a value, on any thread.
    @inline(__always)
    func take(_ value: Int) {
        var bucket = 0
        while bucket < scale.bounds.count, scale.bounds[bucket] < value { bucket += 1 }
        cells[bucket].wrappingAdd(1, ordering: .relaxed)
        cells[scale.bounds.count + 1].wrappingAdd(value, ordering: .relaxed)
    }

    /// How many values there were in each bucket, the last of which has no bound.
    var counts: [Int] { (0...scale.bounds.count).map { cells[$0].load(ordering: .relaxed) } }

    /// How many values there were.
    var count: Int { (0...scale.bounds.count).reduce(0) { $0 + cells[$1].load(ordering: .relaxed) } }
}

extension Histogram: MetricSeries {
    func write(_ name: String, to text: inout MetricsText) {
        func bucket(_ bound: String, _ count: Int) {
            text.sample("\(name)_bucket", "\(labels)\(labels.isEmpty ? "" : ",")le=\"\(bound)\"", "\(count)")
        }
        var count = 0
        for (index, bound) in scale.bounds.enumerated() {
            count += cells[index].load(ordering: .relaxed)
            bucket(MetricsText.number(Double(bound) / scale.unit), count)
        }
        count += cells[scale.bounds.count].load(ordering: .relaxed)
        bucket("+Inf", count)
        let sum = cells[scale.bounds.count + 1].load(ordering: .relaxed)
        text.sample("\(name)_sum", labels, MetricsText.number(Double(sum) / scale.unit))
        text.sample("\(name)_count", labels, "\(count)")
    }
}

extension Histogram: TimerHandler, RecorderHandler {
    func recordNanoseconds(_ duration: Int64) { take(Int(clamping: duration)) }
    func record(_ value: Int64) { take(Int(clamping: value)) }
    func record(_ value: Double) {
        if let value = Int(exactly: (value * scale.unit).rounded()) { take(value) }
    }
}
