#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The machine's time of day, for what outlives the process.
package enum WallClock {
    /// Microseconds since the beginning of 1970 in UTC.
    package static var microseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// The same in whole milliseconds.
    package static var milliseconds: Int64 { microseconds / 1000 }

    /// The same as a duration.
    package static var now: Duration { .microseconds(microseconds) }
}
