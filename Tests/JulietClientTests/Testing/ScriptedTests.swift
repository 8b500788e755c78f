import JulietClient
import JulietClientTesting
import Testing

@Suite("What an app's tests use", .timeLimit(.minutes(1)))
struct ScriptedTests {
    @Test("a script answers in order, and then there is no network")
    func transport() async throws {
        let transport = ScriptedTransport([.json(text: #"["Verona"]"#), .failure(.timedOut)])
        let juliet = Juliet(JulietConfiguration(baseURL: "http://test", transport: transport))
        #expect(try await juliet.send(FetchPlaces(day: nil)) == ["Verona"])
        for code in [ClientError.Code.timedOut, .noNetwork] {
            let error = await #expect(throws: ClientError.self) { try await juliet.send(FetchPlaces(day: "1")) }
            #expect(error?.code == code)
        }
        #expect(await transport.lines == ["GET /places", "GET /places", "GET /places"])
    }

    @Test("a queue sends through a script until it is answered, and tells what it holds")
    func queue() async throws {
        let refilled = ScriptedAnswer.json(text: #"{"energy":30}"#)
        let transport = ScriptedTransport([.failure(.timedOut), .failure(.noNetwork), refilled])
        let energy = try await withScriptedQueue(transport) { queue in
            try await queue.append(TakeRefill()).value.energy
        }
        #expect(energy == 30)
        #expect(Set(await transport.sent.map(\.idempotencyKey)).count == 1)
        try await withScriptedQueue(ScriptedTransport([])) { queue in
            await queue.pause()
            let id = try await queue.append(RenamePlayer(name: "Zoë")).id
            let message = try await queue.message(of: id)
            #expect(message?.method == .patch && message?.path == "/v2/players/me")
            try await queue.cancel(id)
            await waitUntil("it has ended") { await queue.requests.isEmpty }
            #expect(try await queue.message(of: id) == nil)
        }
    }

    @Test("a status follows queue and session")
    @MainActor
    func status() async throws {
        let status = JulietStatus()
        try await withScriptedQueue(ScriptedTransport([.json(text: "{}")])) { queue in
            let following = Task { await status.follow(queue: queue) }
            await waitUntil("the queue runs") { await status.queue.isRunning }
            await queue.pause()
            await waitUntil("it is paused") { await status.queue.isPaused }
            following.cancel()
            await following.value
        }
    }
}
