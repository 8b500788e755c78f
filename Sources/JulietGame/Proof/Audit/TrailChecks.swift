/// The audit trail, the operators' keys, and the rules that the trail records.
enum TrailChecks {
    /// - Parameter hasFiles: Whether the entries in files are known. Otherwise grants in files cannot be checked.
    static func all(hasFiles: Bool) -> [AuditCheck] { fixed + grants(hasFiles: hasFiles) }

    private static let cut =
        "somebody may be hiding something: compare the table with a backup, row by row, and replace all operators' keys"

    private static let fixed: [AuditCheck] = [
        AuditCheck(
            "trail.seal", "lines of the audit trail, or keys, were altered, added or deleted", do: cut,
            AuditCheck.sealed(
                "admin_actions", "lines", "SELECT juliet.trail_part(a) AS part FROM juliet.admin_actions AS a")
                + "\nUNION ALL\n"
                + AuditCheck.sealed(
                    "admin_keys", "keys", "SELECT juliet.trail_part(k) AS part FROM juliet.admin_keys AS k")),
        // A key and its line have the time at which their transaction began.
        AuditCheck(
            "trail.key", "the key and the audit trail differ on who made or revoked it, or what it may do",
            do: "revoke the key (`juliet admin keys revoke`), then find out who wrote to the table",
            """
            SELECT NULL, 'key of ' || coalesce(name, subject),
                CASE WHEN name IS NULL THEN 'it is gone' WHEN subject IS NULL THEN 'nobody made it'
                    ELSE concat('it was made for ', coalesce(made.role, 'no role')) END
            FROM juliet.admin_keys FULL JOIN (
                SELECT subject, done_at, details ->> 'role' AS role
                FROM juliet.admin_actions WHERE action = 'key.add') AS made
                ON subject = name AND done_at = created_at
            WHERE name IS NULL OR subject IS NULL OR made.role IS DISTINCT FROM admin_keys.role
            UNION ALL
            SELECT NULL, 'key of ' || coalesce(name, subject),
                CASE WHEN name IS NULL THEN 'it was revoked and is not' ELSE 'nobody revoked it' END
            FROM (SELECT name, revoked_at FROM juliet.admin_keys WHERE revoked_at IS NOT NULL) AS revoked FULL JOIN (
                SELECT subject, done_at FROM juliet.admin_actions WHERE action = 'key.revoke') AS done
                ON subject = name AND done_at = revoked_at
            WHERE name IS NULL OR subject IS NULL
            """),
        AuditCheck(
            "trail.rules", "the rules are not those that operators applied, as the audit trail has them",
            do: "`juliet rules` and `juliet admin audit` show both; apply the right ones with `juliet rules apply`",
            """
            WITH held AS (
                SELECT row_number() OVER (ORDER BY since) - 1 AS number, since, set_by, shown AS rules,
                    lag(shown) OVER (ORDER BY since) AS former
                FROM juliet.rules AS r CROSS JOIN LATERAL juliet.show_rules(
                    jsonb_populate_record(NULL::juliet.rules, to_jsonb(r))) AS shown),
            applied AS (
                SELECT row_number() OVER (ORDER BY id) AS number, done_at, actor, details -> 'former' AS former,
                    details -> 'new' AS new
                FROM juliet.admin_actions WHERE action = 'rules.apply')
            SELECT NULL, 'rules since ' || coalesce(since, done_at), CASE WHEN since IS NULL THEN 'they are gone' END
            FROM (SELECT * FROM held WHERE number > 0) AS held FULL JOIN applied ON applied.number = held.number
            WHERE since IS NULL OR done_at IS NULL OR set_by IS DISTINCT FROM actor
                OR rules IS DISTINCT FROM held.former || new OR (held.former @> applied.former) IS NOT TRUE
                OR since NOT BETWEEN done_at AND done_at + interval '1 hour'
            UNION ALL
            SELECT NULL, 'the first rules', NULL
            WHERE NOT EXISTS (SELECT 1 FROM juliet.rules WHERE since = '-infinity' AND set_by = 'juliet')
            """),
        AuditCheck(
            "trail.player", "the line is about a player who does not exist",
            do: "the player was deleted by hand, or the line altered: compare with a backup",
            """
            WITH lines AS MATERIALIZED (SELECT user_id, id AS line, action FROM juliet.admin_actions WHERE {user_id})
            SELECT user_id, 'line ' || line, action
            FROM lines LEFT JOIN (
                SELECT id FROM juliet.users WHERE {id}
                UNION ALL
                SELECT user_id FROM juliet.closed_ledgers WHERE {user_id}) AS known ON known.id = user_id
            WHERE known.id IS NULL
            """),
        AuditCheck(
            "trail.time", "the line is dated in the future", do: cut,
            """
            SELECT NULL, 'line ' || id, done_at::text FROM juliet.admin_actions
            WHERE done_at > now() + interval '10 minutes'
            """),
    ]

    /// What support gave or took and its line have the time at which their transaction began; those of deleted players, and the entries in
    /// files, have the day.
    private static func grants(hasFiles: Bool) -> [AuditCheck] {
        let filed =
            hasFiles
            ? """
            UNION ALL
            SELECT user_id, delta, balance_after, reference, filed.created_at
            FROM juliet.energy_checkpoints JOIN filed_entries AS filed USING (file_id)
            WHERE {user_id} AND begins = 'archive' AND filed.entry <= energy_checkpoints.entry AND reason = 'support'
            """ : ""
        // What went out to files was 399 days old or more.
        let away =
            hasFiles
            ? "SELECT NULL::text AS user_id, NULL::timestamptz AS ends WHERE false"
            : """
            SELECT user_id, created_at - interval '399 days' AS ends FROM juliet.energy_checkpoints
            WHERE {user_id} AND begins = 'archive'
            """
        return [
            AuditCheck(
                "trail.grant", "the ledger and the audit trail differ on what support gave or took",
                do: "compare both with a backup; energy that nobody granted is a forged entry",
                """
                WITH given AS (
                    SELECT user_id, delta, balance_after, reference, created_at FROM juliet.energy_ledger
                    WHERE {user_id} AND entry IS NOT NULL AND reason = 'support'
                    UNION ALL
                    SELECT user_id, delta, balance_after, reference, created_at FROM juliet.energy_ledger_archive
                    WHERE {user_id} AND reason = 'support'
                    \(filed)),
                away AS (\(away)),
                done AS (
                    SELECT * FROM juliet.admin_actions
                    WHERE {user_id} AND action IN ('energy.grant', 'energy.take'))
                SELECT coalesce(given.user_id, done.user_id), 'grant of ' || coalesce(given.created_at, done.done_at),
                    CASE WHEN done.id IS NULL THEN 'no line' WHEN given.user_id IS NULL THEN 'no entry' END
                FROM given FULL JOIN done ON done.user_id = given.user_id AND juliet.day_of(done.done_at) = juliet.day_of(given.created_at)
                    AND done.details ->> 'balance' = given.balance_after::text
                    AND done.details ->> 'amount' = given.delta::text
                    -- What is not shown to the player is in the trail alone.
                    AND CASE WHEN done.details ? 'isShown' THEN '' ELSE done.reason END = coalesce(given.reference, '')
                    LEFT JOIN away ON away.user_id = done.user_id AND done.done_at < away.ends
                WHERE done.id IS NULL OR given.user_id IS NULL AND away.user_id IS NULL
                """)
        ]
    }
}
