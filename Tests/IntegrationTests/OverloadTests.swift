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
        // On a busy machine the fifty that are refused may take longer than anybody may wait by default.
        let service = try await TestService.start(
            Self.settings, on: .create(in: cluster), queueTimeout: .seconds(60))
        let user = TestService.newUser()
        #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)

        try cluster.pause()
        let win = TestService.post(
            GameRequest.updateUserWins(userID: user).encoded(), to: "/Juliet_UserSessionManager")
        let port = service.port
        // The first is under way, eight more may wait for the next batch.
        let waiting = try await offPool {
            let first = try ClientConnection(port: port)
            try first.send(win)
            return Connections([first])
        }
        try await Task.sleep(for: .milliseconds(500))
        let taken = try await offPool {
            let taken = try (0..<8).map { _ in try ClientConnection(port: port) }
            for connection in taken { try connection.send(win) }
            return Connections(taken)
        }
        try await Task.sleep(for: .milliseconds(500))
        // One after the other: were one of these to wait, so would the test.
        let refused = try await offPool {
            try (0..<50).map { _ in
                let connection = try ClientConnection(port: port)
                try connection.send(win)
                return try connection.receive()
            }
        }
        for reply in refused {
            #expect(reply.status == 503)
            #expect(reply["Retry-After"] == "1")
            #expect(
                reply.text.hasPrefix(
                    #"{"lambdaInvocationHttpsStatusCode":503,"body":{"dynamoDBInvocationHttpsStatusCode":503,"userWins":0},"error":{"code":"server.overloaded","#
                ), "\(reply)")
        }

        try cluster.resume()
        let answered = try await offPool { try (waiting.all + taken.all).map { try $0.receive() } }
        #expect(answered.allSatisfy { $0.status == 200 })
        #expect(try await service.answer(to: .fetchUserWins(userID: user)).userWins == 9)
        // As many as a batch takes: the pool has yet to learn that batches are quick again, and may refuse more at once.
        let after = try await service.replies(toAll: Array(repeating: .updateUserWins(userID: user), count: 8))
        #expect(after.allSatisfy { $0.status == 200 })
        try await service.stop()
        cluster.remove()
    }

    /// Connections that one thread after the other uses.
    private struct Connections: @unchecked Sendable {
        // Invariant: handed over from one `offPool` to the next, never used by two at a time.
        let all: [ClientConnection]

        init(_ all: [ClientConnection]) { self.all = all }
    }
}
