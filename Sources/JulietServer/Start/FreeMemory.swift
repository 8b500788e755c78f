#if canImport(Glibc)
    import CEventLoop
#endif

/// Memory that the process has freed.
enum FreeMemory {
    /// Tells glibc how to keep it (mallopt(3)). Call it once, at the start.
    ///
    /// Large objects, such as documents, are put in memory of their own, which returns to the system when they are freed; by
    /// default glibc stops doing so after the first time. And threads share a few arenas, because what is free in one is no
    /// use to the threads of another: two loops with one arena are 1 to 2 % slower, with two as fast as with many.
    ///
    /// - Parameter loops: How many loops there are.
    static func configure(loops: Int) {
        #if canImport(Glibc)
            _ = mallopt(M_MMAP_THRESHOLD, 1 << 20)
            _ = mallopt(M_ARENA_MAX, Int32(max(2, loops / 2)))
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
