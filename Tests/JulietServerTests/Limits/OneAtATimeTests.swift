import HTTPServer
import Testing

@testable import JulietServer

@Suite("One at a time")
struct OneAtATimeTests {
    @Test("a player's second request is 429 while the first one is answered; those of others are answered")
    func players() async throws {
        let turns = OneAtATime()
        let first = try await turns.answer("ann") {
            let second = try await turns.answer("ann") { Response() }
            #expect(second.status == 429)
            #expect(second.headers["Retry-After"] == "1")
            let other = try await turns.answer("bob") { Response() }
            #expect(other.status == 200)
            return Response(status: 202)
        }
        #expect(first.status == 202)
        #expect(try await turns.answer("ann") { Response() }.status == 200)
    }

    @Test("one that fails is over")
    func failure() async throws {
        let turns = OneAtATime()
        await #expect(throws: CancellationError.self) {
            _ = try await turns.answer("ann") { throw CancellationError() }
        }
        #expect(try await turns.answer("ann") { Response() }.status == 200)
    }
}
