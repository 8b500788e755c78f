/// One conversation with the server, from an idle connection to an idle connection. Inside turns of its loop only.
protocol Exchange: AnyObject {
    /// Whether it speaks in pipeline mode: everything but scripts and COPY.
    var usesPipeline: Bool { get }

    /// Why nobody wants the answer any more: the task was cancelled or its deadline has passed.
    var abandonment: PostgresError.Code? { get set }

    /// Whether it may leave something behind in the session.
    var leavesTraces: Bool { get }

    /// Queues what there is to say. `false`: libpq refuses, the connection is lost.
    func send(on connection: Connection) -> Bool

    /// Whether results are due. COPY answers only when it has all the data.
    var takesResults: Bool { get }

    /// Takes one result, or `nil` after the last one of a statement.
    ///
    /// - Returns: Whether the conversation is over.
    func receive(_ result: consuming ResultHandle, on connection: Connection) -> Bool

    /// Hears that libpq has no further result for the statement.
    ///
    /// - Returns: Whether the conversation is over.
    func receiveEnd(on connection: Connection) -> Bool

    /// Hears that everything queued has been handed to the socket.
    func flushed(on connection: Connection)

    /// Hears that bytes wait in the socket while it takes no results, before libpq reads them.
    func inputWaits(on connection: Connection)

    /// Hears that bytes have come while it takes no results.
    func inputArrived(on connection: Connection)

    /// Tells those who wait how it went. Called once, when the connection can take the next exchange.
    func finish(on connection: Connection)

    /// Tells those who wait that the connection is lost.
    ///
    /// - Parameter wasSent: Whether the last byte had left. If not, no transaction of the exchange can have ended.
    func lose(_ error: PostgresError, wasSent: Bool)
}

extension Exchange {
    var leavesTraces: Bool { true }
    var takesResults: Bool { true }
    func flushed(on connection: Connection) {}
    func inputWaits(on connection: Connection) {}
    func inputArrived(on connection: Connection) {}
}

extension PostgresError {
    /// The error of an exchange that was abandoned: what the server or the lost connection says, put in the terms of
    /// the one who abandoned it.
    func explained(by abandonment: Code?) -> PostgresError {
        guard let abandonment, sqlState == .queryCanceled else { return self }
        var error = PostgresError(abandonment)
        error.sqlState = sqlState
        return error
    }
}
