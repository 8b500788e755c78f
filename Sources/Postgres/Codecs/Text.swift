extension String: PostgresEncodable, PostgresDecodable {
    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .text }

    /// Writes UTF-8. PostgreSQL stores no zero character: such a text is refused by the server (SQLSTATE 22021).
    public func encode(to writer: inout ParameterWriter) { writer.append(utf8: self) }

    /// Reads what is text in its binary form, too: `text`, `varchar`, `bpchar`, `name`, `"char"`, `json`, `xml`, and of
    /// the types made in the database enums and those of extensions that are text, such as `citext`.
    ///
    /// A type made in the database is known by a number that says nothing of its form, so its bytes decide: they are
    /// text if they are UTF-8 without control characters other than tab, line feed and carriage return. That keeps out
    /// composites, arrays, multiranges and `hstore`, which begin with a count of four bytes, hence with a zero; ranges,
    /// which begin with flags below 0x20; `ltree` (version 1), PostGIS (byte order 0 or 1) and `vector` (zeros in its
    /// head). An extension's type of a few raw bytes cannot be told apart, and a `citext` with other control characters
    /// is refused: select it as `::text`.
    ///
    /// - Throws: `.type` for any other type; `.malformed` for a built-in one whose bytes are not UTF-8.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        if type.isUserDefined {
            guard Self.looksLikeText(bytes), let text = try? UTF8Span(validating: bytes) else { throw .type(type) }
            self = String(copying: text)
        } else {
            guard type.isText else { throw .type(type) }
            self = try String(postgresUTF8: bytes)
        }
    }

    private static func looksLikeText(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            switch bytes[index] {
            case 0x09, 0x0A, 0x0D, 0x20...: continue
            default: return false
            }
        }
        return true
    }

    /// A connection always speaks UTF-8, so invalid bytes mean a column that is not text.
    init(postgresUTF8 bytes: Span<UInt8>) throws(PostgresDecodingError.Reason) {
        guard let text = try? UTF8Span(validating: bytes) else { throw .malformed }
        self = String(copying: text)
    }
}
