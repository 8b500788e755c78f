/// Players, their sessions, and the accounts of the app that they claimed.
enum PlayerChecks {
    /// Servers of a cluster cannot filter tables that are copied to each of them by a table that only the session has.
    private static let claimsOfPortion = "claims.user_id > $1 AND claims.user_id <= $2"
    /// Whether only the app makes such an entry of the ledger.
    private static let isOfTheApp = """
        (reason = 'client_report' OR reason = 'purchase' AND reference IS NULL
            OR reason = 'game' AND coalesce(char_length(reference), 0) <> 36)
        """

    static let all: [AuditCheck] = [
        AuditCheck(
            "players.gone", "the player has a balance, but no name and no statistics", do: AuditRemedy.restoreGone,
            """
            SELECT id, NULL, NULL FROM juliet.users
            WHERE {id} AND juliet.is_player_id(id) AND NOT EXISTS (
                SELECT 1 FROM juliet.players WHERE {players.user_id} AND players.user_id = users.id)
            """),
        AuditCheck(
            "players.nobody", "there are a name and statistics of a player who does not exist",
            do: AuditRemedy.restoreGone,
            """
            SELECT user_id, NULL, NULL FROM juliet.players
            WHERE {user_id} AND NOT EXISTS (SELECT 1 FROM juliet.users WHERE {users.id} AND users.id = players.user_id)
            """),
        AuditCheck(
            "players.digest", "a digest of a recovery code or a token is not valid", do: AuditRemedy.restore,
            """
            SELECT user_id, 'the recovery code', NULL FROM juliet.players
            WHERE {user_id} AND octet_length(recovery_hash) IS DISTINCT FROM 32
            UNION ALL
            SELECT user_id, 'session ' || id, NULL FROM juliet.sessions
            WHERE {user_id} AND octet_length(token_hash) IS DISTINCT FROM 32
            """),
        // Both are the time at which the transaction began.
        AuditCheck(
            "players.time", "the time at which the player was created is not that of the ledger's first entry",
            do: AuditRemedy.restore,
            """
            SELECT id, NULL, format('%s here, %s in the ledger', users.created_at, first.created_at)
            FROM juliet.users JOIN (
                SELECT user_id, created_at FROM juliet.energy_ledger WHERE {user_id} AND entry = 1
                UNION ALL
                SELECT user_id, created_at FROM juliet.energy_ledger_archive WHERE {user_id} AND entry = 1
                ) AS first ON first.user_id = users.id
            WHERE {users.id} AND users.created_at IS DISTINCT FROM first.created_at
            """),
        // The app reports its players' wins, which no other record has. The stored answers say how many there were.
        AuditCheck(
            "players.wins", "the wins do not agree with the games won or with the stored answers",
            do: AuditRemedy.restore,
            """
            SELECT id, NULL, format('%s wins, %s judged games won', wins, won)
            FROM juliet.users JOIN juliet.players ON players.user_id = users.id
            WHERE {users.id} AND {players.user_id} AND wins < 2147483647 AND (wins < won
                OR wins > won AND NOT EXISTS (SELECT 1 FROM juliet.claims WHERE \(claimsOfPortion) AND claims.user_id = users.id))
            UNION ALL
            SELECT id, NULL, format('%s wins, earlier answers had %s', users.wins, kept.wins)
            FROM juliet.users JOIN (
                SELECT user_id, max(CASE WHEN jsonb_typeof(answer -> 'wins') = 'number'
                    THEN (answer -> 'wins')::integer END) AS wins
                FROM juliet.energy_ledger WHERE {user_id} AND operation_kind = 'add_win' GROUP BY user_id
                ) AS kept ON kept.user_id = users.id
            WHERE {users.id} AND NOT juliet.is_player_id(id) AND users.wins < kept.wins
            """),
        // While the rules change, a purchase under way may follow the former ones and not be noted.
        AuditCheck(
            "players.limit", "what was bought without a signature that day does not agree with the ledger",
            do: "delete the row of unverified_purchases: the next purchase adds it up again",
            """
            SELECT noted.user_id, 'day ' || noted.day, format('%s noted, %s in the ledger', noted.energy,
                coalesce(bought.energy, 0))
            FROM juliet.unverified_purchases AS noted LEFT JOIN (
                SELECT user_id, (created_at AT TIME ZONE 'UTC')::date AS day, sum(delta) AS energy
                FROM juliet.energy_ledger
                WHERE {user_id} AND entry IS NOT NULL AND reason = 'purchase' AND reference IS NULL
                GROUP BY user_id, (created_at AT TIME ZONE 'UTC')::date
                ) AS bought ON bought.user_id = noted.user_id AND bought.day = noted.day
            WHERE {noted.user_id} AND noted.energy IS DISTINCT FROM coalesce(bought.energy, 0)
                AND noted.day > (now() AT TIME ZONE 'UTC')::date - 399
                AND (noted.energy > coalesce(bought.energy, 0) OR NOT EXISTS (
                    SELECT 1 FROM juliet.rules
                    WHERE since >= noted.day::timestamp AT TIME ZONE 'UTC' - interval '10 minutes'
                        AND since < (noted.day + 1)::timestamp AT TIME ZONE 'UTC' + interval '10 minutes'))
            """),
        AuditCheck(
            "players.session", "the session belongs to no player", do: "delete it: nobody can sign in with it",
            """
            SELECT user_id, 'session ' || id, NULL FROM juliet.sessions
            WHERE {user_id} AND NOT EXISTS (SELECT 1 FROM juliet.players WHERE {players.user_id} AND players.user_id = sessions.user_id)
            """),
        AuditCheck(
            "players.sessionTime", "the session began in the future, or was used before it began",
            do: AuditRemedy.restore,
            """
            SELECT user_id, 'session ' || id, format('since %s, last used %s', created_at, last_used_at)
            FROM juliet.sessions
            WHERE {user_id} AND (created_at > now() + interval '10 minutes' OR last_used_at > now() + interval '1 hour'
                OR last_used_at < created_at - interval '1 hour')
            """),
        AuditCheck(
            "players.playing", "the game names a session that has ended, or is over and still names one",
            do: "set session_hash and session_seen_at of the game to NULL: the next guess finds the session",
            """
            SELECT user_id, 'game ' || id, NULL FROM juliet.judged_games AS g
            WHERE {user_id} AND session_hash IS NOT NULL AND (ended_at IS NOT NULL OR NOT EXISTS (
                SELECT 1 FROM juliet.sessions
                WHERE {sessions.user_id} AND sessions.user_id = g.user_id AND sessions.token_hash = g.session_hash))
            """),
        AuditCheck(
            "players.claimOfNobody", "an account of the app is claimed by a player who does not exist",
            do: "look for the player in a backup; if the player was deleted by hand, delete the claim",
            """
            SELECT claims.user_id, 'account ' || account_id, NULL
            FROM juliet.claims LEFT JOIN (SELECT user_id FROM juliet.players WHERE {user_id}) AS players
                ON players.user_id = claims.user_id
            WHERE {claims.user_id} AND players.user_id IS NULL
            """),
        AuditCheck(
            "players.claimOfLiving", "the account is claimed, but still exists as a player",
            do: "find out from a backup which of the two is right, and delete the other",
            """
            SELECT user_id, 'account ' || account_id, NULL FROM juliet.claims JOIN juliet.users ON users.id = account_id
            WHERE {account_id} AND {users.id}
            """),
        AuditCheck(
            "players.merged",
            "the merged player still exists or left no ledger, or the player they were merged into does not exist",
            do: AuditRemedy.restore,
            """
            WITH merged AS MATERIALIZED (SELECT user_id, merged_into, holder FROM juliet.merges),
            living AS MATERIALIZED (
                SELECT id FROM juliet.users WHERE id IN (
                    SELECT user_id FROM juliet.merges UNION ALL SELECT holder FROM juliet.merges)),
            closed AS MATERIALIZED (
                SELECT user_id FROM juliet.closed_ledgers WHERE user_id IN (
                    SELECT user_id FROM juliet.merges UNION ALL SELECT holder FROM juliet.merges))
            SELECT merged.holder, 'merge of ' || merged.user_id, NULL
            FROM merged LEFT JOIN living ON living.id = merged.user_id
                LEFT JOIN closed ON closed.user_id = merged.user_id
                LEFT JOIN living AS alive ON alive.id = merged.holder
                LEFT JOIN closed AS gone ON gone.user_id = merged.holder
                LEFT JOIN merged AS next ON next.user_id = merged.merged_into
            WHERE living.id IS NOT NULL OR closed.user_id IS NULL OR alive.id IS NULL AND gone.user_id IS NULL
                OR merged.holder IS DISTINCT FROM coalesce(next.holder, merged.merged_into)
            """),
        // What only players of the app have in their ledgers.
        AuditCheck(
            "players.claimGone", "the ledger has entries of the app, and no account of the app was claimed",
            do: "look for a row of claims in a backup: if it is missing, the old account can be registered again",
            """
            SELECT user_id, NULL, format('entry %s', min(entry)) FROM juliet.energy_ledger
            WHERE {user_id} AND juliet.is_player_id(user_id) AND entry IS NOT NULL
                AND (reason = 'import' OR \(isOfTheApp))
                AND NOT EXISTS (
                    SELECT 1 FROM juliet.claims
                    WHERE \(claimsOfPortion) AND claims.user_id = energy_ledger.user_id)
                AND NOT EXISTS (
                    SELECT 1 FROM juliet.claims
                    WHERE claims.ledger > $1 AND claims.ledger <= $2 AND claims.ledger = energy_ledger.user_id)
            GROUP BY user_id
            """),
        AuditCheck(
            "players.claimedApp", "the app changed the energy of a player who was claimed, when the rules refused that",
            do: AuditRemedy.restore,
            """
            WITH held AS (
                SELECT claimed_app, since - interval '10 minutes' AS begins,
                    lead(since, 1, 'infinity') OVER (ORDER BY since) + interval '10 minutes' AS ends
                FROM juliet.rules),
            claimed AS (
                SELECT ledger, max(claimed_at) AS claimed_at FROM (
                    SELECT claims.user_id AS ledger, claimed_at FROM juliet.claims WHERE \(claimsOfPortion)
                    UNION ALL
                    SELECT ledger, claimed_at FROM juliet.claims WHERE ledger > $1 AND ledger <= $2) AS ledgers
                GROUP BY ledger)
            SELECT user_id, NULL, format('entry %s', min(entry))
            FROM juliet.energy_ledger JOIN claimed ON claimed.ledger = user_id
            WHERE {user_id} AND juliet.is_player_id(user_id) AND entry IS NOT NULL
                AND \(isOfTheApp)
                AND created_at > claimed_at + interval '10 minutes'
                AND NOT EXISTS (
                    SELECT 1 FROM held WHERE claimed_app = 'accept' AND created_at BETWEEN begins AND ends)
            GROUP BY user_id
            """),
    ]
}
