import Foundation
import Testing

@testable import JulietClient

@Suite("Closing a queue, and its file", .timeLimit(.minutes(1)))
struct QueueCloseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ server: AnsweringTransport = AnsweringTransport()) async throws -> RequestQueue {
        let client = Juliet(JulietConfiguration(baseURL: "http://127.0.0.1", transport: server))
        return try await RequestQueue.open(folder.journal, client: client, configuration: .quick)
    }

    /// The journal is free: it can be opened and closed.
    private func openAndClose() async throws { await (try await open()).close() }

    @Test("closed in a handler, it returns, the journal is free, and the handler is not called again")
    func inHandler() async throws {
        let notes = Notes()
        let queue = try await open()
        await queue.handle(Change.self) { _ in
            await queue.close()
            do {
                try await openAndClose()
                await notes.add("free")
            } catch {
                await notes.add("\(error)")
            }
        }
        try await queue.append(Change(path: "/1"))
        try await queue.run()
        #expect(await notes.lines == ["free"])
        let server = AnsweringTransport { _, _ in HTTPResponse(status: 200, body: [UInt8(ascii: "1")]) }
        try await withQueue(server, folder: folder) { queue in
            await queue.handle(Change.self) { _ in await notes.add("again") }
        } _: { queue in
            try await queue.append(Look(path: "/2"))
            await waitUntil("all is told") { await queue.status.waiting == 0 }
            #expect(await queue.status.untold == 0)
        }
        #expect(await notes.lines == ["free"])
    }

    @Test("closed behind a handler that hangs, it returns and the journal is free; the handler is called again")
    func behindHandler() async throws {
        let gate = Latch()
        let queue = try await open()
        await queue.handle(Change.self) { _ in await gate.pass() }
        let running = Task { try await queue.run() }
        try await queue.append(Change(path: "/1"))
        await waitUntil("the handler is at work") { await gate.count == 1 }
        await queue.close()
        #expect(await !queue.status.isRunning)
        let notes = Notes()
        let server = AnsweringTransport()
        try await withQueue(server, folder: folder) { queue in
            await queue.handle(Change.self) { answer in await notes.add(answer.request.path) }
        } _: { _ in
            await waitUntil("it is called again") { await notes.lines == ["/1"] }
        }
        #expect(await server.sent.isEmpty)
        await gate.open()
        try await running.value
    }

    @Test("closed while an attempt does not end, it returns, and the request goes on in the next launch")
    func duringAttempt() async throws {
        let gate = Latch()
        let queue = try await open(
            AnsweringTransport { _, _ in
                await gate.pass()
                return HTTPResponse(status: 200)
            })
        let running = Task { try await queue.run() }
        let pending = try await queue.append(Change(path: "/1"))
        await waitUntil("it is under way") { await gate.count == 1 }
        await queue.close()
        let error = await #expect(throws: ClientError.self) { try await pending.value }
        #expect(error?.code == .queueClosed)
        let server = AnsweringTransport()
        try await withQueue(server, folder: folder) { queue in
            await waitUntil("it is sent") { await queue.status.waiting == 0 }
        }
        #expect(await server.paths == ["/1"])
        await gate.open()
        try await running.value
        // What comes late changes nothing.
        #expect(try await folder.contents().requests.isEmpty)
    }

    @Test("closed by many at once, the journal is free for each")
    func often() async throws {
        let queue = try await open()
        let running = Task { try await queue.run() }
        try await queue.append(Change(path: "/1"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    await queue.close()
                    // Another may have it for a moment.
                    await waitUntil("it is free") { (try? await openAndClose()) != nil }
                }
            }
            try await group.waitForAll()
        }
        await queue.close()
        try await running.value
        await queue.close()
        try await openAndClose()
    }

    @Test("never closed, it frees the journal with its last reference")
    func never() async throws {
        try await open().append(Change(path: "/1"))
        await waitUntil("it is free") { (try? await openAndClose()) != nil }
        #expect(try await folder.contents().requests.count == 1)
    }

    // MARK: The file

    @Test(
        "a journal that is deleted, moved or replaced while it is open is noticed at the next append",
        arguments: ["deleted", "moved", "replaced", "folder moved"])
    func gone(how: String) async throws {
        let place = folder.path + "/in"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let path = place + "/requests.journal"
        let client = Juliet(JulietConfiguration(baseURL: "http://127.0.0.1", transport: AnsweringTransport()))
        let queue = try await RequestQueue.open(path, client: client)
        try await queue.append(Change(path: "/1"))
        switch how {
        case "deleted": try FileManager.default.removeItem(atPath: path)
        case "moved": try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        case "folder moved": try FileManager.default.moveItem(atPath: place, toPath: place + ".old")
        default:
            try await makeJournal(path + ".other", 1...3)
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: path + ".other", toPath: path)
        }
        for _ in 0..<2 {
            await #expect(throws: QueueError(.journalGone)) { try await queue.append(Change(path: "/2")) }
        }
        await #expect(throws: QueueError(.journalGone)) { try await queue.journal.compact(keeping: []) }
        await queue.close()
        guard how == "replaced" else { return #expect(!folder.exists(path)) }
        let other = try await RequestQueue.open(path, client: client)
        #expect(await other.status.waiting == 3)
        await other.close()
    }

    @Test("without a worker the journal stays short too, also one that was opened long")
    func compactionWithoutWorker() async throws {
        // Each replaces the one before it.
        let taps = (0..<50).map { QueueItem(Change(path: "/\($0)"), options: QueueOptions(uniquingKey: "energy")) }
        let queue = try await open()
        for _ in 0..<6 { try await queue.append(taps) }
        await queue.close()
        #expect(try folder.bytes(of: folder.journal).count > 40_000)
        var configuration = QueueConfiguration.quick
        configuration.compactionThreshold = 20_000
        let client = Juliet(JulietConfiguration(baseURL: "http://127.0.0.1", transport: AnsweringTransport()))
        let short = try await RequestQueue.open(folder.journal, client: client, configuration: configuration)
        #expect(try folder.bytes(of: folder.journal).count < 5000)
        for _ in 0..<20 {
            let ids = try await short.append(taps)
            #expect(try folder.bytes(of: folder.journal).count < 45_000)
            try await short.cancel(ids[49])
        }
        try await short.append(taps)
        #expect(await short.requests.map(\.path) == ["/49"])
        await short.close()
        #expect(try await folder.contents().requests.count == 1)
    }
}
