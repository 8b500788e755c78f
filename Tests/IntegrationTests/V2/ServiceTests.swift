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

    @Test("what is switched off is 404 at each of its URLs, for every method; elsewhere another method is 405")
    func off() async throws {
        // Every URL that the description names, but for a stream, and what else settings switch on.
        let paths = APIDocument.checkedIn.json.paths.names.subtracting(["/lottery/events"]).union([
            "/", "/c/{code}", "/docs", "/lottery", "/worker.js", "/.well-known/apple-app-site-association",
            "/.well-known/assetlinks.json",
        ])
        let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        func answers(at service: TestService) async throws -> [String: [Int]] {
            var statuses: [String: [Int]] = [:]
            for path in paths {
                let target = path.replacing(#/\{\w+\}/#, with: "1")
                for method in methods {
                    let request = "\(method) \(target) HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n"
                    let reply = try await service.exchange(Array(request.utf8), isHead: method == "HEAD")
                    statuses[path, default: []].append(reply.status)
                }
            }
            return statuses
        }
        let apps = [
            "accounts.appleApps": "TEAMID.com.example.juliet",
            "accounts.androidApps": "com.example.juliet=\(Array(repeating: "14", count: 32).joined(separator: ":"))",
        ]
        let everything = try await TestService.start(TestService.waysIn.merging(apps) { $1 }, on: .shared())
        for (path, statuses) in try await answers(at: everything) {
            // Nothing takes all methods, and whatever takes one says which.
            #expect(statuses.last == 204 && statuses.contains(405), "\(path): \(statuses)")
        }
        try await everything.stop()

        let off = try await TestService.start(
            [
                "play.daysGoneBy": "off", "play.challenges": "off", "play.leagues": "off", "energy.refillAmount": "0",
                "lottery.enabled": "false", "web.enabled": "false",
            ], on: try await TestDatabase.create())
        let exact: Set = ["/", "/docs", "/worker.js", "/v2/players/me/refill", "/v2/sessions/options", "/v2/nonces"]
        let prefixes = [
            "/c/", "/.well-known/", "/lottery", "/API/", "/v2/challenges", "/v2/leagues", "/v2/invites", "/v2/passkeys",
            "/v2/identities", "/v2/daily/days", "/v2/daily/{day}/game",
        ]
        let found = try await answers(at: off)
        let gone = found.filter { _, statuses in statuses.allSatisfy { $0 == 404 } }.keys
        #expect(
            gone.sorted()
                == paths.filter { path in exact.contains(path) || prefixes.contains { path.hasPrefix($0) } }.sorted())
        for (path, statuses) in found where !gone.contains(path) {
            #expect(statuses.last == 204 && statuses.contains(405), "\(path): \(statuses)")
        }
        try await off.stop()
    }
}
