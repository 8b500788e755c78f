import Foundation
import JulietGame
import Postgres
import TestSupport
import Testing

/// The admin page over HTTP, as browsers and others ask it.
@Suite("The admin page", .everyLayout)
struct AdminPageTests {
    private static let paths = [
        "session", "players?search=a", "player?id=x", "ledger?id=x", "games?id=x", "words",
        "word?language=en&word=crane", "names",
        "together", "league?league=00000000-0000-4000-8000-000000000000", "figures", "live", "trail",
    ]

    @Test("without any key there is no page; then it asks for one, and without a session nothing else is answered")
    func doors() async throws {
        let database = try await TestDatabase.create()
        let port = UInt16(try Command.freePort())
        let service = try await TestService.start(["admin.port": "\(port)"], on: database)
        let nobody = AdminClient(port: port, session: nil)
        var page = try await nobody.page()
        #expect(page.status == 404)
        #expect(
            page.text
                == "The admin page is off, because there is no key yet. Make one: juliet admin keys add NAME --role owner\n"
        )
        #expect(try await nobody.signIn(AdminKey.random().text).status == 401)

        let key = try await database.addAdminKey("anna")
        page = try await nobody.page()
        #expect(page.status == 200 && page.text.contains("admin.js") && page["Set-Cookie"] == nil)
        #expect(page["Cache-Control"] == "no-store")
        for path in Self.paths {
            let reply = try await nobody.get(path)
            #expect(reply.summary == "401 unauthorized", "\(path)")
            #expect(reply.http["WWW-Authenticate"] == "Bearer")
        }
        for client in [nobody, nobody.with(session: .random())] {
            #expect(try await client.get("session").summary == "401 unauthorized")
            #expect(try await client.post("energy?id=x", "{").summary == "401 unauthorized")
            #expect(try await client.post("word", "", origin: "http://evil.example").summary == "401 unauthorized")
            #expect(try await client.send("DELETE", "session", "").summary == "401 unauthorized")
        }
        // The key itself is no session.
        #expect(try await nobody.get("session", fields: ["Authorization: Bearer \(key.text)"]).status == 401)
        #expect(try await nobody.get("session", fields: ["Cookie: juliet_admin=\(key.text)"]).status == 401)
        for file in ["admin.js", "admin-sign-in.js", "dom.js", "admin.css"] {
            #expect(try await nobody.page("/admin/pages/\(file)").status == 200, "\(file)")
        }
        #expect(try await nobody.page("/admin/")["Location"] == "/admin")
        let anna = try await nobody.with(key: key)
        #expect(try await anna.get("session").json == .object(["name": .string("anna"), "role": .string("owner")]))
        #expect(try await service.exchange(Array("GET /admin HTTP/1.1\r\nHost: h\r\n\r\n".utf8)).status == 404)

        try await database.revokeAdminKey("anna")
        #expect(try await anna.get("session").summary == "401 unauthorized")
        #expect(try await anna.page().status == 404)
        try await service.stop()
    }

    @Test("signing in gives a new session each time: in the answer, and over HTTPS in a cookie that no script sees")
    func signingIn() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        let nobody = anna.with(session: nil)
        let key = try await database.addAdminKey("ben").text
        var reply = try await nobody.signIn(" \(key) ")
        let text = try JSON(reply.body).session.text
        let session = try #require(AdminSession(text), "\(reply)")
        #expect(reply.status == 200 && reply["Set-Cookie"] == nil && reply["Cache-Control"] == "no-store")
        #expect(!reply.text.contains(key))
        #expect(try await nobody.with(session: session).get("session").json.name == "ben")
        let again = try await nobody.with(key: try #require(AdminKey(key)))
        #expect(again.session != session)

        reply = try await nobody.signIn(key, origin: "https://127.0.0.1:\(anna.port)")
        #expect(reply.status == 200 && reply.text == "{}")
        let cookie = try #require(reply["Set-Cookie"])
        let form = /(__Host-juliet_admin=[0-9a-f]{64}); Path=\/; Secure; HttpOnly; SameSite=Strict/
        let kept = try #require(cookie.wholeMatch(of: form), "\(cookie)").1
        let sent = "Cookie: theme=dark; \(kept)"
        #expect(try await nobody.get("session", fields: [sent]).json.name == "ben")
        // What a proxy asks for itself is no session.
        let basic = [sent, "Authorization: Basic YW5uYTpzZWNyZXQ="]
        #expect(try await nobody.get("session", fields: basic).json.name == "ben")

        for origin in [
            "http://127.0.0.1:1", "null", "http://evil.example", "https://127.0.0.1:\(anna.port).evil.example",
        ] {
            reply = try await nobody.signIn(key, origin: origin)
            #expect(reply.status == 403 && !reply.text.contains("session"), "\(origin)")
        }
        let malformed = try await nobody.post("session", #"{"key": 5}"#)
        #expect(malformed.summary == "400 request-invalid")
        try await service.stop()
    }

    @Test(
        "signing out ends the session at the service, and no other; a session ends after twelve hours, and is forgotten"
    )
    func signingOut() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        let key = try await database.addAdminKey("ben")
        let (one, other) = (try await anna.with(key: key), try await anna.with(key: key))
        let foreign = try await one.send("DELETE", "session", "", origin: "http://evil.example")
        #expect(foreign.summary == "403 origin-refused")
        #expect(try await one.get("session").status == 200)
        let reply = try await one.send("DELETE", "session", "")
        #expect(reply.status == 200 && reply.http["Set-Cookie"] == nil)
        #expect(try await one.get("session").summary == "401 unauthorized")
        #expect(try await other.get("session").status == 200)

        let secure = "https://127.0.0.1:\(anna.port)"
        let nobody = anna.with(session: nil)
        let signedIn = try await nobody.signIn(key.text, origin: secure)
        let cookie = try #require(signedIn["Set-Cookie"]?.split(separator: ";").first)
        let gone = "__Host-juliet_admin=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0"
        for status in [200, 401] {
            let reply = try await nobody.send("DELETE", "session", "", origin: secure, fields: ["Cookie: \(cookie)"])
            #expect(reply.status == status && reply.http["Set-Cookie"] == gone, "\(reply)")
        }

        #expect(
            try await database.psql(
                "SELECT bool_and(ends_at BETWEEN now() + interval '11 hours' AND now() + interval '12 hours') FROM admin_sessions"
            ) == "t")
        try await database.psql("UPDATE admin_sessions SET ends_at = now()")
        #expect(try await anna.get("session").summary == "401 unauthorized")
        #expect(try await other.get("live").summary == "401 unauthorized")
        _ = try await nobody.with(key: key)
        #expect(try await database.psql("SELECT count(*) FROM admin_sessions") == "1")
        try await service.stop()
    }

    @Test(
        "after ten wrong keys and sessions an address has tried too many; right ones are let in whatever came before them"
    )
    func guessing() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        let nobody = anna.with(session: nil)
        let key = try await database.addAdminKey("ben").text
        for wrong in [AdminKey.random().text, "", "x", key.uppercased(), key + "0", String(key.dropLast())] {
            let reply = try await nobody.signIn(wrong)
            #expect(reply.status == 401 && reply.text.contains("That key is not valid"), "\(wrong)")
        }
        for _ in 0..<20 { #expect(try await nobody.signIn(key).status == 200, "right ones do not count") }
        for _ in 0..<4 {
            #expect(try await nobody.with(session: .random()).get("session").summary == "401 unauthorized")
        }
        #expect(try await nobody.with(session: .random()).get("session").summary == "429 too-many-requests")
        let reply = try await nobody.signIn("x")
        #expect(reply.status == 429 && Int(reply["Retry-After"] ?? "") ?? 0 > 500, "\(reply)")
        #expect(
            reply.text.contains(
                "That key is not valid, or was revoked. This address has sent ten that were not valid. A valid key is still accepted."
            ))
        #expect(try await nobody.signIn(key).status == 200)
        #expect(try await anna.get("session").status == 200)
        try await service.stop()
    }

    @Test("the port answers to addresses, to its own names and to those of the setting, and to no other site's")
    func names() async throws {
        let port = UInt16(try Command.freePort())
        let service = try await TestService.start(
            ["admin.port": "\(port)", "admin.names": "juliet, Admin.example.com"], on: .shared())
        let nobody = AdminClient(port: port, session: nil)
        for host in [
            "127.0.0.1:\(port)", "[::1]", "192.0.2.7:1", "localhost:\(port)", "juliet:9090", "admin.example.com",
        ] {
            for path in ["/metrics", "/live"] {
                #expect(try await nobody.page(path, host: host).status == 200, "\(host) \(path)")
            }
        }
        for host in ["evil.example:\(port)", "example.com", "127.0.0.1.evil.example"] {
            for path in ["/metrics", "/live", "/ready", "/health", "/admin", "/admin/pages/admin.js", "/nowhere"] {
                let reply = try await nobody.page(path, host: host)
                #expect(
                    reply.status == 421
                        && reply.text
                            == "The service does not answer to the name in Host: add it to admin.names, or use the IP address.\n",
                    "\(host) \(path)")
            }
            let problem = try await nobody.page("/admin/api/session", host: host)
            #expect(try JSON(problem.body).code == "misdirected-request", "\(host)")
        }
        try await service.stop()
    }

    @Test("players are found by id, by account, and by any part of a name in any letter case; each is shown")
    func search() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database, settings: ["players.claims": "allow"])
        let app = "B1F6 ä/..?&+%"
        try await database.psql("SELECT register_user('\(app)', NULL, NULL), register_user('claimed', NULL, NULL)")
        let zoe = try await V2Client.player(on: service, named: "Élodie <b>&amp;")
        let claimer = try await V2Client.newcomer(on: service).post("/v2/players", #"{"claim": "claimed"}"#)
        for index in 0..<23 { _ = try await V2Client.player(on: service, named: "Many \(index + 10)") }
        func found(_ text: String) async throws -> [JSON] {
            let escaped = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            return try await anna.get("players?search=\(escaped)").json.players.items
        }
        var players = try await found(app)
        #expect(players.map(\.id.text) == [app] && players[0].matched == "id" && players[0].name == .missing)
        players = try await found("éLO")
        #expect(players.map(\.name.text) == ["Élodie <b>&amp;"] && players[0].matched == "name")
        #expect(try await found("claimed").map(\.id) == [claimer.json.player.id])
        #expect(try await found("claimed")[0].matched == "account")
        #expect(try await found("B1F6").isEmpty, "an id has to be whole")
        #expect(try await found("LODI").map(\.name.text) == ["Élodie <b>&amp;"])
        for text in ["%", "_", "Élodie <b>&amp;x", "'; DROP TABLE users"] {
            #expect(try await found(text).isEmpty, "\(text)")
        }
        let many = try await anna.get("players?search=many").json
        #expect(many.players.items.map(\.name.text) == (10..<30).map { "Many \($0)" } && many.next != .missing)

        let me = try await zoe.me()
        let player = try await anna.get("player?id=\(me.id.text)").json
        #expect(player.name == me.name && player.energy == me.energy && player.statistics == me.statistics)
        #expect(player.sessions.int == 1 && player.lastUsedAt.text.hasSuffix(":00:00.000000Z"))
        #expect(try await anna.get("player?id=\(claimer.json.player.id.text)").json.account == "claimed")
        #expect(try await anna.get("player?id=claimed").summary == "404 not-found")
        for bad in [
            "players?search=%00", "players?before=c", "player?id=a&id=b", "player?id=%ff", "trail?before=x",
            "players?search=a&before=x", "players?search=a&before=b/zz/x",
        ] {
            #expect(try await anna.get(bad).summary == "400 request-invalid", "\(bad)")
        }
        try await service.stop()
    }

    @Test("ledger and games come in pages, and the word of a running game is told nowhere")
    func pages() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        let player = try await V2Client.player(on: service)
        let id = try await player.me().id.text
        try await database.psql(
            "SELECT change_energy('\(id)', 5, 'support', 'x', NULL, NULL) FROM generate_series(1, 120)")
        let ended = try await player.end(player.start(), in: 2, of: database)
        let running = try await player.start()
        try await database.setWord("fjord", of: running)
        _ = try await player.guess("crane", in: running)

        var entries: [Int] = []
        var path = "ledger?id=\(id)"
        while true {
            let page = try await anna.get(path).json
            entries += page.entries.items.map(\.entry.int)
            guard page.next.int > 0 else { break }
            path = "ledger?id=\(id)&before=\(page.next.int)"
        }
        #expect(entries == (1...123).reversed())
        let newest = try await anna.get("ledger?id=\(id)").json.entries
        #expect(newest[0].reference == running.id && newest[0].reason == "game" && newest[0].delta.int == -5)

        let games = try await anna.get("games?id=\(id)")
        #expect(games.json.games.items.map(\.state.text) == ["playing", "won"])
        #expect(games.json.games[0].guesses == "crane" && games.json.games[0].secret == .missing)
        #expect(games.json.games[1].secret == ended.secret && games.json.games[1].marks.text.hasSuffix("ccccc"))
        for path in ["player?id=\(id)", "ledger?id=\(id)", "games?id=\(id)", "trail?id=\(id)", "players?search=\(id)"] {
            #expect(!(try await anna.get(path)).description.contains("fjord"), "\(path)")
        }
        // A game of the app: the word it was dealt may be played just now. It is the only secret left, since others are
        // words of the answer itself: delta, entry.
        let app = TestService.newUser()
        try await database.psql(
            """
            UPDATE words SET retired_at = now() WHERE word <> 'fjord'; SELECT refresh_word_lists();
            SELECT register_user('\(app)', NULL, NULL), start_game('\(app)', 'en', 5, NULL, NULL)
            """)
        let ledger = try await anna.get("ledger?id=\(app)")
        #expect(ledger.json.entries[0].reason == "game" && !ledger.description.contains("fjord"))
        try await service.stop()
    }

    @Test("twenty grants at once under one name are one, in ledger and trail; an invalid one changes nothing")
    func grants() async throws {
        let database = try await TestDatabase.create()
        let lines = LogLines()
        let (service, anna) = try await AdminClient.start(on: database, lines: lines)
        let user = TestService.newUser()
        try await database.psql("SELECT register_user('\(user)', NULL, NULL)")
        let reason = #"<script>alert(1)</script> \"ticket\" 17"#
        let replies = try await anna.posts(
            20, "energy?id=\(user)", #"{"amount": 30, "reason": "\#(reason)"}"#, name: "once")
        #expect(replies.allSatisfy { $0.status == 200 && $0.json.balance.int == 60 })
        #expect(replies.count { $0.json.isReplay == .boolean(false) } == 1)
        #expect(try await database.actions(to: user) == 1)
        let action = try await anna.get("trail?id=\(user)").json.actions[0]
        #expect(action.reason.text == #"<script>alert(1)</script> "ticket" 17"# && action.actor.text.hasPrefix("anna-"))
        #expect(action.details.amount.int == 30 && action.player.text == user)
        #expect(try await anna.get("ledger?id=\(user)").json.entries[0].reference == action.reason)

        let path = "energy?id=\(user)"
        for (body, summary) in [
            (#"{"amount": 30, "reason": "another"}"#, "422 idempotency-key-reused"),
            (#"{"amount": 0, "reason": "x"}"#, "400 request-invalid"),
            (#"{"amount": 1000001, "reason": "x"}"#, "400 request-invalid"),
            (#"{"amount": 5.5, "reason": "x"}"#, "400 request-invalid"),
            (#"{"amount": 5, "reason": " "}"#, "400 request-invalid"),
            (#"{"amount": 5}"#, "400 request-invalid"), ("[]", "400 request-invalid"),
            (#"{"amount": 5, "reason": "\u0000"}"#, "400 request-invalid"),
        ] { #expect(try await anna.post(path, body, name: "once").summary == summary, "\(body)") }
        let body = #"{"amount": 5, "reason": "x"}"#
        #expect(try await anna.post(path, body, name: "a b").summary == "400 request-invalid")
        #expect(try await anna.post(path, body, origin: "http://evil.example").summary == "403 origin-refused")
        #expect(try await anna.post(path, body, origin: "null").summary == "403 origin-refused")
        #expect(try await anna.post("energy?id=nobody", body).summary == "404 not-found")
        #expect(try await anna.post(path, body, name: "full").json.balance.int == 65)
        try await database.psql("SELECT change_energy('\(user)', 2147483582, 'support', 'x', NULL, NULL)")
        #expect(try await anna.post(path, body).summary == "409 energy-full")
        #expect(try await database.actions(to: user) == 2)
        #expect(try await database.ledgerFaults() == "")

        let session = try #require(anna.session).text
        #expect(lines.details.contains { $0.contains("/admin/api/energy") && $0.contains("403") })
        for hidden in [session, String(session.dropFirst(13)), user, "ticket", "anna-", "once"] {
            #expect(!lines.details.contains { $0.contains(hidden) }, "\(hidden)")
        }
        let metrics = try await anna.page("/metrics").text
        #expect(
            metrics.contains(#"route="/admin/api/energy""#) && !metrics.contains(user) && !metrics.contains(session))
        try await service.stop()
    }

    @Test("how much support gives or takes at a time is the same in the schema, the API and the page")
    func grantRange() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        let user = TestService.newUser()
        try await database.psql("SELECT register_user('\(user)', NULL, NULL)")
        let most = EnergyLedger.grants.upperBound
        #expect(EnergyLedger.grants.lowerBound == 1)
        for amount in [most, -most, 1, -1] {
            let body = #"{"amount": \#(amount), "reason": "x"}"#
            #expect(try await anna.post("energy?id=\(user)", body).status == 200, "\(amount)")
            let refused = try await database.psql(
                "SELECT (move_energy('os:test', '\(user)', \(amount), 'x', true, NULL, NULL)).refusal")
            #expect(refused == "", "\(amount)")
        }
        for amount in [most + 1, -most - 1, 0] {
            let body = #"{"amount": \#(amount), "reason": "x"}"#
            #expect(try await anna.post("energy?id=\(user)", body).status == 400, "\(amount)")
            await #expect(throws: (any Error).self, "\(amount)") {
                try await database.psql(
                    "SELECT move_energy('os:test', '\(user)', \(amount), 'x', true, NULL, NULL)")
            }
        }
        let script = try await anna.page("/admin/pages/admin-deeds.js").text
        #expect(script.contains("const maximumGrant = \(most);"))
        try await service.stop()
    }

    @Test("words are looked up, retired, brought back, made secret or not, and added, each once; the days' words stay")
    func words() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        let shown = "SELECT * FROM daily_words WHERE day <= today() + 1 ORDER BY day"
        let days = try await database.psql(shown)
        let today = try await database.psql("SELECT word FROM daily_words WHERE day = today()")
        func change(_ word: String, _ change: String, name: String = UUID().uuidString) async throws -> AdminReply {
            try await anna.post(
                "word?language=en&word=\(word)", #"{"change": "\#(change)", "reason": "why"}"#, name: name)
        }
        let lists = try await anna.get("words").json.lists.items
        #expect(lists.count == 1 && lists[0].secret.int == database.secrets.count && lists[0].retired.int == 0)
        #expect(try await anna.get("word?language=en&word=CRANE").json.word == "crane")
        #expect(try await anna.get("word?language=en&word=zzzzz").summary == "404 not-found")
        for query in [
            "language=EN&word=crane", "language=en&word=cra1e", "language=en&word=abc", "word=crane", "language=en",
        ] {
            #expect(try await anna.get("word?\(query)").summary == "400 request-invalid", "\(query)")
        }
        let retired = try await change(today, "retire", name: "r")
        #expect(retired.json.isRetired == .boolean(true) && retired.json.isChanged == .boolean(true), "\(retired)")
        #expect(try await change(today, "retire", name: "r").json.isReplay == .boolean(true))
        #expect(try await change(today, "restore", name: "r").summary == "422 idempotency-key-reused")
        #expect(try await change(today, "retire").json.isChanged == .boolean(false))
        #expect(try await anna.get("words").json.lists[0].retired.int == 1)
        #expect(try await change(today, "restore").json.isRetired == .boolean(false))
        #expect(try await change(today, "guessable").json.isSecret == .boolean(false))
        #expect(try await change(today, "secret").json.isSecret == .boolean(true))
        #expect(try await change("QQQQQ", "addGuessable").json.isSecret == .boolean(false))
        #expect(try await change("qqqqq", "addSecret").summary == "409 word-known")
        #expect(try await change("qqqqx", "secret").summary == "404 not-found")
        #expect(try await change("crane", "delete").summary == "400 request-invalid")
        #expect(
            try await anna.post("word?language=en&word=crane", #"{"change": "retire"}"#).summary
                == "400 request-invalid")
        #expect(try await database.psql(shown) == days)
        let trail = try await anna.get("trail").json.actions.items.filter { $0.action.text.hasPrefix("word.") }
        #expect(
            trail.map { "\($0.action.text) \($0.subject.text)" } == [
                "word.add en/qqqqq", "word.secret en/\(today)", "word.guessable en/\(today)",
                "word.restore en/\(today)",
                "word.retire en/\(today)",
            ])

        // Somebody imports lists: nobody waits for that.
        let busy = try await database.withOwner { owner in
            try await owner.executeScript("BEGIN; LOCK TABLE juliet.words IN SHARE ROW EXCLUSIVE MODE")
            return try await change("crane", "retire")
        }
        #expect(busy.summary == "503 unavailable" && busy.http["Retry-After"] == "1")
        #expect(try await change("crane", "retire").status == 200)
        try await service.stop()
    }
}
