import Foundation
import JulietClient

/// Measures a queue over a transport that answers at once, beside what the disk takes for the same bytes: appends,
/// draining, memory, opening a large journal. Prints a table.
func measure(folder: String) async throws {
    let path = "\(folder)/measure.journal"
    let clock = ContinuousClock()
    func removeFiles() { for end in ["", ".damaged"] { unlink(path + end) } }
    defer { removeFiles() }
    removeFiles()
    print("| what | p50 ms | p99 ms | in all s | RSS MiB |")
    print("|---|---|---|---|---|")

    var times = try syncTimes(path: "\(folder)/measure.limit", count: 10_000, size: 450)
    report("the disk: 10,000 times 450 bytes and fdatasync", &times)

    let client = Juliet(JulietConfiguration(baseURL: "http://localhost", transport: Immediate()))
    var queue = try await RequestQueue.open(path, client: client)
    times = []
    for _ in 0..<10_000 {
        let begin = clock.now
        try await queue.append(Note(text: String(repeating: "x", count: 200)))
        times.append(clock.now - begin)
    }
    report("10,000 appends, one after the other", &times)

    var begin = clock.now
    try await withThrowingTaskGroup(of: Void.self) { [queue] group in
        for _ in 0..<10_000 {
            group.addTask { try await queue.append(Note(text: String(repeating: "x", count: 200))) }
        }
        try await group.waitForAll()
    }
    report("10,000 appends at the same time", clock.now - begin)

    begin = clock.now
    try await queue.append((0..<10_000).map { _ in QueueItem(Note(text: String(repeating: "x", count: 200))) })
    report("one append of 10,000", clock.now - begin)

    begin = clock.now
    let worker = Task { [queue] in try await queue.run() }
    for await status in await queue.statuses() where status.waiting == 0 { break }
    report("30,000 barriers drained", clock.now - begin)
    await queue.close()
    try await worker.value

    removeFiles()
    queue = try await RequestQueue.open(path, client: client)
    for _ in 0..<100 {
        try await queue.append((0..<900).map { _ in QueueItem(Note(text: String(repeating: "x", count: 850))) })
    }
    await queue.close()
    begin = clock.now
    queue = try await RequestQueue.open(path, client: client)
    let size = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0) / 1_000_000
    report("a journal of \(size) MB with \(await queue.status.waiting) requests opened", clock.now - begin)
    await queue.close()
}

/// Answers everything at once.
private struct Immediate: Transport {
    func send(_ message: RequestMessage, to baseURL: String, timeout: Duration) async throws -> HTTPResponse {
        HTTPResponse(status: 200)
    }
}

/// How long the disk takes to keep some bytes, again and again.
private func syncTimes(path: String, count: Int, size: Int) throws -> [Duration] {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    defer {
        close(descriptor)
        unlink(path)
    }
    let bytes = [UInt8](repeating: 120, count: size)
    return try (0..<count).map { _ in
        let begin = ContinuousClock.now
        guard write(descriptor, bytes, size) == size, fdatasync(descriptor) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
        return ContinuousClock.now - begin
    }
}

private func report(_ what: String, _ times: inout [Duration]) {
    times.sort()
    let all = times.reduce(.zero, +)
    let (middle, late) = (times[times.count / 2], times[times.count * 99 / 100])
    print("| \(what) | \(shown(middle * 1000)) | \(shown(late * 1000)) | \(shown(all)) | \(residentMebibytes()) |")
}

private func report(_ what: String, _ duration: Duration) {
    print("| \(what) | | | \(shown(duration)) | \(residentMebibytes()) |")
}

/// Seconds with two decimals.
private func shown(_ duration: Duration) -> String { String(format: "%.2f", duration / .seconds(1)) }

private func residentMebibytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1024
}
