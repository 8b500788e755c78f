/// A statement that was handed in and waits for its answer, whatever its type.
class Submission: @unchecked Sendable {
    // Invariant: what is mutable is touched only inside turns of the loop that the submission was handed to; the
    // task that made it only keeps it to say that it no longer wants the answer.

    /// Where a submission is on its way.
    enum Phase { case new, waiting, sent, finished }

    let access: StatementAccess
    let orderingKey: String?
    /// The type of the statement; `nil` for a one-off query, which is not prepared.
    let type: ObjectIdentifier?

    var phase = Phase.new
    /// Why nobody wants the answer any more.
    var abandonment: PostgresError.Code?
    /// When it must have left the queue, and when it must be done.
    var queueDeadline = ContinuousClock.Instant.now
    var deadline = ContinuousClock.Instant.now
    /// How often a lost connection has thrown it back.
    var returns = 0

    init(access: StatementAccess, orderingKey: String?, type: ObjectIdentifier?) {
        self.access = access
        self.orderingKey = orderingKey
        self.type = type
    }

    /// The SQL text.
    var sql: String { preconditionFailure("abstract") }
    /// The full name of the statement's type.
    var typeName: String { preconditionFailure("abstract") }
    /// Writes the parameters.
    func bind(to parameters: inout Parameters) { preconditionFailure("abstract") }
    /// Decodes a result and keeps it: it counts only when the transaction is committed.
    func take(_ result: borrowing ResultHandle) { preconditionFailure("abstract") }
    /// Hands out what was taken.
    func deliver() { preconditionFailure("abstract") }
    /// Hands out an error.
    func fail(_ error: PostgresError) { preconditionFailure("abstract") }
}

/// A submission whose answer is of a type.
@safe class TypedSubmission<Answer: Sendable>: Submission, @unchecked Sendable {
    // Invariant: as for the superclass.

    /// Unsafe, for a checked one costs an allocation and a lock per statement. It is resumed exactly once: `deliver` and
    /// `fail` take it away.
    typealias Continuation = UnsafeContinuation<Result<Answer, PostgresError>, Never>

    private var continuation: Continuation?
    private var completion: ((Result<Answer, PostgresError>) -> Void)?
    fileprivate var answer: Result<Answer, PostgresError>?

    /// Remembers whom to answer.
    func waits(_ continuation: Continuation) { unsafe self.continuation = unsafe continuation }

    /// Remembers whom to call.
    func onAnswer(_ completion: @escaping (Result<Answer, PostgresError>) -> Void) { self.completion = completion }

    override func deliver() { resume(answer ?? .failure(PostgresError(.misuse, reason: "no result"))) }

    override func fail(_ error: PostgresError) { resume(.failure(error)) }

    private func resume(_ result: Result<Answer, PostgresError>) {
        phase = .finished
        answer = nil
        let waiting = unsafe continuation
        unsafe continuation = nil
        unsafe waiting?.resume(returning: result)
        let called = completion
        completion = nil
        called?(result)
    }
}

/// A typed statement that was handed in.
final class StatementSubmission<S: Statement>: TypedSubmission<[S.Row]>, @unchecked Sendable {
    // Invariant: as for the superclass.
    private let statement: S

    init(_ statement: S) {
        self.statement = statement
        super.init(access: S.access, orderingKey: statement.orderingKey, type: ObjectIdentifier(S.self))
    }

    override var sql: String { S.sql.description }
    override var typeName: String { String(reflecting: S.self) }
    override func bind(to parameters: inout Parameters) { statement.bind(to: &parameters) }

    override func take(_ result: borrowing ResultHandle) {
        do throws(PostgresDecodingError) {
            answer = .success(try result.rows { (row) throws(PostgresDecodingError) in try S.decode(&row) })
        } catch {
            answer = .failure(PostgresError(error))
        }
    }
}

/// A one-off query that was handed in; it answers with its rows and how many rows the command counted.
final class QuerySubmission<Row: Sendable>: TypedSubmission<(rows: [Row], count: Int)>, @unchecked Sendable {
    // Invariant: as for the superclass.
    typealias Decode = @Sendable (inout RowDecoder) throws(PostgresDecodingError) -> Row

    private let text: SQLText
    private let values: [any PostgresEncodable]
    private let decode: Decode

    init(_ text: SQLText, _ values: [any PostgresEncodable], decode: @escaping Decode) {
        self.text = text
        self.values = values
        self.decode = decode
        super.init(access: .write, orderingKey: nil, type: nil)
    }

    override var sql: String { text.text }
    override var typeName: String { "" }
    override func bind(to parameters: inout Parameters) { for value in values { parameters.append(value) } }

    override func take(_ result: borrowing ResultHandle) {
        do throws(PostgresDecodingError) {
            answer = .success((try result.rows(decode), result.affectedRows))
        } catch {
            answer = .failure(PostgresError(error))
        }
    }
}
