/// Dates and times of day as PostgreSQL reckons them: the Gregorian calendar for all of time, without leap seconds.
///
/// Years are numbered as astronomers do: 1 BC is 0, 2 BC is -1.
enum GregorianCalendar {
    /// PostgreSQL counts from 2000-01-01, this many days after 1970-01-01.
    static let epochDays: Int32 = 10_957
    static let microsecondsPerDay: Int64 = 86_400_000_000

    /// The date of a day counted from 1970-01-01 (Howard Hinnant, "chrono-compatible low-level date algorithms",
    /// `civil_from_days`). Any day that microseconds in 64 bits reach.
    static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// The day of a date, counted from 1970-01-01 (the same, `days_from_civil`); `nil` if there is no such date, or it
    /// is not one of PostgreSQL's, from 4714-11-24 BC to 5874897-12-31.
    static func day(year: Int, month: Int, day: Int) -> Int32? {
        guard -4713...5_874_897 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let result = Int64(era) * 146_097 + Int64(dayOfEra) - 719_468
        // A day that the month does not have is one of the next month; Julian day 0 is the first.
        guard date(ofDay: result) == (Int64(year), Int64(month), Int64(day)), result >= -2_440_588 else { return nil }
        return Int32(exactly: result)
    }

    /// An instant in whole days and the microseconds of the day, which are not negative.
    static func split(_ microseconds: Int64) -> (day: Int64, microsecondOfDay: Int64) {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: microsecondsPerDay)
        return remainder < 0 ? (quotient - 1, remainder + microsecondsPerDay) : (quotient, remainder)
    }

    /// `2024-02-29`, as PostgreSQL writes it in its ISO style, with no word on the era.
    static func text(year: Int64, month: Int64, day: Int64) -> String {
        "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// `09:30:00.25`, as PostgreSQL writes it: a fraction only where there is one.
    static func text(microsecondOfDay time: Int64) -> String {
        let minutes = time / 60_000_000
        var text = "\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2)):\(padded(time / 1_000_000 % 60, 2))"
        let fraction = time % 1_000_000
        guard fraction != 0 else { return text }
        text += ".\(padded(fraction, 6))"
        while text.last == "0" { text.removeLast() }
        return text
    }

    /// A number with zeros before it.
    static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number.magnitude)
        let zeros = String(repeating: "0", count: max(0, width - digits.count))
        return (number < 0 ? "-" : "") + zeros + digits
    }
}
