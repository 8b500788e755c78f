extension Damage {
    private static let (ada, bob) = (Someone.ada, Someone.bob)

    static let toLeagues: [Damage] = [
        Damage(
            "a result is better",
            "UPDATE daily_results SET results = replace(results, '4', '1') WHERE user_id = '\(ada)'",
            "leagues.results", "1 here, 4 in the game"),
        Damage(
            "a lost word is found",
            "UPDATE daily_results SET results = replace(results, '7', '6') WHERE user_id = '\(bob)'",
            "leagues.results", "6 here, 7 in the game"),
        Damage(
            "a streak of days is longer",
            "UPDATE players SET day_streak = 30, longest_day_streak = 30 WHERE user_id = '\(ada)'",
            "leagues.days", ada),
        Damage(
            "days won are added", "UPDATE players SET days_won = days_won + 1 WHERE user_id = '\(bob)'", "leagues.days",
            bob),
        Damage(
            "the last day won is another",
            "UPDATE players SET last_day_won = last_day_won + 1 WHERE user_id = '\(ada)'",
            "leagues.days", ada),
        Damage(
            "results are gone", "DELETE FROM daily_results WHERE user_id = '\(ada)'", "leagues.results",
            "0 here, 4 in the game"
        ),
        Damage(
            "a result of a day without a game",
            "INSERT INTO daily_results VALUES ('\(ada)', '2020-02-01', overlay(repeat('0', 31) PLACING '3' FROM 29))",
            "leagues.results", "day 2020-02-29"),
        Damage(
            "a month has too many days", "UPDATE daily_results SET results = results || '0' WHERE user_id = '\(ada)'",
            "leagues.results", ada),
        Damage(
            "results of nobody", "UPDATE daily_results SET user_id = 'nobody' WHERE user_id = '\(bob)'",
            "leagues.results", "nobody"),
        Damage(
            "a member is nobody",
            "INSERT INTO league_members SELECT id, gen_random_uuid(), 'nobody', now() FROM leagues", "leagues.nobody",
            "nobody"),
        Damage("a league is gone", "DELETE FROM leagues", "leagues.gone", "league "),
        Damage("a league's members are gone", "DELETE FROM league_members", "leagues.empty", "league "),
        Damage("a league's name is emptied", "UPDATE leagues SET name = ''", "leagues.form", "league "),
        Damage("an invite is none", "UPDATE leagues SET invite = 'U'", "leagues.form", "league "),
        Damage(
            "a member joined before the league was there",
            "UPDATE league_members SET joined_at = joined_at - interval '1 day' WHERE user_id = '\(bob)'",
            "leagues.time", bob),
        Damage(
            "a member joins tomorrow",
            "UPDATE league_members SET joined_at = joined_at + interval '1 day' WHERE user_id = '\(bob)'",
            "leagues.time", bob),
    ]
}
