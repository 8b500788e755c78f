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

/// The folder in which `juliet dev` keeps its database, its log and how to reach it.
struct DataFolder: Sendable {
    /// Absolute.
    let path: String
    /// Whether no `juliet dev` has run on it since it was made.
    let isNew: Bool

    /// How other commands reach the database while it runs: libpq's `keyword=value` pairs.
    var connection: String { "\(path)/connection" }

    /// Where the service is while it runs: its URL.
    var url: String { "\(path)/url" }

    /// Makes the folder unless it exists.
    ///
    /// - Throws: `CommandError` when it cannot be made or written to.
    init(path: String) throws {
        self.path = URL(fileURLWithPath: path).standardizedFileURL.path
        isNew = !FileManager.default.fileExists(atPath: "\(self.path)/lock")
        do {
            try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
        } catch {
            throw CommandError("cannot make the data folder \(self.path): \(Self.reason(errno)); --data names another")
        }
        guard access(self.path, W_OK | X_OK) == 0 else {
            throw CommandError(
                "cannot write to the data folder \(self.path): \(Self.reason(errno)); --data names another")
        }
    }

    /// Prevents a second `juliet dev` while this process lives. The kernel releases the lock however the process ends.
    func lock() throws -> Lock {
        let file = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw CommandError("cannot write to the data folder \(path): \(Self.reason(errno))") }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let pid = (try? String(contentsOfFile: "\(path)/lock", encoding: .utf8)) ?? "unknown"
            close(file)
            throw CommandError(
                "another juliet dev runs on \(path) (process \(pid)): stop it, or give --data another folder")
        }
        ftruncate(file, 0)
        let pid = "\(getpid())"
        _ = pid.withCString { write(file, $0, strlen($0)) }
        return Lock(file: file)
    }

    /// A lock that is held.
    struct Lock {
        fileprivate let file: Int32

        func release() { close(file) }
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
