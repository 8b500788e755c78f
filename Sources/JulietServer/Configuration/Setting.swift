/// One configuration key: what it means, what it may be and what it is if nobody says.
package struct Setting: Sendable {
    /// What a value may be, in the form in which people write it.
    package enum Kind: Sendable {
        /// Any text.
        case text
        /// A whole number.
        case integer(ClosedRange<Int>)
        /// A whole number with a unit: `250ms`, `30s`, `5m`, `1h`.
        case duration(ClosedRange<Duration>)
        /// One of a few words.
        case choice([String])
        /// Texts, separated by commas.
        case list
    }

    /// The key in `config/juliet.json`, for example `energy.clientUpdates`.
    package let key: String
    /// What a value may be.
    package let kind: Kind
    /// The value if nobody says otherwise; empty for none.
    package let defaultValue: String
    /// Whether the value must not be shown or logged. A secret may also be read from a file.
    package let isSecret: Bool
    /// What it means, in a line.
    package let summary: String

    init(_ key: String, _ kind: Kind, default defaultValue: String, isSecret: Bool = false, _ summary: String) {
        self.key = key
        self.kind = kind
        self.defaultValue = defaultValue
        self.isSecret = isSecret
        self.summary = summary
    }

    /// The environment variable, for example `JULIET_ENERGY_CLIENT_UPDATES`.
    package var environmentVariable: String {
        var name = "JULIET_"
        for character in key {
            switch character {
            case ".": name.append("_")
            case _ where character.isUppercase: name.append("_\(character)")
            default: name.append(character.uppercased())
            }
        }
        return name
    }

    /// What a value may be, in words that complete "expected ...".
    package var expectation: String {
        switch kind {
        case .text: "text"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .duration(let range):
            "a duration from \(range.lowerBound.configurationText) to \(range.upperBound.configurationText), such as 250ms, 30s, 5m or 1h"
        case .choice(let words): words.joined(separator: " or ")
        case .list: "values separated by commas"
        }
    }

    /// Whether a text is a value of this setting.
    package func accepts(_ text: String) -> Bool {
        switch kind {
        case .text, .list: true
        case .integer(let range): Int(text).map(range.contains) ?? false
        case .duration(let range): Duration(configurationText: text).map(range.contains) ?? false
        case .choice(let words): words.contains(text)
        }
    }
}

extension Duration {
    private static let units: [(suffix: String, unit: Duration)] = [
        ("ms", .milliseconds(1)), ("s", .seconds(1)), ("m", .seconds(60)), ("h", .seconds(3600)),
    ]

    /// Reads a whole number with a unit: `250ms`, `30s`, `5m`, `1h`.
    package init?(configurationText text: String) {
        guard let unit = Self.units.first(where: { text.hasSuffix($0.suffix) }),
            let number = Int32(text.dropLast(unit.suffix.count)), number >= 0
        else { return nil }
        self = unit.unit * Int(number)
    }

    /// Writes the duration in the largest unit that needs no fraction.
    package var configurationText: String {
        for (suffix, unit) in Self.units.reversed() {
            let (quotient, _) = Int(self / .milliseconds(1)).quotientAndRemainder(
                dividingBy: Int(unit / .milliseconds(1)))
            if quotient > 0, unit * quotient == self { return "\(quotient)\(suffix)" }
        }
        return "0ms"
    }
}
