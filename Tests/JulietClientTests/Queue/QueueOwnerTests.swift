import JulietClientTesting
import Testing

@testable import JulietClient

@Suite("Whose journal it is", .timeLimit(.minutes(1)))
struct QueueOwnerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var plain: Juliet { Juliet(JulietConfiguration(baseURL: "http://test", transport: AnsweringTransport())) }

    /// A service that creates the players `a`, `b` and so on, with tokens of their names, and answers what they ask.
    private actor Service: Transport {
        private(set) var sent: [String] = []
        private var players: [String] = []
        private var deleted: Set<String> = []

        nonisolated func send(
            _ message: RequestMessage, to baseURL: String, timeout: Duration
        ) async throws -> HTTPResponse {
            guard case .response(let response) = try await answer(message) else { throw ClientError(.noNetwork) }
            return response
        }

        private func answer(_ message: RequestMessage) throws -> ScriptedAnswer {
            let player = message.headers.first { $0.name == "Authorization" }?.value ?? "nobody"
            sent.append("\(message.method.rawValue) \(message.path) \(player)")
            switch (message.method, message.path) {
            case (.post, "/v2/players"):
                let name = ["a", "b", "c"][players.count]
                players.append(name)
                return try .json(SessionTests.credentials(name, "CODE", id: name), status: 201)
            case (.post, "/v2/sessions"): return try .json(SessionTests.credentials("a", "CODE", id: "a"), status: 201)
            case _ where deleted.contains(player) || player == "nobody": return try .problem(SessionTests.unauthorized)
            case (.delete, _):
                deleted.insert(player)
                return .noContent
            default: return .json(text: #"{"energy":30}"#)
            }
        }

        /// What was sent with a token, but for players.
        var taps: [String] { sent.filter { !$0.hasSuffix("nobody") } }
    }

    private func running(
        _ queue: RequestQueue, _ body: @Sendable (RequestQueue) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await queue.run() }
            try await body(queue)
            await queue.close()
            try await group.waitForAll()
        }
    }

    @Test("what a player did is not sent as the next one, in this launch or a later one, and the queue says so")
    func nextPlayer() async throws {
        let service = Service()
        let session = try await SessionTests.open(service)
        try await session.createPlayer()
        let queue = try await RequestQueue.open(folder.journal, client: session.juliet)
        #expect(await queue.owner == "a")
        try await queue.append(TakeRefill())
        try await session.forget()
        try await session.createPlayer()
        try await running(queue) { queue in
            await waitUntil("it wants its player") { await queue.status.needsToken }
            #expect(await queue.status.lastFailure == .otherOwner)
            await #expect(throws: QueueError(.otherOwner)) { try await queue.append(TakeRefill()) }
            #expect(await queue.requests.map(\.path) == ["/v2/players/me/refill"])
        }
        let bytes = try folder.bytes(of: folder.journal)
        await #expect(throws: QueueError(.otherOwner)) {
            try await RequestQueue.open(folder.journal, client: session.juliet)
        }
        #expect(try folder.bytes(of: folder.journal) == bytes)
        // A journal of their own is open to everybody, and the first player's goes on when they are back.
        let own = try await RequestQueue.open(folder.path + "/b.journal", client: session.juliet)
        try await running(own) { _ = try await $0.append(TakeRefill()).value }
        try await session.forget()
        let back = try await RequestQueue.open(folder.journal, client: session.juliet)
        try await session.signIn(recoveryCode: "CODE")
        try await running(back) { queue in
            await waitUntil("it is sent") { await queue.status.waiting == 0 }
        }
        #expect(await service.taps == ["POST /v2/players/me/refill Bearer b", "POST /v2/players/me/refill Bearer a"])
    }

    @Test("while nobody is signed in the queue waits, and resume sends when its player is back")
    func nobody() async throws {
        let service = Service()
        let session = try await SessionTests.open(service)
        let queue = try await RequestQueue.open(folder.journal, client: session.juliet)
        #expect(await queue.owner == nil)
        try await session.createPlayer()
        try await running(queue) { queue in
            _ = try await queue.append(TakeRefill()).value
            #expect(await queue.owner == "a")
            try await session.forget()
            let pending = try await queue.append(TakeRefill())
            await waitUntil("it wants its player") { await queue.status.needsToken }
            try await session.signIn(recoveryCode: "CODE")
            await queue.resume()
            _ = try await pending.value
        }
        #expect(await service.taps == [String](repeating: "POST /v2/players/me/refill Bearer a", count: 2))
    }

    @Test("what was appended before anybody was signed in is the first player's who sends it")
    func beforeAnybody() async throws {
        let service = Service()
        let session = try await SessionTests.open(service)
        let queue = try await RequestQueue.open(folder.journal, client: session.juliet)
        try await queue.append(TakeRefill())
        try await session.createPlayer()
        try await running(queue) { queue in
            await waitUntil("it is sent") { await queue.status.waiting == 0 }
            #expect(await queue.owner == "a")
        }
        #expect(await service.taps == ["POST /v2/players/me/refill Bearer a"])
    }

    @Test("a journal that holds nothing any more is the next player's")
    func handedOver() async throws {
        let service = Service()
        let session = try await SessionTests.open(service)
        try await session.createPlayer()
        let queue = try await RequestQueue.open(folder.journal, client: session.juliet)
        try await queue.append(TakeRefill())
        try await queue.cancelAll()
        try await session.forget()
        try await session.createPlayer()
        try await running(queue) { queue in
            _ = try await queue.append(TakeRefill()).value
            #expect(await queue.owner == "b")
        }
        #expect(await service.taps == ["POST /v2/players/me/refill Bearer b"])
        #expect(try await folder.contents().owner == "b")
    }

    @Test("when the player is deleted the queue waits, nothing is sent any more, and cancelAll makes room for the next")
    func deletedPlayer() async throws {
        let service = Service()
        let session = try await SessionTests.open(service)
        try await session.createPlayer()
        let queue = try await RequestQueue.open(folder.journal, client: session.juliet)
        try await running(queue) { queue in
            try await queue.append([DeletePlayer(), TakeRefill(), TakeRefill()] as [any Request])
            await waitUntil("the token is refused") { await queue.status.needsToken }
            #expect(await queue.status.waiting == 2)
            #expect(await queue.deadLetters.isEmpty)
            #expect(await session.state == .refused(SessionTests.player("a")))
            await #expect(throws: QueueError(.otherOwner)) {
                try await session.forget()
                try await session.createPlayer()
                try await queue.append(TakeRefill())
            }
            try await queue.cancelAll()
            let next = try await queue.append(TakeRefill())
            await queue.resume()
            _ = try await next.value
        }
        #expect(
            await service.taps == [
                "DELETE /v2/players/me Bearer a", "POST /v2/players/me/refill Bearer a",
                "POST /v2/players/me/refill Bearer b",
            ])
    }

    @Test("the app can name the player; a journal with an owner is not opened without")
    func named() async throws {
        let queue = try await RequestQueue.open(folder.journal, client: plain, owner: "a")
        try await queue.append(Change(path: "/1"))
        await queue.close()
        for owner in ["b", nil] {
            await #expect(throws: QueueError(.otherOwner)) {
                try await RequestQueue.open(folder.journal, client: plain, owner: owner)
            }
        }
        let again = try await RequestQueue.open(folder.journal, client: plain, owner: "a")
        #expect(await again.status.waiting == 1)
        await again.close()
        // One that was made without an owner becomes the first one's.
        try await makeJournal(folder.path + "/old.journal", 1...2)
        let old = try await RequestQueue.open(folder.path + "/old.journal", client: plain, owner: "a")
        #expect(await old.status.waiting == 2)
        await old.close()
        await #expect(throws: QueueError(.otherOwner)) {
            try await RequestQueue.open(folder.path + "/old.journal", client: plain, owner: "b")
        }
    }

    @Test("the owner outlives a compaction")
    func compaction() async throws {
        var configuration = QueueConfiguration.quick
        configuration.compactionThreshold = 1000
        let queue = try await RequestQueue.open(folder.journal, client: plain, owner: "a", configuration: configuration)
        for _ in 0..<50 { try await queue.append(Change(path: "/1"), options: QueueOptions(uniquingKey: "k")) }
        await queue.close()
        #expect(try folder.bytes(of: folder.journal).count < 5000)
        #expect(try await folder.contents().owner == "a")
    }
}
