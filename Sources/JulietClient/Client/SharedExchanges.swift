/// The exchanges under way whose answer several callers may share.
actor SharedExchanges {
    struct Exchange {
        let number: Int
        let task: Task<Void, Never>
        var callers: [Int: AsyncStream<Answer>.Continuation]
    }

    typealias Answer = Result<HTTPResponse, ClientError>

    private(set) var exchanges: [RequestMessage: Exchange] = [:]
    private var lastNumber = 0

    /// Sends a message, or joins an identical one that is under way.
    ///
    /// - Parameter message: `RequestMessage.shared`, what identical requests have in common.
    ///
    /// A caller that is cancelled leaves the others their answer; the last one to leave cancels the exchange.
    nonisolated func response(
        to message: RequestMessage, sending: @escaping @Sendable () async throws(ClientError) -> HTTPResponse
    ) async throws(ClientError) -> HTTPResponse {
        let (answers, continuation) = AsyncStream.makeStream(of: Answer.self)
        let caller = await join(message, continuation, sending: sending)
        // A cancelled caller gets no answer, but the end of the stream.
        for await answer in answers { return try answer.get() }
        await leave(message, caller)
        throw ClientError(.cancelled)
    }

    private func join(
        _ message: RequestMessage, _ continuation: AsyncStream<Answer>.Continuation,
        sending: @escaping @Sendable () async throws(ClientError) -> HTTPResponse
    ) -> Int {
        lastNumber += 1
        let number = lastNumber
        if exchanges[message] == nil {
            let task = Task {
                let answer: Answer
                do throws(ClientError) {
                    answer = .success(try await sending())
                } catch {
                    answer = .failure(error)
                }
                end(message, number, with: answer)
            }
            exchanges[message] = Exchange(number: number, task: task, callers: [:])
        }
        exchanges[message]?.callers[number] = continuation
        return number
    }

    private func leave(_ message: RequestMessage, _ caller: Int) {
        guard exchanges[message]?.callers.removeValue(forKey: caller) != nil, let exchange = exchanges[message],
            exchange.callers.isEmpty
        else { return }
        exchanges[message] = nil
        exchange.task.cancel()
    }

    private func end(_ message: RequestMessage, _ number: Int, with answer: Answer) {
        // One that everybody has left is not there any more, and another may have taken its place.
        guard let exchange = exchanges[message], exchange.number == number else { return }
        exchanges[message] = nil
        for continuation in exchange.callers.values { continuation.yield(answer) }
    }
}
