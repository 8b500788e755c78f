import AppStoreTesting
import Foundation
import JulietAPI
import Postgres
import TestSupport
import Testing

/// Purchases that wait for one another.
@Suite("Locks of purchases", .everyLayout)
struct PurchaseLockTests {
    private let store: TestStore

    init() throws { store = try TestStore() }

    @Test("two who present each other's refunded transactions do not wait for one another")
    func circle() async throws {
        let database = try await TestDatabase.create()
        // Whoever waits in a circle waits for ever, so for the service's time limit: nobody breaks it.
        try await database.psql("ALTER DATABASE \(database.name) SET deadlock_timeout = '10min'")
        var players: [V2Client] = []
        var services: [TestService] = []
        var bought: [TestTransaction] = []
        for _ in 0..<2 {
            // Each on a service of its own: a service's statements share a transaction.
            services.append(try await TestService.start(store.settings(), on: database))
            players.append(try await V2Client.player(on: services[services.count - 1]))
            bought.append(TestTransaction(TestStore.newNumber(), product: TestStore.thirty))
            #expect(try await players[players.count - 1].buy(store.signed(bought[bought.count - 1])).status == 201)
        }
        let replies = try await database.withOwner { owner in
            try await owner.executeScript("BEGIN")
            // One by one: those of several servers cannot be locked by one statement.
            for player in players {
                let id = try await player.me().id.text
                try await owner.executeScript("SELECT FROM juliet.users WHERE id = '\(id)' FOR UPDATE")
            }
            return try await withThrowingTaskGroup(of: V2Reply.self) { group in
                for (player, others) in zip(players, bought.reversed()) {
                    let signed = try store.signed(others.revoked())
                    group.addTask { try await player.buy(signed) }
                }
                try await database.waitForWaitingSessions(2)
                try await owner.executeScript("COMMIT")
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        let refused = "422 transaction-refused revoked"
        #expect(replies.map { "\($0.summary) \($0.json.reason.text)" } == [refused, refused])
        for player in players { #expect(try await player.me().energy == 30) }
        try await database.expectCleanAudit()
        for service in services { try await service.stop() }
    }
}
