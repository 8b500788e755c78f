import Foundation
import JulietClient

/// Appends until there is no room, and prints what happened: how many were appended, and why the next was not.
///
/// - Parameter limit: How long a file may become, for those who may not mount a small disk; nil: the disk decides.
func fillDisk(journal: String, limit: Int?) async throws {
    limitFiles(to: limit)
    let queue = try await RequestQueue.open(journal, client: Juliet(baseURL: "http://127.0.0.1:1"))
    var count = 0
    do {
        while true {
            try await queue.append(Note(text: String(repeating: "x", count: 1000)))
            count += 1
        }
    } catch let error as QueueError {
        print("appended \(count) \(error.code.rawValue)")
    }
    // A small one may still fit; a large one must leave no trace.
    do {
        try await queue.append(Note(text: String(repeating: "y", count: 100_000)))
        print("appended a large one")
    } catch let error as QueueError {
        print("refused \(error.code.rawValue)")
    }
    print("waiting \(await queue.status.waiting)")
    await queue.close()
}

/// Has a request end in an answer that the disk has no room for, and prints what is known of it then. The process is to
/// end without closing the queue.
///
/// - Parameter limit: How long a file may become: room for the request and short notes.
func endWithoutRoom(journal: String, limit: Int?) async throws {
    struct Refusing: Transport {
        func send(_ message: RequestMessage, to baseURL: String, timeout: Duration) async throws -> HTTPResponse {
            HTTPResponse(status: 403, body: [UInt8](repeating: UInt8(ascii: "x"), count: 100_000))
        }
    }
    limitFiles(to: limit)
    let client = Juliet(JulietConfiguration(baseURL: "http://127.0.0.1:1", transport: Refusing()))
    let queue = try await RequestQueue.open(
        journal, client: client, configuration: QueueConfiguration(retry: .never))
    await queue.handle(Note.self) { _ in }
    let running = Task { try await queue.run() }
    try await queue.append(Note(text: "x"))
    for await status in await queue.statuses() where status.waiting == 0 && status.untold == 0 { break }
    // What was noted before is in the file by then, if it can be.
    _ = try? await queue.append(Note(text: String(repeating: "y", count: 100_000)))
    print("told, \(await queue.deadLetters.count) dead")
    running.cancel()
    try await running.value
}

private func limitFiles(to limit: Int?) {
    guard let limit, limit > 0 else { return }
    signal(SIGXFSZ, SIG_IGN)
    var limits = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
    limits.rlim_cur = rlim_t(limit)
    guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0 else { fatalError("setrlimit") }
}

/// A text to keep.
struct Note: Request {
    typealias Response = Void
    let text: String
    let path = "/notes"
    var method: HTTPMethod { .post }
    var body: RequestBody? { get throws { RequestBody(Array(text.utf8), contentType: "text/plain") } }
}
