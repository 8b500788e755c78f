/// Reads settings one after the other: a call declares a key with everything about it, and returns its value.
///
/// For a bad value the default is returned, and the first bad value is kept as an error: the caller checks the error at
/// the end.
struct SettingsReader {
    /// The settings declared so far.
    private(set) var settings: [Setting] = []
    /// The first bad value.
    private(set) var error: SettingsError?

    private let sources: SettingsSources
    /// The keys to look up; others are declared only.
    let part: Settings.Part

    init(_ sources: SettingsSources, _ part: Settings.Part = .all) {
        self.sources = sources
        self.part = part
    }

    /// A text that a rule accepts, perhaps in another spelling.
    mutating func text(
        _ key: String, _ defaultValue: String, expecting expectation: String, _ summary: String,
        rule: (String) -> String?
    ) -> String {
        let setting = Setting(
            key: key, expectation: expectation, defaultText: defaultValue, isSecret: false, summary: summary)
        return value(of: setting, shown: { $0 }, rule) ?? defaultValue
    }

    /// A whole number.
    mutating func integer(_ key: String, _ defaultValue: Int, in range: ClosedRange<Int>, _ summary: String) -> Int {
        let setting = Setting(
            key: key, expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            defaultText: "\(defaultValue)", isSecret: false, summary: summary)
        return value(of: setting, shown: { "\($0)" }) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        } ?? defaultValue
    }

    /// A whole number with a unit: `250ms`, `30s`, `5m`, `1h`.
    mutating func duration(
        _ key: String, _ defaultValue: Duration, in range: ClosedRange<Duration>, _ summary: String
    ) -> Duration {
        let bounds = "\(range.lowerBound.configurationText) to \(range.upperBound.configurationText)"
        let setting = Setting(
            key: key, expectation: "a duration from \(bounds), such as 250ms, 30s, 5m or 1h",
            defaultText: defaultValue.configurationText, isSecret: false, summary: summary)
        return value(of: setting, shown: \.configurationText) { text in
            Duration(configurationText: text).flatMap { range.contains($0) ? $0 : nil }
        } ?? defaultValue
    }

    /// Whole seconds with a unit: `30s`, `5m`, `1h`.
    mutating func seconds(_ key: String, _ defaultValue: Int, atMost maximum: Int, _ summary: String) -> Int {
        let bound = Duration.seconds(maximum).configurationText
        let setting = Setting(
            key: key, expectation: "a duration of whole seconds from 0s to \(bound), such as 30s, 5m or 1h",
            defaultText: Duration.seconds(defaultValue).configurationText, isSecret: false, summary: summary)
        return value(of: setting, shown: { Duration.seconds($0).configurationText }) { text in
            guard let duration = Duration(configurationText: text), duration.components.attoseconds == 0 else {
                return nil
            }
            let seconds = Int(duration.components.seconds)
            return seconds <= maximum ? seconds : nil
        } ?? defaultValue
    }

    /// One of a few words.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, _ defaultValue: Choice, _ summary: String
    ) -> Choice {
        let setting = Setting(
            key: key, expectation: Choice.allCases.map(\.rawValue).joined(separator: " or "),
            defaultText: defaultValue.rawValue, isSecret: false, summary: summary)
        return value(of: setting, shown: \.rawValue) { Choice(rawValue: $0) } ?? defaultValue
    }

    /// Texts that a rule accepts, perhaps in another spelling, separated by commas.
    mutating func list(
        _ key: String, _ defaultValue: [String] = [], expecting expectation: String, _ summary: String,
        rule: ([String]) -> [String]?
    ) -> [String] {
        let setting = Setting(
            key: key, expectation: expectation, defaultText: defaultValue.joined(separator: ","), isSecret: false,
            isList: true, summary: summary)
        return value(of: setting, shown: { $0.joined(separator: ",") }) { rule($0.items) } ?? defaultValue
    }

    /// A secret; the value that is made of it must not show it. An empty text is none.
    ///
    /// - Parameter fault: Why the rule refuses a text, without the secret; default nothing.
    mutating func secret(
        _ key: String, expecting expectation: String, _ summary: String, rule: (String) -> String?,
        fault: (String) -> String? = { _ in nil }
    ) -> String? {
        let setting = Setting(key: key, expectation: expectation, defaultText: "", isSecret: true, summary: summary)
        return value(of: setting, skipsEmpty: true, shown: { $0 }, { $0.isEmpty ? "" : rule($0) }, fault: fault)
    }

    /// Secrets, separated by commas or line ends; at least one where the key is set at all.
    mutating func secrets(_ key: String, _ summary: String) -> [String] {
        let setting = Setting(
            key: key, expectation: "at least one key, several separated by commas", defaultText: "", isSecret: true,
            isList: true, summary: summary)
        return value(of: setting, shown: { $0.joined() }) { text in
            let items = text.items
            return items.isEmpty ? nil : items
        } ?? []
    }

    /// Refuses values that are valid alone but not together; kept like a bad value, unless there is one already.
    ///
    /// - Parameter sources: Where the values stand; a flag among them makes it an error of usage.
    mutating func refuse(_ message: String, sources: [String] = []) {
        if error == nil { error = SettingsError(message, isUsage: sources.contains { $0.hasPrefix("--") }) }
    }

    private mutating func value<Value>(
        of declared: Setting, skipsEmpty: Bool = false, shown: (Value) -> String, _ parse: (String) -> Value?,
        fault: (String) -> String? = { _ in nil }
    ) -> Value? {
        var setting = declared
        setting.shown = setting.defaultText.isEmpty ? "(none)" : setting.defaultText
        defer { settings.append(setting) }
        guard part.has(setting.key), error == nil else { return nil }
        do throws(SettingsError) {
            let found = try sources.value(of: setting.key, isSecret: setting.isSecret, skipsEmpty: skipsEmpty)
            guard let found else { return nil }
            guard let value = parse(found.text) else {
                let text = setting.isSecret ? "this value" : "\"\(found.text)\""
                let reason = fault(found.text).flatMap { $0.isEmpty ? nil : ": \($0)" } ?? ""
                throw SettingsError(
                    "\(setting.key) (\(found.source)): \(text) is not \(setting.expectation)\(reason)",
                    isUsage: found.isFlag)
            }
            let text = shown(value)
            setting.shown = text.isEmpty ? "(none)" : setting.isSecret ? "(hidden)" : text
            setting.source = found.source
            return value
        } catch {
            self.error = error
            return nil
        }
    }
}

extension String {
    /// The parts between commas or line ends.
    fileprivate var items: [String] {
        split { $0 == "," || $0.isNewline }.map(\.trimmed).filter { !$0.isEmpty }
    }
}

extension Substring {
    /// Without blanks around it.
    fileprivate var trimmed: String {
        var trimmed = drop(while: \.isWhitespace)
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        return String(trimmed)
    }
}
