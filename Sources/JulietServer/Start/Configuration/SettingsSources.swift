/// Where values come from: flags, environment variables, the settings file; the first that has one.
struct SettingsSources {
    /// A value as people write it.
    struct Found {
        let text: String
        /// For people: "--port", "JULIET_HTTP_PORT", "config/juliet.json".
        let source: String
        var isFlag = false
    }

    private let flags: [(key: String, value: String, flag: String)]
    private let environment: [String: String]
    private let file: SettingsFile?
    private let readSecret: (String) throws -> String

    /// Names that mean a key besides its own, after it.
    private static let aliases = ["database.url": ["DATABASE_URL"]]
    /// The same for a secret's file. `PGPASSWORD` itself is libpq's, and last in its order.
    private static let fileAliases = [
        "database.url": ["DATABASE_URL_FILE"], "database.password": ["PGPASSWORD_FILE"],
    ]

    /// Sources to ask; `readSecret` reads a secret's file.
    init(
        flags: [(key: String, value: String, flag: String)], environment: [String: String], file: SettingsFile?,
        readSecret: @escaping (String) throws -> String
    ) {
        self.flags = flags
        self.environment = environment.filter { !Self.isOfKubernetes($0.key, $0.value) }
        self.file = file
        self.readSecret = readSecret
    }

    /// The first value of a key; nil: no source has one.
    ///
    /// - Parameter skipsEmpty: Whether an empty text is none.
    /// - Throws: ``SettingsError`` for a secret's file that cannot be read or is empty.
    func value(of key: String, isSecret: Bool, skipsEmpty: Bool) throws(SettingsError) -> Found? {
        if let flag = flags.first(where: { $0.key == key }) {
            return Found(text: flag.value, source: flag.flag, isFlag: true)
        }
        let name = Setting.environmentVariable(for: key)
        for name in [name] + (Self.aliases[key] ?? []) {
            let file = isSecret ? try secret(key, name + "_FILE") : nil
            if let text = environment[name], !(text.isEmpty && (skipsEmpty || file != nil)) {
                guard file == nil else {
                    throw SettingsError("\(key): \(name) and \(name)_FILE are both set: keep one of them")
                }
                return Found(text: text, source: name)
            }
            if let file { return file }
        }
        for name in Self.fileAliases[key] ?? [] where isSecret {
            if let found = try secret(key, name) { return found }
        }
        guard let file, let text = file.values[key], !(text.isEmpty && skipsEmpty) else { return nil }
        return Found(text: text, source: file.path)
    }

    /// The secret in the file that a variable names, without the ends of its last line.
    private func secret(_ key: String, _ variable: String) throws(SettingsError) -> Found? {
        guard let path = environment[variable], !path.isEmpty else { return nil }
        var text: String
        do { text = try readSecret(path) } catch {
            throw SettingsError("\(key) (\(variable)): cannot read \(path): \(error)")
        }
        while text.last?.isNewline == true { text.removeLast() }
        // An empty secret file is an error, because the secret was perhaps never written.
        guard !text.isEmpty else { throw SettingsError("\(key) (\(variable)): \(path) is empty") }
        return Found(text: text, source: variable)
    }

    // MARK: Names

    /// Refuses the first name that does not belong to a setting.
    func checkNames(_ settings: [Setting]) throws(SettingsError) {
        let keys = settings.map(\.key)
        for flag in flags where !keys.contains(flag.key) {
            throw SettingsError("\(flag.flag): unknown key \(flag.key)\(Self.suggestion(for: flag.key, among: keys))")
        }
        for key in (file?.values.keys.sorted() ?? []) where !keys.contains(key) {
            throw SettingsError("\(file?.path ?? ""): unknown key \(key)\(Self.suggestion(for: key, among: keys))")
        }
        let names =
            settings.map(\.environmentVariable)
            + settings.filter(\.isSecret).map { $0.environmentVariable + "_FILE" }
        for name in environment.keys.sorted() where name.hasPrefix("JULIET_") && !names.contains(name) {
            throw SettingsError("unknown environment variable \(name)\(Self.suggestion(for: name, among: names))")
        }
    }

    /// Whether Kubernetes made a variable: it sets variables in every pod for every service in its namespace, and a
    /// service called `juliet`, or `juliet-` and more, gets names that look like ours (Kubernetes, "Discovering
    /// services"): `JULIET_SERVICE_HOST`, `JULIET_SERVICE_PORT`, `JULIET_SERVICE_PORT_HTTP`,
    /// `JULIET_PORT=tcp://10.0.0.1:80`, `JULIET_PORT_80_TCP`, `JULIET_PORT_80_TCP_ADDR`.
    private static func isOfKubernetes(_ name: String, _ value: String) -> Bool {
        // Patterns take longer than anything else here, and most variables are not ours.
        guard name.hasPrefix("JULIET_") else { return false }
        return name.wholeMatch(of: #/JULIET_(.+_)?SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)/#) != nil
            || name.wholeMatch(of: #/JULIET_(.+_)?PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?/#) != nil
            || name.hasSuffix("PORT")
                && ["tcp://", "udp://", "sctp://"].contains { value.hasPrefix($0) }
    }

    private static func suggestion(for name: String, among known: [String]) -> String {
        name.mostAlike(of: known, within: 3).map { "; did you mean \($0)?" } ?? "; juliet config lists all keys"
    }
}
