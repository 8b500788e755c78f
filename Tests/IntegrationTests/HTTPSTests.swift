import Foundation
import TestSupport
import Testing

/// The service as it is met over HTTPS: through what packaging/https puts before it.
@Suite("HTTPS on one machine", .defaultLayout("about the service, not the database"), .timeLimit(.minutes(3)))
struct HTTPSTests {
    private let database: TestDatabase

    /// A database of its own: there is one lottery in each.
    init() async throws { database = try await TestDatabase.create() }

    /// A service that believes the proxy, and the proxy.
    private func start(
        _ kind: HTTPSProxy.Kind, _ settings: [String: String] = [:]
    ) async throws -> (service: TestService, proxy: HTTPSProxy) {
        let file = TestDatabase.root.appending(path: "packaging/https/\(kind == .caddy ? "Caddyfile" : "nginx.conf")")
        let trust = ["http.trustedProxies": "127.0.0.1"]
        let service = try await TestService.start(settings.merging(trust) { own, _ in own }, on: database)
        return (service, try await HTTPSProxy.start(kind, file: file.path, before: service.port))
    }

    @Test(
        "a game is played through it, of the app and of /v2; without TLS one is led to it",
        arguments: HTTPSProxy.Kind.allCases)
    func game(kind: HTTPSProxy.Kind) async throws {
        let (service, proxy) = try await start(kind)
        defer { proxy.stop() }
        let ask = { (path: String, body: String, more: [String]) in
            try await proxy.ask(path, more + ["--data", body])
        }
        var answer = try await ask(
            "/Juliet_AuthenticateUser", #"{"requestType":"initialRegistration","vendorID":"me"}"#, [])
        #expect(answer.status == "2 200", "\(answer.body)")
        answer = try await ask(
            "/Juliet_UserSessionManager", #"{"requestType":"statNewGameSession","userID":"me"}"#, [])
        #expect(answer.status == "2 200" && answer.body.contains(#""userEnergy":25"#))

        let player = try await ask("/v2/players", #"{"name": "Ada"}"#, [])
        #expect(player.status == "2 201", "\(player.body)")
        let token = try #require(player.body.firstMatch(of: /jt_[^"]*/)?.output)
        let bearer = ["--header", "Authorization: Bearer \(token)"]
        let game = try await ask("/v2/games", "", bearer)
        #expect(game.status == "2 201", "\(game.body)")
        let id = try #require(game.body.firstMatch(of: /"id":"([^"]*)"/)?.output.1)
        let guess = try await ask("/v2/games/\(id)/guesses", #"{"word": "mucus", "number": 1}"#, bearer)
        #expect(guess.status == "2 200" && guess.body.contains(#""word":"mucus""#), "\(guess.body)")
        #expect(try await proxy.ask("/").body.contains("<title>"))

        let redirect = try await Command.run([
            "curl", "--silent", "--noproxy", "*", "--output", "/dev/null", "--write-out",
            "%{http_code} %{redirect_url}",
            "--header", "Host: \(HTTPSProxy.name)", "http://127.0.0.1:\(proxy.plainPort)/v2/daily?a=b",
        ])
        #expect(
            redirect.wholeMatch(of: #/308 https://juliet\.example\.com(:\d+)?/v2/daily\?a=b/#) != nil, "\(redirect)")
        try await service.stop()
    }

    @Test(
        "browsers are told to use HTTPS for a year, for this name alone, with every answer but those without TLS",
        arguments: HTTPSProxy.Kind.allCases)
    func strictTransport(kind: HTTPSProxy.Kind) async throws {
        let (service, proxy) = try await start(kind)
        defer { proxy.stop() }
        for (path, status) in [("/", "2 200"), ("/v2/players/me", "2 401"), ("/nowhere", "2 404")] {
            let answer = try await proxy.ask(path, ["--include"])
            #expect(answer.status == status)
            #expect(Self.strictTransport(in: answer.body) == ["strict-transport-security: max-age=31536000"], "\(path)")
        }
        // RFC 6797 §7.2: not without TLS.
        let plain = try await Command.run([
            "curl", "--silent", "--noproxy", "*", "--include", "--header", "Host: \(HTTPSProxy.name)",
            "http://127.0.0.1:\(proxy.plainPort)/",
        ])
        #expect(plain.contains(" 308 ") && Self.strictTransport(in: plain).isEmpty, "\(plain)")
        try await service.stop()
    }

    private static func strictTransport(in answer: String) -> [String] {
        answer.split(whereSeparator: \.isNewline).map { $0.lowercased() }
            .filter { $0.hasPrefix("strict-transport-security") }
    }

    @Test(
        "the service counts by the client's own address, whatever the client says of it",
        arguments: HTTPSProxy.Kind.allCases)
    func address(kind: HTTPSProxy.Kind) async throws {
        let limits = ["limits.requestsPerAddress": "1", "limits.exempt": ""]
        let (service, proxy) = try await start(kind, limits)
        defer { proxy.stop() }
        #expect(try await proxy.ask("/v2/daily", from: "127.0.0.2").status == "2 200")
        for fields in [[], ["X-Forwarded-For: 203.0.113.9"], ["Forwarded: for=203.0.113.9"]] {
            let arguments = fields.flatMap { ["--header", $0] }
            #expect(try await proxy.ask("/v2/daily", from: "127.0.0.2", arguments).status == "2 429", "\(fields)")
        }
        #expect(try await proxy.ask("/v2/daily", from: "127.0.0.3").status == "2 200")
        try await service.stop()
    }

    @Test("events of the lottery come as they happen", arguments: HTTPSProxy.Kind.allCases)
    func events(kind: HTTPSProxy.Kind) async throws {
        try await database.psql(
            "SELECT import_lottery('tests', '{10,4}', '{Jack,Mia}', '{j,m}', '{2020-10-19,2021-01-02}', '{10,4}', '{false,true}')"
        )
        let (service, proxy) = try await start(kind)
        defer { proxy.stop() }
        let shown = try OutputFile()
        let reader = try ChildProcess(proxy.curl("/lottery/events"), output: shown.stream, errors: shown.stream)
        defer { reader.signal(SIGKILL) }
        try await wait { shown.text.contains(#""state":"landing""#) }
        #expect(try await proxy.ask("/lottery/draws/1", ["--request", "POST"]).status == "2 202")
        try await wait { shown.text.contains(#""state":"round""#) }
        // Not because the stream ended.
        #expect(reader.isRunning && shown.text.contains(#""state":"round""#), "\(shown.text)")
        reader.signal(SIGTERM)
        await reader.end()
        try await service.stop()
    }

    @Test("Caddy has a request wait for a service that is being restarted")
    func restart() async throws {
        let service = try ServiceProcess(database: database)
        let file = TestDatabase.root.appending(path: "packaging/https/Caddyfile")
        let proxy = try await HTTPSProxy.start(.caddy, file: file.path, before: service.port)
        defer { proxy.stop() }
        #expect(try await proxy.ask("/live").status == "2 200")
        service.kill()
        async let waiting = proxy.ask("/live")
        try service.start()
        #expect(try await waiting.status == "2 200")
        service.stop()
    }

    @Test("in a house, Caddy vouches for itself, and the page offers passkeys at its name")
    func house() async throws {
        // The file becomes what the page makes of it.
        let page = try String(contentsOf: TestDatabase.root.appending(path: "docs/https.md"), encoding: .utf8)
        let changes = try #require(page.firstMatch(of: #/\nsed '([^'\n]+tls internal[^'\n]*)' \S+/https/Caddyfile /#)).1
        let folder = FileManager.default.temporaryDirectory.appending(path: "juliet-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = "\(folder)/Caddyfile"
        let original = TestDatabase.root.appending(path: "packaging/https/Caddyfile").path
        try await Command.run(["sed", String(changes).replacing("YOUR.NAME", with: HTTPSProxy.name), original])
            .write(toFile: file, atomically: true, encoding: .utf8)
        let service = try await TestService.start(
            ["http.trustedProxies": "127.0.0.1", "accounts.origin": "https://\(HTTPSProxy.name)"], on: database)
        let proxy = try await HTTPSProxy.start(.caddy, file: file, before: service.port)
        defer { proxy.stop() }
        let daily = try await proxy.ask("/v2/daily", ["--include"])
        #expect(daily.status == "2 200" && Self.strictTransport(in: daily.body).isEmpty, "\(daily)")
        let options = try await proxy.ask("/v2/sessions/options", ["--request", "POST"])
        #expect(options.status == "2 200" && options.body.contains(HTTPSProxy.name), "\(options)")
        try await service.stop()
    }

    /// Waits until it is true, for 30 s at most.
    private func wait(until isTrue: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while !isTrue(), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(10)) }
        #expect(isTrue())
    }
}
