import Testing

@testable import JulietServer

@Suite("Why there is no connection")
struct RepeatedReasonsTests {
    @Test("is logged at once, then once a minute; another reason at once")
    func oncePerMinute() {
        var reasons = RepeatedReasons()
        let start = ContinuousClock.now
        func isDue(_ reason: String, after seconds: Int) -> Bool {
            reasons.isDue(reason, at: start + .seconds(seconds))
        }
        #expect(isDue("refused", after: 0))
        for second in 1..<60 {
            #expect(!isDue("refused", after: second))
            #expect(isDue("no password", after: second) == (second == 1))
        }
        #expect(isDue("refused", after: 60))
        #expect(!isDue("no password", after: 60))
        #expect(isDue("no password", after: 61))
        #expect(!isDue("refused", after: 61))
    }
}
