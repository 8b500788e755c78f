import Foundation
import Testing

@testable import JulietServer

@Suite("What a process did in the last hour")
struct ProcessHistoryTests {
    /// What the admin page is told.
    private struct Told: Decodable {
        let requests: Int
        let failures: Int
        let limited: Int
        let seconds: Int
        let half: Int?
        let most: Int?
        let statementErrors: Int
        let load: Int?
        let poolIdle: Int
        let minutes: [[Int]]
        let warnings: [String]
    }

    /// A service's metrics: requests that end well, fail and meet a limit, at a URL of players and one of the admin page.
    private struct World {
        let registry = MetricsRegistry()
        let history: ProcessHistory
        let players: Counters
        let admins: Counters
        let durations = Histogram(.seconds, labels: #"route="/v2/games",type="POST""#)
        let ready = Gauge(1)
        let waiting = Gauge()
        let processor = Gauge()

        init() {
            func counters(_ route: String) -> Counters {
                Counters(count: 3, showsZero: false) { index in
                    MetricsText.labels([("route", route), ("type", "POST"), ("status", ["201", "503", "429"][index])])
                }
            }
            players = counters("/v2/games")
            admins = counters("/admin/api/live")
            for series in [players, admins] { registry.add("juliet_http_requests_total", .counter, "", series) }
            registry.add("juliet_http_request_duration_seconds", .histogram, "", durations)
            registry.add("juliet_ready", .gauge, "", ready)
            registry.add("juliet_database_statements_waiting", .gauge, "", waiting)
            registry.add("process_cpu_seconds_total", .counter, "", processor)
            registry.add(
                "juliet_database_connections", .gauge, "", Gauge(labels: MetricsText.labels([("state", "idle")]), 4))
            history = ProcessHistory(registry)
        }

        func told(at time: Int) async throws -> Told {
            try JSONDecoder().decode(Told.self, from: Data(await history.json(at: time).utf8))
        }
    }

    @Test("requests of the admin page are left out, five minutes are added up, an hour is told by the minute")
    func windows() async throws {
        let world = World()
        await world.history.take(at: 1000)
        var told = try await world.told(at: 1000)
        #expect(told.requests == 0 && told.half == nil && told.minutes.isEmpty && told.warnings.isEmpty)
        for minute in 1...70 {
            world.players.add(minute, at: 0)
            world.admins.add(1000, at: 1)
            world.durations.take(minute == 70 ? 2_000_000_000 : 400_000)
            world.processor.value += 30
            await world.history.take(at: 1000 + 10 * (6 * minute - 3))
            await world.history.take(at: 1000 + 60 * minute)
        }
        told = try await world.told(at: 1000 + 70 * 60)
        #expect(told.requests == 66 + 67 + 68 + 69 + 70 && told.failures == 0 && told.seconds == 300)
        #expect(told.half == 500 && told.most == 2_500_000, "the bounds of the buckets")
        #expect(told.load == 50 && told.poolIdle == 4)
        #expect(told.minutes == (11...70).map { [$0, 0] })
        #expect(told.warnings == ["slow"])
    }

    @Test("what is wrong is named: failures, a database that is slow, a service that is not ready")
    func warnings() async throws {
        let world = World()
        await world.history.take(at: 0)
        world.players.add(98, at: 0)
        world.durations.take(400_000)
        world.players.add(1, at: 1)
        world.players.add(1, at: 2)
        var told = try await world.told(at: 20)
        #expect(told.requests == 100 && told.failures == 1 && told.limited == 1 && told.seconds == 20)
        #expect(told.warnings.isEmpty, "one in a hundred is not too many")
        world.players.add(1, at: 1)
        world.waiting.value = 1001
        world.ready.value = 0
        told = try await world.told(at: 20)
        #expect(told.warnings == ["ready", "failures", "waiting"])
        await world.history.take(at: 100)
        world.waiting.value = 0
        world.ready.value = 1
        told = try await world.told(at: 500)
        #expect(told.warnings.isEmpty, "what was is over")
    }
}
