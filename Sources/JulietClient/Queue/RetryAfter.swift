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
        guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT", let day = Int64(parts[1]),
            let month = months.firstIndex(of: String(parts[2])), let year = Int64(parts[3])
        else { return nil }
        let time = parts[4].split(separator: ":").map { Int64($0) }
        guard (1...31).contains(day), (1970...9999).contains(year), time.count == 3, let hour = time[0],
            (0...23).contains(hour), let minute = time[1], (0...59).contains(minute), let second = time[2],
            (0...60).contains(second)
        else { return nil }
        return ((days(year, Int64(month) + 1, day) * 24 + hour) * 60 + minute) * 60 + second
    }

    /// Days since 1970 in the Gregorian calendar; a year that begins in March ends with the day that varies.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted / 400 * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
