import Postgres

// What an import runs, in the order in which it runs it, on the temporary table `staged_words`.

/// The lists as they were read, line by line.
enum StagedWords {
    static let create = """
        CREATE TEMPORARY TABLE staged_words (
            file smallint NOT NULL, line integer NOT NULL, is_secret boolean NOT NULL, word text COLLATE "C" NOT NULL
        ) ON COMMIT DROP
        """
    static let copy: SQLText = "COPY staged_words (file, line, is_secret, word) FROM STDIN"
    /// Others may play meanwhile, and may not import.
    static let analyzeAndLock = "ANALYZE staged_words; LOCK TABLE juliet.words IN SHARE ROW EXCLUSIVE MODE"
}

/// The staged secrets that cannot be guessed: neither known nor staged as guessable. The first few, by file and line.
struct FindUnguessable: Statement {
    var sql: StaticString {
        """
        SELECT file, line, word FROM staged_words AS secret
        WHERE is_secret
            AND NOT EXISTS (SELECT FROM staged_words AS other WHERE other.word = secret.word AND NOT other.is_secret)
            AND ($2 OR NOT EXISTS (SELECT FROM juliet.words WHERE language = $1 AND words.word = secret.word))
        ORDER BY file, line LIMIT 1000
        """
    }
    let language: String
    /// Whether what is known and not staged is about to be retired.
    let prunesGuessable: Bool

    func bind(to parameters: inout Parameters) {
        parameters.append(language)
        parameters.append(prunesGuessable)
    }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> (file: Int, line: Int, word: String) {
        (Int(try row.next(Int16.self)), Int(try row.next(Int32.self)), try row.next())
    }
}

/// What an import of one kind will change: one row.
///
/// A secret that a guessable list names stays as it is, retired or not: what is dealt is for secret lists to say.
struct CompareStaged: Statement {
    var sql: StaticString {
        """
        WITH listed AS (SELECT DISTINCT word FROM staged_words WHERE is_secret = $2)
        SELECT count(*) FILTER (WHERE id IS NULL OR ($2 AND NOT is_secret)) AS added,
            count(*) FILTER (WHERE retired_at IS NOT NULL AND is_secret = $2 AND NOT is_banned) AS restored,
            count(*) AS listed
        FROM listed LEFT JOIN juliet.words ON words.language = $1 AND words.word = listed.word
        """
    }
    let language: String
    let isSecret: Bool

    func bind(to parameters: inout Parameters) {
        parameters.append(language)
        parameters.append(isSecret)
    }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> (added: Int, restored: Int, listed: Int) {
        (Int(try row.next(Int64.self)), Int(try row.next(Int64.self)), Int(try row.next(Int64.self)))
    }
}

/// Adds the guessable words that are not known, as secrets where lists say so, and brings back those that were retired
/// because no list named them. What an operator retired stays so.
struct ApplyGuessable: Statement {
    // An anti-join, not ON CONFLICT: that would use up an id for every word that is already there.
    var sql: StaticString {
        """
        WITH listed AS MATERIALIZED (
            SELECT word, bool_or(is_secret) AS is_secret FROM staged_words GROUP BY word HAVING NOT bool_and(is_secret)),
        added AS (
            INSERT INTO juliet.words (language, word, is_secret)
            SELECT $1, word, is_secret FROM listed
            WHERE NOT EXISTS (SELECT FROM juliet.words WHERE words.language = $1 AND words.word = listed.word)
            ORDER BY word)
        UPDATE juliet.words SET retired_at = NULL FROM listed
        WHERE language = $1 AND words.word = listed.word AND NOT words.is_secret AND retired_at IS NOT NULL
            AND NOT is_banned
        """
    }
    typealias Row = NoRow
    let language: String

    func bind(to parameters: inout Parameters) { parameters.append(language) }
}

/// Makes the listed words secrets that are dealt.
struct ApplySecret: Statement {
    var sql: StaticString {
        """
        UPDATE juliet.words SET is_secret = true, retired_at = CASE WHEN is_banned THEN retired_at END
        FROM (SELECT DISTINCT word FROM staged_words WHERE is_secret) AS listed
        WHERE language = $1 AND words.word = listed.word
            AND (NOT is_secret OR retired_at IS NOT NULL AND NOT is_banned)
        """
    }
    typealias Row = NoRow
    let language: String

    func bind(to parameters: inout Parameters) { parameters.append(language) }
}

/// Retires what the lists of one kind do not name, among words of the lengths that they do name: how many.
struct PruneUnlisted: Statement {
    var sql: StaticString {
        """
        WITH pruned AS (
            UPDATE juliet.words SET retired_at = now()
            WHERE language = $1 AND retired_at IS NULL AND (is_secret OR NOT $2)
                AND char_length(word) IN (SELECT DISTINCT char_length(word) FROM staged_words WHERE is_secret = $2)
                AND NOT EXISTS (
                    SELECT FROM staged_words AS listed WHERE listed.word = words.word AND listed.is_secret = $2)
            RETURNING id)
        SELECT count(*) FROM pruned
        """
    }
    let language: String
    let isSecret: Bool

    func bind(to parameters: inout Parameters) {
        parameters.append(language)
        parameters.append(isSecret)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}

/// Chooses the words of days to come anew, from lists that have changed.
struct ChooseDaysAgain: Statement {
    var sql: StaticString { "SELECT juliet.choose_days_again()" }
    typealias Row = NoRow
}

/// Writes into the audit trail what lists brought.
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

/// Has new secrets dealt and retired ones not. Whoever changes words runs it at the end of the
/// transaction.
struct RefreshWordLists: Statement {
    var sql: StaticString { "SELECT juliet.refresh_word_lists()" }
    typealias Row = NoRow
}
