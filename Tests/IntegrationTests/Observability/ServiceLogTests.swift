import Foundation
import JulietAPI
import TestSupport
import Testing

/// What a service logs, as a process of its own.
@Suite("The service's log", .defaultLayout("about the service, not the database"), .timeLimit(.minutes(5)))
struct ServiceLogTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"

    /// A line as whoever collects JSON reads it.
    private struct Line: Decodable {
        let time: String
        let level: String
        let message: String
        let request: String?
        let route: String?
        let type: String?
        let status: Int?
        let code: String?
        let microseconds: Int?
        let player: String?
        let trace: String?
        let repeats: Int?
        let dropped: Int?
    }

    private func lines(_ service: ServiceProcess) throws -> [Line] {
        try service.notes.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test("into a file: JSON lines; one for each request, with codes, time, digest and trace, and no secret in any")
    func requests() async throws {
        let database = try await TestDatabase.create()
        let service = try ServiceProcess(
            database: database,
            environment: [
                "JULIET_LOG_REQUESTS": "info", "JULIET_AUTH_TOKENS": "the-key", "JULIET_LOG_SALT": "the-salt",
            ])
        try await service.waitUntil(itSays: "listening on")
        let player = "vendor-\(UUID().uuidString)"
        for request in [GameRequest.initialRegistration(vendorID: player), .statNewGameSession(userID: player)] {
            let reply = try await service.exchange(
                TestService.post(
                    request.encoded(), to: request.type.endpoint.path,
                    fields: [
                        "AuthToken: the-key", "X-Request-Id: mine", "traceparent: 00-\(Self.trace)-b7ad6b7169203331-01",
                    ]))
            #expect(reply.status == 200)
            #expect(reply["traceresponse"]?.hasPrefix("00-\(Self.trace)-") == true)
        }
        _ = try await service.exchange(TestService.post([], to: "/Juliet_WordManager", fields: ["AuthToken: no-key"]))
        let created = try await service.exchange(TestService.post(Array(#"{"name":"Ann"}"#.utf8), to: "/v2/players"))
        #expect(created.status == 201)
        let token = try #require(created.text.firstMatch(of: #/"token":"(jt_[^"]+)"/#)).1
        let begun = try await service.exchange(
            TestService.post([], to: "/v2/games", fields: ["Authorization: Bearer \(token)"]))
        #expect(begun.status == 201)
        _ = try await service.exchange(Array("GET /v2/\(player) HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
        try await service.waitUntil(itSays: "http.notFound")

        let lines = try lines(service).filter { $0.message.hasPrefix("request") }
        #expect(
            lines.map { "\($0.type ?? "-") \($0.route ?? "-") \($0.status ?? 0) \($0.code ?? "-")" } == [
                "initialRegistration /Juliet_AuthenticateUser 200 200/200",
                "statNewGameSession /Juliet_UserSessionManager 200 200/200",
                "unknown /Juliet_WordManager 401 401/401 auth.invalid", "POST /v2/players 201 ok",
                "POST /v2/games 201 ok", "- - 404 http.notFound",
            ])
        #expect(
            lines.prefix(2).allSatisfy { $0.request == "mine" && $0.trace == Self.trace && ($0.microseconds ?? 0) > 0 })
        #expect(lines[0].player?.count == 10 && lines[0].player == lines[1].player)
        #expect(lines[4].player?.count == 10 && lines[4].player != lines[0].player)
        let word = try await database.psql("SELECT word FROM judged_games")
        #expect(word.count == 5)
        for secret in [player, "the-key", "no-key", "the-salt", String(token), "Ann", "\"\(word)\""] {
            #expect(!service.notes.contains(secret), "\(secret)")
        }
        service.signal(SIGTERM)
        #expect(try await service.status() == 0)
        #expect(try self.lines(service).last?.message == "stopped", "what was logged last is written")
    }

    @Test("on a terminal: for people")
    func terminal() async throws {
        let terminal = try PseudoTerminal(columns: 160)
        let port = try Command.freePort()
        let service = try terminal.start(
            [
                ServiceProcess.executable.path, "serve", "--port", "\(port)", "--database",
                try await TestDatabase.shared().serviceConnectionString,
            ], environment: ["JULIET_ADMIN_PORT": "0"])
        try await terminal.wait(for: "notice   listening on http://127.0.0.1:\(port)")
        service.signal(SIGTERM)
        #expect(await service.end() == .exit(0))
    }

    @Test("SIGUSR1 has more logged, SIGUSR2 less, while it runs")
    func signals() async throws {
        let service = try ServiceProcess(database: await .shared())
        try await service.waitUntil(itSays: "listening on")
        _ = try await service.exchange(TestService.post([], to: "/Juliet_WordManager"))
        service.signal(SIGUSR1)
        try await service.waitUntil(itSays: "the log level is now debug")
        _ = try await service.exchange(TestService.post([], to: "/Juliet_IAPManager"))
        try await service.waitUntil(itSays: "/Juliet_IAPManager")
        service.signal(SIGUSR2)
        try await service.waitUntil(itSays: "the log level is now info")
        _ = try await service.exchange(TestService.post([], to: "/Juliet_UserSessionManager"))
        service.signal(SIGTERM)
        #expect(try await service.status() == 0)
        #expect(try lines(service).compactMap(\.route) == ["/Juliet_IAPManager"])
    }

    @Test("a slow statement is named, without its values; one within the limit is not")
    func slowStatement() async throws {
        let database = try await TestDatabase.create()
        let service = try ServiceProcess(database: database, environment: ["JULIET_LOG_SLOW_STATEMENT": "1s"])
        let patient = try ServiceProcess(database: database, environment: ["JULIET_LOG_SLOW_STATEMENT": "600s"])
        for started in [service, patient] { try await started.waitUntil(itSays: "listening on") }
        let register = GameRequest.initialRegistration(vendorID: "slow-player")
        _ = try await service.exchange(TestService.post(register.encoded(), to: register.type.endpoint.path))
        async let held = database.psql("BEGIN; LOCK TABLE users; SELECT pg_sleep(2); COMMIT")
        let isLocked = """
            SELECT count(*) FROM pg_locks WHERE relation = 'users'::regclass AND mode = 'AccessExclusiveLock' AND granted
            """
        while try await database.psql(isLocked) == "0" { try await Task.sleep(for: .milliseconds(10)) }
        let wins = GameRequest.fetchUserWins(userID: "slow-player")
        let request = TestService.post(wins.encoded(), to: wins.type.endpoint.path)
        async let other = patient.exchange(request)
        _ = try await service.exchange(request)
        _ = try await (other, held)
        try await service.waitUntil(itSays: "slow statement: ReadWins")
        #expect(!service.notes.contains("slow-player") && !patient.notes.contains("slow statement"))
    }

    @Test("an outage with thousands of failures is a line a second for each, which says how many it stands for")
    func outage() async throws {
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        let service = try ServiceProcess(database: await .create(in: cluster))
        try await service.waitUntil(itSays: "listening on")
        try await cluster.stop()
        let request = GameRequest.fetchUserWins(userID: "u")
        let bytes = TestService.post(request.encoded(), to: request.type.endpoint.path)
        let start = ContinuousClock.now
        let port = service.port
        // Many at once: a statement waits five seconds for a connection before it fails.
        let failed = try await offPool {
            let connections = try (0..<1500).map { _ in try ClientConnection(port: port) }
            var failed = 0
            for _ in 0..<2 {
                for connection in connections { try connection.send(bytes) }
                failed += try connections.count { try $0.receive().status == 503 }
            }
            return failed
        }
        #expect(failed == 3000)
        try await Task.sleep(for: .milliseconds(1500))
        let seconds = Int((ContinuousClock.now - start) / .seconds(1)) + 1
        let failures = try lines(service).filter {
            $0.message.hasPrefix("fetchUserWins /Juliet_UserSessionManager failed")
        }
        for (message, lines) in Dictionary(grouping: failures, by: \.message) {
            #expect(lines.count <= seconds + 1, "\(message)")
        }
        #expect(failures.reduce(0) { $0 + ($1.repeats ?? 1) } == 3000, "each is counted once")
        // The pool tries to connect several times a second, and a statement that waits for it in vain has not run.
        let attempts = try lines(service).filter { $0.message.hasPrefix("no connection to PostgreSQL: ") }
        #expect(attempts.contains { $0.message.contains(" failed: ") }, "libpq's reason")
        let minutes = seconds / 60 + 1
        for (reason, lines) in Dictionary(grouping: attempts, by: \.message) {
            #expect(lines.reduce(0) { $0 + ($1.repeats ?? 1) } <= minutes, "\(reason)")
        }
        #expect(try !lines(service).contains { $0.message.hasPrefix("slow statement: ") })
    }

    @Test("when the log is not read, nothing waits for it; dropped lines are counted and reported")
    func blockedReader() async throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let port = UInt16(try Command.freePort())
        let service = try ChildProcess(
            [
                ServiceProcess.executable.path, "serve", "--port", "\(port)", "--database",
                try await TestDatabase.shared().serviceConnectionString,
            ],
            environment: ProcessInfo.processInfo.environment.merging([
                "JULIET_ADMIN_PORT": "0", "JULIET_LOG_REQUESTS": "info",
            ]) { _, new in new }, errors: .descriptor(ends[1]))
        close(ends[1])
        var served: Int?
        let deadline = ContinuousClock.now + .seconds(30)
        while served == nil, ContinuousClock.now < deadline {
            // A pipe holds 64 KiB, the buffer 8,192 lines.
            served = try? await offPool {
                let connection = try ClientConnection(port: port)
                return try (0..<20_000).count { _ in
                    try connection.send(
                        Array("POST /Juliet_WordManager HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n".utf8))
                    return try connection.receive().status == 400
                }
            }
            if served == nil { try await Task.sleep(for: .milliseconds(50)) }
        }
        #expect(served == 20_000)
        let read = Task.detached { [ends] in
            var text: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while case let count = Foundation.read(ends[0], &buffer, buffer.count), count > 0 {
                text += buffer[..<count]
            }
            return String(decoding: text, as: UTF8.self)
        }
        try await Task.sleep(for: .milliseconds(500))
        service.signal(SIGTERM)
        #expect(await service.end() == .exit(0))
        let log = await read.value
        close(ends[0])
        let dropped = log.matches(of: #/"dropped":(\d+)/#).compactMap { Int($0.1) }.reduce(0, +)
        let written = log.matches(of: #/"message":"request"/#).count
        #expect(dropped > 0)
        #expect(written + dropped >= 20_000)
    }
}
