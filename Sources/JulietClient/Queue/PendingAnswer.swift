/// The answer to come to a request that was appended.
///
/// Nothing is lost by letting go of it: the request is sent all the same, and its handlers are told.
public struct PendingAnswer<Response: Sendable>: Sendable {
    /// Names the request.
    public let id: RequestID
    let ticket: AnswerTicket
    let queue: RequestQueue
    let read: @Sendable (HTTPResponse) throws(ClientError) -> Response

    /// Waits for the response. Cancelling the task ends the wait, not the request.
    ///
    /// - Throws: `ClientError`: why it failed; `.aborted` or `.replaced` when it was called off, `.cancelled` when the
    ///   task was, `.queueClosed` when the queue was closed before there was an answer.
    public var value: Response {
        get async throws(ClientError) {
            try await queue.outcome(for: ticket).map(read).get()
        }
    }
}

/// As long as somebody has it, somebody can ask for the request's outcome.
final class AnswerTicket: Sendable {
    let id: RequestID

    init(id: RequestID) {
        self.id = id
    }
}
