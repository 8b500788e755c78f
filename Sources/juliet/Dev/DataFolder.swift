import ArgumentParser

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
    /// How other commands reach the database while it runs: libpq's `keyword=value` pairs.
    var connection: String { "\(path)/connection" }

    /// Where the service is while it runs: its URL.
    var url: String { "\(path)/url" }

    /// The folders that were made for it, the innermost first.
    private let made: [String]

    /// Makes the folder unless it exists.
    ///
    /// - Throws: `CommandError` when it cannot be made or written to; `ValidationError` when its name has a line break, with
    ///   which PostgreSQL does not start.
    init(path: String) throws {
        self.path = URL(fileURLWithPath: path).standardizedFileURL.path
        guard !self.path.contains(where: \.isNewline) else {
            throw ValidationError("the name of the data folder has a line break; name another with --data")
        }
        made = Self.missing(on: self.path)
        do {
            try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
        } catch {
            let reason = Self.reason(errno)
            for folder in made { rmdir(folder) }
            throw CommandError("cannot make the data folder \(self.path): \(reason); name another with --data")
        }
        guard access(self.path, W_OK | X_OK) == 0 else {
            throw CommandError(
                "cannot write to the data folder \(self.path): \(Self.reason(errno)); name another with --data")
        }
    }

    /// The folders that a path names and that do not exist, the innermost first.
    private static func missing(on path: String) -> [String] {
        var missing: [String] = []
        var folder = URL(fileURLWithPath: path)
        while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
            missing.append(folder.path)
            folder.deleteLastPathComponent()
        }
        return missing
    }

    /// Removes what was made for a start that is refused, if nothing else is in it. Call it while the folder is locked.
    func discard() {
        guard !made.isEmpty else { return }
        unlink("\(path)/lock")
        for folder in made { rmdir(folder) }
    }

    /// Prevents a second `juliet dev` while this process lives. The kernel releases the lock however the process ends.
    ///
    /// The file holds the process and, until the folder is in use, a mark.
    ///
    /// - Throws: `CommandError` when another process has it, it cannot be written, or it is a link: the folder may be another
    ///   user's, who must not have root write to a file of root's.
    func lock() throws -> Lock {
        let file = open("\(path)/lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 || errno == ELOOP else {
            throw CommandError("cannot write to the data folder \(path): \(Self.reason(errno))")
        }
        var status = stat()
        guard file >= 0, fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            close(file)
            throw CommandError(
                "\(path)/lock is not a file that juliet dev made: remove it, or name another with --data")
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let pid = Self.text(of: file).prefix { $0.isNumber }
            close(file)
            throw CommandError(
                "another juliet dev runs in \(path) (process \(pid.isEmpty ? "unknown" : pid)): stop it, or give --data another folder"
            )
        }
        let before = Self.text(of: file)
        let lock = Lock(file: file, isNew: before.isEmpty || before.hasSuffix(Lock.mark))
        lock.write(lock.isNew ? Lock.mark : "")
        return lock
    }

    private static func text(of lock: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = pread(lock, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// A lock that is held.
    struct Lock {
        fileprivate static let mark = " new"

        fileprivate let file: Int32
        /// Whether the folder has never been in use since it was made: no cluster belongs to it, wherever one is.
        let isNew: Bool

        /// The folder is in use from now on, however this run ends.
        func setInUse() { write("") }

        func release() { close(file) }

        /// Writes over what there is before it cuts the rest off: if the process is killed in between, the mark stays as it was.
        fileprivate func write(_ mark: String) {
            let text = "\(getpid())\(mark)"
            _ = text.withCString { pwrite(file, $0, strlen($0), 0) }
            ftruncate(file, off_t(text.utf8.count))
        }
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
