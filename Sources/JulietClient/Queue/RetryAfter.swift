import JulietAPI

/// Reads `Retry-After` (RFC 9110 §10.2.3).
enum RetryAfter {
    /// How long a server asks to wait.
    ///
    /// - Parameters:
    ///   - value: Whole seconds, or a date in the form that servers must write (IMF-fixdate).
    ///   - now: Seconds since 1970.
    /// - Returns: Nil: the value is neither.
    static func delay(_ value: String, now: Int64) -> Duration? {
        if !value.isEmpty, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return .seconds(Int64(value) ?? Int64(Int32.max))
        }
        return secondsSince1970(value).map { .seconds(max(0, $0 - now)) }
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private static func secondsSince1970(_ date: String) -> Int64? {
        let parts = date.split(separator: " ")
        guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT", let dayOfMonth = Int(parts[1]),
            let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3])
        else { return nil }
        let time = parts[4].split(separator: ":").map { Int64($0) }
        guard year >= 1970, let day = GregorianCalendar.day(year: year, month: month + 1, day: dayOfMonth),
            time.count == 3, let hour = time[0], (0...23).contains(hour), let minute = time[1],
            (0...59).contains(minute), let second = time[2],
            (0...60).contains(second)
        else { return nil }
        return ((Int64(day) * 24 + hour) * 60 + minute) * 60 + second
    }
}
