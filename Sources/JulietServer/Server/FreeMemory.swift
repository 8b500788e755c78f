#if canImport(Glibc)
    import CEventLoop
#endif

/// Memory that the process has freed.
enum FreeMemory {
    /// Hands it back to the system, which glibc does not do by itself after a peak (malloc_trim(3)): 2 ms for 20 MiB.
    /// Other allocators need not be asked.
    static func release() {
        #if canImport(Glibc)
            malloc_trim(0)
        #endif
    }
}
