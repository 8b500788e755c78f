import EventLoop

/// The rows of one statement, as they come: an asynchronous sequence in constant memory.
///
/// ```swift
/// for try await row in connection.rows("SELECT id, points FROM players", decode: { row throws(PostgresDecodingError) in
///     (id: try row.next(String.self), points: try row.next(Int32.self))
/// }) {
///     print(row.id, row.points)
/// }
/// ```
///
/// Each iteration runs the statement anew, from the first call of `next` on. What has come and was not taken is at most
/// twice 64 KiB, or two rows where they are larger; then the socket is not read, and the server waits (libpq, "Retrieving
/// Query Results Row-by-Row").
///
/// While the rows come the session is busy: other calls on it wait for the end of the iteration, so do not await one
/// within the loop. ``PostgresConnection/stream(_:_:chunk:decode:_:)`` allows that, by a cursor.
///
/// Who leaves the loop early has nothing to tidy up. Outside of a transaction the server is asked to stop. Within one it
/// is not, for that would make the transaction fail: the rows that are left are read and dropped, before the next call
/// on the session has its turn.
///
/// An error comes behind the rows that came before it. What the statement changed is then undone, unless the code is
/// ``PostgresError/Code/outcomeUnknown`` or ``PostgresError/Code/decodingFailed``; whether it took effect is known only
/// at the end. The former also says that the task was cancelled, or the time over, when the server had done all and rows
/// were still to be taken.
public struct PostgresRowSequence<Row: Sendable>: AsyncSequence, Sendable {
    /// What went wrong.
    public typealias Failure = PostgresError

    let connection: PostgresConnection
    let timeout: Duration?
    /// Makes what runs on the connection.
    let makeStream: RowReader.MakeStream
    let decode: @Sendable (inout RowDecoder) throws(PostgresDecodingError) -> Row

    /// What the next iteration begins with. Nothing is sent yet.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// One run of the statement.
    public struct Iterator: AsyncIteratorProtocol {
        let reader: RowReader
        private let decode: @Sendable (inout RowDecoder) throws(PostgresDecodingError) -> Row
        private var chunk: RowChunk?
        private var row = 0

        init(_ sequence: PostgresRowSequence) {
            decode = sequence.decode
            reader = RowReader(sequence.connection, sequence.timeout, sequence.makeStream)
        }

        /// The next row; `nil` after the last, and after an error.
        ///
        /// When the task is cancelled the server is asked to stop, also within a transaction, which has then failed.
        ///
        /// - Throws: ``PostgresError``: `.server`, `.cancelled`, `.deadlineExceeded`, `.outcomeUnknown`, `.notSent`,
        ///   `.closed`, `.misuse`; `.decodingFailed`, and the rest of the rows is dropped.
        public mutating func next() async throws(PostgresError) -> Row? {
            try await next(isolation: #isolation)
        }

        /// The same, on the caller's actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(PostgresError) -> Row? {
            while true {
                if let chunk, row < chunk.count {
                    defer { row += 1 }
                    do throws(PostgresDecodingError) {
                        return try chunk.decode(row, decode)
                    } catch {
                        self.chunk = nil
                        reader.stop()
                        throw PostgresError(error)
                    }
                }
                chunk = nil
                guard let next = try await reader.next() else { return nil }
                (chunk, row) = (next, 0)
            }
        }
    }
}

/// Who takes the rows of a ``RowStream``. With it the stream ends.
final class RowReader: Sendable {
    /// Makes what runs, inside a turn of the loop; throws why it cannot be sent.
    typealias MakeStream = @Sendable () throws(PostgresError) -> RowStream

    private enum Phase { case idle, running, over }

    private let connection: PostgresConnection
    private let timeout: Duration?
    private let makeStream: MakeStream
    private let phase = Locked(Phase.idle)
    private let call = Session.Call()
    /// The stream, once it has begun.
    let stream: Confined<Box>

    /// Holds the stream inside turns of the loop.
    final class Box { var stream: RowStream? }

    init(_ connection: PostgresConnection, _ timeout: Duration?, _ makeStream: @escaping MakeStream) {
        self.connection = connection
        self.timeout = timeout
        self.makeStream = makeStream
        stream = Confined(Box(), to: connection.session.loop)
    }

    deinit { stop() }

    /// The next rows; `nil` after the last.
    func next() async throws(PostgresError) -> RowChunk? {
        let phase = phase.withLock { phase in
            defer { if phase == .idle { phase = .running } }
            return phase
        }
        guard phase != .over else { return nil }
        let (session, call, stream) = (connection.session, call, stream)
        let result: Result<RowChunk?, PostgresError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                session.loop.execute { [self] in
                    if phase == .idle, let refusal = begin() {
                        return continuation.resume(returning: .failure(refusal))
                    }
                    stream.value.stream?.next { continuation.resume(returning: $0) }
                }
            }
        } onCancel: {
            session.loop.execute { session.value.abandon(call, .cancelled) }
        }
        do throws(PostgresError) {
            guard let chunk = try result.get() else {
                self.phase.withLock { $0 = .over }
                return nil
            }
            return chunk
        } catch {
            self.phase.withLock { $0 = .over }
            throw error
        }
    }

    /// Hands the statement in. Inside a turn of the loop.
    ///
    /// - Returns: Why it cannot be sent.
    private func begin() -> PostgresError? {
        do throws(PostgresError) {
            let next = try makeStream()
            stream.value.stream = next
            connection.session.value.submit(next, as: call, timeout: timeout)
            return nil
        } catch {
            return error
        }
    }

    /// Wants no more rows.
    func stop() {
        let wasRunning = phase.withLock { phase in
            defer { phase = .over }
            return phase == .running
        }
        guard wasRunning else { return }
        let (session, call, stream) = (connection.session, call, stream)
        session.loop.execute {
            guard let stream = stream.value.stream else { return }
            guard stream.isInTransaction else { return session.value.abandon(call, .cancelled) }
            // Stopped for its timeout, the statement would fail the transaction.
            session.value.keepGoing(call)
            stream.discard()
        }
    }
}

extension PostgresConnection {
    /// The rows of a one-off statement, one after the other in constant memory. Nothing is prepared.
    ///
    /// - Parameters:
    ///   - sql: One statement: a `SELECT`, or one with `RETURNING`.
    ///   - parameters: The values of `$1`, `$2` ...
    ///   - timeout: From the first call of `next` to the last row; `nil`, the default: no limit.
    ///   - decode: Reads one row, in the task that iterates.
    public func rows<Row: Sendable>(
        _ sql: SQLText, _ parameters: [any PostgresEncodable] = [], timeout: Duration? = nil,
        decode: @escaping @Sendable (inout RowDecoder) throws(PostgresDecodingError) -> Row
    ) -> PostgresRowSequence<Row> {
        PostgresRowSequence(
            connection: self, timeout: timeout,
            makeStream: { () throws(PostgresError) in
                try RowStream(sql.text) { for value in parameters { $0.append(value) } }
            }, decode: decode)
    }

    /// The rows of a typed statement, one after the other in constant memory. It is not prepared.
    ///
    /// - Parameter statement: A statement with rows.
    /// - Parameter timeout: From the first call of `next` to the last row; `nil`, the default: no limit.
    public func rows<S: Statement>(_ statement: S, timeout: Duration? = nil) -> PostgresRowSequence<S.Row> {
        PostgresRowSequence(
            connection: self, timeout: timeout,
            makeStream: { () throws(PostgresError) in
                try RowStream(statement.sql.description) { statement.bind(to: &$0) }
            }, decode: S.decode)
    }
}
