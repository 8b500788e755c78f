import PlayPresenter
import PlayRepository
import PlayUseCase
import PlayView

/// A loop in this process's terminal, and the work beside it.
enum TerminalSession {
    /// Runs until the loop ends. When it returns or throws, the terminal is as it was.
    ///
    /// - Parameters:
    ///   - term: The variable `TERM`.
    ///   - input: What the loop takes of the terminal's events.
    ///   - loop: Takes what comes in, and shows frames.
    ///   - beside: Puts into the stream what else comes in. It is cancelled when the loop ends.
    /// - Throws: What keeps it from running: the terminal, or an error of `beside`.
    static func run<Input: Sendable, Ended: Sendable>(
        hasColours: Bool, term: String?, input: @escaping @Sendable (TerminalView.Event) -> Input,
        loop: @escaping @Sendable (AsyncStream<Input>, @escaping @Sendable (Frame) -> Void) async -> Ended,
        beside: [@Sendable (AsyncStream<Input>.Continuation) async throws -> Void]
    ) async throws -> Ended {
        let (inputs, continuation) = AsyncStream.makeStream(of: Input.self)
        let view = TerminalView(hasColours: hasColours) { continuation.yield(input($0)) }
        try await view.open(term: term)
        let result: Result<Ended, any Error>
        do {
            result = .success(
                try await withThrowingTaskGroup(of: Ended?.self) { group in
                    group.addTask {
                        let ended = await loop(inputs) { view.show($0) }
                        // At once, since the work beside may take a moment to end.
                        await view.close()
                        return ended
                    }
                    for work in beside {
                        group.addTask {
                            try await work(continuation)
                            return nil
                        }
                    }
                    defer { group.cancelAll() }
                    while let ended = try await group.next() {
                        if let ended { return ended }
                    }
                    throw CancellationError()
                })
        } catch {
            result = .failure(error)
        }
        await view.close()
        return try result.get()
    }
}
