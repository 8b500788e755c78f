import CoreMetrics
import HTTPServer
import JulietAPI
import Testing

@testable import JulietServer

@Suite("Metrics")
struct MetricsTests {
    private static func text(_ registry: MetricsRegistry) async -> String {
        String(decoding: await registry.text(), as: UTF8.self)
    }

    @Test("are told with help, type and labels, what is special in them escaped")
    func exposition() async {
        let registry = MetricsRegistry()
        let counters = Counters(count: 2) { MetricsText.labels([("word", ["a\"b\\c\nd", "e"][$0])]) }
        registry.add("words_total", .counter, "Words\nof \\ \"ours\".", counters)
        counters.add(at: 0)
        counters.add(41, at: 0)
        registry.add("heat", .gauge, "Degrees.", Gauge(labels: "", -1.5))
        #expect(
            await Self.text(registry) == #"""
                # HELP words_total Words\nof \\ "ours".
                # TYPE words_total counter
                words_total{word="a\"b\\c\nd"} 42
                words_total{word="e"} 0
                # HELP heat Degrees.
                # TYPE heat gauge
                heat -1.5

                """#)
    }

    @Test("a histogram counts each value in its bucket and all above, in the unit that is told")
    func histogram() async {
        let registry = MetricsRegistry()
        let histogram = Histogram(Histogram.Scale(bounds: [1_000_000, 250_000_000], unit: 1e9), labels: #"route="/""#)
        registry.add("time_seconds", .histogram, "Time.", histogram)
        for value in [0, 1_000_000, 1_000_001, 2_000_000_000] { histogram.take(value) }
        #expect(
            await Self.text(registry) == #"""
                # HELP time_seconds Time.
                # TYPE time_seconds histogram
                time_seconds_bucket{route="/",le="0.001"} 2
                time_seconds_bucket{route="/",le="0.25"} 3
                time_seconds_bucket{route="/",le="+Inf"} 4
                time_seconds_sum{route="/"} 2.002000001
                time_seconds_count{route="/"} 4

                """#)
    }

    @Test("what a library reports to swift-metrics stands beside the service's own, under a name that Prometheus takes")
    func factory() async {
        let registry = MetricsRegistry()
        let counter = Counter(label: "cache.hits", dimensions: [("kind", "x")], factory: registry)
        counter.increment()
        Counter(label: "cache.hits", dimensions: [("kind", "x")], factory: registry).increment(by: 2)
        CoreMetrics.Gauge(label: "depth", factory: registry).record(7)
        CoreMetrics.Timer(label: "wait", factory: registry).recordMilliseconds(2)
        // Of another kind under the same name: it is counted nowhere, and harms nobody.
        Recorder(label: "depth", factory: registry).record(1)
        let text = await Self.text(registry)
        #expect(text.contains("# TYPE cache_hits_total counter\ncache_hits_total{kind=\"x\"} 3\n"))
        #expect(text.contains("# TYPE depth gauge\ndepth 7\n"))
        #expect(text.contains("wait_seconds_bucket{le=\"0.0025\"} 1\n"))
    }

    @Test("reasons that are made up cannot fill the memory")
    func reasons() async {
        let registry = MetricsRegistry()
        let reasons = registry.add("refusals_total", .counter, "Refusals.", ReasonCounters(label: "reason"))
        for number in 0..<10_000 { reasons.add("r\(number)") }
        let lines = await Self.text(registry).split(separator: "\n")
        #expect(lines.count == 2 + 65)
        #expect(lines.contains("refusals_total{reason=\"other\"} \(10_000 - 64)"))
    }

    @Test("every answer of the app's contract has labels of its own: outer and inner code")
    func answerCodes() {
        #expect(AnswerCodes.labels(at: AnswerCodes.index(of: .done(.initialRegistration))) == ("200", "200"))
        #expect(AnswerCodes.labels(at: AnswerCodes.index(of: .word("music"))) == ("200", "none"))
        for code in ErrorCode.allCases {
            for type in RequestType.allCases {
                for answer in [Answer.refused(type, code), .failed(code, type: type)] {
                    let labels = AnswerCodes.labels(at: AnswerCodes.index(of: answer))
                    #expect(labels.status == "\(answer.outerStatus)")
                    #expect(labels.code == answer.innerStatus.map { "\($0)" } ?? "none")
                }
            }
        }
        #expect(Set((0..<AnswerCodes.count).map { "\(AnswerCodes.labels(at: $0))" }).count == AnswerCodes.count)
    }

    @Test("every problem of /v2 is found again by its code, anything else is folded into one")
    func playCodes() {
        for code in V2.ProblemCode.allCases {
            let labels = V2Codes.labels(at: V2Codes.index(of: .problem(V2.Problem(code))))
            #expect(labels == ("\(code.status)", code.rawValue))
        }
        let strange = V2.Problem(code: "i-am-a-teapot", status: 418, title: "No")
        #expect(V2Codes.labels(at: V2Codes.index(of: .problem(strange))) == ("other", "other"))
        #expect(V2Codes.labels(at: V2Codes.index(of: .text("x"))) == ("200", "ok"))
    }
}
