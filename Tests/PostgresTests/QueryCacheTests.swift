import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Postgres

@Suite("One-off statements that come again", .timeLimit(.minutes(2)))
struct QueryCacheTests {
    private func key(_ number: Int, _ types: [UInt32] = []) -> QueryCache.Key {
        QueryCache.Key(sql: "SELECT \(number)", types: types)
    }

    // MARK: The rules

    @Test("are prepared from a number of uses on; texts with other types are others")
    func threshold() {
        var cache = QueryCache(limit: 10, threshold: 3)
        for _ in 0..<2 { #expect(cache.use(key(1)) == .unnamed) }
        #expect(cache.use(key(1, [23])) == .unnamed)
        #expect(cache.use(key(1)) == .prepare(name: "query_1"))
        #expect(cache.use(key(1)) == .prepared(name: "query_1"))
        #expect(cache.use(key(1, [23])) == .unnamed)
        #expect(cache.use(key(1, [23])) == .prepare(name: "query_2"))
        cache.remove(key(1, [23]))
        #expect(cache.use(key(1, [23])) == .unnamed)
        var none = QueryCache(limit: 0, threshold: 1)
        #expect(none.use(key(1)) == .unnamed && none.use(key(1)) == .unnamed)
    }

    @Test("what has no plan, and what is long, is not prepared")
    func kinds() {
        var cache = QueryCache(limit: 10, threshold: 1)
        for sql in [
            "BEGIN", "SET a TO b", "DECLARE c CURSOR FOR SELECT 1", "FETCH c", "LISTEN a", "CREATE TABLE t ()", "",
        ] {
            #expect(cache.use(.init(sql: sql, types: [])) == .unnamed)
        }
        let long = "SELECT '" + String(repeating: "x", count: 40_000) + "'"
        #expect(cache.use(.init(sql: long, types: [])) == .unnamed)
        for sql in ["select 1", " /* x */ WITH a AS (SELECT 1) TABLE a", "--x\nINSERT INTO t VALUES (1)", "(SELECT 1)"]
        {
            #expect(cache.use(.init(sql: sql, types: [])) != .unnamed, "\(sql)")
        }
    }

    @Test("the least recently used makes room, and is closed")
    func eviction() {
        var cache = QueryCache(limit: 2, threshold: 1)
        _ = cache.use(key(1))
        _ = cache.use(key(2))
        _ = cache.use(key(1))
        #expect(cache.use(key(3)) == .prepare(name: "query_3"))
        #expect(cache.evicted == ["query_2"] && cache.count == 2)
        #expect(cache.use(key(1)) == .prepared(name: "query_1"))
        #expect(cache.use(key(2)) == .prepare(name: "query_4"))
        #expect(cache.evicted == ["query_2", "query_3"])
        cache.closed("query_2")
        #expect(cache.evicted == ["query_3"])
        cache.retireAll()
        #expect(Set(cache.evicted) == ["query_1", "query_3", "query_4"] && cache.count == 0)
        // Known as one that comes again.
        #expect(cache.use(key(1)) == .prepare(name: "query_5"))
        cache.forgetAll()
        #expect(cache.evicted.isEmpty && cache.count == 0)
        #expect(cache.use(key(1)) == .prepare(name: "query_6"))
    }

    @Test("what was prepared in a transaction that changed the schema goes when that is rolled back")
    func rollback() {
        var cache = QueryCache(limit: 10, threshold: 1)
        _ = cache.use(key(1))
        cache.rolledBack()
        #expect(cache.count == 1)
        cache.retireAll()
        #expect(cache.use(key(1)) == .prepare(name: "query_2"))
        // To a savepoint: there may be more to undo.
        cache.rolledBack()
        #expect(cache.use(key(1)) == .prepare(name: "query_3"))
        cache.rolledBack()
        #expect(cache.use(key(1)) == .prepare(name: "query_4"))
        cache.committed()
        cache.rolledBack()
        cache.isOutsideTransaction()
        #expect(cache.use(key(1)) == .prepared(name: "query_4"))
        cache.retireAll()
        #expect(cache.use(key(1)) == .prepare(name: "query_5"))
        cache.isOutsideTransaction()
        #expect(cache.use(key(1)) == .prepare(name: "query_6"))
        cache.rolledBack()
        #expect(cache.use(key(1)) == .prepared(name: "query_6"))
    }

    @Test("a million texts that come once take the memory of some")
    func bounds() {
        var cache = QueryCache(limit: 100, threshold: 2)
        for number in 0..<100_000 { #expect(cache.use(key(number)) == .unnamed) }
        let kept = (0..<100_000).count { cache.isCounted(key($0)) }
        #expect((100...200).contains(kept) && cache.count == 0)
        cache = QueryCache(limit: 100, threshold: 1)
        for number in 0..<10_000 {
            #expect(cache.use(key(number)) != .unnamed)
            if number % 70 == 0 {
                cache.retireAll()
                for name in cache.evicted { cache.closed(name) }
            }
        }
        #expect((100...200).contains((0..<10_000).count { cache.isCounted(key($0)) }))
    }

    // MARK: On a server

    private func connect(
        _ fixture: Fixture, limit: Int = 100, threshold: Int = 3, _ route: PostgresConfiguration.Route = .direct
    ) async throws -> PostgresConnection {
        var configuration = fixture.configuration()
        (configuration.preparedQueryLimit, configuration.preparedQueryThreshold) = (limit, threshold)
        configuration.route = route
        return try await PostgresConnection.connect(configuration, on: fixture.loop)
    }

    /// The texts of what the server has prepared.
    private func prepared(_ connection: PostgresConnection) async throws -> [String] {
        // Never the same text, so never prepared.
        let sql = SQLText(
            trusted:
                "SELECT statement FROM pg_prepared_statements ORDER BY prepare_time, name -- \(Int.random(in: 0 ... .max))"
        )
        return try await connection.query(sql) { (row) throws(PostgresDecodingError) in try row.next(String.self) }
    }

    @Test("are prepared on the server, within the limit, and give what they gave")
    func onServer() async throws {
        try await Fixture.run { fixture in
            let connection = try await connect(fixture, limit: 2)
            for round in 1...5 {
                #expect(try await connection.read("SELECT $1 + 1", [Int32(round)]) == Int32(round + 1))
                #expect(try await prepared(connection).count == (round < 3 ? 0 : 1))
            }
            for _ in 0..<3 { #expect(try await connection.read("SELECT $1 + 1", [2.0]) == 3.0) }
            #expect(try await prepared(connection) == ["SELECT $1 + 1", "SELECT $1 + 1"])
            for number in 1...5 {
                for _ in 0..<4 {
                    #expect(try await connection.read(SQLText(trusted: "SELECT \(number)::int4")) == Int32(number))
                }
            }
            // The next statement closes what was evicted.
            #expect(try await prepared(connection) == ["SELECT 4::int4", "SELECT 5::int4"])
            // One that fails is not kept.
            for _ in 0..<5 { #expect(await connection.failure("SELECT nothing", [])?.sqlState == "42703") }
            for _ in 0..<5 { #expect(await connection.failure("SELECT 1 / $1", [Int32(0)])?.sqlState == "22012") }
            #expect(try await prepared(connection) == ["SELECT 5::int4", "SELECT 1 / $1"])
            await connection.close()
            for route in [.transactionPooler, .preparingTransactionPooler] as [PostgresConfiguration.Route] {
                let pooled = try await connect(fixture, threshold: 1, route)
                for _ in 0..<3 { #expect(try await pooled.read("SELECT 1") == Int32(1)) }
                #expect(try await prepared(pooled).isEmpty)
                await pooled.close()
            }
        }
    }

    @Test("a changed schema, whoever changed it, and what somebody has dropped are noticed")
    func changes() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE t (a int4); INSERT INTO t VALUES (1)")
            let connection = try await connect(fixture)
            func read<Value: PostgresDecodable>(_: Value.Type = Value.self) async throws -> Value {
                try await connection.read("SELECT a FROM t")
            }
            for _ in 0..<4 { #expect(try await read() == Int32(1)) }
            try await fixture.psql("ALTER TABLE t ALTER a TYPE text USING a || '!'")
            #expect(try await read() == "1!")
            // In a transaction of its own, where nothing can be run again.
            try await connection.withTransaction { transaction in
                #expect(try await transaction.read("SELECT a FROM t") == "1!")
                try await transaction.run("ALTER TABLE t ALTER a TYPE int8 USING 7")
                #expect(try await transaction.read("SELECT a FROM t") == 7)
                try await transaction.executeScript("ALTER TABLE t ALTER a TYPE bool USING true")
                #expect(try await transaction.read("SELECT a FROM t") == true)
            }
            for _ in 0..<4 { #expect(try await read() == true) }
            #expect(try await prepared(connection) == ["SELECT a FROM t"])
            // Somebody else's change before a transaction: it says so, and goes through at the next attempt.
            try await fixture.psql("ALTER TABLE t ALTER a TYPE int4 USING 5")
            let outdated = await #expect(throws: PostgresTransactionError.self) {
                try await connection.withTransaction(attempts: 1) { try await $0.run("SELECT a FROM t") }
            }
            #expect(outdated?.isTransient == true)
            for _ in 0..<4 { #expect(try await read() == Int32(5)) }
            try await fixture.psql("ALTER TABLE t ALTER a TYPE int8")
            try await connection.withTransaction { (transaction) async throws in
                #expect(try await transaction.read("SELECT a FROM t") == 5)
            }
            for sql in [
                "DISCARD ALL", "DEALLOCATE ALL", "DEALLOCATE \"%\"", "DO $$BEGIN EXECUTE 'DEALLOCATE ALL'; END$$",
            ] {
                for _ in 0..<4 { #expect(try await read() == 5) }
                let name: String = try await connection.read(
                    "SELECT coalesce(max(name), '') FROM pg_prepared_statements WHERE statement = 'SELECT a FROM t'")
                #expect(!name.isEmpty)
                try await connection.executeScript(sql.replacingOccurrences(of: "%", with: name))
                #expect(try await read() == 5)
            }
            await connection.close()
        }
    }

    @Test("a change of the schema that is rolled back leaves no plans")
    func rolledBackChanges() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql(
                "CREATE TABLE t (a int4); CREATE TABLE late (a int4 UNIQUE DEFERRABLE INITIALLY DEFERRED)")
            let connection = try await connect(fixture, threshold: 1)
            func works(_ comment: Comment) async throws {
                try await connection.executeScript("BEGIN")
                for _ in 0..<2 { #expect(await connection.failure("SELECT * FROM t", []) == nil, comment) }
                try await connection.executeScript("ROLLBACK")
                #expect(try await prepared(connection).contains("SELECT * FROM t"), comment)
            }
            for isKnown in [false, true] {
                // The server answers `COMMIT` of a failed transaction by `ROLLBACK`, and this `END` by an error.
                for end in ["ROLLBACK", "ABORT", "ROLLBACK TO a", "COMMIT", "END"] {
                    for isScript in [false, true] {
                        try await connection.executeScript("DISCARD ALL")
                        if isKnown { try await connection.run("SELECT * FROM t") }
                        try await connection.executeScript("BEGIN; SAVEPOINT a")
                        try await connection.run("ALTER TABLE t ADD b int4")
                        try await connection.run("SELECT * FROM t")
                        switch end {
                        case "COMMIT": #expect(await connection.failure("SELECT 1 / 0", []) != nil)
                        case "END": try await connection.run("INSERT INTO late VALUES (1), (1)")
                        default: break
                        }
                        if isScript {
                            try? await connection.executeScript(end)
                        } else {
                            let state = await connection.failure(SQLText(trusted: end), [])?.sqlState
                            #expect(state == (end == "END" ? "23505" : nil))
                        }
                        if end == "ROLLBACK TO a" {
                            #expect(await connection.failure("SELECT * FROM t", []) == nil, "\(end)")
                            try await connection.executeScript("COMMIT")
                        }
                        try await works("\(end), \(isKnown), \(isScript)")
                    }
                }
            }
            // One that stays leaves what is prepared.
            try await connection.withTransaction { transaction in
                try await transaction.run("ALTER TABLE t ADD b int4")
                try await transaction.run("SELECT * FROM t")
            }
            #expect(try await prepared(connection).contains("SELECT * FROM t"))
            await connection.close()
        }
    }

    @Test("what cannot be closed in a transaction that has failed is closed later")
    func failedTransaction() async throws {
        try await Fixture.run { fixture in
            let connection = try await connect(fixture, limit: 1, threshold: 1)
            try await connection.run("SELECT 1")
            try await connection.executeScript("BEGIN")
            try await connection.run("SELECT 2")
            #expect(await connection.failure("SELECT 1 / $1", [Int32(0)])?.sqlState == "22012")
            #expect(await connection.failure("SELECT 3", [])?.sqlState == "25P02")
            #expect(await connection.failure("SELECT 4", [])?.sqlState == "25P02")
            try await connection.executeScript("ROLLBACK")
            try await connection.run("SELECT 5")
            try await connection.run("SELECT 5")
            // This one, too, is counted.
            #expect(try await prepared(connection).count == 1)
            await connection.close()
        }
    }

    @Test("what has to come first or alone does, also when there is something to close")
    func firstOrAlone() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE t (a int4)")
            let connection = try await connect(fixture, threshold: 1)
            for (sql, end) in [
                ("VACUUM t", nil), ("CREATE INDEX CONCURRENTLY ON t (a)", nil),
                ("BEGIN ISOLATION LEVEL SERIALIZABLE", "COMMIT"),
                ("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", "COMMIT"),
            ] as [(SQLText, String?)] {
                try await connection.run("SELECT a FROM t")
                try await connection.run("ALTER TABLE t ALTER a SET DEFAULT 1")
                if sql.text.hasPrefix("SET") { try await connection.run("BEGIN") }
                #expect(await connection.failure(sql, []) == nil, "\(sql)")
                if let end {
                    #expect(try await connection.read("SHOW transaction_isolation") == "serializable")
                    try await connection.executeScript(end)
                }
                // This one, too, is counted.
                #expect(try await prepared(connection).count == 1, "\(sql)")
            }
            await connection.close()
        }
    }

    @Test("whatever happens in between, each gives its own answer and the server keeps no more than the limit")
    func anyOrder() async throws {
        try await Fixture.run { fixture in
            let limit = 4
            let connection = try await connect(fixture, limit: limit, threshold: 2)
            var random = SeededGenerator(seed: 4343)
            try await fixture.psql("CREATE TABLE t (a int4); INSERT INTO t VALUES (1)")
            var isOpen = false
            for round in 0..<600 {
                switch Int.random(in: 0..<40, using: &random) {
                case 0: try await connection.executeScript("DISCARD PLANS")
                case 1 where !isOpen: try await connection.executeScript("DISCARD ALL")
                case 2: try await connection.run("ALTER TABLE t ADD IF NOT EXISTS b int4")
                case 3: try await connection.run("ALTER TABLE t DROP IF EXISTS b")
                case 4...6:
                    try await connection.executeScript(isOpen ? "ROLLBACK" : "BEGIN")
                    isOpen.toggle()
                case 7 where isOpen:
                    #expect(await connection.failure("SELECT 1 / $1", [Int32(0)])?.sqlState == "22012")
                    #expect(await connection.failure("SELECT 'refused'", [])?.sqlState == "25P02")
                    try await connection.executeScript("ROLLBACK")
                    isOpen = false
                case 8:
                    let count = try await prepared(connection).count
                    #expect(count <= limit, "round \(round)")
                case 9: #expect(try await connection.run("SELECT * FROM t") == 1)
                default:
                    let number = Int.random(in: 0..<8, using: &random)
                    let sql = SQLText(trusted: "SELECT $1 + \(number)")
                    if Bool.random(using: &random) {
                        #expect(try await connection.read(sql, [Int32(round)]) == Int32(round + number))
                    } else {
                        #expect(try await connection.read(sql, [Double(round)]) == Double(round + number))
                    }
                }
            }
            await connection.close()
        }
    }
}
