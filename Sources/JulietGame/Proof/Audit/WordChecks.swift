/// Words: their places and lists, the days' words, and what players have played.
enum WordChecks {
    private static let refresh = "run SELECT juliet.refresh_word_lists() as the owner: it makes the lists again"

    static let all: [AuditCheck] = [
        AuditCheck(
            "words.bits", "the bits of the secrets played do not agree with the words played",
            do: "compare with a backup: played words were deleted, or bits or places changed",
            """
            WITH bounds AS (SELECT coalesce((max(place) / 512 + 1) * 512, 0) AS size FROM juliet.words),
            played AS (
                SELECT user_id, bit_or(set_bit(juliet.no_bits(size), place, 1)) AS bits
                FROM juliet.played_words JOIN juliet.words ON words.id = word_id, bounds
                WHERE {user_id} AND place IS NOT NULL GROUP BY user_id)
            SELECT users.id, NULL, NULL
            FROM bounds, juliet.users LEFT JOIN played ON played.user_id = users.id
            WHERE {users.id} AND ("bit"(played_secrets, size, true)
                IS DISTINCT FROM "bit"(coalesce(played.bits, juliet.no_bits(size)), size, true)
                OR bit_count(played_secrets) IS DISTINCT FROM coalesce(bit_count(played.bits), 0))
            """),
        AuditCheck(
            "words.judged", "the bits of the secrets of judged games do not agree with the games",
            do: "compare with a backup: a game was deleted or altered, or the bits or a place were",
            """
            WITH bounds AS (SELECT coalesce((max(place) / 512 + 1) * 512, 0) AS size FROM juliet.words),
            judged AS (
                -- After a merge, the game of a day that both played is one of the kind archive.
                SELECT user_id, bit_or(set_bit(juliet.no_bits(size), place, 1)) AS possible,
                    bit_or(set_bit(juliet.no_bits(size), place, 1)) FILTER (WHERE kind IN ('game', 'daily')) AS certain
                FROM juliet.judged_games AS g JOIN juliet.words ON words.language = g.language AND words.word = g.word, bounds
                WHERE {user_id} AND place IS NOT NULL AND ended_at IS NOT NULL
                    AND (kind IN ('game', 'daily') OR former_day IS NOT NULL)
                GROUP BY user_id),
            compared AS (
                SELECT players.user_id, size, judged_secrets, length(judged_secrets) > size AS is_long,
                    "bit"(judged_secrets, size, true) AS held,
                    coalesce(certain, juliet.no_bits(size)) AS certain, coalesce(possible, juliet.no_bits(size)) AS possible
                FROM bounds, juliet.players LEFT JOIN judged ON judged.user_id = players.user_id WHERE {players.user_id})
            SELECT user_id, NULL, NULL FROM compared
            WHERE is_long OR certain & ~ held <> juliet.no_bits(size) OR held & ~ possible <> juliet.no_bits(size)
            """),
        AuditCheck(
            "words.number", "the count of words played is not the number of the last word, or a word is listed twice",
            do: AuditRemedy.restore,
            """
            SELECT id, NULL, format('%s, the last one is %s', words_played, coalesce(last, 0))
            FROM juliet.users LEFT JOIN (
                SELECT user_id, max(number) AS last, count(*) - count(DISTINCT word_id) AS doubled
                FROM juliet.played_words WHERE {user_id} GROUP BY user_id) AS played ON played.user_id = users.id
            WHERE {users.id} AND (words_played IS DISTINCT FROM coalesce(last, 0) OR doubled > 0)
            """),
        AuditCheck(
            "words.played", "the word played does not exist, or its player does not", do: AuditRemedy.restore,
            """
            SELECT user_id, 'played word ' || number, NULL FROM juliet.played_words
            WHERE {user_id} AND (number < 1
                OR NOT EXISTS (SELECT 1 FROM juliet.words WHERE words.id = played_words.word_id)
                OR NOT EXISTS (SELECT 1 FROM juliet.users WHERE {users.id} AND users.id = played_words.user_id))
            """),
        AuditCheck(
            "words.place", "the secret has no place, or no secret has the place",
            do: "words are never deleted: look for the word in a backup, with its id and place",
            """
            SELECT NULL, format('%s/%s', language, word), 'no place' FROM juliet.words
            WHERE is_secret AND place IS NULL
            UNION ALL
            SELECT NULL, 'place ' || free, 'a word is gone'
            FROM (SELECT generate_series(0, (SELECT max(place) FROM juliet.words)) AS free
                EXCEPT SELECT place FROM juliet.words) AS places
            """),
        AuditCheck(
            "words.list", "the list does not agree with the words that can be dealt, or with their letters",
            do: refresh,
            """
            WITH bounds AS (SELECT coalesce((max(place) / 512 + 1) * 512, 0) AS size FROM juliet.words),
            made AS (
                SELECT language, char_length(word) AS letters, bit_or(CASE WHEN is_secret AND retired_at IS NULL
                    THEN set_bit(juliet.no_bits(size), place, 1) ELSE juliet.no_bits(size) END)
                        FILTER (WHERE place IS NOT NULL) AS dealable,
                    juliet.alphabet_of(string_agg(word, '')) AS alphabet
                FROM juliet.words, bounds GROUP BY language, char_length(word) HAVING count(place) > 0)
            SELECT NULL, format('%s, %s letters', coalesce(made.language, word_lists.language),
                coalesce(made.letters, word_lists.letters)), NULL
            FROM made FULL JOIN juliet.word_lists
                ON word_lists.language = made.language AND word_lists.letters = made.letters
            WHERE (made.dealable, made.alphabet) IS DISTINCT FROM (word_lists.dealable, word_lists.alphabet)
            """),
        AuditCheck(
            "words.seal", "the words of the list are not those that were imported: one was altered, added or deleted",
            do: "compare with a backup, or with `juliet words check` and the lists; then \(refresh)",
            """
            SELECT NULL, format('%s, %s letters', word_lists.language, letters), NULL
            FROM juliet.word_lists LEFT JOIN (
                SELECT language, char_length(word) AS length, bit_xor(juliet.word_part(
                    id, language, word, is_secret, place, retired_at IS NOT NULL, is_banned, meaning)) AS seal
                FROM juliet.words GROUP BY language, char_length(word)
                ) AS made ON made.language = word_lists.language AND length = letters
            WHERE made.seal IS DISTINCT FROM word_lists.seal
            """),
        AuditCheck(
            "words.trail", "the word is not in the state that the audit trail says",
            do: "`juliet admin audit` says who changed it last: set it to that state with `juliet words`",
            """
            WITH last AS (
                SELECT DISTINCT ON (subject) subject, id, details FROM juliet.admin_actions
                WHERE action LIKE 'word.%' ORDER BY subject, id DESC)
            SELECT NULL, subject, CASE WHEN words.id IS NULL THEN 'it is gone' END
            FROM last LEFT JOIN juliet.words
                ON words.language = split_part(subject, '/', 1) AND words.word = split_part(subject, '/', 2)
            WHERE (words.id IS NULL OR is_secret IS DISTINCT FROM (last.details ->> 'isSecret')::boolean
                    OR (retired_at IS NOT NULL) IS DISTINCT FROM (last.details ->> 'isRetired')::boolean)
                AND NOT EXISTS (
                    SELECT 1 FROM juliet.admin_actions AS later
                    WHERE later.id > last.id AND later.action = 'words.import'
                        AND later.subject = split_part(last.subject, '/', 1))
            """),
        AuditCheck(
            "words.daily", "the day's word is not as it was chosen",
            do: "compare with a backup; the commitment was shown the day before, so players may have noted it",
            """
            WITH days AS (
                SELECT *, EXISTS (SELECT 1 FROM juliet.daily_words AS earlier WHERE earlier.day = d.day - 1) AS follows
                FROM juliet.daily_words AS d)
            SELECT NULL, 'day ' || day, CASE
                WHEN commitment IS DISTINCT FROM juliet.commitment(salt, word) THEN 'another commitment'
                WHEN NOT follows AND seal = juliet.daily_word_seal(day, commitment, is_planned, true)
                    THEN 'the day before it is gone'
                WHEN seal IS DISTINCT FROM juliet.daily_word_seal(day, commitment, is_planned, follows) THEN 'another word and salt, or planned and chosen are exchanged'
                ELSE 'no word of the lists' END
            FROM days
            WHERE commitment IS DISTINCT FROM juliet.commitment(salt, word)
                OR seal IS DISTINCT FROM juliet.daily_word_seal(day, commitment, is_planned, follows)
                OR NOT EXISTS (SELECT 1 FROM juliet.words WHERE words.language = days.language AND words.word = days.word)
            """),
        AuditCheck(
            "words.begins", "the day does not begin when it was said to",
            do: "compare with a backup, and restore the row",
            """
            WITH bounds AS (
                SELECT *, EXISTS (SELECT 1 FROM juliet.days AS earlier WHERE earlier.day = d.day - 1) AS follows
                FROM juliet.days AS d)
            SELECT NULL, 'day ' || day, CASE WHEN NOT follows AND seal = juliet.day_seal(day, starts_at, time_zone, true)
                THEN 'the day before it is gone' ELSE format('%s, %s', starts_at, time_zone) END
            FROM bounds WHERE seal IS DISTINCT FROM juliet.day_seal(day, starts_at, time_zone, follows)
            """),
        // If no service ran for a month, past days have no word; coming days always have one.
        AuditCheck(
            "words.days", "the day has no word", do: AuditRemedy.restoreGone,
            """
            SELECT NULL, 'day ' || missing::date, 'later ones have'
            FROM generate_series(juliet.today(), (SELECT max(day) FROM juliet.daily_words WHERE NOT is_planned), interval '1 day') AS missing
            WHERE NOT EXISTS (SELECT 1 FROM juliet.daily_words WHERE daily_words.day = missing::date)
            UNION ALL
            SELECT NULL, 'day ' || listed.starts_on, 'it has a board'
            FROM (SELECT DISTINCT starts_on FROM juliet.board_counts WHERE board = 'daily') AS listed
            WHERE starts_on < juliet.today() AND NOT EXISTS (
                SELECT 1 FROM juliet.daily_words WHERE daily_words.day = listed.starts_on)
            """),
    ]
}
