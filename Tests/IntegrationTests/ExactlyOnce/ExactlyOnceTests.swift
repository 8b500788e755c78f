import JulietAPI
import TestSupport
import Testing

/// What a request with an `Idempotency-Key` changes, it changes once, and whoever repeats it is told what was told first.
@Suite("Exactly once")
struct ExactlyOnceTests {
    private static func key(_ value: String) -> [String] { ["Idempotency-Key: \(value)"] }

    /// A registered player.
    private func player(_ service: TestService) async throws -> String {
        let user = TestService.newUser()
        #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)
        return user
    }

    /// Every request type that changes something, by name.
    private static let changes: [String: @Sendable (String) -> GameRequest] = [
        "updateUserPlayedWordsList": { .updateUserPlayedWordsList(userID: $0, playedWord: "MUSIC") },
        "updateUserEnergy": { .updateUserEnergy(userID: $0, userEnergy: 17) },
        "singleGameEnergyUpdate": { .singleGameEnergyUpdate(userID: $0) },
        "handleEnergyPurchase": { .handleEnergyPurchase(userID: $0, energyPurchaseAmount: 30) },
        "updateUserWins": { .updateUserWins(userID: $0) },
        "statNewGameSession": { .statNewGameSession(userID: $0) },
        "initialRegistration": { .initialRegistration(vendorID: $0) },
        "handleEnergyPurchase, no such product": { .handleEnergyPurchase(userID: $0, energyPurchaseAmount: 7) },
        "updateUserPlayedWordsList, no such word": { .updateUserPlayedWordsList(userID: $0, playedWord: "qqqqq") },
    ]

    @Test("a repeat gets the first answer, byte for byte, and changes nothing", arguments: changes.keys.sorted())
    func repeated(name: String) async throws {
        let service = try await TestService.shared(.standard)
        let database = try await TestDatabase.shared()
        let user = try await player(service)
        let make = try #require(Self.changes[name])
        let request = make(user)
        let first = try await service.reply(to: request, fields: Self.key("op-1"))
        #expect(first["Idempotent-Replayed"] == nil)
        let records = "SELECT energy, wins, energy_entry FROM users WHERE id = '\(user)'"
        let after = try await database.psql(records)
        // What happens in between changes nothing about the answer.
        #expect(
            try await service.answer(to: .handleEnergyPurchase(userID: user, energyPurchaseAmount: 5)).httpStatus == 200
        )
        #expect(try await service.answer(to: .updateUserWins(userID: user)).httpStatus == 200)
        for value in ["op-1", "\"op-1\""] {
            let again = try await service.reply(to: request, fields: Self.key(value))
            #expect(again["Idempotent-Replayed"] == "true")
            #expect(again.status == first.status)
            #expect(again.text == first.text)
        }
        let columns = after.split(separator: "|").compactMap { Int($0) }
        #expect(try await database.psql(records) == "\(columns[0] + 5)|\(columns[1] + 1)|\(columns[2] + 1)")
        let kept = "SELECT count(*) FROM energy_ledger WHERE user_id = '\(user)' AND operation_id = 'op-1'"
        #expect(try await database.psql(kept) == "1")
    }

    @Test("the first registration carries a key: one grant, and the next request is an operation of its own")
    func registration() async throws {
        let service = try await TestService.shared(.standard)
        let user = TestService.newUser()
        let first = try await service.reply(to: .initialRegistration(vendorID: user), fields: Self.key("r"))
        #expect(first.status == 200)
        #expect(first["Idempotent-Replayed"] == nil)
        #expect(try await service.answer(to: .singleGameEnergyUpdate(userID: user)).userEnergy == 25)
        let again = try await service.reply(to: .initialRegistration(vendorID: user), fields: Self.key("r"))
        #expect(again["Idempotent-Replayed"] == "true")
        #expect(again.text == first.text)
        #expect(try await service.answer(to: .singleGameEnergyUpdate(userID: user)).userEnergy == 20)
    }

    @Test("a refusal is remembered: the same key stays refused when there is energy again")
    func refusal() async throws {
        let service = try await TestService.shared(.standard)
        for request in [GameRequest.singleGameEnergyUpdate, GameRequest.statNewGameSession]
            as [@Sendable (String) -> GameRequest]
        {
            let user = try await player(service)
            _ = try await service.answer(to: .updateUserEnergy(userID: user, userEnergy: 4))
            let first = try await service.reply(to: request(user), fields: Self.key("game"))
            #expect(first.status == 404)
            #expect(first.text.contains(#""userEnergy":4"#))
            _ = try await service.answer(to: .handleEnergyPurchase(userID: user, energyPurchaseAmount: 30))
            let again = try await service.reply(to: request(user), fields: Self.key("game"))
            #expect(again["Idempotent-Replayed"] == "true")
            #expect(again.text == first.text)
            #expect(try await service.answer(to: request(user), fields: Self.key("next")).userEnergy == 29)
        }
    }

    @Test("a report that was refused stays so, whatever the rules have become")
    func rulesChange() async throws {
        let refusing = try await TestService.shared(.refuse)
        let accepting = try await TestService.shared(.standard)
        let user = try await player(accepting)
        let report = GameRequest.updateUserEnergy(userID: user, userEnergy: 99)
        let first = try await refusing.reply(to: report, fields: Self.key("report"))
        #expect(first.status == 404)
        #expect(try await accepting.reply(to: report, fields: Self.key("report")).text == first.text)
        #expect(try await accepting.answer(to: report).userEnergy == 99)
    }

    @Test("the same key with another request: 422, and nothing changes", arguments: changes.keys.sorted())
    func reused(name: String) async throws {
        let service = try await TestService.shared(.standard)
        let database = try await TestDatabase.shared()
        let user = try await player(service)
        let make = try #require(Self.changes[name])
        _ = try await service.answer(to: make(user), fields: Self.key("op"))
        let records = "SELECT energy, wins, energy_entry FROM users WHERE id = '\(user)'"
        let before = try await database.psql(records)
        let others: [GameRequest] = [
            .handleEnergyPurchase(userID: user, energyPurchaseAmount: 5),
            .updateUserEnergy(userID: user, userEnergy: 18),
            .updateUserPlayedWordsList(userID: user, playedWord: "drunk"),
        ]
        for other in others {
            let reply = try await service.reply(to: other, fields: Self.key("op"))
            #expect(reply.status == 422)
            #expect(reply["Idempotent-Replayed"] == nil)
            #expect(reply.text.contains(#""code":"request.idempotencyKey.reused""#))
            let answer = try reply.answer(to: other.type)
            #expect(answer.outerStatus == 422 && answer.innerStatus == 422)
        }
        #expect(try await database.psql(records) == before)
    }

    @Test("keys are the player's own: two players may use the same")
    func perPlayer() async throws {
        let service = try await TestService.shared(.standard)
        for _ in 0..<2 {
            let user = try await player(service)
            #expect(
                try await service.answer(to: .singleGameEnergyUpdate(userID: user), fields: Self.key("same")).userEnergy
                    == 25)
        }
    }

    @Test(
        "what is no key is refused with all keys of the type",
        arguments: ["", "two words", "\"open", "a\"b", "ä", String(repeating: "k", count: 256)])
    func invalid(value: String) async throws {
        let service = try await TestService.shared(.standard)
        let user = try await player(service)
        let reply = try await service.reply(to: .statNewGameSession(userID: user), fields: Self.key(value))
        #expect(reply.status == 400)
        #expect(
            reply.text.hasPrefix(
                #"{"lambdaInvocationHttpsStatusCode":400,"body":{"dynamoDBInvocationHttpsStatusCode":400,"userEnergy":0,"secretWord":[]},"error":{"code":"request.idempotencyKey.invalid","#
            ), "\(reply)")
        #expect(
            try await service.answer(to: .fetchUserWins(userID: user), fields: Self.key("a") + Self.key("b")).httpStatus
                == 400)
    }

    @Test("an unknown player's 404 is not remembered, nor has a key a meaning for what changes nothing")
    func notRemembered() async throws {
        let service = try await TestService.shared(.standard)
        let user = TestService.newUser()
        let game = GameRequest.statNewGameSession(userID: user)
        #expect(try await service.reply(to: game, fields: Self.key("k")).status == 404)
        #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)
        #expect(try await service.answer(to: game, fields: Self.key("k")).userEnergy == 25)
        let wins = try await service.reply(to: .fetchUserWins(userID: user), fields: Self.key("k"))
        #expect(wins.status == 200)
        #expect(wins["Idempotent-Replayed"] == nil)
    }

    @Test("20 at once over two services: one takes effect, all are told the same, one of them first")
    func parallel() async throws {
        let database = try await TestDatabase.shared()
        let services = [try await TestService.shared(.standard), try await TestService.start(on: database)]
        for round in 0..<10 {
            let user = try await player(services[0])
            let request = GameRequest.statNewGameSession(userID: user)
            let bytes = TestService.post(
                request.encoded(), to: request.type.endpoint.path, fields: Self.key("round-\(round)"))
            let ports = services.map(\.port)
            let replies = try await offPool {
                let connections = try (0..<20).map { try ClientConnection(port: ports[$0 % 2]) }
                for connection in connections { try connection.send(bytes) }
                return try connections.map { try $0.receive() }
            }
            #expect(Set(replies.map(\.text)).count == 1)
            #expect(replies.filter { $0["Idempotent-Replayed"] == nil }.count == 1)
            #expect(try await database.psql("SELECT energy FROM users WHERE id = '\(user)'") == "25")
        }
        try await services[1].stop()
    }

    @Test("a repeat that comes while the first is held up waits for it, on another service too")
    func waiting() async throws {
        let database = try await TestDatabase.shared()
        let services = [try await TestService.shared(.standard), try await TestService.start(on: database)]
        let user = try await player(services[0])
        async let held = database.psql(
            "BEGIN; SELECT FROM users WHERE id = '\(user)' FOR UPDATE; SELECT pg_sleep(1); COMMIT")
        let request = GameRequest.handleEnergyPurchase(userID: user, energyPurchaseAmount: 30)
        async let one = services[0].reply(to: request, fields: Self.key("wait"))
        async let two = services[1].reply(to: request, fields: Self.key("wait"))
        let replies = try await [one, two]
        _ = try await held
        #expect(replies.map(\.text).allSatisfy { $0.contains(#""userEnergy":60"#) })
        #expect(replies.filter { $0["Idempotent-Replayed"] == "true" }.count == 1)
        try await services[1].stop()
    }
}
