import EventLoop
import Foundation
import Postgres
import TestSupport
import Testing

@testable import JulietGame

/// What many of the app's players ask together, which one statement does for all of them (schema/operations/sets.sql).
@Suite("Sets", .defaultLayout("where players are spread over servers, each is asked for alone"))
struct SetTests {
    private static let limit = Duration.seconds(120)

    /// The functions of sets, called for the players of an array, without and with names of operations.
    private static func calls(_ players: String) -> [String] {
        ["NULL::text", "'k' || md5(random()::text)"].flatMap { name in
            func all(_ value: String) -> String { "array_fill(\(value), ARRAY[cardinality(\(players))])" }
            let operations = "ARRAY(SELECT \(name) FROM unnest(\(players))), \(all("1::bigint"))"
            return [
                "pay_for_game_each(\(players), \(operations))",
                "buy_energy_each(\(players), \(all("5")), \(operations))",
                "add_win_each(\(players), \(operations))",
                "start_game_each(\(players), \(all("'en'::text")), \(all("5")), \(operations))",
                "record_played_word_each(\(players), \(all("'crane'::text")), \(all("'en'::text")))",
            ]
        }
    }

    // MARK: As one by one

    @Test(
        "random histories have the same answers and leave the same records, together and one by one", arguments: 1...4)
    func histories(seed: Int) async throws {
        let database = try await TestDatabase.create()
        // 'A' plays in sets, 'B' one by one. An error, which a name of an operation can lead to, is an answer, too.
        let said = try await database.psql(
            """
            SELECT register_user(side || n, NULL, NULL) FROM unnest('{A,B}'::text[]) AS side, generate_series(1, 80) AS n;
            CREATE FUNCTION public.alone(
                kind text, player text, amount integer, operation text, request bigint, language text, word text
            ) RETURNS text LANGUAGE plpgsql AS $$
            BEGIN
                RETURN CASE kind WHEN 'pay' THEN juliet.pay_for_game(player, operation, request)
                    WHEN 'buy' THEN juliet.buy_energy(player, amount, operation, request)
                    WHEN 'win' THEN juliet.add_win(player, operation, request)
                    WHEN 'start' THEN juliet.start_game(player, language, 5, operation, request)
                    WHEN 'deal' THEN juliet.deal_word(player, language, 5)
                    WHEN 'played' THEN juliet.record_played_word(player, word, language) END::text;
            EXCEPTION WHEN invalid_parameter_value THEN RETURN 'error';
            END
            $$;
            CREATE FUNCTION public.together(
                kind text, players text[], amounts integer[], operations text[], requests bigint[], languages text[], spelled text[]
            ) RETURNS TABLE (answer text, place bigint) LANGUAGE plpgsql AS $$
            DECLARE
                letters integer[] := array_fill(5, ARRAY[cardinality(players)]);
            BEGIN
                RETURN QUERY SELECT s.answer::text, s.place FROM juliet.pay_for_game_each(players, operations, requests) AS s
                    WHERE kind = 'pay'
                UNION ALL SELECT s.answer::text, s.place FROM juliet.buy_energy_each(players, amounts, operations, requests) AS s
                    WHERE kind = 'buy'
                UNION ALL SELECT s.answer::text, s.place FROM juliet.add_win_each(players, operations, requests) AS s
                    WHERE kind = 'win'
                UNION ALL SELECT s.answer::text, s.place
                    FROM juliet.start_game_each(players, languages, letters, operations, requests) AS s WHERE kind = 'start'
                UNION ALL SELECT s.answer::text, s.place FROM juliet.deal_word_each(players, languages, letters) AS s
                    WHERE kind = 'deal'
                UNION ALL SELECT s.answer::text, s.place FROM juliet.record_played_word_each(players, spelled, languages) AS s
                    WHERE kind = 'played';
            END
            $$;
            CREATE TABLE public.seen (round integer, kind text, place bigint, is_served boolean, answer text, alone text);
            DO $$
            DECLARE
                what text;
                who text[]; amounts integer[]; operations text[]; requests bigint[]; languages text[];
                words text[];
                spellings text[] := (SELECT array_agg(w) || '{qqqqq,NULL}' FROM (
                    (SELECT word AS w FROM juliet.words WHERE place IS NOT NULL AND char_length(word) = 5 ORDER BY id LIMIT 30)
                    UNION ALL (SELECT word FROM juliet.words WHERE place IS NULL ORDER BY id LIMIT 10)) AS few);
            BEGIN
                PERFORM setseed(0.\(seed)), set_config('search_path', 'public,juliet', true);
                <<play>>
                FOR round IN 1 .. 150 LOOP
                    IF random() < 0.1 THEN PERFORM apply_rules('test', jsonb_build_object(
                        'energy.price', floor(random() * 8),
                        'purchases.verification', (ARRAY['none', 'none', 'whenPresent', 'required'])[floor(random() * 4) + 1],
                        'purchases.unverifiedDailyLimit', (ARRAY[0, 0, 60])[floor(random() * 3) + 1]));
                    END IF;
                    what := (ARRAY['pay', 'start', 'buy', 'win', 'deal', 'played'])[floor(random() * 6) + 1];
                    SELECT array_agg(id), array_agg(amount), array_agg(name), array_agg(request), array_agg(language), array_agg(word)
                    INTO who, amounts, operations, requests, languages, words FROM (
                        SELECT CASE WHEN random() < 0.03 THEN 'nobody' ELSE n::text END AS id,
                            (ARRAY[5, 30, 30, 7, NULL])[floor(random() * 5) + 1] AS amount,
                            CASE WHEN random() < 0.4 THEN NULL WHEN random() < 0.03 THEN 'bad name'
                                ELSE 'n' || floor(random() * 60) END AS name,
                            CASE WHEN random() < 0.02 THEN NULL WHEN random() < 0.1 THEN 2 ELSE 1 END::bigint AS request,
                            CASE WHEN random() < 0.05 THEN 'de' ELSE 'en' END AS language,
                            spellings[floor(random() * 42) + 1] AS word
                        FROM generate_series(1, 80) AS n ORDER BY md5(n || '-' || play.round) LIMIT play.round % 64 + 1) AS asked;
                    INSERT INTO seen SELECT round, what, abs(s.place), s.place > 0, s.answer
                    FROM together(what, (SELECT array_agg('A' || w ORDER BY n) FROM unnest(who) WITH ORDINALITY AS u (w, n)),
                        amounts, operations, requests, languages, words) AS s;
                    UPDATE seen SET answer = alone(what, 'A' || who[place], amounts[place], operations[place], requests[place],
                        languages[place], words[place])
                    WHERE seen.round = play.round AND NOT is_served;
                    UPDATE seen SET alone = alone(what, 'B' || who[place], amounts[place], operations[place], requests[place],
                        languages[place], words[place])
                    WHERE seen.round = play.round;
                    IF (SELECT array_agg(place ORDER BY place) FROM seen WHERE seen.round = play.round)
                        IS DISTINCT FROM ARRAY(SELECT generate_series(1, cardinality(who))::bigint)
                    THEN RAISE 'not each place once: %', round; END IF;
                END LOOP;
            END
            $$;
            -- A dealt word is one of many.
            UPDATE seen SET answer = regexp_replace(answer, ',[a-z]{5},', ',word,'), alone = regexp_replace(alone, ',[a-z]{5},', ',word,');
            SELECT kind, place, answer, alone FROM seen WHERE answer IS DISTINCT FROM alone;
            WITH records AS (
                SELECT left(user_id, 1) AS side, substr(user_id, 2) AS who, operation_id, entry, delta, balance_after, reason,
                    reference IS NULL AS reference, operation_request, operation_kind, refusal, answer
                FROM energy_ledger
                UNION ALL SELECT left(user_id, 1), substr(user_id, 2), word_id::text, number, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
                FROM played_words
                UNION ALL SELECT left(id, 1), substr(id, 2), md5(played_secrets::text), ledger_entry, energy, wins, NULL, NULL, words_played, NULL,
                    NULL, NULL
                FROM users
                UNION ALL SELECT left(user_id, 1), substr(user_id, 2), day::text, energy, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                    NULL FROM unverified_purchases)
            SELECT 'differs', r.* FROM records AS r GROUP BY side, who, operation_id, entry, delta, balance_after, reason,
                reference, operation_request, operation_kind, refusal, answer
            HAVING count(*) <> (SELECT count(*) FROM records AS o WHERE o.side <> r.side
                AND (o.who, o.operation_id, o.entry, o.delta, o.balance_after, o.reason, o.reference, o.operation_request,
                    o.operation_kind, o.refusal, o.answer)
                    IS NOT DISTINCT FROM (r.who, r.operation_id, r.entry, r.delta, r.balance_after, r.reason, r.reference,
                    r.operation_request, r.operation_kind, r.refusal, r.answer));
            """)
        #expect(said.isEmpty || !said.contains("|"), "\(said)")
        // All ways were gone: served, refused, repeated, with another request, unknown, not served.
        let seen = try await database.psql(
            """
            SELECT count(*) > 1000, bool_or(answer LIKE '%insufficient%'), bool_or(answer LIKE '%,t)'),
                bool_or(answer LIKE '%reused%'), bool_or(answer LIKE '%user-unknown%'), bool_or(NOT is_served),
                bool_or(answer = 'error'), bool_or(answer LIKE '%product%'), bool_or(answer LIKE '%purchase-%'),
                bool_or(answer LIKE '%,word,%'), bool_or(answer LIKE '%no-words%'), bool_or(answer LIKE '%word-unknown%')
            FROM public.seen
            """)
        #expect(seen == "t|t|t|t|t|t|t|t|t|t|t|t")
        #expect(try await database.ledgerFaults().isEmpty)
        try await database.expectCleanAudit()
    }

    @Test("a player who is in a set several times is served as often, and a name once")
    func twice() async throws {
        let database = try await TestDatabase.create()
        let said = try await database.psql(
            """
            SELECT register_user('ANNA', NULL, NULL), register_user('BEN', NULL, NULL);
            SELECT place, (answer).energy FROM pay_for_game_each('{ANNA,BEN,ANNA,ANNA}', '{NULL,NULL,NULL,NULL}', '{1,1,1,1}')
            ORDER BY 2, 1;
            SELECT count(*), count(*) FILTER (WHERE (answer).is_replay), min((answer).wins), max((answer).wins)
            FROM add_win_each('{ANNA,ANNA,ANNA}', '{w,w,w}', '{1,1,1}');
            SELECT (answer).refusal FROM buy_energy_each('{BEN,BEN}', '{5,5}', '{b,b}', '{1,2}') ORDER BY 1 LIMIT 1;
            SELECT id, energy, wins FROM users ORDER BY id
            """)
        let lines = said.split(separator: "\n").dropFirst()
        #expect(
            lines.map { $0.split(separator: "|").last.map(String.init) ?? "" }
                == ["15", "20", "25", "25", "1", "operation-reused", "1", "0"])
        #expect(lines.dropFirst(4).first == "3|2|1|1")
        #expect(lines.suffix(2) == ["ANNA|15|1", "BEN|30|0"])
        try await database.expectCleanAudit()
    }

    @Test(
        "a set deals each word that was not played as often as the others, and the oldest when all were",
        arguments: [0, 6, 11, 12])
    func distribution(played: Int) async throws {
        let database = try await TestDatabase.create()
        // Twelve words; some of them were played, the last one first.
        let counts = try await database.psql(
            """
            INSERT INTO words (language, word, is_secret) SELECT 'xx', 'aaaa' || chr(96 + n), true FROM generate_series(1, 12) AS n;
            SELECT refresh_word_lists();
            SELECT count(register_user('P' || n, NULL, NULL)) FROM generate_series(1, 60) AS n;
            SELECT apply_rules('test', '{"energy.price": 0}');
            SELECT count(record_played_word('P' || n, 'aaaa' || chr(97 + 12 - w), 'xx'))
            FROM generate_series(1, 60) AS n, generate_series(1, \(played)) AS w;
            CREATE TABLE public.dealt (way text, word text);
            DO $$
            DECLARE
                players text[] := ARRAY(SELECT 'P' || n FROM generate_series(1, 60) AS n);
                languages text[] := array_fill('xx'::text, ARRAY[60]);
                letters integer[] := array_fill(5, ARRAY[60]);
            BEGIN
                FOR round IN 1 .. 60 LOOP
                    INSERT INTO public.dealt SELECT 'deal', (answer).word FROM deal_word_each(players, languages, letters);
                    INSERT INTO public.dealt SELECT 'start', (answer).word FROM start_game_each(
                        players, languages, letters, array_fill(NULL::text, ARRAY[60]), array_fill(NULL::bigint, ARRAY[60]));
                END LOOP;
            END
            $$;
            SELECT way, word, count(*) FROM public.dealt GROUP BY way, word ORDER BY way, word
            """
        ).split(separator: "\n").filter { $0.hasPrefix("deal|") || $0.hasPrefix("start|") }.map {
            $0.split(separator: "|")
        }
        let left = played == 12 ? 1 : 12 - played
        #expect(counts.count == 2 * left)
        let expected = 3600.0 / Double(left)
        for line in counts {
            let count = try #require(Double(line[2]))
            // Six standard deviations.
            #expect(abs(count - expected) <= 6 * (expected * (1 - 1 / Double(left))).squareRoot(), "\(line)")
            if played == 12 { #expect(line[1] == "aaaal") }
        }
    }

    // MARK: What is refused

    @Test(
        "arrays that are no set are refused, and nothing is changed",
        arguments: [
            ("NULL", "'{a}'", "'{1}'"), ("'{ANNA}'", "NULL", "'{1}'"), ("'{ANNA}'", "'{a}'", "NULL"),
            ("'{}'", "'{}'", "'{}'"),
            ("'{ANNA,ANNA}'", "'{a}'", "'{1,1}'"), ("'{ANNA,ANNA}'", "'{a,b}'", "'{1}'"),
            ("'{ANNA}'", "'{a,b}'", "'{1,1}'"),
            ("'{{ANNA},{ANNA}}'", "'{{a},{b}}'", "'{{1},{1}}'"), ("'{{ANNA,ANNA}}'", "'{a,b}'", "'{1,1}'"),
            ("'[0:1]={ANNA,ANNA}'", "'{a,b}'", "'{1,1}'"), ("'{ANNA,ANNA}'", "'[2:3]={a,b}'", "'{1,1}'"),
            (
                "array_fill('ANNA'::text, ARRAY[1001])", "array_fill('a'::text, ARRAY[1001])",
                "array_fill(1::bigint, ARRAY[1001])"
            ),
        ])
    func arrays(players: String, operations: String, requests: String) async throws {
        let database = try await TestDatabase.shared()
        try await database.psql("SELECT register_user('ANNA', NULL, NULL)")
        let before = try await database.psql(
            "SELECT users.*, count(user_id) FROM users, energy_ledger WHERE id = 'ANNA' AND user_id = id GROUP BY id")
        let amounts = "array_fill(5, ARRAY[greatest(1, cardinality(\(players)::text[]))])"
        for call in [
            "pay_for_game_each(\(players), \(operations), \(requests))",
            "buy_energy_each(\(players), \(amounts), \(operations), \(requests))",
            "buy_energy_each('{ANNA,ANNA}', '{5}', '{a,b}', '{1,1}')",
            "add_win_each(\(players), \(operations), \(requests))",
            "start_game_each(\(players), \(operations), \(amounts), \(operations), \(requests))",
            "start_game_each('{ANNA,ANNA}', '{en,en}', '{5}', '{a,b}', '{1,1}')",
            "deal_word_each('{ANNA}', '{en,en}', '{5}')",
            "deal_word_each(\(players), \(operations), \(requests)::integer[])",
            "record_played_word_each(\(players), \(operations), \(requests)::text[])",
        ] {
            let failure = await #expect(throws: Command.Failure.self, "\(call)") {
                try await database.psql("SET ROLE player_service; SELECT \(call)")
            }
            #expect(failure?.output.contains("a set is arrays of equal length") == true, "\(failure?.output ?? "")")
        }
        #expect(
            try await database.psql(
                "SELECT users.*, count(user_id) FROM users, energy_ledger WHERE id = 'ANNA' AND user_id = id GROUP BY id"
            )
                == before)
    }

    @Test("sets reach no player of /v2, and lock none")
    func reach() async throws {
        let database = try await TestDatabase.create()
        let (player, token) = (ServiceFunction.id("01"), ServiceFunction.token("01"))
        try await database.psql(
            """
            SELECT apply_rules('test', '{"players.claims": "allow", "players.claimedApp": "accept"}');
            SELECT register_user('ACCOUNT', NULL, NULL);
            SELECT create_player(\(player), 'Ann', 'ACCOUNT', \(token), gen_random_uuid(), sha256('01'))
            """)
        let records = "SELECT users.*, (SELECT count(*) FROM energy_ledger) FROM users"
        let before = try await database.psql(records)
        for call in Self.calls("ARRAY[\(player)]") {
            let said = try await database.psql(
                """
                BEGIN; SET LOCAL ROLE player_service; SELECT place, answer FROM \(call); RESET ROLE;
                SELECT count(*) FROM pg_locks WHERE relation = 'users'::regclass AND mode = 'RowShareLock' AND pid = pg_backend_pid();
                SELECT xmax = 0 OR xmax <> pg_current_xact_id()::xid FROM users WHERE id = \(player); COMMIT
                """)
            #expect(said.hasPrefix("1|(user-unknown,") && said.hasSuffix("\nt"), "\(call): \(said)")
        }
        #expect(try await database.psql(records) == before)
    }

    @Test("an old snapshot changes no balance of a set")
    func oldSnapshot() async throws {
        let database = try await TestDatabase.create()
        try await database.psql("SELECT register_user('ANNA', NULL, NULL)")
        for call in Self.calls("ARRAY['ANNA']") where !call.hasPrefix("add_win") {
            let failure = await #expect(throws: Command.Failure.self, "\(call)") {
                try await database.psql(
                    "SET ROLE player_service; BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT \(call)")
            }
            #expect(failure?.output.contains("only in a READ COMMITTED transaction") == true)
        }
    }

    // MARK: Locks

    @Test("a set passes over a player whose row is held, whoever comes first in the arrays")
    func held() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            "SELECT register_user('ANNA', NULL, NULL), register_user('BEN', NULL, NULL), register_user('CARL', NULL, NULL)"
        )
        try await database.withOwner { holder in
            try await holder.executeScript("BEGIN; SELECT FROM juliet.users WHERE id = 'BEN' FOR UPDATE")
            for call in Self.calls("ARRAY['BEN', 'ANNA', 'nobody', 'CARL']") {
                let said = try await database.psql(
                    "SET ROLE player_service; SELECT place, (answer).refusal, answer IS NULL FROM \(call) ORDER BY abs(place)"
                )
                #expect(said == "-1||t\n2||f\n3|user-unknown|f\n4||f", "\(call)")
            }
            try await holder.executeScript("COMMIT")
        }
        #expect(try await database.psql("SELECT wins FROM users ORDER BY id") == "2\n0\n2")
        try await database.expectCleanAudit()
    }

    @Test("a set does not wait for who changes the limit of purchases")
    func limit() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            SELECT apply_rules('test', '{"purchases.unverifiedDailyLimit": 60}');
            SELECT register_user('ANNA', NULL, NULL), register_user('BEN', NULL, NULL), buy_energy('ANNA', 5, NULL, NULL)
            """)
        let buy = """
            SET ROLE player_service; SELECT place, (answer).energy, (answer).refusal
            FROM juliet.buy_energy_each('{ANNA,BEN}', '{30,30}', '{NULL,NULL}', '{NULL,NULL}')
            """
        try await database.withOwner { holder in
            try await holder.executeScript(
                "BEGIN; SET search_path = juliet; SELECT apply_rules('test', '{\"purchases.unverifiedDailyLimit\": 40}')"
            )
            #expect(try await database.psql(buy) == "-1||\n2|60|")
            try await holder.executeScript("COMMIT")
        }
        #expect(try await database.psql(buy) == "1|65|\n2|60|purchase-limit")
        try await database.expectCleanAudit()
    }

    @Test("ids that only look like those of /v2 are served as all others")
    func likeIds() async throws {
        let database = try await TestDatabase.create()
        let ids = ["01234567-0000-8000-8000-00000000000A", "xxxxxxxxxxxxxx8x"]
        for id in ids { try await database.psql("SELECT register_user('\(id)', NULL, NULL)") }
        for call in Self.calls("'{\(ids.joined(separator: ","))}'::text[]") {
            #expect(try await database.psql("SELECT place FROM \(call) ORDER BY 1") == "1\n2", "\(call)")
        }
        let dealt = try await database.psql(
            "SELECT place, (answer).refusal FROM deal_word_each('{\(ids.joined(separator: ","))}', '{en,en}', '{5,5}') ORDER BY 1"
        )
        #expect(dealt == "1|\n2|")
    }

    @Test("two services with the same names at the same time: each takes effect once, and nobody is in a deadlock")
    func services() async throws {
        let database = try await TestDatabase.create()
        let players = (1...200).map { "PLAYER-\($0)" }
        try await database.psql("SELECT register_user('PLAYER-' || n, NULL, NULL) FROM generate_series(1, 200) AS n")
        let deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        try await database.psql("ALTER DATABASE \(database.name) SET track_functions = 'all'")
        let before = try await database.psql(deadlocks)
        try await Self.running(2, on: database) { clients in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in clients {
                    // Each player has two requests in flight at each service, and both services ask the same.
                    for (number, player) in players.enumerated() {
                        for lane in 0..<2 {
                            group.addTask {
                                let user = AppUser(User.ID(player))
                                for turn in 0..<8 {
                                    let name = "\(lane)-\(turn)"
                                    switch (number + lane + turn) % 3 {
                                    case 0:
                                        let operation = Self.operation(name, .payForGame)
                                        _ = try await client.ask(.payForGame(user: user, operation: operation))
                                    case 1:
                                        let operation = Self.operation(name, .buyEnergy)
                                        _ = try await client.ask(
                                            .buyEnergy(user: user, amount: 30, operation: operation))
                                    default:
                                        let operation = Self.operation(name, .addWin)
                                        _ = try await client.ask(.addWin(user: user, operation: operation))
                                    }
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let counts = try await database.psql(
            """
            SELECT count(*), count(DISTINCT (user_id, operation_id)), count(*) FILTER (WHERE operation_kind = 'add_win'),
                (SELECT sum(wins) FROM users) FROM energy_ledger WHERE operation_kind <> 'register_user' AND operation_request <> 0
            """)
        var wins = 0
        for number in players.indices {
            for lane in 0..<2 { for turn in 0..<8 where (number + lane + turn) % 3 == 2 { wins += 1 } }
        }
        #expect(counts == "3200|3200|\(wins)|\(wins)")
        #expect(try await database.psql(deadlocks) == before)
        let sets = try await database.psql(
            "SELECT funcname FROM pg_stat_user_functions WHERE funcname LIKE '%each' AND calls > 10 ORDER BY 1")
        #expect(sets == "add_win_each\nbuy_energy_each\npay_for_game_each")
        #expect(try await database.ledgerFaults().isEmpty)
        try await database.expectCleanAudit()
    }

    private static func operation(_ name: String, _ kind: JulietGame.Operation.Kind) -> JulietGame.Operation {
        JulietGame.Operation(JulietGame.Operation.ID(name), kind)
    }

    /// Runs clients of several services, each with four connections.
    private static func running(
        _ count: Int, on database: TestDatabase, _ body: ([PostgresClient]) async throws -> Void
    ) async throws {
        var loops: [EventLoop] = []
        for number in 0..<count * 2 { loops.append(try EventLoop(label: "service \(number)")) }
        defer { for loop in loops { loop.shutdown() } }
        var configuration = PostgresConfiguration(connectionString: database.serviceConnectionString)
        configuration.connectionsPerLoop = 2
        configuration.queueTimeout = limit
        configuration.statementTimeout = limit
        let clients = (0..<count).map { number in
            PostgresClient(configuration: configuration, loops: Array(loops[number * 2..<number * 2 + 2]))
        }
        let runs = clients.map { client in Task { try await client.run() } }
        let result: Result<Void, any Error>
        do { result = .success(try await body(clients)) } catch { result = .failure(error) }
        for run in runs { run.cancel() }
        for run in runs { try await run.value }
        try result.get()
    }

    // MARK: Plans

    @Test(
        "a set has one UPDATE and one INSERT, and reads no table whole, however many players there were when it was planned"
    )
    func plans() async throws {
        let database = try await TestDatabase.create()
        let deal = "deal_word_each('{p1,p2,p400,p500000,nobody}', '{en,en,en,en,en}', '{5,5,5,5,5}')"
        let set = "ARRAY['p1', 'p2', 'p3', 'p4', 'p5', 'p400', 'p90000', 'p500000', 'nobody']"
        func calls(_ label: String) -> String {
            """
            SET auto_explain.log_min_duration = 0;
            \((Self.calls(set) + [deal]).map { "SELECT '\(label)', place FROM \($0);" }.joined(separator: "\n"))
            SET auto_explain.log_min_duration = -1;
            """
        }
        /// Players with a ledger, or without, as when it has gone to files.
        func fill(_ from: Int, _ to: Int, ledger: Bool) -> String {
            """
            SET session_replication_role = replica;
            INSERT INTO users (id, energy, wins, words_played, ledger_entry, ledger_seal, ledger_at)
            SELECT 'p' || n, 30, 0, 0, 1, 0, now() FROM generate_series(\(from), \(to)) AS n;
            INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, created_at)
            SELECT 'p' || n, 'entry 1', 1, 30, 30, 'registration', now() FROM generate_series(\(from), \(to)) AS n WHERE \(ledger);
            SET session_replication_role = origin;
            """
        }
        // They hide plans, which have their constants.
        for function in ["start_game", "deal_word", "record_played_word"] {
            try await database.psql(
                "ALTER FUNCTION \(function) RESET client_min_messages; ALTER FUNCTION \(function)_each RESET client_min_messages"
            )
        }
        let begin = """
            LOAD 'auto_explain'; SET auto_explain.log_nested_statements = on; SET auto_explain.log_analyze = off;
            SET client_min_messages = log;
            """
        let analyze = "ANALYZE users, energy_ledger, rules;"
        // One session that has planned everything on empty tables, and new ones for each size.
        var said = try await database.psql(
            begin + calls("0, planned first") + fill(1, 5, ledger: false) + calls("5, planned at 0") + analyze
                + calls("5, analysed")
                + fill(6, 500, ledger: true) + calls("500, planned at 5"))
        said += try await database.psql(begin + calls("500, never analysed ledger"))
        said += try await database.psql(
            begin + analyze + calls("500") + fill(501, 500_000, ledger: true) + calls("500,000, planned at 500"))
        said += try await database.psql(begin + calls("500,000, analysed at 500"))
        said += try await database.psql(begin + analyze + calls("500,000"))
        #expect(said.contains("Update on users") && said.contains("Tid Scan on users"))
        let lines = said.split(separator: "\n").map { $0.trimmingCharacters(in: ["-", ">", " ", "\t"]) }
        for (index, line) in lines.enumerated() {
            #expect(
                !line.contains("Seq Scan on") && !line.contains("Hash Join") && !line.contains("Merge Join"), "\(line)")
            if line.hasPrefix("Index"), line.contains(" on users") || line.contains(" on energy_ledger") {
                #expect(lines[index + 1].hasPrefix("Index Cond:"), "\(line)")
            }
        }
        let alone = try await database.psql(
            begin + "SET auto_explain.log_min_duration = 0; SELECT place FROM "
                + Self.calls("ARRAY['p1', 'p2', 'p3']")[1] + " ORDER BY 1")
        #expect(alone.split(separator: "\n").count { $0.contains("Update on users") } == 1)
        #expect(alone.split(separator: "\n").count { $0.contains("Insert on energy_ledger") } == 1)
        #expect(alone.hasSuffix("1\n2\n3"))
    }
}
