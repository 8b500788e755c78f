import Dispatch
import JulietAPI

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

/// Keeps secrets in files that their owner alone can read (0600): for systems without a Keychain.
///
/// A secret is written beside its file, brought to the disk and put in the file's place in one step, so it is complete whenever the
/// process or the machine stops. Stores of one folder, in this process or another, write one after the other. It is not encrypted:
/// leave the folder out of backups that others can read.
public final class FileSecretStore: SecretStore {
    private let folder: String
    private let queue = DispatchQueue(label: "juliet.client.secrets")

    /// Keeps secrets in a folder, which is made (0700) with the first one.
    ///
    /// - Parameter folder: Its path; the folders above it are made too.
    public init(folder: String) {
        self.folder = folder
    }

    /// The secret stored under a name; nil: none.
    ///
    /// - Throws: `SecretStoreError` `.unavailable`.
    public func load(_ name: String) async throws -> [UInt8]? {
        let file = path(of: name)
        return try await onQueue { () throws(SecretStoreError) in try Self.read(file) }
    }

    /// Keeps a secret in the place of what there was; it is on the disk when this returns.
    ///
    /// - Throws: `SecretStoreError` `.unavailable`: the old value is kept, or the new one.
    public func save(_ secret: [UInt8], as name: String) async throws {
        let (folder, file) = (folder, path(of: name))
        try await onQueue { () throws(SecretStoreError) in
            try Self.make(folder)
            guard try Self.change(folder, { () throws(SecretStoreError) in try Self.replace(file, with: secret) })
            else {
                throw SecretStoreError(.unavailable, systemError: ENOENT)
            }
        }
    }

    /// Deletes the secret stored under a name.
    ///
    /// - Throws: `SecretStoreError` `.unavailable`.
    public func delete(_ name: String) async throws {
        let (folder, file) = (folder, path(of: name))
        try await onQueue { () throws(SecretStoreError) in
            _ = try Self.change(folder) { () throws(SecretStoreError) in
                // One that was being written when the process ended holds a secret too.
                for path in [file, file + ".new"] where unlink(path) != 0 && errno != ENOENT {
                    throw SecretStoreError(.unavailable, systemError: errno)
                }
            }
        }
    }

    /// A disk takes its time: not on a thread of Swift's.
    private func onQueue<Value: Sendable>(
        _ body: @escaping @Sendable () throws(SecretStoreError) -> Value
    ) async throws -> Value {
        let result: Result<Value, SecretStoreError> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(SecretStoreError) in try body() }) }
        }
        return try result.get()
    }

    /// Letters, digits and `-_` as they are, other bytes as `%2F`.
    private func path(of name: String) -> String {
        folder + "/"
            + PercentEncoding.encode(
                name,
                keeping: { PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "~") })
    }

    private static func read(_ file: String) throws(SecretStoreError) -> [UInt8]? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw SecretStoreError(.unavailable, systemError: errno) }
            return nil
        }
        defer { close(descriptor) }
        var secret: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = readBytes(descriptor, &buffer)
            guard count >= 0 else { throw SecretStoreError(.unavailable, systemError: errno) }
            guard count > 0 else { return secret }
            secret += buffer[..<count]
        }
    }

    private static func replace(_ file: String, with secret: [UInt8]) throws(SecretStoreError) {
        let new = file + ".new"
        // Do not follow another user's file, or keep its permissions.
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SecretStoreError(.unavailable, systemError: errno) }
        let isWritten = writeBytes(descriptor, secret) && synchronize(descriptor) == 0
        let error = errno
        close(descriptor)
        guard isWritten, rename(new, file) == 0 else {
            let error = isWritten ? errno : error
            unlink(new)
            throw SecretStoreError(.unavailable, systemError: error)
        }
    }

    /// Makes a folder and those above it; their names are on the disk when this returns.
    private static func make(_ folder: String) throws(SecretStoreError) {
        var above: [String] = []
        var path = folder
        while access(path, F_OK) != 0, errno == ENOENT, let parent = parent(of: path) {
            above.append(parent)
            path = parent
        }
        guard !above.isEmpty else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw SecretStoreError(.unavailable, systemError: errno)
        }
        for folder in above { _ = try change(folder) { () throws(SecretStoreError) in } }
    }

    /// nil: the root, or where the process is.
    private static func parent(of path: String) -> String? {
        var path = Substring(path)
        while path.last == "/" { path.removeLast() }
        guard !path.isEmpty, path != "." else { return nil }
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Changes names in a folder while no other store does; they are on the disk when this returns.
    ///
    /// - Returns: False: there is no folder.
    private static func change(
        _ folder: String, _ body: () throws(SecretStoreError) -> Void
    ) throws(SecretStoreError) -> Bool {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw SecretStoreError(.unavailable, systemError: errno) }
            return false
        }
        // That ends the lock, too. Some file systems have none.
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        try body()
        // Some file systems cannot do it, and need not.
        guard synchronize(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw SecretStoreError(.unavailable, systemError: errno)
        }
        return true
    }

    private static func synchronize(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
            // fsync leaves data in the drive's cache; some file systems know no more than that.
            if fcntl(descriptor, F_FULLFSYNC) >= 0 { return 0 }
        #endif
        while true {
            let result = fsync(descriptor)
            if result == 0 || errno != EINTR { return result }
        }
    }

    private static func readBytes(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        buffer.withUnsafeMutableBytes { bytes in
            while true {
                #if canImport(Glibc)
                    let count = Glibc.read(descriptor, bytes.baseAddress, bytes.count)
                #elseif canImport(Musl)
                    let count = Musl.read(descriptor, bytes.baseAddress, bytes.count)
                #else
                    let count = Darwin.read(descriptor, bytes.baseAddress, bytes.count)
                #endif
                if count >= 0 || errno != EINTR { return count }
            }
        }
    }

    private static func writeBytes(_ descriptor: Int32, _ secret: [UInt8]) -> Bool {
        secret.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
                guard count >= 0 || errno == EINTR else { return false }
                written += max(count, 0)
            }
            return true
        }
    }
}
