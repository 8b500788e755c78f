import JulietAPI

/// The query of a request to the admin page. Each name may occur once.
struct AdminQuery {
    /// The known names. Others are ignored.
    enum Name: String { case id, search, before, language, word, league, challenge, part, game, days }

    private var values: [Name: String] = [:]

    /// Reads a query.
    ///
    /// - Throws: If a name occurs twice, or a value is not encoded well or has control characters.
    init(_ query: String?) throws(V2.RequestFault) {
        for item in (query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            guard let name = PercentEncoding.decode(item[..<end]).flatMap(Name.init) else { continue }
            guard let value = PercentEncoding.decode(item[end...].dropFirst()),
                !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else { throw Self.fault(name, "must be text without control characters") }
            guard values.updateValue(value, forKey: name) == nil else {
                throw Self.fault(name, "must not be given twice")
            }
        }
    }

    /// A value; nil when it is missing or empty.
    subscript(name: Name) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// A required value.
    func required(_ name: Name) throws(V2.RequestFault) -> String {
        guard let value = self[name] else { throw Self.fault(name, "is missing") }
        return value
    }

    /// The number before which a page begins.
    func before() throws(V2.RequestFault) -> Int? {
        guard let text = self[.before] else { return nil }
        guard let number = Int(text), number >= 0 else { throw .unknownPage }
        return number
    }

    /// An error about a value.
    static func fault(_ name: Name, _ complaint: String) -> V2.RequestFault {
        V2.RequestFault(path: name.rawValue, detail: "\"\(name.rawValue)\" \(complaint).")
    }
}
