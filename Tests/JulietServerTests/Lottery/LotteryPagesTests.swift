import EventLoop
import HTTPServer
import HTTPServerTesting
import JulietGame
import Testing

@testable import JulietServer

@Suite("The lottery's pages", .timeLimit(.minutes(1)))
struct LotteryPagesTests {
    /// Records that change, and those who read them as slowly as a test wants.
    private final class Records: Sendable {
        struct State {
            var version = 1
            var begun = 0
            var cancelled = 0
            /// Whether a page of a key is not done yet.
            var isHeld: @Sendable (LotteryPages.Key) -> Bool = { _ in false }
        }

        let state = Locked(State())

        var begun: Int { state.withLock { $0.begun } }

        func hold(_ isHeld: Bool) { state.withLock { $0.isHeld = { _ in isHeld } } }

        func holdDraws() { state.withLock { $0.isHeld = { if case .draw = $0 { true } else { false } } } }

        func change() { state.withLock { $0.version += 1 } }

        func pages() -> LotteryPages {
            LotteryPages(
                version: { self.state.withLock { $0.version } },
                make: { key in
                    let version = self.state.withLock { state in
                        state.begun += 1
                        return state.version
                    }
                    while self.state.withLock({ $0.isHeld(key) }) {
                        do {
                            try await Task.sleep(for: .milliseconds(1))
                        } catch {
                            self.state.withLock { $0.cancelled += 1 }
                            throw error
                        }
                    }
                    let text = String(repeating: "version \(version) of \(key), ", count: 100)
                    return LotteryPages.Made(version: version, page: Page("a.json", Array(text.utf8)))
                })
        }
    }

    private static let users = LotteryPages.Key.document(.users)

    private static func text(_ page: Page?) -> String { String(decoding: page?.bytes.prefix(9) ?? [], as: UTF8.self) }

    @Test("are made once for each version, whoever asks how often, and a copy that still holds costs none")
    func onceForEachVersion() async throws {
        let records = Records()
        let pages = records.pages()
        records.hold(true)
        let asked = Task {
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 { group.addTask { Self.text(try await pages.page(Self.users)) } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
        }
        while records.begun == 0 { await Task.yield() }
        records.hold(false)
        #expect(try await asked.value == ["version 1"])
        #expect(records.begun == 1)
        let page = try #require(try await pages.page(Self.users))
        let tag = try #require(page.response(to: Request(method: .get, path: "/")).headers["ETag"])
        let known = Request(method: .get, path: "/", headers: ["If-None-Match": tag])
        #expect(try await pages.page(Self.users)?.response(to: known).status == 304)
        #expect(records.begun == 1)
        records.change()
        #expect(try await Self.text(pages.page(Self.users)) == "version 2")
        #expect(try await Self.text(pages.page(Self.users)) == "version 2")
        #expect(records.begun == 2)
    }

    @Test("are as new as the question, though they are being made already")
    func asNewAsTheQuestion() async throws {
        let records = Records()
        let pages = records.pages()
        records.hold(true)
        let early = Task { Self.text(try await pages.page(Self.users)) }
        while records.begun == 0 { await Task.yield() }
        records.change()
        let late = Task { Self.text(try await pages.page(Self.users)) }
        try await Task.sleep(for: .milliseconds(10))
        records.hold(false)
        #expect(try await early.value == "version 1")
        #expect(try await late.value == "version 2")
        #expect(records.begun == 2)
    }

    @Test("of a database that was taken back to an earlier state are those of that state")
    func earlierState() async throws {
        let records = Records()
        let pages = records.pages()
        records.change()
        #expect(try await Self.text(pages.page(Self.users)) == "version 2")
        records.state.withLock { $0.version = 1 }
        #expect(try await Self.text(pages.page(Self.users)) == "version 1")
    }

    @Test("are made one at a time, and not for requests that were cancelled")
    func nobodyWaits() async throws {
        let records = Records()
        let pages = records.pages()
        records.hold(true)
        let first = (0..<2).map { _ in Task { try await pages.page(.draw(1)) } }
        while records.begun == 0 { await Task.yield() }
        let second = Task { try await pages.page(.draw(2)) }
        let third = Task { Self.text(try await pages.page(.draw(3))) }
        try await Task.sleep(for: .milliseconds(10))
        second.cancel()
        await #expect(throws: CancellationError.self) { _ = try await second.value }
        first[0].cancel()
        await #expect(throws: CancellationError.self) { _ = try await first[0].value }
        #expect(records.state.withLock { ($0.begun, $0.cancelled) } == (1, 0))
        first[1].cancel()
        await #expect(throws: CancellationError.self) { _ = try await first[1].value }
        records.hold(false)
        #expect(try await third.value == "version 1")
        #expect(records.state.withLock { ($0.begun, $0.cancelled) } == (2, 1))
    }

    @Test("of draws keep none of the documents waiting, however many are asked for")
    func manyDraws() async throws {
        let records = Records()
        let pages = records.pages()
        records.holdDraws()
        try await withThrowingTaskGroup(of: Void.self) { group in
            // As many as may be waited for, and one more.
            for number in 1...65 { group.addTask { _ = try await pages.page(.draw(number)) } }
            let refusal = await group.nextResult()
            #expect(throws: SingleFlight<LotteryPages.Key, LotteryPages.Made>.Overload.self) { try refusal?.get() }
            for document in [Self.users, .document(.entries)] {
                let text = try await Self.text(pages.page(document))
                #expect(text == "version 1")
            }
            #expect(records.begun == 3)
            group.cancelAll()
        }
    }

    @Test("that are not kept count among what slow readers make the server hold")
    func notKept() async throws {
        let size = 8 << 20
        let pages = LotteryPages(
            version: { 1 },
            make: { _ in
                let bytes = [UInt8](repeating: 0x61, count: size)
                let page = Page("draw.json", bytes, keeping: .never, isCompressed: false)
                return LotteryPages.Made(version: 1, page: page, isFinal: false)
            })
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let handler: Handler = { request in
            do {
                return try await pages.page(.draw(1))?.response(to: request) ?? Response(status: 404)
            } catch {
                return Response(status: 500)
            }
        }
        let server = HTTPServer(loops: [loop], handler: handler)
        let address = try await server.start()
        var clients: [HTTPTestClient] = []
        for number in 1...2 {
            let client = try await HTTPTestClient.connect(to: address, receiveBuffer: 4096, on: loop)
            clients.append(client)
            await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let deadline = ContinuousClock.now + .seconds(20)
            while server.statistics.bytesBuffered != number * size, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(server.statistics.bytesBuffered == number * size)
        }
        let isWhole = try await clients[0].response().body.count == size
        #expect(isWhole)
        await server.shutdown(deadline: .zero)
    }

    @Test("of draws are kept for a few only")
    func draws() async throws {
        let records = Records()
        let pages = records.pages()
        for number in 1...5 { _ = try await pages.page(.draw(number)) }
        #expect(records.begun == 5)
        _ = try await pages.page(.draw(5))
        #expect(records.begun == 5)
        _ = try await pages.page(.draw(1))
        #expect(records.begun == 6)
    }
}
