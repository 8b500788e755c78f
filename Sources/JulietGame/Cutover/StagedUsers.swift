import Postgres

// The statements of an import on the temporary table `staged_users`, in their order.

/// The players as they were read, by their place in the batch. If a player is there twice, the first one counts.
enum StagedUsers {
    static let create = """
        CREATE TEMPORARY TABLE IF NOT EXISTS staged_users (
            row integer NOT NULL, id text COLLATE "C" NOT NULL, energy integer NOT NULL, wins integer NOT NULL,
            has_made_purchase boolean NOT NULL, words integer[] NOT NULL, is_replaced boolean NOT NULL DEFAULT false,
            had integer
        ) ON COMMIT DELETE ROWS;
        CREATE OR REPLACE TEMPORARY VIEW staged_players AS
        SELECT DISTINCT ON (id) *, CASE WHEN has_made_purchase THEN 'had made purchases' END AS reference
        FROM staged_users ORDER BY id, row;
        CREATE OR REPLACE TEMPORARY VIEW staged_words AS
        SELECT staged.id, row_number() OVER (PARTITION BY staged.id ORDER BY number) AS number, word_id, place,
            is_replaced
        FROM staged_players AS staged, unnest(staged.words) WITH ORDINALITY AS listed (word_id, number)
            JOIN juliet.words ON words.id = listed.word_id;
        CREATE OR REPLACE TEMPORARY VIEW bit_size AS
        SELECT coalesce(max(length(dealable)), 0) AS size FROM juliet.word_lists
        """
    static let copy: SQLText = "COPY staged_users (row, id, energy, wins, has_made_purchase, words) FROM STDIN"
}

/// Creates the staged players who are not here yet, under their own id or that of a player who claimed them, with the first entries of their ledgers and their words. One row:
/// how many.
struct CreateStagedUsers: Statement {
    var sql: StaticString {
        """
        WITH staged AS MATERIALIZED (SELECT * FROM staged_players),
        played AS MATERIALIZED (SELECT * FROM staged_words),
        bits AS (
            SELECT played.id, max(number) AS words_played, bit_or(set_bit(juliet.no_bits(size), place, 1)) AS secrets
            FROM played, bit_size GROUP BY played.id),
        created AS (
            INSERT INTO juliet.users (
                id, energy, wins, ledger_entry, ledger_seal, words_played, played_secrets)
            SELECT id, energy, wins, 1, juliet.energy_entry_seal(1, energy, energy, 'import', reference, now()),
                coalesce(words_played, 0), coalesce(secrets, '')
            FROM staged LEFT JOIN bits USING (id)
            WHERE NOT EXISTS (SELECT FROM juliet.claims WHERE account_id = staged.id) ORDER BY id
            ON CONFLICT DO NOTHING RETURNING id),
        opened AS (
            INSERT INTO juliet.energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, reference)
            SELECT id, 'entry 1', 1, energy, energy, 'import', reference FROM created JOIN staged USING (id)),
        recorded AS (
            INSERT INTO juliet.played_words (user_id, number, word_id)
            SELECT id, number, word_id FROM created JOIN played USING (id))
        SELECT count(*) FROM created
        """
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}

/// The players who may have done nothing since they were registered, in the order of their ids.
struct FindUntouched: Statement {
    var sql: StaticString {
        """
        SELECT id FROM juliet.users JOIN staged_players USING (id)
        WHERE users.ledger_entry = 1 AND users.wins = 0 AND words_played = 0 ORDER BY id
        """
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
}

/// Locks a player as their requests do, so that the ledger does not change during the next statements. One player at a time:
/// those of several servers cannot be locked by one statement.
struct LockUntouched: Statement {
    var sql: StaticString { "SELECT id FROM juliet.users WHERE id = $1 FOR NO KEY UPDATE" }
    let player: String

    func bind(to parameters: inout Parameters) { parameters.append(player) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
}

/// Those of the locked ones who were registered by the service, have done nothing since, and whose state is to be replaced,
/// with their balances.
struct FindReplaced: Statement {
    var sql: StaticString {
        """
        SELECT users.id, users.energy FROM staged_players AS staged JOIN juliet.users USING (id)
            JOIN juliet.energy_ledger ON user_id = users.id
        WHERE users.id = ANY ($1) AND users.ledger_entry = 1 AND users.wins = 0 AND words_played = 0
            AND (staged.energy <> users.energy OR staged.wins > 0 OR staged.words <> '{}')
        GROUP BY users.id, users.energy HAVING count(*) = 1 AND bool_and(coalesce(reason = 'registration', false))
        """
    }
    let players: [String]

    init(among players: [String]) { self.players = players }

    func bind(to parameters: inout Parameters) { parameters.append(players) }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> (player: String, energy: Int32) { (try row.next(), try row.next()) }
}

/// Marks them.
struct MarkReplaced: Statement {
    var sql: StaticString {
        """
        UPDATE staged_users SET is_replaced = true, had = found.energy
        FROM staged_players AS staged JOIN unnest($1::text[], $2::integer[]) AS found (id, energy) USING (id)
        WHERE staged_users.row = staged.row
        """
    }
    typealias Row = NoRow
    let players: [(player: String, energy: Int32)]

    func bind(to parameters: inout Parameters) {
        parameters.append(players.map(\.player))
        parameters.append(players.map(\.energy))
    }
}

/// Brings the balances of those who are marked to the old backend's, by one more entry of the ledger.
struct ReplaceEnergy: Statement {
    var sql: StaticString {
        """
        SELECT count(juliet.change_energy(id, energy - had, 'import', reference, NULL, NULL))
        FROM staged_players WHERE is_replaced
        """
    }
    typealias Row = NoRow
}

/// Gives those who are marked their wins and words.
struct ReplaceWords: Statement {
    var sql: StaticString {
        """
        WITH played AS MATERIALIZED (SELECT * FROM staged_words WHERE is_replaced),
        bits AS (
            SELECT played.id, max(number) AS words_played, bit_or(set_bit(juliet.no_bits(size), place, 1)) AS secrets
            FROM played, bit_size GROUP BY played.id),
        replaced AS (
            UPDATE juliet.users SET wins = staged.wins, words_played = coalesce(bits.words_played, 0),
                played_secrets = coalesce(secrets, '')
            FROM staged_players AS staged LEFT JOIN bits USING (id) WHERE users.id = staged.id AND is_replaced)
        INSERT INTO juliet.played_words (user_id, number, word_id) SELECT id, number, word_id FROM played
        """
    }
    typealias Row = NoRow
}

/// The players who were replaced, and those who are here in another state than the old backend's: for the former the old
/// and the new state, for the latter the old backend's and ours.
struct FindDifferences: Statement {
    var sql: StaticString {
        """
        SELECT row, is_replaced, coalesce(had, 0), staged.energy, staged.wins, ARRAY(
                SELECT word FROM unnest(staged.words) WITH ORDINALITY AS listed (id, number)
                    JOIN juliet.words USING (id) ORDER BY number), users.energy, users.wins, ARRAY(
                SELECT word FROM juliet.played_words JOIN juliet.words ON words.id = word_id
                WHERE user_id = users.id ORDER BY number)
        FROM staged_users AS staged JOIN juliet.users USING (id)
        WHERE is_replaced OR staged.energy <> users.energy OR staged.wins <> users.wins
            OR staged.words <> ARRAY(SELECT word_id FROM juliet.played_words WHERE user_id = users.id ORDER BY number)
        ORDER BY row
        """
    }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> (row: Int, isReplaced: Bool, was: ImportRemark.State, now: ImportRemark.State) {
        let (number, isReplaced) = (Int(try row.next(Int32.self)), try row.next(Bool.self))
        let registered = ImportRemark.State(energy: try row.next(), wins: 0, playedWords: [])
        let old = ImportRemark.State(energy: try row.next(), wins: try row.next(), playedWords: try row.next())
        let here = ImportRemark.State(energy: try row.next(), wins: try row.next(), playedWords: try row.next())
        return (number, isReplaced, isReplaced ? registered : old, here)
    }
}

/// The players who are here under another id, since they were claimed.
struct FindClaimed: Statement {
    var sql: StaticString {
        """
        SELECT row, user_id FROM staged_users JOIN juliet.claims ON account_id = id ORDER BY row
        """
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> (row: Int, player: String) {
        (Int(try row.next(Int32.self)), try row.next())
    }
}
