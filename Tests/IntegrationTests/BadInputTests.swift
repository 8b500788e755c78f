import JulietAPI
import TestSupport
import Testing

/// Bodies that are no request of ours: each a 4xx envelope in the shape of its type, and no effect.
@Suite("Bad input", .everyLayout)
struct BadInputTests {
    @Test("the type cannot be told: the inner code alone", arguments: BadInput.shapeless)
    func shapeless(body: BadInput.Body) async throws {
        try await check(body)
    }

    @Test("a type at another type's URL", arguments: BadInput.misplaced)
    func misplaced(body: BadInput.Body) async throws {
        try await check(body)
    }

    @Test("a parameter missing or ill-typed", arguments: BadInput.parameters)
    func parameters(body: BadInput.Body) async throws {
        try await check(body)
    }

    @Test("broken JSON", arguments: BadInput.broken)
    func broken(body: BadInput.Body) async throws {
        try await check(body)
    }

    @Test("bytes that are not UTF-8")
    func invalidUTF8() async throws {
        let service = try await TestService.shared(.standard)
        let body =
            Array(#"{"requestType":"updateUserWins","userID":"\#(TestService.newUser())"#.utf8) + [0xC3, 0x28]
            + Array("\"}".utf8)
        let reply = try await service.exchange(TestService.post(body, to: Endpoint.userSessionManager.path))
        #expect(reply.status == 400)
        #expect(try reply.answer(to: .updateUserWins).problem?.code == "request.json.malformed")
    }

    @Test("5.0, 5e0 and 50e-1 are the integer 5", arguments: ["5", "5.0", "5.000", "5e0", "0.5e1", "50e-1"])
    func integers(spelling: String) async throws {
        let service = try await TestService.shared(.standard)
        let user = TestService.newUser()
        _ = try await service.reply(to: .initialRegistration(vendorID: user))
        let body = #"{"requestType":"handleEnergyPurchase","userID":"\#(user)","energyPurchaseAmount":\#(spelling)}"#
        let reply = try await service.post(body, to: Endpoint.iapManager.path)
        #expect(
            reply.text
                == #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":35}}"#
        )
    }

    @Test(
        "an amount beyond 64 bits is not on sale, however it is spelled",
        arguments: [
            "9223372036854775808", "1e400", "-9223372036854775808", "-1e30", "100000000000000000000.0", "1e19",
            "99999999999999999999", "-9223372036854775809.0",
        ])
    func amounts(spelling: String) async throws {
        let service = try await TestService.shared(.standard)
        let user = TestService.newUser()
        let body = #"{"requestType":"handleEnergyPurchase","userID":"\#(user)","energyPurchaseAmount":\#(spelling)}"#
        let unknown = try await service.post(body, to: Endpoint.iapManager.path)
        #expect(unknown.status == 404)
        #expect(try unknown.answer(to: .handleEnergyPurchase).problem?.code == "user.unknown")

        _ = try await service.reply(to: .initialRegistration(vendorID: user))
        for fields in [[], ["Idempotency-Key: amount"], ["Idempotency-Key: amount"]] {
            let reply = try await service.post(body, to: Endpoint.iapManager.path, fields: fields)
            #expect(
                reply.text.hasPrefix(
                    #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":30},"error":{"code":"product.unknown","#
                ), "\(reply)")
            #expect(reply.status == 404)
        }
    }

    @Test(
        "a report counts as the maximum, however large it is",
        arguments: ["1000001", "2147483648", "9223372036854775808", "1e400", "100000000000000000000.0"])
    func reports(spelling: String) async throws {
        let service = try await TestService.shared(.standard)
        let user = TestService.newUser()
        _ = try await service.reply(to: .initialRegistration(vendorID: user))
        let body = #"{"requestType":"updateUserEnergy","userID":"\#(user)","userEnergy":\#(spelling)}"#
        let reply = try await service.post(body, to: Endpoint.iapManager.path)
        #expect(
            reply.text
                == #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":1000000}}"#
        )
    }

    @Test(
        "any account id of 1 to 128 printable characters is a player of its own",
        arguments: [
            "a", "-", "é", "e\u{301}", "🎉", "日本語", "a b", "'; DROP TABLE users; --", "\\", "\"", "%", "{}", "null",
            String(repeating: "x", count: 128), String(repeating: "🎉", count: 128), String(repeating: "é", count: 100),
        ])
    func accounts(id: String) async throws {
        let suffix = TestService.newUser().prefix(128 - id.unicodeScalars.count)
        let user = id + suffix
        let service = try await TestService.shared(.standard)
        #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)
        #expect(try await service.answer(to: .singleGameEnergyUpdate(userID: user)).userEnergy == 25)
        #expect(
            try await service.answer(to: .handleEnergyPurchase(userID: user, energyPurchaseAmount: 30)).userEnergy == 55
        )
        #expect(
            try await service.answer(to: .updateUserPlayedWordsList(userID: user, playedWord: "vapor")).httpStatus
                == 200)
        #expect(try await service.answer(to: .updateUserWins(userID: user)).userWins == 1)
    }

    private func check(_ body: BadInput.Body) async throws {
        let service = try await TestService.shared(.standard)
        let user = TestService.newUser()
        _ = try await service.reply(to: .initialRegistration(vendorID: user))
        let reply = try await service.post(body.text.replacing("USER", with: user), to: body.endpoint.path)
        #expect(reply.status == 400)
        #expect(reply["Content-Type"] == "application/json")
        #expect(
            reply.text.hasPrefix(
                #"{"lambdaInvocationHttpsStatusCode":400,"body":\#(body.answer),"error":{"code":"\#(body.error)","message":""#
            ),
            "\(reply)")
        #expect(!reply.text.contains(user))
        _ = try reply.answer(to: RequestType.peek(in: Array(body.text.utf8).span))

        let balance = try await service.answer(to: .handleEnergyPurchase(userID: user, energyPurchaseAmount: 0))
            .userEnergy
        let wins = try await service.answer(to: .fetchUserWins(userID: user)).userWins
        #expect(balance == 30)
        #expect(wins == 0)
    }
}
