import EventLoop
import Foundation
import JulietAPI
import QueueTestClient
import TestSupport
import Testing

/// The queue against the real service, through a bad network, in processes that are killed.
@Suite("Queue under faults", .defaultLayout("about the service, not the database"))
struct QueueFaultTests {
    @Test(
        "1,000 schedules, requests refused, cut, delayed and put off, clients killed: once each, and in order",
        .timeLimit(.minutes(10)))
    func schedules() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let first = UInt64.random(in: 0...999_999) * 1000
        let proxy = try FaultProxy(to: service.port, seed: first)
        defer { proxy.stop() }
        let folder = FileManager.default.temporaryDirectory.appending(path: "juliet-queue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        for seed in first..<first + 1000 {
            let player = Schedule(seed: seed, folder: folder.path).player
            let reply = try await service.reply(to: .initialRegistration(vendorID: player))
            #expect(reply.status == 200)
        }
        let groups = (0..<40).map { first + UInt64($0) * 25 }
        let rest = Locked(groups)
        let kills = Locked(0)
        let isOver = Locked(false)
        async let refusals = offPool {
            var count = 0
            while !isOver.withLock({ $0 }) {
                Thread.sleep(forTimeInterval: 0.3)
                try proxy.refuse(for: 0.02)
                count += 1
            }
            return count
        }
        // Also where a client fails.
        defer { isOver.withLock { $0 = true } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await offPool {
                        while let seed = rest.withLock({ $0.popLast() }) {
                            let killed = try play(seed, count: 25, port: proxy.port, folder: folder.path)
                            kills.withLock { $0 += killed }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        isOver.withLock { $0 = true }
        let refused = try await refusals
        print("seed \(first): \(kills.withLock { $0 }) kills, \(refused) refusals, \(proxy.faults)")
        #expect(kills.withLock { $0 } >= 40, "seed \(first)")

        let rows = try await database.psql(
            "SELECT user_id, operation_id, delta FROM energy_ledger ORDER BY user_id, entry"
        ).split(separator: "\n").map { $0.split(separator: "|").map(String.init) }
        let ledger = Dictionary(grouping: rows) { $0[0] }
        for seed in first..<first + 1000 { check(Schedule(seed: seed, folder: folder.path), ledger) }
        #expect(ledger.count == 1000)
        #expect(try await database.ledgerFaults() == "")
        try await service.stop()
    }
}

/// Compares what the client was told with what the ledger says.
private func check(_ schedule: Schedule, _ ledger: [String: [[String]]]) {
    let log = schedule.log()
    let done = Set(log.filter { $0[0] == "done" }.compactMap { Int($0[1]) })
    let begun = Set(log.filter { $0[0] == "begin" }.compactMap { Int($0[1]) })
    // An append that was killed may have been in time; where it was, it took effect as any other.
    let rows = (ledger[schedule.player] ?? []).map { Array($0[1...]) }.dropFirst()
    let indices = rows.compactMap { row in schedule.operations.indices.first { schedule.key($0) == row[0] } }
    let seed = schedule.seed
    #expect(begun == Set(schedule.operations.indices), "seed \(seed)")
    #expect(indices.count == rows.count, "seed \(seed): \(rows)")
    #expect(indices == indices.sorted() && Set(indices).count == indices.count, "seed \(seed): \(indices)")
    #expect(done.isSubset(of: indices), "seed \(seed): \(done) \(indices)")
    for (index, row) in zip(indices, rows) {
        #expect(row[1] == "\(schedule.operations[index].delta)", "seed \(seed)")
    }
    // Whose end was told: all that took effect, once in a life.
    var ends: [[String]] = []
    for life in log.split(whereSeparator: { $0 == ["start"] }) {
        let told = life.filter { $0[0] == "end" }
        #expect(Set(told.map { $0[1] }).count == told.count, "seed \(seed)")
        ends += told
    }
    #expect(Set(ends.compactMap { Int($0[1]) }) == Set(indices), "seed \(seed)")
    #expect(ends.allSatisfy { $0[2] == "success" }, "seed \(seed): \(ends)")
}

/// Plays schedules in processes, each killed at some moment, the last one left to come to its end.
///
/// - Returns: How many were killed.
private func play(_ seed: UInt64, count: Int, port: UInt16, folder: String) throws -> Int {
    var random = SeededRandom(seed: seed)
    var kills = 0
    for life in 0..<8 {
        let client = try ChildProcess([
            ClientProgram.executable.path, "play", "http://127.0.0.1:\(port)", folder, "\(seed)", "\(count)", "\(life)",
        ])
        if life < 3 {
            Thread.sleep(forTimeInterval: .random(in: 0.05...0.4, using: &random))
            if client.isRunning {
                client.signal(SIGKILL)
                kills += 1
            }
        }
        let end = client.waitForEnd()
        if end == .exit(0) { return kills }
        #expect(end == .signal(SIGKILL) && life < 3, "seed \(seed)")
    }
    Issue.record("seed \(seed): the client does not come to its end")
    return kills
}

/// The program that was built with these tests.
enum ClientProgram {
    static let executable: URL = {
        let beside = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "QueueTestClient")
        return FileManager.default.isExecutableFile(atPath: beside.path)
            ? beside : TestDatabase.root.appending(path: ".build/debug/QueueTestClient")
    }()
}
