import SystemPackage

/// A file that is read from its beginning to its end, and closed when it is released.
package final class InputFile {
    private let descriptor: FileDescriptor

    /// Opens a file.
    ///
    /// - Throws: `Errno`.
    package init(path: String) throws {
        descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    }

    private init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    /// Standard input, from where it stands.
    ///
    /// - Throws: `Errno`.
    package static func standardInput() throws -> InputFile {
        InputFile(try FileDescriptor.standardInput.duplicate())
    }

    deinit { try? descriptor.close() }

    /// The next bytes: as many as asked for, fewer before the end of the file, nil at the end.
    ///
    /// - Throws: `Errno`; bytes that were read before it are lost.
    package func read(upToCount count: Int) throws -> [UInt8]? {
        let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[filled...]))
                let read = try descriptor.read(into: rest)
                if read == 0 { break }
                filled += read
            }
        }
        return bytes.isEmpty ? nil : bytes
    }
}
