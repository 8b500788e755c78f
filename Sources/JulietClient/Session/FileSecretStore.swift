import Dispatch

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
/// A secret is written beside its file, brought to the disk and put in the file's place in one step, so it is whole
/// whenever the process or the machine stops. It is not encrypted: leave the folder out of backups that others can read.
public final class FileSecretStore: SecretStore {
    private let folder: String
    private let queue = DispatchQueue(label: "juliet.client.secrets")

    /// Keeps secrets in a folder, which is made (0700) with the first one.
    ///
    /// - Parameter folder: Its path; the folders above it are made too.
    public init(folder: String) {
        self.folder = folder
    }

    /// What is kept under a name; nil: nothing.
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
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw SecretStoreError(.unavailable, systemError: errno)
            }
            try Self.replace(file, with: secret)
            Self.synchronize(folder)
        }
    }

    /// Forgets what is kept under a name.
    ///
    /// - Throws: `SecretStoreError` `.unavailable`.
    public func delete(_ name: String) async throws {
        let (folder, file) = (folder, path(of: name))
        try await onQueue { () throws(SecretStoreError) in
            // One that was being written when the process ended holds a secret too.
            for path in [file, file + ".new"] where unlink(path) != 0 && errno != ENOENT {
                throw SecretStoreError(.unavailable, systemError: errno)
            }
            Self.synchronize(folder)
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
        var path = folder + "/"
        for byte in name.utf8 {
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-_".contains(character) {
                path.append(character)
            } else {
                path += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return path
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
        // Not the file of somebody else, nor with somebody else's rights.
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SecretStoreError(.unavailable, systemError: errno) }
        let isWritten = writeBytes(descriptor, secret) && fsync(descriptor) == 0
        let error = errno
        close(descriptor)
        guard isWritten, rename(new, file) == 0 else {
            let error = isWritten ? errno : error
            unlink(new)
            throw SecretStoreError(.unavailable, systemError: error)
        }
    }

    /// The name is in place for good once the folder is written.
    private static func synchronize(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
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
