import HTTPServer
import JulietAPI
import JulietServer
import Postgres
import TestSupport
import Testing

/// What the app is told while PostgreSQL is away, or a request never arrives whole.
@Suite("Outages", .defaultLayout("about the service, not the database"))
struct OutageTests {
    /// Every request type, and its body when there is no database; `*` stands for a secret of ours.
    private static func requests(of user: String) -> [(GameRequest, String)] {
        [
            (.initialRegistration(vendorID: user), #"{"dynamoDBInvocationHttpsStatusCode":503}"#),
            (.fetchNewSecretWord(userID: user), #"{"secretWord":*}"#),
            (
                .updateUserPlayedWordsList(userID: user, playedWord: "vapor"),
                #"{"dynamoDBInvocationHttpsStatusCode":503}"#
            ),
            (
                .updateUserEnergy(userID: user, userEnergy: 1),
                #"{"dynamoDBInvocationHttpsStatusCode":503,"userEnergy":0}"#
            ),
            (.singleGameEnergyUpdate(userID: user), #"{"dynamoDBInvocationHttpsStatusCode":503,"userEnergy":0}"#),
            (
                .handleEnergyPurchase(userID: user, energyPurchaseAmount: 5),
                #"{"dynamoDBInvocationHttpsStatusCode":503,"userEnergy":0}"#
            ),
            (
                .handleEnergyPurchase(userID: user, energyPurchaseAmount: 6),
                #"{"dynamoDBInvocationHttpsStatusCode":503,"userEnergy":0}"#
            ),
            (.fetchUserWins(userID: user), #"{"dynamoDBInvocationHttpsStatusCode":503,"userWins":0}"#),
            (.updateUserWins(userID: user), #"{"dynamoDBInvocationHttpsStatusCode":503,"userWins":0}"#),
            (
                .statNewGameSession(userID: user),
                #"{"dynamoDBInvocationHttpsStatusCode":503,"userEnergy":0,"secretWord":[]}"#
            ),
        ]
    }

    @Test("without PostgreSQL every type is answered 503 with all its keys, and play goes on when it is back")
    func databaseAway() async throws {
        let cluster = try await PostgresCluster.start()
        // The answers come when this time is over, and a client of the tests waits for ten seconds.
        let service = try await TestService.start(["database.statementTimeout": "4s"], on: .create(in: cluster))
        let user = TestService.newUser()
        #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)
        #expect(try await service.waitUntilReady(is: 200) < .seconds(60))

        try await cluster.stop()
        let requests = Self.requests(of: user)
        for (reply, (request, body)) in zip(try await service.replies(toAll: requests.map(\.0)), requests) {
            #expect(reply.status == 503)
            #expect(reply["Retry-After"] != nil)
            let letters = try reply.answer(to: request.type).secretWord
            #expect(letters.isEmpty || service.secrets.contains(letters.joined().lowercased()))
            let dealt = "[" + letters.map { "\"\($0)\"" }.joined(separator: ",") + "]"
            #expect(letters.count == (body.contains("*") ? 5 : 0))
            #expect(
                reply.text.hasPrefix(
                    #"{"lambdaInvocationHttpsStatusCode":503,"body":\#(body.replacing("*", with: dealt)),"error":{"code":"server.unavailable","#
                ),
                "\(request): \(reply)")
        }
        // The last answer holds for a second.
        #expect(try await service.waitUntilReady(is: 503) < .seconds(3))
        #expect(try await service.exchange(Self.health).status == 200)

        try await cluster.start()
        #expect(try await service.waitUntilReady(is: 200) < .seconds(60))
        #expect(try await service.answer(to: .singleGameEnergyUpdate(userID: user)).userEnergy == 25)
        try await service.stop()
        cluster.remove()
    }

    @Test("when the database answers too late or with an error, a word is dealt from memory all the same")
    func databaseAtFault() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(["database.statementTimeout": "1s"], on: database)
        let user = TestService.newUser()
        #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)

        let late = try await database.withOwner { owner in
            try await owner.executeScript("BEGIN; LOCK TABLE juliet.users")
            return try await service.answer(to: .fetchNewSecretWord(userID: user))
        }
        #expect(late.httpStatus == 503)
        #expect(service.secrets.contains(late.secretWord.joined().lowercased()))

        try await database.psql("ALTER FUNCTION deal_word(text, text, integer, text) RENAME TO deal_no_word")
        let broken = try await service.answer(to: .fetchNewSecretWord(userID: user))
        #expect(broken.httpStatus == 500)
        #expect(broken.problem?.code == "server.internal")
        #expect(service.secrets.contains(broken.secretWord.joined().lowercased()))
        try await service.stop()
    }

    @Test(
        "what the HTTP server refuses by itself holds a word when the service is at fault",
        arguments: [
            (HTTPFailure.Code.overloaded, HTTPStatus.serviceUnavailable, "music", #"["M","U","S","I","C"]"#),
            (.overloaded, .serviceUnavailable, nil, "[]"),
            (.internalError, .internalServerError, "music", #"["M","U","S","I","C"]"#),
            (.notFound, .notFound, "music", "[]"), (.malformed, .badRequest, "music", "[]"),
        ] as [(HTTPFailure.Code, HTTPStatus, String?, String)])
    func serverAtFault(code: HTTPFailure.Code, status: HTTPStatus, memory: String?, letters: String) throws {
        var failure = HTTPFailure(code: code, status: status, message: "No.")
        failure.body = GameRequest.fetchNewSecretWord(userID: "u").encoded()
        let response = JulietService.errorRenderer(wordFromMemory: { memory })(failure)
        guard case .bytes(let body) = response.body else {
            Issue.record("no bytes")
            return
        }
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"lambdaInvocationHttpsStatusCode":\#(status.code),"body":{"secretWord":\#(letters)},"error":{"code":"\#(code)","message":"No."}}"#
        )
    }

    @Test("a body that never arrives whole: 408, in the shape its beginning tells")
    func bodyMissing() async throws {
        let service = try await TestService.start(["http.bodyDeadline": "200ms"], on: .shared())
        let head = "POST /Juliet_UserSessionManager HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n"
        let reply = try await service.exchange(Array((head + #"{"requestType":"updateUserWins","userID":"#).utf8))
        #expect(reply.status == 408)
        #expect(
            reply.text.hasPrefix(
                #"{"lambdaInvocationHttpsStatusCode":408,"body":{"dynamoDBInvocationHttpsStatusCode":408,"userWins":0},"error":{"code":"http.timeout","#
            ))
        try await service.stop()
    }

    private static let health = Array("GET /health HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
}
