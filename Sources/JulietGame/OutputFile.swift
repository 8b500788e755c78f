package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that is written from its beginning, and closed when it is released.
package final class OutputFile {
    private let descriptor: FileDescriptor

    /// Makes a file, or empties an existing one.
    ///
    /// - Parameter permissions: The permissions of a new file, before the process's umask.
    /// - Throws: `Errno`.
    package init(
        path: String, permissions: FilePermissions = [.ownerReadWrite, .groupReadWrite, .otherReadWrite]
    ) throws {
        descriptor = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: permissions)
    }

    deinit { try? descriptor.close() }

    /// Appends bytes.
    ///
    /// - Throws: `Errno`; some of the bytes may be written then.
    package func write(_ bytes: [UInt8]) throws {
        try descriptor.writeAll(bytes)
    }

    /// Waits until everything is on the disk (fsync(2)).
    ///
    /// - Throws: `Errno`; then it is not known what is on the disk.
    package func sync() throws {
        guard fsync(descriptor.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }
}
