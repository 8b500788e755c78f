import TestSupport
import Testing

@Suite("What the service of /v2 offers", .defaultLayout("about the service, not the database"))
struct ServiceTests {
    @Test("it can be read without a token, and is not sent again when the ETag matches")
    func service() async throws {
        let newcomer = try await V2Client.newcomer()
        let reply = try await newcomer.get("/v2/service")
        #expect(reply.status == 200)
        #expect(
            reply.json.names == [
                "name", "passkeys", "identityProviders", "energy", "languages", "timeZone", "daysGoneBy", "leagues",
                "challenges", "anyWords",
            ])
        #expect(reply.json.name == "Juliet")
        #expect(
            reply.json.energy
                == .object([
                    "price": 5, "start": 30, "dailyReward": 5,
                    "refill": .object(["amount": 5, "every": 14400, "upTo": 30]),
                ]))
        #expect(reply.json.languages == .array([.object(["language": "en", "length": 5])]))
        #expect(reply.json.daysGoneBy == true)
        #expect(reply.json.challenges == true)
        #expect(reply.json.leagues == true)
        #expect(reply["Cache-Control"] == "private, no-cache")
        #expect(reply["Vary"] == "Authorization")
        let tag = try #require(reply["ETag"])
        let known = try await newcomer.get("/v2/service", fields: ["If-None-Match: W/\(tag)"])
        #expect(known.status == 304)
        #expect(known["ETag"] == tag)
        #expect(known.http.body.isEmpty)
        #expect(try await V2Client.player().get("/v2/service").json == reply.json)
    }

    @Test("it has the operator's settings: the name, the prices, what is switched off")
    func settings() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(
            [
                "web.title": "Wörter & mehr", "play.daysGoneBy": "off", "play.challenges": "off", "play.leagues": "off",
                "energy.price": "7", "energy.start": "40",
                "energy.refillAmount": "2", "energy.refillEvery": "90s", "energy.refillUpTo": "20",
                "energy.dailyReward": "0",
            ], on: database)
        let reply = try await V2Client.newcomer(on: service).get("/v2/service")
        #expect(reply.json.name == "Wörter & mehr")
        #expect(reply.json.daysGoneBy == false)
        #expect(reply.json.challenges == false)
        #expect(reply.json.leagues == false)
        #expect(
            reply.json.energy
                == .object([
                    "price": 7, "start": 40, "refill": .object(["amount": 2, "every": 90, "upTo": 20]),
                ]))
        let tag = try #require(reply["ETag"])
        let shared = try await V2Client.newcomer().get("/v2/service", fields: ["If-None-Match: \(tag)"])
        #expect(shared.status == 200, "another answer has another tag")
        try await service.stop()
    }
}
