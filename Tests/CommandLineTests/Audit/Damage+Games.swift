extension Damage {
    private static let (ada, bob) = (Someone.ada, Someone.bob)
    private static let lost = "user_id = '\(ada)' AND day IS NULL AND NOT is_won AND ended_at IS NOT NULL"
    private static let running = "ended_at IS NULL"
    private static func player(_ change: String) -> String { "UPDATE players SET \(change) WHERE user_id = '\(ada)'" }

    static let toGames: [Damage] = [
        Damage(
            "a game of nobody", "UPDATE judged_games SET user_id = 'nobody' WHERE \(running)", "games.nobody",
            "of player nobody"),
        Damage(
            "a commitment is changed", "UPDATE judged_games SET commitment = sha256('x') WHERE \(running)",
            "games.commitment", ada),
        Damage(
            "a salt is changed", "UPDATE judged_games SET salt = gen_random_uuid() WHERE \(lost)", "games.commitment",
            ada),
        Damage("a word is changed", "UPDATE judged_games SET word = 'lemon' WHERE \(lost)", "games.commitment", ada),
        Damage(
            "a word is changed, and the commitment as well",
            "UPDATE judged_games SET word = 'lemon', commitment = commitment(salt, 'lemon') WHERE \(lost)",
            "games.marks", ada),
        Damage(
            "a word is changed, commitment and marks as well",
            """
            UPDATE judged_games SET word = 'lemon', commitment = commitment(salt, 'lemon'),
                marks = repeat(mark_guess('crane', 'lemon') || mark_guess('slate', 'lemon'), 3)
            WHERE \(lost)
            """, "games.played", ada),
        Damage(
            "a word is none", "UPDATE judged_games SET word = 'xxxxx' WHERE \(running)", "games.word", ada),
        Damage(
            "a guess is none", "UPDATE judged_games SET guesses = 'xxxxx' || substr(guesses, 6) WHERE \(lost)",
            "games.word", ada),
        Damage(
            "a game has words of another length", "UPDATE judged_games SET letters = 6 WHERE \(running)", "games.word",
            ada),
        Damage(
            "marks are changed", "UPDATE judged_games SET marks = 'ccccc' || substr(marks, 6) WHERE \(lost)",
            "games.marks", ada),
        Damage(
            "a guess is taken back, its marks stay",
            "UPDATE judged_games SET guess_count = 0, guesses = '' WHERE \(running)", "games.marks", ada),
        Damage(
            "the number of guesses is changed", "UPDATE judged_games SET guess_count = 5 WHERE \(lost)", "games.marks",
            ada),
        Damage(
            "a hard game breaks its rules",
            """
            UPDATE judged_games SET is_hard = true, word = 'drink', commitment = commitment(salt, 'drink'),
                marks = repeat(mark_guess('crane', 'drink') || mark_guess('slate', 'drink'), 3)
            WHERE \(lost)
            """, "games.hard", ada),
        Damage(
            "a game of a past day counts",
            "UPDATE judged_games SET kind = 'archive' WHERE user_id = '\(ada)' AND day IS NOT NULL",
            "games.statistics", ada),
        Damage(
            "a reward is raised", "UPDATE judged_games SET reward = 6 WHERE user_id = '\(ada)' AND reward = 5",
            "games.reward", "6 here, 5 in the ledger"),
        Damage(
            "a reward has no entry", "UPDATE judged_games SET reward = 5 WHERE \(lost)", "games.reward",
            "5 here, 0 in the ledger"),
        Damage(
            "a game with a reward is gone", "DELETE FROM judged_games WHERE user_id = '\(ada)' AND day IS NOT NULL",
            "games.reward", "0 here, 5 in the ledger"),
        Damage("a lost game is won", "UPDATE judged_games SET is_won = true WHERE \(lost)", "games.outcome", ada),
        Damage(
            "a won game is lost", "UPDATE judged_games SET is_won = false WHERE is_won AND day IS NULL",
            "games.outcome", ada),
        Damage(
            "a game that is over goes on", "UPDATE judged_games SET ended_at = NULL WHERE day IS NOT NULL",
            "games.outcome",
            ada),
        Damage(
            "a running game is over", "UPDATE judged_games SET ended_at = now() WHERE \(running)", "games.statistics",
            ada),
        Damage(
            "a start is moved", "UPDATE judged_games SET started_at = started_at - interval '1 hour' WHERE \(lost)",
            "games.time", ada),
        Damage(
            "an end is moved before the start",
            "UPDATE judged_games SET ended_at = started_at - interval '1 minute' WHERE \(lost)", "games.time", ada),
        Damage(
            "an end is moved to tomorrow",
            "UPDATE judged_games SET ended_at = ended_at + interval '1 day' WHERE \(lost)", "games.time", ada),
        Damage(
            "a day's game has another word",
            "UPDATE judged_games SET word = 'lemon', commitment = commitment(salt, 'lemon') WHERE day IS NOT NULL",
            "games.daily", "day "),
        Damage(
            "a day's game is of another day", "UPDATE judged_games SET day = day - 7 WHERE day IS NOT NULL",
            "games.daily", bob),
        Damage(
            "a game that nobody paid for",
            """
            INSERT INTO judged_games (user_id, id, kind, is_hard, language, letters, word, salt, commitment, started_at)
            SELECT '\(bob)', ordered_uuid(now()), 'game', false, 'en', 5, 'apple', salt, commitment(salt, 'apple'), now()
            FROM (SELECT gen_random_uuid() AS salt) AS new
            """, "games.unpaid", bob),
        Damage(
            "the payment of a game is another's",
            "UPDATE energy_ledger SET reference = gen_random_uuid() WHERE user_id = '\(bob)' AND reason = 'game' AND char_length(reference) = 36",
            "games.unpaid", bob),
        Damage("a running game is deleted", "DELETE FROM judged_games WHERE \(running)", "games.gone", ada),
        Damage("a lost game is deleted", "DELETE FROM judged_games WHERE \(lost)", "games.gone", ada),
        Damage(
            "a day's game is deleted", "DELETE FROM judged_games WHERE day IS NOT NULL AND NOT is_won",
            "games.statistics", bob),
        Damage("games played are added", player("played = played + 1"), "games.statistics", ada),
        Damage("games won are added", player("won = won + 1"), "games.statistics", ada),
        Damage("a streak is longer", player("current_streak = 7"), "games.statistics", "streak 7"),
        Damage("the longest streak is longer", player("longest_streak = 70"), "games.statistics", "longest streak 70"),
        Damage("the longest streak is shorter", player("longest_streak = 0"), "games.statistics", ada),
        Damage("the guesses of games are changed", player("distribution[1] = 5"), "games.statistics", ada),
        Damage("the last game is moved", player("last_ended_at = now() - interval '1 day'"), "games.statistics", ada),
        Damage(
            "statistics are emptied",
            player("played = 0, won = 0, current_streak = 0, longest_streak = 0, distribution = '{0,0,0,0,0,0}'"),
            "games.statistics", ada),
        Damage(
            "played words are deleted, and bits as well",
            "DELETE FROM played_words WHERE user_id = '\(ada)'; UPDATE users SET words_played = 0, played_secrets = '' WHERE id = '\(ada)'",
            "games.played", ada),
    ]

    static let toBoards: [Damage] = [
        Damage(
            "an entry of nobody",
            "INSERT INTO board_entries VALUES ('nobody', 'all', '2000-01-01', -5, now())", "boards.nobody", "nobody"),
        Damage(
            "a score on the day's board", "UPDATE board_entries SET score = 1 WHERE board = 'daily'", "boards.daily",
            ada),
        Damage(
            "a time on the day's board",
            "UPDATE board_entries SET reached_at = reached_at - interval '1 hour' WHERE board = 'daily'",
            "boards.daily", ada),
        Damage(
            "an entry of the day's board is gone", "DELETE FROM board_entries WHERE board = 'daily'",
            "boards.daily", "no entry"),
        Damage(
            "an entry for a game that was lost",
            "INSERT INTO board_entries VALUES ('\(bob)', 'daily', today(), 4294967296, now())", "boards.daily",
            "no game"),
        Damage(
            "wins on a board", "UPDATE board_entries SET score = score - 10 WHERE board = 'week'", "boards.wins", ada),
        Damage("an entry of wins is gone", "DELETE FROM board_entries WHERE board = 'all'", "boards.wins", ada),
        Damage(
            "a time on a board of wins",
            "UPDATE board_entries SET reached_at = now() - interval '1 hour' WHERE board = 'month'", "boards.wins",
            ada),
        Damage(
            "an entry of wins that nobody won",
            "INSERT INTO board_entries VALUES ('\(bob)', 'all', '2000-01-01', -5, now())", "boards.wins", bob),
        Damage(
            "a note of nobody",
            "UPDATE board_changes SET user_id = 'nobody' WHERE user_id = (SELECT max(user_id) FROM board_changes)",
            "boards.note", "nobody"),
        Damage("notes are deleted", "DELETE FROM board_changes", "boards.counts", "all board"),
        Damage("notes of outcomes are deleted", "DELETE FROM board_changes", "boards.outcomes", "day "),
        Damage(
            "a count is changed", "UPDATE board_counts SET count = 7 WHERE board = 'all' AND step = 1",
            "boards.counts", "all board of 2000-01-01, step 1"),
        Damage("counts are deleted", "DELETE FROM board_counts WHERE step = 3", "boards.counts", "step 3"),
        Damage(
            "a count of nothing", "INSERT INTO board_counts VALUES ('month', today(), 2, 5, 1)", "boards.counts",
            "month board"),
        Damage(
            "the figures of a day are higher", "UPDATE board_counts SET count = count + 5 WHERE step = 0",
            "boards.outcomes", "day "),
        Damage(
            "the figures of a day are lower", "UPDATE board_counts SET count = 0 WHERE step = 0", "boards.outcomes",
            "day "),
    ]
}
