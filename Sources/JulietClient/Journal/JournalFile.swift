#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// An open file, by the system's own calls: `FileHandle` tells neither a full disk nor when data is on it.
final class JournalFile: Sendable {
    /// How a file is opened.
    enum Mode {
        case readWrite, readWriteOrMake, create, append
    }

    private let descriptor: Int32
    let path: String

    /// Opens a file that only its owner may read.
    ///
    /// - Returns: Nil when there is no such file.
    static func open(_ path: String, _ mode: Mode) throws(QueueError) -> JournalFile? {
        let flags =
            switch mode {
            case .readWrite: O_RDWR
            case .create: O_RDWR | O_CREAT | O_TRUNC
            case .append: O_WRONLY | O_CREAT | O_APPEND
            case .readWriteOrMake: O_RDWR | O_CREAT
            }
        let descriptor = retrying { openFile(path, flags | O_CLOEXEC) }
        if descriptor < 0, errno == ENOENT, mode == .readWrite { return nil }
        guard descriptor >= 0 else { throw QueueError(systemError: errno) }
        return JournalFile(descriptor: descriptor, path: path)
    }

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { _ = close(descriptor) }

    /// The file's length.
    func size() throws(QueueError) -> Int {
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= 0 else { throw QueueError(systemError: errno) }
        return Int(end)
    }

    /// Reads bytes; fewer only at the file's end.
    func read(at offset: Int, count: Int) throws(QueueError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let base = buffer.baseAddress {
                let got = Self.retrying { pread(descriptor, base + filled, count - filled, off_t(offset + filled)) }
                if got < 0 { failure = errno }
                guard got > 0 else { break }
                filled += got
            }
        }
        guard failure == 0 else { throw QueueError(systemError: failure) }
        return bytes
    }

    /// Writes all bytes.
    ///
    /// - Throws: `QueueError`; some of them may then be there.
    func write(_ bytes: [UInt8], at offset: Int) throws(QueueError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Self.retrying {
                    pwrite(
                        descriptor, buffer.baseAddress.map { $0 + written }, bytes.count - written,
                        off_t(offset + written))
                }
            }
            guard count > 0 else { throw QueueError(systemError: count < 0 ? errno : ENOSPC) }
            written += count
        }
    }

    /// Returns when what was written is on the disk.
    func synchronize() throws(QueueError) {
        #if canImport(Darwin)
            // fsync leaves data in the drive's cache; some file systems offer nothing better.
            let result = Self.retrying { fcntl(descriptor, F_FULLFSYNC) }
            if result >= 0 { return }
            guard Self.retrying({ fsync(descriptor) }) == 0 else { throw QueueError(systemError: errno) }
        #else
            guard Self.retrying({ fdatasync(descriptor) }) == 0 else { throw QueueError(systemError: errno) }
        #endif
    }

    /// Cuts off what lies behind a length.
    func truncate(to length: Int) throws(QueueError) {
        guard Self.retrying({ ftruncate(descriptor, off_t(length)) }) == 0 else { throw QueueError(systemError: errno) }
    }

    /// Takes the file for this process, or this opening of it, alone.
    ///
    /// - Returns: Whether it is this opening's now; false: another has it.
    func lock() throws(QueueError) -> Bool {
        guard Self.retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) != 0 else { return true }
        guard errno == EWOULDBLOCK else { throw QueueError(systemError: errno) }
        return false
    }

    /// Opens a file, or makes it, and takes it for this process alone.
    ///
    /// The lock is on the file, not on its name: symbolic and hard links share it.
    /// - Throws: `QueueError` `.journalInUse` when another process, or another opening, has it.
    static func openLocked(_ path: String) throws(QueueError) -> JournalFile {
        while true {
            guard let file = try open(path, .readWriteOrMake) else { throw QueueError(.fileError) }
            guard try file.lock() else { throw QueueError(.journalInUse) }
            // The holder before may have put another file in its place since it was opened.
            if try file.isCalled(path) { return file }
        }
    }

    /// Whether a name leads to this file.
    func isCalled(_ path: String) throws(QueueError) -> Bool {
        var named = stat()
        guard stat(path, &named) == 0 else {
            guard errno == ENOENT else { throw QueueError(systemError: errno) }
            return false
        }
        let own = try status()
        return own.st_dev == named.st_dev && own.st_ino == named.st_ino
    }

    /// Whether the file has more than one name. A file that is put in the place of one leaves the others unchanged.
    func hasOtherNames() throws(QueueError) -> Bool { try status().st_nlink > 1 }

    private func status() throws(QueueError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw QueueError(systemError: errno) }
        return status
    }

    /// The path of the file itself, behind symbolic links.
    static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Puts a file in the place of another. That is for good when the folder is synchronized.
    static func replace(_ path: String, with new: String) throws(QueueError) {
        guard rename(new, path) == 0 else { throw QueueError(systemError: errno) }
    }

    /// Returns when the names in a file's folder are on the disk.
    static func synchronizeFolder(of path: String) throws(QueueError) {
        let name = path.lastIndex(of: "/").map { path[..<$0] }
        let folder = name.map { $0.isEmpty ? "/" : String($0) } ?? "."
        let descriptor = retrying { openFile(folder, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw QueueError(systemError: errno) }
        defer { _ = close(descriptor) }
        // Some file systems cannot do it, and need not.
        guard retrying({ fsync(descriptor) }) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw QueueError(systemError: errno)
        }
    }

    /// Lets others take the file.
    func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }

    /// Removes a file, if there is one.
    static func remove(_ path: String) {
        _ = unlink(path)
    }

    private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }
}

/// Outside the type, because the type's own `open` hides the system's.
private func openFile(_ path: String, _ flags: Int32) -> Int32 {
    open(path, flags, 0o600)
}

extension QueueError {
    init(systemError: Int32) {
        switch systemError {
        case ENOSPC, EDQUOT, EFBIG: self.init(.diskFull, systemError: systemError)
        default: self.init(.fileError, systemError: systemError)
        }
    }
}
