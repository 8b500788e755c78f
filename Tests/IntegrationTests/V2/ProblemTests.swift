import JulietAPI
import TestSupport
import Testing

/// What HTTP itself says below /v2: problems, order of checks, other origins.
@Suite("Rules of /v2", .everyLayout)
struct ProblemTests {
    @Test(
        "what is not there: 404",
        arguments: [
            "/v2", "/v2/", "/v2/x", "/v2/purchases/x", "/v2/players/", "/v2/players/me/", "/v2/players/x", "/v2/games/",
            "/v2//games", "/v2/leaderboards", "/v2/sessions/a/b", "/v2/daily/2026-01-01/", "/v2/daily//leaderboard",
        ])
    func notFound(path: String) async throws {
        let client = try await V2Client.player()
        for method in ["GET", "POST", "PUT", "OPTIONS"] {
            #expect(try await client.ask(method, path).summary == "404 not-found", "\(method)")
        }
    }

    @Test("paths beside it are the app's: its envelope answers")
    func elsewhere() async throws {
        let service = try await TestService.shared(.standard)
        for path in ["/V2/games", "/v2x", "/v"] {
            let reply = try await service.post("{}", to: path)
            #expect(reply.status == 404)
            #expect(reply["Content-Type"] == "application/json")
            #expect(reply.text.hasPrefix(#"{"lambdaInvocationHttpsStatusCode":404"#))
        }
    }

    @Test(
        "another method: 405 with Allow, before anything else is looked at",
        arguments: [
            ("GET", "/v2/players", "POST, OPTIONS"), ("POST", "/v2/players/me", "GET, PATCH, DELETE, HEAD, OPTIONS"),
            ("POST", "/v2/players/me/energy", "GET, HEAD, OPTIONS"),
            ("POST", "/v2/players/me/export", "GET, HEAD, OPTIONS"),
            ("GET", "/v2/players/me/recovery-code", "POST, OPTIONS"),
            ("PUT", "/v2/sessions", "POST, GET, DELETE, HEAD, OPTIONS"),
            ("GET", "/v2/sessions/current", "DELETE, OPTIONS"), ("DELETE", "/v2/games", "POST, GET, HEAD, OPTIONS"),
            ("PATCH", "/v2/games/x", "GET, HEAD, OPTIONS"), ("GET", "/v2/games/x/guesses", "POST, OPTIONS"),
            ("GET", "/v2/games/x/resign", "POST, OPTIONS"), ("POST", "/v2/daily", "GET, HEAD, OPTIONS"),
            ("GET", "/v2/daily/game", "POST, OPTIONS"), ("POST", "/v2/daily/2026-01-01", "GET, HEAD, OPTIONS"),
            ("POST", "/v2/daily/x/leaderboard", "GET, HEAD, OPTIONS"),
            ("POST", "/v2/leaderboards/wins", "GET, HEAD, OPTIONS"),
        ])
    func methodNotAllowed(method: String, path: String, allow: String) async throws {
        let reply = try await V2Client.newcomer().with(token: "nonsense").ask(method, path, "nonsense")
        #expect(reply.summary == "405 method-not-allowed")
        #expect(reply["Allow"] == allow)
    }

    @Test("HEAD is GET without the body, OPTIONS lists the methods")
    func headAndOptions() async throws {
        let player = try await V2Client.player()
        let head = try await player.ask("HEAD", "/v2/players/me")
        #expect(head.status == 200)
        #expect(head.json == .missing)
        // That it has X-Request-Id and Cache-Control is checked of every answer.
        let options = try await V2Client.newcomer().ask("OPTIONS", "/v2/games", fields: ["X-Request-Id: abc-1"])
        #expect(options.status == 204)
        #expect(options["X-Request-Id"] == "abc-1")
        #expect(options["Allow"] == "POST, GET, HEAD, OPTIONS")
        #expect(options["Access-Control-Allow-Origin"] == nil)
    }

    @Test("a body too large, a URL too long, too many fields, a broken request: problems of their status")
    func limits() async throws {
        let player = try await V2Client.player()
        let large = #"{"word": "\#(String(repeating: "x", count: 20_000))"}"#
        #expect(try await player.post("/v2/games/x/guesses", large).summary == "413 content-too-large")
        let long = String(repeating: "x", count: 9_000)
        #expect(try await player.get("/v2/games/\(long)").summary == "414 uri-too-long")
        #expect(try await player.get("/v2/games?before=\(long)").summary == "414 uri-too-long")
        let fields = (0..<3).map { "X\($0): " + String(repeating: "x", count: 8_000) }
        #expect(try await player.get("/v2/games", fields: fields).summary == "431 header-fields-too-large")
        let broken = try await player.get("/v2/games", fields: ["X : y"])
        #expect(broken.summary == "400 request-invalid")
        #expect(broken.json.path == "")
        let coded = try await player.post("/v2/games", "{}", fields: ["Content-Encoding: gzip"])
        #expect(coded.summary == "415 unsupported-media-type")
        #expect(try await player.ask("BREW", "/v2/games").summary == "501 not-implemented")
    }

    @Test("a request that does not come whole in time: 408")
    func late() async throws {
        let service = try await TestService.start(["http.bodyDeadline": "100ms"], on: .shared())
        let port = service.port
        let reply = try await offPool {
            let connection = try ClientConnection(port: port)
            try connection.send(Array("POST /v2/games HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{".utf8))
            return try connection.receive()
        }
        #expect(reply.status == 408)
        #expect(try JSON(reply.body).code == "request-timeout")
        try await service.stop()
    }

    @Test("while the database is away: 503 with Retry-After, and the log names no one")
    func outage() async throws {
        let cluster = try await PostgresCluster.start()
        let database = try await TestDatabase.create(in: cluster)
        let lines = LogLines()
        let service = try await TestService.start(
            ["database.statementTimeout": "300ms"], on: database, logger: lines.logger)
        let player = try await V2Client.player(on: service)
        try await cluster.stop()
        for reply in [
            try await player.post("/v2/games"), try await player.get("/v2/players/me"),
            try await player.get("/v2/daily"), try await player.post("/v2/players"),
            try await player.post("/v2/games/x/guesses", "{}"),
        ] {
            #expect(reply.summary == "503 unavailable")
            #expect(reply["Retry-After"] == "1")
            #expect(reply.json.retryAfter == 1)
        }
        let token = try #require(player.token)
        #expect(lines.all.contains { $0.hasPrefix("error: POST /v2/games failed: ") })
        #expect(!lines.all.contains { $0.contains(token) })
        try await service.stop()
    }

    @Test("a base path stands before /v2 too, and Location has it")
    func basePath() async throws {
        let service = try await TestService.shared(.basePath)
        let newcomer = V2Client.newcomer(on: service)
        let player = try await newcomer.post("/prod/v2/players").client
        let reply = try await player.post("/prod/v2/games")
        #expect(reply["Location"] == "/prod/v2/games/\(reply.json.game.id.text)")
        #expect(try await player.get("/prod/v2/x").summary == "404 not-found")
        let outside = try await service.post("{}", to: "/v2/players")
        #expect(outside.status == 404)
        #expect(outside["Content-Type"] == "application/json")
    }

    @Test("X-Request-Id is returned when valid and made otherwise, with answers and problems")
    func requestID() async throws {
        let player = try await V2Client.player()
        for path in ["/v2/players/me", "/v2/games/x", "/v2/x"] {
            #expect(try await player.get(path, fields: ["X-Request-Id: abc-1"])["X-Request-Id"] == "abc-1")
            #expect(try await player.get(path, fields: ["X-Request-Id: a b"])["X-Request-Id"]?.count == 12)
        }
    }

    @Test(
        "JSON is taken strictly, whatever the Content-Type says",
        arguments: [
            "[]", "5", "null", "{", "{}}", #"{"a": 1, "a": 2}"#, #"{"a": "\ud800"}"#, #"{"a": "\u0000"}"#,
            #"{"a": 01}"#,
            #"{"a": \#(String(repeating: "[", count: 40))1\#(String(repeating: "]", count: 40))}"#, "{'a': 1}",
        ])
    func strict(body: String) async throws {
        let player = try await V2Client.player()
        for (method, path) in [
            ("POST", "/v2/players"), ("POST", "/v2/sessions"), ("POST", "/v2/games"), ("POST", "/v2/daily/game"),
            ("POST", "/v2/players/me/recovery-code"), ("PATCH", "/v2/players/me"), ("POST", "/v2/games/x/guesses"),
            ("POST", "/v2/games/x/resign"),
        ] {
            for type in ["application/json", "text/plain"] {
                let reply = try await player.ask(method, path, body, fields: ["Content-Type: \(type)"])
                #expect(reply.summary == "400 request-invalid", "\(method) \(path)")
                #expect(reply.json.path == "", "\(method) \(path)")
            }
        }
        #expect(try await player.me().energy == 30)
    }

    // MARK: Other origins

    private static let page = "Origin: https://a.example"

    @Test("a page of an allowed origin may ask, and read the answers, problems too")
    func crossOrigin() async throws {
        let service = try await TestService.start(
            ["web.allowedOrigins": "https://a.example, https://b.example"], on: .shared())
        let player = try await V2Client.player(on: service)
        for reply in [
            try await player.get("/v2/players/me", fields: [Self.page]),
            try await player.get("/v2/x", fields: [Self.page]),
            try await player.with(token: nil).get("/v2/games", fields: [Self.page]),
            try await player.ask("PUT", "/v2/games", fields: [Self.page]),
            try await player.delete("/v2/sessions/x", fields: [Self.page]),
            try await player.post("/v2/games", String(repeating: "x", count: 20_000), fields: [Self.page]),
        ] {
            #expect(reply["Access-Control-Allow-Origin"] == "https://a.example", "\(reply)")
            #expect(reply["Vary"] == "Origin")
            #expect(
                reply["Access-Control-Expose-Headers"]
                    == "X-Request-Id, Retry-After, Idempotent-Replayed, WWW-Authenticate, Allow, Location, ETag")
            #expect(reply["Access-Control-Allow-Credentials"] == nil)
        }
        for (fields, status) in [([], 200), (["Origin: https://c.example"], 403), (["Origin: null"], 403)] {
            let reply = try await player.get("/v2/players/me", fields: fields)
            #expect(reply.status == status)
            #expect(!reply.http.headers.contains { $0.name.hasPrefix("Access-Control") || $0.name == "Vary" })
        }
        let app = try await service.post("{}", to: "/Juliet_WordManager", fields: [Self.page])
        #expect(app["Access-Control-Allow-Origin"] == nil, "the app's URLs are not for pages")
        try await service.stop()
    }

    @Test(
        "a preflight is told the methods of the path",
        arguments: [
            ("/v2/games", "POST, GET, HEAD, OPTIONS"), ("/v2/players/me", "GET, PATCH, DELETE, HEAD, OPTIONS"),
            ("/v2/games/x/guesses", "POST, OPTIONS"), ("/v2/daily/2026-01-01", "GET, HEAD, OPTIONS"),
            ("/v2/daily/game", "POST, OPTIONS"),
        ])
    func preflight(path: String, methods: String) async throws {
        let service = try await TestService.start(["web.allowedOrigins": "*"], on: .shared())
        let newcomer = V2Client.newcomer(on: service)
        let request = ["Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization"]
        let reply = try await newcomer.ask("OPTIONS", path, fields: [Self.page] + request)
        #expect(reply.status == 204)
        #expect(reply["Allow"] == methods)
        #expect(reply["Access-Control-Allow-Origin"] == "*")
        #expect(reply["Access-Control-Allow-Methods"] == methods)
        #expect(
            reply["Access-Control-Allow-Headers"]
                == "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id")
        #expect(reply["Access-Control-Max-Age"] == "7200")
        let plain = try await newcomer.ask("OPTIONS", path, fields: request)
        #expect(plain["Allow"] == methods)
        #expect(plain["Access-Control-Allow-Origin"] == nil)
        try await service.stop()
        // Where no origin is allowed, it is told the methods and nothing more.
        let refused = try await V2Client.newcomer().ask("OPTIONS", path, fields: [Self.page] + request)
        #expect(refused.status == 204 && refused["Allow"] == methods)
        #expect(!refused.http.headers.contains { $0.name.hasPrefix("Access-Control") })
    }
}
