// A client as a process of its own, for tests to kill: it plays schedules over queues, or fills a disk. And for
// Benchmarks/queue to measure.
//
//   QueueTestClient play URL FOLDER FIRST COUNT LIFE
//   QueueTestClient fill JOURNAL LIMIT
//   QueueTestClient count JOURNAL
//   QueueTestClient end JOURNAL LIMIT
//   QueueTestClient look-up URL
//   QueueTestClient measure FOLDER
import Foundation
import JulietClient

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "play" where arguments.count == 7:
    guard let first = UInt64(arguments[4]), let count = UInt64(arguments[5]), let life = UInt64(arguments[6]) else {
        fatalError("play: numbers")
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
        for seed in first..<first + count {
            group.addTask {
                try await Schedule(seed: seed, folder: arguments[3]).play(at: arguments[2], life: life)
            }
        }
        try await group.waitForAll()
    }
case "fill" where arguments.count == 4:
    try await fillDisk(journal: arguments[2], limit: Int(arguments[3]))
case "count" where arguments.count == 3:
    do {
        let queue = try await RequestQueue.open(arguments[2], client: Juliet(baseURL: "http://127.0.0.1:1"))
        print("waiting \(await queue.status.waiting)")
        await queue.close()
    } catch let error as QueueError {
        print(error)
    }
case "end" where arguments.count == 4:
    try await endWithoutRoom(journal: arguments[2], limit: Int(arguments[3]))
case "look-up" where arguments.count == 3:
    await lookUpSlowly(beside: arguments[2])
case "measure" where arguments.count == 3:
    try await measure(folder: arguments[2])
default:
    fatalError(
        "play URL FOLDER FIRST COUNT LIFE, fill JOURNAL LIMIT, count JOURNAL, end JOURNAL LIMIT, look-up URL, measure FOLDER"
    )
}
