import StrictEncoding

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A moment as the App Store writes it: milliseconds since 1970 in UTC.
public struct AppStoreDate: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970 in UTC.
    public let milliseconds: Int64

    /// A moment, by its milliseconds since 1970 in UTC.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The time of this machine's clock.
    public static var now: Self { Self(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }

    /// Whether one moment is before another.
    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}

extension AppStoreDate {
    /// Reads a number from 0 to 2^53, up to which every JSON reader knows each whole number.
    init?(_ json: JSON) {
        guard let milliseconds = json.integer, 0...(1 << 53) ~= milliseconds else { return nil }
        self.init(milliseconds: Int64(milliseconds))
    }
}
