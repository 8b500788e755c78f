/// Leagues, their members, and the results that their tables are made of.
enum LeagueChecks {
    static let all: [AuditCheck] = [
        AuditCheck(
            "leagues.results", "what leagues count for a day does not agree with how its game ended",
            do:
                "in daily_results set the day's digit to the guesses if the game was won, 7 if it was lost, 0 if there was none",
            """
            WITH ended AS (
                SELECT user_id, day, CASE WHEN is_won THEN guess_count ELSE juliet.maximum_guesses() + 1 END AS result
                FROM juliet.judged_games AS g
                WHERE {user_id} AND day IS NOT NULL AND \(GameChecks.isOnItsDay) AND (\(GameChecks.counts))),
            noted AS (
                SELECT user_id, month + place - 1 AS day, ascii(substr(results, place, 1)) - 48 AS result
                FROM juliet.daily_results CROSS JOIN generate_series(1, greatest(31, char_length(results))) AS place
                WHERE {user_id} AND (substr(results, place, 1) <> '0' OR place > 31))
            SELECT coalesce(ended.user_id, noted.user_id), format('day %s', coalesce(ended.day, noted.day)),
                format('%s here, %s in the game', coalesce(noted.result, 0), coalesce(ended.result, 0))
            FROM ended FULL JOIN noted ON noted.user_id = ended.user_id AND noted.day = ended.day
            WHERE noted.result IS DISTINCT FROM ended.result
            """),
        AuditCheck(
            "leagues.days", "the days that the player has ended and won in a row do not agree with what leagues count",
            do: "set the columns days_played to last_day_won of players to what daily_results has",
            """
            WITH ended AS (
                SELECT user_id, month + place - 1 AS day, substr(results, place, 1) <> '7' AS is_won
                FROM juliet.daily_results CROSS JOIN generate_series(1, 31) AS place
                WHERE {user_id} AND substr(results, place, 1) <> '0'),
            counted AS (
                SELECT user_id, count(*)::integer AS played, (count(*) FILTER (WHERE is_won))::integer AS won,
                    max(day) FILTER (WHERE NOT is_won) AS last_lost
                FROM ended GROUP BY user_id),
            runs AS (
                SELECT user_id, max(day) AS last, count(*)::integer AS length FROM (
                    SELECT user_id, day, day - (row_number() OVER (PARTITION BY user_id ORDER BY day))::integer AS run
                    FROM ended WHERE is_won) AS won
                GROUP BY user_id, run),
            streaks AS (
                SELECT user_id, max(length) AS longest, max(last) AS last_won,
                    (array_agg(length ORDER BY last DESC))[1] AS streak
                FROM runs GROUP BY user_id)
            SELECT players.user_id, NULL, format('%s here, %s in daily_results', said, made) FROM (
                SELECT players.user_id,
                    concat_ws(' ', days_played, days_won, day_streak, longest_day_streak, last_day_won) AS said,
                    concat_ws(' ', coalesce(counted.played, 0), coalesce(counted.won, 0),
                        CASE WHEN last_lost > last_won THEN 0 ELSE coalesce(streak, 0) END, coalesce(longest, 0), last_won)
                        AS made
                FROM juliet.players LEFT JOIN counted ON counted.user_id = players.user_id
                    LEFT JOIN streaks ON streaks.user_id = players.user_id
                WHERE {players.user_id}) AS players
            WHERE said <> made
            """),
        AuditCheck(
            "leagues.nobody", "the member does not exist",
            do: "delete the row of league_members: it gives nobody access to the league",
            """
            SELECT members.user_id, 'league ' || league_id, NULL
            FROM juliet.league_members AS members LEFT JOIN (
                SELECT user_id FROM juliet.players WHERE {user_id}) AS players ON players.user_id = members.user_id
            WHERE {members.user_id} AND players.user_id IS NULL
            """),
        AuditCheck(
            "leagues.gone", "there are members of a league that does not exist", do: AuditRemedy.restoreGone,
            """
            SELECT user_id, 'league ' || league_id, NULL FROM juliet.league_members AS members
            WHERE NOT EXISTS (SELECT 1 FROM juliet.leagues WHERE leagues.id = members.league_id)
            """),
        AuditCheck(
            "leagues.empty", "the league has no member", do: "look for its members in a backup, or delete it",
            """
            SELECT NULL, 'league ' || leagues.id, NULL FROM juliet.leagues
            WHERE NOT EXISTS (SELECT 1 FROM juliet.league_members AS members WHERE members.league_id = leagues.id)
            """),
        AuditCheck(
            "leagues.form", "its name or its invite is not valid", do: AuditRemedy.restore,
            """
            SELECT NULL, 'league ' || id, NULL FROM juliet.leagues
            WHERE (char_length(name) BETWEEN 1 AND 40 AND invite ~ '^[0-9A-HJKMNP-TV-Z]{8}$') IS NOT TRUE
            """),
        AuditCheck(
            "leagues.time", "somebody joined before it was created, or in the future",
            do: AuditRemedy.restore,
            """
            SELECT user_id, 'league ' || league_id, format('created %s, joined %s', created_at, joined_at)
            FROM juliet.league_members JOIN juliet.leagues ON leagues.id = league_id
            WHERE joined_at < created_at OR joined_at > now() + interval '10 minutes'
            """),
    ]
}
