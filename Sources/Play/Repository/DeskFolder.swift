import Dispatch
package import PlayUseCase

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The files of the players of `/v2` on this machine: one player for each service.
///
/// They lie beside the folders of the app's players, under a name no such folder has.
package final class DeskFolder: Sendable {
    private let file: String
    private let queue = DispatchQueue(label: "saved player")
    /// Locked as long as it is open.
    private let lock: Int32

    /// Finds the folder, makes it unless it is there, and locks it against other programs.
    ///
    /// - Parameters:
    ///   - service: The service's URL.
    ///   - environment: As `PlayFolder`'s.
    package init(service: String, environment: [String: String]) throws(PlayFolder.Failure) {
        let path = try Self.path(service, environment)
        try PlayFolder.make(path)
        file = "\(path)/player.json"
        lock = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw PlayFolder.failure(file) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw PlayFolder.Failure(description: "this game is already open in another terminal")
        }
    }

    deinit { close(lock) }

    /// Whether somebody is signed in here.
    package static func hasPlayer(service: String, environment: [String: String]) throws(PlayFolder.Failure) -> Bool {
        try PlayFolder.load(SavedDesk.self, from: "\(path(service, environment))/player.json")?.session != nil
    }

    private static func path(
        _ service: String, _ environment: [String: String]
    ) throws(PlayFolder.Failure) -> String {
        "\(try PlayFolder.root(environment))/\(PlayFolder.fileName(service))/.v2"
    }

    /// What was kept; nil the first time.
    package func load() throws(PlayFolder.Failure) -> SavedDesk? { try PlayFolder.load(SavedDesk.self, from: file) }

    /// Keeps it, on the disk when this returns, for this user alone to read.
    package func save(_ saved: SavedDesk) async throws {
        try await PlayFolder.save(Array(try JSONEncoder().encode(saved)), to: file, on: queue)
    }
}
