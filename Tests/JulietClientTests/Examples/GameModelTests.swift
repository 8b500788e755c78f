import GameModel
import JulietClient
import JulietClientTesting
import Testing

@Suite("The model of the examples", .timeLimit(.minutes(1)))
@MainActor
struct GameModelTests {
    private static let game = V2.Game(
        id: "g", kind: .daily, state: .playing, language: "en", length: 5, guesses: [], commitment: "0a",
        startedAt: V2.Timestamp(microsecondsSince1970: 1_795_262_400_000_000))

    private static func guessed(_ state: V2.Game.State) -> V2.Game {
        var game = game
        game.state = state
        game.guesses = [V2.Guess(word: "crane", marks: [.correct, .correct, .correct, .correct, .correct])]
        return game
    }

    private static func model(_ answers: [ScriptedAnswer]) async throws -> (GameModel, ScriptedTransport) {
        let transport = ScriptedTransport(answers)
        let session = try await Session.open(
            // Longer than a busy machine may leave the main actor waiting.
            JulietConfiguration(baseURL: "http://test", timeout: .seconds(600), transport: transport),
            store: MemorySecretStore())
        return (GameModel(session: session), transport)
    }

    private static var credentials: ScriptedAnswer {
        get throws {
            try .json(
                V2.PlayerCredentials(player: SessionTests.player(), token: "jt_1", recoveryCode: "A-1"), status: 201)
        }
    }

    @Test("the first start signs up and gets today's game; letters become a guess, which counts once")
    func play() async throws {
        let started = #"{"game":\#(String(decoding: Self.game.encoded(), as: UTF8.self))}"#
        let (model, transport) = try await Self.model([
            try Self.credentials, .json(text: started, status: 201),
            try .problem(V2.Problem(code: "word-unknown", status: 422, title: "x")), .failure(.connectionLost),
            try .json(Self.guessed(.won)),
        ])
        await model.begin()
        #expect(model.game == Self.game && model.recoveryCode == "A-1" && model.message == nil)
        for letter in "cra1nes" { model.type(letter) }
        #expect(model.entry == "CRANE" && model.canSubmit)
        model.erase()
        #expect(!model.canSubmit)
        model.type("e")
        await model.submit()
        #expect(model.message == "That is no word I know." && model.entry == "CRANE")
        await model.submit()
        #expect(model.message == "There is no answer. Try again.")
        await model.submit()
        #expect(model.game?.state == .won && model.entry.isEmpty && !model.canSubmit)
        let guesses = await transport.sent.suffix(2).map { String(decoding: $0.body ?? [], as: UTF8.self) }
        #expect(guesses == Array(repeating: #"{"word":"crane","number":1}"#, count: 2))
    }

    @Test("a refused token is offered to be renewed, and is when the player says so")
    func renewal() async throws {
        let started = #"{"game":\#(String(decoding: Self.game.encoded(), as: UTF8.self))}"#
        let (model, transport) = try await Self.model([
            try Self.credentials, try .problem(V2.Problem(code: "unauthorized", status: 401, title: "x")),
            try Self.credentials, .json(text: started, status: 201),
        ])
        await model.begin()
        #expect(model.needsSignIn && model.game == nil)
        #expect(model.message == "This device is signed in no more.")
        await model.signInAgain()
        #expect(!model.needsSignIn && model.game == Self.game)
        #expect(await transport.lines.count == 4)
    }
}
