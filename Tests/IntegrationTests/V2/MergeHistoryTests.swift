import Foundation
import TestSupport
import Testing

/// What a merge makes of two histories, against what the union of their games makes.
@Suite("A merge equals the union", .everyLayout)
struct MergeHistoryTests {
    /// Where a player's rows are on another server, a pair takes ten times as long.
    private static let pairs = CitusCluster.isWanted ? 100 : 1000
    private static let parts = 10

    @Test("pairs of random histories", .timeLimit(.minutes(10)))
    func randomPairs() async throws {
        let seed = Double.random(in: -1...1)
        let comment = Comment(rawValue: "seed \(seed)")
        let database = try await TestDatabase.create()
        try await database.psql(Self.world)
        try await database.psql("SELECT setseed(\(seed))")
        for part in 0..<Self.parts {
            let numbers = "\(part * Self.pairs / Self.parts + 1), \((part + 1) * Self.pairs / Self.parts)"
            try await database.psql(
                """
                SELECT setseed(\(seed / Double(part + 1)));
                DO $$ BEGIN
                    FOR pair IN \(numbers.replacing(", ", with: "..")) LOOP
                        PERFORM make_history(history_id(pair, 'a'), history_id(pair, 'b'), true);
                        PERFORM make_history(history_id(pair, 'b'), history_id(pair, 'a'), false);
                    END LOOP;
                END $$
                """)
        }
        try await database.expectCleanAudit("before, seed \(seed)")
        let before = try await Self.games(in: database)
        let standing = try await Self.standing(in: database)
        let figures = try await Self.figures(of: database)

        for part in 0..<Self.parts {
            let numbers = "\(part * Self.pairs / Self.parts + 1), \((part + 1) * Self.pairs / Self.parts)"
            let refusals = try await database.psql(
                """
                SELECT count((merge_player(history_token(history_id(pair, 'a')), history_token(history_id(pair, 'b')),
                    NULL, NULL, NULL)).refusal)
                FROM generate_series(\(numbers)) AS pair
                """)
            #expect(refusals == "0", comment)
        }
        let after = try await Self.games(in: database)
        let made = try await Self.standing(in: database)
        var (differences, doubled) = (0, 0)
        for pair in 1...Self.pairs {
            let (a, b) = (Self.id(pair, "a"), Self.id(pair, "b"))
            let union = Self.union(before[a] ?? [], before[b] ?? [])
            doubled += union.count { $0.kind != "archive" && $0.isSecond }
            let games = Set((after[a] ?? []).map(\.shown))
            let expected = Self.counted(
                union, energy: (standing[a]?.energy ?? 0) + min(standing[b]?.energy ?? 0, standing[b]?.lasting ?? 0))
            guard games != Set(union.map(\.shown)) || made[a]?.text != expected || after[b] != nil || made[b] != nil
            else { continue }
            differences += 1
            if differences <= 5 {
                Issue.record(
                    """
                    pair \(pair), seed \(seed): \(made[a]?.text ?? "nothing") instead of \(expected), games \
                    \(games.subtracting(union.map(\.shown))) instead of \(Set(union.map(\.shown)).subtracting(games))
                    """)
            }
        }
        #expect(differences == 0, comment)
        #expect(try await Self.figures(of: database) == figures, comment)
        try await database.expectCleanAudit("after, seed \(seed)")
        try await database.gatherBoards()
        try await database.expectCleanAudit("gathered, seed \(seed)")
    }

    // MARK: By brute force

    /// A game, as the table has it.
    private struct Game {
        let id: String
        var kind: String
        var day: String
        var challenge: String
        /// Whether the challenge is of an own word of the other player's.
        let isOfOther: Bool
        let isOver: Bool
        let isWon: Bool
        let guesses: Int
        let started: Int64
        let ended: Int64
        let endedOn: String
        let starts: [String: String]
        let wordID: String
        /// Whether another game is the day's or the challenge's.
        var isSecond = false

        var shown: String { "\(id) \(kind) \(day) \(challenge) \(isSecond)" }
        var counts: Bool { isOver && kind != "archive" && kind != "challenge" }
    }

    /// What is told of a player beside the games.
    private struct Standing {
        let energy: Int
        let lasting: Int
        let text: String
    }

    private static func id(_ pair: Int, _ half: String) -> String {
        "\(half == "a" ? "aaaaaaaa" : "bbbbbbbb")-0000-8000-8000-" + String(repeating: "0", count: 12 - "\(pair)".count)
            + "\(pair)"
    }

    /// The contract's rules.
    private static func union(_ own: [Game], _ others: [Game]) -> [Game] {
        var (own, others) = (own, others)
        for index in own.indices where !own[index].day.isEmpty {
            guard let other = others.firstIndex(where: { $0.day == own[index].day }) else { continue }
            if others[other].kind == "daily" && own[index].kind == "archive" {
                own[index].isSecond = true
            } else {
                others[other].kind = "archive"
                others[other].isSecond = true
            }
        }
        for index in own.indices where !own[index].challenge.isEmpty {
            if let other = others.firstIndex(where: { $0.challenge == own[index].challenge }) {
                others[other].kind = "archive"
                others[other].isSecond = true
            }
            if own[index].isOfOther {
                own[index].kind = "archive"
                own[index].isSecond = true
            }
        }
        for index in others.indices where others[index].isOfOther {
            others[index].kind = "archive"
            others[index].isSecond = true
        }
        return own + others
    }

    private static func counted(_ games: [Game], energy: Int) -> String {
        var (played, won, current, longest) = (0, 0, 0, 0)
        var distribution = Array(repeating: 0, count: 6)
        var boards: [String: (score: Int64, reached: Int64)] = [:]
        var results: [String: String] = [:]
        for game in games.filter(\.counts).sorted(by: { ($0.ended, $0.id) < ($1.ended, $1.id) }) {
            played += 1
            current = game.isWon ? current + 1 : 0
            longest = max(longest, current)
            if game.isWon {
                won += 1
                distribution[game.guesses - 1] += 1
                for (board, start) in game.starts {
                    boards["\(board) \(start)"] = ((boards["\(board) \(start)"]?.score ?? 0) - 1, game.ended)
                }
            }
            guard game.kind == "daily", game.day == game.endedOn else { continue }
            if game.isWon {
                let seconds = (game.ended - game.started) / 1_000_000
                boards["daily \(game.day)"] = (Int64(game.guesses) << 32 + seconds, game.ended)
            }
            results[game.day] = game.isWon ? "\(game.guesses)" : "7"
        }
        // The word of a game that counted before stays played.
        let words = Set(
            games.filter { $0.isOver && ($0.counts || $0.isSecond && $0.wordID.hasPrefix("+")) }.map(\.wordID))
        return """
            \(energy) \(played) \(won) \(current) \(longest) \(distribution) \(won) \
            \(boards.map { "\($0) \($1.score) \($1.reached)" }.sorted()) \(results.map { "\($0) \($1)" }.sorted()) \
            \(words.map { $0.filter(\.isNumber) }.sorted())
            """
    }

    // MARK: What the tables say

    private static func rows(_ sql: String, in database: TestDatabase) async throws -> [[String]] {
        try await database.psql(sql).split(separator: "\n").map {
            $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        }
    }

    private static func games(in database: TestDatabase) async throws -> [String: [Game]] {
        let rows = try await rows(
            """
            SELECT g.user_id, g.id, kind, coalesce(day, former_day), coalesce(challenge, former_challenge),
                coalesce(is_own_word AND maker <> g.user_id AND right(maker, 12) = right(g.user_id, 12)
                    AND maker ~ '^[ab]{8}', false),
                ended_at IS NOT NULL, is_won, guess_count, (extract(epoch FROM started_at) * 1000000)::bigint,
                (extract(epoch FROM ended_at) * 1000000)::bigint, (ended_at AT TIME ZONE 'UTC')::date,
                date_trunc('week', ended_at AT TIME ZONE 'UTC')::date, date_trunc('month', ended_at AT TIME ZONE 'UTC')::date,
                CASE WHEN kind IN ('game', 'daily') THEN '+' ELSE '' END || words.id,
                num_nonnulls(former_day, former_challenge) > 0
            FROM judged_games AS g JOIN words ON words.language = g.language AND words.word = g.word
                LEFT JOIN challenges ON code = challenge
            """, in: database)
        var games: [String: [Game]] = [:]
        for row in rows {
            games[row[0], default: []].append(
                Game(
                    id: row[1], kind: row[2], day: row[3], challenge: row[4], isOfOther: row[5] == "t",
                    isOver: row[6] == "t", isWon: row[7] == "t", guesses: Int(row[8]) ?? 0, started: Int64(row[9]) ?? 0,
                    ended: Int64(row[10]) ?? 0, endedOn: row[11],
                    starts: ["day": row[11], "week": row[12], "month": row[13], "all": "2000-01-01"],
                    wordID: row[14], isSecond: row[15] == "t"))
        }
        return games
    }

    private static func standing(in database: TestDatabase) async throws -> [String: Standing] {
        func grouped(_ sql: String) async throws -> [String: [String]] {
            var groups: [String: [String]] = [:]
            for row in try await rows(sql, in: database) { groups[row[0], default: []].append(row[1]) }
            return groups
        }
        let boards = try await grouped(
            """
            SELECT user_id, format('%s %s %s %s', board, starts_on, score, (extract(epoch FROM reached_at) * 1000000)::bigint)
            FROM board_entries
            """)
        let results = try await grouped(
            """
            SELECT user_id, format('%s %s', month + place - 1, substr(results, place, 1))
            FROM daily_results CROSS JOIN generate_series(1, 31) AS place WHERE substr(results, place, 1) <> '0'
            """)
        let words = try await grouped("SELECT user_id, word_id FROM played_words")
        let lasting = try await grouped(
            "SELECT user_id, sum(delta) FROM energy_ledger WHERE reason IN ('support', 'merge') GROUP BY user_id")
        var standing: [String: Standing] = [:]
        for row in try await rows(
            """
            SELECT user_id, energy, played, won, current_streak, longest_streak, array_to_string(distribution, ', '), wins
            FROM players JOIN users ON id = user_id
            """, in: database)
        {
            let id = row[0]
            standing[id] = Standing(
                energy: Int(row[1]) ?? 0, lasting: Int(lasting[id]?.first ?? "") ?? 0,
                text: """
                    \(row[1]) \(row[2]) \(row[3]) \(row[4]) \(row[5]) [\(row[6])] \(row[7]) \
                    \((boards[id] ?? []).sorted()) \((results[id] ?? []).sorted()) \((words[id] ?? []).sorted())
                    """)
        }
        return standing
    }

    private static func figures(of database: TestDatabase) async throws -> String {
        try await database.psql("SELECT day, count_outcomes(day) FROM daily_words WHERE day < today() ORDER BY day")
    }

    // MARK: How histories are made

    /// Days, challenges, and functions that give a player a history, in which everything is as the game makes it.
    private static let world = """
        INSERT INTO daily_words (day, language, word, salt, commitment, is_planned, seal)
        SELECT today() - age, 'en', word, salt, promise, false, daily_word_seal(today() - age, promise, false, age < 40)
        FROM (SELECT word, place - 100 AS age, gen_random_uuid() AS salt FROM words
            WHERE place BETWEEN 101 AND 140) AS chosen, commitment(salt, word) AS promise;
        SELECT choose_daily_words();
        CREATE FUNCTION public.history_id(pair integer, half text) RETURNS text LANGUAGE sql
        AS $$ SELECT format('%s-0000-8000-8000-%s', repeat(half, 8), lpad(pair::text, 12, '0')) $$;
        CREATE FUNCTION public.history_token(player text) RETURNS bytea LANGUAGE sql
        AS $$ SELECT sha256(player::bytea) || player::bytea $$;
        CREATE FUNCTION public.history_challenge(player text, own text) RETURNS text LANGUAGE plpgsql AS $$
        DECLARE made text;
        BEGIN
            made := replace(((create_challenge(history_token(player), 'en', 5, own, false, 30, NULL, NULL)).challenge).code,
                '-', '');
            UPDATE challenges SET created_at = earlier(created_at, '60 days'), ends_at = earlier(ends_at, '60 days'),
                players = 900
            WHERE code = made;
            RETURN made;
        END $$;
        SELECT create_player(id, NULL, NULL, history_token(id), gen_random_uuid(), sha256(id::bytea || 'code'))
        FROM (SELECT history_id(0, 'c') AS id) AS maker;
        SELECT grant_energy('os:test', history_id(0, 'c'), 1000, 'a gift', NULL, NULL);
        SELECT history_challenge(history_id(0, 'c'), NULL) FROM generate_series(1, 20);
        CREATE FUNCTION public.begin_history(player text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM FROM players WHERE user_id = player;
            IF FOUND THEN RETURN; END IF;
            PERFORM create_player(player, NULL, NULL, history_token(player), gen_random_uuid(),
                sha256(player::bytea || 'code'));
            PERFORM grant_energy('os:test', player, 30 + floor(random() * 60)::integer, 'a gift', NULL, NULL);
            IF random() < 0.2 THEN PERFORM history_challenge(player, 'crane'); END IF;
        END $$;
        CREATE FUNCTION public.make_history(player text, partner text, is_caller boolean) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            g judged_games;
            n integer;
            wrong text[];
            codes text[];
            nothing judged_games;
            changes board_change[] := '{}';
            w words;
            held rules;
        BEGIN
            SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
            PERFORM begin_history(player);
            PERFORM begin_history(partner);
            codes := ARRAY(SELECT code FROM challenges WHERE NOT is_own_word OR maker = partner);
            FOR i IN 1..floor(random() * 10)::integer LOOP
                g := nothing;
                g.user_id := player;
                g.kind := CASE WHEN random() < 0.4 THEN 'game' WHEN random() < 0.5 THEN 'daily' WHEN random() < 0.6
                    THEN 'archive' ELSE 'challenge' END;
                g.is_hard := false;
                g.is_any_word := false;
                g.language := 'en';
                g.letters := 5;
                g.salt := gen_random_uuid();
                CASE g.kind
                    WHEN 'game' THEN
                        g.started_at := now() - interval '1 minute'
                            - power(random(), 3) * CASE WHEN random() < 0.5 THEN interval '2 days' ELSE interval '39 days' END;
                        n := 200 + floor(random() * 30);
                        SELECT word INTO g.word FROM words WHERE place = n;
                    WHEN 'challenge' THEN
                        n := 1 + floor(random() * cardinality(codes));
                        SELECT code, word, salt, created_at + random() * interval '25 days'
                        INTO g.challenge, g.word, g.salt, g.started_at
                        FROM challenges WHERE code = codes[n];
                    ELSE
                        n := floor(random() * 5)::integer + (g.kind = 'archive')::integer;
                        SELECT day, word, salt INTO g.day, g.word, g.salt FROM daily_words WHERE day = today() - n;
                        g.started_at := g.day::timestamp AT TIME ZONE 'UTC' + random() * least(interval '23 hours 59 minutes',
                            now() - g.day::timestamp AT TIME ZONE 'UTC' - interval '10 seconds');
                        IF g.kind = 'archive' THEN
                            g.started_at := g.started_at + (now() - interval '10 seconds' - g.started_at) * random();
                            CONTINUE WHEN (g.started_at AT TIME ZONE 'UTC')::date = g.day;
                        END IF;
                END CASE;
                CONTINUE WHEN EXISTS (SELECT FROM judged_games WHERE user_id = player
                    AND (day = g.day OR challenge = g.challenge OR kind = 'game' AND g.kind = 'game' AND ended_at IS NULL));
                g.id := ordered_uuid(g.started_at);
                g.commitment := commitment(g.salt, g.word);
                wrong := ARRAY(SELECT x FROM unnest('{slate,pious,mound,fjord,blitz,vixen,geese}'::text[]) AS x
                    WHERE x <> g.word LIMIT 6);
                g.is_won := random() < 0.6;
                g.guess_count := CASE WHEN g.is_won THEN 1 + floor(random() * 6) WHEN random() < 0.7 THEN 6
                    ELSE floor(random() * 6) END;
                IF is_caller AND random() < 0.1 THEN
                    g.is_won := false;
                    g.guess_count := least(g.guess_count, 5);
                ELSE
                    g.ended_at := g.started_at + random() * least(interval '2 hours', now() - g.started_at);
                END IF;
                g.guesses := array_to_string(wrong[1:g.guess_count - g.is_won::integer], '')
                    || CASE WHEN g.is_won THEN g.word ELSE '' END;
                g.marks := '';
                FOR place IN 0..g.guess_count - 1 LOOP
                    g.marks := g.marks || mark_guess(substr(g.guesses, place * 5 + 1, 5), g.word);
                END LOOP;
                IF g.kind = 'game' THEN
                    PERFORM change_energy(player, -5, 'game', g.id::text, NULL, NULL, held => held);
                ELSIF g.kind = 'daily' AND g.guess_count > 0 AND (g.ended_at AT TIME ZONE 'UTC')::date = g.day THEN
                    PERFORM change_energy(player, 5, 'daily', g.id::text, NULL, NULL);
                    g.reward := 5;
                END IF;
                INSERT INTO judged_games SELECT g.*;
                CONTINUE WHEN g.ended_at IS NULL OR g.kind NOT IN ('game', 'daily');
                SELECT * INTO w FROM words WHERE language = 'en' AND word = g.word;
                PERFORM note_played_word(player, w.id, w.place);
                UPDATE players SET judged_secrets = with_bit(judged_secrets, w.place) WHERE user_id = player;
                CONTINUE WHEN g.kind = 'game' OR (g.ended_at AT TIME ZONE 'UTC')::date <> g.day;
                n := CASE WHEN g.is_won THEN g.guess_count ELSE 7 END;
                changes := changes || ROW('daily', g.day, NULL, CASE WHEN g.is_won THEN (g.guess_count::bigint << 32)
                    + floor(extract(epoch FROM g.ended_at - g.started_at))::bigint END, n)::board_change;
                IF g.is_won THEN
                    INSERT INTO board_entries VALUES (player, 'daily', g.day, (changes[cardinality(changes)]).new_score,
                        g.ended_at);
                END IF;
            END LOOP;
            PERFORM recount_games(player);
            PERFORM merge_daily_results(player, '');
            INSERT INTO board_entries (user_id, board, starts_on, score, reached_at)
            SELECT player, board, board_start(board, (ended_at AT TIME ZONE 'UTC')::date), -count(*), max(ended_at)
            FROM judged_games CROSS JOIN unnest('{day,week,month,all}'::board[]) AS board
            WHERE user_id = player AND is_won AND kind IN ('game', 'daily')
            GROUP BY board, board_start(board, (ended_at AT TIME ZONE 'UTC')::date);
            SELECT changes || coalesce(array_agg(ROW(board, starts_on, NULL, score, NULL)::board_change), '{}') INTO changes
            FROM board_entries WHERE user_id = player AND board <> 'daily';
            PERFORM note_on_boards(player, now(), changes);
        END $$;
        """
}
