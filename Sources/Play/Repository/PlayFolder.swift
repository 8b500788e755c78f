import Dispatch
import JulietClient
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

/// The player's own files: an id of this machine, and a folder for each service and player.
package struct PlayFolder: Sendable {
    /// What keeps the files from being read or written.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// Who plays.
    package let player: String
    private let path: String
    private let queue = DispatchQueue(label: "saved game")

    /// Finds the folder and makes it unless it is there.
    ///
    /// - Parameters:
    ///   - service: The service's URL.
    ///   - player: Who plays; nil: the id of this machine, made the first time.
    ///   - environment: `XDG_STATE_HOME`, if it is an absolute path, or `HOME` says where.
    package init(service: String, player: String?, environment: [String: String]) throws(Failure) {
        let root = try Self.root(environment)
        try Self.make(root)
        self.player = if let player { player } else { try Self.ownID("\(root)/player") }
        path = "\(root)/\(Self.fileName(service))/\(Self.fileName(self.player))"
        try Self.make(path)
    }

    /// The queue's journal.
    var journal: String { "\(path)/queue" }

    /// Whether this machine's own player has played there.
    ///
    /// - Parameters:
    ///   - service: The service's URL.
    ///   - environment: As the initialiser's.
    package static func hasOwnGames(service: String, environment: [String: String]) throws(Failure) -> Bool {
        let root = try root(environment)
        guard let id = keptID("\(root)/player") else { return false }
        return access("\(root)/\(fileName(service))/\(fileName(id))", F_OK) == 0
    }

    /// What was kept; nil the first time.
    package func load() throws(Failure) -> SavedPlay? { try Self.load(SavedPlay.self, from: "\(path)/game.json") }

    /// Keeps it, on the disk when this returns.
    package func save(_ saved: SavedPlay) async throws {
        try await Self.save(Array(try JSONEncoder().encode(saved)), to: "\(path)/game.json", on: queue)
    }
}

// MARK: - Files

extension PlayFolder {
    /// Where all files are: `$XDG_STATE_HOME/juliet`, if that is an absolute path, or `~/.local/state/juliet`.
    static func root(_ environment: [String: String]) throws(Failure) -> String {
        let home = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let state = home ?? environment["HOME"].map({ "\($0)/.local/state" }) else {
            throw Failure(description: "cannot save the game: set HOME or XDG_STATE_HOME")
        }
        return "\(state)/juliet"
    }

    /// What a file holds; nil when there is none.
    static func load<Value: Decodable>(_ type: Value.Type, from file: String) throws(Failure) -> Value? {
        guard let contents = FileManager.default.contents(atPath: file) else {
            guard access(file, F_OK) != 0 else { throw Failure(description: "cannot read \(file)") }
            return nil
        }
        do {
            return try JSONDecoder().decode(type, from: contents)
        } catch {
            throw Failure(description: "\(file) is damaged: move it away to start again")
        }
    }

    /// Writes a file, and returns when it is on the disk.
    static func save(_ contents: [UInt8], to file: String, on queue: DispatchQueue) async throws {
        // Not on a thread of the tasks, since a disk may be slow.
        let result = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Result { () throws(Failure) in try Self.replace(file, with: contents) })
            }
        }
        try result.get()
    }

    static func make(_ path: String) throws(Failure) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure(description: "cannot make \(path): \(String(cString: strerror(errno)))")
        }
    }

    private static func keptID(_ file: String) -> String? {
        let kept = FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) }
        return kept?.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }

    private static func ownID(_ file: String) throws(Failure) -> String {
        if let id = keptID(file) { return id }
        let id = UUID().uuidString
        try replace(file, with: Array("\(id)\n".utf8))
        return id
    }

    /// Writes a file aside, and puts it in place once it is on the disk.
    private static func replace(_ file: String, with contents: [UInt8]) throws(Failure) {
        let new = "\(file).new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(file) }
        let written = write(descriptor, contents, contents.count) == contents.count && fsync(descriptor) == 0
        let error = errno
        close(descriptor)
        errno = error
        guard written, rename(new, file) == 0 else { throw failure(file) }
        // The name is in place for good once the folder is written.
        let folder = open(String(file.prefix(upTo: file.lastIndex(of: "/") ?? file.startIndex)), O_RDONLY | O_CLOEXEC)
        fsync(folder)
        close(folder)
    }

    static func failure(_ file: String) -> Failure {
        Failure(description: "cannot write \(file): \(String(cString: strerror(errno)))")
    }

    /// A text as the name of a file: letters, digits, `.-_` as they are, other bytes as `%2F`; never `.` or `..`.
    static func fileName(_ text: String) -> String {
        let name = PercentEncoding.encode(
            text, keeping: { PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~") })
        return name.first == "." ? "%2E" + name.dropFirst() : name
    }
}
