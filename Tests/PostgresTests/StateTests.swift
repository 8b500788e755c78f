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
        let name = StatementText.preparedName(type: type, sql: "SELECT 1")
        #expect(name.utf8.count <= 63)
        #expect(name == StatementText.preparedName(type: type, sql: "SELECT 1"))
        #expect(name != StatementText.preparedName(type: type, sql: "SELECT 2"))
        #expect(StatementText.preparedName(type: "Game.PayForGame", sql: "SELECT 1").hasPrefix("PayForGame_"))
        let call = StatementText.preparedName(type: "Game.Call", sql: "SELECT game.pay_for_game($1)")
        #expect(call.hasPrefix("pay_for_game_"))
    }

    @Test("keys are ordered by their bytes, none first; equal bytes are one key, equivalent ones are not")
    func orderingKeys() {
        let keys = ["b", nil, "a", "\u{E9}", "Z", "aa", "abcdefghX", "abcdefgh", "e\u{301}"]
        let sorted = keys.map { $0.map { OrderingKey($0) } }.sorted { OrderingKey.precedes($0, $1) ?? false }
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
        "what a command does with its transaction is known by its first word, behind blanks and comments",
        arguments: [
            (
                CommandKind.preparable,
                [
                    "SELECT 1", "values (1)", "Table t", "WITH x AS (SELECT 1) SELECT * FROM x", " ((SELECT 1))",
                    "(/**/SELECT 1) UNION (SELECT 2)", "INSERT INTO t VALUES (1)", "update t SET a = 1",
                    "DELETE FROM t",
                    "MERGE INTO t USING u ON true WHEN MATCHED THEN DELETE", "/* BEGIN */ SELECT 1", "; --x\n;SELECT 1",
                    "SELECT/* a */1",
                ]
            ),
            (
                .transactionControl,
                [
                    "BEGIN", "  commit ;", "-- note\n/* a /* b */ c */ Rollback", "START TRANSACTION", "savepoint a",
                    ";end",
                    "ABORT", "RELEASE a", "PREPARE TRANSACTION 'a'", "COMMIT PREPARED 'a'", "CALL p()",
                    "DO 'BEGIN END'",
                ]
            ),
            (
                .other,
                [
                    "VACUUM", "/* now */ create index concurrently ON t (a)", "CREATE DATABASE d",
                    "ALTER SYSTEM RESET ALL",
                    "REINDEX DATABASE d", "SET a TO b", "EXPLAIN ANALYZE SELECT 1", "EXECUTE a", "FETCH c",
                    "COPY t TO STDOUT",
                    "LOCK t", "beginning", "selection", "\"select\"", "", ";", "/* unfinished", "-- SELECT 1",
                ]
            ),
        ])
    func commandKinds(kind: CommandKind, texts: [String]) {
        for text in texts { #expect(CommandKind(text) == kind, "\(text)") }
    }

    @Test("hosts are parted by whether they are among some addresses, and each keeps its port")
    func hosts() throws {
        let text = "host=a,b,/x port=1,2,3"
        let settings = try ConnectionSettings(.init(connectionString: text), sessionSettings: [])
        let silent = [("a", "1"), ("/x", "3"), ("b", "1")].map {
            ConnectionSettings.Address(name: $0.0, address: "", port: $0.1)
        }
        func list(_ settings: ConnectionSettings?) -> [String?] {
            ["host", "port"].map { keyword in settings?.settings.last { $0.keyword == keyword }?.value }
        }
        #expect(list(settings.hosts(among: silent)) == ["a,/x", "1,3"])
        #expect(list(settings.hosts(notAmong: silent)) == ["b", "2"])
        #expect(list(settings.hosts(among: [])) == [nil, nil])
        #expect(list(settings.hosts(among: [silent[1]])) == ["/x", "3"])
        #expect(list(settings.hosts(among: silent)?.hosts(notAmong: silent)) == [nil, nil])
    }

    @Test("a host whose name nobody knows is left out, and the others keep their ports")
    func unknownHosts() throws {
        let text = "host=unknown.test,known.test,/socket port=1,2,3"
        var settings = try ConnectionSettings(.init(connectionString: text), sessionSettings: [])
        settings.addresses = { $0 == "known.test" ? ["127.0.0.1", "127.0.0.2"] : [] }
        settings.resolve()
        func value(_ keyword: String) -> String? { settings.settings.last { $0.keyword == keyword }?.value }
        #expect(settings.hostCount == 3)
        #expect(value("host") == "known.test,known.test,/socket")
        #expect(value("hostaddr") == "127.0.0.1,127.0.0.2,")
        #expect(value("port") == "2,2,3")
        #expect(!settings.needsResolution)
    }

    @Test("a server that statements are routed to is looked up, though the connection string has another's address")
    func routedHost() throws {
        let configuration = PostgresConfiguration(connectionString: "host=a hostaddr=192.0.2.1 port=1")
            .routed(to: PostgresServer(host: "worker.test", port: 2))
        var settings = try ConnectionSettings(configuration, sessionSettings: [])
        settings.addresses = { $0 == "worker.test" ? ["127.0.0.1"] : [] }
        #expect(settings.needsResolution)
        settings.resolve()
        func value(_ keyword: String) -> String? { settings.settings.last { $0.keyword == keyword }?.value }
        #expect(["host", "hostaddr", "port"].map(value) == ["worker.test", "127.0.0.1", "2"])
    }

    @Test("transactions within each other are numbered from the outermost, and one that has outlived it opens nothing")
    func transactionLevels() throws {
        var scopes = OpenScopes()
        let options = TransactionOptions()
        let outer = try scopes.beginTransaction(options, in: .idle, depth: 0)
        let inner = try scopes.beginTransaction(options, in: .open, depth: 1)
        let innermost = try scopes.beginTransaction(options, in: .open, depth: 2)
        #expect([outer, inner, innermost].map(\.level) == [0, 1, 2])
        #expect(outer.end == "COMMIT")
        #expect(innermost.end == "RELEASE SAVEPOINT savepoint_2")
        // A task that is not in all of them is another's.
        #expect(throws: PostgresError.self) { try scopes.beginTransaction(options, in: .open, depth: 1) }
        scopes.endTransaction(outer)
        scopes.endTransaction(innermost)
        #expect(try scopes.beginTransaction(options, in: .idle, depth: 0).level == 0)
        #expect(OpenScopes.makeNumber() != OpenScopes.makeNumber())
    }

    @Test("cursors have the lowest numbers that are free")
    func cursors() {
        var scopes = OpenScopes()
        #expect((0..<3).map { _ in scopes.takeCursor() } == [1, 2, 3])
        scopes.releaseCursor(2)
        scopes.releaseCursor(1)
        #expect((0..<3).map { _ in scopes.takeCursor() } == [1, 2, 4])
    }

    @Test("the name of a statement that was not prepared, or was forgotten, is not used again")
    func preparedNames() {
        var prepared = PreparedStatements()
        let text = StatementText(type: ReadCounter.self, sql: ReadCounter(id: "a").sql)
        var names: Set<String> = []
        names.insert(prepared.add(text, types: []).name)
        prepared.remove(text)
        #expect(prepared[text] == nil)
        names.insert(prepared.add(text, types: []).name)
        prepared.confirm(text)
        // A neighbour's failure does not undo it.
        prepared.remove(text)
        #expect(prepared[text]?.isReady == true)
        prepared.forgetAll()
        names.insert(prepared.add(text, types: []).name)
        #expect(names.count == 3)
        // One type may have several texts.
        let other = StatementText(type: ReadCounter.self, sql: "SELECT 2")
        #expect(prepared[other] == nil)
        names.insert(prepared.add(other, types: []).name)
        #expect(names.count == 4)
        #expect(prepared[text] != nil && prepared[other] != nil)
    }
}
