package import CoreMetrics
import EventLoop

/// Values of one metric.
protocol MetricSeries: Sendable {
    /// Writes them, as they are now.
    func write(_ name: String, to text: inout MetricsText)
}

/// All metrics of a process, and the factory that swift-metrics makes them with.
///
/// The service asks for its metrics once and keeps them: counting is then one atomic addition. The metrics of libraries
/// that report to swift-metrics are found here by their labels.
package final class MetricsRegistry: Sendable {
    private struct Family: Sendable {
        let name: String
        let kind: MetricsText.Kind
        let help: String
        var series: [any MetricSeries]
    }

    private struct State: Sendable {
        var families: [Family] = []
        /// Those of swift-metrics, by name and labels.
        var handlers: [String: any MetricSeries] = [:]
        var readings: [@Sendable () async -> Void] = []
    }

    private let state = Locked(State())

    /// The maximum number of libraries' metrics; more than these are not counted.
    private static let handlerLimit = 1000

    /// A registry without metrics.
    package init() {}

    /// Adds values to a metric, which is made if there is none of that name yet.
    @discardableResult
    func add<Series: MetricSeries>(_ name: String, _ kind: MetricsText.Kind, _ help: String, _ series: Series) -> Series
    {
        state.withLock { state in
            if let index = state.families.firstIndex(where: { $0.name == name }) {
                precondition(state.families[index].kind == kind, "\(name) is of two kinds")
                state.families[index].series.append(series)
            } else {
                state.families.append(Family(name: name, kind: kind, help: help, series: [series]))
            }
        }
        return series
    }

    /// Calls a function before the metrics are read, to update those that are not counted where they happen.
    func beforeReading(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { $0.readings.append(body) }
    }

    /// Updates the metrics that are not counted where they happen.
    func refresh() async {
        for body in state.withLock({ $0.readings }) { await body() }
    }

    /// The values of a metric; none when there is no such metric.
    func series(of name: String) -> [any MetricSeries] {
        state.withLock { $0.families.first { $0.name == name }?.series ?? [] }
    }

    /// All metrics as they are now.
    func text() async -> [UInt8] {
        await refresh()
        var text = MetricsText()
        for family in state.withLock({ $0.families }) {
            text.family(family.name, family.kind, family.help)
            for series in family.series { series.write(family.name, to: &text) }
        }
        return text.bytes
    }
}

// MARK: - swift-metrics

extension MetricsRegistry: MetricsFactory {
    /// Makes a counter, or finds it.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let name = Self.name(label)
        return CounterOfOne(
            handler(name.hasSuffix("_total") ? name : name + "_total", .counter, dimensions) { labels in
                Counters(count: 1) { _ in labels }
            })
    }

    /// Makes a gauge, or finds it.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        handler(Self.name(label), .gauge, dimensions) { Gauge(labels: $0) }
    }

    /// Makes a histogram, or a gauge if values are not aggregated.
    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return handler(Self.name(label), .gauge, dimensions) { Gauge(labels: $0) } }
        return handler(Self.name(label), .histogram, dimensions) { Histogram(.numbers, labels: $0) }
    }

    /// Makes a histogram of seconds.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let name = Self.name(label)
        return handler(name.hasSuffix("_seconds") ? name : name + "_seconds", .histogram, dimensions) {
            Histogram(.seconds, labels: $0)
        }
    }

    /// Keeps it, because a counter that starts again looks like a restart.
    package func destroyCounter(_ handler: any CounterHandler) {}
    /// Keeps it.
    package func destroyMeter(_ handler: any MeterHandler) {}
    /// Keeps it.
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Keeps it.
    package func destroyTimer(_ handler: any TimerHandler) {}

    private func handler<Series: MetricSeries>(
        _ name: String, _ kind: MetricsText.Kind, _ dimensions: [(String, String)], _ make: (String) -> Series
    ) -> Series {
        let labels = MetricsText.labels(dimensions.map { (Self.name($0), $1) })
        let key = "\(name){\(labels)}"
        let new = make(labels)
        return state.withLock { state in
            if let known = state.handlers[key] as? Series { return known }
            let index = state.families.firstIndex { $0.name == name }
            guard state.handlers.count < Self.handlerLimit, index.map({ state.families[$0].kind == kind }) ?? true
            else {
                return new
            }
            state.handlers[key] = new
            if let index {
                state.families[index].series.append(new)
            } else {
                state.families.append(Family(name: name, kind: kind, help: "Reported by a library.", series: [new]))
            }
            return new
        }
    }

    /// A name as Prometheus takes it.
    private static func name(_ text: String) -> String {
        let name = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                byte
            default: UInt8(ascii: "_")
            }
        }
        let isLed = name.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? true
        return (isLed ? "_" : "") + String(decoding: name, as: UTF8.self)
    }
}
