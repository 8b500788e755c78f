/// What a database begins with, as the program carries it: `migrations/`, `schema/` and `config/words/`.
package enum SchemaFiles {
    /// Names and contents of the migrations.
    package static var migrations: [(name: String, contents: [UInt8])] { files(EmbeddedFiles.migrations) }

    /// Names, relative to `schema/`, and contents of the code.
    package static var code: [(name: String, contents: [UInt8])] {
        files(EmbeddedFiles.schema.filter { $0.name.hasSuffix(".sql") } + [carriedBlockedWords])
    }

    /// `config/words/blocked.txt` as a function, because the database refuses these words itself.
    private static var carriedBlockedWords: (name: String, text: String) {
        let list = EmbeddedFiles.words.first { $0.name == "blocked.txt" }?.text ?? ""
        let words = list.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: ",")
        let sql = """
            -- The words of config/words/blocked.txt.
            --
            -- Called by: is_blocked_word, refresh_word_lists.
            CREATE OR REPLACE FUNCTION carried_blocked_words() RETURNS text[]
            LANGUAGE sql IMMUTABLE AS $$ SELECT '{\(words)}'::text[] $$;

            """
        return ("words/carried_blocked_words.sql", sql)
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
