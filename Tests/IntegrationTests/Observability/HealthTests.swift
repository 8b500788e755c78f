import EventLoop
import Foundation
import JulietAPI
import JulietServer
import TestSupport
import Testing

/// What a load balancer, an orchestrator and people ask.
@Suite("Health", .defaultLayout("about the service, not the database"), .timeLimit(.minutes(5)))
struct HealthTests {
    @Test("/live, /ready and /health answer on both ports, and tell release and uptime, nothing else")
    func pages() async throws {
        let admin = UInt16(try Command.freePort())
        let service = try await TestService.start(["admin.port": "\(admin)"], on: .shared())
        for port in [service.port, admin] {
            let live = try await get("/live", on: port)
            #expect(live.status == 200 && live.text == #"{"status":"live"}"#)
            let ready = try await get("/ready", on: port)
            #expect(ready.status == 200 && ready.text == #"{"status":"ready"}"#)
            let health = try await get("/health", on: port)
            #expect(health.status == 200 && health["Content-Type"] == "application/json")
            let version = Release.version.replacing(".", with: "\\.")
            #expect(
                try Regex(#"\{"status":"ok","version":"\#(version)","uptime":\d+\}"#).wholeMatch(in: health.text) != nil
            )
        }
        #expect(try await get("/metrics", on: service.port).status == 404, "the metrics are not the public's")
        #expect(try await get("/Juliet_WordManager", on: admin).status == 404)
        try await service.stop()
    }

    @Test("a service whose rules' list has no words is not ready, though the published app has English ones")
    func withoutWords() async throws {
        let database = try await TestDatabase.create()
        try await database.insert(words: ["apfel", "birne", "kugel"], language: "de", areSecret: true)
        let service = try await TestService.start(["game.language": "de"], on: database)
        #expect(try await service.waitUntilReady(is: 200) < .seconds(60))
        for (retired, status) in [("now()", 503), ("NULL", 200)] {
            try await database.psql(
                "UPDATE words SET retired_at = \(retired) WHERE language = 'de'; SELECT refresh_word_lists()")
            #expect(try await service.waitUntilReady(is: status) < .seconds(60))
        }
        try await service.stop()
    }

    @Test("a base path that is a health check's address leaves it that", arguments: ["/live", "/ready", "/health"])
    func basePath(path: String) async throws {
        let service = try await TestService.start(["http.basePath": path], on: .shared())
        #expect(try await get(path, on: service.port)["Content-Type"] == "application/json")
        let page = try await get("\(path)/", on: service.port)
        #expect(page.status == 200 && page["Content-Type"]?.hasPrefix("text/html") == true)
        #expect(try await get("\(path)/v2/service", on: service.port).status == 200)
        try await service.stop()
    }

    @Test(
        "while the database is away the process lives and is not ready: packaging/ready is content with that, but not before the start is over",
        .timeLimit(.minutes(1)))
    func databaseAway() async throws {
        let ready = TestDatabase.root.appending(path: "packaging/ready").path
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        let database = try await TestDatabase.create(in: cluster)
        try await cluster.stop()
        let admin = UInt16(try Command.freePort())
        let service = try ServiceProcess(database: database, environment: ["JULIET_ADMIN_PORT": "\(admin)"])
        let ports = [service.port, admin]
        try await service.waitUntil(itSays: "waiting for PostgreSQL")
        let starting = try await get("/ready", on: admin)
        #expect(starting.status == 503 && starting.text == #"{"status":"starting"}"#)
        for port in ports {
            await #expect(throws: Command.Failure.self) { try await Command.run([ready, "\(port)", "1"]) }
        }

        try await cluster.start()
        for port in ports { #expect(try await Command.run([ready, "\(port)", "30"]) == "") }

        try await cluster.stop()
        let start = ContinuousClock.now
        while try await get("/ready", on: service.port).status == 200 { try await Task.sleep(for: .milliseconds(20)) }
        #expect(ContinuousClock.now - start < .seconds(3))
        for port in ports {
            #expect(try await get("/ready", on: port).text == #"{"status":"not ready"}"#)
            #expect(try await get("/live", on: port).status == 200)
            #expect(try await get("/health", on: port).text.hasPrefix(#"{"status":"ok","#))
            let warning = try await Command.run([ready, "\(port)", "1"])
            #expect(warning == "ready: warning: the service on port \(port) runs, but is not ready: its log says why")
            // Who does not wait asks whether it is ready, as the image's check does.
            await #expect(throws: Command.Failure.self) { try await Command.run([ready, "\(port)"]) }
        }
    }

    @Test("a service that is told to stop says so on /ready first, and serves for http.shutdownNotice")
    func notice() async throws {
        let service = try ServiceProcess(
            database: await .shared(), environment: ["JULIET_HTTP_SHUTDOWN_NOTICE": "2s"])
        try await service.waitUntil(itSays: "listening on")
        #expect(try await get("/ready", on: service.port).status == 200)
        let start = ContinuousClock.now
        service.signal(SIGTERM)
        var ready = 200
        while ready == 200 { ready = try await get("/ready", on: service.port).status }
        #expect(ready == 503)
        let register = GameRequest.initialRegistration(vendorID: "a late player")
        let reply = try await service.exchange(TestService.post(register.encoded(), to: register.type.endpoint.path))
        #expect(reply.status == 200)
        #expect(try await get("/live", on: service.port).status == 200)
        #expect(try await service.status() == 0)
        #expect(ContinuousClock.now - start >= .seconds(2))
    }

    @Test("however many ask, the database is looked at once a second")
    func looks() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(["log.slowStatement": "0ms"], on: database)
        let start = ContinuousClock.now
        let before = try await commits(database)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<100 { _ = try await service.readiness() } }
            }
            try await group.waitForAll()
        }
        let after = try await commits(database)
        let seconds = Int((ContinuousClock.now - start) / .seconds(1)) + 1
        // A look reads what guards the schema in a handful of statements; 800 questions would be hundreds of looks.
        #expect(after - before < 20 * (seconds + 1), "\(after - before) transactions in \(seconds) s")
        try await service.stop()
    }

    /// How many transactions the database has committed.
    private func commits(_ database: TestDatabase) async throws -> Int {
        let text = try await database.psql(
            "SELECT pg_stat_clear_snapshot(), xact_commit FROM pg_stat_database WHERE datname = current_database()")
        return Int(text.split(separator: "|").last ?? "") ?? 0
    }

    private func get(_ path: String, on port: UInt16) async throws -> HTTPReply {
        try await offPool {
            let connection = try ClientConnection(port: port)
            try connection.send(Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
            return try connection.receive()
        }
    }
}
