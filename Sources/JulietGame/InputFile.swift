import SystemPackage

/// A file that is read from its beginning to its end, and closed when it is released.
package final class InputFile {
    private let descriptor: FileDescriptor
    private let isStandardInput: Bool

    /// Opens a file.
    ///
    /// - Throws: `Errno`.
    package init(path: String) throws {
        descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
        isStandardInput = false
    }

    private init(standardInput: FileDescriptor) {
        descriptor = standardInput
        isStandardInput = true
    }

    /// Standard input, from its current position.
    ///
    /// - Throws: `Errno`.
    package static func standardInput() throws -> InputFile {
        InputFile(standardInput: try FileDescriptor.standardInput.duplicate())
    }

    deinit { try? descriptor.close() }

    /// Whether opening it once more reads the same again: not standard input, nor a pipe.
    package var canBeReadAgain: Bool {
        !isStandardInput && (try? descriptor.seek(offset: 0, from: .current)) != nil
    }

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
