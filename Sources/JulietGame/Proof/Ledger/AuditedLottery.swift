import Postgres

/// The audit's part about the lottery: each draw that has started follows from its seed and its list, each prize that a
/// player won has its one credit, and the ledger has no prize without a draw.
///
/// If a credited player was deleted since, the draw no longer names them (its `credit_entry` is 0), and neither do
/// ledgers of deleted players and files name the draw. So such ledgers may have no more prizes than such draws gave.
enum AuditedLottery {
    /// The faults, by their names in the statement.
    private enum Fault: String {
        case altered, uncredited, strange
    }

    /// Every fault there is.
    ///
    /// - Parameters:
    ///   - hasFiles: Whether the entries in files are known. Without them, players whose entries are in files cannot be
    ///     checked.
    static func faults(
        on connection: PostgresConnection, hasFiles: Bool
    ) async throws(PostgresError) -> [EnergyFault] {
        let read: SQLText = hasFiles ? credits + filedCredits + compared : credits + compared
        return try await connection.query(read, [hasFiles]) { row throws(PostgresDecodingError) in
            let userID = try row.next(String?.self)
            let fault = Fault(rawValue: try row.next())
            let draw = try row.next(String.self)
            let kind: EnergyFault.Kind =
                switch fault {
                case .altered: .drawAltered(draw)
                case .uncredited: .prizeUncredited(draw)
                case .strange, nil: .prizeStrange(draw)
                }
            return EnergyFault(userID: userID, entry: nil, kind: kind)
        }
    }

    private static let credits: SQLText = """
        WITH credits AS (
            SELECT user_id, entry, delta, reference FROM juliet.energy_ledger
            WHERE reason = 'lottery' AND entry IS NOT NULL
            UNION ALL
            SELECT user_id, entry, delta, reference FROM juliet.energy_ledger_archive WHERE reason = 'lottery'
        """
    private static let filedCredits: SQLText = """

            UNION ALL
            SELECT user_id, filed.entry, delta, reference
            FROM juliet.energy_checkpoints JOIN filed_entries AS filed USING (file_id)
            WHERE begins = 'archive' AND filed.entry <= energy_checkpoints.entry AND reason = 'lottery'
        """
    private static let compared: SQLText = """
        )
        SELECT user_id, 'strange', coalesce(reference, '') FROM credits WHERE NOT EXISTS (
            SELECT FROM juliet.lottery_draws
            WHERE (reference IS NULL OR number::text = reference) AND prize = delta
                AND CASE WHEN strpos(user_id, E'\\t') > 0 THEN credited_to IS NULL AND credit_entry = 0
                    ELSE credited_to = user_id AND credit_entry = entry END)
        UNION ALL
        SELECT min(user_id), 'strange', coalesce(min(reference), '')
        FROM credits LEFT JOIN (
            SELECT prize, count(*) AS draws FROM juliet.lottery_draws
            WHERE credited_to IS NULL AND credit_entry = 0 GROUP BY prize) AS given ON prize = delta
        WHERE strpos(user_id, E'\\t') > 0 GROUP BY delta, draws HAVING count(*) > coalesce(draws, 0)
        UNION ALL
        SELECT credited_to, 'uncredited', number::text
        FROM juliet.lottery_draws LEFT JOIN juliet.energy_checkpoints AS filed
            ON filed.user_id = credited_to AND begins = 'archive'
        WHERE credited_to IS NOT NULL
            AND (credit_entry > coalesce(filed.entry, 0) OR $1 AND credit_entry IS NOT NULL) AND NOT EXISTS (
            SELECT FROM credits
            WHERE coalesce(reference, number::text) = number::text AND user_id = credited_to
                AND credits.entry = credit_entry AND delta = prize)
        UNION ALL
        SELECT user_id, 'uncredited', draws.number::text
        FROM juliet.lottery_draws AS draws JOIN juliet.lottery_participants ON lottery_participants.number = winner
        WHERE prize > 0 AND credited_to IS NULL AND user_id IS NOT NULL
        UNION ALL
        SELECT NULL, 'altered', number::text
        FROM juliet.lottery_draws LEFT JOIN juliet.lottery_lists ON digest = list_digest
        WHERE commitment <> sha256(seed) OR started_at IS NOT NULL AND (list IS NULL
            OR sha256(convert_to(list, 'UTF8')) <> digest OR rounds <> juliet.lottery_rounds(seed, digest, list)
            OR entries <> cardinality(string_to_array(list, E'\\n')) - 1
            OR winner IS DISTINCT FROM CASE
                WHEN strpos(E'\\n' || list, format(E'\\n%s 0\\n', rounds[cardinality(rounds)])) > 0
                THEN rounds[cardinality(rounds)] END)
        ORDER BY 2, 3, 1
        """
}
