import Configuration

/// The value of every key in ``Setting/catalog``, from flags, environment variables, `config/juliet.json` and defaults,
/// the first that has it.
package struct Settings: Sendable {
    /// A value and where it comes from.
    package struct Resolved: Sendable {
        /// The value as people write it.
        package let text: String
        /// For people: "--port", "JULIET_HTTP_PORT", "config/juliet.json", "default".
        package let source: String
    }

    private let values: [String: Resolved]

    /// Resolves and checks every key.
    ///
    /// - Parameters:
    ///   - flags: What the command line set: key, value and the flag's name for messages.
    ///   - environment: The environment variables. `JULIET_…` are keys, and `JULIET_…_FILE` the files that hold secret
    ///     ones; `DATABASE_URL`, `DATABASE_URL_FILE` and `PGPASSWORD_FILE` stand for the database's.
    ///   - file: The settings file, if there is one.
    ///   - readSecret: Reads a secret's file.
    /// - Throws: ``SettingsError`` for the first unknown key or bad value.
    package init(
        flags: [(key: String, value: String, flag: String)] = [],
        environment: [String: String],
        file: SettingsFile?,
        readSecret: (String) throws -> String = readTextFile
    ) throws(SettingsError) {
        let environment = try Self.withSecretsFromFiles(environment, readSecret)
        try Self.checkNames(environment, file)
        let layers: [(provider: any ConfigProvider, source: (Setting) -> String)] = [
            (
                InMemoryProvider(values: .init(flags.map { (AbsoluteConfigKey($0.key), $0.value) })),
                { setting in flags.first { $0.key == setting.key }?.flag ?? "" }
            ),
            (
                EnvironmentVariablesProvider(environmentVariables: environment)
                    .prefixKeys(with: "juliet"),
                \.environmentVariable
            ),
            (
                InMemoryProvider(values: .init((file?.values ?? [:]).map { (AbsoluteConfigKey($0), $1) })),
                { _ in file?.path ?? "" }
            ),
            (
                InMemoryProvider(
                    values: .init(Setting.catalog.map { (AbsoluteConfigKey($0.key), $0.defaultValue) })),
                { _ in "default" }
            ),
        ]
        var values: [String: Resolved] = [:]
        for setting in Setting.catalog {
            for layer in layers {
                guard let text = Self.text(of: setting.key, in: layer.provider) else { continue }
                let source = layer.source(setting)
                guard setting.accepts(text) else {
                    let shown = setting.isSecret ? "this value" : "\"\(text)\""
                    throw SettingsError("\(setting.key) (\(source)): \(shown) is not \(setting.expectation)")
                }
                values[setting.key] = Resolved(text: text, source: source)
                break
            }
        }
        self.values = values
    }

    /// The value of a key in the catalog.
    package subscript(key: String) -> Resolved {
        guard let value = values[key] else { preconditionFailure("no setting is called \(key)") }
        return value
    }

    /// A text.
    package func text(_ key: String) -> String { self[key].text }

    /// A whole number.
    package func integer(_ key: String) -> Int { Int(text(key)) ?? 0 }

    /// A duration.
    package func duration(_ key: String) -> Duration { Duration(configurationText: text(key)) ?? .zero }

    /// The texts of a list, without blanks around them and without empty ones.
    package func list(_ key: String) -> [String] {
        text(key).split(separator: ",").map { item in
            var trimmed = item.drop(while: \.isWhitespace)
            while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
            return String(trimmed)
        }.filter { !$0.isEmpty }
    }

    /// A table of all keys, secrets hidden, as `juliet config` prints it.
    package func table() -> String {
        var lines: [String] = []
        for setting in Setting.catalog {
            let resolved = self[setting.key]
            let shown =
                if resolved.text.isEmpty { "(none)" } else if setting.isSecret { "(hidden)" } else { resolved.text }
            lines.append("\(setting.key) = \(shown)")
            let source = resolved.source == "default" ? "default" : "from \(resolved.source)"
            lines.append("    \(setting.summary). [\(source); \(setting.environmentVariable)]")
        }
        return lines.joined(separator: "\n")
    }

    private static func text(of key: String, in provider: any ConfigProvider) -> String? {
        guard let found = try? provider.value(forKey: AbsoluteConfigKey(key), type: .string).value,
            case .string(let text) = found.content
        else { return nil }
        return text
    }

    private static func withSecretsFromFiles(
        _ environment: [String: String],
        _ read: (String) throws -> String
    ) throws(SettingsError) -> [String: String] {
        var environment = environment
        for (known, ours) in [
            ("DATABASE_URL", "JULIET_DATABASE_URL"), ("DATABASE_URL_FILE", "JULIET_DATABASE_URL_FILE"),
            ("PGPASSWORD_FILE", "JULIET_DATABASE_PASSWORD_FILE"),
        ] where environment[ours] == nil {
            environment[ours] = environment[known]
        }
        for setting in Setting.catalog where setting.isSecret {
            let name = setting.environmentVariable
            guard let path = environment.removeValue(forKey: name + "_FILE"), environment[name] == nil else { continue }
            do {
                var secret = try read(path)
                while secret.last?.isNewline == true { secret.removeLast() }
                environment[name] = secret
            } catch {
                throw SettingsError("\(setting.key) (\(name)_FILE): cannot read \(path): \(error)")
            }
        }
        return environment
    }

    private static func checkNames(_ environment: [String: String], _ file: SettingsFile?) throws(SettingsError) {
        let keys = Setting.catalog.map(\.key)
        for key in (file?.values.keys.sorted() ?? []) where !keys.contains(key) {
            throw SettingsError("\(file?.path ?? ""): unknown key \(key)\(suggestion(for: key, among: keys))")
        }
        let names = Setting.catalog.map(\.environmentVariable)
        for name in environment.keys.sorted() where name.hasPrefix("JULIET_") && !names.contains(name) {
            throw SettingsError("unknown environment variable \(name)\(suggestion(for: name, among: names))")
        }
    }

    private static func suggestion(for name: String, among known: [String]) -> String {
        let close = known.map { ($0, distance(name.lowercased(), $0.lowercased())) }.min { $0.1 < $1.1 }
        guard let close, close.1 <= 3 else { return "; juliet config lists all keys" }
        return "; did you mean \(close.0)?"
    }

    /// The Levenshtein distance.
    private static func distance(_ left: String, _ right: String) -> Int {
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}

extension Dictionary where Key == AbsoluteConfigKey, Value == ConfigValue {
    fileprivate init(_ texts: [(AbsoluteConfigKey, String)]) {
        self.init(texts.map { ($0, ConfigValue(.string($1), isSecret: false)) }) { _, last in last }
    }
}

extension AbsoluteConfigKey {
    fileprivate init(_ key: String) { self.init(key.split(separator: ".").map(String.init)) }
}
