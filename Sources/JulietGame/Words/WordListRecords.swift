package import Postgres

/// The words for operators: table `words`, over one session of the role that owns it.
package struct WordListRecords {
    /// A word and its state.
    package struct Entry: Sendable, Hashable, Encodable {
        /// The word.
        package let word: String
        /// Whether a game may deal it.
        package let isSecret: Bool
        /// Whether it was retired: no game deals it.
        package let isRetired: Bool
    }

    /// The words of one language and length, counted.
    package struct Count: Sendable, Hashable, Encodable {
        /// As in `words.language`.
        package let language: String
        /// Letters per word.
        package let length: Int
        /// Words that can be guessed, secrets included, retired ones not.
        package let guessable: Int
        /// Words that are dealt.
        package let secret: Int
        /// Words that were retired.
        package let retired: Int
    }

    /// Which words to list.
    package struct Filter: Sendable {
        /// As in `words.language`.
        package var language: String
        /// Only secrets.
        package var onlySecret = false
        /// Only words of so many letters; nil for all.
        package var length: Int?
        /// The retired ones instead of the others; nil for both.
        package var isRetired: Bool? = false

        /// All words of a language but the retired ones.
        package init(language: String) { self.language = language }
    }

    private let connection: PostgresConnection

    /// Works on this session.
    package init(connection: PostgresConnection) { self.connection = connection }

    /// Visits words in their order, a page at a time.
    package func forEach(
        _ filter: Filter, _ body: (Entry) throws -> Void
    ) async throws {
        var last = ""
        while true {
            let page = try await connection.execute(ListWords(filter: filter, after: last))
            for entry in page { try body(entry) }
            guard let word = page.last?.word, page.count == ListWords.pageSize else { return }
            last = word
        }
    }

    /// The words that are not in the table.
    package func unknown(_ words: [String], language: String) async throws(PostgresError) -> [String] {
        try await connection.execute(UnknownWords(language: language, words: words))
    }

    /// Retires words, whatever lists say about them, or brings them back, and records who did. The words of coming days
    /// are chosen again.
    ///
    /// - Parameter actor: The name for the audit trail.
    /// - Returns: The words that changed.
    package func setRetired(
        _ isRetired: Bool, _ words: [String], language: String, by actor: String
    ) async throws(PostgresError) -> [String] {
        let changed = try await connection.first(
            SetRetired(language: language, words: words, isRetired: isRetired, actor: actor))
        _ = try await connection.execute(ChooseDaysAgain(actor: actor))
        return changed ?? []
    }

    /// A word that is blocked: in no list, and in no challenge.
    package struct Blocked: Sendable, Hashable, Encodable {
        /// The word.
        package let word: String
        /// Why an operator blocked it, if they said so.
        package let reason: String?
    }

    /// The words that operators have blocked, in their order.
    package func blocked() async throws(PostgresError) -> [Blocked] { try await connection.execute(ListBlocked()) }

    /// Those of some words that are blocked, by operators or by the release.
    package func blocked(among words: [String]) async throws(PostgresError) -> [String] {
        try await connection.first(FindBlocked(words: words)) ?? []
    }

    /// Blocks words or takes that back, and records who did. A blocked word is retired in all lists, and then the words of
    /// coming days are chosen again.
    ///
    /// - Parameters:
    ///   - words: As ``WordSpelling`` writes them.
    ///   - reason: Why; nil: nobody said so.
    ///   - actor: The name for the audit trail.
    /// - Returns: The words that changed.
    package func setBlocked(
        _ isBlocked: Bool, _ words: [String], because reason: String?, by actor: String
    ) async throws(PostgresError) -> [String] {
        let changed = try await connection.first(
            SetBlocked(words: words, isBlocked: isBlocked, reason: reason, actor: actor))
        if isBlocked { _ = try await connection.execute(ChooseDaysAgain(actor: actor)) }
        return changed ?? []
    }

    /// Makes every game of its language and length get one secret, until ``dealAll()`` or a change of the lists, so that
    /// examples and tests of clients know the word. The words of days and challenges are not affected. The audit reports it
    /// (`words.list`).
    ///
    /// - Returns: Whether it did: the word is a secret that is not retired.
    package func deal(only word: String, language: String) async throws(PostgresError) -> Bool {
        try await connection.first(DealOnly(language: language, word: word)) != nil
    }

    /// Retires words of the lists that this release blocks and the one before did not.
    package func retireBlocked() async throws(PostgresError) { _ = try await connection.execute(RetireBlocked()) }

    /// Makes games deal every secret again that is not retired. Changes nothing if they do.
    package func dealAll() async throws(PostgresError) { _ = try await connection.execute(RefreshWordLists()) }

    /// A word that can be guessed in games of a list: "crane" if it can, else one that is no secret, if there is one; nil:
    /// there are no words.
    package func exampleGuess(of list: WordList) async throws(PostgresError) -> String? {
        try await connection.first(ExampleGuess(list: list))
    }

    /// Deletes what the words of a language mean, and records who did.
    ///
    /// - Parameters:
    ///   - actor: The name for the audit trail.
    ///   - keeps: false: find out what would change, and change nothing.
    /// - Returns: How many words meant something.
    package func clearMeanings(
        language: String, by actor: String, keeps: Bool = true
    ) async throws -> Int {
        try await connection.inTransaction(keeps: keeps) {
            try await connection.executeScript(StagedWords.lock)
            let cleared = try await connection.first(ClearMeanings(language: language)) ?? 0
            if cleared > 0 {
                _ = try await connection.execute(RefreshWordLists())
                _ = try await connection.execute(
                    RecordMeanings(actor: actor, language: language, change: ["cleared": cleared]))
            }
            return cleared
        }
    }

    /// Counts by language and length.
    package func counts() async throws(PostgresError) -> [Count] {
        try await connection.execute(CountWords())
    }
}

private struct ListWords: Statement {
    static let pageSize = 10_000
    var sql: StaticString {
        """
        SELECT word, is_secret, retired_at IS NOT NULL AS is_retired FROM juliet.words
        WHERE language = $1 AND word > $2 AND (is_secret OR NOT $3)
            AND ($4 IS NULL OR char_length(word) = $4) AND ($5 IS NULL OR (retired_at IS NOT NULL) = $5)
        ORDER BY word LIMIT 10000
        """
    }
    var access: StatementAccess { .read }
    let filter: WordListRecords.Filter
    let after: String

    func bind(to parameters: inout Parameters) {
        parameters.append(filter.language)
        parameters.append(after)
        parameters.append(filter.onlySecret)
        parameters.append(filter.length.map { Int32(clamping: $0) })
        parameters.append(filter.isRetired)
    }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> WordListRecords.Entry {
        WordListRecords.Entry(word: try row.next(), isSecret: try row.next(), isRetired: try row.next())
    }
}

private struct UnknownWords: Statement {
    var sql: StaticString {
        """
        SELECT listed FROM unnest($2::text[]) AS listed
        WHERE NOT EXISTS (SELECT FROM juliet.words WHERE language = $1 AND word = listed) ORDER BY listed
        """
    }
    var access: StatementAccess { .read }
    let language: String
    let words: [String]

    func bind(to parameters: inout Parameters) {
        parameters.append(language)
        parameters.append(words)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
}

private struct ExampleGuess: Statement {
    var sql: StaticString {
        """
        SELECT word FROM juliet.words WHERE language = $1 AND char_length(word) = $2
        ORDER BY word <> 'crane', is_secret, id LIMIT 1
        """
    }
    var access: StatementAccess { .read }

    let list: WordList

    func bind(to parameters: inout Parameters) {
        parameters.append(list.language)
        parameters.append(Int32(clamping: list.letters))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
}

/// One row if the word is dealt from now on.
private struct DealOnly: Statement {
    var sql: StaticString {
        """
        UPDATE juliet.word_lists SET dealable = set_bit(juliet.no_bits(length(dealable)), place, 1) FROM juliet.words
        WHERE words.language = $1 AND word = $2 AND is_secret AND retired_at IS NULL
            AND word_lists.language = words.language AND letters = char_length(word)
        RETURNING 1
        """
    }
    typealias Row = NoRow
    let language: String
    let word: String

    func bind(to parameters: inout Parameters) {
        parameters.append(language)
        parameters.append(word)
    }
}

private struct SetRetired: Statement {
    var sql: StaticString { "SELECT juliet.change_words($1, $2, $3, $4, NULL, NULL, NULL)" }
    let language: String
    let words: [String]
    let isRetired: Bool
    let actor: String

    func bind(to parameters: inout Parameters) {
        parameters.append(actor)
        parameters.append(language)
        parameters.append(words)
        parameters.append(isRetired ? "retire" : "restore")
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> [String] { try row.next() }
}

private struct RetireBlocked: Statement {
    var sql: StaticString {
        """
        SELECT juliet.refresh_word_lists() WHERE EXISTS (
            SELECT FROM juliet.words WHERE word = ANY (juliet.carried_blocked_words()) AND NOT is_banned)
        """
    }
    typealias Row = NoRow
}

private struct ListBlocked: Statement {
    var sql: StaticString { "SELECT word, reason FROM juliet.blocked_words ORDER BY word" }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> WordListRecords.Blocked {
        WordListRecords.Blocked(word: try row.next(), reason: try row.next())
    }
}

private struct FindBlocked: Statement {
    var sql: StaticString {
        "SELECT coalesce(array_agg(word ORDER BY word), '{}') FROM unnest($1::text[]) AS word WHERE juliet.is_blocked_word(word)"
    }
    var access: StatementAccess { .read }
    let words: [String]

    func bind(to parameters: inout Parameters) { parameters.append(words) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> [String] { try row.next() }
}

private struct SetBlocked: Statement {
    var sql: StaticString {
        "SELECT CASE WHEN $1 THEN juliet.block_words($2, $3, $4) ELSE juliet.unblock_words($2, $3, $4) END"
    }
    let words: [String]
    let isBlocked: Bool
    let reason: String?
    let actor: String

    func bind(to parameters: inout Parameters) {
        parameters.append(isBlocked)
        parameters.append(actor)
        parameters.append(words)
        parameters.append(reason)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> [String] { try row.next() }
}

private struct CountWords: Statement {
    var sql: StaticString {
        """
        SELECT language, char_length(word) AS length,
            count(*) FILTER (WHERE retired_at IS NULL) AS guessable,
            count(*) FILTER (WHERE retired_at IS NULL AND is_secret) AS secret,
            count(*) FILTER (WHERE retired_at IS NOT NULL) AS retired
        FROM juliet.words GROUP BY language, char_length(word) ORDER BY language, char_length(word)
        """
    }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> WordListRecords.Count {
        WordListRecords.Count(
            language: try row.next(), length: Int(try row.next(Int32.self)), guessable: Int(try row.next(Int64.self)),
            secret: Int(try row.next(Int64.self)), retired: Int(try row.next(Int64.self)))
    }
}
