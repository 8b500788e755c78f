import Testing

@testable import JulietClient

@Suite("Queue, whatever happens")
struct QueuePropertyTests {
    @Test("events in any order, stops and crashes anywhere: each request ends once, order and barriers hold")
    func anyOrder() {
        let first = UInt64.random(in: 0...1_000_000_000)
        for seed in first..<first + 1000 {
            var world = QueueWorld(seed: seed)
            for _ in 0..<60 { world.step() }
            world.finish()
        }
    }
}
