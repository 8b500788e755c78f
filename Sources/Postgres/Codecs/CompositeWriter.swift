/// Writes the fields of a composite value, one after the other, in the binary form that `record_recv` reads.
///
/// A type that stands for a composite writes itself so:
///
/// ```swift
/// struct Place: PostgresEncodable {
///     let name: String
///     let rank: Int32?
///
///     static var postgresType: PostgresType { .unspecified }
///
///     func encode(to writer: inout ParameterWriter) {
///         writer.appendComposite { fields in
///             fields.append(name)
///             fields.append(rank)
///         }
///     }
/// }
/// ```
///
/// The server takes as many fields as the composite has, in its order, each of the very type: a `varchar` is no `text`
/// (SQLSTATE 42804). Fields that the composite has lost do not count.
public struct CompositeWriter: Sendable {
    fileprivate var writer: ParameterWriter
    fileprivate var count: Int32 = 0

    /// Appends a field.
    ///
    /// A field whose type was made in the database needs a ``PostgresEncodable/postgresTypeName`` that is registered;
    /// else the writer fails, and the statement is not sent.
    ///
    /// - Parameter value: The field's value.
    /// - Parameter type: The field's type where it is another one with the same binary form, such as
    ///   ``PostgresType/varchar`` for a `String`. Default: the value's.
    public mutating func append<Value: PostgresEncodable>(_ value: Value, as type: PostgresType? = nil) {
        count += 1
        writer.append((type ?? self.type(of: Value.self)).oid)
        if value.isPostgresNull {
            writer.append(Int32(-1))
        } else {
            writer.appendCounted { value.encode(to: &$0) }
        }
    }

    private mutating func type<Value: PostgresEncodable>(of _: Value.Type) -> PostgresType {
        if let name = Value.postgresTypeName { return writer.type(named: name) }
        let type = Value.postgresType
        if type == .unspecified { writer.fail("a field of a composite whose type has no postgresTypeName") }
        return type
    }
}

extension ParameterWriter {
    /// Appends a composite value.
    ///
    /// - Parameter body: Appends its fields in order.
    public mutating func appendComposite(_ body: (inout CompositeWriter) -> Void) {
        let start = bytes.count
        append(Int32(0))
        // Lent, not copied.
        var fields = CompositeWriter(writer: ParameterWriter())
        swap(&fields.writer, &self)
        body(&fields)
        swap(&fields.writer, &self)
        replace(at: start, with: fields.count)
    }
}
