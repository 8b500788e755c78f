/// A request that was sent with a completion handler.
public struct RequestHandle: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) {
        self.task = task
    }

    /// Cancels the request: its handler gets `ClientError` `.cancelled`, unless it was called before.
    public func cancel() {
        task.cancel()
    }
}
