import Foundation
import Testing

@testable import JulietClient

@Suite("Dead letters", .timeLimit(.minutes(1)))
struct DeadLetterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a dead letter can be deleted")
    func deleting() async throws {
        let server = AnsweringTransport { _, _ in HTTPResponse(status: 404) }
        try await withQueue(server, folder: folder) { queue in
            let pending = try await queue.append(Change(path: "/1"))
            await #expect(throws: ClientError.self) { try await pending.value }
            try await queue.delete(pending.id)
            #expect(await queue.deadLetters.isEmpty)
        }
        try await withQueue(server, folder: folder) { queue in
            await waitUntil("nothing is left") { await queue.status == QueueStatus(isRunning: true) }
        }
    }

    @Test("all can be called off, dead letters too; nothing of it is there in the next launch")
    func cancellingAll() async throws {
        let gate = Latch()
        let server = AnsweringTransport { message, _ in
            guard message.path == "/held" else { return HTTPResponse(status: 404) }
            await gate.pass()
            try Task.checkCancellation()
            return HTTPResponse(status: 200)
        }
        try await withQueue(server, folder: folder) { queue in
            let dead = try await queue.append(Change(path: "/dead"))
            await #expect(throws: ClientError.self) { try await dead.value }
            let held = try await queue.append(Change(path: "/held"))
            let waiting = try await queue.append(Change(path: "/waiting"))
            await waitUntil("it is under way") { await gate.count == 1 }
            try await queue.cancelAll()
            await gate.open()
            for pending in [held, waiting] {
                let error = await #expect(throws: ClientError.self) { try await pending.value }
                #expect(error?.code == .aborted)
            }
            #expect(await queue.deadLetters.isEmpty)
            #expect(await queue.requests.isEmpty)
        }
        try await withQueue(server, folder: folder) { queue in
            await waitUntil("nothing is left") { await queue.status == QueueStatus(isRunning: true) }
        }
        #expect(await server.paths.filter { $0 != "/dead" } == ["/held"])
    }

    @Test("all are sent again by one call, in their order and under their names, with what they create")
    func redrivingAll() async throws {
        let local = LocalIdentifier()
        let server = AnsweringTransport { message, attempt in
            let isLate = attempt > 4 || message.path.hasPrefix("/things")
            return HTTPResponse(status: isLate ? 200 : 404, body: Array(#"{"id":"x"}"#.utf8))
        }
        try await withQueue(server, folder: folder) { queue in
            try await queue.append([
                QueueItem(Change(path: "/1"), options: QueueOptions(creates: local)),
                QueueItem(Change(path: "/things/\(local.placeholder)")), QueueItem(Change(path: "/2")),
            ])
            await waitUntil("all are dead") { await queue.status.deadLetters == 3 }
            #expect(try await queue.redrive().count == 3)
            await waitUntil("all are done") { await queue.status.waiting == 0 }
            #expect(await queue.deadLetters.isEmpty)
            #expect(try await queue.redrive().isEmpty)
        }
        let sent = await server.sent
        #expect(sent.suffix(3).map(\.path) == ["/1", "/things/x", "/2"])
        #expect(Set(sent.map(\.idempotencyKey)).count == 3)
    }

    @Test("two callers that append the same dead letters anew append them once")
    func redrivingTwice() async throws {
        let server = AnsweringTransport { _, attempt in
            HTTPResponse(status: attempt <= 4 ? 404 : 200)
        }
        try await withQueue(server, folder: folder) { queue in
            let pending = try await queue.append(Change(path: "/1"))
            await #expect(throws: ClientError.self) { try await pending.value }
            let ids = try await withThrowingTaskGroup(of: [RequestID].self) { group in
                for _ in 0..<10 { group.addTask { try await queue.redrive([pending.id]) } }
                return try await group.reduce([], +)
            }
            #expect(ids.count == 1)
            await waitUntil("it is done") { await queue.status.waiting == 0 }
            #expect(await queue.deadLetters.isEmpty)
        }
        #expect(await server.sent.count == 5)
    }

    @Test("a dead letter that cannot be read is said to be damaged, and stays until it is deleted")
    func damaged() async throws {
        let server = AnsweringTransport { _, _ in HTTPResponse(status: 404) }
        try await withQueue(server, folder: folder) { queue in
            let pending = try await queue.append(Change(path: "/1", text: "text"))
            await #expect(throws: ClientError.self) { try await pending.value }
            var bytes = try folder.bytes(of: folder.journal)
            let place = try #require(bytes.firstRange(of: Array("text".utf8))?.lowerBound)
            bytes[place] ^= 1
            let file = try FileHandle(forWritingTo: URL(filePath: folder.journal))
            try file.write(contentsOf: bytes)
            try file.close()
            let error = await #expect(throws: ClientError.self) { try await queue.redrive([pending.id]) }
            #expect(error?.code == .damagedRecord)
            #expect(await queue.deadLetters.map(\.request.id) == [pending.id])
            try await queue.delete(pending.id)
            #expect(await queue.deadLetters.isEmpty)
        }
    }
}
