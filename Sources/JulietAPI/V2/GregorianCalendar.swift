/// Days and dates of the Gregorian calendar for all of time; the year before 1 is 0.
package enum GregorianCalendar {
    /// The date of a day counted from 1970-01-01 (Howard Hinnant, "chrono-compatible low-level date algorithms",
    /// `civil_from_days`). Any day that microseconds in 64 bits reach.
    package static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// The day of a date, counted from 1970-01-01 (the same, `days_from_civil`); nil if there is no such date.
    ///
    /// - Parameter year: 0...9999.
    package static func day(year: Int, month: Int, day: Int) -> Int? {
        guard 0...9999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
        // Counted from March, a leap day is the last of its year. Era 0 would be enough except for the first months of year 0.
        let shiftedYear = (month <= 2 ? year - 1 : year) + 400
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let result = (era - 1) * 146_097 + dayOfEra - 719_468
        // A day that the month does not have is one of the next month.
        return date(ofDay: result) == (year, month, day) ? result : nil
    }

    /// Appends `2026-11-21`.
    static func append(day: Int, to text: inout [UInt8]) {
        let date = date(ofDay: day)
        append(date.year, width: 4, to: &text)
        text.append(UInt8(ascii: "-"))
        append(date.month, width: 2, to: &text)
        text.append(UInt8(ascii: "-"))
        append(date.day, width: 2, to: &text)
    }

    /// Appends a number, with zeros before it up to a width.
    static func append(_ number: Int, width: Int, to text: inout [UInt8]) {
        if number < 0 {
            text.append(UInt8(ascii: "-"))
        }
        let magnitude = number.magnitude
        var unit: UInt = 1
        var digits = 1
        while digits < width || magnitude / unit >= 10 {
            unit *= 10
            digits += 1
        }
        while unit > 0 {
            text.append(UInt8(ascii: "0") + UInt8(magnitude / unit % 10))
            unit /= 10
        }
    }

    /// The day of `2026-11-21`, these ten characters exactly; nil for anything else.
    static func day(_ text: ArraySlice<UInt8>) -> Int? {
        let start = text.startIndex
        guard text.count == 10, text[start + 4] == UInt8(ascii: "-"), text[start + 7] == UInt8(ascii: "-"),
            let year = number(text[start..<start + 4]), let month = number(text[start + 5..<start + 7]),
            let day = number(text[start + 8..<start + 10])
        else { return nil }
        return self.day(year: year, month: month, day: day)
    }

    /// The number that one to nine digits spell, and nothing else.
    static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard 1...9 ~= digits.count else { return nil }
        var number = 0
        for digit in digits {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }
}
