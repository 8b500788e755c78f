import Logging

/// Lets a warning or failure through once, and then once a second with the count of those in between: an outage is one
/// line a second, not one a request. Lines with the same message count as the same; the metadata are those of the last one.
struct RepeatLimiter {
    private struct Repeat {
        var end: Int
        var count = 0
        var last: LogLine
    }

    private var repeats: [String: Repeat] = [:]

    /// In nanoseconds.
    private static let interval = 1_000_000_000
    /// How many messages are distinguished; others are not limited.
    private static let limit = 256

    /// When ``due(at:)`` has the next lines.
    var nextDue: Int? { repeats.values.reduce(nil) { min($0 ?? $1.end, $1.end) } }

    /// Counts a line.
    ///
    /// - Parameter now: As `Stopwatch` tells it; it never goes back.
    /// - Returns: Whether to write it now.
    mutating func lets(_ line: LogLine, through now: Int) -> Bool {
        guard line.level >= .warning else { return true }
        if repeats[line.message] != nil {
            repeats[line.message]?.count += 1
            repeats[line.message]?.last = line
            return false
        }
        if repeats.count < Self.limit { repeats[line.message] = Repeat(end: now + Self.interval, last: line) }
        return true
    }

    /// The lines that replace those held back, for messages whose second has passed.
    mutating func due(at now: Int) -> [LogLine] {
        var lines: [LogLine] = []
        for (message, held) in repeats where held.end <= now {
            guard held.count > 0 else {
                repeats[message] = nil
                continue
            }
            var line = held.last
            line.repeats = held.count
            lines.append(line)
            repeats[message] = Repeat(end: now + Self.interval, last: held.last)
        }
        return lines.sorted { $0.time < $1.time }
    }
}
