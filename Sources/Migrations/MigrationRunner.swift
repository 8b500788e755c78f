public import Postgres

/// Changes a database's schema according to a plan: one process at a time, each migration whole or not at all.
///
/// ```swift
/// let runner = MigrationRunner(connect: { try await PostgresConnection.connect(configuration, on: loop) })
/// let done = try await runner.up(try MigrationFolder.load(path: "migrations"))
/// ```
///
/// A migration and its ledger row are one transaction. It may be killed at any moment and run again.
public struct MigrationRunner: Sendable {
    /// How patient the runner is.
    public struct Options: Sendable {
        /// For how long to try for the lock that another runner holds. Default: 60 s.
        public var lockWait: Duration = .seconds(60)
        /// For how long a statement may wait for a table that others use, which makes everybody after it wait as
        /// well. Default: 2 s.
        public var lockTimeout: Duration = .seconds(2)
        /// How often a migration that met a locked table is tried in all. Default: 30, about a minute and a half.
        public var lockAttempts = 30
        /// The pause between two such attempts, in which the others get through. Default: 1 s.
        public var lockPause: Duration = .seconds(1)
        /// How often to say that a step still runs. Default: every 10 s.
        public var progressInterval: Duration = .seconds(10)
        /// How others are kept out; nil, the default: an advisory lock where the engine has them, else a row.
        public var lockStrategy: MigrationLockStrategy?

        /// The defaults.
        public init() {}
    }

    /// What a runner is about, as it happens.
    public enum Event: Sendable {
        /// Another session holds the lock.
        case waiting(for: DatabaseSession?)
        /// A step begins.
        case began(MigrationPlan.Step)
        /// A step has been running for so long.
        case running(MigrationPlan.Step, seconds: Int)
        /// A table was locked, so the step was rolled back; it is tried again after a pause.
        case retrying(MigrationPlan.Step, line: Int, attempt: Int, blocker: DatabaseSession?)
        /// An earlier concurrent build had failed and left this index, which is now dropped.
        case droppedInvalidIndex(String)
        /// An earlier run had built this index and was killed before it could say so.
        case foundFinishedIndex(String)
        /// A step is done.
        case finished(MigrationPlan.Step, milliseconds: Int)
    }

    let connect: @Sendable () async throws(PostgresError) -> PostgresConnection
    let options: Options
    let report: @Sendable (Event) -> Void

    /// A runner for one database.
    ///
    /// - Parameters:
    ///   - connect: Opens a session of the role that owns the schema.
    ///   - options: How patient to be.
    ///   - report: Told what happens, as it happens.
    public init(
        connect: @escaping @Sendable () async throws(PostgresError) -> PostgresConnection,
        options: Options = Options(),
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.connect = connect
        self.options = options
        self.report = report
    }

    /// Compares files with the database; changes nothing and takes no lock.
    ///
    /// - Throws: `MigrationError.database`.
    public func state(of files: [Migration]) async throws(MigrationError) -> SchemaState {
        try await withSession { (session) async throws(MigrationError) in
            try await session.state(of: files)
        }
    }

    /// Applies what is pending.
    ///
    /// - Parameters:
    ///   - files: This release's migrations.
    ///   - target: The last version to apply; nil for all.
    ///   - allowingOutOfOrder: Whether to apply one although a newer one already is.
    /// - Returns: The steps that were done; none when nothing was pending, or another runner did it meanwhile.
    /// - Throws: `MigrationError`; the steps before the one it names stay done.
    public func up(
        _ files: [Migration], to target: Int? = nil, allowingOutOfOrder: Bool = false
    ) async throws(MigrationError) -> [MigrationPlan.Step] {
        try await run(files) { (state) throws(MigrationPlan.Refusal) in
            try .up(state, to: target, allowingOutOfOrder: allowingOutOfOrder)
        }
    }

    /// Takes back the newest migrations.
    ///
    /// - Returns: The steps that were done.
    /// - Throws: `MigrationError`; the steps before the one it names stay done.
    public func down(_ files: [Migration], count: Int = 1) async throws(MigrationError) -> [MigrationPlan.Step] {
        try await run(files) { (state) throws(MigrationPlan.Refusal) in try .down(state, count: count) }
    }

    /// Makes the ledger agree with the folder about one version, after somebody has looked: an edited file is taken for
    /// what was applied, a missing one is forgotten. The schema itself is not touched.
    ///
    /// - Returns: What was wrong.
    /// - Throws: `MigrationError`; `.refused(.nothingToAccept)` when nothing was.
    public func accept(version: Int, files: [Migration]) async throws(MigrationError) -> SchemaState.Line {
        try await withLockedSession { (session) async throws(MigrationError) in
            let state = try await session.state(of: files)
            let line = state.lines.first { $0.version == version && ($0.status == .edited || $0.status == .missing) }
            guard let line else { throw .refused(.nothingToAccept(version)) }
            if let migration = line.migration {
                _ = try await session.execute(Ledger.Accept(migration: migration))
            } else {
                _ = try await session.execute(Ledger.Forget(version: version))
            }
            return line
        }
    }

    /// Does something else to the schema, under the same lock.
    ///
    /// - Parameter body: Given a session, and how files and database compare.
    /// - Throws: What `body` throws; `MigrationError`, and `body` was not called.
    public func whileNobodyMigrates<Result: Sendable>(
        _ files: [Migration], _ body: (PostgresConnection, SchemaState) async throws -> Result
    ) async throws -> Result {
        let result = try await withLockedSession {
            (session) async throws(MigrationError) -> Swift.Result<Result, any Error> in
            let state = try await session.state(of: files)
            do { return .success(try await body(session.connection, state)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func run(
        _ files: [Migration],
        plan: @Sendable (SchemaState) throws(MigrationPlan.Refusal) -> MigrationPlan
    ) async throws(MigrationError) -> [MigrationPlan.Step] {
        func planned(_ session: MigrationSession) async throws(MigrationError) -> MigrationPlan {
            let state = try await session.state(of: files)
            do { return try plan(state) } catch { throw .refused(error) }
        }
        // Nothing to do, or nothing that may be done, needs no lock.
        let first = try await withSession { (session) async throws(MigrationError) in try await planned(session) }
        if first.steps.isEmpty { return [] }
        return try await withLockedSession { (session) async throws(MigrationError) in
            try await session.makeLedger()
            let plan = try await planned(session)
            for step in plan.steps {
                if Task.isCancelled { throw .cancelled }
                report(.began(step))
                let clock = ContinuousClock()
                let start = clock.now
                do {
                    // Ended with this scope: nothing is said to run after it has finished.
                    async let _ = sayThatItRuns(step, since: start)
                    try await session.perform(step, startedAt: start)
                }
                report(.finished(step, milliseconds: start.duration(to: clock.now).milliseconds))
            }
            return plan.steps
        }
    }

    /// Until cancelled.
    private func sayThatItRuns(_ step: MigrationPlan.Step, since start: ContinuousClock.Instant) async {
        while (try? await Task.sleep(for: options.progressInterval)) != nil {
            report(.running(step, seconds: Int(start.duration(to: .now).components.seconds)))
        }
    }

    private func withSession<Result>(
        _ body: (MigrationSession) async throws(MigrationError) -> Result
    ) async throws(MigrationError) -> Result {
        let connection: PostgresConnection
        do { connection = try await connect() } catch { throw .database(error) }
        do throws(MigrationError) {
            let result = try await body(MigrationSession(connection: connection, options: options, report: report))
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }

    private func withLockedSession<Result>(
        _ body: (MigrationSession) async throws(MigrationError) -> Result
    ) async throws(MigrationError) -> Result {
        try await withSession { (session) async throws(MigrationError) in
            let release = try await session.lock(connect: connect)
            do throws(MigrationError) {
                let result = try await body(session)
                await release()
                return result
            } catch {
                await release()
                throw error
            }
        }
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
