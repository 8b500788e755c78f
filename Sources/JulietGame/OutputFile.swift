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

    /// Makes a file, or empties the one of this name.
    ///
    /// - Parameter permissions: Of a file that is made, before the process's umask takes from them.
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
    /// - Throws: `Errno`; nobody knows then what is.
    package func sync() throws {
        guard fsync(descriptor.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }
}
