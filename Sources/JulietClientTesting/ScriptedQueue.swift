public import JulietClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runs a queue whose journal lies in a folder of its own for as long as a closure lasts, then removes both.
///
/// ```swift
/// try await withScriptedQueue(ScriptedTransport([.failure(.noNetwork), .json(text: "{}")])) { queue in
///     try await queue.append(TakeRefill())
/// }
/// ```
///
/// - Parameters:
///   - transport: What answers.
///   - configuration: How the queue works; by default it tries again at once.
///   - prepare: Registers handlers; it is called before the queue runs.
/// - Throws: What the closures throw, `QueueError`.
public func withScriptedQueue<Value: Sendable>(
    _ transport: any Transport, configuration: QueueConfiguration = .immediate,
    prepare: @Sendable (RequestQueue) async throws -> Void = { _ in },
    _ body: @Sendable (RequestQueue) async throws -> Value
) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("juliet-queue-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let juliet = Juliet(JulietConfiguration(baseURL: "http://test.invalid", transport: transport))
    let queue = try await RequestQueue.open(
        folder.appendingPathComponent("requests.journal").path, client: juliet, configuration: configuration)
    do {
        try await prepare(queue)
        let value = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await queue.run() }
            let value = try await body(queue)
            await queue.close()
            try await group.waitForAll()
            return value
        }
        return value
    } catch {
        await queue.close()
        throw error
    }
}

extension QueueConfiguration {
    /// Tries again after a few milliseconds, for tests.
    public static var immediate: QueueConfiguration {
        QueueConfiguration(
            retry: RetryPolicy(firstDelay: .milliseconds(1), maximumDelay: .milliseconds(5), maximumAttempts: 100))
    }
}
