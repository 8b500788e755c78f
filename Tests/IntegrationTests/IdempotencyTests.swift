import JulietAPI
import Testing

/// `Idempotency-Key`: what a request changes, it changes once, however often it is sent.
@Suite("Idempotency keys over the wire")
struct IdempotencyTests {
    /// The requests that change something, for a player; each would show a second effect in its answer.
    private static func changes(of user: String) -> [GameRequest] {
        [
            .initialRegistration(vendorID: user), .updateUserPlayedWordsList(userID: user, playedWord: "vapor"),
            .updateUserEnergy(userID: user, userEnergy: 12), .singleGameEnergyUpdate(userID: user),
            .handleEnergyPurchase(userID: user, energyPurchaseAmount: 30), .updateUserWins(userID: user),
            .statNewGameSession(userID: user),
        ]
    }

    private func registered(with service: TestService) async throws -> String {
        let user = TestService.newUser()
        #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)
        return user
    }

    private func state(of user: String, with service: TestService) async throws -> [Int] {
        [
            try await service.answer(to: .handleEnergyPurchase(userID: user, energyPurchaseAmount: 0)).userEnergy,
            try await service.answer(to: .fetchUserWins(userID: user)).userWins,
        ]
    }

    @Test("a repeat gets the first answer byte for byte, and is marked", arguments: 0..<7)
    func repeats(number: Int) async throws {
        let service = try await TestService.shared(.standard)
        let user = try await registered(with: service)
        let request = Self.changes(of: user)[number]
        let first = try await service.reply(to: request, fields: ["Idempotency-Key: \"op-1\""])
        #expect(first.status == 200)
        #expect(first["Idempotent-Replayed"] == nil)
        let state = try await state(of: user, with: service)
        // Bare or quoted, the key is the same.
        for key in ["op-1", "\"op-1\"", "op-1"] {
            let again = try await service.reply(to: request, fields: ["Idempotency-Key: \(key)"])
            #expect(again.body == first.body)
            #expect(again.status == first.status)
            #expect(again["Idempotent-Replayed"] == "true")
        }
        #expect(try await self.state(of: user, with: service) == state)
    }

    @Test("20 repeats at the same moment have one effect and one answer", arguments: 0..<7)
    func parallel(number: Int) async throws {
        let service = try await TestService.shared(.standard)
        let user = try await registered(with: service)
        let request = Self.changes(of: user)[number]
        let replies = try await service.replies(
            toAll: Array(repeating: request, count: 20), fields: ["Idempotency-Key: op-1"])
        #expect(replies.allSatisfy { $0.status == 200 })
        #expect(Set(replies.map(\.text)).count == 1)
        #expect(replies.filter { $0["Idempotent-Replayed"] == nil }.count == 1)
    }

    @Test("a refusal is kept as well: energy that comes later changes nothing about it")
    func refusal() async throws {
        let service = try await TestService.shared(.standard)
        let user = try await registered(with: service)
        _ = try await service.reply(to: .updateUserEnergy(userID: user, userEnergy: 3))
        let game = GameRequest.statNewGameSession(userID: user)
        let first = try await service.reply(to: game, fields: ["Idempotency-Key: op-1"])
        #expect(first.status == 404)
        _ = try await service.reply(to: .handleEnergyPurchase(userID: user, energyPurchaseAmount: 30))
        let again = try await service.reply(to: game, fields: ["Idempotency-Key: op-1"])
        #expect(again.body == first.body)
        #expect(again["Idempotent-Replayed"] == "true")
        #expect(try await state(of: user, with: service) == [33, 0])
    }

    @Test("the same key with another request: 422 in that request's shape, and nothing changes")
    func reused() async throws {
        let service = try await TestService.shared(.standard)
        let user = try await registered(with: service)
        let purchase = GameRequest.handleEnergyPurchase(userID: user, energyPurchaseAmount: 5)
        #expect(try await service.reply(to: purchase, fields: ["Idempotency-Key: op-1"]).status == 200)
        let others: [(GameRequest, String)] = [
            (
                .handleEnergyPurchase(userID: user, energyPurchaseAmount: 30),
                #"{"dynamoDBInvocationHttpsStatusCode":422,"userEnergy":0}"#
            ),
            (.singleGameEnergyUpdate(userID: user), #"{"dynamoDBInvocationHttpsStatusCode":422,"userEnergy":0}"#),
            (.updateUserWins(userID: user), #"{"dynamoDBInvocationHttpsStatusCode":422,"userWins":0}"#),
            (
                .statNewGameSession(userID: user),
                #"{"dynamoDBInvocationHttpsStatusCode":422,"userEnergy":0,"secretWord":[]}"#
            ),
        ]
        for (request, body) in others {
            let reply = try await service.reply(to: request, fields: ["Idempotency-Key: op-1"])
            #expect(reply.status == 422)
            #expect(
                reply.text.hasPrefix(
                    #"{"lambdaInvocationHttpsStatusCode":422,"body":\#(body),"error":{"code":"request.idempotencyKey.reused","#
                ), "\(reply)")
        }
        #expect(try await state(of: user, with: service) == [35, 0])
    }

    @Test("keys are a player's own, and letter case tells them apart")
    func scope() async throws {
        let service = try await TestService.shared(.standard)
        let first = try await registered(with: service)
        let second = try await registered(with: service)
        for (user, key, energy) in [(first, "op", 25), (second, "op", 25), (first, "OP", 20), (first, "op", 25)] {
            let answer = try await service.answer(
                to: .singleGameEnergyUpdate(userID: user), fields: ["Idempotency-Key: \(key)"])
            #expect(answer.userEnergy == energy)
        }
        #expect(try await state(of: first, with: service) == [20, 0])
    }

    @Test(
        "a key that cannot be read: 400, and nothing changes",
        arguments: [
            ["Idempotency-Key:"], ["Idempotency-Key: \"\""], ["Idempotency-Key: a b"], ["Idempotency-Key: \"a"],
            ["Idempotency-Key: é"], ["Idempotency-Key: \(String(repeating: "x", count: 256))"],
            ["Idempotency-Key: a", "Idempotency-Key: b"],
        ])
    func unreadable(fields: [String]) async throws {
        let service = try await TestService.shared(.standard)
        let user = try await registered(with: service)
        let reply = try await service.reply(to: .singleGameEnergyUpdate(userID: user), fields: fields)
        #expect(reply.status == 400)
        #expect(try reply.answer(to: .singleGameEnergyUpdate).problem?.code == "request.idempotencyKey.invalid")
        #expect(try await state(of: user, with: service) == [30, 0])
    }

    @Test("on requests that change nothing a key means nothing")
    func reads() async throws {
        let service = try await TestService.shared(.standard)
        let user = try await registered(with: service)
        let read = GameRequest.fetchUserWins(userID: user)
        #expect(try await service.answer(to: read, fields: ["Idempotency-Key: op-1"]).userWins == 0)
        #expect(
            try await service.answer(to: .updateUserWins(userID: user), fields: ["Idempotency-Key: op-1"]).userWins == 1
        )
        let again = try await service.reply(to: read, fields: ["Idempotency-Key: op-1"])
        #expect(try again.answer(to: .fetchUserWins).userWins == 1)
        #expect(again["Idempotent-Replayed"] == nil)
    }
}
