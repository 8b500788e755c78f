import Postgres

// The statements of an import on two temporary tables, in their order. Lists and words are compared only in these: on several
// servers the table of words cannot be joined with a session's tables, and is changed only by values.

/// The lists as they were read, line by line, and the words of their language as they were.
enum StagedWords {
    static let create = """
        CREATE TEMPORARY TABLE staged_words (
            file smallint NOT NULL, line integer NOT NULL, is_secret boolean NOT NULL, word text COLLATE "C" NOT NULL
        ) ON COMMIT DROP;
        CREATE TEMPORARY TABLE known_words (
            id integer NOT NULL, word text COLLATE "C" NOT NULL, is_secret boolean NOT NULL, is_retired boolean NOT NULL,
            is_banned boolean NOT NULL
        ) ON COMMIT DROP
        """
    static let copy: SQLText = "COPY staged_words (file, line, is_secret, word) FROM STDIN"
    /// Others may play meanwhile, but not import.
    static let lock = "LOCK TABLE juliet.words IN SHARE ROW EXCLUSIVE MODE"
    static let analyze = "ANALYZE staged_words; ANALYZE known_words"
}

/// Copies the words of the language as they are.
struct CopyKnownWords: Statement {
    var sql: StaticString {
        """
        INSERT INTO known_words (id, word, is_secret, is_retired, is_banned)
        SELECT id, word, is_secret, retired_at IS NOT NULL, is_banned FROM juliet.words WHERE language = $1
        """
    }
    typealias Row = NoRow
    let language: String

    func bind(to parameters: inout Parameters) { parameters.append(language) }
}

/// The staged secrets that cannot be guessed: neither known nor staged as guessable. The first few, by file and line.
struct FindUnguessable: Statement {
    var sql: StaticString {
        """
        SELECT file, line, word FROM staged_words AS secret
        WHERE is_secret
            AND NOT EXISTS (SELECT FROM staged_words AS other WHERE other.word = secret.word AND NOT other.is_secret)
            AND ($1 OR NOT EXISTS (SELECT FROM known_words WHERE known_words.word = secret.word))
        ORDER BY file, line LIMIT 1000
        """
    }
    /// Whether known words that are not staged are about to be retired.
    let prunesGuessable: Bool

    func bind(to parameters: inout Parameters) { parameters.append(prunesGuessable) }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> (file: Int, line: Int, word: String) {
        (Int(try row.next(Int16.self)), Int(try row.next(Int32.self)), try row.next())
    }
}

/// What an import of one kind will change: one row.
///
/// A secret that a guessable list names stays as it is, retired or not, because only secret lists decide what is dealt.
struct CompareStaged: Statement {
    var sql: StaticString {
        """
        WITH listed AS (SELECT DISTINCT word FROM staged_words WHERE is_secret = $1)
        SELECT count(*) FILTER (WHERE id IS NULL OR ($1 AND NOT is_secret)) AS added,
            count(*) FILTER (WHERE is_retired AND is_secret = $1 AND NOT is_banned) AS restored,
            count(*) AS listed
        FROM listed LEFT JOIN known_words USING (word)
        """
    }
    let isSecret: Bool

    func bind(to parameters: inout Parameters) { parameters.append(isSecret) }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> (added: Int, restored: Int, listed: Int) {
        (Int(try row.next(Int64.self)), Int(try row.next(Int64.self)), Int(try row.next(Int64.self)))
    }
}

/// Adds the guessable words that are not known, as secrets if lists say so.
struct AddGuessable: Statement {
    // An anti-join, not ON CONFLICT: that would use up an id for every existing word.
    var sql: StaticString {
        """
        INSERT INTO juliet.words (language, word, is_secret)
        SELECT $1, word, bool_or(is_secret) FROM staged_words
        WHERE NOT EXISTS (SELECT FROM known_words WHERE known_words.word = staged_words.word)
        GROUP BY word HAVING NOT bool_and(is_secret) ORDER BY word
        """
    }
    typealias Row = NoRow
    let language: String

    func bind(to parameters: inout Parameters) { parameters.append(language) }
}

/// The ids of guessable words that had been retired because no list named them, and that lists name again: one row.
struct FindRestored: Statement {
    var sql: StaticString {
        """
        SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM known_words
        WHERE is_retired AND NOT is_secret AND NOT is_banned
            AND EXISTS (SELECT FROM staged_words WHERE staged_words.word = known_words.word AND NOT staged_words.is_secret)
        """
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> [Int32] { try row.next() }
}

/// Brings words back.
struct RestoreWords: Statement {
    var sql: StaticString { "UPDATE juliet.words SET retired_at = NULL WHERE id = ANY ($1)" }
    typealias Row = NoRow
    let ids: [Int32]

    func bind(to parameters: inout Parameters) { parameters.append(ids) }
}

/// The words that lists name as secrets: one row.
struct ListedSecrets: Statement {
    var sql: StaticString {
        "SELECT coalesce(array_agg(DISTINCT word), '{}') FROM staged_words WHERE is_secret"
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> [String] { try row.next() }
}

/// Makes words secrets, which are dealt. Words that an operator retired stay retired.
struct MakeSecret: Statement {
    var sql: StaticString {
        """
        UPDATE juliet.words SET is_secret = true, retired_at = CASE WHEN is_banned THEN retired_at END
        WHERE language = $1 AND word = ANY ($2) AND (NOT is_secret OR retired_at IS NOT NULL AND NOT is_banned)
        """
    }
    typealias Row = NoRow
    let language: String
    let words: [String]

    func bind(to parameters: inout Parameters) {
        parameters.append(language)
        parameters.append(words)
    }
}

/// The ids of words that the lists of one kind do not name, among words of the lengths that they do name: one row.
struct FindUnlisted: Statement {
    var sql: StaticString {
        """
        SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM known_words
        WHERE NOT is_retired AND (is_secret OR NOT $1)
            AND char_length(word) IN (SELECT DISTINCT char_length(word) FROM staged_words WHERE is_secret = $1)
            AND NOT EXISTS (
                SELECT FROM staged_words AS listed WHERE listed.word = known_words.word AND listed.is_secret = $1)
        """
    }
    let isSecret: Bool

    func bind(to parameters: inout Parameters) { parameters.append(isSecret) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> [Int32] { try row.next() }
}

/// Retires words, and returns how many were not retired already.
struct RetireWords: Statement {
    var sql: StaticString {
        """
        WITH retired AS (
            UPDATE juliet.words SET retired_at = now() WHERE id = ANY ($1) AND retired_at IS NULL RETURNING id)
        SELECT count(*) FROM retired
        """
    }
    let ids: [Int32]

    func bind(to parameters: inout Parameters) { parameters.append(ids) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}

/// Chooses the words of coming days again, from the changed lists.
struct ChooseDaysAgain: Statement {
    var sql: StaticString { "SELECT juliet.choose_days_again($1)" }
    typealias Row = NoRow
    let actor: String

    func bind(to parameters: inout Parameters) { parameters.append(actor) }
}

/// Records an import in the audit trail.
struct RecordImport: Statement {
    var sql: StaticString { "SELECT juliet.record_action($1, 'words.import', NULL, $2, NULL, $3, NULL, NULL)" }
    typealias Row = NoRow
    let actor: String
    let language: String
    let summaries: [WordListImport.Summary]

    func bind(to parameters: inout Parameters) {
        parameters.append(actor)
        parameters.append(language)
        parameters.append(PostgresJSONBValue(summaries))
    }
}

/// How many of the words that meanings are of are in the lists of their language.
struct CountKnown: Statement {
    var sql: StaticString { "SELECT count(*) FROM juliet.words WHERE language = $1 AND $2::jsonb ? word" }
    let language: String
    let meanings: WordMeanings

    func bind(to parameters: inout Parameters) {
        parameters.append(language)
        parameters.append(PostgresJSONBValue(meanings.texts))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}

/// Sets what words mean, and returns how many meant something else or nothing.
struct SetMeanings: Statement {
    var sql: StaticString {
        """
        WITH changed AS (
            UPDATE juliet.words SET meaning = $2::jsonb ->> word
            WHERE language = $1 AND $2::jsonb ? word AND meaning IS DISTINCT FROM $2::jsonb ->> word RETURNING id)
        SELECT count(*) FROM changed
        """
    }
    let language: String
    let meanings: WordMeanings

    func bind(to parameters: inout Parameters) {
        parameters.append(language)
        parameters.append(PostgresJSONBValue(meanings.texts))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}

/// Deletes what the words of a language mean, and returns how many meant something.
struct ClearMeanings: Statement {
    var sql: StaticString {
        """
        WITH cleared AS (
            UPDATE juliet.words SET meaning = NULL WHERE language = $1 AND meaning IS NOT NULL RETURNING id)
        SELECT count(*) FROM cleared
        """
    }
    let language: String

    func bind(to parameters: inout Parameters) { parameters.append(language) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}

/// Records in the audit trail that meanings were imported or deleted.
struct RecordMeanings<Change: Encodable & Sendable>: Statement {
    typealias Row = NoRow
    var sql: StaticString { "SELECT juliet.record_action($1, 'words.meanings', NULL, $2, NULL, $3, NULL, NULL)" }
    let actor: String
    let language: String
    let change: Change

    func bind(to parameters: inout Parameters) {
        parameters.append(actor)
        parameters.append(language)
        parameters.append(PostgresJSONBValue(change))
    }
}

/// Makes games deal new secrets and no retired ones. Every change of words runs it at the end of
/// its transaction.
struct RefreshWordLists: Statement {
    var sql: StaticString { "SELECT juliet.refresh_word_lists()" }
    typealias Row = NoRow
}
