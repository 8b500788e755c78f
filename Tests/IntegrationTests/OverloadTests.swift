import EventLoop
import JulietAPI
import TestSupport
import Testing

/// What happens to more requests than PostgreSQL can take.
@Suite("Overload")
struct OverloadTests {
    private static let settings = [
        "http.loops": "1", "database.batchSize": "8", "database.maximumWait": "100ms",
        "database.statementTimeout": "60s",
    ]

    @Test("PostgreSQL stands still: one batch waits, all others get 503 at once, and all are served when it goes on")
    func standstill() async throws {
        let cluster = try await PostgresCluster.start()
        let service = try await TestService.start(Self.settings, on: .create(in: cluster))
        let user = TestService.newUser()
        #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)

        try cluster.pause()
        let win = TestService.post(
            GameRequest.updateUserWins(userID: user).encoded(), to: "/Juliet_UserSessionManager")
        let port = service.port
        // The first is under way, eight more may wait for the next batch; what the service itself asks may be among them.
        let first = Task { try await Self.reply(to: win, port) }
        try await Task.sleep(for: .milliseconds(1000))
        let refused = Locked(0)
        let others = Task {
            try await withThrowingTaskGroup(of: HTTPReply.self) { group in
                for _ in 0..<60 {
                    group.addTask {
                        let reply = try await Self.reply(to: win, port)
                        if reply.status == 503 { refused.withLock { $0 += 1 } }
                        return reply
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        while refused.withLock({ $0 }) < 52 { try await Task.sleep(for: .milliseconds(10)) }

        try cluster.resume()
        let replies = try await others.value
        for reply in replies where reply.status != 200 {
            #expect(reply.status == 503)
            #expect(reply["Retry-After"] == "1")
            #expect(
                reply.text.hasPrefix(
                    #"{"lambdaInvocationHttpsStatusCode":503,"body":{"dynamoDBInvocationHttpsStatusCode":503,"userWins":0},"error":{"code":"server.overloaded","#
                ), "\(reply)")
        }
        #expect(replies.count { $0.status == 503 } == refused.withLock { $0 })
        #expect(try await first.value.status == 200)
        let wins = 1 + replies.count { $0.status == 200 }
        #expect(wins > 1)
        #expect(try await service.answer(to: .fetchUserWins(userID: user)).userWins == wins)
        // Less than a batch takes: the pool has yet to learn that batches are quick again, and may refuse more at once.
        let after = try await service.replies(toAll: Array(repeating: .updateUserWins(userID: user), count: 4))
        #expect(after.allSatisfy { $0.status == 200 })
        try await service.stop()
        cluster.remove()
    }

    /// The reply to a request on a connection of its own.
    private static func reply(to request: [UInt8], _ port: UInt16) async throws -> HTTPReply {
        try await offPool {
            let connection = try ClientConnection(port: port)
            try connection.send(request)
            return try connection.receive()
        }
    }
}
