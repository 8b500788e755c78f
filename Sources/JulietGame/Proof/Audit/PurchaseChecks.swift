/// Transactions of the App Store and its notifications, other than what the ledger proves (`AuditedPurchases`).
enum PurchaseChecks {
    static let all: [AuditCheck] = [
        AuditCheck(
            "purchases.seal", "the product, quantity, worth or a date is not as it was presented",
            do: "compare with a backup, or with what Apple reports of the transaction",
            """
            SELECT user_id, 'transaction ' || juliet.purchase_reference(environment, transaction_id),
                CASE WHEN seal IS NULL THEN 'no seal' END
            FROM juliet.purchases
            WHERE {user_id} AND seal IS DISTINCT FROM juliet.purchase_seal(ROW(environment, transaction_id, product,
                quantity, energy, NULL, purchased_at, signed_at, NULL)::juliet.store_transaction, created_at)
            """),
        // A player may present what the store has taken back, so a refund may be known without a notification.
        AuditCheck(
            "purchases.decided", "the transaction and the store's notifications differ on whether it is refunded",
            do:
                "run `juliet purchases replay`, which applies them again; if notifications were deleted, compare with a backup",
            """
            WITH told AS (
                SELECT environment, transaction_id, max(signed_at) AS told_at FROM juliet.store_notifications
                WHERE type IN ('REFUND', 'REVOKE', 'REFUND_REVERSED') AND applied_at IS NOT NULL
                GROUP BY environment, transaction_id),
            said AS (
                SELECT told.environment, told.transaction_id, told_at, bool_or(type <> 'REFUND_REVERSED') AS is_refunded
                FROM told JOIN juliet.store_notifications AS n ON n.environment = told.environment
                    AND n.transaction_id = told.transaction_id AND n.signed_at = told_at
                WHERE type IN ('REFUND', 'REVOKE', 'REFUND_REVERSED') AND applied_at IS NOT NULL
                GROUP BY told.environment, told.transaction_id, told_at)
            SELECT purchases.user_id,
                'transaction ' || juliet.purchase_reference(purchases.environment, purchases.transaction_id),
                CASE WHEN purchases.is_refunded THEN 'refunded' ELSE 'not refunded' END
            FROM juliet.purchases LEFT JOIN said ON said.environment = purchases.environment
                AND said.transaction_id = purchases.transaction_id
            WHERE decided_at IS NULL AND purchases.is_refunded
                OR decided_at = told_at AND purchases.is_refunded IS DISTINCT FROM said.is_refunded
                OR decided_at IS DISTINCT FROM told_at AND decided_at IS NOT NULL AND NOT purchases.is_refunded
                OR decided_at > now() + interval '1 day' OR decided_at IS NULL AND told_at IS NOT NULL
            """),
        AuditCheck(
            "purchases.notifications", "a notification of the App Store was altered, added or deleted",
            do: "compare store_notifications with a backup; the App Store lists the notifications that it has sent",
            AuditCheck.sealed(
                "store_notifications", "rows",
                "SELECT juliet.trail_part(n) AS part FROM juliet.store_notifications AS n")),
        AuditCheck(
            "purchases.privacy", "the notification still names a player who was deleted",
            do: "set payload and account of the notification to NULL",
            """
            SELECT NULL, 'notification ' || n.id, NULL
            FROM juliet.store_notifications AS n JOIN juliet.purchases ON purchases.environment = n.environment
                AND purchases.transaction_id = n.transaction_id
            WHERE strpos(purchases.user_id, E'\\t') > 0 AND (payload IS NOT NULL OR account IS NOT NULL)
            """),
        AuditCheck(
            "purchases.time", "the notification was applied before it was received, or received in the future",
            do: AuditRemedy.restore,
            """
            SELECT NULL, 'notification ' || id, NULL FROM juliet.store_notifications
            WHERE applied_at < received_at - interval '10 minutes' OR received_at > now() + interval '10 minutes'
                OR applied_at > now() + interval '10 minutes'
            """),
    ]
}
