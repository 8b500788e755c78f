import EventLoop
import Foundation
import JulietClient
import Testing

@Suite("Documentation", .timeLimit(.minutes(1)))
struct DocumentationTests {
    @Test(
        "the examples of both pages are the ones that are run here",
        arguments: ["Sources/JulietClient/JulietClient.docc/JulietClient.md", "docs/client.md"])
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
        // The queue's examples are checked by its own tests, a manifest by those of the package.
        let ours = shown.filter { !$0.contains("RequestQueue") && !$0.contains(".package(") }
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
}
