/// A value that can be written as JSON.
package protocol JSONWritable: SendableMetatype {
    /// What is written.
    static var schema: Schema { get }

    /// Writes exactly one value.
    func write(to writer: inout JSONWriter)
}

/// A value that is a JSON object.
package protocol JSONObject: JSONWritable {
    /// The members, each declared once.
    static var jsonMembers: JSONMembers<Self> { get }

    /// Writes the members, between the braces.
    func writeMembers(to writer: inout JSONWriter)
}

extension JSONObject {
    /// An object with the members.
    package static var schema: Schema { jsonMembers.schema }

    /// Writes the members as they are declared.
    package func writeMembers(to writer: inout JSONWriter) { Self.jsonMembers.write(of: self, to: &writer) }

    /// Writes the object, braces and all.
    package func write(to writer: inout JSONWriter) {
        writer.openObject()
        writeMembers(to: &writer)
        writer.closeObject()
    }

    /// The object as JSON, UTF-8, without a blank or line end: a whole body.
    package func encoded() -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        write(to: &writer)
        return writer.bytes
    }
}

// MARK: Values of JSON's own

extension Bool: JSONWritable {
    /// Any of the two.
    package static let schema = Schema.boolean

    /// Writes `true` or `false`.
    package func write(to writer: inout JSONWriter) { writer.boolean(self) }
}

extension Int: JSONWritable {
    /// Any integer.
    package static let schema = Schema.integer

    /// Writes an integer.
    package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Double: JSONWritable {
    /// Any number.
    package static let schema = Schema.number

    /// Writes a finite number with as few digits as give it again.
    package func write(to writer: inout JSONWriter) { writer.number(self) }
}

extension String: JSONWritable {
    /// Any string.
    package static let schema = Schema.string

    /// Writes a string.
    package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Array: JSONWritable where Element: JSONWritable {
    /// Any number of elements.
    package static var schema: Schema { Schema(.array(of: Element.schema)) }

    /// Writes an array.
    package func write(to writer: inout JSONWriter) {
        writer.openArray()
        for element in self { writer.element(element) }
        writer.closeArray()
    }
}

extension RawRepresentable where RawValue == String, Self: JSONWritable {
    /// Writes the raw value.
    package func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}

extension RawRepresentable where RawValue == String, Self: JSONWritable & CaseIterable {
    /// One of the raw values.
    package static var schema: Schema { Schema(.string, [.choices(allCases.map(\.rawValue))]) }
}
