import EventLoop

extension PostgresConnection {
    /// Loads rows with `COPY … FROM STDIN` in constant memory: the next data is asked for when the socket has taken the
    /// last.
    ///
    /// - Parameters:
    ///   - sql: The `COPY` statement.
    ///   - next: The next bytes in the statement's format, cut anywhere; `nil` at the end.
    /// - Returns: How many rows were loaded.
    /// - Throws: What `next` throws, or ``PostgresError``. Nothing was loaded then, unless it is `.outcomeUnknown`.
    @discardableResult
    public func copyIn(_ sql: StaticString, _ next: () async throws -> [UInt8]?) async throws -> Int {
        let session = session
        let call = Session.Call()
        let (copy, started) = await withCheckedContinuation { continuation in
            session.loop.execute {
                var made: Confined<CopyIn>?
                let copy = CopyIn(sql.description) { result in
                    // The answer comes in a later turn than the question, so `made` is set.
                    continuation.resume(returning: (made, result))
                }
                made = Confined(copy, to: session.loop)
                session.loop.execute { [made] in
                    guard let made else { return }
                    session.value.submit(made.value, as: call, timeout: nil)
                }
            }
        }
        guard let copy else { throw PostgresError(.misuse) }
        try started.get()
        return try await withTaskCancellationHandler {
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
