import Foundation
import JulietAPI
import Testing

@testable import JulietClient

/// Answers that are not the service's: of proxies, log-in pages, other services, gateways that lost the content.
private struct Forger: Sendable {
    private let statuses = [
        200, 201, 202, 204, 206, 301, 302, 304, 400, 401, 403, 404, 405, 407, 409, 410, 418, 422, 451, 500, 502, 503,
        599,
    ]
    private let types: [String?] = [
        nil, "text/html", "text/plain", "application/json", "application/problem+json", "application/octet-stream",
    ]
    private let bodies = [
        "", "{}", "[]", "null", "OK", "0", "<!DOCTYPE html><html><body>Please log in</body></html>",
        #"{"message":"Forbidden"}"#, #"{"error":{"code":"AccessDenied","message":"No."}}"#, #"{"error":"denied"}"#,
        #"{"code":"game-over"}"#, #"{"type":"about:blank","title":"Not Found","status":404,"code":"not-found"}"#,
        #"{"type":"/problems/not-found","title":"Not found","code":"not-found"}"#,
        #"{"lambdaInvocationHttpsStatusCode":200}"#, #"{"lambdaInvocationHttpsStatusCode":200,"body":{}}"#,
        #"{"lambdaInvocationHttpsStatusCode":"200","body":{"dynamoDBInvocationHttpsStatusCode":200}}"#,
        #"{"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":1,"userWins":1,"secretWord":["A"]}}"#,
    ]

    /// - Parameter genuine: What the service would say: half of it is none.
    func answer(instead genuine: HTTPResponse, _ random: inout SplitMix) -> HTTPResponse {
        var answer = HTTPResponse(status: statuses.randomElement(using: &random) ?? 200)
        if let type = types.randomElement(using: &random) ?? nil {
            answer.headers = [HeaderField("Content-Type", type)]
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: answer.body = genuine.body.dropLast(Int.random(in: 1...max(1, genuine.body.count), using: &random))
        case 1:
            answer.body = (0..<Int.random(in: 1...40, using: &random)).map { _ in .random(in: 0...255, using: &random) }
        default: answer.body = Array((bodies.randomElement(using: &random) ?? "").utf8)
        }
        return answer
    }
}

@Suite("Answers that are not the service's", .timeLimit(.minutes(2)))
struct ForgedAnswerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Case: Sendable {
        let request: any Request
        let genuine: HTTPResponse

        init(_ request: any Request, _ answer: Answer) {
            self.request = request
            genuine = HTTPResponse(
                status: answer.httpStatus, headers: [HeaderField("Content-Type", "application/json")],
                body: answer.encoded())
        }

        init(_ request: any Request, status: Int, _ body: [UInt8] = []) {
            self.request = request
            genuine = HTTPResponse(
                status: status,
                headers: [
                    HeaderField("Content-Type", status < 400 ? "application/json" : "application/problem+json"),
                    HeaderField("X-Request-Id", "r"),
                ], body: body)
        }
    }

    private static let game = V2.Game(
        id: "g1", kind: .game, state: .playing, language: "en", length: 5, guesses: [], commitment: "0a",
        startedAt: V2.Timestamp(microsecondsSince1970: 1_795_262_400_123_456))

    private static let cases = [
        Case(RegisterPlayer(player: "p"), .done(.initialRegistration)),
        Case(RecordPlayedWord(player: "p", word: "MUSIC"), .done(.updateUserPlayedWordsList)),
        Case(RecordPlayedWord(player: "p", word: "XXXXX"), .refused(.updateUserPlayedWordsList, .wordUnknown)),
        Case(BuyEnergy(player: "p", amount: 30), .energy(.handleEnergyPurchase, balance: 40)),
        Case(PayForGame(player: "p"), .refused(.singleGameEnergyUpdate, .energyInsufficient, energy: 3)),
        Case(AddWin(player: "p"), .wins(.updateUserWins, count: 3)),
        Case(StartGame(player: "p"), .game(balance: 25, word: "music")),
        Case(StartJudgedGame(), status: 201, V2.StartedGame(game: game, energy: 25).encoded()),
        Case(StartJudgedGame(), status: 409, V2.Problem(.energyInsufficient, energy: 3).encoded()),
        Case(SubmitGuess(game: "g1", word: "crane", number: 1), status: 200, game.encoded()),
        Case(RevokeSession(), status: 204),
        Case(ExportPlayer(), status: 200, Array(#"{"id":"p","energy":25}"#.utf8)),
    ]

    @Test("whatever another server answers, a request and its group go on until the service has answered")
    func onlyTheServiceEnds() async throws {
        let first = UInt64.random(in: 0...1_000_000_000)
        for seed in first..<first + 60 {
            let folder = try TemporaryFolder()
            var random = SplitMix(seed: seed)
            // Each once: identical questions would share an answer.
            let cases = Self.cases.shuffled(using: &random).prefix(4)
            // By idempotency key: what is said instead, and at last the truth.
            var scripts: [String: [HTTPResponse]] = [:]
            for (index, expected) in cases.enumerated() {
                let count = Int.random(in: 0...5, using: &random)
                scripts["k\(index)"] =
                    (0..<count).map { _ in Forger().answer(instead: expected.genuine, &random) } + [expected.genuine]
            }
            let attempts = Counter()
            let server = AnsweringTransport { [scripts] message, _ in
                let key = message.idempotencyKey ?? ""
                let script = scripts[key] ?? []
                return script[min(await attempts.next(key), script.count - 1)]
            }
            let configuration = QueueConfiguration(
                retry: RetryPolicy(firstDelay: .zero, maximumDelay: .zero, maximumAttempts: nil), refreshToken: {})
            let ends = Notes()
            try await withQueue(server, folder: folder, configuration: configuration) { queue in
                await queue.handleAll { answer in
                    switch answer.outcome {
                    case .success(let response): await ends.add("\(answer.request.idempotencyKey) \(response.status)")
                    case .failure(let error):
                        await ends.add("\(answer.request.idempotencyKey) \(error.refusal?.status ?? 0)")
                    case .aborted: await ends.add("aborted")
                    }
                }
            } _: { queue in
                try await queue.append(
                    cases.enumerated().map { QueueItem($1.request, options: QueueOptions(idempotencyKey: "k\($0)")) })
                for await status in await queue.statuses() where status.waiting == 0 && status.untold == 0 { break }
                #expect(await queue.deadLetters.isEmpty, "seed \(seed)")
            }
            let expected = cases.enumerated().map { "k\($0) \($1.genuine.status)" }
            #expect(await ends.lines.sorted() == expected, "seed \(seed)")
            for (key, script) in scripts {
                #expect(await attempts.count(key) == script.count, "seed \(seed): \(key)")
            }
        }
    }

    @Test(
        "in the end a clear refusal, or JSON that is something else, makes a dead letter that says what came instead",
        arguments: [
            (200, "{}", "decoding at body"), (403, "", "refused 403"), (404, "", "refused 404"),
            (404, #"{"message":"Not Found"}"#, "refused 404"),
        ])
    func deadLetter(status: Int, body: String, reason: String) async throws {
        let server = AnsweringTransport { _, _ in HTTPResponse(status: status, body: Array(body.utf8)) }
        try await withQueue(server, folder: folder) { queue in
            let pending = try await queue.append(BuyEnergy(player: "p", amount: 30))
            let error = await #expect(throws: ClientError.self) { try await pending.value }
            #expect(error.map { "\($0)".hasPrefix(reason.prefix(8)) } == true)
            let letters = await queue.deadLetters
            #expect(letters.map(\.request.id) == [pending.id] && letters[0].request.attempts == 4)
            #expect(letters.map { "\($0.error)" }.first?.hasPrefix(reason.split(separator: " at ")[0]) == true)
        }
    }

    @Test("a web page ends no request, not even one whose type nobody knows any more")
    func page() {
        let entry = QueueEntry(id: RequestID(number: 1), appendedAt: 0, name: "App.Gone", idempotencyKey: "k")
        let page = HTTPResponse(status: 200, body: Array("<html>".utf8))
        let error = #expect(throws: ClientError.self) { try RequestTypes().check(page, to: entry) }
        #expect(error?.code == .unexpectedContent)
        #expect(throws: Never.self) { try RequestTypes().check(HTTPResponse(status: 204), to: entry) }
    }

    @Test(
        "pages, empty answers and outages end nothing, however many there are",
        arguments: [
            (200, ""), (204, ""), (304, ""), (200, "<html>"), (200, "OK"), (302, ""), (403, "<html>"),
            (404, "\n<!DOCTYPE html>"),
            (429, ""), (500, ""), (502, "<html>"), (503, ""), (511, "<html>"),
        ])
    func outages(status: Int, body: String) async throws {
        let server = AnsweringTransport { _, attempt in
            attempt <= 50
                ? HTTPResponse(status: status, body: Array(body.utf8))
                : HTTPResponse(status: 200, body: Answer.energy(.handleEnergyPurchase, balance: 40).encoded())
        }
        try await withQueue(server, folder: folder) { queue in
            let balance = try await queue.append(BuyEnergy(player: "p", amount: 30)).value
            #expect(balance.energy == 40)
        }
        #expect(await server.sent.count == 51)
    }

    @Test("answers to requests of an earlier launch are read too, also where nobody handles them")
    func earlierLaunch() async throws {
        let client = Juliet(JulietConfiguration(baseURL: "http://h", transport: AnsweringTransport()))
        let before = try await RequestQueue.open(folder.journal, client: client)
        try await before.append(AddWin(player: "p"))
        try await before.append(Look(path: "/own"))
        await before.close()
        let server = AnsweringTransport { message, attempt in
            guard attempt > 2 else { return HTTPResponse(status: 200, body: Array("{}".utf8)) }
            return message.path == "/own"
                ? HTTPResponse(status: 200, body: [UInt8(ascii: "1")])
                : HTTPResponse(status: 200, body: Answer.wins(.updateUserWins, count: 3).encoded())
        }
        try await withQueue(server, folder: folder) { queue in
            await queue.handle(Look.self) { _ in }
        } _: { queue in
            await waitUntil("both end") { await queue.status.waiting == 0 }
            #expect(await queue.deadLetters.isEmpty)
        }
        #expect(await server.sent.count == 6)
    }

    @Test("a name of the app's that is a short name of the library's is the app's")
    func namesOfTheApp() async throws {
        let client = Juliet(JulietConfiguration(baseURL: "http://h", transport: AnsweringTransport()))
        let before = try await RequestQueue.open(folder.journal, client: client)
        try await before.append(Change(path: "/own"), options: QueueOptions(name: "FetchWins"))
        await before.close()
        let server = AnsweringTransport()
        try await withQueue(server, folder: folder) { queue in
            await waitUntil("it ends") { await queue.status.waiting == 0 }
            #expect(await queue.deadLetters.isEmpty)
        }
        #expect(await server.sent.count == 1)
    }

    @Test("the library knows the types of all its requests")
    func library() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = root.appending(path: "Sources/JulietClient/Requests")
        var declared: Set<String> = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where name.contains("/") {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for match in text.matches(of: /public struct (\w+): (?:V2)?Request \{/) { declared.insert(String(match.1)) }
        }
        #expect(declared.count >= 30)
        #expect(Set(RequestTypes.library.map { String(describing: $0) }) == declared)
    }
}

/// Counts by name.
private actor Counter {
    private var counts: [String: Int] = [:]

    func next(_ name: String) -> Int {
        counts[name, default: 0] += 1
        return count(name) - 1
    }

    func count(_ name: String) -> Int { counts[name, default: 0] }
}
