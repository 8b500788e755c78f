import EventLoop
import Foundation
import JulietClient
import JulietClientTesting
import Synchronization
import TestSupport
import Testing

@Suite("Documentation", .timeLimit(.minutes(3)))
struct DocumentationTests {
    /// The code of an app on Apple's systems is not run, only compiled: see `SnippetTests`.
    @Test("what the pages show is what is run here", arguments: Snippets.pages)
    func examples(page: String) throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let source = try String(contentsOf: here.appendingPathComponent("Examples.swift"), encoding: .utf8)
        let examples = source.components(separatedBy: "// begin ").dropFirst().compactMap { part in
            part.components(separatedBy: "// end").first?.drop { $0 != "\n" }.trimmingCharacters(in: .newlines)
        }
        for shown in try Snippets.shown(by: page)
        where !shown.contains("import AuthenticationServices\n") && !shown.contains("import StoreKit\n") {
            #expect(examples.contains(Snippets.withoutImports(shown)), "\(page)")
        }
    }

    @Test("the page of the client is short")
    func length() throws {
        let page = try String(contentsOf: DocC.root.appending(path: "docs/client.md"), encoding: .utf8)
        #expect(page.split(separator: "\n", omittingEmptySubsequences: false).count <= 251)
    }

    @Test("a judged game runs")
    func judged() async throws {
        let statistics = V2.Statistics(
            played: 0, won: 0, currentStreak: 0, longestStreak: 0, distribution: [0, 0, 0, 0, 0, 0])
        let noon = V2.Timestamp(microsecondsSince1970: 1_795_262_400_000_000)
        let me = V2.PlayerCredentials(
            player: V2.Player(id: "p", name: "Zoë", energy: 30, createdAt: noon, statistics: statistics),
            token: "jt_x", recoveryCode: "A-B")
        let game = V2.Game(
            id: "g", kind: .game, state: .playing, language: "en", length: 5, guesses: [], commitment: "0a",
            startedAt: noon)
        var guessed = game
        guessed.guesses = [V2.Guess(word: "crane", marks: [.absent, .absent, .absent, .absent, .absent])]
        var won = guessed
        won.state = .won
        won.secret = "music"
        let answers: [(request: String, answer: [UInt8])] = [
            (#"POST /v2/players {"name":"Zoë"}"#, me.encoded()),
            ("POST /v2/games {} jt_x", V2.StartedGame(game: game, energy: 25).encoded()),
            (#"POST /v2/games/g/guesses {"word":"crane","number":1} jt_x"#, guessed.encoded()),
            (#"POST /v2/games/g/guesses {"word":"music","number":2} jt_x"#, won.encoded()),
        ]
        let energy = V2.Problem(.energyInsufficient, energy: 3).encoded()
        for hasEnergy in [true, false] {
            let server = try ScriptedServer { connection in
                while case let request = connection.request(), !request.isEmpty {
                    let line = request.prefix { $0 != "\r\n" }.split(separator: " ").prefix(2).joined(separator: " ")
                    let body = request.components(separatedBy: "\r\n\r\n").last ?? ""
                    let token = request.contains("Bearer jt_x") ? " jt_x" : ""
                    let isGame = line == "POST /v2/games"
                    let answer = answers.first { $0.request == "\(line) \(body)\(token)" }?.answer ?? []
                    connection.answer(
                        String(decoding: isGame && !hasEnergy ? energy : answer, as: UTF8.self),
                        status: isGame && !hasEnergy ? "409 Conflict" : "200 OK")
                }
            }
            let result = try await playJudged(at: server.baseURL)
            #expect(result == (hasEnergy ? "won: music" : "3 energy is not enough."))
        }
    }

    @Test("they run")
    func run() async throws {
        let server = try ScriptedServer { connection in
            while case let request = connection.request(), !request.isEmpty {
                let path = request.split(separator: " ").dropFirst().first
                switch path {
                case "/places?day=1&letters%5B%5D=5&letters%5B%5D=6": connection.answer(#"["Verona"]"#)
                case "/v2/players/me":
                    connection.answer(String(decoding: SessionTests.player().encoded(), as: UTF8.self))
                case "/v2/players/me/refill": connection.answer(#"{"energy":35}"#)
                default:
                    connection.answer(
                        """
                        {"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,\
                        "userEnergy":25,"userWins":2,"secretWord":["M","U","S","I","C"]}}
                        """)
                }
            }
        }
        #expect(try await play(at: server.baseURL, with: nil) == "MUSIC, 25 energy left")
        let juliet = Juliet(configuration(baseURL: server.baseURL, token: { "t" }))
        #expect(try await juliet.send(FetchPlaces(day: "1")) == ["Verona"])
        #expect(try await refill(with: juliet) == 35)
        let shown = await withCheckedContinuation { continuation in
            _ = balance(from: juliet) { continuation.resume(returning: $0) }
        }
        #expect(shown == "\(SessionTests.player().energy) energy")
    }

    /// A game as the service would answer it.
    private static func game(
        _ kind: V2.Game.Kind = .game, _ state: V2.Game.State = .playing, guesses: [String] = []
    ) -> V2.Game {
        var game = V2.Game(
            id: "g", kind: kind, state: state, language: "en", length: 5,
            guesses: guesses.map { V2.Guess(word: $0, marks: [.absent, .present, .absent, .correct, .absent]) },
            commitment: "0a", startedAt: V2.Timestamp(microsecondsSince1970: 1_795_262_400_000_000))
        if state != .playing { game.secret = "music" }
        return game
    }

    @Test("the first game works at the first launch, and at a second one before it is over")
    func firstGame() async throws {
        let credentials = V2.PlayerCredentials(player: SessionTests.player(), token: "jt_1", recoveryCode: "A-1")
        let store = MemorySecretStore()
        let first = ScriptedTransport([
            try .json(credentials, status: 201), try .json(V2.StartedGame(game: Self.game(), energy: 25), status: 201),
            try .problem(V2.Problem(.wordUnknown)), try .json(Self.game(guesses: ["crane"])), .failure(.noNetwork),
        ])
        let words = Mutex(["later", "crane", "qwert"])
        let next: @Sendable (V2.Game) -> String = { _ in words.withLock { $0.popLast() ?? "music" } }
        let session = try await Self.session(first, store)
        await #expect(throws: ClientError.self) { try await playGame(with: session.juliet, nextGuess: next) }
        #expect(await first.lines.count == 5)

        let second = ScriptedTransport([
            try .problem(V2.Problem(.gameUnfinished, game: Self.game(guesses: ["crane"]))),
            try .json(Self.game(.game, .won, guesses: ["crane", "music"])),
        ])
        let game = try await playGame(with: try await Self.session(second, store).juliet, nextGuess: next)
        #expect(game.state == .won && game.secret == "music")
        #expect(await second.lines == ["POST /v2/games", "POST /v2/games/g/guesses"])
        #expect(
            await second.sent.last?.body.map { String(decoding: $0, as: UTF8.self) } == #"{"word":"music","number":2}"#)
    }

    /// The documentation's session, with a transport that answers a script.
    private static func session(_ transport: ScriptedTransport, _ store: MemorySecretStore) async throws -> Session {
        let session = try await Session.open(
            JulietConfiguration(baseURL: "http://test", transport: transport), store: store)
        if await session.state == .signedOut { try await session.createPlayer() }
        return session
    }

    @Test("the day's game is guessed in while it is running")
    func daily() async throws {
        let transport = ScriptedTransport([
            try .json(V2.DailyGame(game: Self.game(.daily, guesses: ["crane"]))),
            try .json(Self.game(.daily, .won, guesses: ["crane", "music"])),
            try .json(V2.DailyGame(game: Self.game(.daily, .won, guesses: ["crane", "music"]))),
        ])
        let juliet = Juliet(JulietConfiguration(baseURL: "http://test", transport: transport))
        #expect(try await guessToday("music", with: juliet).state == .won)
        #expect(try await guessToday("music", with: juliet).state == .won)
        #expect(
            await transport.lines == ["POST /v2/daily/game", "POST /v2/games/g/guesses", "POST /v2/daily/game"])
    }

    @Test("the samples of a session, of logs, of the lottery and of tests run")
    func others() async throws {
        let credentials = V2.PlayerCredentials(
            player: SessionTests.player(), token: "jt_1", recoveryCode: "A-1")
        let server = try ScriptedServer { connection in
            while case let request = connection.request(), !request.isEmpty {
                connection.answer(String(decoding: credentials.encoded(), as: UTF8.self))
            }
        }
        let store = MemorySecretStore()
        #expect(try await openSession(at: server.baseURL, secrets: store).state == .signedIn(SessionTests.player()))
        // A second time the player is known.
        #expect(
            try await openSession(at: "http://127.0.0.1:1", secrets: store).state == .signedIn(SessionTests.player()))
        let lines = Mutex<[String]>([])
        _ = try? await Juliet(logged("http://127.0.0.1:1", log: { line in lines.withLock { $0.append(line) } }))
            .send(FetchService())
        #expect(lines.withLock(\.self).first == "GET /v2/service")
        #expect(lines.withLock(\.self).last?.hasPrefix("/v2/service: no answer, ") == true)
        #expect(try await energyAfterLostAnswer() == 30)

        let landing = #"{"state":"landing","draw":7,"commitment":"c","prize":0,"entries":2,"canStart":true,"wait":0}"#
        let won =
            #"{"state":"winner","draw":7,"commitment":"c","listDigest":"d","entries":2,"prize":0,"name":"Jack","userId":10,"seed":"s","verified":true}"#
        let hasStarted = Gate()
        let lottery = try ScriptedServer { connection in
            let request = connection.request()
            if request.hasPrefix("POST /lottery/draws/7 ") {
                connection.answer("", status: "202 Accepted")
                hasStarted.open()
            } else {
                connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: \(landing)\n\n")
                hasStarted.pass()
                connection.send("data: \(won)\n\n")
                connection.waitForEnd()
            }
        }
        #expect(try await winner(of: Juliet(baseURL: lottery.baseURL)) == "Jack")
    }

    @Test(
        "a session that is refused is renewed when the player says so, and the queue goes on; else nothing of theirs is left"
    )
    func refused() async throws {
        let folder = try TemporaryFolder()
        let credentials = V2.PlayerCredentials(player: SessionTests.player(), token: "jt_1", recoveryCode: "A-1")
        let transport = ScriptedTransport([
            try .json(credentials, status: 201),
            try .problem(V2.Problem(code: "unauthorized", status: 401, title: "x")),
            try .json(credentials, status: 201), try .json(SessionTests.player()),
            try .problem(V2.Problem(code: "unauthorized", status: 401, title: "x")),
        ])
        let session = try await Session.open(
            JulietConfiguration(baseURL: "http://test", transport: transport), store: MemorySecretStore())
        try await session.createPlayer()
        let queue = try await RequestQueue.open(folder.journal, client: session.juliet)
        let working = Task { try await queue.run() }
        let answers = Mutex([false, true])
        let following = Task {
            try await follow(session, queue: queue, askPlayer: { answers.withLock { $0.popLast() } ?? false })
        }
        let renamed = try await queue.append(RenamePlayer(name: "Ada"))
        #expect(try await renamed.value == SessionTests.player())
        #expect(
            await transport.lines.suffix(3) == ["PATCH /v2/players/me", "POST /v2/sessions", "PATCH /v2/players/me"])
        let late = try await queue.append(RenamePlayer(name: "Bob"))
        let error = await #expect(throws: ClientError.self) { try await late.value }
        #expect(error?.code == .aborted)
        await waitUntil("they are forgotten") { await session.state == .signedOut }
        following.cancel()
        try await following.value
        await queue.close()
        try await working.value
    }

    @Test("the pages are made without a warning")
    func pages() async throws {
        #expect(try await DocC.pages(of: "JulietClient").contains("julietclient/session"))
    }
}
