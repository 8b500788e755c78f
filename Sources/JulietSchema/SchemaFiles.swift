/// The SQL that this release was built with: `migrations/` and `schema/`, as the program carries them.
package enum SchemaFiles {
    /// Names and contents of the migrations.
    package static var migrations: [(name: String, contents: [UInt8])] { files(EmbeddedSQL.migrations) }

    /// Names, relative to `schema/`, and contents of the code.
    package static var code: [(name: String, contents: [UInt8])] {
        files(EmbeddedSQL.schema.filter { $0.name.hasSuffix(".sql") })
    }

    /// What only a server can print of the schema, a line each: `schema/catalog.txt`.
    package static var catalog: String { EmbeddedSQL.schema.first { $0.name == "catalog.txt" }?.text ?? "" }

    private static func files(
        _ files: [(name: String, text: String)]
    ) -> [(name: String, contents: [UInt8])] {
        files.map { ($0.name, Array($0.text.utf8)) }
    }
}
