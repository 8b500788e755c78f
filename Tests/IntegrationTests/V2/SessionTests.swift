import Foundation
import TestSupport
import Testing

@Suite("Sessions of /v2", .everyLayout)
struct SessionTests {
    /// A new player, and the recovery code.
    private func player(on service: TestService) async throws -> (client: V2Client, code: String) {
        let reply = try await V2Client.newcomer(on: service).post("/v2/players")
        return (reply.client, reply.json.recoveryCode.text)
    }

    private func signIn(_ code: String, on service: TestService) async throws -> V2Reply {
        try await V2Client.newcomer(on: service).post("/v2/sessions", #"{"recoveryCode": "\#(code)"}"#)
    }

    @Test("a recovery code signs another device in, once, and another code comes with the answer")
    func signIn() async throws {
        let service = try await TestService.start(on: .shared())
        let (phone, code) = try await player(on: service)
        let reply = try await signIn(code, on: service)
        #expect(reply.status == 201)
        #expect(reply.json.names == ["player", "token", "recoveryCode"])
        #expect(reply.json.player == (try await phone.me()))
        #expect(reply.json.token.text != phone.token)
        #expect(reply.json.recoveryCode.text != code)
        #expect(try await reply.client.me() == (try await phone.me()))

        #expect(try await signIn(code, on: service).summary == "401 unauthorized")
        let third = try await signIn(reply.json.recoveryCode.text, on: service)
        #expect(third.status == 201)
        #expect(try await phone.get("/v2/players/me").status == 200, "nobody is signed out by it")
        try await service.stop()
    }

    @Test("the code is read as people write it: letter case, hyphens and blanks do not matter, I and L are 1, O is 0")
    func spelling() async throws {
        let service = try await TestService.shared(.standard)
        var (_, code) = try await player(on: service)
        let spellings: [(String) -> String] = [
            { $0.lowercased() }, { $0.replacing("-", with: "") }, { " " + $0.replacing("-", with: " ") + "  " },
            { $0.map { "\($0)" }.joined(separator: "-") }, { $0.replacing("1", with: "I").replacing("0", with: "O") },
            { $0.replacing("1", with: "l").replacing("0", with: "o") },
            { $0.replacing("1", with: "L").replacing("0", with: "O") + "-" },
        ]
        for spelling in spellings {
            let reply = try await signIn(spelling(code), on: service)
            #expect(reply.status == 201, "\(reply)")
            code = reply.json.recoveryCode.text
        }
    }

    @Test("ten wrong codes in ten minutes from an address, then 429 with Retry-After; right ones do not count")
    func limit() async throws {
        let service = try await TestService.start(on: .shared())
        var (client, code) = try await player(on: service)
        for number in 0..<10 {
            let wrong = number.isMultiple(of: 2) ? "00000-00000-00000-0000\(number)" : "nonsense"
            let reply = try await signIn(wrong, on: service)
            #expect(reply.summary == "401 unauthorized", "\(number)")
            guard number < 9 else { continue }
            let right = try await signIn(code, on: service)
            #expect(right.status == 201, "after \(number + 1) wrong ones")
            code = right.json.recoveryCode.text
        }
        for attempt in ["00000-00000-00000-00000", code] {
            let reply = try await signIn(attempt, on: service)
            #expect(reply.summary == "429 too-many-requests", "whether it would be right is not looked at")
            let seconds = try #require(reply["Retry-After"].flatMap { Int($0) })
            #expect((500...600).contains(seconds))
            #expect(reply.json.retryAfter == .integer(seconds))
        }
        let broken = try await V2Client.newcomer(on: service).post("/v2/sessions", "{}")
        #expect(broken.summary == "400 request-invalid", "that is no attempt")
        #expect(broken.json.path == "")
        #expect(try await client.get("/v2/players/me").status == 200, "who is signed in does not notice")

        let other = try await TestService.start(on: .shared())
        #expect(try await signIn(code, on: other).status == 201, "the code was not used up")
        try await service.stop()
        try await other.stop()
    }

    @Test("of 50 wrong codes at the same moment ten are checked")
    func parallel() async throws {
        let service = try await TestService.start(on: .shared())
        let newcomer = V2Client.newcomer(on: service)
        let request = newcomer.request("POST", "/v2/sessions", #"{"recoveryCode": "00000-00000-00000-00000"}"#)
        let replies = try await newcomer.replies(toAll: Array(repeating: request, count: 50))
        #expect(replies.count { $0.status == 401 } == 10)
        #expect(replies.count { $0.status == 429 } == 40)
        try await service.stop()
    }

    @Test("one code at 20 devices in the same moment: one of them is signed in")
    func singleUse() async throws {
        let service = try await TestService.start(on: .shared())
        let (client, code) = try await player(on: service)
        let newcomer = V2Client.newcomer(on: service)
        let request = newcomer.request("POST", "/v2/sessions", #"{"recoveryCode": "\#(code)"}"#)
        let replies = try await newcomer.replies(toAll: Array(repeating: request, count: 20))
        #expect(replies.count { $0.status == 201 } == 1)
        #expect(try await client.get("/v2/sessions").json.sessions.items.count == 2)
        try await service.stop()
    }

    @Test("a player has 50 sessions at most: one more ends the one that was used the longest ago")
    func atMost() async throws {
        let database = try await TestDatabase.shared()
        let service = try await TestService.start(on: database)
        let (phone, code) = try await player(on: service)
        try await database.openSessions(of: phone.me().id.text)
        #expect(try await phone.get("/v2/sessions").json.sessions.items.count == 50)
        #expect(try await signIn("00000-00000-00000-00000", on: service).status == 401)
        #expect(try await phone.get("/v2/sessions").json.sessions.items.count == 50, "nothing was opened")
        let reply = try await signIn(code, on: service)
        #expect(reply.status == 201)
        let sessions = try await reply.client.get("/v2/sessions").json.sessions.items
        #expect(sessions.count == 50)
        #expect(sessions.count { $0.isCurrent == true } == 1)
        #expect(!sessions.contains { $0.by == "device7" })
        // Never the new one; of those that were used in the same hour, the one that was opened first.
        try await database.psql(
            "UPDATE sessions SET last_used_at = now() + interval '1 day' WHERE user_id = '\(phone.me().id.text)'")
        let last = try await signIn(reply.json.recoveryCode.text, on: service)
        #expect(last.status == 201)
        #expect(try await last.client.get("/v2/sessions").json.sessions.items.count == 50)
        #expect(try await phone.get("/v2/players/me").status == 200)
        try await service.stop()
    }

    @Test("a new recovery code ends the old one")
    func renew() async throws {
        let service = try await TestService.start(on: .shared())
        let (client, code) = try await player(on: service)
        for body in ["", "{}"] {
            let reply = try await client.post("/v2/players/me/recovery-code", body)
            #expect(reply.status == 201)
            #expect(reply.json.names == ["recoveryCode"])
            #expect(try await signIn(code, on: service).status == 401)
            #expect(try await signIn(reply.json.recoveryCode.text, on: service).status == 201)
        }
        try await service.stop()
    }

    @Test("sessions come newest first; lastUsedAt is cut to the hour")
    func list() async throws {
        let service = try await TestService.shared(.standard)
        let (first, code) = try await player(on: service)
        let second = try await signIn(code, on: service).client
        let list = try await second.get("/v2/sessions")
        #expect(list.status == 200)
        #expect(list.json.names == ["sessions"])
        let sessions = list.json.sessions.items
        #expect(sessions.map(\.isCurrent) == [true, false])
        #expect(sessions[0].createdAt.text > sessions[1].createdAt.text)
        for session in sessions {
            #expect(session.names == ["id", "createdAt", "lastUsedAt", "isCurrent", "by"])
            #expect((1...64).contains(session.id.text.count))
            #expect(session.lastUsedAt.text.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:00:00(\.0+)?Z/#) != nil)
            #expect(session.lastUsedAt.text.prefix(13) == session.createdAt.text.prefix(13))
        }
        #expect(try await first.get("/v2/sessions").json.sessions.items.map(\.isCurrent) == [false, true])
    }

    @Test("the hour of the last use is noted once an hour")
    func lastUsed() async throws {
        let database = try await TestDatabase.shared()
        let player = try await V2Client.player()
        let session = try await player.get("/v2/sessions").json.sessions[0]
        try await database.psql(
            "UPDATE sessions SET last_used_at = '2026-01-01 10:00Z' WHERE id = '\(session.id.text)'")
        _ = try await player.post("/v2/games")
        let used = try await player.get("/v2/sessions").json.sessions[0].lastUsedAt.text
        #expect(used > "2026-01-02")
        #expect(used.contains(":00:00"))
    }

    @Test("an ended session is refused on every node at once, and after a restart")
    func revoke() async throws {
        let database = try await TestDatabase.shared()
        let (one, two) = (try await TestService.start(on: database), try await TestService.start(on: database))
        let (phone, code) = try await player(on: one)
        let tablet = try await signIn(code, on: one).client
        #expect(try await tablet.at(two).get("/v2/players/me").status == 200)
        let sessions = try await phone.get("/v2/sessions").json.sessions.items
        let other = try #require(sessions.first { $0.isCurrent == false }).id.text

        #expect(try await phone.delete("/v2/sessions/\(other)").status == 204)
        for node in [one, two] {
            #expect(try await tablet.at(node).get("/v2/players/me").summary == "401 unauthorized")
            #expect(try await tablet.at(node).post("/v2/games").summary == "401 unauthorized")
            #expect(try await tablet.at(node).get("/v2/daily").summary == "401 unauthorized", "on public URLs too")
        }
        #expect(try await phone.at(two).delete("/v2/sessions/\(other)").summary == "404 not-found", "it is gone")
        #expect(try await phone.get("/v2/sessions").json.sessions.items.count == 1)
        try await two.stop()
        let three = try await TestService.start(on: database)
        #expect(try await tablet.at(three).get("/v2/players/me").summary == "401 unauthorized")

        #expect(try await phone.at(three).delete("/v2/sessions/current").status == 204)
        #expect(try await phone.get("/v2/players/me").summary == "401 unauthorized")
        #expect(try await phone.delete("/v2/sessions/current").summary == "401 unauthorized")
        try await one.stop()
        try await three.stop()
    }

    @Test(
        "another player's session, and what is not a session: 404",
        arguments: ["x", "00000000-0000-0000-0000-000000000000", "Current", "%00"])
    func notOwn(id: String) async throws {
        let (ann, bob) = (try await V2Client.player(), try await V2Client.player())
        let his = try await bob.get("/v2/sessions").json.sessions[0].id.text
        for id in [id, his, his.uppercased()] {
            #expect(try await ann.delete("/v2/sessions/\(id)").summary == "404 not-found")
        }
        #expect(try await bob.get("/v2/players/me").status == 200)
    }

    @Test("tokens and recovery codes are stored hashed")
    func hashed() async throws {
        let database = try await TestDatabase.shared()
        let reply = try await V2Client.newcomer().post("/v2/players")
        let code = reply.json.recoveryCode.text
        let dump = try await database.psql(
            """
            SELECT encode(token_hash, 'escape'), encode(recovery_hash, 'escape'), sessions.*, players.*
            FROM sessions JOIN players USING (user_id) WHERE user_id = '\(reply.json.player.id.text)'
            """)
        #expect(!dump.isEmpty)
        for secret in [reply.json.token.text, code, code.replacing("-", with: "")] { #expect(!dump.contains(secret)) }
    }

    @Test(
        "what is not a token, or an unknown token, is 401 wherever a token is read",
        arguments: [
            "", "x", "jt_", "Bearer", "jt_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "jt_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB", "JT_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        ])
    func wrongToken(token: String) async throws {
        let client = try await V2Client.newcomer().with(token: token)
        for path in [
            "/v2/players/me", "/v2/sessions", "/v2/games", "/v2/daily", "/v2/daily/2026-01-01", "/v2/daily/x",
            "/v2/daily/2026-01-01/leaderboard", "/v2/leaderboards/wins", "/v2/games/x", "/v2/games?limit=0",
        ] {
            #expect(try await client.get(path).summary == "401 unauthorized", "\(path)")
        }
        for path in ["/v2/games", "/v2/games/x/guesses", "/v2/games/x/resign", "/v2/daily/game"] {
            #expect(
                try await client.post(path, "not JSON").summary == "401 unauthorized", "\(path): before 400 and 404")
        }
        #expect(try await client.patch("/v2/players/me", "[]").summary == "401 unauthorized")
        #expect(try await client.delete("/v2/sessions/x").summary == "401 unauthorized")
    }

    @Test("without a token, players' URLs are 401; the day and the leaderboards are for everybody")
    func noToken() async throws {
        let client = try await V2Client.newcomer()
        for path in ["/v2/players/me", "/v2/players/me/energy", "/v2/players/me/export", "/v2/sessions", "/v2/games"] {
            #expect(try await client.get(path).summary == "401 unauthorized", "\(path)")
        }
        #expect(try await client.post("/v2/games", "not JSON").summary == "401 unauthorized")
        #expect(try await client.post("/v2/games", fields: ["Idempotency-Key: a b"]).summary == "401 unauthorized")
        for path in ["/v2/daily", "/v2/leaderboards/wins"] { #expect(try await client.get(path).status == 200) }
    }

    @Test("the scheme is Bearer in any letter case", arguments: ["Bearer", "bearer", "BEARER"])
    func scheme(name: String) async throws {
        let player = try await V2Client.player()
        let token = try #require(player.token)
        let client = player.with(token: nil)
        #expect(try await client.get("/v2/players/me", fields: ["Authorization: \(name) \(token)"]).status == 200)
        for field in ["Basic \(token)", token, "Bearer \(token) x", "Bearer \(token), Bearer \(token)"] {
            #expect(try await client.get("/v2/players/me", fields: ["Authorization: \(field)"]).status == 401)
        }
        #expect(try await client.get("/v2/players/me", fields: ["AuthToken: \(token)"]).status == 401)
    }

    @Test("API keys concern the app's URLs alone")
    func apiKeys() async throws {
        let player = try await V2Client.player(.keys)
        #expect(try await player.get("/v2/players/me").status == 200)
    }
}
