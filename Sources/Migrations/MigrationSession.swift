internal import Postgres

/// The session of a run, which executes its statements.
struct MigrationSession {
    let connection: PostgresConnection
    let options: MigrationRunner.Options
    let report: @Sendable (MigrationRunner.Event) -> Void

    func execute<S: Statement>(_ statement: S) async throws(MigrationError) -> [S.Row] {
        do { return try await connection.execute(statement) } catch { throw .database(error) }
    }

    /// Sets the `search_path`.
    func goHome() async throws(MigrationError) {
        guard options.schema != nil else { return }
        do { try await connection.executeScript(options.goHome) } catch { throw .database(error) }
    }

    func state(of files: [Migration]) async throws(MigrationError) -> SchemaState {
        let ledger: [LedgerEntry]
        do {
            ledger = try await Ledger.entries { (statement) async throws(PostgresError) in
                try await connection.execute(statement)
            }
            if ledger.isEmpty, options.schema != nil,
                try await connection.first(FindRelation(name: "public.schema_migrations")) == true
            {
                throw MigrationError.refused(.ledgerElsewhere("public"))
            }
        } catch let error as MigrationError {
            throw error
        } catch let error as PostgresError {
            throw .database(error)
        } catch {
            throw .cancelled
        }
        return SchemaState(files: files, ledger: ledger)
    }

    /// Makes the schema and the ledgers' tables unless they exist. Another session may do the same at the same moment.
    func makeLedger() async throws(MigrationError) {
        do {
            if try await connection.first(FindRelation(name: "schema_code")) == true { return }
            if let schema = options.schema {
                try await make("CREATE SCHEMA IF NOT EXISTS \(SQLText(identifier: schema).text)")
            }
            try await make(Ledger.create, unlessThereIs: "schema_migrations")
            try await make(CodeLedger.create, unlessThereIs: "schema_code")
        } catch {
            throw .database(error)
        }
    }

    private func make(_ script: String, unlessThereIs table: String? = nil) async throws(PostgresError) {
        if let table, try await connection.first(FindRelation(name: table)) == true { return }
        do {
            try await connection.executeScript(script)
        } catch  where [SQLState.uniqueViolation, "42P06", "42P07", "42710"].contains(error.sqlState) {
            // The other session was faster.
        }
    }

    /// Does one part of a run: a migration, the code, or both in one transaction.
    ///
    /// - Returns: What was done to the code.
    func perform(
        _ part: MigrationRunner.Part, startedAt start: ContinuousClock.Instant
    ) async throws(MigrationError) -> [CodeState.Line] {
        try await prepareSession()
        if let step = part.step, !step.migration.isTransactional {
            try await performOutsideTransaction(step, startedAt: start)
            return []
        }
        var attempt = 1
        while true {
            do throws(StatementFailure) {
                return try await performInTransaction(part, startedAt: start)
            } catch {
                try await rollBack(after: error, in: part, attempt: attempt)
                attempt += 1
            }
        }
    }

    /// Undoes what an earlier migration's `SET` may have left, and lifts limits that are meant for a service.
    private func prepareSession() async throws(MigrationError) {
        do {
            try await connection.executeScript(
                """
                RESET ALL; RESET ROLE; \(options.goHome);
                SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0
                """)
        } catch {
            throw .database(error)
        }
        // Ends a long statement soon after its client was killed, so that the next run need not wait for it. Servers
        // before version 14, and on systems other than Linux, do not have this.
        try? await connection.executeScript("SET client_connection_check_interval = '1s'")
    }

    // MARK: In a transaction

    private func performInTransaction(
        _ part: MigrationRunner.Part, startedAt start: ContinuousClock.Instant
    ) async throws(StatementFailure) -> [CodeState.Line] {
        let name = part.fileName
        let own =
            ["lock_timeout = \(options.lockTimeout.milliseconds)"]
            + (options.path.map { ["search_path = \($0)"] } ?? [])
        for sql in options.begin + own.map({ "SET LOCAL \($0)" }) { try await run(sql, in: name, line: 1) }
        var changed: [CodeState.Line] = []
        do throws(StatementFailure) {
            if part.removesCode { changed += try await removeCode() }
            if let step = part.step {
                for statement in step.statements {
                    try await run(statement.text, in: name, line: statement.line)
                }
                // The owner writes the ledger's row, whatever `search_path` the statements have set.
                let line = step.statements.last?.line ?? 1
                try await run("RESET ROLE", in: name, line: line)
                try await run(options.goHome, in: name, line: line)
                let isRecorded: Bool
                do { isRecorded = try await record(step, startedAt: start) } catch {
                    throw StatementFailure(file: name, line: line, error: error)
                }
                guard isRecorded else { throw StatementFailure(file: name, line: line, error: nil) }
            }
            if let code = part.code { changed += try await install(code) }
        } catch {
            throw error
        }
        do { try await connection.executeScript("COMMIT") } catch {
            throw StatementFailure(file: name, line: 1, error: error, isCommit: true)
        }
        return changed
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
            _ = try await connection.execute(CodeLedger.ForgetReleases(version: step.migration.version))
            return try await connection.first(Ledger.Forget(version: step.migration.version)) != nil
        }
    }

    func run(_ sql: String, in file: String, line: Int) async throws(StatementFailure) {
        do { try await connection.executeScript(sql) } catch {
            throw StatementFailure(file: file, line: line, error: error)
        }
    }

    /// Rolls back and returns when the part should be tried again; throws when it has failed.
    private func rollBack(
        after failure: StatementFailure, in part: MigrationRunner.Part, attempt: Int
    ) async throws(MigrationError) {
        // Where the connection is lost the server has rolled back by itself.
        try? await connection.executeScript("ROLLBACK")
        guard let error = failure.error else { throw .overtaken(file: failure.file) }
        if failure.isCommit, error.code == .outcomeUnknown {
            throw .outcomeUnknown(file: failure.file, error: error)
        }
        let isLocked = error.sqlState == .lockNotAvailable || error.sqlState == .deadlockDetected
        let mayTryAgain = attempt < options.lockAttempts
        guard isLocked || (error.isOvertakenInCatalog && mayTryAgain) else {
            throw .failed(file: failure.file, line: failure.line, error: error)
        }
        let blocker = try? await connection.first(MigrationLock.OldestTransaction())
        guard mayTryAgain else {
            throw .lockTimeout(file: failure.file, line: failure.line, attempts: attempt, blocker: blocker)
        }
        report(.retrying(file: failure.file, line: failure.line, attempt: attempt, blocker: blocker))
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
            // Such a statement waits for old transactions without blocking anybody, and each attempt starts from
            // the beginning, so one long wait is better than many short ones.
            let patience = (options.lockTimeout + options.lockPause) * options.lockAttempts
            do {
                let settings = FixedSettings.set + ["SET lock_timeout = \(patience.milliseconds)"]
                try await connection.executeScript(settings.joined(separator: ";\n"))
                try await connection.executeScript(statement.text)
            } catch {
                if step.direction == .up, !wasInterrupted {
                    // The server says that it failed, so nothing is under way any more. If the connection is
                    // lost, this is not known, and the row stays.
                    _ = try? await connection.execute(Ledger.Forget(version: step.migration.version))
                }
                if error.sqlState == .lockNotAvailable {
                    let blocker = try? await connection.first(MigrationLock.OldestTransaction())
                    throw .lockTimeout(
                        file: step.migration.fileName, line: statement.line, attempts: 1, blocker: blocker)
                }
                if error.code == .outcomeUnknown { throw .outcomeUnknown(file: step.migration.fileName, error: error) }
                throw .failed(file: step.migration.fileName, line: statement.line, error: error)
            }
        }
        let isRecorded: Bool
        do { isRecorded = try await record(step, startedAt: start) } catch {
            if error.code == .outcomeUnknown { throw .outcomeUnknown(file: step.migration.fileName, error: error) }
            throw .database(error)
        }
        guard isRecorded else { throw .overtaken(file: step.migration.fileName) }
    }

    /// Whether an earlier run did this already and was killed before it could record it. Drops the invalid index that
    /// an earlier failure left, because the name is needed again.
    private func isDone(
        _ statement: SQLStatement, afterInterruption wasInterrupted: Bool
    ) async throws(MigrationError) -> Bool {
        switch ConcurrentIndex(statement) {
        case .create(let name?, let table):
            let found = try await execute(IndexLookup(name: name, table: table)).first
            guard let found else { return false }
            if found.isValid {
                // If no earlier run recorded it, somebody else made the index, and PostgreSQL will say that the name is taken.
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
            return try await execute(FindRelation(name: name)).first == false
        case .create(name: nil, _), nil:
            return false
        }
    }
}

/// A statement of a migration or of the code failed; no error: the ledger had the row already.
struct StatementFailure: Error {
    let file: String
    let line: Int
    let error: PostgresError?
    /// Whether it was the commit.
    var isCommit = false
}

extension PostgresError {
    /// Whether another session changed the same row of a system catalog first: a role or a right, which other databases of the
    /// server may be changing too. The server has no SQLSTATE for it.
    fileprivate var isOvertakenInCatalog: Bool {
        sqlState == "XX000" && operatorMessage?.hasPrefix("tuple concurrently ") == true
    }
}

/// The index of a name on a table, and whether it can be used.
private struct IndexLookup: Statement {
    var sql: StaticString {
        """
        SELECT format('%I.%I', n.nspname, c.relname) AS name, i.indisvalid
        FROM pg_index i
        JOIN pg_class c ON c.oid = i.indexrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE i.indrelid = to_regclass($2) AND c.relname = (parse_ident($1))[1]
        """
    }
    var access: StatementAccess { .read }
    let name: String
    let table: String

    func bind(to parameters: inout Parameters) {
        parameters.append(name)
        parameters.append(table)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> (name: String, isValid: Bool) {
        (try row.next(), try row.next())
    }
}

/// Whether a table or index of this name, qualified or not, is there.
struct FindRelation: Statement {
    var sql: StaticString { "SELECT to_regclass($1) IS NOT NULL AS found" }
    var access: StatementAccess { .read }
    let name: String

    func bind(to parameters: inout Parameters) { parameters.append(name) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Bool { try row.next() }
}
