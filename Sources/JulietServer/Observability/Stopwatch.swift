import CEventLoop

/// A clock for durations.
enum Stopwatch {
    /// Nanoseconds since some moment. Cheaper than `ContinuousClock`, whose instants the runtime handles.
    @inline(__always)
    static var now: Int { Int(c_monotonic_nanoseconds()) }
}
