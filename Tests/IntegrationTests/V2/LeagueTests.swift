import Foundation
import TestSupport
import Testing

@Suite("Leagues of /v2: who owns them, who is in them", .everyLayout)
struct LeagueTests {
    /// A service of its own: unknown codes count for all who come from its address.
    private func service() async throws -> (TestService, TestDatabase) {
        let database = try await TestDatabase.create()
        return (try await TestService.start(on: database), database)
    }

    /// A league and its members, the owner first.
    private func league(
        of names: [String], on service: TestService
    ) async throws -> (league: JSON, members: [V2Client]) {
        var members: [V2Client] = []
        for name in names { members.append(try await V2Client.player(on: service, named: name)) }
        let league = try await members[0].createLeague()
        for member in members.dropFirst() {
            let joined = try await member.join(league.invite.text)
            #expect(joined.status == 200, "\(joined)")
        }
        return (league, members)
    }

    private let nobody = "00000000-0000-4000-8000-000000000000"

    // MARK: Creating

    @Test("the player who creates a league owns it, and sees it as the others do, with its invite")
    func create() async throws {
        let (player, friend) = (try await V2Client.player(), try await V2Client.player())
        let created = try await player.post("/v2/leagues", #"{"name": "  The Crew \t"}"#)
        #expect(created.status == 201)
        #expect(created.json.names == ["league"])
        let league = created.json.league
        #expect(league.names == ["id", "name", "members", "isOwner", "invite", "createdAt"])
        #expect(league.name == "The Crew")
        #expect(league.members == 1)
        #expect(league.isOwner == true)
        #expect(league.invite.text.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}/) != nil)
        #expect(try await player.league(league).json == league)
        #expect(try await player.get("/v2/leagues").json == .object(["leagues": [league]]))
        #expect(try await friend.get("/v2/leagues").json == .object(["leagues": []]))
        let joined = try await friend.join(league.invite.text)
        #expect(joined.status == 200)
        #expect(joined.json.league.names == ["id", "name", "members", "isOwner", "createdAt"])
        #expect(joined.json.league.isOwner == false)
        #expect(joined.json.league.members == 2)
        #expect(try await friend.league(league).json == joined.json.league)
        #expect(try await player.league(league).json.members == 2)
    }

    @Test(
        "a name is as a player's, but of 1 to 40 characters",
        arguments: [
            (#"{}"#, "400 request-invalid"), (#"{"name": null}"#, "400 request-invalid"),
            (#"{"name": 5}"#, "400 request-invalid"), (#"{"name": ""}"#, "422 name-refused"),
            (#"{"name": " \n "}"#, "422 name-refused"), (#"{"name": "a\u0007b"}"#, "422 name-refused"),
            (#"{"name": "a\u200bb"}"#, "422 name-refused"),
            (#"{"name": "\#(String(repeating: "n", count: 41))"}"#, "422 name-refused"),
            (#"{"name": "\#(String(repeating: "n", count: 40))"}"#, "201"),
            (#"{"name": "\#(String(repeating: "e\u{301}", count: 40))"}"#, "201"), (#"{"name": "🦊"}"#, "201"),
        ])
    func names(body: String, expected: String) async throws {
        let player = try await V2Client.player()
        let reply = try await player.post("/v2/leagues", body)
        #expect(reply.summary == expected)
        if reply.status == 400 { #expect(reply.json.path == "/name") }
        if reply.status == 422 { #expect(body.count < 41 || reply.json.detail.text.contains("1 to 40")) }
        guard body != "{}", body != #"{"name": null}"# else { return }
        let league = try await player.createLeague("Other")
        let renamed = try await player.patch(V2Client.path(league), body)
        #expect(renamed.summary == (expected == "201" ? "200" : expected))
    }

    @Test("a player is in 20 leagues at most; a bad name is refused before that, and leaving a league makes room")
    func tooMany() async throws {
        let (player, other) = (try await V2Client.player(), try await V2Client.player())
        let theirs = try await other.createLeague()
        var leagues: [JSON] = []
        for number in 1...20 { leagues.append(try await player.createLeague("L\(number)")) }
        #expect(try await player.post("/v2/leagues", #"{"name": "x"}"#).summary == "409 too-many")
        #expect(try await player.post("/v2/leagues", #"{"name": ""}"#).summary == "422 name-refused")
        #expect(try await player.join(theirs.invite.text).summary == "409 too-many")
        #expect(try await player.join(leagues[3].invite.text).json.league == leagues[3], "a member already")
        #expect(try await player.get("/v2/leagues").json.leagues.items == leagues)
        #expect(try await player.delete(V2Client.path(leagues[0])).status == 204)
        #expect(try await player.join(theirs.invite.text).status == 200)
        #expect(try await player.get("/v2/leagues").json.leagues.items.map(\.name.text).last == "Us", "by joining")
    }

    @Test("under a key a league is created once, and answered as it was first; so are refusals")
    func keys() async throws {
        let player = try await V2Client.player()
        let key = ["Idempotency-Key: league-1"]
        let first = try await player.post("/v2/leagues", #"{"name": "Us"}"#, fields: key)
        #expect(first.status == 201)
        #expect(!first.isReplay)
        #expect(try await player.patch(V2Client.path(first.json.league), #"{"name": "Them"}"#).status == 200)
        for body in [#"{"name": "Us"}"#, #"{ "name":"\u0055s", "x": 1}"#] {
            let again = try await player.post("/v2/leagues", body, fields: key)
            #expect(again.status == 201)
            #expect(again.isReplay)
            #expect(again.json == first.json)
        }
        #expect(try await player.get("/v2/leagues").json.leagues.items.count == 1)
        let other = try await player.post("/v2/leagues", #"{"name": "Other"}"#, fields: key)
        #expect(other.summary == "422 idempotency-key-reused")
        #expect(try await player.post("/v2/games", "{}", fields: key).summary == "422 idempotency-key-reused")
        #expect(try await player.delete(V2Client.path(first.json.league)).status == 204)
        #expect(try await player.post("/v2/leagues", #"{"name": "Us"}"#, fields: key).json == first.json)

        let refused = try await player.post("/v2/leagues", #"{"name": ""}"#, fields: ["Idempotency-Key: l-2"])
        let refusedAgain = try await player.post("/v2/leagues", #"{"name": ""}"#, fields: ["Idempotency-Key: l-2"])
        #expect(refused.summary == "422 name-refused")
        #expect(refusedAgain.summary == "422 name-refused")
        #expect(!refused.isReplay && refusedAgain.isReplay)
        var last = JSON.missing
        for _ in 1...20 { last = try await player.createLeague() }
        let full = ["Idempotency-Key: l-3"]
        #expect(try await player.post("/v2/leagues", #"{"name": "x"}"#, fields: full).summary == "409 too-many")
        #expect(try await player.delete(V2Client.path(last)).status == 204)
        #expect(try await player.post("/v2/leagues", #"{"name": "x"}"#, fields: full).summary == "409 too-many")
        #expect(try await player.post("/v2/leagues", #"{"name": "x"}"#).status == 201)
    }

    // MARK: The owner's

    @Test("only the owner changes a league: a member is refused before a name is looked at, others know of none")
    func owners() async throws {
        let service = try await TestService.shared(.standard)
        let (league, members) = try await league(of: ["Ann", "Bob"], on: service)
        let stranger = try await V2Client.player()
        let path = V2Client.path(league)
        for (method, path, body) in [
            ("PATCH", path, #"{"name": "New"}"#), ("PATCH", path, #"{"name": ""}"#), ("PATCH", path, "{}"),
            ("POST", path + "/invite", ""), ("DELETE", path, ""),
        ] {
            #expect(try await members[1].ask(method, path, body).summary == "403 not-owner", "\(method) \(path)")
            #expect(try await stranger.ask(method, path, body).summary == "404 not-found", "\(method) \(path)")
        }
        for path in [path, path + "/members", path + "/table"] {
            #expect(try await stranger.get(path).summary == "404 not-found")
        }
        for id in ["x", nobody, league.id.text.uppercased()] {
            for (method, rest, body) in [
                ("GET", "", ""), ("PATCH", "", #"{"name": "New"}"#), ("DELETE", "", ""), ("POST", "/invite", ""),
                ("GET", "/members", ""), ("GET", "/table", ""), ("DELETE", "/members/me", ""),
            ] {
                let reply = try await members[0].ask(method, "/v2/leagues/\(id)\(rest)", body)
                #expect(reply.summary == "404 not-found", "\(method) \(id)\(rest)")
            }
        }
        #expect(try await members[0].league(league).json.name == "Us")

        let unchanged = try await members[0].league(league).json
        #expect(try await members[0].patch(path, "{}").json == unchanged)
        let renamed = try await members[0].patch(path, #"{"name": "New"}"#)
        #expect(renamed.status == 200)
        #expect(renamed.json.name == "New")
        #expect(renamed.json.invite == league.invite)
        #expect(try await members[1].league(league).json.name == "New")
        #expect(try await members[0].patch(path, #"{"name": ""}"#).summary == "422 name-refused")

        #expect(try await members[0].delete(path).status == 204)
        for member in members {
            #expect(try await member.league(league).summary == "404 not-found")
            #expect(try await member.get("/v2/leagues").json.leagues.items == [])
        }
        #expect(try await members[0].delete(path).summary == "404 not-found")
    }

    @Test("a new invite ends the old one, and is read however it is written, by everybody")
    func invites() async throws {
        let (service, _) = try await service()
        let (league, members) = try await league(of: ["Ann", "Bob"], on: service)
        let newcomer = V2Client.newcomer(on: service)
        let old = league.invite.text
        let expected = JSON.object(["league": .object(["name": "Us", "members": 2])])
        #expect(try await newcomer.get("/v2/invites/\(old)").json == expected)
        #expect(try await members[1].get("/v2/invites/\(old)").json == expected)
        let written = old.lowercased().replacing("1", with: "l").replacing("0", with: "o").replacing("-", with: "%20")
        #expect(try await newcomer.get("/v2/invites/\(written)").json == expected)
        #expect(try await newcomer.with(token: "jt_x").get("/v2/invites/\(old)").summary == "401 unauthorized")

        let renewed = try await members[0].post(V2Client.path(league, "/invite"))
        #expect(renewed.status == 201)
        #expect(renewed.json.names == ["invite"])
        #expect(renewed.json.invite != league.invite)
        #expect(try await members[0].league(league).json.invite == renewed.json.invite)
        #expect(try await newcomer.get("/v2/invites/\(old)").summary == "404 not-found")
        #expect(try await V2Client.player(on: service).join(old).summary == "404 not-found")
        #expect(try await newcomer.get("/v2/invites/\(renewed.json.invite.text)").json == expected)
        #expect(try await V2Client.player(on: service).join(renewed.json.invite.text).status == 200)
        try await service.stop()
    }

    // MARK: Joining

    @Test("joining is refused for an unknown invite, a member, 20 leagues, 100 members, in this order")
    func order() async throws {
        let (service, database) = try await service()
        let owner = try await V2Client.player(on: service, named: "Ann")
        let league = try await owner.createLeague()
        let busy = try await V2Client.player(on: service)
        for _ in 1...20 { _ = try await busy.createLeague() }
        let member = try await V2Client.player(on: service)
        #expect(try await member.join(league.invite.text).status == 200)
        try await database.psql(
            """
            INSERT INTO league_members (league_id, id, user_id, joined_at)
            SELECT '\(league.id.text)', gen_random_uuid(), 'filler ' || i, now() FROM generate_series(1, 98) AS i
            """)
        for client in [busy, member, try await V2Client.player(on: service)] {
            #expect(try await client.join("0000-0000").summary == "404 not-found")
            #expect(try await client.join("nothing").summary == "404 not-found")
            #expect(try await client.post("/v2/leagues/join", "{}").json.path == "/invite")
            #expect(try await client.post("/v2/leagues/join", #"{"invite": 5}"#).summary == "400 request-invalid")
        }
        #expect(try await busy.join(league.invite.text).summary == "409 too-many")
        #expect(try await member.join(league.invite.text).json.league.members == 100)
        #expect(try await V2Client.player(on: service).join(league.invite.text).summary == "409 league-full")
        let get = try await member.get("/v2/leagues/join")
        #expect(get.summary == "405 method-not-allowed")
        #expect(get["Allow"]?.contains("POST") == true)
        try await service.stop()
    }

    @Test("thirty unknown invites in ten minutes, and every code is 429 from there; one that exists never counts")
    func unknownCodes() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(["http.trustedProxies": "127.0.0.1"], on: database)
        let (league, members) = try await league(of: ["Ann", "Bob"], on: service)
        let newcomer = V2Client.newcomer(on: service)
        let (here, there) = (["X-Forwarded-For: 203.0.113.5"], ["X-Forwarded-For: 203.0.113.6"])
        let known = "/v2/invites/\(league.invite.text)"
        for _ in 1...40 { #expect(try await newcomer.get(known, fields: here).status == 200) }
        for number in 1...10 {
            #expect(try await newcomer.get("/v2/invites/AAAA-000\(number % 10)", fields: here).status == 404)
            #expect(try await newcomer.get("/v2/invites/x", fields: here).status == 404)
            let body = #"{"invite": "BBBB-000\#(number % 10)"}"#
            #expect(try await members[1].post("/v2/leagues/join", body, fields: here).status == 404)
        }
        let refused = try await newcomer.get(known, fields: here)
        #expect(refused.summary == "429 too-many-requests")
        #expect((1...600).contains(Int(try #require(refused["Retry-After"])) ?? 0))
        let join = #"{"invite": "\#(league.invite.text)"}"#
        #expect(try await members[1].post("/v2/leagues/join", join, fields: here).status == 429)
        #expect(try await newcomer.get(known, fields: there).status == 200)
        #expect(try await members[1].post("/v2/leagues/join", join, fields: there).status == 200)
        try await service.stop()
    }

    // MARK: Members

    @Test("members are listed by joining; what names one is the membership, not the player")
    func members() async throws {
        let service = try await TestService.shared(.standard)
        let (league, members) = try await league(of: ["Ann", "Bob", "Cid"], on: service)
        let listed = try await members[1].members(of: league)
        #expect(listed.map(\.name.text) == ["Ann", "Bob", "Cid"])
        #expect(listed.map(\.isOwner) == [true, .missing, .missing])
        #expect(listed.map(\.isMe) == [.missing, true, .missing])
        #expect(listed[2].names == ["id", "name", "joinedAt"])
        #expect(listed[0].joinedAt == league.createdAt)
        #expect(listed.map(\.joinedAt.text) == listed.map(\.joinedAt.text).sorted())
        var ids = Set(listed.map(\.id.text))
        for member in members { ids.insert(try await member.me().id.text) }
        #expect(ids.count == 6)
        let other = try await members[0].createLeague("Other")
        #expect(try await members[0].members(of: other)[0].id != listed[0].id)
        #expect(try await members[1].patch("/v2/players/me", #"{"name": "Bea"}"#).status == 200)
        #expect(try await members[0].members(of: league).map(\.name.text) == ["Ann", "Bea", "Cid"])
    }

    @Test("a member leaves; the owner removes anybody; the others are refused, and an unknown one is not found")
    func leaving() async throws {
        let (service, _) = try await service()
        let (league, members) = try await league(of: ["Ann", "Bob", "Cid", "Dan", "Eve"], on: service)
        let ids = try await members[0].members(of: league).map(\.id.text)
        func path(_ member: String) -> String { V2Client.path(league, "/members/\(member)") }
        for other in [ids[0], ids[2]] {
            #expect(try await members[1].delete(path(other)).summary == "403 not-owner")
        }
        for unknown in ["x", nobody, try await members[2].me().id.text] {
            for member in [members[0], members[1]] {
                #expect(try await member.delete(path(unknown)).summary == "404 not-found")
            }
        }
        let stranger = try await V2Client.player(on: service)
        #expect(try await stranger.delete(path(ids[1])).summary == "404 not-found")
        #expect(try await stranger.delete(path("me")).summary == "404 not-found")
        #expect(try await members[0].members(of: league).count == 5)

        // Who leaves changes nothing for the others.
        #expect(try await members[1].delete(path("me")).status == 204)
        #expect(try await members[1].league(league).summary == "404 not-found")
        #expect(try await members[1].delete(path("me")).summary == "404 not-found")
        #expect(try await members[2].delete(path(ids[2])).status == 204)
        #expect(try await members[0].league(league).json.invite == league.invite)
        // Who comes back is a new member.
        #expect(try await members[1].join(league.invite.text).status == 200)
        let listed = try await members[0].members(of: league)
        #expect(listed.map(\.name.text) == ["Ann", "Dan", "Eve", "Bob"])
        #expect(listed[3].id.text != ids[1])

        // Whoever is removed knows no invite any more.
        #expect(try await members[0].delete(path(ids[3])).status == 204)
        #expect(try await members[3].league(league).summary == "404 not-found")
        let renewed = try await members[0].league(league).json.invite
        #expect(renewed != league.invite)
        #expect(try await members[3].join(league.invite.text).summary == "404 not-found")

        // The longest member is the next owner.
        #expect(try await members[0].delete(path("me")).status == 204)
        let inherited = try await members[4].league(league).json
        #expect(inherited.isOwner == true)
        #expect(inherited.invite != renewed && inherited.invite != .missing)
        #expect(try await members[1].league(league).json.isOwner == false)
        #expect(try await members[4].members(of: league).map(\.isOwner) == [true, .missing])
        #expect(try await members[4].patch(V2Client.path(league), #"{"name": "Eve's"}"#).status == 200)

        // With the last one it ends.
        #expect(try await members[1].delete(path("me")).status == 204)
        #expect(try await members[4].delete(path("me")).status == 204)
        #expect(try await members[4].league(league).summary == "404 not-found")
        #expect(
            try await V2Client.newcomer(on: service).get("/v2/invites/\(inherited.invite.text)").summary
                == "404 not-found")
        try await service.stop()
    }

    @Test("players who are deleted leave: the next one owns the league, under a new invite; alone they end it")
    func deletion() async throws {
        let (service, database) = try await service()
        let (league, members) = try await league(of: ["Ann", "Bob", "Cid"], on: service)
        let alone = try await members[0].createLeague("Mine")
        #expect(try await members[0].delete("/v2/players/me").status == 204)
        #expect(try await members[1].members(of: league).map(\.name.text) == ["Bob", "Cid"])
        let owned = try await members[1].league(league).json
        #expect(owned.isOwner == true)
        #expect(owned.invite != .missing && owned.invite != league.invite)
        #expect(try await members[2].delete("/v2/players/me").status == 204)
        #expect(try await members[1].league(league).json.invite == owned.invite)
        #expect(try await members[1].league(league).json.members == 1)
        #expect(try await database.psql("SELECT count(*) FROM leagues WHERE id = '\(alone.id.text)'") == "0")
        #expect(try await members[1].delete("/v2/players/me").status == 204)
        let left = try await database.psql(
            """
            SELECT (SELECT count(*) FROM leagues) + (SELECT count(*) FROM league_members)
                + (SELECT count(*) FROM daily_results)
            """)
        #expect(left == "0")
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("the export has the memberships, by joining")
    func export() async throws {
        let service = try await TestService.shared(.standard)
        let (league, members) = try await league(of: ["Ann", "Bob"], on: service)
        let own = try await members[1].createLeague("Mine")
        let exported = try await members[1].get("/v2/players/me/export").json.leagues.items
        let joined = try await members[1].members(of: league)[1]
        #expect(exported.count == 2)
        #expect(
            exported[0]
                == .object([
                    "id": league.id, "name": "Us", "isOwner": false, "member": joined.id, "joinedAt": joined.joinedAt,
                ]))
        #expect(exported[1].id == own.id)
        #expect(exported[1].isOwner == true)
        #expect(try await V2Client.player().get("/v2/players/me/export").json.leagues.items == [])
    }

    // MARK: Switched off

    @Test("play.leagues=off: its URLs are 404 for everybody, and the leagues stay as they are")
    func off() async throws {
        let (on, database) = try await service()
        let off = try await TestService.start(["play.leagues": "off"], on: database)
        let (league, members) = try await league(of: ["Ann", "Bob"], on: on)
        let ours = members[0].at(off)
        for client in [ours, V2Client.newcomer(on: off), ours.with(token: "x")] {
            for (method, path) in [
                ("GET", "/v2/leagues"), ("POST", "/v2/leagues"), ("GET", V2Client.path(league)),
                ("PATCH", V2Client.path(league)), ("DELETE", V2Client.path(league)), ("POST", "/v2/leagues/join"),
                ("GET", "/v2/leagues/join"), ("POST", V2Client.path(league, "/invite")),
                ("GET", V2Client.path(league, "/members")), ("DELETE", V2Client.path(league, "/members/me")),
                ("GET", V2Client.path(league, "/table")), ("GET", "/v2/invites/\(league.invite.text)"),
            ] {
                #expect(try await client.ask(method, path).summary == "404 not-found", "\(method) \(path)")
            }
        }
        let description = try await off.exchange(Array("GET /openapi.json HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
        for name in ["/v2/leagues", "/invites", "joinLeague", "LeagueTable"] {
            #expect(!description.text.contains(name))
        }
        #expect(try await ours.get("/v2/service").json.leagues == false)
        #expect(try await ours.get("/v2/players/me/export").json.leagues[0].id == league.id)
        #expect(try await members[1].league(league).json.members == 2)
        #expect(try await members[0].at(off).delete("/v2/players/me").status == 204)
        #expect(try await members[1].league(league).json.isOwner == true)
        try await off.stop()
        try await on.stop()
    }
}
