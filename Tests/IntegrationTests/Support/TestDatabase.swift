import EventLoop
import Foundation
import JulietGame
import JulietServer
import Migrations
import Postgres
import TestSupport
import Testing

/// A database of the tests' own: the product's schema, its word lists, and a role that may only play.
struct TestDatabase: Sendable {
    let cluster: PostgresCluster
    var name: String { database.name }
    /// The words that can be dealt, in lower case.
    let secrets: Set<String>
    private let database: ThrowawayDatabase

    private init(_ database: ThrowawayDatabase, in cluster: PostgresCluster, secrets: Set<String>) {
        self.cluster = cluster
        self.secrets = secrets
        self.database = database
    }

    /// The database that tests share which bring their own players and need the same rules.
    ///
    /// - Parameter settings: Settings, by key; the rules among them are the database's.
    static func shared(_ settings: [String: String] = [:]) async throws -> TestDatabase {
        try await databases.database(settings.filter { GameRules.Key(rawValue: $0.key) != nil })
    }

    private static let databases = SharedDatabases()

    /// Makes a database with the whole schema and both word lists.
    ///
    /// - Parameter cluster: Where; nil: in the cluster that all tests share, spread over several servers if that is what
    ///   they are to test.
    static func create(in cluster: PostgresCluster? = nil) async throws -> TestDatabase {
        if let cluster { return try await fill(cluster.createDatabase(), in: cluster) }
        let template = try await template.value
        let database =
            if CitusCluster.isWanted {
                try await CitusCluster.shared().copyDatabase(template.name)
            } else {
                try await template.cluster.copyDatabase(template.name)
            }
        return TestDatabase(database, in: template.cluster, secrets: template.secrets)
    }

    /// What the databases of the shared cluster are copies of.
    private static let template = Task {
        if CitusCluster.isWanted {
            let servers = try await CitusCluster.shared()
            let database = try await distributed(over: servers)
            try await servers.close(database.name)
            return database
        }
        let cluster = try await PostgresCluster.shared()
        return try await fill(cluster.createDatabase(), in: cluster)
    }

    /// The same, its players spread over the workers of a cluster.
    ///
    /// - Parameter ports: By which ports the servers find the workers; default: their own.
    static func distributed(
        over cluster: CitusCluster, workers: Int = 2, ports: [Int]? = nil
    ) async throws -> TestDatabase {
        let empty = try await cluster.createDatabase(workers: workers, ports: ports)
        let database = try await fill(empty, in: cluster.coordinator)
        try await database.withOwner { connection in
            _ = try await Distribution.distribute(on: connection, shards: 8, lockTimeout: .seconds(10)) { _ in }
        }
        return database
    }

    /// Migrates an empty database and fills in the words.
    static func fill(_ empty: ThrowawayDatabase, in cluster: PostgresCluster) async throws -> TestDatabase {
        try await migrate(cluster.connectionString(database: empty.name))
        let secrets = try words("english-secret.txt")
        let others = Set(try words("english-guessable.txt")).subtracting(secrets)
        let database = TestDatabase(empty, in: cluster, secrets: Set(secrets))
        try await database.insert(words: secrets, language: "en", areSecret: true)
        try await database.insert(words: others.sorted(), language: "en", areSecret: false)
        // Where rows are on several servers, an update may call only what depends on nothing else: not an interval's subtraction.
        try await database.psql(
            """
            CREATE FUNCTION public.earlier(at timestamptz, by interval) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE
            AS 'BEGIN RETURN at - by; END';
            REVOKE ALL ON FUNCTION public.earlier(timestamptz, interval) FROM PUBLIC
            """)
        try await database.psql(
            """
            DO $$
            BEGIN
                CREATE ROLE player_service LOGIN CONNECTION LIMIT 350 IN ROLE juliet_service;
            EXCEPTION
                WHEN duplicate_object OR unique_violation THEN NULL;
            END
            $$
            """)
        return database
    }

    /// What the service connects with: a role that can neither change the schema nor rewrite history. Its sessions are
    /// not told where the tables are, and neither are those of ``withOwner(_:)``: the product's statements say so.
    var serviceConnectionString: String {
        "host=\(cluster.directory) port=\(cluster.port) user=player_service dbname=\(name)"
    }

    /// Runs SQL as the superuser and returns what it prints. The game's names need no schema here.
    @discardableResult
    func psql(_ sql: String) async throws -> String {
        try await cluster.psql(sql, database: name)
    }

    /// Adds words that contain no quotes, and has them dealt if they are secrets.
    func insert(words: some Collection<String>, language: String, areSecret: Bool) async throws {
        try await psql(
            """
            INSERT INTO words (language, word, is_secret)
            SELECT '\(language)', word, \(areSecret) FROM unnest('{\(words.joined(separator: ","))}'::text[]) AS word;
            SELECT refresh_word_lists()
            """)
    }

    /// Opens 49 sessions of a player, `device1` to `device49`. That of `device7` was used the longest ago.
    func openSessions(of player: String) async throws {
        try await psql(
            """
            INSERT INTO sessions (user_id, id, token_hash, opened_by, created_at, last_used_at)
            SELECT '\(player)', gen_random_uuid(), sha256(convert_to('\(player) ' || n, 'UTF8')), 'device' || n,
                now() - interval '1 day',
                date_trunc('hour', now(), 'UTC') - CASE n WHEN 7 THEN interval '9 hours' ELSE interval '2 hours' END
            FROM generate_series(1, 49) AS n
            """)
    }

    /// Deletes all words of a database of which nobody has played one yet.
    func deleteWords() async throws { try await psql("DELETE FROM word_lists; DELETE FROM words") }

    /// Applies the rules that settings name, as an operator would.
    func apply(_ settings: Settings) async throws {
        guard !settings.setRules.isEmpty else { return }
        try await withOwner { owner in
            _ = try await RulesRecords(connection: owner, actor: "test").apply(settings.rules, settings.setRules)
        }
    }

    /// The players whose balance, number of entries or seal is not what their ledger makes; empty: all is well.
    func ledgerFaults() async throws -> String {
        try await psql(
            """
            SELECT id FROM users LEFT JOIN energy_ledger ON user_id = id AND entry IS NOT NULL
            GROUP BY id HAVING energy IS DISTINCT FROM sum(delta) OR ledger_entry <> count(entry)
                OR ledger_seal IS DISTINCT FROM bit_xor(energy_entry_seal(
                    entry, delta, balance_after, reason, reference, energy_ledger.created_at))
            """)
    }

    /// Waits until so many sessions wait for a lock, on all servers together; half a minute at most.
    func waitForWaitingSessions(_ count: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        let shared = CitusCluster.isWanted ? try await CitusCluster.shared() : nil
        let servers = shared?.coordinator === cluster ? shared?.servers ?? [] : [cluster]
        func waiting() async throws -> Int {
            var sum = 0
            for server in servers {
                let waits = try await server.psql(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(name)' AND wait_event_type = 'Lock'")
                sum += try #require(Int(waits))
            }
            return sum
        }
        while try await waiting() != count {
            try #require(ContinuousClock.now < deadline, "\(count) sessions wait for a lock")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Runs the audit; each finding is an issue of the test.
    func expectCleanAudit(_ comment: String = "", without: Set<Audit.Part> = []) async throws {
        var scope = Audit.Scope()
        scope.parts.subtract(without)
        let count = try await withOwner { [scope] owner in
            var audit = Audit(connection: owner, scope: scope)
            return try await audit.run { Issue.record("\(comment) \($0)") }.count
        }
        #expect(count == 0, "\(comment)")
    }

    /// Moves some shard of the players from its server to another one of the cluster.
    func moveShard() async throws {
        try await psql(
            """
            SELECT citus_move_shard_placement(
                shardid, here.nodename, here.nodeport, there.nodename, there.nodeport, 'force_logical')
            FROM (
                SELECT shardid, groupid FROM pg_dist_shard JOIN pg_dist_placement USING (shardid)
                WHERE logicalrelid = 'users'::regclass ORDER BY random() LIMIT 1) AS shard
                JOIN pg_dist_node AS here USING (groupid)
                JOIN pg_dist_node AS there ON there.groupid NOT IN (0, shard.groupid)
            LIMIT 1
            """)
    }

    /// Calls a closure with a session of the tables' owner.
    func withOwner<Result>(_ body: (PostgresConnection) async throws -> Result) async throws -> Result {
        try await withSession(cluster.connectionString(database: name), body)
    }

    /// Calls a closure with a session of whoever a connection string names.
    func withSession<Result>(
        _ connectionString: String, _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let loop = try EventLoop(label: "session")
        defer { loop.shutdown() }
        let connection = try await PostgresConnection.connect(
            PostgresConfiguration(connectionString: connectionString), on: loop)
        do {
            let result = try await body(connection)
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }

    /// The repository.
    static var root: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
    }

    private static func words(_ file: String) throws -> [String] {
        try String(contentsOf: root.appendingPathComponent("config/words/\(file)"), encoding: .utf8)
            .split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    private static func migrate(_ connectionString: String) async throws {
        let loop = try EventLoop(label: "migrate")
        defer { loop.shutdown() }
        let configuration = PostgresConfiguration(connectionString: connectionString)
        let runner = MigrationRunner(
            connect: { () async throws(PostgresError) in
                try await PostgresConnection.connect(configuration, on: loop)
            }, options: Schema.runnerOptions(release: Release.version))
        // With the first right it gives, a database of Citus tells all servers of the role. What was applied stays.
        try await CitusCluster.patiently(when: { "\($0)".contains("tuple concurrently updated") }) {
            _ = try await runner.up(Schema.migrations, code: Schema.code)
        }
    }
}

/// The databases that tests share, each made on first use.
private actor SharedDatabases {
    private var databases: [[String: String]: Task<TestDatabase, any Error>] = [:]

    func database(_ rules: [String: String]) async throws -> TestDatabase {
        if let database = databases[rules] { return try await database.value }
        let making = Task {
            let database = try await TestDatabase.create()
            try await database.apply(
                Settings(flags: rules.map { ($0.key, $0.value, "test") }, environment: [:], file: nil, part: .rules))
            return database
        }
        databases[rules] = making
        return try await making.value
    }
}
