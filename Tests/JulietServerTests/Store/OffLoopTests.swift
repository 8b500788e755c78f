import EventLoop
import Testing

@testable import JulietServer

@Suite("Work that leaves the loop")
struct OffLoopTests {
    @Test("runs elsewhere, beside the loop, and comes back to it")
    func leaves() async throws {
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let places = await Task(executorPreference: loop) { () -> [Bool] in
            let before = loop.isCurrent
            // It waits for a turn of the loop, which would never come if it ran there.
            let during = await offLoop { () -> Bool in
                let isCurrent = loop.isCurrent
                await Task(executorPreference: loop) {}.value
                return isCurrent || loop.isCurrent
            }
            return [before, during, loop.isCurrent]
        }.value
        #expect(places == [true, false, true])
    }
}
