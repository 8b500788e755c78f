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
        case .oneOf(let schemas, by: _): return schemas.map(\.summary).joined(separator: ", ")
        }
    }

    /// Its members in a table.
    var article: String {
        guard let name, case .object(let properties) = form else { return "" }
        return """
            <article id="\(name)"><h3>\(name)</h3>
            <p>\(HTML.text(about ?? ""))</p>
            \(properties.isEmpty ? "" : HTML.table(["Member", "Type", "What it is"], Self.rows(properties)))
            </article>
            """
    }

    private static func rows(_ properties: [Property], below parent: String = "") -> [[String]] {
        properties.flatMap { property in
            let name = parent + property.name
            let row = [
                "<code>\(HTML.text(name))</code>\(property.isRequired ? "" : " <small>optional</small>")",
                property.schema.summary, HTML.text(property.about),
            ]
            guard property.schema.name == nil, case .object(let inner) = property.schema.form else { return [row] }
            return [row] + rows(inner, below: name + ".")
        }
    }
}

extension Schema.Rule {
    fileprivate var summary: String? {
        switch self {
        case .minimum(let value): "\(value) or more"
        case .maximum(let value): "\(value) or less"
        case .length(let range): "string of \(range.lowerBound) to \(range.upperBound)"
        case .count(let count): "\(count) of them"
        case .format(let name): HTML.text("`\(name)`")
        case .pattern: "string"
        case .choices(let choices): choices.map { HTML.text("`\($0)`") }.joined(separator: " or ")
        case .elements: nil
        }
    }
}
