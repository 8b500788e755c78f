import JulietAPI

extension Schema {
    /// What it is, in a few words; of what has a name, where it is told.
    var summary: String {
        if let name { return "<a href=\"#\(name)\">\(name)</a>" }
        let values = rules.compactMap(\.summary)
        switch form {
        case .boolean: return "boolean"
        case .integer: return (["integer"] + values).joined(separator: ", ")
        case .string: return values.isEmpty ? "string" : values.joined(separator: ", ")
        case .array(let element): return (["array of \(element.summary)"] + values).joined(separator: ", ")
        case .object: return "object"
        case .oneOf(let schemas, by: _): return schemas.map(\.summary).joined(separator: " or ")
        }
    }

    /// What has a name, told in full.
    var article: String {
        guard let name else { return "" }
        let content =
            if case .oneOf(let schemas, by: _) = form {
                "<p>One of: \(schemas.map(\.summary).joined(separator: ", ")).</p>"
            } else {
                members.isEmpty ? "" : HTML.table(["Member", "Type", "What it is"], members)
            }
        return "<article id=\"\(name)\"><h3>\(name)</h3>\n<p>\(HTML.text(about ?? ""))</p>\n\(content)</article>"
    }

    /// An object's members: name, type, and what it is.
    var members: [[String]] { members(below: "") }

    private func members(below parent: String) -> [[String]] {
        guard case .object(let properties) = form else { return [] }
        return properties.flatMap { property in
            let name = parent + property.name
            let row = [
                "<code>\(HTML.text(name))</code>\(property.isRequired ? "" : " <small>optional</small>")",
                property.schema.summary, HTML.text(property.about),
            ]
            return property.schema.name == nil ? [row] + property.schema.members(below: name + ".") : [row]
        }
    }
}

extension Schema.Rule {
    fileprivate var summary: String? {
        switch self {
        case .minimum(let value): "\(value) or more"
        case .range(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .length(let range): "string, \(range.lowerBound) to \(range.upperBound) long"
        case .count(let count): "\(count) of them"
        case .format(let name): HTML.text("`\(name)`")
        case .pattern: "string"
        case .choices(let choices): choices.map { HTML.text("`\($0)`") }.joined(separator: " or ")
        case .elements: nil
        }
    }
}
