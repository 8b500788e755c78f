import EventLoop
import Testing

@testable import Postgres

@Suite("States as values")
struct StateTests {
    private struct Keyed: Statement {
        static let sql: StaticString = "SELECT 1"
        let orderingKey: String?
        typealias Row = NoRow
    }

    private func submissions(_ keys: [String?]) -> [Submission] {
        keys.map { Submission(Keyed(orderingKey: $0)) }
    }

    @Test("a batch is in the order of its keys' bytes, none first, and statements of one key stay in order")
    func batchOrder() {
        var queue = StatementQueue()
        let all = submissions(["b", nil, "a", "b", "\u{E9}", "Z", nil, "a", "aa"])
        for submission in all { queue.append(submission) }
        let taken = queue.take(atMost: 100)
        #expect(taken.map(\.orderingKey) == [nil, nil, "Z", "a", "a", "aa", "b", "b", "\u{E9}"])
        let places = taken.map { submission in all.firstIndex { $0 === submission } }
        #expect(places == [1, 6, 5, 2, 7, 8, 0, 3, 4])
        #expect(queue.isEmpty)
    }

    @Test("a queue gives no more than it is asked for, skips who has left, and takes back at the front")
    func queue() {
        var queue = StatementQueue()
        let all = submissions(Array(repeating: nil, count: 5))
        for submission in all { queue.append(submission) }
        all[1].fail(PostgresError(.cancelled))
        let first = queue.take(atMost: 2)
        #expect(first.map { $0 === all[0] || $0 === all[2] } == [true, true])
        #expect(queue.count == 2)
        queue.giveBack([all[2]])
        #expect(queue.take(atMost: 1).first === all[2])
        #expect(queue.takeAll().count == 2)
    }

    @Test("waits between attempts double up to a cap, shortened by up to half, and begin anew after a success")
    func backoff() {
        var backoff = Backoff(.milliseconds(50) ... .milliseconds(500))
        let waits = (0..<6).map { _ in backoff.failed(random: 0) }
        #expect(waits == [50, 100, 200, 400, 500, 500].map { .milliseconds($0) })
        #expect(backoff.failed(random: 1) == .milliseconds(250))
        backoff.succeeded()
        #expect(backoff.failed(random: 0) == .milliseconds(50))
    }

    @Test("a statement's name on the server is stable, readable and fits 63 bytes")
    func names() {
        let type = "Game." + String(repeating: "VeryLong", count: 20)
        let name = PreparedStatements.name(type: type, sql: "SELECT 1")
        #expect(name.utf8.count <= 63)
        #expect(name == PreparedStatements.name(type: type, sql: "SELECT 1"))
        #expect(name != PreparedStatements.name(type: type, sql: "SELECT 2"))
        #expect(PreparedStatements.name(type: "Game.PayForGame", sql: "SELECT 1").hasPrefix("PayForGame_"))
    }

    @Test(
        "hosts take turns to be the first",
        arguments: [
            ("host=a,b port=1,2", ["a,b", "b,a"]), ("host=/x", ["/x", "/x"]),
        ])
    func hosts(connectionString: String, expected: [String]) throws {
        var settings = try ConnectionSettings(.init(connectionString: connectionString), sessionSettings: [])
        settings.rotate()
        let rotated = settings.settings.last { $0.keyword == "host" }?.value
        #expect((rotated ?? expected[0]) == expected[1])
    }
}
