import Foundation
import JulietClient
import JulietClientTesting
import Testing

@Suite("Queue documentation")
struct QueueDocumentationTests {
    @Test("the queue's samples run: what was appended is sent in order, and handlers hear of it")
    func run() async throws {
        let folder = try TemporaryFolder()
        let player = SessionTests.player()
        let guessed = V2.Game(
            id: "g", kind: .game, state: .playing, language: "en", length: 5,
            guesses: [V2.Guess(word: "crane", marks: [.absent, .absent, .absent, .absent, .absent])], commitment: "0a",
            startedAt: V2.Timestamp(microsecondsSince1970: 1_795_262_400_000_000))
        var game = guessed
        game.guesses = []
        let transport = ScriptedTransport([
            try .json(V2.PlayerCredentials(player: player, token: "jt_1", recoveryCode: "A-1"), status: 201),
            .json(text: #"{"energy":30}"#), try .json(guessed),
            try .problem(V2.Problem(.transactionRefused, reason: "used")), try .json(player),
        ])
        let session = try await Session.open(
            JulietConfiguration(baseURL: "http://test", transport: transport), store: MemorySecretStore())
        try await session.createPlayer()
        let queue = try await openQueue(for: player, of: session, in: URL(filePath: folder.path))
        let shown = AsyncStream.makeStream(of: String.self)
        let working = Task { try await JulietClientTests.run(queue) { shown.continuation.yield($0) } }
        #expect(try await guess("crane", in: game, with: queue) == guessed)
        try await queue.append(PresentPurchase(signedTransaction: "a.b.c"))
        #expect(await shown.stream.first { _ in true } == "Not credited: used")
        try await rename(to: "Ada", in: queue)
        await queue.pause()
        try await playOffline(queue)
        #expect(await queue.requests.map(\.path).first == "/v2/games")
        await queue.close()
        try await working.value
        #expect(
            await transport.lines == [
                "POST /v2/players", "POST /v2/players/me/refill", "POST /v2/games/g/guesses", "POST /v2/purchases",
                "PATCH /v2/players/me",
            ])
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/Juliet/\(player.id).journal"))
    }
}
