import JulietAPI
import TestSupport
import Testing

/// What the app is told while PostgreSQL is away, or a request never arrives whole.
@Suite("Outages")
struct OutageTests {
    /// Every request type, and its body when there is no database.
    private static func requests(of user: String) -> [(GameRequest, String)] {
        [
            (.initialRegistration(vendorID: user), #"{"dynamoDBInvocationHttpsStatusCode":503}"#),
            (.fetchNewSecretWord(userID: user), #"{"secretWord":["A","A","A","A","A"]}"#),
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
        let service = try await TestService.start(on: .create(in: cluster))
        let user = TestService.newUser()
        #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)
        #expect(try await service.exchange(Self.ready).status == 200)

        try await cluster.stop()
        let requests = Self.requests(of: user)
        for (reply, (request, body)) in zip(try await service.replies(toAll: requests.map(\.0)), requests) {
            #expect(reply.status == 503)
            #expect(reply["Retry-After"] != nil)
            #expect(
                reply.text.hasPrefix(
                    #"{"lambdaInvocationHttpsStatusCode":503,"body":\#(body),"error":{"code":"server.unavailable","#),
                "\(request): \(reply)")
        }
        #expect(try await service.exchange(Self.ready).status == 503)
        #expect(try await service.exchange(Self.health).status == 200)

        try await cluster.start()
        while try await service.exchange(Self.ready).status != 200 {}
        #expect(try await service.answer(to: .singleGameEnergyUpdate(userID: user)).userEnergy == 25)
        try await service.stop()
        cluster.remove()
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

    private static let ready = Array("GET /ready HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
    private static let health = Array("GET /health HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
}
