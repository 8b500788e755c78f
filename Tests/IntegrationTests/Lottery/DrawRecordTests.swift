import Foundation
import JulietGame
import Lottery
import Postgres
import StrictEncoding
import TestSupport
import Testing

/// Draws as PostgreSQL makes and shows them.
@Suite("Draws in the records", .everyLayout)
struct DrawRecordTests {
    @Test("the schema's draw function is the use case's, for thousands of seeds and lists of one to 2^62 entries")
    func sameFunction() async throws {
        let database = try await TestDatabase.shared()
        let rows = try await database.psql(
            """
            SELECT i, count, lottery_index(sha256(i::text::bytea), sha256(count::text::bytea), i % 10 + 1, count)
            FROM generate_series(1, 6000) AS i, LATERAL (SELECT CASE i % 4 WHEN 0 THEN i WHEN 1 THEN i % 20 + 1
                WHEN 2 THEN (1::bigint << 62) + i ELSE (1::bigint << i % 63) END AS count) AS counts
            """
        ).split(separator: "\n").map { $0.split(separator: "|").compactMap { Int($0) } }
        #expect(rows.count == 6000)
        for row in rows {
            let place = DrawFunction.place(
                seed: DrawFunction.digest("\(row[0])".utf8), listDigest: DrawFunction.digest("\(row[1])".utf8),
                round: row[0] % 10 + 1, count: row[1])
            #expect(place == row[2], "\(row)")
        }
    }

    @Test("whole lists are drawn alike by the schema, the use case and the Python of docs/lottery.md")
    func sameRounds() async throws {
        let database = try await TestDatabase.shared()
        let page = try String(
            contentsOf: TestDatabase.root
                .appending(path: "docs/lottery.md"), encoding: .utf8)
        let python = try #require(page.split(separator: "```python\n").dropFirst().first?.split(separator: "```").first)
        #expect(python.split(separator: "\n").count <= 10)
        for count in [1, 2, 3, 10, 777] {
            let seed = DrawFunction.digest("seed \(count)".utf8)
            let list = FrozenList((1...count).map { LotteryEntry(userID: $0 * 7, isVoid: $0 % 3 == 0) })
            let rounds = list.rounds(seed: seed).map { "\($0.userID)" }.joined(separator: ",")
            let made = try await database.psql(
                "SELECT array_to_string(lottery_rounds(sha256('seed \(count)'), sha256('\(list.text)'), '\(list.text)'), ',')"
            )
            #expect(made == rounds)
            let digits = Hexadecimal.encode(seed)
            let call = "print(','.join(map(str, rounds(bytes.fromhex('\(digits)'), \"\"\"\(list.text)\"\"\"))))"
            let told = try await Command.run(["/usr/bin/env", "python3", "-c", "\(python)\n\(call)"])
            #expect(told == rounds)
        }
    }

    @Test(
        "a change of an entry waits for the player's claim or deletion, and the trail has the name that the player has then",
        arguments: ["leave", "void"])
    func renamedMeanwhile(change: String) async throws {
        let database = try await TestDatabase.create()
        let id = "01234567-89ab-8def-8123-456789abcdef"
        let token = "sha256('\(id)') || convert_to('\(id)', 'UTF8')"
        try await database.psql(
            """
            SELECT apply_rules('os:x', '{"players.claims": "allow"}'), register_user('ANNA', NULL, NULL);
            SELECT enter_player('os:x', 'ANNA')
            """)
        for rename in [
            "create_player('\(id)', 'Anna', 'ANNA', \(token), gen_random_uuid(), sha256('c'))",
            #"delete_user('\#(id)', E'deleted\t1')"#,
        ] {
            try await database.withOwner { owner in
                try await owner.executeScript("BEGIN; SELECT juliet.\(rename)")
                async let changed = database.psql("SELECT change_entry('os:x', 1000000000, '\(change)')")
                try await database.waitForWaitingSessions(1)
                try await owner.executeScript("COMMIT")
                _ = try await changed
            }
            #expect(
                try await database.psql(
                    "SELECT string_agg(user_id, ' ') FROM admin_actions WHERE user_id NOT IN (SELECT id FROM users)"
                ) == "", "\(rename)")
            #expect(try await database.psql("SELECT count(*) FROM users WHERE id = 'ANNA'") == "0", "\(rename)")
            try await database.psql(
                "SELECT change_entry('os:x', 1000000000, 'enter'), change_entry('os:x', 10, 'valid')")
        }
    }

    @Test("fifty starts over two connections are one draw, one credit and one next draw")
    func parallelStarts() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            SELECT register_user('ANNA', NULL, NULL);
            SELECT enter_player('os:x', 'ANNA'), announce_prize('os:x', 50)
            """)
        let starts = try await database.withOwner { first in
            try await database.withOwner { second in
                try await withThrowingTaskGroup(of: DrawStart.self) { group in
                    for index in 0..<50 {
                        let draws = LotteryDraws(connection: index % 2 == 0 ? first : second, actor: "os:x")
                        group.addTask { try await draws.start(1) }
                    }
                    return try await group.reduce(into: [DrawStart]()) { $0.append($1) }
                }
            }
        }
        #expect(starts.count { $0 == .started(isNew: true) } == 1)
        #expect(starts.count { $0 == .started(isNew: false) } == 49)
        #expect(
            try await database.psql(
                """
                SELECT energy, (SELECT count(*) FROM energy_ledger WHERE reason = 'lottery'),
                    (SELECT string_agg(number || ':' || (started_at IS NULL), ' ' ORDER BY number) FROM lottery_draws),
                    (SELECT count(*) FROM admin_actions WHERE action = 'lottery.draw')
                FROM users
                """) == "80|1|1:false 2:true|1")
        #expect(try await database.ledgerFaults() == "")
    }

    @Test("a session that ends before the commit has drawn nothing, and the draw can be started")
    func terminated() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            SELECT register_user('ANNA', NULL, NULL);
            SELECT enter_player('os:x', 'ANNA'), announce_prize('os:x', 50)
            """)
        await #expect(throws: Command.Failure.self) {
            try await database.psql(
                """
                BEGIN;
                SELECT start_draw('os:x'::text, 1);
                SELECT pg_terminate_backend(pg_backend_pid());
                COMMIT
                """)
        }
        #expect(
            try await database.psql("SELECT energy, (SELECT count(started_at) FROM lottery_draws) FROM users") == "30|0"
        )
        let commitment = try await database.psql("SELECT commitment FROM lottery_draws")
        #expect(try await database.psql("SELECT start_draw('os:x'::text, 1)") == "(,t,)")
        #expect(
            try await database.psql(
                "SELECT energy, (SELECT commitment = '\(commitment)' FROM lottery_draws WHERE number = 1) FROM users")
                == "80|t")
    }

    @Test("the service is shown nothing before its time, and the owner by these functions neither")
    func secrecy() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            SELECT import_lottery('os:x', '{10,11}', '{Jack,Ben}', '{j,b}', '{2020-01-01,2020-01-01}', '{10,11}', '{f,f}');
            SELECT start_draw('os:x'::text, 1) FROM show_lottery()
            """)
        for role in ["player_service", "postgres"] {
            for (elapsed, rounds) in [
                (0, 0), (1400, 0), (1550, 1), (2050, 1), (2150, 2), (6850, 9), (6950, 10), (7400, 10), (7550, 10),
            ] {
                let isOver = elapsed > 7500
                let script = """
                    BEGIN;
                    UPDATE lottery_draws SET started_at = clock_timestamp() - interval '\(elapsed) ms' WHERE number = 1;
                    SET LOCAL ROLE \(role);
                    SELECT cardinality(numbers), cardinality(names), seed IS NOT NULL, winner IS NOT NULL, has_ended
                    FROM show_draw(1);
                    SELECT cardinality(numbers), seed IS NOT NULL, winner IS NOT NULL FROM show_lottery() WHERE number = 1;
                    RESET ROLE;
                    SELECT clock_timestamp() - started_at < interval '\(elapsed + 50) ms' FROM lottery_draws WHERE number = 1;
                    ROLLBACK
                    """
                // Again when a busy machine took so long that the next round came meanwhile.
                var answers: [Substring] = []
                for _ in 0..<100 where answers.last != "t" {
                    answers = try await database.psql(script).split(separator: "\n")
                }
                let shown = answers.dropLast().joined(separator: "\n")
                let flag = isOver ? "t" : "f"
                #expect(
                    shown == "\(rounds)|\(rounds)|\(flag)|\(flag)|\(flag)\n\(rounds)|\(flag)|\(flag)",
                    "\(role) after \(elapsed) ms")
            }
        }
    }

    @Test("the service refuses: no such draw, nobody takes part, a prize, a pause with its seconds")
    func refusals() async throws {
        let database = try await TestDatabase.create()
        func ask(_ number: Int) async throws -> String {
            try await database.psql("SET ROLE player_service; SELECT request_draw(\(number))")
        }
        #expect(try await database.psql("SET ROLE player_service; SELECT number FROM show_lottery()") == "1")
        #expect(try await ask(1) == "(empty,,)")
        #expect(try await ask(2) == "(unknown-draw,,)")
        try await database.psql(
            """
            SELECT import_lottery('os:x', '{10}', '{Jack}', '{j}', '{2020-01-01}', '{10}', '{f}');
            SELECT announce_prize('os:x', 5)
            """)
        #expect(try await ask(1) == "(operator,,)")
        try await database.psql("SELECT announce_prize('os:x', 0)")
        #expect(try await ask(1) == "(frozen,,)")
        #expect(try await ask(1) == "(,t,)")
        #expect(try await ask(1) == "(,f,)")
        let pause = try await ask(2)
        #expect((1...38).contains(Int(pause.dropFirst("(pause,,".count).dropLast()) ?? 0), "\(pause)")
        try await database.psql("UPDATE lottery_draws SET started_at = started_at - interval '30 s' WHERE number = 1")
        #expect(try await ask(2).hasPrefix("(pause,,"))
        // An operator waits only until the one before is over.
        #expect(try await database.psql("SELECT start_draw('os:x'::text, 2)") == "(,t,)")
        #expect(try await database.psql("SELECT start_draw('os:x'::text, 3)").hasPrefix("(pause,,"))
    }

    @Test("a winner whose balance is full, or who is deleted in this moment, stops no draw")
    func noCredit() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            SELECT register_user('ANNA', NULL, NULL);
            SELECT change_energy('ANNA', 2147483600, 'support', 'much', NULL, NULL);
            SELECT enter_player('os:x', 'ANNA'), announce_prize('os:x', 50);
            SELECT start_draw('os:x'::text, 1)
            """)
        #expect(
            try await database.psql(
                "SELECT credited_to, credit_entry, (SELECT energy FROM users) FROM lottery_draws WHERE number = 1")
                == "ANNA||2147483630")
        #expect(try await database.ledgerFaults() == "")
    }

    @Test(
        "players enter, are deleted and win at the same time, without a deadlock, and every balance is its ledger's sum"
    )
    func crowd() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            SELECT register_user('P' || i, NULL, NULL) FROM generate_series(1, 60) AS i;
            SELECT enter_player('os:x', 'P' || i) FROM generate_series(1, 40) AS i;
            """)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 1...10 {
                    try await database.psql(
                        """
                        SELECT announce_prize('os:x', 5);
                        SELECT start_draw('os:x'::text, \(number));
                        UPDATE lottery_draws SET started_at = started_at - interval '1 hour'
                        """)
                }
            }
            for half in 0...1 {
                group.addTask {
                    for player in stride(from: 1 + half, through: 40, by: 2) {
                        try await database.psql("SELECT delete_user('P\(player)', E'deleted\\t\(player)')")
                    }
                }
                group.addTask {
                    for player in stride(from: 41 + half, through: 60, by: 2) {
                        try await database.psql(
                            "SELECT enter_player('os:x', 'P\(player)'); SELECT pay_for_game('P\(player)', NULL, NULL)")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.ledgerFaults() == "")
        #expect(
            try await database.psql(
                """
                WITH credits AS MATERIALIZED (SELECT * FROM energy_ledger WHERE reason = 'lottery')
                SELECT count(*) FROM lottery_draws WHERE prize > 0 AND winner IS NOT NULL AND 1 <> (
                    SELECT count(*) FROM credits WHERE reference = number::text
                        AND user_id = credited_to AND entry = credit_entry AND delta = 5)
                    AND EXISTS (SELECT FROM lottery_participants AS p WHERE p.number = winner AND p.user_id IS NOT NULL)
                """) == "0")
        #expect(try await database.psql("SELECT count(*) FROM lottery_entries") == "20")
    }
}
