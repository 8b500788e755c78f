import Postgres

/// The audit's part about the App Store: every transaction that counts has its credit, every refund its debit, and the
/// ledger names no transaction of another player.
enum AuditedPurchases {
    /// The faults of a transaction, by their names in the statement.
    enum Fault: String {
        case nobody, strange, uncredited, misstated, unheeded
    }

    /// Common table expressions that end in `purchase_faults`: for each player with a fault the first one, as
    /// `fault` and transaction with a blank between them. They need `players` before them.
    ///
    /// Without the files, only the later entries of such players can be checked.
    static func expressions(hasFiles: Bool) -> String {
        let filed =
            hasFiles
            ? """
            UNION ALL
                SELECT user_id, filed.entry, delta, reason, reference
                FROM juliet.energy_checkpoints JOIN filed_entries AS filed USING (file_id)
                WHERE begins = 'archive' AND filed.entry <= energy_checkpoints.entry
            """ : ""
        return """
            merged AS (SELECT user_id AS ledger, holder FROM juliet.merges),
            named AS (
                SELECT user_id, reference, count(*) FILTER (WHERE reason = 'purchase') AS credits,
                    min(entry) AS first_entry, max(entry) AS last_entry, sum(delta) AS total
                FROM (
                    SELECT user_id, entry, delta, reason, reference FROM juliet.energy_ledger
                    WHERE entry IS NOT NULL UNION ALL
                    SELECT user_id, entry, delta, reason, reference FROM juliet.energy_ledger_archive
                    \(filed)) AS changes
                WHERE reason IN ('purchase', 'refund') AND reference IS NOT NULL GROUP BY user_id, reference),
            -- Of who was merged into a player as well.
            owned AS (
                SELECT coalesce(holder, user_id) AS user_id, reference, sum(credits) AS credits, sum(total) AS total
                FROM named LEFT JOIN merged ON ledger = user_id GROUP BY coalesce(holder, user_id), reference),
            filed_parts AS (SELECT user_id, entry FROM juliet.energy_checkpoints WHERE begins = 'archive'),
            told AS (
                SELECT environment, transaction_id, max(signed_at) AS told_at FROM juliet.store_notifications
                WHERE type IN ('REFUND', 'REVOKE', 'REFUND_REVERSED')
                    AND (applied_at IS NOT NULL OR received_at < now() - interval '10 minutes')
                GROUP BY environment, transaction_id),
            sold AS (
                SELECT known.*, \(hasFiles ? "0" : "coalesce(credit_filed.entry, 0)") AS credit_filed,
                    \(hasFiles ? "0" : "coalesce(last_filed.entry, 0)") AS last_filed
                FROM (
                    -- By itself: with a distributed table beside it, Citus 13 takes decided_at for NULL.
                    SELECT user_id, juliet.purchase_reference(environment, transaction_id) AS reference,
                        energy, is_refunded, credit_entry, last_entry,
                        coalesce(credit_ledger, user_id) AS credit_ledger, coalesce(last_ledger, user_id) AS last_ledger,
                        told_at > coalesce(decided_at, '-infinity') AS is_unheeded
                    FROM juliet.purchases LEFT JOIN told USING (environment, transaction_id)
                    WHERE user_id IS NOT NULL) AS known
                    LEFT JOIN filed_parts AS credit_filed ON credit_filed.user_id = credit_ledger
                    LEFT JOIN filed_parts AS last_filed ON last_filed.user_id = last_ledger),
            purchase_faults AS (
                SELECT user_id, min(fault || ' ' || reference) AS fault FROM (
                    SELECT coalesce(sold.user_id, owned.user_id) AS user_id,
                        coalesce(sold.reference, owned.reference) AS reference,
                        CASE WHEN sold.user_id IS NULL THEN 'strange'
                            WHEN players.id IS NULL THEN 'nobody'
                            WHEN credit_entry IS NULL AND NOT is_refunded THEN 'uncredited'
                            WHEN credit_entry IS NULL THEN CASE WHEN owned.user_id IS NOT NULL THEN 'misstated' END
                            WHEN credit_entry > credit_filed
                                AND (owned.credits IS DISTINCT FROM 1 OR credited.first_entry <> credit_entry
                                    OR credited.first_entry IS NULL) THEN 'uncredited'
                            WHEN credit_entry > credit_filed
                                AND owned.total <> CASE WHEN is_refunded THEN 0 ELSE sold.energy END THEN 'misstated'
                            WHEN sold.last_entry > last_filed AND latest.last_entry IS DISTINCT FROM sold.last_entry
                                THEN 'misstated'
                            WHEN is_unheeded THEN 'unheeded' END AS fault
                    FROM sold FULL JOIN owned ON owned.user_id = sold.user_id AND owned.reference = sold.reference
                        LEFT JOIN named AS credited
                        ON credited.user_id = credit_ledger AND credited.reference = sold.reference
                        LEFT JOIN named AS latest
                        ON latest.user_id = last_ledger AND latest.reference = sold.reference
                        LEFT JOIN players ON players.id = sold.user_id) AS found
                WHERE fault IS NOT NULL GROUP BY user_id)
            """
    }

    /// The fault that the statement found for a player.
    static func fault(_ text: String) -> EnergyFault.Kind? {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let fault = Fault(rawValue: String(parts[0])) else { return nil }
        let transaction = String(parts[1])
        return switch fault {
        case .nobody: .purchaseOfNobody(transaction)
        case .strange: .purchaseStrange(transaction)
        case .uncredited: .purchaseUncredited(transaction)
        case .misstated: .purchaseMisstated(transaction)
        case .unheeded: .refundUnheeded(transaction)
        }
    }
}

/// Transactions that nobody has presented, with a notification of the store that was not applied.
struct FindUnheededRefunds: Statement {
    var sql: StaticString {
        """
        SELECT DISTINCT juliet.purchase_reference(told.environment, told.transaction_id)
        FROM juliet.store_notifications AS told LEFT JOIN juliet.purchases USING (environment, transaction_id)
        WHERE type IN ('REFUND', 'REVOKE', 'REFUND_REVERSED') AND told.transaction_id IS NOT NULL
            AND (applied_at IS NOT NULL OR received_at < now() - interval '10 minutes')
            AND purchases.user_id IS NULL AND told.signed_at > coalesce(decided_at, '-infinity')
        ORDER BY 1
        """
    }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
}
