#if canImport(Glibc)
    import CEventLoop
#endif

/// Memory that the process has freed.
enum FreeMemory {
    /// Makes the allocator put large objects, such as documents, in separate memory that returns to the system
    /// when it is freed (mallopt(3)). By default glibc stops doing so after the first time. Call it once, at the
    /// start.
    static func keepLargeApart() {
        #if canImport(Glibc)
            _ = mallopt(M_MMAP_THRESHOLD, 1 << 20)
        #endif
    }

    /// Returns it to the system, which glibc does not do by itself after a peak (malloc_trim(3)): 2 ms for 20 MiB.
    /// Other allocators do it by themselves.
    static func release() {
        #if canImport(Glibc)
            malloc_trim(0)
        #endif
    }
}
