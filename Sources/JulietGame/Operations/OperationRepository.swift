import Postgres

/// The statements of operations that have a name, each done once.
///
/// Each is one `UPDATE` of the player's row that carries the operation's name and a fingerprint of the request. The
/// schema's trigger (migration 0009) has the row's lock when it records the name, so it sees whatever was committed:
/// either the name is new and the change is done, or it leaves all as it is and hands out the first answer in
/// `operation_answer`. A played word changes nothing of that row: it is locked, and `record_operation` does the same. A
/// repeat that comes too early waits for the lock. So no two can both take effect, in any number of services, and none
/// of them fails the batch it travels in.
struct OperationRepository: Sendable {
    /// What a statement answers. No row: unknown player.
    struct Answer: Sendable {
        /// The fingerprint that the name was first used with; nil when it is new.
        let firstRequest: Int64?
        var outcome: OperationOutcome

        /// Reads the two columns that every operation answers first.
        init(beginning row: inout RowDecoder) throws(PostgresDecodingError) {
            firstRequest = try row.next()
            outcome = OperationOutcome(isDone: try row.next(), isReplay: firstRequest != nil)
        }
    }

    private let database: PostgresClient

    init(database: PostgresClient) { self.database = database }

    func perform(_ statement: some OperationStatement) async throws(PostgresError) -> Answer? {
        try await database.first(statement)
    }
}

/// One operation as a statement, which binds the player, the name and the fingerprint as `$1`, `$2` and `$3`. It
/// returns the fingerprint of the first request, whether it was done and, where there are any, the balance and the word.
protocol OperationStatement: Statement where Row == OperationRepository.Answer {
    var user: User.ID { get }
    var operation: Operation { get }

    /// Appends `$4` and so on.
    func bindRequest(to parameters: inout Parameters)
}

extension OperationStatement {
    var orderingKey: String? { user.rawValue }

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(operation.id.rawValue)
        parameters.append(operation.request)
        bindRequest(to: &parameters)
    }

    func bindRequest(to parameters: inout Parameters) {}

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> OperationRepository.Answer {
        var answer = try OperationRepository.Answer(beginning: &row)
        if !row.isAtEnd { answer.outcome.energy = Int(try row.next(Int32.self)) }
        if !row.isAtEnd { answer.outcome.word = try row.next() }
        return answer
    }
}

/// Creates a player; one who exists stays as they are. The conflict makes an `UPDATE` of it, for the trigger to see.
struct RegisterOnce: OperationStatement {
    static let sql: StaticString = """
        INSERT INTO users (id, energy, energy_reason, operation_id, operation_request)
        VALUES ($1, $4, 'registration', $2, $3)
        ON CONFLICT (id) DO UPDATE SET operation_id = EXCLUDED.operation_id,
            operation_request = EXCLUDED.operation_request, operation_done = true
        RETURNING (operation_answer).request, coalesce((operation_answer).is_done, true)
        """

    let user: User.ID
    let operation: Operation
    let energy: Energy

    func bindRequest(to parameters: inout Parameters) { parameters.append(Int32(clamping: energy)) }
}

/// Pays for one game.
struct PayForGameOnce: OperationStatement {
    static let sql: StaticString = """
        UPDATE users SET energy = CASE WHEN energy >= $4 THEN energy - $4 ELSE energy END, energy_reason = 'game',
            operation_id = $2, operation_request = $3
        WHERE id = $1
        RETURNING (operation_answer).request, coalesce((operation_answer).is_done, energy_changed),
            coalesce((operation_answer).energy, energy)
        """

    let user: User.ID
    let operation: Operation
    let price: Energy

    func bindRequest(to parameters: inout Parameters) { parameters.append(Int32(clamping: price)) }
}

/// Pays for a game and deals a word. A repeat is dealt the first word again.
struct StartGameOnce: OperationStatement {
    static let sql: StaticString = """
        UPDATE users SET energy = CASE WHEN energy >= $4 THEN energy - $4 ELSE energy END, energy_reason = 'game',
            energy_reference = dealt, operation_id = $2, operation_request = $3
        FROM deal_word($1, $5, $6, $7, $8) AS dealt WHERE id = $1 AND dealt IS NOT NULL
        RETURNING (operation_answer).request, coalesce((operation_answer).is_done, energy_changed),
            coalesce((operation_answer).energy, energy),
            CASE WHEN (operation_answer).request IS NOT NULL THEN (operation_answer).word
                WHEN energy_changed THEN dealt END
        """

    let user: User.ID
    let operation: Operation
    let price: Energy
    let proposal: SecretWords.Proposal

    func bindRequest(to parameters: inout Parameters) {
        parameters.append(Int32(clamping: price))
        parameters.append(proposal)
    }
}

/// Adds a purchase.
struct BuyEnergyOnce: OperationStatement {
    static let sql: StaticString = """
        UPDATE users SET energy = energy + $4, energy_reason = 'purchase', operation_id = $2, operation_request = $3
        WHERE id = $1
        RETURNING (operation_answer).request, coalesce((operation_answer).is_done, true),
            coalesce((operation_answer).energy, energy)
        """

    let user: User.ID
    let operation: Operation
    let amount: Energy

    func bindRequest(to parameters: inout Parameters) { parameters.append(Int32(clamping: amount)) }
}

/// Takes over a client's report: it may lower the balance, and raise it up to a maximum.
struct ReportEnergyOnce: OperationStatement {
    static let sql: StaticString = """
        UPDATE users SET energy = LEAST($4, GREATEST($5, energy)), energy_reason = 'client_report',
            operation_id = $2, operation_request = $3, operation_done = true
        WHERE id = $1
        RETURNING (operation_answer).request, coalesce((operation_answer).is_done, true),
            coalesce((operation_answer).energy, energy)
        """

    let user: User.ID
    let operation: Operation
    let energy: Energy
    let maximum: Energy

    func bindRequest(to parameters: inout Parameters) {
        parameters.append(Int32(clamping: energy))
        parameters.append(Int32(clamping: maximum))
    }
}

/// Records that the game refuses a request about energy, so that it stays refused.
struct RefuseOnce: OperationStatement {
    static let sql: StaticString = """
        UPDATE users SET operation_id = $2, operation_request = $3, operation_done = false WHERE id = $1
        RETURNING (operation_answer).request, coalesce((operation_answer).is_done, false),
            coalesce((operation_answer).energy, energy)
        """

    let user: User.ID
    let operation: Operation
}

/// Counts a win.
struct AddWinOnce: OperationStatement {
    static let sql: StaticString = """
        UPDATE users SET wins = wins + 1, operation_id = $2, operation_request = $3, operation_done = true WHERE id = $1
        RETURNING (operation_answer).request, coalesce((operation_answer).is_done, true),
            coalesce((operation_answer).wins, wins)
        """

    let user: User.ID
    let operation: Operation

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> OperationRepository.Answer {
        var answer = try OperationRepository.Answer(beginning: &row)
        answer.outcome.wins = Int(try row.next(Int32.self))
        return answer
    }
}

/// Records a played word, or that it was played again; a repeat of the operation does not make it the latest again.
struct RecordPlayedWordOnce: OperationStatement {
    static let sql: StaticString = """
        WITH player AS MATERIALIZED (SELECT id, energy, wins FROM users WHERE id = $1 FOR NO KEY UPDATE),
        answered AS MATERIALIZED (
            SELECT player.id AS user_id, words.id AS word_id,
                record_operation(player.id, $2, $3, words.id IS NOT NULL, energy, wins) AS answer
            FROM player LEFT JOIN words ON language = $5 AND word = $4),
        played AS (
            INSERT INTO played_words (user_id, word_id)
            SELECT user_id, word_id FROM answered WHERE (answer).request IS NULL AND word_id IS NOT NULL
            ON CONFLICT (user_id, word_id) DO UPDATE SET played_at = now())
        SELECT (answer).request, coalesce((answer).is_done, word_id IS NOT NULL) FROM answered
        """

    let user: User.ID
    let operation: Operation
    let word: String
    let language: String

    func bindRequest(to parameters: inout Parameters) {
        parameters.append(word)
        parameters.append(language)
    }
}
