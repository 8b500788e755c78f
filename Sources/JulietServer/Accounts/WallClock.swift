#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The machine's clock.
enum WallClock {
    /// Since the beginning of 1970 in UTC.
    static var now: Duration { .seconds(Date().timeIntervalSince1970) }
}
