import Testing

@testable import JulietServer

@Suite("Why there is no connection")
struct RepeatedReasonsTests {
    @Test("is logged at once, then once a minute; another reason at once")
    func oncePerMinute() {
        var reasons = RepeatedReasons()
        let start = ContinuousClock.now
        #expect(reasons.isDue("refused", at: start))
        for second in 1..<60 {
            #expect(!reasons.isDue("refused", at: start + .seconds(second)))
            #expect(reasons.isDue("no password", at: start + .seconds(second)) == (second == 1))
        }
        #expect(reasons.isDue("refused", at: start + .seconds(60)))
        #expect(!reasons.isDue("no password", at: start + .seconds(60)))
        #expect(reasons.isDue("no password", at: start + .seconds(61)))
        #expect(!reasons.isDue("refused", at: start + .seconds(61)))
    }
}
