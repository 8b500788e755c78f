import JulietAPI
import TestSupport
import Testing

/// What happens to more requests than PostgreSQL can take.
@Suite("Overload", .defaultLayout("about the service, not the database"), .timeLimit(.minutes(5)))
struct OverloadTests {
    @Test("PostgreSQL stands still: one batch waits, all others get 503 at once, and all are served when it goes on")
    func standstill() async throws {
        let cluster = try await PostgresCluster.start()
        let service = try await TestService.start(
            ["http.loops": "1", "database.maximumWait": "100ms", "database.statementTimeout": "30s"],
            on: .create(in: cluster), batchSize: 8)
        let user = TestService.newUser()
        #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)

        try cluster.pause()
        let win = TestService.post(
            GameRequest.updateUserWins(userID: user).encoded(), to: "/Juliet_UserSessionManager")
        let port = service.port
        // The first is under way, eight more may wait for the next batch; what the service itself asks may be among them.
        let crowd = try await offPool { try Crowd(port, win, untilRefused: 52) }
        try cluster.resume()
        #expect(crowd.refused.count == 52)
        let replies = try await offPool { try crowd.refused + crowd.waiting.map { try $0.receive() } }
        for reply in replies where reply.status != 200 {
            #expect(reply.status == 503)
            #expect(reply["Retry-After"] == "1")
            #expect(
                reply.text.hasPrefix(
                    #"{"lambdaInvocationHttpsStatusCode":503,"body":{"dynamoDBInvocationHttpsStatusCode":503,"userWins":0},"error":{"code":"server.overloaded","#
                ), "\(reply)")
        }
        let wins = replies.count { $0.status == 200 }
        #expect((2...9).contains(wins))
        #expect(try await service.answer(to: .fetchUserWins(userID: user)).userWins == wins)
        // Less than a batch takes: the pool has yet to learn that batches are quick again, and may refuse more at once.
        let after = try await service.replies(toAll: Array(repeating: .updateUserWins(userID: user), count: 4))
        #expect(after.allSatisfy { $0.status == 200 })
        try await service.stop()
        cluster.remove()
    }

    /// Connections with one request each, made one after the other until so many are refused.
    ///
    /// Used by one thread at a time.
    private final class Crowd: @unchecked Sendable {
        private(set) var refused: [HTTPReply] = []
        private(set) var waiting: [ClientConnection] = []

        init(_ port: UInt16, _ request: [UInt8], untilRefused count: Int) throws {
            while refused.count < count, waiting.count < 20 {
                let connection = try ClientConnection(port: port)
                try connection.send(request)
                if try connection.isAnswered(within: .milliseconds(300)) {
                    refused.append(try connection.receive())
                } else {
                    waiting.append(connection)
                }
            }
        }
    }
}
