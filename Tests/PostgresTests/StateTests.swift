import EventLoop
import Testing

@testable import Postgres

@Suite("States as values")
struct StateTests {
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

    @Test("keys are ordered by their bytes, none first; equal bytes are one key, equivalent ones are not")
    func orderingKeys() {
        let keys = ["b", nil, "a", "\u{E9}", "Z", "aa", "abcdefghX", "abcdefgh", "e\u{301}"]
        let sorted = keys.map { $0.map(OrderingKey.init) }.sorted { OrderingKey.precedes($0, $1) ?? false }
        let expected = [nil, "Z", "a", "aa", "abcdefgh", "abcdefghX", "b", "e\u{301}", "\u{E9}"]
        #expect(sorted.map { $0.map { Array($0.text.utf8) } } == expected.map { $0.map { Array($0.utf8) } })
        #expect(OrderingKey.precedes(OrderingKey("x"), OrderingKey("x")) == nil)
        #expect(OrderingKey("\u{E9}") != OrderingKey("e\u{301}"))
    }

    @Test("a name in the queue that is left over is passed over, and returned ones come first")
    func queue() {
        var queue = StatementQueue()
        let ids = (0..<5).map { StatementID(place: $0, generation: UInt32($0)) }
        for id in ids { queue.append(id) }
        #expect(queue.next() == ids[0])
        #expect(queue.next() == ids[1])
        queue.prepend([ids[0]])
        #expect(queue.length == 4)
        queue.keep { $0 != ids[3] }
        #expect([queue.next(), queue.next(), queue.next(), queue.next()] == [ids[0], ids[2], ids[4], nil])
    }

    @Test(
        "SQL that begins or ends a transaction is recognised behind blanks and comments",
        arguments: [
            ("BEGIN", true), ("  commit ;", true), ("-- note\n/* a /* b */ c */ Rollback", true),
            ("START TRANSACTION", true), ("savepoint a", true), (";end", true), ("SELECT 1", false),
            ("beginning", false), ("/* BEGIN */ SELECT 1", false), ("", false), ("/* unfinished", false),
            ("WITH x AS (SELECT 1) SELECT * FROM x", false),
        ])
    func transactionControl(sql: String, expected: Bool) {
        #expect(TransactionControl.begins(sql) == expected)
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
