import Postgres

/// The statements of operations that have a name, each done once.
///
/// Each is one `UPDATE` of the player's row that carries the operation's name and a fingerprint of the request. The
/// schema's trigger (migration 0002) has the row's lock when it looks for the name, so it sees whatever was committed:
/// either it does the change and records it under the name, or it leaves all as it is and hands out the first answer in
/// `operation_answer`. A repeat that comes too early waits for the lock. So no two can both take effect, in any number of
/// services, and none of them fails the batch it travels in.
struct OperationRepository: Sendable {
    /// What a statement answers. No row: unknown player.
    struct Answer: Sendable {
        /// The fingerprint that the name was first used with; nil when it is new.
        let firstRequest: Int64?
        let outcome: OperationOutcome
    }

    private let database: PostgresClient

    init(database: PostgresClient) { self.database = database }

    func perform(_ statement: some OperationStatement) async throws(PostgresError) -> Answer? {
        try await database.first(statement)
    }
}

/// One operation as a statement, which binds the player, the name and the fingerprint as `$1`, `$2` and `$3`.
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
        let firstRequest = try row.next(Int64?.self)
        return OperationRepository.Answer(
            firstRequest: firstRequest,
            outcome: OperationOutcome(
                isDone: try row.next(), energy: Int(try row.next(Int32.self)), wins: Int(try row.next(Int32.self)),
                word: try row.next(), isReplay: firstRequest != nil))
    }
}

/// Creates a player; one who exists stays as they are. The conflict makes an `UPDATE` of it, for the trigger to see.
struct RegisterOnce: OperationStatement {
    static let sql: StaticString = """
        INSERT INTO users (id, energy, energy_reason, operation_id, operation_request)
        VALUES ($1, $4, 'registration', $2, $3)
        ON CONFLICT (id) DO UPDATE SET operation_id = EXCLUDED.operation_id,
            operation_request = EXCLUDED.operation_request, operation_done = true
        RETURNING (operation_answer).request, coalesce((operation_answer).is_done, true), 0, 0, NULL::text
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
            coalesce((operation_answer).energy, energy), 0, NULL::text
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
            coalesce((operation_answer).energy, energy), 0,
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
            coalesce((operation_answer).energy, energy), 0, NULL::text
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
            coalesce((operation_answer).energy, energy), 0, NULL::text
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
            coalesce((operation_answer).energy, energy), 0, NULL::text
        """

    let user: User.ID
    let operation: Operation
}

/// Counts a win.
struct AddWinOnce: OperationStatement {
    static let sql: StaticString = """
        UPDATE users SET wins = wins + 1, operation_id = $2, operation_request = $3, operation_done = true WHERE id = $1
        RETURNING (operation_answer).request, coalesce((operation_answer).is_done, true), 0,
            coalesce((operation_answer).wins, wins), NULL::text
        """

    let user: User.ID
    let operation: Operation
}

/// Records a played word, or that it was played again; a repeat of the operation does not make it the latest again.
struct RecordPlayedWordOnce: OperationStatement {
    static let sql: StaticString = """
        WITH known AS (SELECT id FROM words WHERE language = $5 AND word = $4),
        answered AS (
            UPDATE users SET operation_id = $2, operation_request = $3,
                operation_done = EXISTS (SELECT FROM known)
            WHERE id = $1 RETURNING operation_answer),
        played AS (
            INSERT INTO played_words (user_id, word_id)
            SELECT $1, known.id FROM known, answered WHERE (operation_answer).request IS NULL
            ON CONFLICT (user_id, word_id) DO UPDATE SET played_at = now())
        SELECT (operation_answer).request, coalesce((operation_answer).is_done, EXISTS (SELECT FROM known)), 0, 0,
            NULL::text
        FROM answered
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
