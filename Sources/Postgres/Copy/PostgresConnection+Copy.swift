import EventLoop

extension PostgresConnection {
    /// Loads rows with `COPY … FROM STDIN` in constant memory: the next data is asked for when the socket has taken the
    /// last.
    ///
    /// - Parameters:
    ///   - sql: The `COPY` statement.
    ///   - timeout: From the call to the last answer; `nil`, the default: no limit. It does not interrupt `next`.
    ///   - next: The next bytes in the statement's format, cut anywhere; `nil` at the end.
    /// - Returns: How many rows were loaded.
    /// - Throws: What `next` throws, or ``PostgresError``. Nothing was loaded then, unless it is `.outcomeUnknown`. A
    ///   transaction that was open before is failed, and still open.
    @discardableResult
    public func copyIn(
        _ sql: SQLText, timeout: Duration? = nil, _ next: () async throws -> [UInt8]?
    ) async throws -> Int {
        let session = session
        let call = Session.Call()
        let copy = Confined(CopyIn(sql.text), to: session.loop)
        return try await withTaskCancellationHandler {
            let started = await withCheckedContinuation { continuation in
                session.loop.execute {
                    copy.value.whenStarted { continuation.resume(returning: $0) }
                    session.value.submit(copy.value, as: call, timeout: timeout)
                }
            }
            try started.get()
            do {
                while let bytes = try await next() {
                    let result = await withCheckedContinuation { continuation in
                        session.loop.execute { copy.value.put(bytes) { continuation.resume(returning: $0) } }
                    }
                    try result.get()
                }
                if Task.isCancelled { throw PostgresError(.cancelled) }
            } catch {
                // The server's own reason, if it had one, comes with the end; the caller's goes before.
                _ = await Self.end(copy, failure: "the client gave up")
                throw error
            }
            return try await Self.end(copy, failure: nil).get()
        } onCancel: {
            session.loop.execute { session.value.abandon(call, .cancelled) }
        }
    }

    private static func end(_ copy: Confined<CopyIn>, failure: String?) async -> Result<Int, PostgresError> {
        await withCheckedContinuation { continuation in
            copy.loop.execute { copy.value.end(failure: failure) { continuation.resume(returning: $0) } }
        }
    }
}
