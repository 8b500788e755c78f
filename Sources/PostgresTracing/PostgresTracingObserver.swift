public import Postgres
public import Tracing

/// Makes a span of each statement, a child of the span that the calling task is in (swift-distributed-tracing).
///
/// ```swift
/// configuration.observer = PostgresTracingObserver()
/// ```
///
/// A span has the statement's name and the attributes of OpenTelemetry's conventions for databases: `db.system.name`,
/// `db.query.summary`, `db.query.text` (the constant SQL of a typed statement: never a value) and, of one that failed,
/// `error.type` and `db.response.status_code`, its SQLSTATE. `postgresql.queue_time` is how long a statement of a client
/// waited to be sent, in seconds.
public struct PostgresTracingObserver: PostgresObserver {
    private let observer: (any PostgresObserver)?
    private let tracer: (any Tracer)?

    /// An observer that traces.
    ///
    /// - Parameters:
    ///   - observer: Another one, which hears everything, too. Default: none.
    ///   - tracer: Default: `nil`, the one that `InstrumentationSystem` has when a statement begins.
    public init(forwardingTo observer: (any PostgresObserver)? = nil, tracer: (any Tracer)? = nil) {
        self.observer = observer
        self.tracer = tracer
    }

    /// A span, and what the other observer wants to see again.
    private final class Context: Sendable {
        let span: any Span
        let other: (any AnyObject & Sendable)?

        init(_ span: any Span, _ other: (any AnyObject & Sendable)?) {
            self.span = span
            self.other = other
        }
    }

    /// Yes.
    public var followsCalls: Bool { true }

    /// Starts the span.
    public func callBegan(_ call: PostgresCall) -> (any AnyObject & Sendable)? {
        let name = call.name
        let span: any Span = (tracer ?? InstrumentationSystem.tracer).startSpan(name, ofKind: .client)
        if span.isRecording {
            span.attributes["db.system.name"] = "postgresql"
            span.attributes["db.query.summary"] = name
            if let sql = call.sql { span.attributes["db.query.text"] = sql }
        }
        return Context(span, observer?.followsCalls == true ? observer?.callBegan(call) : nil)
    }

    /// Ends the span.
    public func statementEnded(_ report: PostgresStatementReport) {
        guard let context = report.context as? Context else { return observer?.statementEnded(report) ?? () }
        context.span.attributes["postgresql.queue_time"] = report.waiting / .seconds(1)
        end(context.span, report.error)
        observer?.statementEnded(report.carrying(context.other))
    }

    /// Ends the span.
    public func sessionStatementEnded(_ report: PostgresStatementReport) {
        guard let context = report.context as? Context else { return }
        end(context.span, report.error)
        if let observer, observer.followsCalls { observer.sessionStatementEnded(report.carrying(context.other)) }
    }

    private func end(_ span: any Span, _ error: PostgresError?) {
        if let error {
            span.attributes["error.type"] = error.code.description
            if let state = error.sqlState { span.attributes["db.response.status_code"] = state.description }
            // Its description has no values.
            span.setStatus(SpanStatus(code: .error, message: error.description))
        }
        span.end()
    }

    /// Forwarded.
    public func batchEnded(_ report: PostgresBatchReport) { observer?.batchEnded(report) }
    /// Forwarded.
    public func connectionOpened() { observer?.connectionOpened() }
    /// Forwarded.
    public func connectionFailed(_ error: PostgresError) { observer?.connectionFailed(error) }
    /// Forwarded.
    public func connectionLost(_ error: PostgresError) { observer?.connectionLost(error) }
    /// Forwarded.
    public func noticeReceived(_ notice: PostgresNotice) { observer?.noticeReceived(notice) }
}
