import Dispatch
public import EventLoop

/// One dedicated session: for the command line, migrations and tests. Statements run in the order in which they are awaited.
public final class PostgresConnection: Sendable {
    private let session: Confined<Session>

    private init(_ session: Confined<Session>) { self.session = session }

    /// Opens a session.
    ///
    /// - Throws: ``PostgresError`` `.connectionFailed` or `.configuration`; nothing is left open.
    public static func connect(
        _ configuration: PostgresConfiguration,
        on loop: EventLoop
    ) async throws(PostgresError) -> PostgresConnection {
        var settings = try ConnectionSettings(
            configuration, sessionSettings: configuration.sessionSettings.map { ($0, $1) })
        if settings.needsResolution { settings = await resolved(settings) }
        let ready = settings
        return try await onLoop(loop) { () async -> Result<PostgresConnection, PostgresError> in
            do throws(PostgresError) {
                let session = try await Session.connect(ready, timeout: configuration.connectTimeout, on: loop)
                return .success(PostgresConnection(Confined(session, to: loop)))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Runs a statement and gives its rows.
    public func execute<S: Statement>(_ statement: S) async throws(PostgresError) -> [S.Row] {
        try await exchange { continuation in
            SingleStatement(
                Pending(statement, since: self.session.loop.now, continuation))
        }
    }

    /// Runs a statement and gives its first row.
    public func first<S: Statement>(_ statement: S) async throws(PostgresError) -> S.Row? {
        try await execute(statement).first
    }

    /// Runs several statements by the simple protocol; their rows are not looked at.
    public func executeScript(_ sql: String) async throws(PostgresError) {
        try await exchange { Script(sql, $0) }
    }

    /// Loads rows with `COPY … FROM STDIN`.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - next: The next bytes in the statement's format; nil at the end. What it throws makes the copy fail.
    public func copyIn(_ sql: StaticString, _ next: () throws -> [UInt8]?) async throws {
        try await exchange { CopyStart(sql.description, $0) } as Void
        do {
            while let bytes = try next() { try await exchange { CopyData(bytes, $0) } as Void }
        } catch {
            if !(error is PostgresError) { try? await exchange { CopyEnd("refused by the client", $0) } as Void }
            throw error
        }
        try await exchange { CopyEnd(nil, $0) } as Void
    }

    /// Ends the session.
    public func close() async {
        _ = try? await Self.onLoop(session.loop) { [session] () async -> Result<Void, PostgresError> in
            session.value.close()
            return .success(())
        }
    }

    private func exchange<Value: Sendable>(
        _ make: @escaping @Sendable (CheckedContinuation<Result<Value, PostgresError>, Never>) -> any Exchange
    ) async throws(PostgresError) -> Value {
        let session = session
        let result = await withCheckedContinuation { continuation in
            session.loop.execute {
                guard session.value.isIdle else {
                    let error = PostgresError(session.value.isClosed ? .closed : .misuse)
                    continuation.resume(returning: Result<Value, PostgresError>.failure(error))
                    return
                }
                session.value.begin(make(continuation))
            }
        }
        return try result.get()
    }

    private static func onLoop<Value: Sendable>(
        _ loop: EventLoop,
        _ body: @escaping @Sendable () async -> Result<Value, PostgresError>
    ) async throws(PostgresError) -> Value {
        try await Task(executorPreference: loop) { await body() }.value.get()
    }

    private static func resolved(_ settings: ConnectionSettings) async -> ConnectionSettings {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var settings = settings
                settings.resolve()
                continuation.resume(returning: settings)
            }
        }
    }
}

/// One unnamed statement outside pipeline mode.
private final class SingleStatement: Exchange {
    private let statement: PendingStatement
    private var error: PostgresError?

    init(_ statement: PendingStatement) { self.statement = statement }

    func send(on session: Session) -> Bool {
        session.parameters.removeAll()
        statement.bind(to: &session.parameters)
        return session.sendUnnamedStatement(statement.sql)
    }

    func receive(_ result: consuming ResultHandle?, on session: Session) -> Bool {
        guard let result else {
            if let error { statement.fail(error) } else { statement.complete() }
            return true
        }
        switch result.status {
        case .done: statement.take(result)
        default: error = error ?? result.error
        }
        return false
    }

    func fail(_ error: PostgresError) { statement.fail(error) }
}

private final class Script: Exchange {
    private let sql: String
    private let continuation: CheckedContinuation<Result<Void, PostgresError>, Never>
    private var error: PostgresError?

    init(_ sql: String, _ continuation: CheckedContinuation<Result<Void, PostgresError>, Never>) {
        (self.sql, self.continuation) = (sql, continuation)
    }

    func send(on session: Session) -> Bool { session.handle.sendScript(sql) }

    func receive(_ result: consuming ResultHandle?, on session: Session) -> Bool {
        guard let result else {
            continuation.resume(returning: error.map(Result.failure) ?? .success(()))
            return true
        }
        if result.status != .done { error = error ?? result.error }
        return false
    }

    func fail(_ error: PostgresError) { continuation.resume(returning: .failure(error)) }
}

private final class CopyStart: Exchange {
    private let sql: String
    private let continuation: CheckedContinuation<Result<Void, PostgresError>, Never>
    private var error: PostgresError?

    init(_ sql: String, _ continuation: CheckedContinuation<Result<Void, PostgresError>, Never>) {
        (self.sql, self.continuation) = (sql, continuation)
    }

    func send(on session: Session) -> Bool { session.handle.sendScript(sql) }

    func receive(_ result: consuming ResultHandle?, on session: Session) -> Bool {
        guard let result else {
            continuation.resume(returning: .failure(error ?? PostgresError(.misuse)))
            return true
        }
        guard result.status == .copyIn else {
            error = error ?? result.error
            return false
        }
        continuation.resume(returning: .success(()))
        return true
    }

    func fail(_ error: PostgresError) { continuation.resume(returning: .failure(error)) }
}

private final class CopyData: Exchange {
    private let bytes: [UInt8]
    private var continuation: CheckedContinuation<Result<Void, PostgresError>, Never>?

    init(_ bytes: [UInt8], _ continuation: CheckedContinuation<Result<Void, PostgresError>, Never>) {
        (self.bytes, self.continuation) = (bytes, continuation)
    }

    func send(on session: Session) -> Bool { session.handle.putCopyData(bytes) }

    func receive(_ result: consuming ResultHandle?, on session: Session) -> Bool { false }

    func flushed(on session: Session) {
        session.endSilently()
        continuation?.resume(returning: .success(()))
        continuation = nil
    }

    func fail(_ error: PostgresError) {
        continuation?.resume(returning: .failure(error))
        continuation = nil
    }
}

private final class CopyEnd: Exchange {
    private let failure: String?
    private let continuation: CheckedContinuation<Result<Void, PostgresError>, Never>
    private var error: PostgresError?

    init(_ failure: String?, _ continuation: CheckedContinuation<Result<Void, PostgresError>, Never>) {
        (self.failure, self.continuation) = (failure, continuation)
    }

    func send(on session: Session) -> Bool { session.handle.putCopyEnd(failure: failure) }

    func receive(_ result: consuming ResultHandle?, on session: Session) -> Bool {
        guard let result else {
            continuation.resume(returning: error.map(Result.failure) ?? .success(()))
            return true
        }
        if result.status != .done { error = error ?? result.error }
        return false
    }

    func fail(_ error: PostgresError) { continuation.resume(returning: .failure(error)) }
}
