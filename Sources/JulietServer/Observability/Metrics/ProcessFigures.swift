import CEventLoop

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the system knows of this process.
struct ProcessFigures: Sendable {
    /// When the service started, in seconds since 1970.
    let startTime = Double(c_wall_nanoseconds() / 1_000_000_000)

    /// What is in memory, in bytes: now on Linux, elsewhere the most there ever was.
    var residentBytes: Double {
        #if os(Linux)
            // "size resident shared …", in pages (proc(5)).
            let pages = (try? readTextFile("/proc/self/statm"))?.split(separator: " ").dropFirst().first
            return (pages.flatMap { Double($0) } ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE)))
        #else
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return Double(usage.ru_maxrss)
        #endif
    }

    /// The time it had a processor, in seconds.
    var processorSeconds: Double { Double(c_processor_nanoseconds()) / 1e9 }
}
