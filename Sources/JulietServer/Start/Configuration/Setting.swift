/// One setting as ``Settings`` declares it, and its value: a line for people.
package struct Setting: Sendable {
    /// The key in `config/juliet.json`, for example `energy.clientUpdates`.
    package let key: String
    /// What a value may be, in words that complete "expected ...".
    package let expectation: String
    /// The default value, as people write it; empty for none.
    package let defaultText: String
    /// Whether the value must not be shown or logged. A secret may also be read from a file.
    package let isSecret: Bool
    /// Whether it may have several values: a list in the settings file, commas between them elsewhere.
    package var isList = false
    /// What it means, in a line.
    package let summary: String
    /// The value as people write it, "(hidden)" for a secret, "(none)" for nothing.
    package internal(set) var shown = ""
    /// Where the value comes from: "--port", "JULIET_HTTP_PORT", "config/juliet.json", "default".
    package internal(set) var source = "default"

    /// The environment variable, for example `JULIET_ENERGY_CLIENT_UPDATES`.
    package var environmentVariable: String { Self.environmentVariable(for: key) }

    /// A word begins with a capital, unless it goes on with the capitals of an acronym: `bundleID` is `BUNDLE_ID`, and
    /// `useTLSProxy` is `USE_TLS_PROXY`.
    static func environmentVariable(for key: String) -> String {
        var name = "JULIET_"
        var previous: Character = "."
        for (index, character) in zip(key.indices, key) {
            let next = key[index...].dropFirst().first
            let goesOn = previous.isUppercase && next?.isLowercase != true
            if character.isUppercase, previous != ".", !goesOn { name.append("_") }
            name.append(character == "." || character == "-" ? "_" : character.uppercased())
            previous = character
        }
        return name
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

    /// How many whole milliseconds it has. Not by division, whose result is a fraction that may be a little too small.
    private var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }

    /// Writes the duration in the largest unit that needs no fraction of it.
    package var configurationText: String {
        for (suffix, unit) in Self.units.reversed() {
            let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: unit.milliseconds)
            if quotient > 0, remainder == 0 { return "\(quotient)\(suffix)" }
        }
        return "0ms"
    }
}
