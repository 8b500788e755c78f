import Postgres
import Testing

@Suite("Dates, times and intervals")
struct CalendarTests {
    /// Calls a closure with a session whose texts are in PostgreSQL's ISO and own style.
    private func withStyles(_ body: @Sendable (PostgresConnection) async throws -> Void) async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                try await connection.executeScript("SET datestyle TO ISO; SET intervalstyle TO postgres")
                try await body(connection)
            }
        }
    }

    @Test("dates are written as the server writes them, from its first to its last")
    func dates() async throws {
        try await withStyles { (connection) async throws in
            try await connection.expectTexts(
                [
                    "4714-11-24 BC", "0044-03-15 BC", "0001-12-31 BC", "0001-01-01", "1582-10-15", "1900-02-28",
                    "1969-12-31", "1970-01-01", "1999-12-31", "2000-01-01", "2000-02-29", "2024-02-29", "9999-12-31",
                    "10000-01-01", "5874897-12-31", "infinity", "-infinity",
                ], of: "date", as: PostgresDate.self)
            var random = SeededGenerator(seed: 3)
            let days = (0..<500).map { _ in
                PostgresDate(daysSince1970: .random(in: -2_440_588...2_145_042_905, using: &random))
            }
            try await connection.expectValues(days, of: "date")
            for day in days {
                let (year, month, dayOfMonth) = try #require(day.components)
                #expect(PostgresDate(year: year, month: month, day: dayOfMonth) == day)
            }
            // Out of the server's range, not of ours.
            for days in [-2_440_589, 2_145_042_906, Int32.max - 1] {
                let failure = await connection.failure("SELECT $1::date", [PostgresDate(daysSince1970: days)])
                #expect(failure?.sqlState == "22008")
            }
            let early = await connection.failure("SELECT $1::date", [PostgresDate(daysSince1970: .min + 1)])
            #expect(early?.description == "misuse: a date that is out of range")
        }
    }

    @Test("there is no 30th of February, nor a date out of range")
    func dateComponents() {
        let none = [
            (2023, 2, 29), (1900, 2, 29), (2024, 2, 30), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1), (2024, 1, 0),
            (2024, 1, 32),
            (-4713, 11, 23), (-4714, 12, 31), (5_874_898, 1, 1), (.max, 1, 1), (.min, 12, 31), (2024, .min, .max),
        ]
        for (year, month, day) in none { #expect(PostgresDate(year: year, month: month, day: day) == nil) }
        #expect(PostgresDate(year: 2024, month: 2, day: 29)?.daysSince1970 == 19_782)
        #expect(PostgresDate(year: -43, month: 3, day: 15)?.description == "0044-03-15 BC")
        #expect(PostgresDate(year: -4713, month: 11, day: 24)?.daysSince1970 == -2_440_588)
        #expect(PostgresDate(year: 5_874_897, month: 12, day: 31)?.daysSince1970 == 2_145_042_905)
        #expect(PostgresDate.infinity.components == nil)
        #expect(PostgresDate.negativeInfinity < PostgresDate(daysSince1970: 0))
        #expect(PostgresDate.infinity > PostgresDate(daysSince1970: 0))
        #expect(PostgresDate(daysSince1970: .max - 1).description == "5881580-07-10")
    }

    @Test("times of day are written as the server writes them, up to 24:00:00")
    func times() async throws {
        try await withStyles { (connection) async throws in
            try await connection.expectTexts(
                ["00:00:00", "00:00:00.000001", "09:30:00", "12:34:56.5", "23:59:59.999999", "24:00:00"],
                of: "time without time zone", as: PostgresTime.self)
            var random = SeededGenerator(seed: 4)
            let times = (0..<200).compactMap { _ in
                PostgresTime(microsecondsSinceMidnight: .random(in: 0...86_400_000_000, using: &random))
            }
            try await connection.expectValues(times, of: "time without time zone")
        }
        let time = PostgresTime(hour: 23, minute: 4, second: 5, microsecond: 60)
        #expect(time?.description == "23:04:05.00006")
        #expect([time?.hour, time?.minute, time?.second, time?.microsecond] == [23, 4, 5, 60])
        #expect(PostgresTime(hour: 24, minute: 0)?.hour == 24)
        #expect(PostgresTime.midnight.description == "00:00:00")
        let none = [
            (24, 0, 0, 1), (25, 0, 0, 0), (-1, 0, 0, 0), (0, 60, 0, 0), (0, 0, 60, 0), (0, 0, 0, 1_000_000),
            (.max, 0, 0, 0),
        ]
        for (hour, minute, second, microsecond) in none {
            #expect(PostgresTime(hour: hour, minute: minute, second: second, microsecond: microsecond) == nil)
        }
        #expect(PostgresTime(microsecondsSinceMidnight: -1) == nil)
        #expect(PostgresTime(microsecondsSinceMidnight: 86_400_000_001) == nil)
    }

    @Test("timestamps without time zone are written as the server writes them, whatever its time zone")
    func localTimestamps() async throws {
        try await withStyles { (connection) async throws in
            try await connection.executeScript("SET timezone TO 'Asia/Kathmandu'")
            try await connection.expectTexts(
                [
                    "4714-11-24 00:00:00 BC", "0044-03-15 12:00:00.5 BC", "0001-01-01 00:00:00",
                    "1969-12-31 23:59:59.999999",
                    "1970-01-01 00:00:00", "1999-12-31 23:59:59.999999", "2000-01-01 00:00:00",
                    "2024-02-29 09:30:00.25",
                    "294276-12-31 23:59:59.999999", "infinity", "-infinity",
                ], of: "timestamp without time zone", as: PostgresLocalTimestamp.self)
            var random = SeededGenerator(seed: 5)
            let values = (0..<500).map { _ in
                PostgresLocalTimestamp(
                    microsecondsSince2000: .random(
                        in: -211_813_488_000_000_000...9_223_371_331_199_999_999, using: &random))
            }
            try await connection.expectValues(values, of: "timestamp without time zone")
            for value in values { #expect(PostgresLocalTimestamp(date: value.date, time: value.time) == value) }
            for microseconds in [.min + 1, -211_813_488_000_000_001, 9_223_371_331_200_000_000, .max - 1] as [Int64] {
                let value = PostgresLocalTimestamp(microsecondsSince2000: microseconds)
                #expect(await connection.failure("SELECT $1::timestamp", [value])?.sqlState == "22008")
            }
        }
        #expect(PostgresLocalTimestamp(date: .infinity) == .infinity)
        #expect(PostgresLocalTimestamp(date: .negativeInfinity)?.date == .negativeInfinity)
        #expect(PostgresLocalTimestamp.infinity.time == .midnight)
        #expect(PostgresLocalTimestamp(date: PostgresDate(daysSince1970: .max - 1)) == nil)
        #expect(PostgresLocalTimestamp(microsecondsSince2000: .min + 1).description.hasSuffix(" BC"))
        #expect(PostgresLocalTimestamp(microsecondsSince2000: .max - 1).description.hasPrefix("294277-01-09 "))
    }

    @Test("instants that do not fit 64 bits are refused, never taken for an infinity")
    func instants() async throws {
        try await withStyles { (connection) async throws in
            #expect(
                try await connection.read(
                    "SELECT '294247-01-10 04:00:54.775806Z'::timestamptz", as: PostgresTimestamp.self)
                    == PostgresTimestamp(microsecondsSince1970: .max - 1))
            for text: SQLText in ["294247-01-10 04:00:54.775807Z", "294276-12-31 23:59:59.999999Z"] {
                let refusal = await connection.refusal(
                    "SELECT '" + text + "'::timestamptz", as: PostgresTimestamp.self)
                #expect(refusal?.reason == .outOfRange)
            }
            let early = PostgresTimestamp(microsecondsSince1970: .min + 1)
            let failure = await connection.failure("SELECT $1::timestamptz", [early])
            #expect(failure?.description == "misuse: an instant that is out of range")
            #expect(
                try await connection.read(
                    "SELECT ARRAY['-infinity', '4714-11-24 00:00Z BC', 'infinity']::timestamptz[]",
                    as: [PostgresTimestamp].self)
                    == [
                        .negativeInfinity, PostgresTimestamp(microsecondsSince1970: -210_866_803_200_000_000),
                        .infinity,
                    ])
        }
        #expect(PostgresTimestamp(microsecondsSince1970: .min + 1).description == "-290308-12-21T19:59:05.224193Z")
        #expect(PostgresTimestamp(microsecondsSince1970: .max - 1).description == "294247-01-10T04:00:54.775806Z")
    }

    @Test("intervals are written as the server writes them, and keep months, days and microseconds apart")
    func intervals() async throws {
        try await withStyles { (connection) async throws in
            try await connection.expectTexts(
                [
                    "0", "1 year", "-1 year", "1 mon", "1 day", "2 days", "-1 day", "1 microsecond", "-1 microsecond",
                    "1 year 2 mons -3 days 04:05:06.7", "-1 year 2 mons", "1 year -25 mons", "-3 days 04:00",
                    "3 days -04:00", "-1 mon -1 day -00:00:00.5", "1000000:00:00", "25:59:59.000001", "178000000 years",
                ], of: "interval", as: PostgresInterval.self)
            var random = SeededGenerator(seed: 6)
            let values = (0..<300).map { _ in
                PostgresInterval(
                    months: .random(in: -100_000...100_000, using: &random),
                    days: .random(in: -10_000...10_000, using: &random),
                    microseconds: .random(in: -1_000_000_000_000...1_000_000_000_000, using: &random))
            }
            try await connection.expectValues(values, of: "interval")
            let extreme = [
                PostgresInterval(months: .max, days: .min, microseconds: .max),
                PostgresInterval(months: .min, days: .max, microseconds: .min),
            ]
            try await connection.expectValues(extreme, of: "interval")
            if connection.serverVersion >= 170_000 {
                try await connection.expectTexts(["infinity", "-infinity"], of: "interval", as: PostgresInterval.self)
            }
        }
        #expect(!PostgresInterval.infinity.isFinite)
        #expect(PostgresInterval.negativeInfinity.description == "-infinity")
        #expect(PostgresInterval(days: 1) != PostgresInterval(microseconds: 86_400_000_000))
    }
}
