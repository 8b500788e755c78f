import JulietAPI
import Logging

/// One line of the log.
struct LogLine: Sendable {
    let time: V2.Timestamp
    let level: Logger.Level
    let message: String
    var metadata: Logger.Metadata

    /// How many equal lines it replaces, in addition to the one that was written.
    var repeats = 0

    /// For people: time, level, message, then the rest by name.
    func text() -> [UInt8] {
        var line = "\(time) \(level.rawValue)"
        line += String(repeating: " ", count: max(1, 9 - level.rawValue.utf8.count)) + Self.visible(message)
        for (name, value) in fields {
            let value = "\(value)"
            let isPlain = value.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }
            line +=
                isPlain && !value.isEmpty ? " \(name)=\(value)" : " \(name)=\"\(Self.visible(value, isQuoted: true))\""
        }
        return Array((line + "\n").utf8)
    }

    /// One JSON object.
    func json() -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.openObject()
        writer.member("time", "\(time)")
        writer.member("level", level.rawValue)
        writer.member("message", message)
        for (name, value) in fields {
            if case .stringConvertible(let number as Int) = value {
                writer.member(name, number)
            } else {
                writer.member(name, "\(value)")
            }
        }
        writer.closeObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private var fields: [(String, Logger.MetadataValue)] {
        let fields = metadata.sorted { $0.key < $1.key }
        return repeats > 0 ? fields + [("repeats", .stringConvertible(repeats))] : fields
    }

    /// Replaces hidden characters: no control character reaches a terminal, no line looks like two, and none is shown in another order.
    ///
    /// - Parameter isQuoted: Whether it stands in quotes, and so must not end before its end.
    private static func visible(_ text: String, isQuoted: Bool = false) -> String {
        func isEscaped(_ scalar: Unicode.Scalar) -> Bool { isQuoted && (scalar == "\"" || scalar == "\\") }
        guard text.unicodeScalars.contains(where: { isHidden($0) || isEscaped($0) }) else { return text }
        return text.unicodeScalars.reduce(into: "") { text, scalar in
            if isEscaped(scalar) { text += "\\" }
            text += isHidden(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
    }

    /// Control and format characters, the overrides of the writing direction among them, and the separators of lines and
    /// paragraphs.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
