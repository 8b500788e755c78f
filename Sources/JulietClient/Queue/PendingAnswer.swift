/// The future answer to a request that was appended.
///
/// Releasing it loses nothing: the request is still sent, and its handlers are called.
public struct PendingAnswer<Response: Sendable>: Sendable {
    /// Names the request.
    public let id: RequestID
    let ticket: AnswerTicket
    let queue: RequestQueue
    let read: @Sendable (HTTPResponse) throws(ClientError) -> Response

    /// Waits for the response. Cancelling the task ends the wait, not the request.
    ///
    /// - Throws: `ClientError`: why it failed; `.aborted` or `.replaced` when it was cancelled, `.cancelled` when the
    ///   task was, `.queueClosed` when the queue was closed before there was an answer.
    public var value: Response {
        get async throws(ClientError) {
            try await queue.outcome(for: ticket).map(read).get()
        }
    }
}

/// While it exists, the request's outcome can still be requested.
final class AnswerTicket: Sendable {
    let id: RequestID

    init(id: RequestID) {
        self.id = id
    }
}
