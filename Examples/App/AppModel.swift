import Foundation
import GameModel
import JulietClient
import Observation

/// What the app has for as long as it runs: the session, the game, and the queue of what is still to be sent.
@Observable
final class AppModel {
    /// The game; nil: the session is not open yet.
    private(set) var game: GameModel?
    /// What is kept until it is sent; nil: not open yet.
    private(set) var queue: RequestQueue?
    /// Why there is no game or queue; nil: nothing is wrong.
    private(set) var failure: String?
    let status = JulietStatus()

    private var isOpen = false
    private var work: Task<Void, Never>?

    /// Opens session and queue, once.
    func open() async {
        guard !isOpen else { return }
        isOpen = true
        do {
            #if os(macOS)
                // What `swift run` builds has no entitlements, and without them the Keychain is closed.
                let store = FileSecretStore(folder: URL.applicationSupportDirectory.appending(path: "Words").path)
            #else
                let store = KeychainStore(service: "com.example.words")
            #endif
            let session = try await Session.open(JulietConfiguration(baseURL: "http://127.0.0.1:8080"), store: store)
            work = Task { await work(for: session) }
            let game = GameModel(session: session)
            self.game = game
            await game.begin()
        } catch {
            failure = "The session cannot be read: \(error)"
        }
    }

    /// The app is on the screen again: what waits for its next attempt is sent now.
    func becameActive() async {
        await queue?.flush()
    }

    /// Opens the player's queue as soon as there is a player, and sends what is in it.
    private func work(for session: Session) async {
        do {
            for await state in await session.states() {
                guard case .signedIn(let player) = state else { continue }
                let queue = try await Self.queue(of: session, for: player)
                self.queue = queue
                let status = status
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await queue.run() }
                    group.addTask { await status.follow(queue: queue, session: session) }
                    group.addTask { await queue.flushWhenReachable() }
                    try await group.waitForAll()
                }
                return
            }
        } catch {
            failure = "The journal cannot be read: \(error)"
        }
    }

    private static func queue(of session: Session, for player: V2.Player) async throws -> RequestQueue {
        var folder = URL.applicationSupportDirectory.appending(path: "Juliet")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A restored journal would send again what has been sent since the backup.
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try folder.setResourceValues(values)
        var configuration = QueueConfiguration()
        #if canImport(UIKit)
            configuration.backgroundTime = ApplicationBackgroundTime()
        #endif
        return try await RequestQueue.open(
            folder.appending(path: "\(player.id).journal").path, client: session.juliet, configuration: configuration)
    }
}
