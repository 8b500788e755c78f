import Postgres

/// The answer to a request of the app, of a client of `/v2`, or of an operator.
package struct Answered<Value: Sendable, Refusal: RefusalReason>: Sendable {
    /// What became of the request.
    package enum Outcome: Sendable {
        /// It was done.
        case done(Value)
        /// It was refused, and nothing has changed.
        indirect case refused(Refusal, Refusal.Details)
    }

    /// What became of the request; of a repeat, what became of it the first time.
    package let outcome: Outcome
    /// Whether this was answered before, under the operation's name. Nothing was changed this time.
    package let isReplay: Bool

    /// An answer.
    @inlinable
    @inline(__always)
    package init(_ outcome: Outcome, isReplay: Bool = false) {
        self.outcome = outcome
        self.isReplay = isReplay
    }

    /// It was done, just now.
    @inlinable
    @inline(__always)
    package static func done(_ value: Value) -> Self { Self(.done(value)) }

    /// It was refused, just now.
    @inlinable
    @inline(__always)
    package static func refused(_ refusal: Refusal, _ details: Refusal.Details = Refusal.nothing) -> Self {
        Self(.refused(refusal, details))
    }

    /// Why it was refused; nil: it was done.
    @inlinable @inline(__always) package var refusal: Refusal? {
        if case .refused(let refusal, _) = outcome { refusal } else { nil }
    }

    /// What was asked for; nil: it was refused.
    @inlinable @inline(__always) package var value: Value? { if case .done(let value) = outcome { value } else { nil } }

    /// The value of what was done just now; nil: it was refused, or done before.
    @inlinable @inline(__always) package var news: Value? { isReplay ? nil : value }

    /// The same answer with another value.
    @inlinable
    @inline(__always)
    package func map<Other>(_ transform: (Value) -> Other) -> Answered<Other, Refusal> {
        switch outcome {
        case .done(let value): .init(.done(transform(value)), isReplay: isReplay)
        case .refused(let refusal, let details): .init(.refused(refusal, details), isReplay: isReplay)
        }
    }
}

/// Why requests of a kind are refused.
package protocol RefusalReason: Hashable, Sendable {
    /// What an answer with a refusal says besides.
    associatedtype Details: Sendable
    /// Nothing.
    static var nothing: Details { get }
    /// The refusal when there is no answer.
    static var missing: Self { get }
}

/// A value that is read from a composite type of the schema, whose first field is the refusal.
protocol AnswerValue: Sendable {
    associatedtype Refusal: RefusalReason

    /// Reads all fields.
    ///
    /// - Returns: nil: there is neither a refusal nor a value.
    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> Answered<Self, Refusal>?
}

/// A row of an answer: the only one, or one of a list, whose first has the refusal or nothing.
struct AnswerRow<Value: AnswerValue>: PostgresDecodable, Sendable {
    let answer: Answered<Value, Value.Refusal>?

    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        answer = try Value.read(&fields, in: bytes)
    }
}

/// A refusal, or nothing: it was done.
struct RefusalRow: PostgresDecodable, Sendable {
    let refusal: V2Refusal?

    static var postgresNull: Self? { Self(refusal: nil) }

    private init(refusal: V2Refusal?) { self.refusal = refusal }

    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard let refusal = V2Refusal(rawValue: try String(binary: bytes, type: type)) else { throw .malformed }
        self.refusal = refusal
    }
}

extension PostgresClient {
    /// Calls a function that answers one row.
    ///
    /// - Throws: With the code `outcomeUnknown` it may have been done: ask again under the same name.
    @inline(__always)
    func ask<Value: AnswerValue>(
        _ call: FunctionCall<AnswerRow<Value>>
    ) async throws(PostgresError) -> Answered<Value, Value.Refusal> {
        // A function always returns one row.
        guard let row = try await first(call), let answer = row.answer else { return .refused(.missing) }
        return answer
    }

    /// Calls a function that answers a list.
    func list<Value: AnswerValue>(
        _ call: FunctionCall<AnswerRow<Value>>
    ) async throws(PostgresError) -> Answered<[Value], Value.Refusal> {
        let rows = try await execute(call)
        if case .refused(let refusal, let details) = rows.first?.answer?.outcome { return .refused(refusal, details) }
        return .done(rows.compactMap { $0.answer?.value })
    }

    /// Calls a function that answers a refusal or nothing.
    func ask(_ call: FunctionCall<RefusalRow>) async throws(PostgresError) -> V2Answer<Void> {
        try await first(call)?.refusal.map { .refused($0) } ?? .done(())
    }
}
