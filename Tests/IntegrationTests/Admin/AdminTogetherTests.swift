import Foundation
import JulietGame
import TestSupport
import Testing

/// Leagues and challenges on the admin page, over HTTP.
@Suite("Leagues and challenges on the admin page", .everyLayout)
struct AdminTogetherTests {
    private let nobody = "00000000-0000-4000-8000-000000000000"

    private func found(_ text: String, _ anna: AdminClient) async throws -> JSON {
        let escaped = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return try await anna.get("together?search=\(escaped)").json
    }

    @Test(
        "are found by name, code, member and maker; the newest without a text; no word and no code of a league is told")
    func search() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        let (ada, ben) = (
            try await V2Client.player(on: service, named: "Ada"), try await V2Client.player(on: service, named: "Ben")
        )
        let league = try await ada.createLeague("The Élan <b>Crew</b>")
        _ = try await ben.join(league.invite.text)
        let cleo = try await V2Client.player(on: service, named: "Cleo")
        for number in 0..<21 { _ = try await (number < 19 ? ben : cleo).createLeague("Room \(number)") }
        let made = try await ada.post("/v2/challenges", #"{"word": "fjord", "hard": true}"#)
        let code = made.json.challenge.code.text
        #expect(made.status == 201, "\(made)")

        let (adaID, benID) = (try await ada.me().id.text, try await ben.me().id.text)
        for text in ["élan <B>", league.id.text, league.id.text.uppercased(), league.invite.text, adaID] {
            let reply = try await found(text, anna)
            let leagues = reply.leagues.items
            try #require(leagues.map(\.id) == [league.id], "\(text)")
            #expect(leagues[0].name == league.name && leagues[0].members == 2, "\(text)")
            #expect(leagues[0].owner.text == adaID && leagues[0].ownerName == "Ada", "\(text)")
        }
        for text in [code, code.lowercased().replacing("-", with: ""), adaID] {
            let challenges = try await found(text, anna).challenges.items
            try #require(challenges.map(\.code.text) == [code], "\(text)")
            #expect(challenges[0].makerName == "Ada" && challenges[0].state == "open", "\(text)")
            #expect(challenges[0].isOwnWord == true && challenges[0].isHard == true, "\(text)")
        }
        for text in ["nobody", "%", "_", "'; DROP TABLE leagues", "AAAA-AAAA"] {
            let reply = try await found(text, anna)
            #expect(reply.leagues.items.isEmpty && reply.challenges.items.isEmpty, "\(text)")
        }
        let newest = try await anna.get("together")
        #expect(newest.json.leagues.items.map(\.name.text) == (1...20).reversed().map { "Room \($0)" })
        #expect(newest.json.hasMore == true)
        let invite = league.invite.text
        for reply in [newest, try await anna.get("league?league=\(league.id.text)")] {
            for hidden in ["fjord", invite, invite.replacing("-", with: "")] {
                #expect(!reply.description.contains(hidden), "\(hidden)")
            }
        }

        let shown = try await anna.get("league?league=\(league.id.text)").json
        #expect(shown.list.items.map(\.name.text) == ["Ada", "Ben"])
        #expect(shown.list.items.map(\.player.text) == [adaID, benID])
        for (bad, summary) in [
            ("league", "400 request-invalid"), ("league?league=x", "400 request-invalid"),
            ("league?league=\(nobody)", "404 not-found"), ("together?search=%00", "400 request-invalid"),
            ("together?search=\(String(repeating: "a", count: 129))", "400 request-invalid"),
        ] { #expect(try await anna.get(bad).summary == summary, "\(bad)") }
        try await service.stop()
    }

    @Test(
        "are ended once under a name however often it is asked, with a line in the trail; what is no reason ends nothing"
    )
    func end() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        let ada = try await V2Client.player(on: service, named: "Ada")
        let (league, other) = (try await ada.createLeague("Rude"), try await ada.createLeague("Fine"))
        let code = try await ada.post("/v2/challenges", "{}").json.challenge.code.text
        let (ends, body) = ("end?league=\(league.id.text)", #"{"reason": "rude name"}"#)
        for (path, body, summary) in [
            (ends, "{}", "400 request-invalid"), (ends, #"{"reason": " "}"#, "400 request-invalid"),
            ("end", body, "400 request-invalid"), ("end?league=x", body, "400 request-invalid"),
            ("end?challenge=x", body, "400 request-invalid"), ("end?league=\(nobody)", body, "404 not-found"),
            ("end?challenge=AAAA-AAAA", body, "404 not-found"),
        ] { #expect(try await anna.post(path, body).summary == summary, "\(path) \(body)") }
        #expect(try await anna.post(ends, body, origin: "http://evil.example").summary == "403 origin-refused")
        #expect(try await anna.with(session: .random()).post(ends, body).summary == "401 unauthorized")
        #expect(try await ada.league(league).status == 200)

        let replies = try await anna.posts(12, ends, body, name: "once")
        #expect(replies.allSatisfy { $0.status == 200 }, "\(replies)")
        #expect(replies.count { $0.json.isReplay == false } == 1)
        #expect(try await anna.post(ends, #"{"reason": "x"}"#, name: "once").summary == "422 idempotency-key-reused")
        #expect(
            try await anna.post("end?league=\(other.id.text)", body, name: "once").summary
                == "422 idempotency-key-reused")
        #expect(try await anna.post(ends, body).summary == "404 not-found")
        #expect(try await ada.league(league).status == 404)
        #expect(try await ada.league(other).status == 200, "its name was used for another league")

        let challenge = "end?challenge=\(code)"
        #expect(try await anna.post(challenge, body, name: "c").json.isReplay == false)
        #expect(try await anna.post(challenge, body, name: "c").json.isReplay == true)
        #expect(try await anna.post(challenge, body).summary == "404 not-found")
        #expect(try await ada.get("/v2/challenges/\(code)").status == 404)
        let trail = try await anna.get("trail").json.actions.items
        #expect(trail.map(\.action.text).prefix(2) == ["challenge.end", "league.end"])
        #expect(trail[0].reason == "rude name" && trail[0].actor.text.hasPrefix("anna-"))
        #expect(trail[1].details.members.int == 1 && trail[1].subject == league.id)
        try await database.expectCleanAudit()
        try await service.stop()
    }
}
