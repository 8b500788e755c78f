public import Postgres

/// Changes a database's schema according to a plan: one process at a time, each migration completely or not at all.
///
/// ```swift
/// let runner = MigrationRunner(connect: { try await PostgresConnection.connect(configuration, on: loop) })
/// let done = try await runner.up(
///     try MigrationFolder.load(path: "migrations"), code: try SchemaCode(path: "schema"))
/// ```
///
/// A migration and its ledger row are one transaction; the code is installed in that of the last one. It may be killed
/// at any moment and run again.
public struct MigrationRunner: Sendable {
    /// The runner's timeouts and other options.
    public struct Options: Sendable {
        /// How long to try for a lock that another runner holds. Default: 60 s.
        public var lockWait: Duration = .seconds(60)
        /// How long a statement may wait for a table that others use. Everybody after it waits as well. Default:
        /// 2 s.
        public var lockTimeout: Duration = .seconds(2)
        /// How often a migration that met a locked table is tried in all. Default: 30, about a minute and a half.
        public var lockAttempts = 30
        /// The pause between two such attempts, in which others can use the table. Default: 1 s.
        public var lockPause: Duration = .seconds(1)
        /// How often to report that a step is still running. Default: every 10 s.
        public var progressInterval: Duration = .seconds(10)
        /// The schema that everything is made in, ledgers included, and the only one that names are looked for in; it is
        /// made if it does not exist. nil, the default: as the role's `search_path` says.
        public var schema: String?
        /// The release's name in the ledger of code. Default: empty.
        public var release = ""
        /// Settings of each transaction, such as `citus.multi_shard_modify_mode = 'sequential'`, besides
        /// ``FixedSettings``. Default: none.
        public var transactionSettings: [String] = []
        /// Asked of each session first: what the database lacks to be migrated, in one line; nil: nothing. Default: nothing.
        public var lack: @Sendable (PostgresConnection) async throws(PostgresError) -> String? = { _ in nil }

        /// The defaults.
        public init() {}

        /// The statements that begin a transaction. To be run one by one, because Citus passes settings on with the text
        /// that they came in.
        var begin: [String] {
            // Citus passes on what is set after its own settings.
            ["BEGIN ISOLATION LEVEL READ COMMITTED"] + transactionSettings.map { "SET LOCAL \($0)" }
                + FixedSettings.setLocal
        }

        /// Where names are looked for.
        var path: String? { schema.map { "\(SQLText(identifier: $0).text), pg_temp" } }

        /// SQL that sets the session's `search_path`.
        var goHome: String { path.map { "SET search_path = \($0)" } ?? "RESET search_path" }
    }

    /// What a run did.
    public struct Outcome: Sendable {
        /// The migrations applied or undone, in order.
        public internal(set) var steps: [MigrationPlan.Step] = []
        /// The code that was installed, dropped or retired, with its former state.
        public internal(set) var code: [CodeState.Line] = []
        /// After `down`: the latest release whose code fits the tables that are left; nil when none was ever installed
        /// on them.
        public internal(set) var fittingRelease: String?

        /// The outcome of a run that did these steps.
        public init(steps: [MigrationPlan.Step] = []) { self.steps = steps }

        /// Adds what an event tells of: who collects events knows what a run did that failed.
        public mutating func add(_ event: Event) {
            switch event {
            case .finished(let step, _): steps.append(step)
            case .changedCode(let lines): code += lines
            default: break
            }
        }

        /// Whether there was nothing to do.
        public var isEmpty: Bool { steps.isEmpty && code.isEmpty }
    }

    /// What one transaction does.
    struct Part {
        var step: MigrationPlan.Step?
        /// Installed after the step.
        var code: SchemaCode?
        /// Whether all code is dropped before the step.
        var removesCode = false

        /// The name in messages.
        var fileName: String { step?.migration.fileName ?? "code" }
    }

    /// Events of a run.
    public enum Event: Sendable {
        /// Another session holds the lock.
        case waiting(for: DatabaseSession?)
        /// A step begins.
        case began(MigrationPlan.Step)
        /// A step has been running for so long.
        case running(MigrationPlan.Step, seconds: Int)
        /// A table was locked, so the migration or the code that this file belongs to was rolled back; it is tried again
        /// after a pause.
        case retrying(file: String, line: Int, attempt: Int, blocker: DatabaseSession?)
        /// An earlier concurrent build had failed and left this index, which is now dropped.
        case droppedInvalidIndex(String)
        /// An earlier run had built this index and was killed before it could record that.
        case foundFinishedIndex(String)
        /// A step is done.
        case finished(MigrationPlan.Step, milliseconds: Int)
        /// The code is installed or dropped: what was done to each object.
        case changedCode([CodeState.Line])
    }

    let connect: @Sendable () async throws(PostgresError) -> PostgresConnection
    let options: Options
    let report: @Sendable (Event) -> Void

    /// A runner for one database.
    ///
    /// - Parameters:
    ///   - connect: Opens a session of the role that owns the schema.
    ///   - options: How patient to be.
    ///   - report: Called with each event.
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

    /// Compares code with the database; changes nothing and takes no lock.
    ///
    /// - Throws: `MigrationError.database`.
    public func state(of code: SchemaCode) async throws(MigrationError) -> CodeState {
        try await withSession { (session) async throws(MigrationError) in
            try await session.state(of: code)
        }
    }

    /// Applies what is pending, and installs the code.
    ///
    /// - Parameters:
    ///   - files: This release's migrations.
    ///   - code: This release's code; nil: the database's code is not changed. It is installed only if all of this release's
    ///     migrations are applied, and not over a newer release's code.
    ///   - target: The last version to apply; nil for all.
    ///   - allowingOutOfOrder: Whether to apply one although a newer one already is.
    ///   - replacingNewerCode: Whether to install the code even over a newer release's.
    /// - Returns: What was done; nothing when nothing was pending, or another runner did it meanwhile.
    /// - Throws: `MigrationError`; the steps before the one it names stay done.
    public func up(
        _ files: [Migration], code: SchemaCode? = nil, to target: Int? = nil, allowingOutOfOrder: Bool = false,
        replacingNewerCode: Bool = false
    ) async throws(MigrationError) -> Outcome {
        try await run(files) { (session, state) async throws(MigrationError) in
            let steps: [MigrationPlan.Step]
            do throws(MigrationPlan.Refusal) {
                steps = try MigrationPlan.up(state, to: target, allowingOutOfOrder: allowingOutOfOrder).steps
            } catch {
                throw .refused(error)
            }
            var parts = steps.map { Part(step: $0) }
            guard let code, target ?? .max >= files.map(\.version).max() ?? 0 else { return parts }
            let newest = state.lines.filter { $0.migration == nil }
            let codeState = try await session.state(of: code)
            // Tables of a newer release have its code.
            guard newest.isEmpty, codeState.newer == nil || replacingNewerCode else { return parts }
            if let last = parts.indices.last, parts[last].step?.migration.isTransactional == true {
                parts[last].code = code
            } else if !parts.isEmpty || !codeState.isRecorded || codeState.lines.contains(where: \.status.isPending) {
                parts.append(Part(code: code))
            }
            return parts
        }
    }

    /// Undoes the newest migrations. All code is dropped first, because it is written for the current tables. The
    /// release that fits the remaining tables installs its own.
    ///
    /// - Returns: What was done, and which release fits.
    /// - Throws: `MigrationError`; the steps before the one it names stay done.
    public func down(_ files: [Migration], count: Int = 1) async throws(MigrationError) -> Outcome {
        var outcome = try await run(files) { (session, state) async throws(MigrationError) in
            do throws(MigrationPlan.Refusal) {
                var parts = try MigrationPlan.down(state, count: count).steps.map { Part(step: $0) }
                if !parts.isEmpty { parts[0].removesCode = true }
                return parts
            } catch {
                throw .refused(error)
            }
        }
        if let undone = outcome.steps.map({ $0.migration.version }).min() {
            outcome.fittingRelease = try await withSession { (session) async throws(MigrationError) in
                let left = try await session.state(of: files).lines.filter { $0.entry?.appliedAt != nil }.map {
                    $0.version
                }
                let newest = left.filter { $0 < undone }.max() ?? 0
                return try await session.execute(CodeLedger.ReadReleases()).first { $0.version == newest }?.release
            }
        }
        return outcome
    }

    /// Drops the functions that this release no longer has and that were kept for services of the previous release.
    ///
    /// - Parameters:
    ///   - code: This release's code.
    ///   - check: Called with a session, under the lock, if there is something to drop; throws if somebody still needs it.
    /// - Returns: What was dropped.
    /// - Throws: What `check` throws; `MigrationError`. Nothing was dropped.
    public func prune(
        _ code: SchemaCode, after check: (PostgresConnection) async throws -> Void
    ) async throws -> [CodeState.Line] {
        let result = try await withLockedSession {
            (session, _) async throws(MigrationError) -> Result<[CodeState.Line], any Error> in
            let retired = try await session.state(of: code).retired
            if retired.isEmpty { return .success([]) }
            do { try await check(session.connection) } catch { return .failure(error) }
            try await session.drop(retired)
            return .success(retired)
        }
        return try result.get()
    }

    /// Makes the ledger agree with the folder about one version, after somebody has looked at the difference: an edited
    /// file is recorded as what was applied, a missing one is forgotten. The schema itself is not changed.
    ///
    /// - Returns: What was wrong.
    /// - Throws: `MigrationError`; `.refused(.nothingToAccept)` when nothing was.
    public func accept(version: Int, files: [Migration]) async throws(MigrationError) -> SchemaState.Line {
        try await withLockedSession { (session, _) async throws(MigrationError) in
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
            (session, _) async throws(MigrationError) -> Swift.Result<Result, any Error> in
            let state = try await session.state(of: files)
            do { return .success(try await body(session.connection, state)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func run(
        _ files: [Migration],
        plan: @Sendable (MigrationSession, SchemaState) async throws(MigrationError) -> [Part]
    ) async throws(MigrationError) -> Outcome {
        // If nothing is to be done, or nothing may be done, no lock is needed.
        let first = try await withSession { (session) async throws(MigrationError) in
            try await plan(session, try await session.state(of: files))
        }
        var outcome = Outcome()
        if first.isEmpty { return outcome }
        try await withLockedSession { (session, lock) async throws(MigrationError) in
            for part in try await plan(session, try await session.state(of: files)) {
                if Task.isCancelled { throw .cancelled }
                try await lock.check()
                if let step = part.step { report(.began(step)) }
                let clock = ContinuousClock()
                let start = clock.now
                let code: [CodeState.Line]
                do {
                    // It ends with this scope, so that no step is reported as running after it has finished.
                    async let _ = sayThatItRuns(part.step, since: start)
                    code = try await session.perform(part, startedAt: start)
                }
                if let step = part.step {
                    outcome.steps.append(step)
                    report(.finished(step, milliseconds: start.duration(to: clock.now).milliseconds))
                }
                outcome.code += code
                if !code.isEmpty { report(.changedCode(code)) }
            }
        }
        return outcome
    }

    /// Until cancelled.
    private func sayThatItRuns(_ step: MigrationPlan.Step?, since start: ContinuousClock.Instant) async {
        guard let step else { return }
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
            let lack: String?
            do { lack = try await options.lack(connection) } catch { throw .database(error) }
            if let lack { throw .unsuitable(lack) }
            let session = MigrationSession(connection: connection, options: options, report: report)
            try await session.goHome()
            let result = try await body(session)
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }

    private func withLockedSession<Result>(
        _ body: (MigrationSession, MigrationSession.HeldLock) async throws(MigrationError) -> Result
    ) async throws(MigrationError) -> Result {
        try await withSession { (session) async throws(MigrationError) in
            let lock = try await session.lock(connect: connect)
            do throws(MigrationError) {
                let result = try await body(session, lock)
                await lock.release()
                return result
            } catch {
                await lock.release()
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
