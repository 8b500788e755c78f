import EventLoop
import TestSupport
import Testing

@testable import Postgres

/// Changes an account, and notes that under the operation's number.
private struct Change: Statement {
    enum Kind {
        /// Two that are gathered.
        case pay, win
        /// One that is not, and one of whose parameters no array is known.
        case note, listed
        /// Two that are gathered and have long rows.
        case wide, wider
    }

    struct Outcome: Sendable {
        let account: String
        let balance: Int32
        /// How many ran as one; 0: it ran by itself.
        let together: Int32
        let transaction: Int64
    }

    var kind = Kind.pay
    let account: String
    let operation: Int
    var amount: Int32 = 1
    var attempts = 1

    var sql: StaticString {
        switch kind {
        case .pay: "SELECT * FROM change('pay', $1, $2, $3)"
        case .win: "SELECT * FROM change('win', $1, $2, $3)"
        case .note: "SELECT * FROM change('note', $1, $2, $3)"
        case .listed: "SELECT * FROM change('listed', $1, $2, ($3::int[])[1])"
        case .wide: "SELECT *, '' FROM change('wide', $1, $2, $3)"
        case .wider: "SELECT *, '' FROM change('wider', $1, $2, $3)"
        }
    }
    var gatheredSQL: StaticString? {
        switch kind {
        case .pay: "SELECT * FROM change_each('pay', $1, $2, $3)"
        case .win: "SELECT * FROM change_each('win', $1, $2, $3)"
        case .note: nil
        case .listed: "SELECT * FROM change_each('listed', $1, $2, $3)"
        case .wide:
            """
            SELECT account, balance, together, transaction, repeat('x', 20000), place
            FROM change_each('wide', $1, $2, $3)
            """
        case .wider:
            """
            SELECT account, balance, together, transaction, repeat('x', 20000), place
            FROM change_each('wider', $1, $2, $3)
            """
        }
    }
    var orderingKey: String? { account }

    func bind(to parameters: inout Parameters) {
        parameters.append(account, operation)
        if kind == .listed { parameters.append([amount]) } else { parameters.append(amount) }
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Outcome {
        Outcome(
            account: try row.next(), balance: try row.next(), together: try row.next(), transaction: try row.next())
    }

    /// Changes of as many accounts.
    static func list(_ count: Int, _ kind: Kind = .pay, firstOperation: Int = 0) -> [Change] {
        (0..<count).map { Change(kind: kind, account: account($0), operation: firstOperation + $0) }
    }

    /// Three digits, so that their order is that of the numbers.
    static func account(_ number: Int) -> String { "a\(100 + number)" }
}

private typealias Call = Task<Result<Change.Outcome?, PostgresError>, Never>

extension Call {
    /// What the call came to; it fails the test if that was an error.
    fileprivate func outcome() async throws -> Change.Outcome { try #require(try await value.get()) }
}

/// Locks that a test holds so that what it looks at stands still (`pg_advisory_lock`).
private enum Barrier: Int {
    /// Before several that run as one do anything.
    case set = 1
    /// Before a transaction is committed; only where ``Fixture/createCommitBarrier()`` was called.
    case commit = 2
}

extension PostgresConnection {
    fileprivate func close(_ barrier: Barrier) async throws {
        try await executeScript("SELECT pg_advisory_lock(\(barrier.rawValue))")
    }

    fileprivate func open(_ barrier: Barrier) async throws {
        try await executeScript("SELECT pg_advisory_unlock(\(barrier.rawValue))")
    }

    /// Locks accounts until `COMMIT`.
    fileprivate func hold(_ accounts: [Int]) async throws {
        let ids = accounts.map { "'\(Change.account($0))'" }.joined(separator: ", ")
        try await executeScript("BEGIN; UPDATE accounts SET n = n WHERE id IN (\(ids))")
    }
}

extension Fixture {
    fileprivate func createAccounts(_ count: Int = 100) async throws {
        try await createGate()
        try await psql(
            """
            CREATE TABLE accounts (id text PRIMARY KEY, n int NOT NULL CONSTRAINT accounts_n_check CHECK (n <= 1000));
            INSERT INTO accounts SELECT 'a' || 100 + n, 0 FROM generate_series(0, \(count - 1)) AS n;
            -- What is done twice fails at the commit.
            CREATE TABLE effects (
                number bigserial, operation bigint NOT NULL UNIQUE DEFERRABLE INITIALLY DEFERRED, account text NOT NULL,
                kind text NOT NULL, together int NOT NULL);
            CREATE SEQUENCE times_left_out;
            CREATE TYPE outcome AS (account text, balance int, together int, transaction bigint);
            -- For tests that want a conflict.
            CREATE FUNCTION conflict() RETURNS void LANGUAGE plpgsql AS 'BEGIN END';

            CREATE FUNCTION change(kind text, account text, operation bigint, amount int, together int DEFAULT 0)
            RETURNS outcome LANGUAGE plpgsql AS $$
            DECLARE balance int;
            BEGIN
                IF together = 0 THEN PERFORM conflict(); END IF;
                UPDATE accounts SET n = n + amount WHERE id = account RETURNING n INTO STRICT balance;
                INSERT INTO effects (operation, account, kind, together) VALUES (operation, account, kind, together);
                RETURN (account, balance, together, txid_current());
            END $$;

            CREATE FUNCTION change_each(kind text, ids text[], operations bigint[], amounts int[])
            RETURNS TABLE (account text, balance int, together int, transaction bigint, place bigint)
            LANGUAGE plpgsql AS $$
            DECLARE answer outcome;
            BEGIN
                PERFORM pg_advisory_xact_lock_shared(\(Barrier.set.rawValue));
                PERFORM conflict();
                FOR number IN 1..cardinality(ids) LOOP
                    PERFORM FROM accounts AS a WHERE a.id = ids[number] FOR NO KEY UPDATE SKIP LOCKED;
                    IF FOUND THEN
                        answer := change(kind, ids[number], operations[number], amounts[number], cardinality(ids));
                        RETURN QUERY SELECT answer.*, number::bigint;
                    ELSE
                        PERFORM nextval('times_left_out');
                        RETURN QUERY SELECT NULL::text, NULL::int, NULL::int, NULL::bigint, -number::bigint;
                    END IF;
                END LOOP;
            END $$
            """)
    }

    /// Has every commit of an effect wait for ``Barrier/commit``.
    fileprivate func createCommitBarrier() async throws {
        try await psql(
            """
            CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                PERFORM pg_advisory_xact_lock_shared(\(Barrier.commit.rawValue));
                RETURN NULL;
            END $$;
            CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON effects DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION wait_at_commit()
            """)
    }

    /// Makes changes that wait together.
    fileprivate func handIn(
        _ changes: [Change], to client: PostgresClient, timeouts: [Int: Duration] = [:],
        meanwhile: () async throws -> Void = {}
    ) async throws -> [Call] {
        try await handIn(client, changes.count, behind: .write, meanwhile: meanwhile) {
            (index) async throws(PostgresError) in try await client.first(changes[index], timeout: timeouts[index])
        }
    }

    /// The operations that have taken effect, each as often as it has.
    fileprivate func effects() async throws -> [Int] {
        try await psql("SELECT operation FROM effects ORDER BY 1").split(separator: "\n").compactMap { Int($0) }
    }

    /// Ends the session that waits at ``Barrier/set``.
    fileprivate func terminateAtBarrier() async throws {
        try await psql(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event = 'advisory' AND query LIKE '%change_each(%'
            """)
    }

    /// Fails if the changes have not run as one, or not all of them.
    fileprivate func expectTogether(_ changes: [Change], _ calls: [Call]) async throws {
        for (change, call) in zip(changes, calls) {
            let outcome = try await call.outcome()
            #expect(outcome.account == change.account)
            #expect(outcome.together == Int32(changes.count), "\(change.account)")
        }
    }
}

@Suite("Writes that run as one")
struct GatheredWritesTests {
    private func running(
        _ configure: @Sendable (inout PostgresConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (Fixture, PostgresClient) async throws -> Void
    ) async throws {
        try await Fixture.run { fixture in
            try await fixture.createAccounts()
            try await fixture.withPatientClient(configure) { client in try await body(fixture, client) }
        }
    }

    @Test("those that wait together leave as one statement in the order of their keys, and each gets its own row")
    func together() async throws {
        let watcher = Watcher()
        try await running({ $0.observer = watcher }) { fixture, client in
            for round in 0..<3 {
                let changes = Change.list(20, firstOperation: round * 100)
                let calls = try await fixture.handIn(changes, to: client)
                try await fixture.expectTogether(changes, calls)
                var transactions: Set<Int64> = []
                for call in calls {
                    let outcome = try await call.outcome()
                    #expect(outcome.balance == Int32(round + 1))
                    transactions.insert(outcome.transaction)
                }
                #expect(transactions.count == 1)
                #expect(try await fixture.effects().suffix(20) == changes.map(\.operation))
            }
            let order = """
                SELECT bool_and(account >= before)
                FROM (SELECT account, lag(account) OVER w AS before FROM effects
                    WINDOW w AS (PARTITION BY operation / 100 ORDER BY number)) AS e
                """
            #expect(try await fixture.psql(order) == "t")
            // To the observer, and to the turnstile, a set is as many as it runs.
            #expect(watcher.seen.batches.map(\.size).filter { $0 == 20 }.count == 3)
            #expect(watcher.seen.statements.filter { $0.name == "Change" }.count == 60)
        }
    }

    @Test("fewer than four run one by one", arguments: [2, 3, 4, 5])
    func fewest(count: Int) async throws {
        try await running { fixture, client in
            for call in try await fixture.handIn(Change.list(count), to: client) {
                #expect(try await call.outcome().together == (count < 4 ? 0 : Int32(count)))
            }
            #expect(try await fixture.effects() == Array(0..<count))
        }
    }

    @Test("several kinds, and those that cannot be gathered, share the transaction, in which the sets come last")
    func mixed() async throws {
        try await running { fixture, client in
            let kinds: [Change.Kind] = [.pay, .win, .listed, .note, .win, .pay]
            var changes = (0..<36).map {
                Change(kind: kinds[$0 % 6], account: Change.account($0), operation: $0)
            }
            // Too few of a kind.
            changes += (36..<39).map { Change(kind: .wide, account: Change.account($0), operation: $0) }
            let calls = try await fixture.handIn(changes, to: client)
            var transactions: Set<Int64> = []
            for (change, call) in zip(changes, calls) {
                let outcome = try await call.outcome()
                #expect(outcome.account == change.account)
                #expect(outcome.together == ([.pay, .win].contains(change.kind) ? 12 : 0))
                transactions.insert(outcome.transaction)
            }
            #expect(transactions.count == 1)
            #expect(try await fixture.effects() == Array(0..<39))
            let order = "max(number) FILTER (WHERE together = 0) < min(number) FILTER (WHERE together > 0)"
            #expect(try await fixture.psql("SELECT \(order) FROM effects") == "t")
        }
    }

    // MARK: Rows that are wrong

    /// One whose answers the test chooses.
    private struct Odd: Statement {
        enum Form { case numbers, texts, none }
        let form: Form
        let id: String

        var sql: StaticString { "INSERT INTO odd_effects VALUES ($1) RETURNING 7" }
        var gatheredSQL: StaticString? {
            switch form {
            case .numbers: "SELECT 7, number FROM odd_each($1) AS number"
            case .texts: "SELECT 7, number::text FROM odd_each($1) AS number"
            case .none: "INSERT INTO odd_effects SELECT unnest($1)"
            }
        }
        func bind(to parameters: inout Parameters) { parameters.append(id) }
        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
    }

    @Test("who does not get one row is told so, not that there is none; all take effect, and the connection goes on")
    func wrongRows() async throws {
        struct Case {
            var form = Odd.Form.numbers
            let numbers: String
            /// The executions that get an error, from 1.
            var wrong: Set<Int> = [1, 2, 3, 4, 5]
        }
        let cases = [
            Case(numbers: "5, 4, 3, 2, 1", wrong: []),
            Case(numbers: "1, 2, 4, 5", wrong: [3]),
            Case(numbers: "1, 2, 3, 3, 4, 5", wrong: [3]),
            Case(numbers: "1, 2, 3, -3, 4, 5", wrong: [3]),
            Case(numbers: "1, -2, -2, 3, 4, 5", wrong: [2]),
            Case(numbers: "0, 2, 3, 4, 5"),
            Case(numbers: "1, 2, 3, 4, 6"),
            Case(numbers: "1, 2, 3, 4, -6"),
            Case(numbers: "1, 2, 3, 4, NULL"),
            Case(numbers: "1, 2, 3, 4, 9223372036854775807"),
            Case(numbers: "1, 2, 3, 4, -9223372036854775808"),
            Case(form: .texts, numbers: "1, 2, 3, 4, 5"),
            Case(form: .none, numbers: ""),
            Case(numbers: ""),
        ]
        let watcher = Watcher()
        try await running({ $0.observer = watcher }) { fixture, client in
            try await fixture.psql(
                """
                CREATE TABLE odd_effects (id text NOT NULL);
                CREATE TABLE odd_numbers (numbers bigint[] NOT NULL);
                CREATE FUNCTION odd_each(ids text[]) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
                BEGIN
                    INSERT INTO odd_effects SELECT unnest(ids);
                    RETURN QUERY SELECT unnest(numbers) FROM odd_numbers;
                END $$
                """)
            for odd in cases {
                try await fixture.psql(
                    """
                    TRUNCATE odd_effects, odd_numbers;
                    INSERT INTO odd_numbers VALUES (ARRAY[\(odd.numbers)]::bigint[])
                    """)
                let results = try await fixture.together(client, 5, behind: .write) {
                    (index) async throws(PostgresError) -> Int32? in
                    // Nothing orders them but when they came.
                    let statement = Odd(form: odd.form, id: "\(index)")
                    return if index % 2 == 0 {
                        try await client.first(statement)
                    } else {
                        try await client.execute(statement).first
                    }
                }
                let failed = results.filter { $0.code != nil }
                #expect(failed.count == odd.wrong.count && failed.allSatisfy { $0.code == .decodingFailed }, "\(odd)")
                #expect(try results.allSatisfy { try $0.code != nil || $0.get() == 7 }, "\(odd)")
                let effects = "SELECT string_agg(id, ',' ORDER BY id) FROM odd_effects"
                #expect(try await fixture.psql(effects) == "0,1,2,3,4", "\(odd)")
                #expect(try await client.first(Odd(form: odd.form, id: "alone")) == 7)
            }
        }
        #expect(watcher.seen.lost.isEmpty && watcher.seen.opened == 2)
    }

    @Test("one that raises an error has all run by themselves, and only the culprit gets it", arguments: [false, true])
    func raising(isAtCommit: Bool) async throws {
        let watcher = Watcher()
        try await running({ $0.observer = watcher }) { fixture, client in
            var changes = Change.list(8)
            if isAtCommit {
                // Somebody has the operation's number.
                try await fixture.psql("INSERT INTO effects (operation, account, kind, together) VALUES (5, '', '', 0)")
            } else {
                changes[5].amount = 2000
            }
            for (index, call) in try await fixture.handIn(changes, to: client).enumerated() {
                if index == 5 {
                    #expect(await call.value.sqlState == (isAtCommit ? .uniqueViolation : .checkViolation))
                } else {
                    let outcome = try await call.outcome()
                    #expect(outcome.balance == 1 && outcome.together == 0)
                }
            }
            #expect(try await fixture.effects() == [0, 1, 2, 3, 4] + (isAtCommit ? [5] : []) + [6, 7])
            let batches = watcher.seen.batches.filter { $0.size == 8 }
            #expect(batches.map(\.outcome) == [.rolledBack, .committed])
        }
    }

    @Test("an error of a neighbour that runs by itself, too, has those of the set run by themselves")
    func raisingNeighbour() async throws {
        try await running { fixture, client in
            var changes = Change.list(8)
            changes[7].kind = .note
            changes[7].amount = 2000
            let calls = try await fixture.handIn(changes, to: client)
            #expect(await calls[7].value.sqlState == .checkViolation)
            for call in calls.dropLast() { #expect(try await call.outcome().together == 0) }
            #expect(try await fixture.effects() == Array(0..<7))
        }
    }

    @Test("one that waits for a lock all the same has all run by themselves, once its patience is over")
    func waiting() async throws {
        let watcher = Watcher()
        try await running({
            $0.lockTimeout = .milliseconds(200)
            $0.observer = watcher
        }) { fixture, client in
            try await fixture.withConnection { holder in
                try await holder.close(.set)
                for call in try await fixture.handIn(Change.list(6), to: client) {
                    #expect(try await call.outcome().together == 0)
                }
                try await holder.open(.set)
            }
            #expect(try await fixture.effects() == Array(0..<6))
            let batches = watcher.seen.batches.filter { $0.size > 1 }
            #expect(batches.map(\.size) == [6, 6] && batches.map(\.outcome) == [.rolledBack, .committed])
        }
    }

    // MARK: Left out

    @Test(
        "those whose rows are held elsewhere run by themselves when they are free; the others do not wait",
        arguments: [[3], [0, 2, 5], [0, 1, 2, 3, 4, 5]])
    func leftOut(held: [Int]) async throws {
        try await running { fixture, client in
            try await fixture.withConnection { holder in
                try await holder.hold(held)
                let calls = try await fixture.handIn(Change.list(6), to: client)
                for (index, call) in calls.enumerated() where !held.contains(index) {
                    let outcome = try await call.outcome()
                    #expect(outcome.together == 6 && outcome.balance == 1)
                }
                // As many as there are further connections.
                try await fixture.untilLocked("FROM change(", count: min(2, held.count))
                #expect(try await fixture.effects() == (0..<6).filter { !held.contains($0) })
                // What comes later for the same account waits behind it, and with nobody else.
                let later = Task { try await client.first(Change(account: Change.account(held[0]), operation: 10)) }
                let other = try await client.first(Change(account: Change.account(6), operation: 11))
                #expect(other?.balance == 1)
                try await holder.executeScript("COMMIT")
                for index in held {
                    let outcome = try await calls[index].outcome()
                    #expect(outcome.together == 0 && outcome.balance == 1)
                }
                #expect(try await later.value?.balance == 2)
                #expect(try await fixture.effects() == Array(0..<6) + [10, 11])
                #expect(try await fixture.psql("SELECT last_value FROM times_left_out") == "\(held.count)")
            }
        }
    }

    @Test("hundreds whose rows one transaction holds wait until it ends, and the others do not wait")
    func manyLeftOut() async throws {
        let count = 300
        try await Fixture.run { fixture in
            try await fixture.createAccounts(2 * count)
            try await fixture.withPatientClient { client in
                let held = (0..<count).map { 2 * $0 }
                let others = held.map { $0 + 1 }
                try await fixture.withConnection { holder in
                    try await holder.hold(held)
                    let calls = try await fixture.handIn(Change.list(2 * count), to: client)
                    for index in others {
                        let outcome = try await calls[index].outcome()
                        #expect(outcome.together > 1 && outcome.balance == 1)
                    }
                    try await fixture.untilLocked("FROM change(", count: 2)
                    #expect(try await fixture.effects() == others)
                    try await holder.executeScript("COMMIT")
                    for index in held {
                        let outcome = try await calls[index].outcome()
                        #expect(outcome.together == 0 && outcome.balance == 1)
                    }
                }
                #expect(try await fixture.effects() == Array(0..<2 * count))
                #expect(try await fixture.psql("SELECT last_value FROM times_left_out") == "\(count)")
            }
        }
    }

    @Test("a neighbour that waits for a row does so before the set locks any; if it waits too long, the set leaves it")
    func neighbourWaits() async throws {
        for isPatient in [true, false] {
            try await running({ $0.lockTimeout = isPatient ? .seconds(60) : .milliseconds(100) }) { fixture, client in
                try await fixture.withConnection { holder in
                    try await holder.hold([9])
                    // Its key is the last one.
                    let neighbour = Change(kind: .note, account: Change.account(9), operation: 9)
                    let changes = Change.list(6)
                    let calls = try await fixture.handIn(changes + [neighbour], to: client)
                    if !isPatient { try await fixture.expectTogether(changes, Array(calls.dropLast())) }
                    try await fixture.untilLocked("FROM change(")
                    // It fails if one of the rows is locked.
                    let locking = "SELECT n FROM accounts WHERE id < 'a109' FOR NO KEY UPDATE NOWAIT"
                    try await fixture.psql("BEGIN; \(locking); COMMIT")
                    try await holder.executeScript("COMMIT")
                    #expect(try await calls[6].outcome().balance == 1)
                    try await fixture.expectTogether(changes, Array(calls.dropLast()))
                }
                #expect(try await fixture.effects() == Array(0..<6) + [9])
            }
        }
    }

    @Test("a set whose plan a migration has made stale is made anew")
    func stalePlan() async throws {
        struct Raise: Statement {
            var sql: StaticString { "UPDATE accounts AS a SET n = n + 1 WHERE a.id = $1 RETURNING 0, a.*" }
            var gatheredSQL: StaticString? {
                """
                UPDATE accounts AS a SET n = n + 1 FROM unnest($1) WITH ORDINALITY AS k (id, place) WHERE a.id = k.id
                RETURNING cardinality($1), a.*, k.place
                """
            }
            let account: String
            func bind(to parameters: inout Parameters) { parameters.append(account) }
            static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
        }
        try await running { fixture, client in
            for column in ["one", "two"] {
                let results = try await fixture.together(client, 6, behind: .write) {
                    (index) async throws(PostgresError) in
                    try await client.first(Raise(account: Change.account(index)))
                }
                #expect(try results.allSatisfy { try $0.get() == 6 })
                try await fixture.psql("ALTER TABLE accounts ADD COLUMN \(column) int")
            }
            #expect(try await fixture.psql("SELECT sum(n), max(n) FROM accounts") == "12|2")
        }
    }

    @Test("one that would fail by itself can be left out: it fails by itself, and nobody runs again")
    func leftOutToFail() async throws {
        try await running { fixture, client in
            let nobody = Change(account: "nobody", operation: 9)
            let calls = try await fixture.handIn(Change.list(5) + [nobody], to: client)
            // `STRICT` of PL/pgSQL.
            #expect(await calls[5].value.sqlState == "P0002")
            for call in calls.dropLast() { #expect(try await call.outcome().together == 6) }
            #expect(try await fixture.effects() == Array(0..<5))
        }
    }

    @Test(
        "one that is left out can be cancelled, or pass its deadline, and then has no effect", arguments: [false, true])
    func leftOutAndGone(hasDeadline: Bool) async throws {
        try await running({ $0.leasedConnectionsPerLoop = 1 }) { fixture, client in
            try await fixture.withConnection { holder in
                // The first waits for the row, the other one for a connection.
                try await holder.hold([1, 4])
                let timeouts: [Int: Duration] = hasDeadline ? [1: .seconds(3), 4: .seconds(3)] : [:]
                let calls = try await fixture.handIn(Change.list(6), to: client, timeouts: timeouts)
                for index in [0, 2, 3, 5] { #expect(try await calls[index].outcome().balance == 1) }
                if !hasDeadline {
                    try await fixture.untilLocked("FROM change(")
                    for index in [1, 4] { calls[index].cancel() }
                }
                for index in [1, 4] {
                    #expect(await calls[index].value.code == (hasDeadline ? .deadlineExceeded : .cancelled))
                }
                try await holder.executeScript("COMMIT")
                for index in [1, 4] {
                    let again = try await client.first(Change(account: Change.account(index), operation: 10 + index))
                    #expect(again?.balance == 1)
                }
            }
            #expect(try await fixture.effects() == [0, 2, 3, 5, 11, 14])
        }
    }

    @Test("two services that change the same accounts, in sets and one by one, do each change once and never deadlock")
    func twoServices() async throws {
        let (accounts, rounds) = (200, 10)
        try await Fixture.run { fixture in
            try await fixture.createAccounts(accounts)
            let loops = try (0..<2).map { try EventLoop(label: "service \($0)") }
            defer { for loop in loops { loop.shutdown() } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for service in 0..<2 {
                    group.addTask { try await churn(fixture, loops[service], service, accounts, rounds) }
                }
                try await group.waitForAll()
            }
            let count = 2 * accounts * rounds
            #expect(try await fixture.effects() == Array(0..<count))
            #expect(try await fixture.psql("SELECT min(n), max(n) FROM accounts") == "\(2 * rounds)|\(2 * rounds)")
            let gathered = "count(DISTINCT kind) FILTER (WHERE together > 0), bool_or(kind = 'note')"
            #expect(try await fixture.psql("SELECT \(gathered) FROM effects") == "2|t")
            #expect(try await fixture.psql("SELECT is_called FROM times_left_out") == "t", "nobody was in the way")
            // Sessions have told what they have seen when they have ended.
            let sessions = "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(fixture.database)'"
            try await fixture.until(.seconds(10)) { try await fixture.cluster.psql(sessions) == "0" }
            let deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = '\(fixture.database)'"
            #expect(try await fixture.cluster.psql(deadlocks) == "0")
        }
    }

    /// One service: for each account one change after the other is under way.
    private func churn(
        _ fixture: Fixture, _ loop: EventLoop, _ service: Int, _ accounts: Int, _ rounds: Int
    ) async throws {
        try await fixture.withClient(
            {
                $0.queueTimeout = .seconds(120)
                $0.statementTimeout = .seconds(120)
            }, loops: [loop]
        ) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for account in 0..<accounts {
                    group.addTask {
                        for round in 0..<rounds {
                            let kinds: [Change.Kind] = [.pay, .win, .pay, .note, .win]
                            let change = Change(
                                kind: kinds[(account + round) % kinds.count], account: Change.account(account),
                                operation: (round * 2 + service) * accounts + account)
                            let outcome = try await client.first(change)
                            #expect(outcome?.account == change.account)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    // MARK: Cancelled

    @Test(
        "who is cancelled in a set that was sent stays in it: it takes effect, and nobody runs again",
        arguments: [1, 5])
    func cancelledInSet(cancelled: Int) async throws {
        try await running({ $0.cancellationGrace = .zero }) { fixture, client in
            try await fixture.withConnection { holder in
                try await holder.close(.set)
                let calls = try await fixture.handIn(Change.list(6), to: client)
                try await fixture.untilLocked("change_each(")
                for call in calls.prefix(cancelled) { call.cancel() }
                // When this has passed its deadline, the pool has long looked at what was cancelled.
                let clock = await outcomes(1) { (_) async throws(PostgresError) in
                    try await client.execute(Sleep(seconds: 60), timeout: .milliseconds(300))
                }
                #expect(clock[0].code == .deadlineExceeded)
                try await fixture.untilLocked("change_each(")
                try await holder.open(.set)
                // The answer is there all the same.
                try await fixture.expectTogether(Change.list(6), calls)
                #expect(try await fixture.effects() == Array(0..<6))
            }
        }
    }

    @Test("if all in a set are cancelled the server is asked to stop, and the pool goes on", arguments: [true, false])
    func allCancelled(isHeard: Bool) async throws {
        let watcher = Watcher()
        try await running({
            $0.followsCancellation = isHeard
            $0.observer = watcher
        }) { fixture, client in
            try await fixture.withConnection { holder in
                try await holder.close(.set)
                let calls = try await fixture.handIn(Change.list(6), to: client)
                try await fixture.untilLocked("change_each(")
                for call in calls { call.cancel() }
                // Long before the patience with locks, or a deadline, is over.
                try await fixture.untilLocked("change_each(", count: 0, within: .seconds(20))
                for call in calls { #expect(await call.value.code == .cancelled) }
                let next = try await client.first(Change(account: Change.account(0), operation: 10))
                #expect(next?.balance == 1)
                try await holder.open(.set)
            }
            let changes = Change.list(6, firstOperation: 20)
            try await fixture.expectTogether(changes, try await fixture.handIn(changes, to: client))
            #expect(try await fixture.effects() == [10] + Array(20..<26))
            #expect(watcher.seen.lost.isEmpty)
        }
    }

    @Test("who passes its deadline in a set has no effect, and the others run by themselves")
    func deadlineInSet() async throws {
        try await running { fixture, client in
            try await fixture.withConnection { holder in
                try await holder.close(.set)
                let calls = try await fixture.handIn(Change.list(6), to: client, timeouts: [3: .seconds(3)])
                for (index, call) in calls.enumerated() {
                    if index == 3 {
                        #expect(await call.value.code == .deadlineExceeded)
                    } else {
                        #expect(try await call.outcome().together == 0)
                    }
                }
                try await holder.open(.set)
            }
            #expect(try await fixture.effects() == [0, 1, 2, 4, 5])
        }
    }

    // MARK: Conflicts and keys

    @Test(
        "a set that the server ends for the sake of others runs again one by one, and each is answered once",
        arguments: [SQLState.serializationFailure, .deadlockDetected])
    func conflicts(state: SQLState) async throws {
        struct Case {
            /// How many transactions fail, the set's first.
            let failures: Int
            let attempts: Int
            let errors: Int
        }
        let cases = [
            Case(failures: 1, attempts: 1, errors: 0), Case(failures: 2, attempts: 1, errors: 1),
            Case(failures: 2, attempts: 2, errors: 0), Case(failures: 3, attempts: 2, errors: 0),
        ]
        try await running { fixture, client in
            // A sequence keeps its count when its transaction is rolled back.
            try await fixture.psql("CREATE SEQUENCE tries")
            for (round, conflict) in cases.enumerated() {
                try await fixture.psql(
                    """
                    SELECT setval('tries', 1, false);
                    CREATE OR REPLACE FUNCTION conflict() RETURNS void LANGUAGE plpgsql AS $$
                    BEGIN
                        IF nextval('tries') <= \(conflict.failures) THEN
                            RAISE EXCEPTION 'conflict' USING ERRCODE = '\(state)';
                        END IF;
                    END $$
                    """)
                let changes = Change.list(6, firstOperation: round * 10).map { change in
                    var change = change
                    change.attempts = conflict.attempts
                    return change
                }
                var done: [Int] = []
                for (change, call) in zip(changes, try await fixture.handIn(changes, to: client)) {
                    switch await call.value {
                    case .success(let outcome):
                        #expect(outcome?.together == 0)
                        done.append(change.operation)
                    case .failure(let error): #expect(error.sqlState == state)
                    }
                }
                #expect(done.count == 6 - conflict.errors, "\(conflict)")
                #expect(try await fixture.effects().filter { $0 >= round * 10 } == done)
            }
        }
    }

    @Test("of one key one is under way: the next ones make up the next set")
    func sameKey() async throws {
        let watcher = Watcher()
        try await running({ $0.observer = watcher }) { fixture, client in
            let changes = Change.list(5) + Change.list(5, firstOperation: 5)
            let calls = try await fixture.handIn(changes, to: client)
            var outcomes: [Change.Outcome] = []
            for call in calls { outcomes.append(try await call.outcome()) }
            #expect(outcomes.allSatisfy { $0.together == 5 })
            #expect(Set(outcomes.map(\.transaction)).count == 2)
            for account in 0..<5 {
                #expect(Set([outcomes[account].balance, outcomes[account + 5].balance]) == [1, 2])
            }
            #expect(watcher.seen.batches.map(\.size).filter { $0 == 5 }.count == 2)
        }
    }

    // MARK: Connections that are lost

    @Test("a connection that is lost before the set was sent: another one takes the set")
    func lostBefore() async throws {
        try await running { fixture, client in
            let changes = Change.list(6)
            let calls = try await fixture.handIn(
                changes, to: client,
                meanwhile: {
                    try await fixture.psql(
                        """
                        SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                        WHERE datname = current_database() AND query LIKE 'SELECT wait_for_gate(%'
                        """)
                })
            try await fixture.expectTogether(changes, calls)
            #expect(try await fixture.effects() == Array(0..<6))
        }
    }

    @Test("a session that ends while the set runs: nothing was done, and the set runs again")
    func lostWithin() async throws {
        let watcher = Watcher()
        try await running({ $0.observer = watcher }) { fixture, client in
            try await fixture.withConnection { holder in
                try await holder.close(.set)
                let calls = try await fixture.handIn(Change.list(6), to: client)
                try await fixture.untilLocked("change_each(")
                try await fixture.terminateAtBarrier()
                try await fixture.until(.seconds(20)) { watcher.seen.lost.count == 1 }
                try await fixture.untilLocked("change_each(")
                #expect(try await fixture.effects().isEmpty)
                try await holder.open(.set)
                try await fixture.expectTogether(Change.list(6), calls)
                #expect(try await fixture.effects() == Array(0..<6))
            }
        }
    }

    enum Loss: CaseIterable { case beforeTheServer, withinTheSet, behindTheCommit }

    @Test("a connection that breaks leaves the outcome of all unknown, and none runs again", arguments: Loss.allCases)
    func lostWithoutAWord(loss: Loss) async throws {
        try await Fixture.run { fixture in
            try await fixture.createAccounts()
            let proxy = try Proxy(to: fixture.cluster.port)
            defer { proxy.close() }
            try await fixture.withPatientClient({
                $0.connectionString = fixture.connectionString(through: proxy)
            }) { client in
                try await fixture.withConnection { holder in
                    if loss == .withinTheSet { try await holder.close(.set) }
                    let calls = try await fixture.handIn(
                        Change.list(6), to: client,
                        meanwhile: {
                            switch loss {
                            case .beforeTheServer: proxy.cut(whenClientSends: "change_each", delivering: false)
                            case .withinTheSet: break
                            case .behindTheCommit: proxy.holdAnswers(whenClientSends: "change_each")
                            }
                        })
                    switch loss {
                    case .beforeTheServer: break
                    case .withinTheSet:
                        try await fixture.untilLocked("change_each(")
                        proxy.cut()
                    case .behindTheCommit:
                        try await fixture.until(.seconds(20)) { try await fixture.effects().count == 6 }
                        proxy.cut()
                        proxy.resume()
                    }
                    for call in calls { #expect(await call.value.code == .outcomeUnknown) }
                    if loss == .withinTheSet { try await holder.open(.set) }
                    // The server goes on without us.
                    let expected = loss == .beforeTheServer ? [] : Array(0..<6)
                    try await fixture.until(.seconds(20)) { try await fixture.effects() == expected }
                    let changes = Change.list(6, firstOperation: 10)
                    try await fixture.expectTogether(changes, try await fixture.handIn(changes, to: client))
                    #expect(try await fixture.effects() == expected + Array(10..<16))
                }
            }
        }
    }

    @Test("whose row said that it was left out comes back, though the connection broke before the answer to the commit")
    func lostButLeftOut() async throws {
        try await Fixture.run { fixture in
            try await fixture.createAccounts()
            try await fixture.createCommitBarrier()
            let proxy = try Proxy(to: fixture.cluster.port)
            defer { proxy.close() }
            try await fixture.withPatientClient({
                $0.connectionString = fixture.connectionString(through: proxy)
            }) { client in
                let rows = try await PostgresConnection.connect(fixture.configuration(), on: fixture.loop)
                let barrier = try await PostgresConnection.connect(fixture.configuration(), on: fixture.loop)
                try await rows.hold([2, 4])
                try await barrier.close(.commit)
                // The rows of the second set push those of the first one out of the server's buffer, which is 8 KiB.
                let second = (6..<12).map { Change(kind: .wider, account: Change.account($0), operation: $0) }
                let before = proxy.answeredBytes
                let calls = try await fixture.handIn(Change.list(6, .wide) + second, to: client)
                try await fixture.untilLocked("change_each(")
                try await fixture.until(.seconds(20)) { proxy.answeredBytes - before > 12 * 20_000 - 16_384 }
                proxy.cut()
                for (index, call) in calls.enumerated() where index != 2 && index != 4 {
                    #expect(await call.value.code == .outcomeUnknown, "\(index)")
                }
                #expect(try await fixture.effects().isEmpty)
                try await barrier.open(.commit)
                try await fixture.until(.seconds(20)) {
                    try await fixture.effects() == [0, 1, 3] + Array(5..<12)
                }
                try await rows.executeScript("COMMIT")
                for index in [2, 4] { #expect(try await calls[index].outcome().together == 0) }
                #expect(try await fixture.effects() == Array(0..<12))
                await rows.close()
                await barrier.close()
            }
        }
    }

    @Test("of a lost batch those that were left out had no effect, whatever became of it", arguments: [false, true])
    func verdicts(wasFlushed: Bool) {
        let submissions = Change.list(4).map { Submission($0) }
        var verdicts: [Int: Verdict] = [:]
        var ending: BatchEnding?
        let exchange = BatchExchange<SharedTransaction>(submissions, options: .init()) {
            verdicts[$0] = $1
        } onEnd: { end, _ in
            ending = end
        }
        exchange.leftOut = [1, 3]
        if wasFlushed { exchange.rules.flushed() }
        exchange.lose(PostgresError(.outcomeUnknown), wasSent: wasFlushed)
        for index in 0..<4 {
            switch verdicts[index] {
            case .unknown?: #expect(wasFlushed && index % 2 == 0)
            case .rolledBack(_, isOwn: false)?: #expect(!wasFlushed || index % 2 == 1)
            default: Issue.record("\(index): \(String(describing: verdicts[index]))")
            }
        }
        if case .lost? = ending {} else { Issue.record("it has not ended") }
    }

    // MARK: Elsewhere

    @Test(
        "behind PgBouncer they run as one, too; errors, locks, losses and cancellation are as without it",
        arguments: [PostgresConfiguration.Route.transactionPooler, .preparingTransactionPooler])
    func pooler(route: PostgresConfiguration.Route) async throws {
        try await Fixture.run { fixture in
            try await fixture.createAccounts()
            let bouncer = try await PgBouncer.start(for: fixture.cluster, database: fixture.database, poolSize: 4)
            defer { bouncer.stop() }
            try await fixture.withPatientClient({
                $0.connectionString = "host=127.0.0.1 port=\(bouncer.port) user=postgres dbname=\(fixture.database)"
                $0.route = route
            }) { client in
                let first = Change.list(6)
                try await fixture.expectTogether(first, try await fixture.handIn(first, to: client))

                var second = Change.list(6, firstOperation: 10)
                second[3].amount = 2000
                for (index, call) in try await fixture.handIn(second, to: client).enumerated() {
                    if index == 3 {
                        #expect(await call.value.sqlState == .checkViolation)
                    } else {
                        #expect(try await call.outcome().together == 0)
                    }
                }
                try await fixture.withConnection { holder in
                    try await holder.hold([1])
                    let third = try await fixture.handIn(Change.list(6, firstOperation: 20), to: client)
                    for index in [0, 2, 3, 4, 5] { #expect(try await third[index].outcome().together == 6) }
                    try await fixture.untilLocked("FROM change(")
                    try await holder.executeScript("COMMIT")
                    #expect(try await third[1].outcome().together == 0)

                    try await holder.close(.set)
                    let fourth = Change.list(6, firstOperation: 30)
                    let calls = try await fixture.handIn(fourth, to: client)
                    try await fixture.untilLocked("change_each(")
                    try await fixture.terminateAtBarrier()
                    // PgBouncer passes on what the server has said.
                    try await fixture.untilLocked("change_each(")
                    try await holder.open(.set)
                    try await fixture.expectTogether(fourth, calls)

                    try await holder.close(.set)
                    let fifth = try await fixture.handIn(Change.list(6, firstOperation: 40), to: client)
                    try await fixture.untilLocked("change_each(")
                    for call in fifth { call.cancel() }
                    try await fixture.untilLocked("change_each(", count: 0, within: .seconds(20))
                    for call in fifth { #expect(await call.value.code == .cancelled) }
                    try await holder.open(.set)
                }
                let sixth = Change.list(6, firstOperation: 50)
                try await fixture.expectTogether(sixth, try await fixture.handIn(sixth, to: client))
                let expected = [0..<6, 10..<13, 14..<16, 20..<26, 30..<36, 50..<56].flatMap { Array($0) }
                #expect(try await fixture.effects() == expected)
            }
        }
    }

    @Test("in sessions, transactions and pipelines they run one by one")
    func sessions() async throws {
        try await running { fixture, client in
            let changes = Change.list(6)
            try await client.withConnection { connection in
                let calls = await outcomes(6) { (index) async throws(PostgresError) in
                    try await connection.first(changes[index])
                }
                for call in calls { #expect(try call.get()?.together == 0) }
                var pipeline = PostgresPipeline()
                let entries = Change.list(6, firstOperation: 10).map { pipeline.first($0) }
                let results = try await connection.execute(pipeline: pipeline).get()
                for entry in entries { #expect(try results[entry]?.together == 0) }
            }
            let inTransaction = try await client.withTransaction { transaction in
                var outcomes: [Change.Outcome?] = []
                for change in Change.list(6, firstOperation: 20) {
                    outcomes.append(try await transaction.first(change))
                }
                return outcomes
            }
            #expect(inTransaction.allSatisfy { $0?.together == 0 })
            #expect(try await fixture.effects() == [0..<6, 10..<16, 20..<26].flatMap { Array($0) })
        }
    }

    @Test("where rows are spread over servers they run one by one", arguments: [true, false])
    func routed(isSpread: Bool) async throws {
        struct Nowhere: PostgresRouter {
            let isSpread: Bool
            func server(of key: String) -> PostgresServer? { nil }
        }
        try await Fixture.run { fixture in
            try await fixture.createAccounts()
            let client = PostgresClient(
                configuration: fixture.configuration(), router: Nowhere(isSpread: isSpread), loops: [fixture.loop])
            let running = Task { try await client.run() }
            defer { running.cancel() }
            for call in try await fixture.handIn(Change.list(6), to: client) {
                #expect(try await call.outcome().together == (isSpread ? 0 : 6))
            }
            #expect(try await fixture.effects() == Array(0..<6))
            running.cancel()
            try await running.value
        }
    }
}
