/// How the rows of a `COPY` travel.
public enum PostgresCopyFormat: Sendable, Hashable {
    /// In the binary formats of their types, as parameters and results do. The default: it is exact and needs no parsing.
    ///
    /// Nothing is converted: a value goes into a column of its own type, and is read from one as from any result.
    case binary
    /// In the text forms of their types. The server reads what is sent for whatever type the column has, and a `String`
    /// reads any column.
    ///
    /// All types of the module have a text form but composites, and types and codecs of yours that declare none.
    case text

    /// As an option of `COPY`.
    var option: String { self == .binary ? "(FORMAT binary)" : "(FORMAT text)" }
}
