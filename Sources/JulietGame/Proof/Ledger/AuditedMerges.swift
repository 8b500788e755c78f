import Postgres

/// The audit's part about merges: each took the whole balance out of the other ledger, as its last entry, and added what is
/// taken over to this one; and the ledgers have no other entries of the kind.
///
/// When their players are deleted, merges keep the pseudonyms of both ledgers.
enum AuditedMerges {
    /// The faults, by their names in the statement.
    private enum Fault: String {
        case misstated, strange
    }

    /// Every fault there is.
    ///
    /// - Parameters:
    ///   - hasFiles: Whether the entries in files are known. Without them, what is taken over is not computed for players
    ///     with entries in files.
    ///   - isNarrowed: Whether to check only some players (``NarrowedTables``).
    static func faults(
        on connection: PostgresConnection, hasFiles: Bool, isNarrowed: Bool = false
    ) async throws(PostgresError) -> [EnergyFault] {
        let text = query(hasFiles: hasFiles)
        return try await connection.query(
            SQLText(trusted: isNarrowed ? NarrowedTables.narrowed(text) : text)
        ) { row throws(PostgresDecodingError) in
            let userID = try row.next(String?.self)
            let entry = try row.next(Int32?.self).map(Int.init)
            let kind: EnergyFault.Kind = Fault(rawValue: try row.next()) == .strange ? .mergeStrange : .mergeMisstated
            return EnergyFault(userID: userID, entry: entry, kind: kind)
        }
    }

    private static func query(hasFiles: Bool) -> String {
        """
        WITH merges AS MATERIALIZED (SELECT * FROM juliet.merges),
        entries AS NOT MATERIALIZED (\(AuditedPlayer.allEntries(hasFiles: hasFiles))),
        found AS MATERIALIZED (
            SELECT user_id, entry, delta, balance_after FROM entries WHERE reason = 'merge'),
        moves AS MATERIALIZED (
            SELECT found.*, merges.user_id IS NOT NULL AS is_given
            FROM found LEFT JOIN merges ON merged_into = found.user_id AND merges.entry = found.entry),
        filed AS MATERIALIZED (
            SELECT user_id, entry FROM juliet.energy_checkpoints WHERE begins = 'archive' AND \(!hasFiles)),
        closed AS MATERIALIZED (
            SELECT user_id, ledger_entry, ledger_balance FROM juliet.closed_ledgers
            WHERE user_id IN (SELECT user_id FROM juliet.merges)),
        -- What each entry of a ledger that was merged brought, before its last one when that is a merge's.
        brought AS MATERIALIZED (
            SELECT user_id, sum(delta) FILTER (WHERE juliet.brings_lasting_energy(reason, reference)) AS lasting,
                max(entry) AS last_entry
            FROM entries WHERE user_id IN (SELECT user_id FROM juliet.merges) GROUP BY user_id),
        compared AS (
            SELECT merges.user_id, merged_into, energy, merges.entry, closed.user_id AS closed_id, ledger_balance,
                out_of.delta AS taken, into_it.delta AS given, filed.user_id IS NOT NULL AS is_filed,
                filed_into.entry AS into_filed,
                coalesce(lasting, 0) - coalesce(out_of.delta, 0) AS lasting
            FROM merges LEFT JOIN closed ON closed.user_id = merges.user_id
                LEFT JOIN brought ON brought.user_id = merges.user_id
                LEFT JOIN moves AS out_of ON out_of.user_id = merges.user_id AND out_of.entry = last_entry
                    AND out_of.balance_after = 0 AND NOT is_given
                LEFT JOIN moves AS into_it ON into_it.user_id = merged_into AND into_it.entry = merges.entry
                LEFT JOIN filed ON filed.user_id = merges.user_id
                LEFT JOIN filed AS filed_into ON filed_into.user_id = merged_into)
        SELECT user_id, NULL::integer, 'misstated' FROM compared
        WHERE closed_id IS NULL OR ledger_balance <> 0 OR (entry IS NULL) <> (energy = 0)
            OR coalesce(given, 0) <> energy AND (entry > into_filed) IS NOT FALSE
            OR NOT is_filed AND energy <> least(-coalesce(taken, 0), greatest(0,
                CASE WHEN taken < 0 THEN lasting END))
        UNION ALL
        SELECT moves.user_id, moves.entry, 'strange' FROM moves
            LEFT JOIN brought ON brought.user_id = moves.user_id AND last_entry = moves.entry
        WHERE brought.user_id IS NULL AND NOT is_given
        ORDER BY 1, 2
        """
    }
}
