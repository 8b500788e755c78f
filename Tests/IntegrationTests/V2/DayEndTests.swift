import EventLoop
import QueueTestClient
import TestSupport
import Testing

/// Days that end while many play. The game's clock is moved to the last moments of a day, and goes on from there.
@Suite("The end of a day of /v2", .everyLayout)
struct DayEndTests {
    private static let ends = 3
    private static let players = 12
    private static let rounds = 30

    /// Where midnight is that of the rules, where it never is that of UTC, and from the last of the days on another one.
    @Test(
        "what begins and ends around midnight is counted once, on its day or on none", .timeLimit(.minutes(5)),
        arguments: [("UTC", nil), ("Australia/Lord_Howe", "America/St_Johns")])
    func load(zone: String, later: String?) async throws {
        // On one server: functions of other servers would have to know the clock too.
        let database = try await TestDatabase.create(in: .shared())
        let nodes = [try await TestService.start(on: database), try await TestService.start(on: database)]
        try await database.setClock()
        try await database.begin(in: zone)
        try await database.psql("UPDATE daily_words SET word = 'crane', commitment = commitment(salt, 'crane')")
        let first = try await database.psql("SELECT today()")
        if let later { try await database.psql("SELECT apply_rules('test', '{\"game.timeZone\": \"\(later)\"}')") }
        let seed = UInt64.random(in: 0...999_999_999)
        let played = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.players {
                group.addTask {
                    let player = try await V2Client.player(on: nodes[number % 2])
                    var random = SeededRandom(seed: seed &+ UInt64(number))
                    let habit = Habit.allCases[number % Habit.allCases.count]
                    var running: [JSON] = []
                    for _ in 0..<Self.rounds {
                        try await Self.play(player, habit, &running, &random)
                        let count = played.withLock { count in
                            count += 1
                            return count
                        }
                        let part = Self.players * Self.rounds / (Self.ends + 1)
                        if count % part == 0, count / part <= Self.ends {
                            try await database.moveClock(toEndOfDay: first, plus: count / part - 1)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        // Whatever midnight was not reached by itself is reached now.
        try await database.moveClock(toEndOfDay: first, plus: Self.ends - 1, late: true)
        #expect(try await database.psql("SELECT today() - '\(first)'") == "\(Self.ends)")
        // On a slow machine nobody may have come to a past day.
        let late = try await V2Client.player(on: nodes[0], named: "Late")
        _ = try await late.end(try await late.post("/v2/daily/\(first)/game").json.game, in: 2, of: database)
        try await database.gatherBoards()

        // Each day's outcomes as the board counts them, and as the games say.
        let days = try await database.psql(
            """
            SELECT day, count_outcomes(day), ARRAY(
                SELECT count(id) FROM generate_series(1, 7) AS n
                LEFT JOIN judged_games AS g ON g.day = d.day AND kind = 'daily' AND \(Self.isOnItsDay)
                    AND CASE WHEN is_won THEN guess_count ELSE 7 END = n GROUP BY n ORDER BY n)
            FROM daily_words AS d WHERE day BETWEEN '\(first)' AND today() ORDER BY day
            """
        ).split(separator: "\n").map { $0.split(separator: "|") }
        try #require(days.count == Self.ends + 1)
        for day in days {
            #expect(day[1] == day[2], "seed \(seed): \(day[0])")
            guard day[0] != days[Self.ends][0] else { continue }
            let shown = try await V2Client.newcomer(on: nodes[0]).get("/v2/daily/\(day[0])").json
            let counts = day[2].dropFirst().dropLast().split(separator: ",").compactMap { Int($0) }
            #expect(shown.players.int == counts.reduce(0, +), "seed \(seed): \(day[0])")
            #expect(shown.distribution.items.map(\.int) == Array(counts.dropLast()), "seed \(seed): \(day[0])")
        }
        for (what, sql) in Self.faults {
            #expect(try await database.psql(sql) == "0", "seed \(seed): \(what)")
        }
        #expect(try await database.ledgerFaults() == "", "seed \(seed)")
        let kinds = try await database.psql(
            """
            SELECT count(*) FILTER (WHERE kind = 'daily' AND \(Self.isOnItsDay)) > 0,
                count(*) FILTER (WHERE kind = 'daily' AND NOT \(Self.isOnItsDay)) > 0,
                count(*) FILTER (WHERE kind = 'archive') > 0 FROM judged_games WHERE ended_at IS NOT NULL
            """)
        #expect(kinds == "t|t|t", "seed \(seed): on the day, late, and of past days")
        for node in nodes { try await node.stop() }
    }

    private static let isOnItsDay = "day_at(ended_at) = day"

    /// What is to be nought at the end.
    private static let faults = [
        (
            "games with a reward they should not have, or without",
            """
            SELECT count(*) FROM judged_games WHERE coalesce(reward, 0) <> CASE
                WHEN kind = 'daily' AND guess_count > 0 AND \(isOnItsDay) THEN 5 ELSE 0 END
            """
        ),
        (
            "games whose entries of the ledger are not their reward",
            """
            SELECT count(*) FROM judged_games AS g WHERE coalesce(reward, 0) <> (
                SELECT coalesce(sum(delta), 0) FROM energy_ledger
                WHERE energy_ledger.user_id = g.user_id AND reason = 'daily' AND reference = g.id::text)
            """
        ),
        (
            "games that are on the day's board and should not be, or the other way round",
            """
            SELECT count(*) FROM judged_games AS g WHERE day IS NOT NULL
                AND (kind = 'daily' AND is_won AND \(isOnItsDay)) IS DISTINCT FROM EXISTS (
                    SELECT FROM board_entries AS e
                    WHERE e.user_id = g.user_id AND board = 'daily' AND starts_on = g.day)
                AND ended_at IS NOT NULL
            """
        ),
        (
            "players whose statistics or wins are not their games",
            """
            SELECT count(*) FROM players AS p JOIN users ON id = user_id CROSS JOIN LATERAL (
                SELECT count(*) AS ended, count(*) FILTER (WHERE is_won) AS won FROM judged_games AS g
                WHERE g.user_id = p.user_id AND kind <> 'archive' AND ended_at IS NOT NULL) AS games
            WHERE (p.played, p.won, wins, coalesce((
                SELECT -sum(score) FROM board_entries AS e WHERE e.user_id = p.user_id AND board = 'all'), 0))
                IS DISTINCT FROM (games.ended, games.won, games.won, games.won)
            """
        ),
        (
            "days whose wins are not the games that were won on them",
            """
            SELECT count(*) FROM generate_series(today() - 1, today(), '1 day') AS d WHERE (
                SELECT count(*) FROM judged_games WHERE is_won AND kind <> 'archive'
                    AND day_at(ended_at) = d::date) <> (
                SELECT coalesce(-sum(score), 0) FROM board_entries WHERE board = 'day' AND starts_on = d::date)
            """
        ),
    ]

    /// How a player plays: whatever comes, games of past days alone, or the day's when the day is over.
    private enum Habit: CaseIterable { case any, gone, late }

    /// Begins today's word or a past one, where that was not done, and goes on with one of the player's games.
    private static func play(
        _ player: V2Client, _ habit: Habit, _ running: inout [JSON], _ random: inout SeededRandom
    ) async throws {
        var path = "/v2/daily/game"
        let days = try await player.get("/v2/daily/days?limit=2").json.days
        if habit == .gone || habit == .any && Int.random(in: 0..<4, using: &random) == 0 {
            guard days[1] != .missing else { return }
            path = "/v2/daily/\(days[1].day.text)/game"
        }
        let begun = try await player.post(path)
        #expect([200, 201].contains(begun.status), "\(begun)")
        let game = begun.json.game
        if game.state == "playing", !running.contains(where: { $0.id == game.id }) { running.append(game) }
        let indices = running.indices.filter { habit != .late || running[$0].day.text < days[0].day.text }
        guard let index = indices.randomElement(using: &random) else { return }
        let chosen = running[index]
        let reply: V2Reply
        switch Int.random(in: 0..<8, using: &random) {
        case 0: reply = try await player.post("/v2/games/\(chosen.id.text)/resign")
        case 1, 2: reply = try await player.guess("crane", in: chosen)
        case 3: return
        default: reply = try await player.guess(V2Client.words.randomElement(using: &random) ?? "slate", in: chosen)
        }
        #expect(reply.status == 200, "\(reply)")
        if reply.json.state != "playing" { running.remove(at: index) }
    }
}

extension TestDatabase {
    /// Moves the clock ahead to the last moments of a day, or behind its end.
    fileprivate func moveClock(toEndOfDay first: String, plus days: Int, late: Bool = false) async throws {
        // A service does so twice a minute. These days are shorter, and nobody knows when the second day after a day ends.
        try await psql("SELECT choose_daily_words()")
        try await moveClock(
            to: "day_start('\(first)'::date + \(days + 1)) + interval '\(late ? 1000 : -200) milliseconds'")
    }
}
