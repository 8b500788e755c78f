#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The code that only the start of the process ran.
enum StartupPages {
    /// Removes all code from the process's memory. Code that still runs comes back from the page cache, 64 KiB at a
    /// fault; 7 MiB of 24 MiB do not come back. Linux only.
    ///
    /// Code is mapped from files and never written, so nothing is lost (madvise(2), MADV_DONTNEED). A debugger writes its
    /// breakpoints into it, so under a debugger nothing is removed.
    static func release() {
        #if os(Linux)
            guard let status = try? readTextFile("/proc/self/status"), status.contains("TracerPid:\t0\n") else {
                return
            }
            // A line is "start-end permissions offset device inode path" (proc(5)).
            for mapping in (try? readTextFile("/proc/self/maps"))?.split(separator: "\n") ?? [] {
                let fields = mapping.split(separator: " ")
                let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                guard fields.count >= 6, fields[1] == "r-xp", fields[5].hasPrefix("/"), bounds.count == 2 else {
                    continue
                }
                madvise(UnsafeMutableRawPointer(bitPattern: bounds[0]), Int(bounds[1] - bounds[0]), MADV_DONTNEED)
            }
        #endif
    }
}
