import Foundation
import JulietAPI
import TestSupport
import Testing

/// What those are told who ask too much, in both contracts. The tests are a trusted proxy, which says who asks.
@Suite("Limits of requests and registrations", .defaultLayout("about the service, not the database"))
struct LimitTests {
    private static let proxy = ["http.trustedProxies": "127.0.0.1"]

    /// As a proxy names a client.
    private static func from(_ address: String) -> [String] { ["X-Forwarded-For: \(address)"] }

    private static func start(_ settings: [String: String]) async throws -> TestService {
        try await TestService.start(settings.merging(proxy) { own, _ in own }, on: .shared())
    }

    @Test("too many requests of an address: every type of the app gets 429 with all its keys, and no effect")
    func everyType() async throws {
        let service = try await Self.start(["limits.requestsPerAddress": "1"])
        let user = TestService.newUser()
        let home = Self.from("203.0.113.1")
        #expect(try await service.answer(to: .initialRegistration(vendorID: user), fields: home).httpStatus == 200)
        let requests: [(GameRequest, String)] = [
            (.initialRegistration(vendorID: user), #"{"dynamoDBInvocationHttpsStatusCode":429}"#),
            (.fetchNewSecretWord(userID: user), #"{"secretWord":[]}"#),
            (
                .updateUserPlayedWordsList(userID: user, playedWord: "vapor"),
                #"{"dynamoDBInvocationHttpsStatusCode":429}"#
            ),
            (
                .updateUserEnergy(userID: user, userEnergy: 1),
                #"{"dynamoDBInvocationHttpsStatusCode":429,"userEnergy":0}"#
            ),
            (.singleGameEnergyUpdate(userID: user), #"{"dynamoDBInvocationHttpsStatusCode":429,"userEnergy":0}"#),
            (
                .handleEnergyPurchase(userID: user, energyPurchaseAmount: 5),
                #"{"dynamoDBInvocationHttpsStatusCode":429,"userEnergy":0}"#
            ),
            (.fetchUserWins(userID: user), #"{"dynamoDBInvocationHttpsStatusCode":429,"userWins":0}"#),
            (.updateUserWins(userID: user), #"{"dynamoDBInvocationHttpsStatusCode":429,"userWins":0}"#),
            (
                .statNewGameSession(userID: user),
                #"{"dynamoDBInvocationHttpsStatusCode":429,"userEnergy":0,"secretWord":[]}"#
            ),
        ]
        for (request, body) in requests {
            let reply = try await service.reply(to: request, fields: home + ["X-Request-Id: mine"])
            #expect(reply.status == 429)
            #expect(
                reply.text.hasPrefix(
                    #"{"lambdaInvocationHttpsStatusCode":429,"body":\#(body),"error":{"code":"request.tooMany","#),
                "\(request): \(reply)")
            #expect(reply["Retry-After"].flatMap { Int($0) }.map { (1...60).contains($0) } == true)
            #expect(reply["X-Request-Id"] == "mine")
            #expect(reply["Content-Type"] == "application/json")
        }
        let elsewhere = Self.from("203.0.113.2")
        #expect(try await service.answer(to: .singleGameEnergyUpdate(userID: user), fields: elsewhere).userEnergy == 25)
        try await service.stop()
    }

    @Test("under /v2 they get problem details, which pages of other origins may read")
    func problem() async throws {
        let service = try await Self.start([
            "limits.requestsPerAddress": "1", "web.allowedOrigins": "https://example.com",
        ])
        let newcomer = V2Client.newcomer(on: service)
        let fields = Self.from("203.0.113.1") + ["Origin: https://example.com", "X-Request-Id: mine"]
        #expect(try await newcomer.get("/v2/daily", fields: fields).status == 200)
        let reply = try await newcomer.get("/v2/daily", fields: fields)
        #expect(reply.summary == "429 too-many-requests")
        let seconds = try #require(reply["Retry-After"].flatMap { Int($0) })
        #expect((1...60).contains(seconds))
        #expect(reply.json.retryAfter == .integer(seconds))
        #expect(reply["Content-Type"] == "application/problem+json")
        #expect(reply["Access-Control-Allow-Origin"] == "https://example.com")
        #expect(reply["X-Request-Id"] == "mine")
        try await service.stop()
    }

    @Test("registrations of an address count together, in both contracts; who is registered plays on")
    func registrations() async throws {
        let service = try await Self.start(["limits.registrationsPerAddress": "2"])
        let home = Self.from("2001:db8::1")
        let user = TestService.newUser()
        #expect(try await service.answer(to: .initialRegistration(vendorID: user), fields: home).httpStatus == 200)
        let newcomer = V2Client.newcomer(on: service)
        let player = try await newcomer.ask("POST", "/v2/players", "{}", fields: home)
        #expect(player.status == 201)
        #expect(try await newcomer.post("/v2/players", "{}", fields: home).summary == "429 too-many-requests")
        let neighbour = Self.from("[2001:db8::ffff]:443")
        let unknown = TestService.newUser()
        #expect(
            try await service.answer(to: .initialRegistration(vendorID: unknown), fields: neighbour).httpStatus == 429)
        #expect(try await service.answer(to: .fetchUserWins(userID: unknown), fields: neighbour).innerStatus == 404)

        #expect(try await service.answer(to: .singleGameEnergyUpdate(userID: user), fields: home).userEnergy == 25)
        #expect(try await player.client.get("/v2/players/me", fields: home).status == 200)
        #expect(
            try await newcomer.post("/v2/players", "{}", fields: Self.from("2001:db8:0:1::1")).status == 201,
            "not theirs")
        try await service.stop()
    }

    @Test("sign-ins of an address count with new players, and one that is refused does not use the code up")
    func signIns() async throws {
        let service = try await Self.start(["limits.registrationsPerAddress": "2"])
        let home = Self.from("203.0.113.1")
        let newcomer = V2Client.newcomer(on: service)
        func body(_ reply: V2Reply) -> String { #"{"recoveryCode": "\#(reply.json.recoveryCode.text)"}"# }
        let player = try await newcomer.post("/v2/players", "{}", fields: home)
        #expect(player.status == 201)
        #expect(try await newcomer.post("/v2/sessions", #"{"recoveryCode": "x"}"#, fields: home).status == 401)
        let second = try await newcomer.post("/v2/sessions", body(player), fields: home)
        #expect(second.status == 201, "what is no code does not count")
        let refused = try await newcomer.post("/v2/sessions", body(second), fields: home)
        #expect(refused.summary == "429 too-many-requests")
        #expect(refused["Retry-After"].flatMap { Int($0) }.map { (1700...1800).contains($0) } == true)
        #expect(try await newcomer.post("/v2/players", "{}", fields: home).summary == "429 too-many-requests")
        let elsewhere = Self.from("203.0.113.2")
        #expect(try await newcomer.post("/v2/sessions", body(second), fields: elsewhere).status == 201)
        try await service.stop()
    }

    @Test("a player has one limit from all addresses and in both contracts, and others are not affected")
    func players() async throws {
        let service = try await Self.start(["limits.requestsPerPlayer": "3"])
        let user = TestService.newUser()
        #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)
        for number in 1...3 {
            let reply = try await service.reply(
                to: .fetchUserWins(userID: user), fields: Self.from("203.0.113.\(number)"))
            #expect(reply.status == 200)
        }
        #expect(
            try await service.reply(to: .fetchUserWins(userID: user), fields: Self.from("203.0.113.9")).status == 429)

        let player = try await V2Client.player(on: service)
        for number in 1...3 {
            #expect(try await player.get("/v2/players/me", fields: Self.from("203.0.113.\(number)")).status == 200)
        }
        let refused = try await player.get("/v2/players/me", fields: Self.from("203.0.113.9"))
        #expect(refused.summary == "429 too-many-requests")
        #expect(
            try await V2Client.player(on: service).get("/v2/players/me", fields: Self.from("203.0.113.9")).status == 200
        )
        try await service.stop()
    }

    @Test("wrong recovery codes count for the client, not for the proxy")
    func recoveryCodes() async throws {
        let service = try await Self.start([:])
        let newcomer = V2Client.newcomer(on: service)
        let wrong = #"{"recoveryCode": "00000-00000-00000-00000"}"#
        for number in 0..<11 {
            let reply = try await newcomer.post(
                "/v2/sessions", wrong, fields: Self.from("6.6.6.\(number), 203.0.113.1"))
            #expect(reply.status == (number < 10 ? 401 : 429))
        }
        #expect(try await newcomer.post("/v2/sessions", wrong, fields: Self.from("203.0.113.2")).status == 401)
        try await service.stop()
    }

    @Test("by default requests from this machine have no limit, and headers that name the client are not believed")
    func defaults() async throws {
        let service = try await TestService.shared(.standard)
        let user = TestService.newUser()
        #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)
        let requests = Array(repeating: GameRequest.fetchUserWins(userID: user), count: 700)
        for start in stride(from: 0, to: requests.count, by: 100) {
            let replies = try await service.replies(toAll: Array(requests[start..<start + 100]))
            #expect(replies.allSatisfy { $0.status == 200 })
        }
    }

    @Test("a proxy in front that the settings do not name is logged, once")
    func warning() async throws {
        let lines = LogLines()
        let service = try await TestService.start(
            ["limits.registrationsPerAddress": "1", "limits.exempt": ""], on: .shared(), logger: lines.logger)
        let newcomer = V2Client.newcomer(on: service)
        for status in [201, 429, 429] {
            let reply = try await newcomer.post("/v2/players", "{}", fields: Self.from("203.0.113.1"))
            #expect(reply.status == status)
        }
        #expect(lines.all.count { $0.contains("http.trustedProxies") } == 1)
        try await service.stop()
    }
}
