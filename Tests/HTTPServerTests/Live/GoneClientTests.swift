import EventLoop
import HTTPServerTesting
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Handlers whose answer nobody waits for", .timeLimit(.minutes(1)))
struct GoneClientTests {
    /// What the handlers of a test heard.
    private final class Heard: Sendable {
        let begun = Atomic(0)
        let cancelled = Atomic(0)

        var counts: [Int] { [begun.load(ordering: .relaxed), cancelled.load(ordering: .relaxed)] }
    }

    /// `/wait` waits until its task is cancelled, `/is` says whether its task is, anything else streams for ever.
    private static func handler(_ heard: Heard) -> Handler {
        { request in
            switch request.path {
            case "/wait":
                heard.begun.add(1, ordering: .relaxed)
                do {
                    try await Task.sleep(for: .seconds(3600))
                } catch {
                    heard.cancelled.add(1, ordering: .relaxed)
                }
                return .text("late")
            case "/is": return .text("\(Task.isCancelled)")
            default:
                return Response(
                    body: .stream { writer in
                        heard.begun.add(1, ordering: .relaxed)
                        try await writer.write("first")
                        try? await Task.sleep(for: .seconds(3600))
                        heard.cancelled.add(1, ordering: .relaxed)
                    })
            }
        }
    }

    @Test(
        "hear it by the cancellation of their task, and the next request of another client hears nothing of it",
        arguments: PollingMechanism.allCases, ["/wait", "/stream"])
    func reset(mechanism: PollingMechanism, path: String) async throws {
        let heard = Heard()
        try await Fixture.run(mechanism: mechanism, handler: Self.handler(heard)) { fixture in
            for round in 1...3 {
                let client = try await fixture.client()
                await client.send(Raw.get(path))
                #expect(await eventually { heard.counts == [round, round - 1] })
                await client.close(abort: true)
                #expect(await eventually { heard.counts == [round, round] })
                let next = try await fixture.client()
                await next.send(Raw.get("/is"))
                #expect(try await next.response().text == "false")
            }
        }
    }

    @Test("are not cancelled when a client only ends its sending: it may still read", arguments: Road.allCases)
    func halfClosed(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            await client.send(Raw.get("/slow"))
            await client.endOutput()
            #expect(try await client.response().text == "slow")
        }
    }

    @Test("have a deadline: then 503 with what was asked for, and the end", arguments: Road.allCases, ["GET", "HEAD"])
    func deadline(_ road: Road, method: String) async throws {
        let heard = Heard()
        let handler = Self.handler(heard)
        try await Fixture.run(road, { $0.handlerDeadline = .milliseconds(100) }, handler: handler) { fixture in
            let client = try await fixture.client(handler: handler)
            await client.send(Raw.get("/is"))
            #expect(try await client.response().text == "false")
            await client.send("\(method) /wait HTTP/1.1\r\nHost: a\r\n\r\n" + Raw.get("/is"))
            let response = try await client.response(to: method == "HEAD" ? .head : .get)
            #expect(response.status == 503 && response.headers["Connection"] == "close")
            #expect(response.headers["Retry-After"] == "1")
            if method == "GET" { #expect(response.text == "http.unanswered GET /wait - =") }
            #expect(await client.rest() == [])
            #expect(await eventually { heard.counts == [1, 1] })
        }
    }

    @Test("have no deadline when they stream")
    func streamsHaveNone() async throws {
        try await Fixture.run(.socket, { $0.handlerDeadline = .milliseconds(20) }) { fixture in
            let client = try await fixture.client()
            await client.send(Raw.get("/stream"))
            #expect(try await client.response().text == "onetwothree")
        }
    }
}
