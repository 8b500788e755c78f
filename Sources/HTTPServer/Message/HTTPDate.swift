#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Dates of field values (RFC 9110 §5.6.7).
enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// "Sun, 06 Nov 1994 08:49:37 GMT" for seconds since 1970.
    static func format(_ seconds: Int) -> String {
        var seconds = time_t(seconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = days[Int(parts.tm_wday)]
        let month = months[Int(parts.tm_mon)]
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(padded).joined(separator: ":")
        return "\(day), \(padded(parts.tm_mday)) \(month) \(parts.tm_year + 1900) \(clock) GMT"
    }

    /// Seconds since 1970 of a date in any of the three forms: "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94
    /// 08:49:37 GMT" and "Sun Nov  6 08:49:37 1994"; nil for anything else. The day of the week is not looked at.
    ///
    /// - Parameter now: Seconds since 1970: a year of two digits is at most 50 years ahead of it.
    static func parse(_ text: String, now: Int = Int(time(nil))) -> Int? {
        let parts = text.split { $0 == " " || $0 == "," || $0 == "-" }
        if parts.count == 6, parts[5] == "GMT" {
            guard let day = number(parts[1], 2), let month = month(parts[2]), let clock = clock(parts[4]) else {
                return nil
            }
            if let year = number(parts[3], 4) { return seconds(year, month, day, clock) }
            guard let short = number(parts[3], 2) else { return nil }
            var parsed: Int?
            for century in [1900, 2000, 2100] {
                guard let moment = seconds(century + short, month, day, clock) else { continue }
                if parsed == nil || moment - now <= 50 * 31_556_952 { parsed = moment }
            }
            return parsed
        }
        guard parts.count == 5, let month = month(parts[1]), let clock = clock(parts[3]),
            let day = number(parts[2], 2) ?? number(parts[2], 1), let year = number(parts[4], 4)
        else { return nil }
        return seconds(year, month, day, clock)
    }

    private static func month(_ text: Substring) -> Int? {
        months.firstIndex { $0 == text }.map { $0 + 1 }
    }

    /// Digits, so many.
    private static func number(_ text: Substring, _ digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return Int(text)
    }

    /// The seconds of "08:49:37"; 60 is a leap second.
    private static func clock(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], 2), let minute = number(parts[1], 2),
            let second = number(parts[2], 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func seconds(_ year: Int, _ month: Int, _ day: Int, _ clock: Int) -> Int? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day >= 1, day <= lengths[month - 1] else { return nil }
        let before = year - 1
        let days = before * 365 + before / 4 - before / 100 + before / 400 - 719_162
        return (days + lengths[..<(month - 1)].reduce(0, +) + day - 1) * 86400 + clock
    }
}
