internal import Postgres

/// One session that migrates: what the runner does, statement by statement.
struct MigrationSession {
    let connection: PostgresConnection
    let options: MigrationRunner.Options
    let report: @Sendable (MigrationRunner.Event) -> Void

    func execute<S: Statement>(_ statement: S) async throws(MigrationError) -> [S.Row] {
        do { return try await connection.execute(statement) } catch { throw .database(error) }
    }

    func state(of files: [Migration]) async throws(MigrationError) -> SchemaState {
        do {
            let ledger = try await Ledger.entries { (statement) async throws(PostgresError) in
                try await connection.execute(statement)
            }
            return SchemaState(files: files, ledger: ledger)
        } catch {
            throw .database(error)
        }
    }

    /// Makes the ledger's table unless it is there. Under the lock, so nobody makes it at the same time.
    func makeLedger() async throws(MigrationError) {
        do {
            _ = try await connection.execute(Ledger.Read())
        } catch  where error.sqlState == .undefinedTable {
            do { try await connection.executeScript(Ledger.create) } catch { throw .database(error) }
        } catch {
            throw .database(error)
        }
    }

    /// Applies or takes back one migration.
    func perform(
        _ step: MigrationPlan.Step, startedAt start: ContinuousClock.Instant
    ) async throws(MigrationError) {
        try await prepareSession()
        guard step.migration.isTransactional else {
            try await performOutsideTransaction(step, startedAt: start)
            return
        }
        var attempt = 1
        while true {
            do throws(StatementFailure) {
                try await performInTransaction(step, startedAt: start)
                return
            } catch {
                try await rollBack(after: error, in: step, attempt: attempt)
                attempt += 1
            }
        }
    }

    /// Undoes what an earlier migration's `SET` may have left, and lifts limits that are meant for a service.
    private func prepareSession() async throws(MigrationError) {
        do {
            try await connection.executeScript(
                """
                RESET ALL; RESET ROLE; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0
                """)
        } catch {
            throw .database(error)
        }
        // Ends a long statement soon after its client was killed, so that the next run need not wait for it. Servers
        // before version 14 and on other systems than Linux do without.
        try? await connection.executeScript("SET client_connection_check_interval = '1s'")
    }

    // MARK: In a transaction

    private func performInTransaction(
        _ step: MigrationPlan.Step, startedAt start: ContinuousClock.Instant
    ) async throws(StatementFailure) {
        try await run("BEGIN; SET LOCAL lock_timeout = \(options.lockTimeout.milliseconds)", line: 1)
        for statement in step.statements {
            try await run(statement.text, line: statement.line)
        }
        // The ledger's row is the owner's to write, wherever the statements looked for tables.
        let line = step.statements.last?.line ?? 1
        try await run("RESET ROLE; RESET search_path", line: line)
        let isRecorded: Bool
        do { isRecorded = try await record(step, startedAt: start) } catch {
            throw StatementFailure(line: line, error: error)
        }
        guard isRecorded else { throw StatementFailure(line: line, error: nil) }
        do { try await connection.executeScript("COMMIT") } catch {
            throw StatementFailure(line: line, error: error, isCommit: true)
        }
    }

    private func record(
        _ step: MigrationPlan.Step, startedAt start: ContinuousClock.Instant
    ) async throws(PostgresError) -> Bool {
        switch step.direction {
        case .up:
            let milliseconds = start.duration(to: .now).milliseconds
            let record = Ledger.Record(migration: step.migration, milliseconds: milliseconds)
            return try await connection.first(record) != nil
        case .down:
            return try await connection.first(Ledger.Forget(version: step.migration.version)) != nil
        }
    }

    private func run(_ sql: String, line: Int) async throws(StatementFailure) {
        do { try await connection.executeScript(sql) } catch { throw StatementFailure(line: line, error: error) }
    }

    /// Rolls back and returns when the step should be tried again; throws when it has failed.
    private func rollBack(
        after failure: StatementFailure, in step: MigrationPlan.Step, attempt: Int
    ) async throws(MigrationError) {
        // Where the connection is lost the server has rolled back by itself.
        try? await connection.executeScript("ROLLBACK")
        guard let error = failure.error else { throw .overtaken(step.migration) }
        if failure.isCommit, error.code == .outcomeUnknown {
            throw .outcomeUnknown(migration: step.migration, error: error)
        }
        guard error.sqlState == .lockNotAvailable || error.sqlState == .deadlockDetected else {
            throw .failed(migration: step.migration, line: failure.line, error: error)
        }
        let blocker = try? await connection.first(MigrationLock.OldestTransaction())
        guard attempt < options.lockAttempts else {
            throw .lockTimeout(
                migration: step.migration, line: failure.line, attempts: attempt, blocker: blocker)
        }
        report(.retrying(step, line: failure.line, attempt: attempt, blocker: blocker))
        do { try await Task.sleep(for: options.lockPause) } catch { throw .cancelled }
    }

    // MARK: Outside a transaction

    private func performOutsideTransaction(
        _ step: MigrationPlan.Step, startedAt start: ContinuousClock.Instant
    ) async throws(MigrationError) {
        guard let statement = step.statements.first else { return }
        var wasInterrupted = true
        if step.direction == .up {
            wasInterrupted = try await !execute(Ledger.Begin(migration: step.migration)).isEmpty
        }
        if try await !isDone(statement, afterInterruption: wasInterrupted) {
            // Such a statement waits for old transactions without blocking anybody, and each attempt begins from
            // nothing: so one long wait instead of many short ones.
            let patience = (options.lockTimeout + options.lockPause) * options.lockAttempts
            do {
                try await connection.executeScript("SET lock_timeout = \(patience.milliseconds)")
                try await connection.executeScript(statement.text)
            } catch {
                if step.direction == .up, !wasInterrupted {
                    // The server says it failed: nothing is under way any more. Where the connection is lost this
                    // cannot be said, and the row stays.
                    _ = try? await connection.execute(Ledger.Forget(version: step.migration.version))
                }
                if error.sqlState == .lockNotAvailable {
                    let blocker = try? await connection.first(MigrationLock.OldestTransaction())
                    throw .lockTimeout(
                        migration: step.migration, line: statement.line, attempts: 1, blocker: blocker)
                }
                if error.code == .outcomeUnknown { throw .outcomeUnknown(migration: step.migration, error: error) }
                throw .failed(migration: step.migration, line: statement.line, error: error)
            }
        }
        let isRecorded: Bool
        do { isRecorded = try await record(step, startedAt: start) } catch {
            if error.code == .outcomeUnknown { throw .outcomeUnknown(migration: step.migration, error: error) }
            throw .database(error)
        }
        guard isRecorded else { throw .overtaken(step.migration) }
    }

    /// Whether an earlier run did this already and was killed before it could record it. Drops the invalid index that
    /// an earlier failure left, for the name is needed again.
    private func isDone(
        _ statement: SQLStatement, afterInterruption wasInterrupted: Bool
    ) async throws(MigrationError) -> Bool {
        switch ConcurrentIndex(statement) {
        case .create(let name?, let table):
            let found = try await execute(IndexLookup(name: name, table: table)).first
            guard let found else { return false }
            if found.isValid {
                // Without a note of an earlier run somebody else made it: PostgreSQL will say that the name is taken.
                if wasInterrupted { report(.foundFinishedIndex(found.name)) }
                return wasInterrupted
            }
            do {
                try await connection.executeScript("DROP INDEX CONCURRENTLY \(found.name)")
            } catch {
                throw .database(error)
            }
            report(.droppedInvalidIndex(found.name))
            return false
        case .drop(let name):
            return try await execute(IndexLookup.Exists(name: name)).first == false
        case .create(name: nil, _), nil:
            return false
        }
    }
}

/// A statement of a migration failed; no error: the ledger had the row already.
private struct StatementFailure: Error {
    let line: Int
    let error: PostgresError?
    /// Whether it was the commit.
    var isCommit = false
}

/// The index of a name on a table, and whether it can be used.
private struct IndexLookup: Statement {
    static let sql: StaticString = """
        SELECT format('%I.%I', n.nspname, c.relname) AS name, i.indisvalid
        FROM pg_index i
        JOIN pg_class c ON c.oid = i.indexrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE i.indrelid = to_regclass($2) AND c.relname = (parse_ident($1))[1]
        """
    static let access = StatementAccess.read
    let name: String
    let table: String

    func bind(to parameters: inout Parameters) {
        parameters.append(name)
        parameters.append(table)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> (name: String, isValid: Bool) {
        (try row.next(), try row.next())
    }

    /// Whether an index of this name, qualified or not, is there.
    struct Exists: Statement {
        static let sql: StaticString = "SELECT to_regclass($1) IS NOT NULL AS found"
        static let access = StatementAccess.read
        let name: String

        func bind(to parameters: inout Parameters) { parameters.append(name) }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Bool { try row.next() }
    }
}
