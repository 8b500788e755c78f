import JulietGame
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The output of commands: results to standard output, messages to standard error.
enum Terminal {
    /// Writes one result.
    static func print(_ text: String) {
        write(text, to: .standardOutput)
    }

    /// Writes a message.
    static func note(_ text: String) {
        write(text, to: .standardError)
    }

    /// A value as JSON for scripts: one document, keys in alphabetical order.
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Writes a list, for scripts or for people, with a note to people if it is empty.
    ///
    /// - Parameters:
    ///   - nothing: The note about an empty list, on standard error.
    ///   - report: How people see it.
    static func print<Row: Encodable>(
        _ rows: [Row], asJSON: Bool, orNote nothing: String, report: ([Row]) -> String
    ) throws {
        if asJSON {
            print(try json(rows))
        } else if rows.isEmpty {
            note(nothing)
        } else {
            print(report(rows))
        }
    }

    /// Rows as columns, two blanks apart.
    ///
    /// - Parameter numbersFrom: The first column that holds numbers, set to the right; nil when none does.
    static func table(_ rows: [[String]], numbersFrom: Int? = nil) -> String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, text in
                let padding = String(repeating: " ", count: widths[column] - text.count)
                if let numbersFrom, column >= numbersFrom { return padding + text }
                return column == row.count - 1 ? text : text + padding
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private static func write(_ text: String, to file: FileDescriptor) {
        // If the reader goes away (`| head`), the command does not fail.
        _ = try? file.writeAll((text + "\n").utf8)
    }
}

/// Reports the progress of work at most every two seconds, and never for shorter work.
struct ProgressNotes {
    private var next = ContinuousClock.now + ProgressNotes.interval

    private static let interval: Duration = .seconds(2)

    /// Reports it, unless something was reported just before.
    mutating func note(_ text: @autoclosure () -> String) {
        guard ContinuousClock.now >= next else { return }
        next = ContinuousClock.now + Self.interval
        Terminal.note(text())
    }
}

/// `1 migration`, `2 migrations`
func counted(_ count: Int, _ noun: String) -> String { counted(count, noun, noun + "s") }

/// `1 entry`, `2 entries`
func counted(_ count: Int, _ noun: String, _ nouns: String) -> String {
    "\(grouped(count)) \(count == 1 ? noun : nouns)"
}

extension String {
    /// A time (ISO 8601 in UTC) without the parts of its second.
    var seconds: String { prefix(19) + "Z" }
}
