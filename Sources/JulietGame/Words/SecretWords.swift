import EventLoop
package import Postgres

/// The secrets that the published app can be dealt, in memory, for requests that the database cannot answer: the player is unknown, or
/// the database is out of reach.
///
/// Read at the start by ``read(on:timeout:)`` and again by ``refresh()``; a word that was just retired may be among them until the next.
package final class SecretWords: Sendable {
    private let database: PostgresClient
    private let rules: RulesInForce
    private let words = Locked<[String]>([])

    /// Has no words before they are read.
    ///
    /// - Parameter rules: Which list the published app plays.
    package init(database: PostgresClient, rules: RulesInForce) {
        self.database = database
        self.rules = rules
    }

    /// The words the published app plays.
    package var list: WordList { rules.appList }

    /// Reads the words in a session of its own: at the start, which can be cancelled.
    package func read(on connection: PostgresConnection, timeout: Duration) async throws(PostgresError) {
        let rows = try await connection.execute(ReadSecretWords(list: list), timeout: timeout)
        words.withLock { $0 = rows }
    }

    /// How many words can be dealt, as of the last refresh.
    package var count: Int { words.withLock { $0.count } }

    /// Reads the words again. After an error the old ones stay.
    ///
    /// - Parameter timeout: It may be longer than a player's request, because nobody waits for it.
    package func refresh(timeout: Duration = .seconds(30)) async throws(PostgresError) {
        let rows = try await database.execute(ReadSecretWords(list: list), timeout: timeout)
        words.withLock { $0 = rows }
    }

    /// One of them, in lower case; nil when there are none.
    package func random() -> String? { words.withLock { $0.randomElement() } }
}

/// All secrets of a list that can be dealt.
private struct ReadSecretWords: Statement {
    var sql: StaticString {
        """
        SELECT word FROM juliet.words
        WHERE language = $1 AND char_length(word) = $2 AND is_secret AND place IS NOT NULL
            AND retired_at IS NULL
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
