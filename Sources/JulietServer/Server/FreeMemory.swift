#if canImport(Glibc)
    import CEventLoop
#endif

/// Memory that the process has freed.
enum FreeMemory {
    /// Has what is large, a document for one, in memory of its own, which goes back to the system when it is freed
    /// (mallopt(3)). By itself glibc keeps it from the second time on, among smaller things. Once, at the start.
    static func keepLargeApart() {
        #if canImport(Glibc)
            _ = mallopt(M_MMAP_THRESHOLD, 1 << 20)
        #endif
    }

    /// Hands it back to the system, which glibc does not do by itself after a peak (malloc_trim(3)): 2 ms for 20 MiB.
    /// Other allocators need not be asked.
    static func release() {
        #if canImport(Glibc)
            malloc_trim(0)
        #endif
    }
}
