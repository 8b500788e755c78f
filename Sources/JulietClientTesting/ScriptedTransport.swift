public import JulietClient

/// A transport for an app's tests: it answers what a script says, and remembers what it was sent. Nothing leaves the process.
///
/// ```swift
/// let transport = ScriptedTransport([.json(V2.StartedGame(game: game, energy: 25)), .failure(.noNetwork)])
/// let juliet = Juliet(JulietConfiguration(baseURL: "http://test", transport: transport))
/// ```
public actor ScriptedTransport: StreamingTransport {
    /// Answers one attempt: the message as it is sent, the `prepare` hook's additions included, and which attempt it is, from 1.
    public typealias Script = @Sendable (RequestMessage, _ attempt: Int) async throws -> ScriptedAnswer

    /// What was sent, in order.
    public private(set) var sent: [RequestMessage] = []
    private let script: Script

    /// Answers as a closure says.
    public init(_ script: @escaping Script) {
        self.script = script
    }

    /// Answers in order, whatever is asked; after the last answer there is no network.
    public init(_ answers: [ScriptedAnswer]) {
        script = { _, attempt in attempt <= answers.count ? answers[attempt - 1] : .failure(.noNetwork) }
    }

    /// The methods and paths that were sent, in order: `GET /v2/players/me`.
    public var lines: [String] { sent.map { "\($0.method.rawValue) \($0.path)" } }

    /// Sends one attempt: notes it, and answers as the script says.
    ///
    /// - Throws: `ClientError`, or what the script throws.
    public nonisolated func send(
        _ message: RequestMessage, to baseURL: String, timeout: Duration
    ) async throws -> HTTPResponse {
        switch try await script(message, await note(message)) {
        case .response(let response): return response
        case .failure(let code): throw ClientError(code)
        case .events(let events):
            return HTTPResponse(
                status: 200, headers: [HeaderField("Content-Type", "text/event-stream")],
                body: events.flatMap { Array("data: \($0)\n\n".utf8) })
        }
    }

    /// The same as a stream: the head, then the content.
    public nonisolated func stream(
        _ message: RequestMessage, to baseURL: String, timeout: Duration
    ) -> AsyncThrowingStream<ResponsePart, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    let response = try await send(message, to: baseURL, timeout: timeout)
                    continuation.yield(.head(HTTPResponse(status: response.status, headers: response.headers)))
                    if !response.body.isEmpty { continuation.yield(.content(response.body)) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func note(_ message: RequestMessage) -> Int {
        sent.append(message)
        return sent.count
    }
}
