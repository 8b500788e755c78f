import Foundation
import JulietAPI
import TestSupport
import Testing

@testable import JulietGame

@Suite("Energy that comes back", .everyLayout)
struct RefillTests {
    private static let path = "/v2/players/me/refill"

    /// Moves a player's clock into the past, as if so much time had gone by.
    private func pass(_ interval: String, for player: JSON, in database: TestDatabase) async throws {
        try await database.psql(
            """
            UPDATE users SET refill = ROW((refill).due, earlier((refill).since, '\(interval)'))::refill_clock
            WHERE id = '\(player.id.text)'
            """)
    }

    @Test("with all its energy a player's clock stands; below, each four hours bring five, until none is missing")
    func clock() async throws {
        let database = try await TestDatabase.shared()
        let player = try await V2Client.player()
        let me = try await player.me()
        #expect(me.refill == .missing)
        #expect(try await player.post(Self.path).summary == "409 refill-full")
        for _ in 0..<3 { try await player.end(try await player.start(), in: 2) }
        let spent = try await player.me()
        #expect(spent.energy == 15)
        #expect(spent.refill.due == 0)
        #expect(spent.refill.names == ["due", "nextAt"])
        func secondsLeft() async throws -> Int {
            Int(try await database.psql("SELECT ceil(extract(epoch FROM '\(spent.refill.nextAt.text)' - now()))")) ?? 0
        }
        let most = try await secondsLeft()
        let early = try await player.post(Self.path)
        let least = try await secondsLeft()
        #expect(early.summary == "409 refill-early")
        #expect(least <= most && most <= 14400 && least > 0)
        #expect((least...most).contains(early.json.retryAfter.int))
        #expect(early["Retry-After"] == "\(early.json.retryAfter.int)")

        try await pass("9 hours", for: me, in: database)
        #expect(try await player.me().refill.due == 10)
        let taken = try await player.post(Self.path, "{}")
        #expect(taken.status == 200)
        #expect(taken.json.names == ["energy", "refill"])
        #expect(taken.json.energy == 25)
        #expect(taken.json.refill.due == 0)
        // An hour of the nine goes on.
        let later = try await database.psql(
            "SELECT '\(taken.json.refill.nextAt.text)'::timestamptz - '\(spent.refill.nextAt.text)'")
        #expect(later == "-01:00:00")

        try await pass("100 days", for: me, in: database)
        let full = try await player.me()
        #expect(full.refill.due == 5, "no more than is missing")
        #expect(full.refill.nextAt == .missing, "and the clock stands")
        let last = try await player.post(Self.path)
        #expect(last.json.energy == 30)
        #expect(last.json.refill == .missing)
        let key = ["Idempotency-Key: full"]
        #expect(try await player.post(Self.path, fields: key).summary == "409 refill-full")
        let entries = try await player.get("/v2/players/me/energy").json.entries.items
        #expect(entries.prefix(2).map(\.reason) == ["refill", "refill"])
        #expect(entries.prefix(2).map(\.delta) == [5, 10])
        #expect(entries[0].names == ["at", "delta", "balance", "reason"])
        let export = try await player.get("/v2/players/me/export").json
        #expect(export.energyEntries.items.suffix(2).map(\.reason) == ["refill", "refill"])
        #expect(export.refill == .missing, "the clock stands")
        _ = try await player.start()
        try await pass("4 hours", for: me, in: database)
        #expect(try await player.post(Self.path, fields: key).json.energy == 30, "a refusal is not remembered")
    }

    @Test("a player with too little energy is told what is due")
    func insufficient() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(#"SELECT apply_rules('test', '{"energy.price": 20}')"#)
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service)
        try await player.end(try await player.start(), in: 2, of: database)
        try await pass("5 hours", for: try await player.me(), in: database)
        let reply = try await player.post("/v2/games")
        #expect(reply.summary == "409 energy-insufficient")
        #expect(reply.json.energy == 10)
        #expect(reply.json.refill.due == 5)
        #expect(reply.json.refill.nextAt != .missing)
        try await service.stop()
    }

    @Test("50 at once are given once; under one key all get the first answer")
    func once() async throws {
        let database = try await TestDatabase.shared()
        let player = try await V2Client.player()
        try await player.end(try await player.start(), in: 1)
        try await pass("5 hours", for: try await player.me(), in: database)
        let request = player.request("POST", Self.path)
        let replies = try await player.replies(toAll: Array(repeating: request, count: 50))
        #expect(replies.count { $0.status == 200 } == 1)
        #expect(replies.count { $0.summary == "409 refill-full" } == 49)
        #expect(try await player.me().energy == 30)

        for _ in 0..<2 { try await player.end(try await player.start(), in: 1) }
        try await pass("5 hours", for: try await player.me(), in: database)
        let named = player.request("POST", Self.path, fields: ["Idempotency-Key: refill-1"])
        let same = try await player.replies(toAll: Array(repeating: named, count: 20))
        #expect(same.allSatisfy { $0.status == 200 })
        #expect(Set(same.map(\.http.text)).count == 1)
        #expect(same.count { $0["Idempotent-Replayed"] == "true" } == 19)
        #expect(same[0].json.refill.names == ["due", "nextAt"])
        #expect(try await player.me().energy == 25)
        let early = try await player.post(Self.path, fields: ["Idempotency-Key: refill-2"])
        #expect(early.summary == "409 refill-early")
        try await pass("5 hours", for: try await player.me(), in: database)
        #expect(
            try await player.post(Self.path, fields: ["Idempotency-Key: refill-2"]).status == 200,
            "a refusal is not remembered")
    }

    @Test(
        "where the rules bring no energy back, the URL is 404",
        arguments: ["energy.refillAmount", "energy.refillEvery", "energy.refillUpTo"])
    func off(rule: String) async throws {
        let database = try await TestDatabase.create()
        try await database.psql(#"SELECT apply_rules('test', '{"\#(rule)": 0, "energy.dailyReward": 0}')"#)
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service)
        try await player.end(try await player.start(), in: 2, of: database)
        try await pass("90 days", for: try await player.me(), in: database)
        #expect(try await player.me().refill == .missing)
        #expect(try await player.post(Self.path).summary == "404 not-found")
        #expect(try await V2Client.newcomer(on: service).post(Self.path).summary == "404 not-found")
        let energy = try await player.get("/v2/service").json.energy
        #expect(energy.names == ["price", "start"])
        let game = try await player.post("/v2/daily/game").json.game
        #expect(try await player.end(game, in: 3, of: database).reward == .missing)
        for _ in 0..<5 { try await player.end(try await player.start(), in: 1, of: database) }
        let poor = try await player.post("/v2/games")
        #expect(poor.summary == "409 energy-insufficient")
        #expect(poor.json.refill == .missing)
        try await service.stop()
    }

    @Test("a player who is registered below the limit of refills has a clock from then on")
    func registeredWithLess() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(#"SELECT apply_rules('test', '{"energy.start": 12}')"#)
        let service = try await TestService.start(on: database)
        let reply = try await V2Client.newcomer(on: service).post("/v2/players")
        let (player, me) = (reply.client, reply.json.player)
        #expect(me.refill.due == 0)
        #expect(me.refill.names == ["due", "nextAt"])
        #expect(try await player.me() == me)
        try await pass("16 hours", for: me, in: database)
        let full = try await player.me().refill
        #expect(full.due == 18, "the last one only what is missing")
        #expect(full.nextAt == .missing)
        #expect(try await player.post(Self.path).json.energy == 30)
        try await service.stop()
    }

    @Test("a player of the app has no clock; who is claimed has one, which the app's changes move as any")
    func claimed() async throws {
        let database = try await TestDatabase.shared(["players.claims": "allow", "players.claimedApp": "accept"])
        let service = try await TestService.start(on: database)
        let (app, other) = (TestService.newUser(), TestService.newUser())
        for user in [app, other] {
            for request: GameRequest in [.initialRegistration(vendorID: user), .statNewGameSession(userID: user)] {
                #expect(try await service.answer(to: request).innerStatus == 200)
            }
        }
        #expect(try await database.psql("SELECT count(*) FROM users WHERE id = '\(app)' AND refill IS NULL") == "1")
        let reply = try await V2Client.newcomer(on: service).post("/v2/players", #"{"claim": "\#(app)"}"#)
        let player = reply.client
        #expect(reply.json.player.refill.due == 0)
        #expect(reply.json.player.refill.nextAt != .missing)
        try await pass("5 hours", for: reply.json.player, in: database)
        let waiting = try await player.me().refill
        #expect(waiting.due == 5 && waiting.nextAt == .missing)

        let moment = try await database.psql("SELECT now()")
        #expect(try await service.answer(to: .statNewGameSession(userID: app)).innerStatus == 200)
        var me = try await player.me()
        #expect(me.energy == 20 && me.refill.due == 5, "what is due waits")
        let isAnew = try await database.psql(
            "SELECT '\(me.refill.nextAt.text)'::timestamptz > '\(moment)'::timestamptz + interval '4 hours'")
        #expect(isAnew == "t", "the payment began the clock anew")
        for (energy, due) in [(28, 2), (30, 0), (10, 0)] {
            let report = GameRequest.updateUserEnergy(userID: app, userEnergy: energy)
            #expect(try await service.answer(to: report).innerStatus == 200)
            me = try await player.me()
            #expect(me.energy.int == energy)
            #expect(energy == 30 ? me.refill == .missing : me.refill.due.int == due, "what is due shrinks")
        }
        #expect(
            try await database.psql("SELECT count(*) FROM users WHERE id = '\(other)' AND refill IS NULL") == "1")
        #expect(try await database.ledgerFaults() == "")
        try await service.stop()
    }

    @Test(
        "whether it is taken before a game or after it makes no difference",
        arguments: ["1 hour", "5 hours", "9 hours", "100 days"])
    func order(elapsed: String) async throws {
        let database = try await TestDatabase.create(in: .shared())
        // One transaction, so that both play at nearly the same moment.
        let found = try await database.psql(
            """
            CREATE FUNCTION pg_temp.token(n integer) RETURNS bytea LANGUAGE sql
            AS $$ SELECT sha256(int4send(n)) || ('00000000-0000-8000-8000-00000000000' || n)::bytea $$;
            BEGIN;
            SELECT create_player('00000000-0000-8000-8000-00000000000' || n, 'P', NULL, pg_temp.token(n),
                gen_random_uuid(), sha256(int4send(9))) FROM generate_series(1, 2) AS n;
            SELECT change_energy(id, -10, 'game', NULL, NULL, NULL, held => r) FROM users, rules AS r;
            UPDATE users SET refill = ROW((refill).due, earlier((refill).since, '\(elapsed)'))::refill_clock;
            SELECT refusal FROM take_refill(pg_temp.token(1), NULL, NULL);
            SELECT change_energy(id, -5, 'game', NULL, NULL, NULL, held => r) FROM users, rules AS r;
            SELECT refusal FROM take_refill(pg_temp.token(2), NULL, NULL);
            SELECT format('found %s %s %s %s', count(*), count(DISTINCT (energy, due)), max(energy),
                coalesce(max(next_at) - min(next_at) < interval '5 minutes', true))
            FROM users, LATERAL show_refill(id);
            COMMIT
            """)
        let energy = ["1 hour": 15, "5 hours": 20, "9 hours": 25, "100 days": 25][elapsed]
        #expect(found.split(separator: "\n").last { $0.hasPrefix("found") } == "found 2 1 \(energy ?? 0) t")
    }

    @Test("a payment reads the rules once, locks and changes one row, and writes one entry, with a clock or without")
    func cost() async throws {
        let database = try await TestDatabase.create(in: .shared())
        let player = "00000000-0000-8000-8000-000000000001"
        try await database.psql(
            """
            SELECT create_user('app', NULL, NULL);
            SELECT create_player('\(player)', 'P', NULL, sha256('t') || '\(player)'::bytea, gen_random_uuid(), sha256('r'))
            """)
        let app = "pay_for_game('app', NULL, NULL)"
        // As start_judged_game does, which has read the rules.
        func own(_ player: String) -> String {
            "rules AS held, change_energy('\(player)', -held.game_price, 'game', NULL, NULL, NULL, held => held)"
        }
        // The clock stands at the first payment of the player, and runs at the second.
        for user in ["app", player, player] {
            let touched = try await database.psql(
                """
                BEGIN;
                SELECT refusal FROM \(user == "app" ? app : own(user));
                SELECT relname, coalesce(seq_scan, 0) + coalesce(idx_scan, 0), n_tup_ins, n_tup_upd
                FROM pg_stat_xact_user_tables
                WHERE schemaname = 'juliet' AND (seq_scan > 0 OR idx_scan > 0 OR n_tup_ins > 0 OR n_tup_upd > 0)
                ORDER BY relname;
                COMMIT
                """)
            #expect(
                touched.split(separator: "\n").filter { $0.contains("|") }
                    == ["energy_ledger|0|1|0", "rules|1|0|0", "users|2|0|1"], "\(user)")
        }
    }

    @Test("refills that are switched on begin from that moment, for whoever is below")
    func switchedOn() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(#"SELECT apply_rules('test', '{"energy.refillEvery": 0}')"#)
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service)
        try await player.end(try await player.start(), in: 2, of: database)
        try await pass("90 days", for: try await player.me(), in: database)
        try await database.psql(#"SELECT apply_rules('test', '{"energy.refillEvery": 3600}')"#)
        #expect(try await player.me().refill.due == 0)
        // Two and a half hours of refills, then a game that is paid with a clock of before.
        try await database.psql("UPDATE rules SET since = earlier(since, '150 minutes') WHERE since > '-infinity'")
        #expect(try await player.me().refill.due == 5, "all that is missing")
        _ = try await player.start()
        let me = try await player.me()
        #expect(me.energy == 20)
        #expect(me.refill.due == 5, "what was due waits")
        try await service.stop()
    }

    @Test("the word of the day brings its reward once, to whoever ends it on its day with a guess")
    func reward() async throws {
        let player = try await V2Client.player()
        let game = try await player.post("/v2/daily/game").json.game
        let won = try await player.end(game, in: 2)
        #expect(won.reward == 5)
        #expect(try await player.me().energy == 35)
        #expect(try await player.get("/v2/games/\(game.id.text)").json == won)
        let entry = try await player.get("/v2/players/me/energy").json.entries[0]
        #expect(entry.reason == "daily")
        #expect(entry.game == game.id)
        #expect(try await player.get("/v2/players/me/export").json.games[0].reward == 5)
        _ = try await player.guess("crane", number: 2, in: game)
        _ = try await player.post("/v2/games/\(game.id.text)/resign")
        #expect(try await player.me().energy == 35)

        let idle = try await V2Client.player()
        let untouched = try await idle.post("/v2/daily/game").json.game
        #expect(try await idle.post("/v2/games/\(untouched.id.text)/resign").json.reward == .missing)
        #expect(try await idle.me().energy == 30)

        let quitter = try await V2Client.player()
        let given = try await quitter.post("/v2/daily/game").json.game
        let isWin = try await quitter.secret(of: given) == "crane"
        _ = try await quitter.guess(isWin ? "slate" : "crane", in: given)
        for _ in 0..<2 { #expect(try await quitter.post("/v2/games/\(given.id.text)/resign").json.reward == 5) }
        #expect(try await quitter.me().energy == 35)

        let loser = try await V2Client.player()
        let lost = try await loser.post("/v2/daily/game").json.game
        #expect(try await loser.end(lost, in: nil).reward == 5)
        #expect(try await loser.end(try await loser.start(), in: 2).reward == .missing)
    }

    @Test("a daily that ends after its day brings no reward")
    func late() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service)
        let game = try await player.post("/v2/daily/game").json.game
        _ = try await player.guess("crane", in: game)
        try await database.passDays(1)
        #expect(try await player.end(game, in: 2, of: database).reward == .missing)
        #expect(try await player.me().energy == 30)
        try await service.stop()
    }
}

/// Clocks of random players, kept by the database and by a model that counts every second.
@Suite("The clock of refills", .everyLayout)
struct RefillClockTests {
    /// What the contract says, one second after the other.
    private struct Model {
        var energy: Int
        var due = 0
        var elapsed = 0
        let amount: Int
        let every: Int
        let upTo: Int

        mutating func pass(_ seconds: Int) {
            for _ in 0..<seconds {
                guard energy + due < upTo else { return elapsed = 0 }
                elapsed += 1
                guard elapsed == every else { continue }
                elapsed = 0
                due = min(due + amount, upTo - energy)
            }
        }

        /// The seconds until more is due; nil while the clock stands.
        var left: Int? { energy + due < upTo ? every - elapsed : nil }

        mutating func change(_ delta: Int) {
            let stood = energy + due >= upTo
            energy += delta
            due = max(0, min(due, upTo - energy))
            if stood { elapsed = 0 }
        }
    }

    @Test("whatever comes and goes in between, the database and a model that counts seconds agree", arguments: 1...4)
    func histories(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let database = try await TestDatabase.create()
        for number in 0..<12 {
            let amount = Int.random(in: 1...7, using: &random)
            let every = Int.random(in: 1...40, using: &random)
            let upTo = Int.random(in: 1...40, using: &random)
            var model = Model(energy: 30, amount: amount, every: every, upTo: upTo)
            let player = "00000000-0000-8000-8000-\(String(format: "%06d%06d", seed, number))"
            var script = """
                SELECT apply_rules('test', '{"energy.refillAmount": \(amount), "energy.refillEvery": \(every),
                    "energy.refillUpTo": \(upTo)}');
                UPDATE rules SET since = earlier(since, '\(13 - number) years') WHERE since > now() - interval '1 year';
                SELECT create_user('\(player)', NULL, NULL);
                UPDATE users SET refill = ROW(0, now())::refill_clock WHERE id = '\(player)';

                """
            var expected: [String] = []
            for _ in 0..<25 {
                // A transaction of its own for each step: its time is its beginning, so the past moves instead.
                let seconds = Int.random(in: 0...90, using: &random)
                model.pass(seconds)
                script += """
                    UPDATE users SET refill = ROW((refill).due, earlier((refill).since, '\(seconds) seconds'))::refill_clock
                    WHERE id = '\(player)';

                    """
                let change = Int.random(in: -20...15, using: &random)
                if change < 0, model.energy + change >= 0 {
                    model.change(change)
                    script += """
                        SELECT (change_energy('\(player)', \(change), 'game', NULL, NULL, NULL, held => r)).refusal
                        FROM (SELECT * FROM rules ORDER BY since DESC LIMIT 1) AS r;

                        """
                } else if change > 0 {
                    model.change(change)
                    script += "SELECT (change_energy('\(player)', \(change), 'support', 'x', NULL, NULL)).refusal;\n"
                }
                script += """
                    SELECT energy || '|' FROM users WHERE id = '\(player)';
                    SELECT '|' || coalesce(due, 0), extract(epoch FROM next_at - now())::integer
                    FROM show_refill('\(player)');

                    """
                expected += ["\(model.energy)|", "|\(model.due)|\(model.left.map { "\($0)" } ?? "")"]
            }
            // One transaction, so that no time passes but what is said.
            let output = try await database.psql("BEGIN; \(script) COMMIT")
            let found = output.split(separator: "\n").filter { $0.contains("|") }.map(String.init)
            #expect(found == expected, "seed \(seed), player \(number): \(amount) every \(every) up to \(upTo)")
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
