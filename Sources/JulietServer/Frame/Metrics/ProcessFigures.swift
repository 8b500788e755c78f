import CEventLoop

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Figures of the system about this process.
struct ProcessFigures: Sendable {
    /// When the service started, in seconds since 1970.
    let startTime = Double(c_wall_nanoseconds() / 1_000_000_000)

    /// Resident memory in bytes: the current value on Linux, elsewhere the highest so far.
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

    /// The processor time, in seconds.
    var processorSeconds: Double { Double(c_processor_nanoseconds()) / 1e9 }
}
