// Dates and times are read as PostgreSQL writes them in its ISO style (`datestyle`), intervals in its own
// (`intervalstyle = postgres`): both are its defaults. What is written is read under any setting.

extension PostgresDate {
    /// Writes `2024-02-29`, `0044-03-15 BC`, `infinity`.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }

    /// Reads the same.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) {
        switch text {
        case "infinity": self = .infinity
        case "-infinity": self = .negativeInfinity
        default:
            let (text, isBC) = withoutEra(text)
            guard let date = Self(iso: text, isBC: isBC) else { throw .malformed }
            self = date
        }
    }

    /// - Parameter isBC: Whether the years count backwards from 1 BC.
    fileprivate init?(iso text: Substring, isBC: Bool) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { number($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
        self.init(year: isBC ? 1 - year : year, month: month, day: day)
    }
}

extension PostgresTime {
    /// Writes `09:30:00`, `23:59:59.999999`.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }

    /// Reads the same.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) {
        guard let microseconds = clock(text[...]), let time = Self(microsecondsSinceMidnight: microseconds) else {
            throw .malformed
        }
        self = time
    }
}

extension PostgresLocalTimestamp {
    /// Writes `2024-02-29 09:30:00.25`, `0044-03-15 12:00:00 BC`, `infinity`.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }

    /// Reads the same.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) {
        switch text {
        case "infinity": self = .infinity
        case "-infinity": self = .negativeInfinity
        default:
            let (text, isBC) = withoutEra(text)
            self = try Self(iso: text, isBC: isBC)
        }
    }

    fileprivate init(iso text: Substring, isBC: Bool) throws(PostgresDecodingError.Reason) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let date = PostgresDate(iso: parts[0], isBC: isBC), let microseconds = clock(parts[1]),
            let time = PostgresTime(microsecondsSinceMidnight: microseconds)
        else { throw .malformed }
        guard let timestamp = Self(date: date, time: time) else { throw .outOfRange }
        self = timestamp
    }
}

extension PostgresTimestamp {
    /// Writes `2024-02-29 09:30:00.25+00`, `0044-03-15 12:00:00+00 BC`, `infinity`. An instant before what 64 bits count
    /// from 2000, in 290279 BC, makes the writer fail.
    public func encodeText(to writer: inout ParameterWriter) {
        guard self != .infinity, self != .negativeInfinity else { return writer.append(utf8: description) }
        let (value, overflow) = microsecondsSince1970.subtractingReportingOverflow(Self.epochDifference)
        guard !overflow, value != .min else { return writer.fail("an instant that is out of range") }
        let text = PostgresLocalTimestamp(microsecondsSince2000: value).description
        writer.append(utf8: text.hasSuffix(" BC") ? "\(text.dropLast(3))+00 BC" : "\(text)+00")
    }

    /// Reads the same, with the offset of any time zone.
    ///
    /// - Throws: `.malformed`, and `.outOfRange` for an instant after what 64 bits count from 1970, in 294247.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) {
        switch text {
        case "infinity": self = .infinity
        case "-infinity": self = .negativeInfinity
        default:
            let (text, isBC) = withoutEra(text)
            // Behind the date, whose hyphens are not signs.
            guard let space = text.firstIndex(of: " "),
                let sign = text[space...].firstIndex(where: { $0 == "+" || $0 == "-" }),
                let offset = Self.offset(text[sign...])
            else { throw .malformed }
            let local = try PostgresLocalTimestamp(iso: text[..<sign], isBC: isBC).microsecondsSince2000
            let (value, overflow) = local.subtractingReportingOverflow(offset)
            let (shifted, carries) = value.addingReportingOverflow(Self.epochDifference)
            guard !overflow, !carries, shifted != .max else { throw .outOfRange }
            self.init(microsecondsSince1970: shifted)
        }
    }

    /// `+05:30` in microseconds; minutes and seconds may be left out.
    private static func offset(_ text: Substring) -> Int64? {
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false).map { number($0) }
        var seconds = 0
        for index in 0..<3 {
            guard index < parts.count else {
                seconds *= 60
                continue
            }
            guard let part = parts[index], part < 60 else { return nil }
            seconds = seconds * 60 + part
        }
        guard 1...3 ~= parts.count else { return nil }
        return Int64(text.first == "-" ? -seconds : seconds) * 1_000_000
    }
}

extension PostgresInterval {
    /// Writes `1 year 2 mons -3 days +04:05:06.7`, which `intervalstyle = sql_standard` would read otherwise.
    public func encodeText(to writer: inout ParameterWriter) { writer.append(utf8: description) }

    /// Reads the same.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) {
        switch text {
        case "infinity": self = .infinity
        case "-infinity": self = .negativeInfinity
        default:
            guard let interval = Self(parts: text.split(separator: " ", omittingEmptySubsequences: false)) else {
                throw .malformed
            }
            self = interval
        }
    }

    private init?(parts: [Substring]) {
        self.init()
        var months = 0
        var rest = parts[...]
        while rest.count >= 2 {
            guard let count = Int(rest.removeFirst()), count.magnitude < 1 << 32 else { return nil }
            switch rest.removeFirst() {
            case "year", "years": months += count * 12
            case "mon", "mons": months += count
            case "day", "days":
                guard let count = Int32(exactly: count) else { return nil }
                days = count
            default: return nil
            }
        }
        guard let whole = Int32(exactly: months) else { return nil }
        self.months = whole
        guard let time = rest.first else { return }
        let isNegative = time.hasPrefix("-")
        guard let magnitude = clock(isNegative || time.hasPrefix("+") ? time.dropFirst() : time, isNegative: isNegative)
        else { return nil }
        microseconds = magnitude
    }
}

/// The text without ` BC`, and whether it was there.
private func withoutEra(_ text: String) -> (text: Substring, isBC: Bool) {
    text.hasSuffix(" BC") ? (text.dropLast(3), true) : (text[...], false)
}

/// Digits, without a sign.
private func number(_ text: Substring) -> Int? {
    guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return Int(text)
}

/// `09:30:00.25` in microseconds, with hours of any number.
private func clock(_ text: Substring, isNegative: Bool = false) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hours = number(parts[0]), let minutes = number(parts[1]), minutes < 60 else {
        return nil
    }
    let seconds = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = seconds.first.flatMap({ number($0) }), whole < 60, seconds.count <= 2 else { return nil }
    var fraction = 0
    if seconds.count == 2 {
        guard 1...6 ~= seconds[1].utf8.count, let digits = number(seconds[1]) else { return nil }
        fraction = (seconds[1].utf8.count..<6).reduce(digits) { value, _ in value * 10 }
    }
    let sign: Int64 = isNegative ? -1 : 1
    let rest = sign * Int64((minutes * 60 + whole) * 1_000_000 + fraction)
    let (long, overflow) = Int64(hours).multipliedReportingOverflow(by: sign * 3_600_000_000)
    let (value, carries) = long.addingReportingOverflow(rest)
    return overflow || carries ? nil : value
}
