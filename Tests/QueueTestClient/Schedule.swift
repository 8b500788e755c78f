import Foundation
import JulietClient

/// What one player does, all of it a matter of a seed, and how far that has come in the lives of several processes.
public struct Schedule: Sendable {
    /// One thing that the player does.
    public enum Operation: Sendable, Equatable {
        case buy(Int)
        case pay

        /// What it does to the balance.
        public var delta: Int {
            switch self {
            case .buy(let amount): amount
            case .pay: -5
            }
        }
    }

    /// What everything is made from.
    public let seed: UInt64
    /// Where journals and logs are.
    public let folder: String
    /// What the player does, in this order.
    public let operations: [Operation]

    /// Makes a schedule: the same seed makes the same.
    public init(seed: UInt64, folder: String) {
        self.seed = seed
        self.folder = folder
        var random = SeededRandom(seed: seed)
        // What a player begins with pays for six games: none is refused, whatever is not bought.
        operations = (0..<Int.random(in: 3...6, using: &random)).map { _ in
            [.buy(5), .buy(30), .pay, .pay][Int.random(in: 0...3, using: &random)]
        }
    }

    /// The player's account.
    public var player: String { "QUEUE-\(seed)" }

    /// The operation's name, as the ledger has it.
    public func key(_ index: Int) -> String { "\(seed)-\(index)" }

    /// What the processes have written about it, line by line: `begin 3`, `done 3`, `end 3 success`, `start`.
    public func log() -> [[String]] {
        let text = (try? String(contentsOfFile: "\(folder)/\(seed).log", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }

    /// Goes on where the last process was killed, to the end.
    func play(at url: String, life: UInt64) async throws {
        var random = SeededRandom(seed: seed &* 31 &+ life)
        let log = try Log(path: "\(folder)/\(seed).log")
        // What was begun may be in the queue or not: it is not asked for again.
        let begun = self.log().filter { $0.first == "begin" }.compactMap { $0.last.flatMap { Int($0) } }.max()
        log.write("start")
        let retry = RetryPolicy(
            firstDelay: .milliseconds(2), maximumDelay: .milliseconds(20), maximumRetryAfter: .milliseconds(10))
        let queue = try await RequestQueue.open(
            "\(folder)/\(seed).journal",
            client: Juliet(JulietConfiguration(baseURL: url, timeout: .seconds(1))),
            configuration: QueueConfiguration(retry: retry, compactionThreshold: 1000))
        await queue.handleAll { answer in
            let outcome =
                switch answer.outcome {
                case .success: "success"
                case .failure(let error): "failure:\(error.code.rawValue)"
                case .aborted: "aborted"
                }
            log.write("end \(answer.request.identifiers["index"] ?? "?") \(outcome)")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await queue.run() }
            var next = (begun ?? -1) + 1
            while next < operations.count {
                let count = min(Int.random(in: 1...2, using: &random), operations.count - next)
                let indices = next..<next + count
                for index in indices { log.write("begin \(index)") }
                try await queue.append(indices.map(item))
                for index in indices { log.write("done \(index)") }
                next += count
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...10, using: &random)))
            }
            for await status in await queue.statuses() where status.waiting == 0 && status.untold == 0 { break }
            await queue.close()
            try await group.waitForAll()
        }
    }

    private func item(_ index: Int) -> QueueItem {
        let player = PlayerID(player)
        let request: any Request =
            switch operations[index] {
            case .buy(let amount): BuyEnergy(player: player, amount: amount)
            case .pay: PayForGame(player: player)
            }
        return QueueItem(
            request, options: QueueOptions(identifiers: ["index": "\(index)"], idempotencyKey: key(index)))
    }
}

/// Lines that are in the file when `write` returns, whatever happens to the process.
private final class Log: Sendable {
    private let descriptor: Int32

    init(path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
    }

    deinit { close(descriptor) }

    func write(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        precondition(Foundation.write(descriptor, bytes, bytes.count) == bytes.count)
    }
}

/// The same numbers for the same seed (SplitMix64).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Begins anew.
    public init(seed: UInt64) { state = seed }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
