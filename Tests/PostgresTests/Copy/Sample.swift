import Postgres

/// An enum of the database.
enum CopyMood: String, CaseIterable, PostgresEncodable, PostgresDecodable {
    case sad, happy, so_so
    static var postgresTypeName: String? { "copy_mood" }
}

/// A row with a column of every type that the module knows.
struct Sample: Equatable {
    var id: Int32
    var flag: Bool?
    var small: Int16
    var large: Int?
    var real: Float
    var double: Double
    var oid: UInt32
    var letter: UInt8
    var text: String?
    var short: String
    var bytes: [UInt8]
    var uuid: PostgresUUID
    var numeric: PostgresNumeric
    var day: PostgresDate
    var time: PostgresTime
    var local: PostgresLocalTimestamp
    var instant: PostgresTimestamp
    var interval: PostgresInterval
    var address: PostgresInet
    var mac: PostgresMACAddress
    var mac8: PostgresMACAddress8
    var bits: PostgresBitString
    var json: PostgresJSON
    var jsonb: PostgresJSONB
    var mood: CopyMood
    var span: PostgresRange<Int32>
    var stay: PostgresRange<PostgresTimestamp>
    var spans: PostgresMultirange<Int>
    var numbers: [Int32?]
    var grid: [[Int]]
    var texts: [String?]
    var blobs: [[UInt8]]
    var moods: [CopyMood]
    var stays: [PostgresRange<PostgresTimestamp>]
    var days: [PostgresDate]?

    static let table = """
        (id int4, flag bool, small int2, large int8, "real" float4, "double" float8, oid oid, letter "char", "text" text,
         short varchar(200), bytes bytea, uuid uuid, "numeric" numeric, day date, "time" time, local timestamp,
         instant timestamptz, "interval" interval, address inet, mac macaddr, mac8 macaddr8, bits varbit, "json" json,
         jsonb jsonb, mood copy_mood, span int4range, stay tstzrange, spans int8multirange, numbers int4[], grid int8[],
         texts text[], blobs bytea[], moods copy_mood[], stays tstzrange[], days date[])
        """

    static let columns = [
        "id", "flag", "small", "large", "real", "double", "oid", "letter", "text", "short", "bytes", "uuid", "numeric",
        "day", "time", "local", "instant", "interval", "address", "mac", "mac8", "bits", "json", "jsonb", "mood",
        "span",
        "stay", "spans", "numbers", "grid", "texts", "blobs", "moods", "stays", "days",
    ]

    func append(to row: inout CopyRowWriter) {
        row.append(id, flag, small, large, real, double, oid, letter, text, short, bytes, uuid, numeric)
        row.append(day, time, local, instant, interval, address, mac, mac8, bits, json, jsonb, mood)
        row.append(span, stay, spans, numbers, grid, texts, blobs, moods, stays, days)
    }

    func append(to row: inout Parameters) {
        row.append(id, flag, small, large, real, double, oid, letter, text, short, bytes, uuid, numeric)
        row.append(day, time, local, instant, interval, address, mac, mac8, bits, json, jsonb, mood)
        row.append(span, stay, spans, numbers, grid, texts, blobs, moods, stays, days)
    }

    init(_ row: inout RowDecoder) throws(PostgresDecodingError) {
        (id, flag, small, large) = (try row.next(), try row.next(), try row.next(), try row.next())
        (real, double, oid, letter) = (try row.next(), try row.next(), try row.next(), try row.next())
        (text, short, bytes, uuid) = (try row.next(), try row.next(), try row.next(), try row.next())
        (numeric, day, time, local) = (try row.next(), try row.next(), try row.next(), try row.next())
        (instant, interval, address, mac) = (try row.next(), try row.next(), try row.next(), try row.next())
        (mac8, bits, json, jsonb) = (try row.next(), try row.next(), try row.next(), try row.next())
        (mood, span, stay, spans) = (try row.next(), try row.next(), try row.next(), try row.next())
        (numbers, grid, texts, blobs) = (try row.next(), try row.next(), try row.next(), try row.next())
        (moods, stays, days) = (try row.next(), try row.next(), try row.next())
    }
}

extension Sample {
    /// Any row whose values the server keeps as they are.
    init(id: Int32, using generator: inout SeededGenerator) {
        self.id = id
        flag = Self.perhaps(Bool.random(using: &generator), &generator)
        small = Self.any(&generator)
        large = Self.perhaps(Self.any(&generator), &generator)
        real = Self.float(Float.init(bitPattern:), &generator)
        double = Self.float(Double.init(bitPattern:), &generator)
        oid = Self.any(&generator)
        letter = .random(in: 0...127, using: &generator)
        text = Self.perhaps(Self.text(&generator), &generator)
        short = Self.text(&generator)
        bytes = generator.bytes(upTo: 40)
        uuid = PostgresUUID(high: Self.any(&generator), low: Self.any(&generator))
        numeric = Self.numeric(&generator)
        day = Self.day(&generator)
        time = PostgresTime(microsecondsSinceMidnight: .random(in: 0...86_400_000_000, using: &generator)) ?? .midnight
        local = PostgresLocalTimestamp(date: Self.day(&generator, years: 1...9999), time: time) ?? .infinity
        instant = Self.instant(&generator)
        interval = PostgresInterval(
            months: Self.any(&generator) / 2, days: Self.any(&generator) / 2, microseconds: Self.any(&generator) / 2)
        let isIPv6 = Bool.random(using: &generator)
        let address = (0..<(isIPv6 ? 16 : 4)).map { _ in
            Bool.random(using: &generator) ? Self.any(&generator) : UInt8(0)
        }
        self.address =
            PostgresInet(bytes: address, prefixLength: .random(in: 0...address.count * 8, using: &generator))
            ?? Self.wrong("address")
        mac = PostgresMACAddress(bytes: (0..<6).map { _ in Self.any(&generator) }) ?? Self.wrong("address")
        mac8 = PostgresMACAddress8(bytes: (0..<8).map { _ in Self.any(&generator) }) ?? Self.wrong("address")
        bits = PostgresBitString(
            (0..<Int.random(in: 0...20, using: &generator)).map { _ in .random(using: &generator) })
        json = PostgresJSON(#"{"b":  "\\\t\" \#(Int.random(in: 0...9, using: &generator))"}"#)
        jsonb = PostgresJSONB(#"{"a": "\\ \n", "b": [\#(Int.random(in: 0...9, using: &generator)), null]}"#)
        mood = CopyMood.allCases.randomElement(using: &generator) ?? .sad
        span = Self.span(&generator)
        stay = Self.stay(&generator)
        let starts = (0..<Int.random(in: 0...3, using: &generator)).map { $0 * 10 }
        spans = PostgresMultirange(starts.map { PostgresRange($0..<$0 + 5) })
        numbers = Self.list(&generator) { Self.perhaps(Self.any(&$0), &$0) }
        let width = Int.random(in: 1...3, using: &generator)
        grid = Self.list(&generator) { generator in (0..<width).map { _ in Self.any(&generator) } }
        texts = Self.list(&generator) { Self.perhaps(Self.text(&$0), &$0) }
        blobs = Self.list(&generator) { $0.bytes(upTo: 5) }
        moods = Self.list(&generator) { CopyMood.allCases.randomElement(using: &$0) ?? .sad }
        stays = Self.list(&generator) { Self.stay(&$0) }
        days = Self.perhaps(Self.list(&generator) { Self.day(&$0) }, &generator)
    }

    private static func any<Integer: FixedWidthInteger>(_ generator: inout SeededGenerator) -> Integer {
        switch Int.random(in: 0...9, using: &generator) {
        case 0: .min
        case 1: .max
        case 2: 0
        default: .random(in: .min ... .max, using: &generator)
        }
    }

    private static func wrong<Value>(_ what: String) -> Value { preconditionFailure("no \(what) of these bytes") }

    private static func perhaps<Value>(_ value: Value, _ generator: inout SeededGenerator) -> Value? {
        Int.random(in: 0...3, using: &generator) == 0 ? nil : value
    }

    private static func list<Value>(
        _ generator: inout SeededGenerator, _ value: (inout SeededGenerator) -> Value
    ) -> [Value] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in value(&generator) }
    }

    /// Any number but those that are not equal to themselves.
    private static func float<Value: BinaryFloatingPoint, Bits: FixedWidthInteger>(
        _ make: (Bits) -> Value, _ generator: inout SeededGenerator
    ) -> Value {
        let value = make(any(&generator))
        return value.isNaN ? -Value.infinity : value
    }

    /// What has a meaning in one of the formats, more often than not.
    private static func text(_ generator: inout SeededGenerator) -> String {
        let pieces = [
            "\\", "\t", "\n", "\r", "\r\n", "\\N", "\\.", "NULL", "null", "\"", "'", "{", "}", ",", "(", ")", "[", "]",
            " ",
            "", "ü", "🎲", "\u{1}", "\u{7F}", "\u{B}", "\\x41", "\\101", "x", "\\\n", "{}", "\"\"",
        ]
        return (0..<Int.random(in: 0...8, using: &generator)).map { _ in
            pieces.randomElement(using: &generator) ?? ""
        }.joined()
    }

    private static func numeric(_ generator: inout SeededGenerator) -> PostgresNumeric {
        let digits = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
            String(Int.random(in: 0...9, using: &generator))
        }.joined()
        let point = Int.random(in: 0...digits.count, using: &generator)
        let text = "-" + digits.prefix(point) + "." + digits.dropFirst(point)
        return PostgresNumeric(Bool.random(using: &generator) ? text : String(text.dropFirst())) ?? .nan
    }

    private static func day(_ generator: inout SeededGenerator, years: ClosedRange<Int> = -4712...100_000)
        -> PostgresDate
    {
        switch Int.random(in: 0...20, using: &generator) {
        case 0: .infinity
        case 1: .negativeInfinity
        default:
            PostgresDate(
                year: .random(in: years, using: &generator), month: .random(in: 1...12, using: &generator),
                day: .random(in: 1...28, using: &generator)) ?? .infinity
        }
    }

    /// From 4713 BC to the year 100,000.
    private static func instant(_ generator: inout SeededGenerator) -> PostgresTimestamp {
        switch Int.random(in: 0...20, using: &generator) {
        case 0: .infinity
        case 1: .negativeInfinity
        default:
            PostgresTimestamp(
                microsecondsSince1970: .random(
                    in: -210_000_000_000_000_000...3_000_000_000_000_000_000, using: &generator))
        }
    }

    private static func span(_ generator: inout SeededGenerator) -> PostgresRange<Int32> {
        let start = Int32.random(in: -1000...1000, using: &generator)
        return switch Int.random(in: 0...3, using: &generator) {
        case 0: .empty
        case 1: PostgresRange(lower: .unbounded, upper: .exclusive(start))
        case 2: PostgresRange(lower: .inclusive(start), upper: .unbounded)
        default: PostgresRange(start..<start + 7)
        }
    }

    private static func stay(_ generator: inout SeededGenerator) -> PostgresRange<PostgresTimestamp> {
        let start = Int64.random(in: -1_000_000_000_000_000...1_000_000_000_000_000, using: &generator)
        let (lower, upper) = (
            PostgresTimestamp(microsecondsSince1970: start), PostgresTimestamp(microsecondsSince1970: start + 1)
        )
        return switch Int.random(in: 0...3, using: &generator) {
        case 0: .empty
        case 1: PostgresRange(lower: .exclusive(lower), upper: .unbounded)
        case 2: PostgresRange(lower: .inclusive(lower), upper: .inclusive(upper))
        default: PostgresRange(lower: .unbounded, upper: .unbounded)
        }
    }
}
