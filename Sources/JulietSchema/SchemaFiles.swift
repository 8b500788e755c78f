/// What a database begins with, as the program carries it: `migrations/`, `schema/` and `config/words/`.
package enum SchemaFiles {
    /// Names and contents of the migrations.
    package static var migrations: [(name: String, contents: [UInt8])] { files(EmbeddedFiles.migrations) }

    /// Names, relative to `schema/`, and contents of the code.
    package static var code: [(name: String, contents: [UInt8])] {
        files(EmbeddedFiles.schema.filter { $0.name.hasSuffix(".sql") })
    }

    /// What only a server can print of the schema, a line each: `schema/catalog.txt`.
    package static var catalog: String { EmbeddedFiles.schema.first { $0.name == "catalog.txt" }?.text ?? "" }

    /// Names and contents of the word lists, such as `english-secret.txt`.
    package static var words: [(name: String, contents: [UInt8])] { files(EmbeddedFiles.words) }

    private static func files(
        _ files: [(name: String, text: String)]
    ) -> [(name: String, contents: [UInt8])] {
        files.map { ($0.name, Array($0.text.utf8)) }
    }
}
