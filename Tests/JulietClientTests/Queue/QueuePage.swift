import Foundation
import JulietClient

// What docs/client.md and the queue's article show: the tests run it, and compare it with both pages.

// begin queue
func play(as player: PlayerID, journal: String, juliet: Juliet) async throws -> Int {
    let queue = try await RequestQueue.open(journal, client: juliet)
    // Once per launch: answers to what was appended now, or before the app was killed.
    await queue.handle(BuyEnergy.self) { answer in
        if case .success(let balance) = answer.outcome { print("\(balance.energy) energy") }
    }
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await queue.run() }  // Sends until it is cancelled or the queue closed.
        try await queue.append(BuyEnergy(player: player, amount: 30))  // On the disk: it happens, once.
        let wins = try await queue.append(AddWin(player: player)).value  // After that, when there is a network.
        await queue.close()
        try await group.waitForAll()
        return wins.wins
    }
}
// end

// begin offline
func report(_ energy: Int, of player: PlayerID, to queue: RequestQueue) async throws {
    let latest = QueueOptions(uniquingKey: "energy", identifiers: ["screen": "shop"])
    try await queue.append(ReportEnergy(player: player, energy: energy), options: latest)
    for await status in await queue.statuses() {
        if status.waiting == 0 { break }
        if let failure = status.lastFailure { print("\(status.waiting) waiting, \(failure.rawValue)") }
    }
}
// end

// begin apple
func start(_ session: Session, in support: URL, status: JulietStatus) async throws {
    let folder = support.appending(path: "Juliet")  // Of URL.applicationSupportDirectory.
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var configuration = QueueConfiguration()
    #if canImport(UIKit)
        configuration.backgroundTime = ApplicationBackgroundTime()
    #endif
    let journal = folder.appending(path: "requests.journal").path
    let queue = try await RequestQueue.open(journal, client: session.juliet, configuration: configuration)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await queue.run() }
        group.addTask { await status.follow(queue: queue, session: session) }
        #if canImport(Network)
            group.addTask { await queue.flushWhenReachable() }
        #endif
        try await group.waitForAll()
    }
}
// end

// begin refused
func follow(_ session: Session, queue: RequestQueue, askPlayer: () async -> Bool) async throws {
    for await state in await session.states() {
        guard case .refused = state else { continue }
        // The session ended, on another device perhaps. Nothing happens before the player says so.
        if await askPlayer() {
            try await session.renew()
            await queue.resume()  // It has waited for the token.
        } else {
            await queue.pause()
            try await queue.cancelAll()  // What this player did is not sent as another.
            try await session.forget()
        }
    }
}
// end

// begin offline game
func playOffline(_ queue: RequestQueue) async throws {
    let game = LocalIdentifier()
    try await queue.append(StartJudgedGame(), options: QueueOptions(creates: game))
    try await queue.append(SubmitGuess(game: V2.Game.ID(game.placeholder), word: "crane", number: 1))
}
// end
