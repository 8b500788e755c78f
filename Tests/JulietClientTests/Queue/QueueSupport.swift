import JulietAPI
import Testing

@testable import JulietClient

/// A transport that answers as a test says and remembers what it was sent.
actor AnsweringTransport: Transport {
    typealias Answer = @Sendable (RequestMessage, _ attempt: Int) async throws -> HTTPResponse

    /// What was sent, in order.
    private(set) var sent: [RequestMessage] = []
    private let answer: Answer

    init(_ answer: @escaping Answer = { _, _ in HTTPResponse(status: 200) }) { self.answer = answer }

    var paths: [String] { sent.map(\.path) }
    var keys: [String?] { sent.map(\.idempotencyKey) }

    nonisolated func send(
        _ message: RequestMessage, to baseURL: String, timeout: Duration
    ) async throws -> HTTPResponse {
        let attempt = await note(message)
        return try await answer(message, attempt)
    }

    private func note(_ message: RequestMessage) -> Int {
        sent.append(message)
        return sent.count { $0.path == message.path }
    }
}

/// A gate that answers wait at.
actor Latch {
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private(set) var count = 0

    func pass() async {
        count += 1
        if !isOpen { await withCheckedContinuation { waiters.append($0) } }
    }

    func open() {
        isOpen = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}

/// A list that handlers write to.
actor Notes {
    private(set) var lines: [String] = []

    func add(_ line: String) { lines.append(line) }
}

/// A change.
struct Change: Request {
    typealias Response = Void
    var path: String
    var text = ""
    var options = RequestOptions()
    var method: HTTPMethod { .post }
    var body: RequestBody? { get throws { RequestBody(Array(text.utf8), contentType: "application/json") } }
}

/// A question.
struct Look: Request {
    typealias Response = Int
    var path: String
}

/// Waits until something is so; ten seconds at most.
func waitUntil(_ what: Comment, _ condition: () async throws -> Bool) async rethrows {
    let end = ContinuousClock.now + .seconds(10)
    while try await !condition() {
        guard ContinuousClock.now < end else {
            Issue.record(what)
            return
        }
        try? await Task.sleep(for: .milliseconds(2))
    }
}

/// A queue in a folder of its own, run for as long as a closure lasts.
func withQueue(
    _ server: AnsweringTransport, folder: TemporaryFolder, configuration: QueueConfiguration = .quick,
    prepare: (RequestQueue) async throws -> Void = { _ in }, _ body: (RequestQueue) async throws -> Void
) async throws {
    let client = Juliet(JulietConfiguration(baseURL: "http://127.0.0.1", transport: server))
    let queue = try await RequestQueue.open(folder.journal, client: client, configuration: configuration)
    try await prepare(queue)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await queue.run() }
        do {
            try await body(queue)
        } catch {
            await queue.close()
            throw error
        }
        await queue.close()
        try await group.waitForAll()
    }
}

extension QueueConfiguration {
    /// Retries at once.
    static let quick = QueueConfiguration(
        retry: RetryPolicy(firstDelay: .milliseconds(1), maximumDelay: .milliseconds(5), maximumAttempts: 4))
}

/// An answer of the service's own, without content where it is a success.
func refusal(_ status: Int, code: String = "refused") -> HTTPResponse {
    guard status >= 400 else { return HTTPResponse(status: status) }
    let problem = V2.Problem(code: code, status: status, title: "Refused")
    return HTTPResponse(
        status: status, headers: [HeaderField("Content-Type", "application/problem+json")], body: problem.encoded())
}
