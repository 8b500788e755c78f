import EventLoop
import Foundation
import JulietClient
import JulietClientTesting
import Synchronization
import TestSupport
import Testing

@Suite("Documentation", .timeLimit(.minutes(3)))
struct DocumentationTests {
    @Test(
        "the examples of both pages are the ones that are run here",
        arguments: [
            "Sources/JulietClient/JulietClient.docc/JulietClient.md",
            "Sources/JulietClient/JulietClient.docc/SigningIn.md", "docs/client.md", "docs/accounts.md",
        ])
    func examples(page: String) throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
        let source = try String(contentsOf: here.appendingPathComponent("FirstPage.swift"), encoding: .utf8)
        let examples = source.components(separatedBy: "// begin ").dropFirst().compactMap { part in
            part.components(separatedBy: "// end").first?.drop { $0 != "\n" }.trimmingCharacters(in: .newlines)
        }
        let shown = text.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
        // The queue's examples are checked by its own tests, a manifest by those of the package; and what Apple's systems
        // alone have does not compile here.
        let ours = shown.filter { example in
            !["RequestQueue", ".package(", "AuthenticationServices"].contains { example.contains($0) }
        }
        #expect(!ours.isEmpty)
        for example in ours { #expect(examples.contains(example)) }
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
                let energy = request.contains("handleEnergyPurchase") ? 35 : 25
                connection.answer(
                    request.hasPrefix("GET /places?day=1&letters%5B%5D=5&letters%5B%5D=6 ")
                        ? #"["Verona"]"#
                        : """
                        {"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,\
                        "userEnergy":\(energy),"userWins":2,"secretWord":["M","U","S","I","C"]}}
                        """)
            }
        }
        #expect(try await play(at: server.baseURL, with: nil) == "MUSIC, 25 energy left")
        let juliet = Juliet(configuration(baseURL: server.baseURL, token: { "t" }))
        #expect(try await juliet.send(FetchPlaces(day: "1")) == ["Verona"])
        #expect(try await buy(5, for: "me", from: juliet) == 35)
        let shown = await withCheckedContinuation { continuation in
            _ = winCount(of: "me", from: juliet) { continuation.resume(returning: $0) }
        }
        #expect(shown == "2 wins")
    }

    @Test("the samples of a session, of logs, of the lottery and of tests run")
    func others() async throws {
        let credentials = V2.PlayerCredentials(
            player: SessionTests.player(), token: "jt_1", recoveryCode: "A-1")
        let game = V2.Game(
            id: "g", kind: .game, state: .playing, language: "en", length: 5,
            guesses: [V2.Guess(word: "crane", marks: [.absent, .present, .absent, .correct, .absent])],
            commitment: "0a", startedAt: V2.Timestamp(microsecondsSince1970: 1_795_262_400_000_000))
        let server = try ScriptedServer { connection in
            while case let request = connection.request(), !request.isEmpty {
                let body =
                    request.hasPrefix("POST /v2/players ")
                    ? credentials.encoded()
                    : request.hasPrefix("POST /v2/games ")
                        ? V2.StartedGame(game: game, energy: 25).encoded() : game.encoded()
                connection.answer(String(decoding: body, as: UTF8.self))
            }
        }
        let store = MemorySecretStore()
        #expect(try await firstGuess(at: server.baseURL, secrets: store).count == 5)
        // A second time the player is known.
        #expect(try await firstGuess(at: server.baseURL, secrets: store)[3] == .correct)
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
