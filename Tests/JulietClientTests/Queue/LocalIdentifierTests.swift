import Testing

@testable import JulietClient

@Suite("Local identifiers")
struct LocalIdentifierTests {
    private let folder: TemporaryFolder
    private let local = LocalIdentifier()

    init() throws { folder = try TemporaryFolder() }

    private struct Everywhere: Request {
        typealias Response = Void
        let local: LocalIdentifier
        var method: HTTPMethod { .put }
        var path: String { "/things/\(local.placeholder)/name" }
        var query: RequestQuery { ["of": local.placeholder] }
        var headers: [HeaderField] { [HeaderField("Thing", local.placeholder)] }
        var body: RequestBody? {
            get throws {
                RequestBody(Array(#"{"id":"\#(local.placeholder)"}"#.utf8), contentType: "application/json")
            }
        }
    }

    private struct Thing: Request {
        typealias Response = Void
        var text = ""
        let path = "/things"
        var method: HTTPMethod { .post }
        var body: RequestBody? { get throws { RequestBody(Array(text.utf8), contentType: "application/json") } }
        var identifierSource: IdentifierSource { .json(["thing", "id"]) }
    }

    private var creating: QueueOptions { QueueOptions(creates: local) }

    @Test("a game that is begun offline is guessed in offline")
    func game() async throws {
        let game = V2.Game(
            id: "g1", kind: .game, state: .playing, language: "en", length: 5, guesses: [], commitment: "0a",
            startedAt: V2.Timestamp(microsecondsSince1970: 1_795_262_400_123_456))
        let server = AnsweringTransport { message, _ in
            let body = message.path == "/v2/games" ? V2.StartedGame(game: game, energy: 25).encoded() : game.encoded()
            return HTTPResponse(status: 200, headers: [HeaderField("Content-Type", "application/json")], body: body)
        }
        try await withQueue(server, folder: folder) { queue in
            await queue.pause()
            try await queue.append(StartJudgedGame().authorized(by: "t"), options: creating)
            let guess = SubmitGuess(game: V2.Game.ID(local.placeholder), word: "crane", number: 1)
            let pending = try await queue.append(guess)
            await queue.resume()
            let guessed = try await pending.value
            #expect(guessed.id == "g1")
        }
        #expect(await server.paths == ["/v2/games", "/v2/games/g1/guesses"])
    }

    @Test("each request of /v2 that makes something says where its name is")
    func makers() {
        let game = IdentifierSource.json(["game", "id"])
        #expect(StartJudgedGame().identifierSource == game && StartDailyGame().identifierSource == game)
        #expect(CreateLeague(name: "L").identifierSource == .json(["league", "id"]))
        #expect(MakeChallenge(word: "crane").identifierSource == .json(["challenge", "code"]))
        #expect(Look(path: "/").identifierSource == .json(["id"]))
    }

    @Test("the server's name takes its place in path, query, header and body, whenever the request was appended")
    func everywhere() async throws {
        let server = AnsweringTransport { message, _ in
            HTTPResponse(status: 201, body: Array(#"{"thing":{"id":"a\"b 1"}}"#.utf8))
        }
        try await withQueue(server, folder: folder) { queue in
            await queue.pause()
            try await queue.append(Thing(text: local.placeholder), options: creating)
            try await queue.append(Everywhere(local: local))
        }
        try await withQueue(server, folder: folder) { queue in
            await waitUntil("both are done") { await queue.status.waiting == 0 }
        }
        // The parent has ended in another launch.
        try await withQueue(server, folder: folder) { queue in
            try await queue.append(Everywhere(local: local)).value
        }
        let sent = await server.sent
        #expect(sent[0].body == Array(local.placeholder.utf8))
        for message in sent[1...] {
            #expect(message.path == #"/things/a"b 1/name"#)
            #expect(message.query == [QueryItem("of", #"a"b 1"#)])
            #expect(message.headers.first { $0.name == "Thing" }?.value == #"a"b 1"#)
            #expect(message.body == Array(#"{"id":"a\"b 1"}"#.utf8))
        }
        #expect(sent.count == 3)
    }

    @Test("a child waits for its parent also where it could run beside it, and fails with it")
    func failing() async throws {
        let gate = Latch()
        let server = AnsweringTransport { _, _ in
            await gate.pass()
            return refusal(409)
        }
        try await withQueue(server, folder: folder) { queue in
            var options = creating
            options.isBarrier = false
            let parent = try await queue.append(Thing(), options: options)
            let child = try await queue.append(Look(path: "/things/\(local.placeholder)"))
            let grandchild = try await queue.append(Look(path: "/other"))
            await waitUntil("the parent and the other are under way") { await gate.count == 2 }
            await gate.open()
            let error = await #expect(throws: ClientError.self) { try await child.value }
            #expect(error?.code == .parentFailed)
            await #expect(throws: ClientError.self) { try await parent.value }
            await #expect(throws: ClientError.self) { try await grandchild.value }
        }
        #expect(await Set(server.paths) == ["/things", "/other"])
    }

    @Test(
        "a response without the identifier is an error, and the children fail; one that is no path segment fails where it is used"
    )
    func unusable() async throws {
        let server = AnsweringTransport { message, _ in
            HTTPResponse(status: 200, body: Array((message.path == "/none" ? "{}" : #"{"thing":{"id":"a/b"}}"#).utf8))
        }
        try await withQueue(server, folder: folder) { queue in
            let other = LocalIdentifier()
            await queue.pause()
            let parent = try await queue.append(
                Change(path: "/none"), options: QueueOptions(creates: other))
            let orphan = try await queue.append(Change(path: "/things", text: other.placeholder))
            try await queue.append(Thing(), options: creating)
            let misplaced = try await queue.append(Look(path: "/things/\(local.placeholder)"))
            await queue.resume()
            for (pending, code) in [
                (parent.outcome, ClientError.Code.missingIdentifier), (orphan.outcome, .parentFailed),
                (misplaced.outcome, .unusableIdentifier),
            ] {
                let error = await #expect(throws: ClientError.self) { try await pending().get() }
                #expect(error?.code == code)
            }
            // It would be the same the next time.
            let letter = await queue.deadLetters.first { $0.request.id == misplaced.id }
            #expect(letter?.request.attempts == 1 && letter?.error.code == .unusableIdentifier)
        }
    }

    @Test("an identifier that no request creates, or that two create, is refused; so is a second meaning")
    func conflicts() async throws {
        let server = AnsweringTransport { _, _ in HTTPResponse(status: 200, body: Array(#"{"thing":{"id":17}}"#.utf8)) }
        try await withQueue(server, folder: folder) { queue in
            await queue.pause()
            await #expect(throws: QueueError(.unknownIdentifier)) { try await queue.append(Everywhere(local: local)) }
            let parent = try await queue.append(Thing(), options: creating)
            await #expect(throws: QueueError(.conflictingIdentifier)) {
                try await queue.append(Thing(), options: creating)
            }
            var unique = creating
            unique.creates = LocalIdentifier()
            unique.uniquingKey = "thing"
            await #expect(throws: QueueError(.invalidRequest)) {
                try await queue.append(Thing(), options: unique)
            }
            try await queue.resolve(local, to: "18")
            await #expect(throws: QueueError(.conflictingIdentifier)) { try await queue.resolve(local, to: "19") }
            await #expect(throws: QueueError(.invalidRequest)) { try await queue.resolve(local, to: "a\r\nb") }
            await queue.resume()
            let error = await #expect(throws: ClientError.self) { try await parent.value }
            #expect(error?.code == .conflictingIdentifier)
        }
    }

    @Test(
        "names are read from bodies and header fields",
        arguments: [
            (IdentifierSource.json(["id"]), #"{"id":"x"}"#, "", "x"),
            (.json(["a", "id"]), #"{"a":{"id":42}}"#, "", "42"),
            (.json([]), #""x""#, "", "x"), (.json(["id"]), #"{"id":1.5}"#, "", nil), (.json(["id"]), "[]", "", nil),
            (.json(["id"]), #"{"id":""}"#, "", nil), (.json(["id"]), #"{"id":"a\nb"}"#, "", nil),
            (.header("Location"), "", "/a/b", "/a/b"),
            (.lastSegment(ofHeader: "location"), "", "https://h/a/b%20c/?q#f", "b c"),
            (.lastSegment(ofHeader: "Location"), "", "/a/%zz", nil),
        ] as [(IdentifierSource, String, String, String?)])
    func sources(source: IdentifierSource, body: String, location: String, value: String?) {
        let response = HTTPResponse(
            status: 200, headers: [HeaderField("Location", location)], body: Array(body.utf8))
        #expect(source.value(in: response) == value)
    }

    @Test("only whole placeholders are read as such")
    func placeholders() {
        let text = local.placeholder
        #expect(LocalIdentifier(placeholder: text) == local)
        #expect(LocalIdentifier(placeholder: text + "0") == nil)
        #expect(LocalIdentifier(placeholder: text.uppercased()) == nil)
        #expect(LocalIdentifier.all(in: "j\(text)juliet-local-\(text)".utf8) == [local, local])
        #expect(LocalIdentifier.all(in: text.dropLast().utf8).isEmpty)
    }
}

extension PendingAnswer {
    /// What became of it, whatever its type.
    fileprivate var outcome: @Sendable () async -> QueueOutcome<HTTPResponse> {
        { await queue.outcome(for: ticket) }
    }
}
