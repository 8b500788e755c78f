import JulietAPI
import TestSupport
import Testing

/// Where counting ends: 2,147,483,647.
@Suite("Full", .defaultLayout("about the service, not the database"))
struct FullTests {
    /// A player with as much energy as there can be, and the ledger to it.
    private func richPlayer(_ service: TestService, _ database: TestDatabase, energy: Int) async throws -> String {
        let user = TestService.newUser()
        #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)
        try await database.psql("SELECT change_energy('\(user)', \(energy - 30), 'support', NULL, NULL, NULL)")
        return user
    }

    @Test("a balance without room refuses a purchase and tells itself, under a key for good", arguments: [5, 30])
    func energy(amount: Int) async throws {
        let service = try await TestService.shared(.standard)
        let database = try await TestDatabase.shared()
        let user = try await richPlayer(service, database, energy: 2_147_483_647)
        let records = "SELECT * FROM users WHERE id = '\(user)'"
        let before = try await database.psql(records)

        let purchase = GameRequest.handleEnergyPurchase(userID: user, energyPurchaseAmount: amount)
        for (fields, replayed) in [([], nil), (["Idempotency-Key: k"], nil), (["Idempotency-Key: k"], "true")] {
            let reply = try await service.reply(to: purchase, fields: fields)
            #expect(reply.status == 404)
            #expect(
                reply.text
                    == #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":2147483647},"error":{"code":"energy.full","message":"The balance would be too high."}}"#
            )
            #expect(reply["Idempotent-Replayed"] == replayed)
            #expect(try await database.psql(records) == before)
        }

        // With room again the name stays refused, and another is not.
        for _ in 0..<6 {
            #expect(try await service.answer(to: .singleGameEnergyUpdate(userID: user)).httpStatus == 200)
        }
        let again = try await service.answer(to: purchase, fields: ["Idempotency-Key: k"])
        #expect(again.userEnergy == 2_147_483_647 && again.problem?.code == "energy.full")
        let next = try await service.answer(to: purchase, fields: ["Idempotency-Key: l"])
        #expect(next.userEnergy == 2_147_483_617 + amount && next.httpStatus == 200)
        #expect(try await database.ledgerFaults() == "")
    }

    @Test("the last purchase that fits is made, the first that does not is not")
    func lastPurchase() async throws {
        let service = try await TestService.shared(.standard)
        let database = try await TestDatabase.shared()
        let user = try await richPlayer(service, database, energy: 2_147_483_638)
        let answers = try await service.answers(
            toAll: Array(repeating: .handleEnergyPurchase(userID: user, energyPurchaseAmount: 5), count: 10))
        #expect(answers.filter { $0.httpStatus == 200 }.map(\.userEnergy) == [2_147_483_643])
        #expect(answers.filter { $0.problem?.code == "energy.full" && $0.userEnergy == 2_147_483_643 }.count == 9)
    }

    @Test("a report leaves a balance above the maximum alone, or lowers it")
    func report() async throws {
        let service = try await TestService.shared(.standard)
        let database = try await TestDatabase.shared()
        let user = try await richPlayer(service, database, energy: 2_147_483_647)
        #expect(
            try await service.answer(to: .updateUserEnergy(userID: user, userEnergy: .max)).userEnergy == 2_147_483_647)
        #expect(try await service.answer(to: .updateUserEnergy(userID: user, userEnergy: 7)).userEnergy == 7)
        #expect(try await database.ledgerFaults() == "")
    }

    @Test("a count of wins without room refuses another and tells itself, under a key for good")
    func wins() async throws {
        let service = try await TestService.shared(.standard)
        let database = try await TestDatabase.shared()
        let user = TestService.newUser()
        #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)
        try await database.psql("UPDATE users SET wins = 2147483646 WHERE id = '\(user)'")
        let win = GameRequest.updateUserWins(userID: user)
        #expect(try await service.answer(to: win) == .wins(.updateUserWins, count: 2_147_483_647))

        let records = "SELECT * FROM users WHERE id = '\(user)'"
        let before = try await database.psql(records)
        for (fields, replayed) in [([], nil), (["Idempotency-Key: k"], nil), (["Idempotency-Key: k"], "true")] {
            let reply = try await service.reply(to: win, fields: fields)
            #expect(reply.status == 404)
            #expect(
                reply.text
                    == #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":404,"userWins":2147483647},"error":{"code":"wins.full","message":"The number of wins would be too high."}}"#
            )
            #expect(reply["Idempotent-Replayed"] == replayed)
            #expect(try await database.psql(records) == before)
        }
        #expect(
            try await service.answer(to: .fetchUserWins(userID: user)) == .wins(.fetchUserWins, count: 2_147_483_647))
    }
}
