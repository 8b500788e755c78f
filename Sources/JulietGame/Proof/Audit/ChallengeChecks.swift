/// Challenges: each is as it was made and paid for, and its games are of its word.
enum ChallengeChecks {
    static let all: [AuditCheck] = [
        AuditCheck(
            "challenges.word",
            "its word is not of its language and length, or the commitment does not match word and salt, or its hint tells the word",
            do: AuditRemedy.restore,
            """
            SELECT maker, 'challenge ' || juliet.show_share_code(code), NULL FROM juliet.challenges AS c
            WHERE commitment IS DISTINCT FROM juliet.commitment(salt, word)
                OR char_length(word) IS DISTINCT FROM letters
                OR NOT is_any_word
                    AND NOT EXISTS (SELECT 1 FROM juliet.words WHERE words.language = c.language AND words.word = c.word)
                OR juliet.tells_word(hint, word, language)
            """),
        AuditCheck(
            "challenges.time",
            "its times are not possible: it does not last 1 to 30 whole days, or it was made in the future, or deleted before it was made",
            do: AuditRemedy.restore,
            """
            SELECT maker, 'challenge ' || juliet.show_share_code(code), format('made %s, ends %s', created_at, ends_at)
            FROM juliet.challenges
            WHERE (extract(epoch FROM ends_at - created_at) IN (
                    SELECT 86400 * days FROM generate_series(1, 30) AS days)) IS NOT TRUE
                OR created_at > now() + interval '10 minutes' OR deleted_at < created_at
            """),
        AuditCheck(
            "challenges.code", "its code is not valid", do: AuditRemedy.restore,
            """
            SELECT maker, 'challenge ' || code, NULL FROM juliet.challenges
            WHERE code !~ '^[0-9A-HJKMNP-TV-Z]{8}$'
            """),
        // Players who were deleted count, so there may be more players than games.
        AuditCheck(
            "challenges.players", "more of its games were begun than it has players, or than are allowed",
            do: AuditRemedy.restore,
            """
            SELECT maker, 'challenge ' || juliet.show_share_code(code), format('%s players, %s games', players, games)
            FROM juliet.challenges LEFT JOIN (
                SELECT challenge, count(*) AS games FROM juliet.judged_games WHERE challenge IS NOT NULL
                GROUP BY challenge) AS begun ON challenge = code
            WHERE coalesce(games, 0) > players OR players > juliet.maximum_challenge_players()
            """),
        AuditCheck(
            "challenges.maker",
            "its maker does not exist, or plays their own word, or it was deleted and still names its maker",
            do: AuditRemedy.restore,
            """
            SELECT maker, 'challenge ' || juliet.show_share_code(code), NULL
            FROM juliet.challenges LEFT JOIN (SELECT user_id FROM juliet.players) AS known ON user_id = maker
            WHERE maker IS NOT NULL AND (user_id IS NULL OR deleted_at IS NOT NULL)
            UNION ALL
            SELECT maker, 'challenge ' || juliet.show_share_code(code), 'game ' || id
            FROM juliet.challenges JOIN (
                SELECT user_id, challenge, id FROM juliet.judged_games WHERE challenge IS NOT NULL) AS begun
                ON challenge = code AND user_id = maker
            WHERE is_own_word
            """),
        AuditCheck(
            "challenges.unpaid", "it was not paid for", do: AuditRemedy.removeForeign,
            """
            WITH paid AS (
                SELECT user_id, reference FROM juliet.energy_ledger WHERE entry IS NOT NULL AND reason = 'challenge'
                UNION ALL
                SELECT user_id, reference FROM juliet.energy_ledger_archive WHERE reason = 'challenge'),
            filed AS (SELECT user_id, created_at FROM juliet.energy_checkpoints WHERE begins = 'archive')
            SELECT maker, 'challenge ' || juliet.show_share_code(code), NULL
            FROM juliet.challenges LEFT JOIN paid ON paid.user_id = coalesce(ledger, maker) AND reference = code
                LEFT JOIN filed ON filed.user_id = coalesce(ledger, maker)
            WHERE maker IS NOT NULL AND reference IS NULL
                AND (challenges.created_at < filed.created_at - interval '399 days') IS NOT TRUE
            """),
        AuditCheck(
            "challenges.gone", "it was paid for and does not exist", do: AuditRemedy.restoreGone,
            """
            WITH paid AS MATERIALIZED (
                SELECT user_id, reference FROM juliet.energy_ledger
                WHERE entry IS NOT NULL AND reason = 'challenge' AND reference IS NOT NULL
                UNION ALL
                SELECT user_id, reference FROM juliet.energy_ledger_archive
                WHERE reason = 'challenge' AND reference IS NOT NULL),
            made AS MATERIALIZED (SELECT code, coalesce(ledger, maker) AS payer FROM juliet.challenges)
            SELECT user_id, 'challenge ' || juliet.show_share_code(reference), NULL
            FROM paid LEFT JOIN made ON code = reference
            WHERE code IS NULL OR payer <> user_id
            """),
        AuditCheck(
            "challenges.games", "it does not agree with its challenge",
            do:
                "the service did not begin it like this: compare with a backup, and run `juliet game verify` on what the player was shown",
            """
            SELECT user_id, 'game ' || id, 'challenge ' || coalesce(juliet.show_share_code(g.challenge), 'missing')
            FROM juliet.judged_games AS g LEFT JOIN juliet.challenges AS c ON code = g.challenge
            WHERE {g.user_id} AND (g.kind = 'challenge') IS DISTINCT FROM (g.challenge IS NOT NULL)
                OR {g.user_id} AND g.challenge IS NOT NULL AND (
                    (c.language, c.word, c.salt, c.commitment, c.is_hard, c.is_any_word, c.hint)
                        IS DISTINCT FROM (g.language, g.word, g.salt, g.commitment, g.is_hard, g.is_any_word, g.hint)
                    OR g.started_at < c.created_at OR g.started_at > c.ends_at + interval '10 minutes')
            """),
    ]
}
