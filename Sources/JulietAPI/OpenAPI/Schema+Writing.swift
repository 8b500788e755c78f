extension Schema {
    /// The place of named schemas in an OpenAPI document.
    private static let components = "#/components/schemas/"

    /// Writes the schema, or a reference if it has a name.
    ///
    /// - Parameter about: The description of the value at this place.
    package func write(to writer: inout JSONWriter, about: String? = nil) {
        guard let name else { return define(to: &writer, about: about) }
        writer.openObject()
        if isNullable {
            writer.name("anyOf")
            writer.openArray()
            writer.next()
            Self.writeReference(name, to: &writer)
            writer.next()
            writer.openObject()
            writer.member("type", "null")
            writer.closeObject()
            writer.closeArray()
        } else {
            writer.member("$ref", Self.components + name)
        }
        writer.member("description", about)
        writer.closeObject()
    }

    private static func writeReference(_ name: String, to writer: inout JSONWriter) {
        writer.openObject()
        writer.member("$ref", components + name)
        writer.closeObject()
    }

    /// Writes the schema itself, whether it has a name or not. If it has one, `null` is only added where it is used.
    package func define(to writer: inout JSONWriter) {
        define(to: &writer, about: about)
    }

    private func define(to writer: inout JSONWriter, about: String?) {
        writer.openObject()
        writer.member("description", about)
        switch form {
        case .boolean: writeType("boolean", to: &writer)
        case .integer: writeType("integer", to: &writer)
        case .number: writeType("number", to: &writer)
        case .string: writeType("string", to: &writer)
        case .array(let element):
            writeType("array", to: &writer)
            writer.name("items")
            element.with(elementRules).write(to: &writer)
        case .object(let properties):
            writeType("object", to: &writer)
            Self.write(properties, to: &writer)
        case .oneOf(let schemas, by: let member):
            Self.write(schemas, by: member, to: &writer)
        }
        for rule in rules { rule.write(to: &writer) }
        writer.closeObject()
    }

    private var elementRules: [Rule] {
        rules.compactMap { rule in
            guard case .elements(let rule) = rule else { return nil }
            return rule
        }
    }

    private func writeType(_ type: String, to writer: inout JSONWriter) {
        if isNullable, name == nil {
            writer.member("type", [type, "null"])
        } else {
            writer.member("type", type)
        }
    }

    private static func write(_ properties: [Property], to writer: inout JSONWriter) {
        guard !properties.isEmpty else { return }
        writer.name("properties")
        writer.openObject()
        for property in properties {
            writer.name(property.name)
            property.schema.write(to: &writer, about: property.about)
        }
        writer.closeObject()
        let required = properties.filter(\.isRequired).map(\.name)
        if !required.isEmpty { writer.member("required", required) }
    }

    private static func write(_ schemas: [Schema], by member: String?, to writer: inout JSONWriter) {
        // Shapes without a distinguishing constant may overlap.
        writer.name(member == nil ? "anyOf" : "oneOf")
        writer.openArray()
        for schema in schemas {
            writer.next()
            schema.write(to: &writer)
        }
        writer.closeArray()
        guard let member else { return }
        writer.name("discriminator")
        writer.openObject()
        writer.member("propertyName", member)
        writer.name("mapping")
        writer.openObject()
        for schema in schemas {
            guard let name = schema.name, let value = schema.constant(of: member) else { continue }
            writer.member(value, components + name)
        }
        writer.closeObject()
        writer.closeObject()
    }

    /// The only value that a member can have.
    private func constant(of member: String) -> String? {
        guard case .object(let properties) = form else { return nil }
        for case .choices(let choices) in properties.first(where: { $0.name == member })?.schema.rules ?? [] {
            return choices.first
        }
        return nil
    }
}

extension Schema.Rule {
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .minimum(let value): writer.member("minimum", value)
        case .range(let range):
            writer.member("minimum", range.lowerBound)
            writer.member("maximum", range.upperBound)
        case .length(let range):
            writer.member("minLength", range.lowerBound)
            writer.member("maxLength", range.upperBound)
        case .count(let count):
            writer.member("minItems", count)
            writer.member("maxItems", count)
        case .format(let name): writer.member("format", name)
        case .pattern(let pattern): writer.member("pattern", pattern)
        // Also for a single choice, because some generators of clients do not merge `const` with `type`.
        case .choices(let choices): writer.member("enum", choices)
        case .elements: break  // Written with the elements.
        }
    }
}
