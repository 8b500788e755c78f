import JulietAPI
import TestSupport
import Testing

/// What a request with an `Idempotency-Key` changes, it changes once, and whoever repeats it is told what was told
/// first.
@Suite("Exactly once", .everyLayout)
struct ExactlyOnceTests {
    private static func key(_ value: String) -> [String] { ["Idempotency-Key: \(value)"] }

    /// A registered player.
    private func player(_ service: TestService) async throws -> String {
        let user = TestService.newUser()
        #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)
        return user
    }

    /// Every request that is remembered under its key, by name.
    private static let changes: [String: @Sendable (String) -> GameRequest] = [
        "updateUserEnergy": { .updateUserEnergy(userID: $0, userEnergy: 17) },
        "singleGameEnergyUpdate": { .singleGameEnergyUpdate(userID: $0) },
        "handleEnergyPurchase": { .handleEnergyPurchase(userID: $0, energyPurchaseAmount: 30) },
        "updateUserWins": { .updateUserWins(userID: $0) },
        "statNewGameSession": { .statNewGameSession(userID: $0) },
        "initialRegistration": { .initialRegistration(vendorID: $0) },
        "handleEnergyPurchase, no such product": { .handleEnergyPurchase(userID: $0, energyPurchaseAmount: 7) },
        "handleEnergyPurchase, beyond 64 bits": { .handleEnergyPurchase(userID: $0, energyPurchaseAmount: .max) },
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
        let records = "SELECT energy, wins, ledger_entry FROM users WHERE id = '\(user)'"
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
        let database = try await TestDatabase.create()
        let service = try await TestService.start(TestService.Variant.refuse.settings, on: database)
        let user = try await player(service)
        let report = GameRequest.updateUserEnergy(userID: user, userEnergy: 99)
        let first = try await service.reply(to: report, fields: Self.key("report"))
        #expect(first.status == 404)
        try await database.psql(#"SELECT apply_rules('test', '{"energy.clientUpdates": "accept"}')"#)
        #expect(try await service.reply(to: report, fields: Self.key("report")).text == first.text)
        #expect(try await service.answer(to: report).userEnergy == 99)
        try await service.stop()
    }

    @Test("the same key with another request: 422, and nothing changes", arguments: changes.keys.sorted())
    func reused(name: String) async throws {
        let service = try await TestService.shared(.standard)
        let database = try await TestDatabase.shared()
        let user = try await player(service)
        let make = try #require(Self.changes[name])
        _ = try await service.answer(to: make(user), fields: Self.key("op"))
        let records = "SELECT energy, wins, ledger_entry, ledger_seal FROM users WHERE id = '\(user)'"
        let before = try await database.psql(records)
        let others: [GameRequest] = [
            .handleEnergyPurchase(userID: user, energyPurchaseAmount: 5),
            .updateUserEnergy(userID: user, userEnergy: 18),
            .singleGameEnergyUpdate(userID: user), .statNewGameSession(userID: user), .updateUserWins(userID: user),
            .initialRegistration(vendorID: user),
        ]
        for other in others where other != make(user) {
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
        "an invalid key is refused with all keys of the type",
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

    /// Sends the same bytes at once, many times, to services in turn.
    private func replies(toCopies count: Int, of bytes: [UInt8], by services: [TestService]) async throws -> [HTTPReply]
    {
        let ports = services.map(\.port)
        return try await offPool {
            let connections = try (0..<count).map { try ClientConnection(port: ports[$0 % ports.count]) }
            for connection in connections { try connection.send(bytes) }
            return try connections.map { try $0.receive() }
        }
    }

    @Test(
        "20 at once over two services: one takes effect, all get the same answer, one of them first",
        arguments: changes.keys.sorted())
    func parallel(name: String) async throws {
        let database = try await TestDatabase.shared()
        let services = [try await TestService.shared(.standard), try await TestService.shared(.register)]
        let make = try #require(Self.changes[name])
        func records(_ user: String) async throws -> String {
            try await database.psql("SELECT energy, wins, ledger_entry FROM users WHERE id = '\(user)'")
        }
        let twin = try await player(services[0])
        _ = try await services[0].reply(to: make(twin))
        for round in 0..<5 {
            // A first registration is asked for by one who is not known yet.
            let user = name == "initialRegistration" ? TestService.newUser() : try await player(services[0])
            let bytes = TestService.post(
                make(user).encoded(), to: make(user).type.endpoint.path, fields: Self.key("round-\(round)"))
            let replies = try await replies(toCopies: 20, of: bytes, by: services)
            #expect(Set(replies.map(\.text)).count == 1)
            #expect(replies.filter { $0["Idempotent-Replayed"] == nil }.count == 1)
            #expect(try await records(user) == records(twin))
        }
        #expect(try await database.ledgerFaults() == "")
    }

    @Test("a repeat of what changed the balance changes neither balance nor entries nor seal, once or 40 times at once")
    func untouched() async throws {
        let database = try await TestDatabase.shared()
        let services = [try await TestService.shared(.standard), try await TestService.shared(.register)]
        let user = try await player(services[0])
        let requests: [GameRequest] = [
            .handleEnergyPurchase(userID: user, energyPurchaseAmount: 30), .singleGameEnergyUpdate(userID: user),
            .statNewGameSession(userID: user), .updateUserEnergy(userID: user, userEnergy: 40),
        ]
        for (number, request) in requests.enumerated() {
            _ = try await services[0].reply(to: request, fields: Self.key("op-\(number)"))
        }
        let records =
            "SELECT users.*, (SELECT count(*) FROM energy_ledger WHERE user_id = id) FROM users WHERE id = '\(user)'"
        let before = try await database.psql(records)
        for (number, request) in requests.enumerated() {
            let bytes = TestService.post(
                request.encoded(), to: request.type.endpoint.path, fields: Self.key("op-\(number)"))
            for copies in [1, 40] {
                let replies = try await replies(toCopies: copies, of: bytes, by: services)
                #expect(replies.allSatisfy { $0.status == 200 && $0["Idempotent-Replayed"] == "true" })
                #expect(try await database.psql(records) == before)
            }
        }
        #expect(try await database.ledgerFaults() == "")
    }

    @Test("repeats, new payments and purchases at once, over two services: balance and ledger stay one")
    func mixed() async throws {
        let database = try await TestDatabase.shared()
        let services = [try await TestService.shared(.standard), try await TestService.shared(.register)]
        let user = try await player(services[0])
        let ports = services.map(\.port)
        let requests = (0..<120).map { number -> [UInt8] in
            // Twelve operations, ten copies of each.
            let operation = number % 12
            let request: GameRequest =
                switch operation % 4 {
                case 0: .handleEnergyPurchase(userID: user, energyPurchaseAmount: 5)
                case 1: .singleGameEnergyUpdate(userID: user)
                case 2: .statNewGameSession(userID: user)
                default: .updateUserWins(userID: user)
                }
            return TestService.post(
                request.encoded(), to: request.type.endpoint.path, fields: Self.key("op-\(operation)"))
        }
        let replies = try await offPool {
            let connections = try requests.indices.map { try ClientConnection(port: ports[$0 % 2]) }
            for (connection, bytes) in zip(connections, requests) { try connection.send(bytes) }
            return try connections.map { try $0.receive() }
        }
        for operation in 0..<12 {
            let answers = replies.indices.filter { $0 % 12 == operation }.map { replies[$0] }
            #expect(Set(answers.map(\.text)).count == 1)
            #expect(answers.filter { $0["Idempotent-Replayed"] == nil }.count == 1)
        }
        // 30 and three purchases of 5, less six games of 5.
        #expect(
            try await database.psql("SELECT energy, wins, ledger_entry FROM users WHERE id = '\(user)'") == "15|3|10")
        #expect(try await database.ledgerFaults() == "")
    }

    @Test("an unknown player who is registered first: once, and the operation once")
    func registering() async throws {
        let database = try await TestDatabase.shared()
        let service = try await TestService.shared(.register)
        let user = TestService.newUser()
        let request = GameRequest.singleGameEnergyUpdate(userID: user)
        let bytes = TestService.post(request.encoded(), to: request.type.endpoint.path, fields: Self.key("first"))
        let replies = try await replies(toCopies: 20, of: bytes, by: [service])
        #expect(Set(replies.map(\.text)).count == 1)
        #expect(replies.filter { $0["Idempotent-Replayed"] == nil }.count == 1)
        #expect(replies.allSatisfy { $0.text.contains(#""userEnergy":25"#) })
        #expect(
            try await database.psql(
                "SELECT entry, operation_id, delta FROM energy_ledger WHERE user_id = '\(user)' ORDER BY entry")
                == "1|entry 1|30\n2|first|-5")
    }

    @Test("what is the same however often it is done takes a key and does not remember it")
    func unremembered() async throws {
        let service = try await TestService.shared(.standard)
        let database = try await TestDatabase.shared()
        let user = try await player(service)
        let requests: [(GameRequest, Int)] = [
            (.updateUserPlayedWordsList(userID: user, playedWord: "MUSIC"), 200),
            (.updateUserPlayedWordsList(userID: user, playedWord: "MUSIC"), 200),
            (.updateUserPlayedWordsList(userID: user, playedWord: "drunk"), 200),
            (.updateUserPlayedWordsList(userID: user, playedWord: "qqqqq"), 404),
            (.updateUserPlayedWordsList(userID: user, playedWord: "qqqqq"), 404),
            (.fetchNewSecretWord(userID: user), 200), (.fetchUserWins(userID: user), 200),
            (.updateUserPlayedWordsList(userID: user, playedWord: "vapor"), 200),
        ]
        for (request, status) in requests {
            let reply = try await service.reply(to: request, fields: Self.key("word"))
            #expect(reply.status == status, "\(request)")
            #expect(reply["Idempotent-Replayed"] == nil)
        }
        #expect(
            try await database.psql("SELECT operation_id FROM energy_ledger WHERE user_id = '\(user)'") == "entry 1")
        #expect(try await database.psql("SELECT count(*) FROM played_words WHERE user_id = '\(user)'") == "3")
        // So the name is free for what is remembered, and taken by it for good; played words do not care.
        let win = GameRequest.updateUserWins(userID: user)
        #expect(try await service.reply(to: win, fields: Self.key("word"))["Idempotent-Replayed"] == nil)
        #expect(try await service.reply(to: requests[0].0, fields: Self.key("word")).status == 200)
        #expect(try await service.reply(to: win, fields: Self.key("word"))["Idempotent-Replayed"] == "true")
    }

    @Test("but it must be a key", arguments: ["", "two words", "\"open", String(repeating: "k", count: 256)])
    func malformedForWords(value: String) async throws {
        let service = try await TestService.shared(.standard)
        let user = try await player(service)
        for request: GameRequest in [
            .updateUserPlayedWordsList(userID: user, playedWord: "music"), .fetchNewSecretWord(userID: user),
            .fetchUserWins(userID: user),
        ] {
            let reply = try await service.reply(to: request, fields: Self.key(value))
            #expect(reply.status == 400)
            #expect(try reply.answer(to: request.type).problem?.code == "request.idempotencyKey.invalid")
            #expect(try reply.answer(to: request.type).secretWord == [])
        }
        let played = "SELECT count(*) FROM played_words WHERE user_id = '\(user)'"
        #expect(try await TestDatabase.shared().psql(played) == "0")
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
