import Foundation
import JulietGame
import TestSupport
import Testing

/// What operators do about names, over HTTP.
@Suite("Names on the admin page", .everyLayout)
struct AdminNamesTests {
    private func changed(
        _ change: String, to name: String? = nil, _ id: String, _ anna: AdminClient, as key: String = UUID().uuidString
    ) async throws -> AdminReply {
        let members = #""change": "\#(change)", "reason": "rude""#
        let body = name.map { #"{\#(members), "name": "\#($0)"}"# } ?? "{\(members)}"
        return try await anna.post("name?id=\(id)", body, name: key)
    }

    private func refused(
        _ part: String, _ anna: AdminClient, change: String = "refuse", as key: String = UUID().uuidString
    ) async throws -> AdminReply {
        let escaped = try #require(part.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return try await anna.post("names?part=\(escaped)", #"{"change": "\#(change)", "reason": "rude"}"#, name: key)
    }

    @Test("a name is hidden from everybody until the player takes another one, or until support shows it again")
    func hide() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        let (ada, ben) = (
            try await V2Client.player(on: service, named: "Rude Ada"),
            try await V2Client.player(on: service, named: "Ben")
        )
        let league = try await ada.createLeague("Us")
        _ = try await ben.join(league.invite.text)
        let id = try await ada.me().id.text
        func names() async throws -> Set<String> {
            Set(try await ben.members(of: league).map(\.name.text)).subtracting(["Ben"])
        }
        var reply = try await changed("hide", id, anna)
        #expect(reply.status == 200 && reply.json.hiddenName == "Rude Ada" && reply.json.isReplay == false, "\(reply)")
        let made = reply.json.name.text
        #expect(made.wholeMatch(of: /Player \d{4}/) != nil)
        #expect(try await names() == [made])
        #expect(try await ada.me().name.text == made, "so they know, and can take another one")
        #expect(try await ada.get("/v2/players/me/export").json.hiddenName == "Rude Ada")
        #expect(try await anna.get("player?id=\(id)").json.hiddenName == "Rude Ada")
        #expect(try await changed("hide", id, anna).summary == "409 name-unchanged")

        reply = try await changed("show", id, anna)
        #expect(reply.json.name == "Rude Ada" && reply.json.hiddenName == .missing)
        #expect(try await names() == ["Rude Ada"])
        #expect(try await changed("show", id, anna).summary == "409 name-unchanged")

        _ = try await changed("hide", id, anna)
        #expect(try await ada.patch("/v2/players/me", #"{"name": "Fine Ada"}"#).json.name == "Fine Ada")
        #expect(try await names() == ["Fine Ada"])
        #expect(try await changed("show", id, anna).summary == "409 name-unchanged", "it is forgotten")
        #expect(try await ada.get("/v2/players/me/export").json.hiddenName == .missing)

        reply = try await changed("rename", to: "  Ada 2  ", id, anna)
        #expect(reply.json.name == "Ada 2")
        #expect(try await names() == ["Ada 2"])
        #expect(try await changed("rename", to: "Ada 2", id, anna).summary == "409 name-unchanged")
        for bad in ["", " ", String(repeating: "x", count: 25), "a\\u0007b"] {
            #expect(try await changed("rename", to: bad, id, anna).summary == "422 name-refused", "\(bad)")
        }
        #expect(try await changed("rename", id, anna).summary == "422 name-refused")
        #expect(try await changed("other", id, anna).summary == "400 request-invalid")
        #expect(try await changed("hide", "nobody", anna).summary == "404 not-found")
        let trail = try await anna.get("trail?id=\(id)").json.actions.items
        #expect(
            trail.map(\.action.text) == ["name.rename", "name.hide", "name.show", "name.hide"]
                && trail.allSatisfy { $0.reason == "rude" && $0.details == .missing && $0.subject == .missing },
            "the trail keeps no names")
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("each change happens once under a name, however often it is asked at the same moment")
    func once() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        let (ada, ben) = (try await V2Client.player(on: service), try await V2Client.player(on: service))
        let (id, other) = (try await ada.me().id.text, try await ben.me().id.text)
        let body = #"{"change": "hide", "reason": "rude"}"#
        var replies = try await anna.posts(12, "name?id=\(id)", body, name: "once")
        #expect(replies.allSatisfy { $0.status == 200 }, "\(replies)")
        #expect(replies.count { $0.json.isReplay == false } == 1)
        #expect(Set(replies.map(\.json.name)).count == 1)
        #expect(try await changed("hide", other, anna, as: "once").summary == "422 idempotency-key-reused")
        #expect(try await changed("show", id, anna, as: "once").summary == "422 idempotency-key-reused")
        #expect(try await database.actions(to: id) == 1)

        replies = try await anna.posts(12, "names?part=rude", #"{"change": "refuse", "reason": "x"}"#, name: "part")
        #expect(replies.allSatisfy { $0.status == 200 }, "\(replies)")
        #expect(replies.count { $0.json.isReplay == false } == 1)
        #expect(try await refused("other", anna, as: "part").summary == "422 idempotency-key-reused")
        #expect(try await database.psql("SELECT count(*) FROM admin_actions WHERE action = 'name.refuse'") == "1")
        for (path, body) in [("name?id=\(id)", body), ("names?part=x1", #"{"change": "refuse", "reason": "x"}"#)] {
            #expect(try await anna.post(path, body, origin: "http://evil.example").summary == "403 origin-refused")
            #expect(try await anna.post(path, "{}").summary == "400 request-invalid")
            #expect(try await anna.with(session: .random()).post(path, body).summary == "401 unauthorized")
        }
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("a hidden name goes with the player who is deleted or merged, and changes nothing of the other one")
    func ends() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        let (ada, ben) = (
            try await V2Client.player(on: service, named: "Adamantia"),
            try await V2Client.player(on: service, named: "Benjaminus")
        )
        for player in [ada, ben] {
            let id = try await player.me().id.text
            #expect(try await changed("hide", id, anna).status == 200)
        }
        #expect(try await ada.post("/v2/players/me/merge", #"{"token": "\#(ben.token ?? "")"}"#).status == 200)
        #expect(try await ada.get("/v2/players/me/export").json.hiddenName == "Adamantia")
        try await database.expectCleanAudit("merged")
        #expect(try await ada.delete("/v2/players/me").status == 204)
        let tables = try await database.psql(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'juliet'::regnamespace")
        for table in tables.split(separator: "\n") {
            #expect(
                try await database.psql(
                    "SELECT count(*) FROM \(table) AS t WHERE t::text ~ 'Adamantia|Benjaminus'") == "0", "\(table)")
        }
        try await database.expectCleanAudit("deleted")
        try await service.stop()
    }

    @Test("a refused name is refused when a player begins and when one is renamed, as names are compared")
    func parts() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        let ada = try await V2Client.player(on: service, named: "Scheiße 1")
        let id = try await ada.me().id.text
        #expect(try await refused(" schEISSE ", anna).json.isReplay == false)
        #expect(try await refused("Scheiße", anna).summary == "409 name-unchanged")
        #expect(try await refused("Player", anna).status == 200)
        #expect(try await anna.get("names").json.parts.items.map(\.text) == ["Player", "schEISSE"])
        #expect(try await ada.me().name == "Scheiße 1", "names that players have stay")
        for name in ["Scheiße", "so eine scheisse", "SCHÉISSE!", "ｓcheisse", "my player"] {
            let body = #"{"name": "\#(name)"}"#
            let nobody = V2Client.newcomer(on: service)
            #expect(try await nobody.post("/v2/players", body).summary == "422 name-refused", "\(name)")
            #expect(try await ada.patch("/v2/players/me", body).summary == "422 name-refused", "\(name)")
            #expect(try await changed("rename", to: name, id, anna).summary == "422 name-refused", "\(name)")
        }
        let named = try await V2Client.player(on: service).me()
        #expect(named.name.text.hasPrefix("Player "), "names that are made are not refused")
        #expect(try await changed("hide", id, anna).status == 200)
        #expect(try await changed("show", id, anna).summary == "422 name-refused")
        #expect(try await ada.patch("/v2/players/me", "{}").status == 200)
        #expect(try await refused("SCHEISSE", anna, change: "allow").status == 200)
        #expect(try await refused("SCHEISSE", anna, change: "allow").summary == "409 name-unchanged")
        #expect(try await changed("show", id, anna).json.name == "Scheiße 1")
        for bad in ["x", "é", "ß", String(repeating: "x", count: 25)] {
            #expect(try await refused(bad, anna).summary == "422 part-refused", "\(bad)")
        }
        for bad in ["", "%00", String(repeating: "x", count: 129)] {
            let reply = try await anna.post("names?part=\(bad)", #"{"change": "refuse", "reason": "x"}"#)
            #expect(reply.summary == "400 request-invalid", "\(bad)")
        }
        #expect(try await refused("ab", anna, change: "other").summary == "400 request-invalid")

        // Page by page, in their order.
        try await database.psql(
            "SELECT count(change_part('os:test', 'part' || n, true, 'why', NULL, NULL)) FROM generate_series(100, 219) AS n"
        )
        var (found, before) = ([String](), "")
        repeat {
            let page = try await anna.get("names\(before)").json
            #expect(page.parts.items.count <= 50)
            found += page.parts.items.map(\.text)
            before = page.next == .missing ? "" : "?before=\(page.next.text)"
        } while !before.isEmpty && found.count < 1000
        #expect(found == (100...219).map { "part\($0)" } + ["Player"])
        try await service.stop()
    }
}
