import JulietAPI

/// Reads dates in header fields, in the three forms that RFC 9110 §5.6.7 asks recipients to accept.
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads a date.
    ///
    /// - Parameters:
    ///   - text: `Sun, 06 Nov 1994 08:49:37 GMT`, or in an obsolete form: `Sunday, 06-Nov-94 08:49:37 GMT` (RFC 850),
    ///     `Sun Nov  6 08:49:37 1994` (C's `asctime`).
    ///   - now: Seconds since 1970, for years of two digits.
    /// - Returns: Nil: it is none of these.
    static func secondsSince1970(_ text: String, now: Int64) -> Int64? {
        let parts = text.split { $0 == " " || $0 == "-" }.map(String.init)
        switch parts.count {
        case 6 where parts[0].hasSuffix(",") && parts[5] == "GMT":
            let year = parts[3].utf8.count == 2 ? number(parts[3]).map { century(of: $0, now: now) } : number(parts[3])
            return seconds(year, parts[2], parts[1], parts[4])
        case 5: return seconds(number(parts[4]), parts[1], parts[2], parts[3])
        default: return nil
        }
    }

    /// The year of which only the last two digits are known, at most 50 years in the future.
    private static func century(of year: Int, now: Int64) -> Int {
        let latest = GregorianCalendar.date(ofDay: Int(now / 86_400)).year + 50
        let candidate = latest - latest % 100 + year
        return candidate > latest ? candidate - 100 : candidate
    }

    private static func seconds(_ year: Int?, _ month: String, _ day: String, _ time: String) -> Int64? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0)) }
        guard let year, let day = number(day), let month = months.firstIndex(of: month),
            let date = GregorianCalendar.day(year: year, month: month + 1, day: day), clock.count == 3,
            let hour = clock[0], hour < 24, let minute = clock[1], minute < 60, let second = clock[2], second <= 60
        else { return nil }
        return ((Int64(date) * 24 + Int64(hour)) * 60 + Int64(minute)) * 60 + Int64(second)
    }

    private static func number(_ digits: String) -> Int? {
        guard (1...4).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(digits)
    }
}
