import CEventLoop

/// A clock for durations.
enum Stopwatch {
    /// Nanoseconds since an arbitrary moment. It is cheaper than `ContinuousClock`.
    @inline(__always)
    static var now: Int { Int(c_monotonic_nanoseconds()) }
}
