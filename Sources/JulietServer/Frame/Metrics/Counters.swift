import CoreMetrics
import Synchronization

/// Counters of one metric with different labels, which are known when the counters are made. Counting names a
/// place, and labels are only written when the metric is read.
final class Counters: @unchecked Sendable {
    // Invariant: the cells are atomic, and live as long as this.
    private let cells: UnsafeMutablePointer<Atomic<Int>>
    private let count: Int
    private let labels: @Sendable (Int) -> String
    private let showsZero: Bool

    /// - Parameters:
    ///   - showsZero: Whether counters at zero are shown. False if most places never count.
    ///   - labels: The labels of a place.
    init(count: Int, showsZero: Bool = true, labels: @escaping @Sendable (Int) -> String) {
        cells = .allocate(capacity: count)
        for index in 0..<count { (cells + index).initialize(to: Atomic(0)) }
        self.count = count
        self.labels = labels
        self.showsZero = showsZero
    }

    deinit {
        cells.deinitialize(count: count)
        cells.deallocate()
    }

    /// Counts, on any thread.
    @inline(__always)
    func add(_ amount: Int = 1, at index: Int = 0) {
        precondition(index >= 0 && index < count, "no such counter")
        cells[index].wrappingAdd(amount, ordering: .relaxed)
    }

    /// The count.
    func value(at index: Int = 0) -> Int { cells[index].load(ordering: .relaxed) }

    /// The sum of the counts at places whose labels match.
    func sum(where isWanted: (_ labels: String) -> Bool) -> Int {
        (0..<count).reduce(0) { sum, index in
            let value = value(at: index)
            return value == 0 || !isWanted(labels(index)) ? sum : sum + value
        }
    }

    fileprivate func reset() { for index in 0..<count { cells[index].store(0, ordering: .relaxed) } }
}

extension Counters: MetricSeries {
    func write(_ name: String, to text: inout MetricsText) {
        for index in 0..<count {
            let value = value(at: index)
            if value != 0 || showsZero { text.sample(name, labels(index), "\(value)") }
        }
    }
}

/// A counter of swift-metrics.
final class CounterOfOne: CounterHandler {
    let cells: Counters

    init(_ cells: Counters) { self.cells = cells }

    func increment(by amount: Int64) { cells.add(Int(clamping: max(0, amount))) }

    func reset() { cells.reset() }
}
