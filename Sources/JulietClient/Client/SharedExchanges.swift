/// The exchanges under way whose answer several callers may share.
actor SharedExchanges {
    /// The key by which answers are shared.
    struct Key: Hashable {
        /// `RequestMessage.shared`, what identical requests have in common.
        let message: RequestMessage
        /// A request after another sign-in is a different one.
        var epoch = 0
        /// The player for whom alone a queue sends it.
        var owner = JournalOwner.current
    }

    struct Exchange {
        let number: Int
        let task: Task<Void, Never>
        var callers: [Int: AsyncStream<Answer>.Continuation]
    }

    typealias Answer = Result<HTTPResponse, ClientError>

    private(set) var exchanges: [Key: Exchange] = [:]
    private(set) var epoch = 0
    private var lastNumber = 0

    /// Requests that were sent before do not answer later callers, because the credentials have changed.
    func beginEpoch() { epoch += 1 }

    /// Sends a message, or joins an identical one that is under way.
    ///
    /// - Parameter message: `RequestMessage.shared`, what identical requests have in common.
    ///
    /// A caller that is cancelled leaves the others their answer; the last one to leave cancels the exchange.
    nonisolated func response(
        to message: RequestMessage, sending: @escaping @Sendable () async throws(ClientError) -> HTTPResponse
    ) async throws(ClientError) -> HTTPResponse {
        let (answers, continuation) = AsyncStream.makeStream(of: Answer.self)
        let (key, caller) = await join(message, continuation, sending: sending)
        // A cancelled caller gets no answer, but the end of the stream.
        for await answer in answers { return try answer.get() }
        await leave(key, caller)
        throw ClientError(.cancelled)
    }

    private func join(
        _ message: RequestMessage, _ continuation: AsyncStream<Answer>.Continuation,
        sending: @escaping @Sendable () async throws(ClientError) -> HTTPResponse
    ) -> (Key, Int) {
        lastNumber += 1
        let number = lastNumber
        let key = Key(message: message, epoch: epoch)
        if exchanges[key] == nil {
            let task = Task {
                let answer: Answer
                do throws(ClientError) {
                    answer = .success(try await sending())
                } catch {
                    answer = .failure(error)
                }
                end(key, number, with: answer)
            }
            exchanges[key] = Exchange(number: number, task: task, callers: [:])
        }
        exchanges[key]?.callers[number] = continuation
        return (key, number)
    }

    private func leave(_ key: Key, _ caller: Int) {
        guard exchanges[key]?.callers.removeValue(forKey: caller) != nil, let exchange = exchanges[key],
            exchange.callers.isEmpty
        else { return }
        exchanges[key] = nil
        exchange.task.cancel()
    }

    private func end(_ key: Key, _ number: Int, with answer: Answer) {
        // An exchange that all callers have left is removed, and another may have replaced it.
        guard let exchange = exchanges[key], exchange.number == number else { return }
        exchanges[key] = nil
        for continuation in exchange.callers.values { continuation.yield(answer) }
    }
}
