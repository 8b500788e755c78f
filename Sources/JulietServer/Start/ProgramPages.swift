#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The pages of the program's file, and of its libraries', that are in the process's memory: code, tables of symbols, constants.
enum ProgramPages {
    /// Removes them. What is still needed comes back from the page cache, 64 KiB at a fault: 8 MiB under load. What only the
    /// start, or something else that is rare, needed does not: 10 MiB of the start. Takes 2 ms, and the faults about 1 ms
    /// more. Linux only.
    ///
    /// These mappings are read-only, and those of which the process has changed a page are left as they are: a table that
    /// the linker filled, code in which a debugger has set a breakpoint. So nothing is lost (madvise(2), MADV_DONTNEED).
    static func release() {
        #if os(Linux)
            var clean: UnsafeMutableRawBufferPointer?
            for line in lines(of: "/proc/self/smaps") {
                let fields = line.split(separator: " ")
                if !fields[0].hasSuffix(":") {
                    clean = readOnlyFile(fields)
                } else if fields == ["Anonymous:", "0", "kB"], let mapping = clean {
                    madvise(mapping.baseAddress, mapping.count, MADV_DONTNEED)
                }
            }
        #endif
    }

    #if os(Linux)
        /// The mapping that a line is about, if it is of a file and cannot be written: "start-end permissions offset device
        /// inode path". The lines of its figures follow (proc(5)).
        private static func readOnlyFile(_ fields: [Substring]) -> UnsafeMutableRawBufferPointer? {
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard fields.count >= 6, bounds.count == 2, ["r-xp", "r--p"].contains(fields[1]), fields[5].hasPrefix("/")
            else { return nil }
            return UnsafeMutableRawBufferPointer(
                start: UnsafeMutableRawPointer(bitPattern: bounds[0]), count: Int(bounds[1] - bounds[0]))
        }

        /// The lines of a file whose size nobody knows: the kernel gives it out a page at a time, and `String(contentsOfFile:)`
        /// stops behind the first.
        private static func lines(of path: String) -> [Substring] {
            guard let file = fopen(path, "re") else { return [] }
            defer { fclose(file) }
            var text: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 16384)
            while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { text += buffer[..<count] }
            return String(decoding: text, as: UTF8.self).split(separator: "\n")
        }
    #endif
}
