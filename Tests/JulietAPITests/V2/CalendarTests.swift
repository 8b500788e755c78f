import Foundation
import JulietAPI
import Testing

@Suite("/v2: days and times")
struct V2CalendarTests {
    @Test(
        "days are written and read, their number counted from 2026-01-01",
        arguments: [
            ("2026-01-01", 20_454, 1), ("2025-12-31", 20_453, 0), ("2026-11-21", 20_778, 325),
            ("1970-01-01", 0, -20_453),
            ("1969-12-31", -1, -20_454), ("2024-02-29", 19_782, -671), ("2000-02-29", 11_016, -9437),
            ("0000-01-01", -719_528, -739_981), ("0000-02-29", -719_469, -739_922),
            ("9999-12-31", 2_932_896, 2_912_443),
        ])
    func days(text: String, days: Int, number: Int) {
        #expect(V2.Day(text) == V2.Day(daysSince1970: days))
        #expect(V2.Day(daysSince1970: days).description == text)
        #expect(V2.Day(daysSince1970: days).number == number)
    }

    @Test(
        "an invalid day, or one that is spelled otherwise, is refused",
        arguments: [
            "", "2026", "2026-11", "2026-11-2", "2026-11-211", "2026-11-21 ", " 2026-11-21", "2026-1-021", "26-11-2026",
            "2026/11/21", "2026-13-01", "2026-00-01", "2026-11-00", "2026-11-31", "2026-02-29", "1900-02-29",
            "2026-11-32", "+026-11-21", "-026-11-21", "2026-+1-21", "2026-11--1", "２０２６-11-21", "2026-11-21T00:00:00Z",
            "12026-11-21", "2026−11−21", "yesterday", "today",
        ])
    func noDays(text: String) {
        #expect(V2.Day(text) == nil)
    }

    @Test("every day of 800 years is its date, as Foundation reckons it")
    func everyDay() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        // From 1600 to 2400; the Gregorian calendar is not Foundation's before 1582.
        for day in -135_140...157_054 {
            let text = V2.Day(daysSince1970: day).description
            #expect(V2.Day(text)?.daysSince1970 == day)
            guard day.isMultiple(of: 7) else { continue }
            let date = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
            #expect(
                text == String(format: "%04d-%02d-%02d", date.year ?? 0, date.month ?? 0, date.day ?? 0))
        }
    }

    @Test("a day of UTC begins when the one before ends, and holds what lies between")
    func bounds() {
        let day = Examples.day
        #expect(day.start.description == "2026-11-21T00:00:00.000000Z")
        #expect(day.previous.next == day)
        #expect(day < day.next)
        let last = V2.Timestamp(microsecondsSince1970: day.next.start.microsecondsSince1970 - 1)
        #expect(last < day.next.start)
        #expect([day.start, last, day.next.start].map(V2.Day.init(of:)) == [day, day, day.next])
        #expect(V2.Day(of: V2.Timestamp(microsecondsSince1970: -1)).description == "1969-12-31")
    }

    @Test(
        "times are written with six digits, and read with zero to nine",
        arguments: [
            ("2026-11-21T12:00:00.123456Z", 1_795_262_400_123_456, "2026-11-21T12:00:00.123456Z"),
            ("2026-11-21T12:00:00Z", 1_795_262_400_000_000, "2026-11-21T12:00:00.000000Z"),
            ("2026-11-21T12:00:00.5Z", 1_795_262_400_500_000, "2026-11-21T12:00:00.500000Z"),
            ("2026-11-21T12:00:00.123456789Z", 1_795_262_400_123_456, "2026-11-21T12:00:00.123456Z"),
            ("2026-11-21T12:00:00.000000999Z", 1_795_262_400_000_000, "2026-11-21T12:00:00.000000Z"),
            ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00.000000Z"),
            ("1969-12-31T23:59:59.999999Z", -1, "1969-12-31T23:59:59.999999Z"),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
        ] as [(String, Int64, String)])
    func times(text: String, microseconds: Int64, written: String) {
        #expect(V2.Timestamp(text) == V2.Timestamp(microsecondsSince1970: microseconds))
        #expect(V2.Timestamp(microsecondsSince1970: microseconds).description == written)
    }

    @Test(
        "what is not a time in UTC is refused",
        arguments: [
            "", "Z", "2026-11-21", "2026-11-21T12:00:00", "2026-11-21 12:00:00Z", "2026-11-21T12:00Z",
            "2026-11-21T12:00:00+00:00", "2026-11-21T24:00:00Z", "2026-11-21T12:60:00Z", "2026-11-21T12:00:60Z",
            "2026-11-31T12:00:00Z", "2026-11-21T12:00:00.Z", "2026-11-21T12:00:00.1234567890Z",
            "2026-11-21T12:00:00,5Z", "2026-11-21T12:00:00.5.5Z", "2026-11-21T12:00:00.-5Z", "2026-11-21T1:00:00ZZZ",
            "2026-11-21T12-00-00Z", "2026-11-21T12:00:00.５Z", "2026-11-21T12:00:00 Z", "2026-11-21T+2:00:00Z",
        ])
    func noTimes(text: String) {
        #expect(V2.Timestamp(text) == nil)
    }

    @Test("every instant of the years 0 to 9999 is read back as it was written")
    func roundTrip() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<20_000 {
            let instant = V2.Timestamp(
                microsecondsSince1970: .random(in: -62_167_219_200_000_000..<253_402_300_800_000_000, using: &random))
            #expect(V2.Timestamp(instant.description) == instant)
        }
    }

    @Test("nothing traps at the ends of time")
    func ends() {
        #expect(V2.Timestamp(microsecondsSince1970: .max).description == "294247-01-10T04:00:54.775807Z")
        #expect(V2.Timestamp(microsecondsSince1970: .min).description == "-290308-12-21T19:59:05.224192Z")
        #expect(V2.Day(daysSince1970: 1 << 40).start.microsecondsSince1970 == .max)
        #expect(V2.Day(daysSince1970: -1 << 40).start.microsecondsSince1970 == .min)
    }
}
