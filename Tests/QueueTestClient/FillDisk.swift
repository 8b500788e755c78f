import Foundation
import JulietClient

/// Appends until there is no room, and prints what happened: how many were appended, and why the next was not.
///
/// - Parameter limit: How long a file may become, for those who may not mount a small disk; nil: the disk decides.
func fillDisk(journal: String, limit: Int?) async throws {
    if let limit, limit > 0 {
        signal(SIGXFSZ, SIG_IGN)
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
        limits.rlim_cur = rlim_t(limit)
        guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0 else { fatalError("setrlimit") }
    }
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

/// A text to keep.
struct Note: Request {
    typealias Response = Void
    let text: String
    let path = "/notes"
    var method: HTTPMethod { .post }
    var body: RequestBody? { get throws { RequestBody(Array(text.utf8), contentType: "text/plain") } }
}
