import Foundation
import TestSupport
import Testing

/// What the functions of the service show beside their answers.
@Suite("A service that was taken over, and the secrets that functions read", .defaultLayout("about the functions"))
struct TakeoverSecretTests {
    /// The pages and rows that a transaction has noted to have read.
    private static let noted = """
        SELECT string_agg(DISTINCT coalesce(tables.relname, indexed.relname)::text, ' ')
        FROM pg_locks JOIN pg_class AS relation ON relation.oid = pg_locks.relation
            LEFT JOIN pg_class AS tables ON tables.oid = relation.oid AND tables.relkind = 'r'
            LEFT JOIN pg_index ON indexrelid = relation.oid LEFT JOIN pg_class AS indexed ON indexed.oid = indrelid
        WHERE pid = pg_backend_pid() AND (mode = 'SIReadLock' OR page IS NOT NULL OR tuple IS NOT NULL)
        """

    @Test("no call leaves a trace of the rows it read in a table with secrets, in any isolation")
    func traces() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(ServiceFunction.world)
        let functions = try await ServiceFunction.all(in: database)
        #expect(functions.count > 100)
        // Otherwise a draw could only be asked for.
        try await database.psql("SELECT freeze_list(1, interval '0')")
        func traces(of function: ServiceFunction, _ isolation: String) async throws -> Set<Substring> {
            let printed = try await database.psql(
                """
                SET ROLE player_service; BEGIN ISOLATION LEVEL \(isolation);
                SELECT count(answer) * 0 FROM \(function.call()) AS answer; SET CONSTRAINTS ALL IMMEDIATE;
                \(Self.noted); ROLLBACK
                """)
            return Set(printed.split(separator: "\n").dropFirst().first?.split(separator: " ") ?? [])
        }
        var refused = 0
        var withTraces = 0
        for function in functions {
            // Each call does what the function is for, so what it reads is read.
            let usual = try await traces(of: function, "READ COMMITTED")
            #expect(usual.isEmpty, "\(function.name)")
            for isolation in ["REPEATABLE READ", "SERIALIZABLE"] {
                do {
                    let traces = try await traces(of: function, isolation)
                    if isolation == "SERIALIZABLE", !traces.isEmpty { withTraces += 1 }
                    let secret = traces.intersection(SecretTables.names.map { Substring($0) })
                    #expect(secret.isEmpty, "\(function.name), \(isolation)")
                } catch let error as Command.Failure {
                    #expect(error.output.contains("only in a READ COMMITTED transaction"), "\(function.name): \(error)")
                    refused += 1
                }
            }
        }
        #expect(refused > 80)
        #expect(withTraces > 20, "the other functions do leave traces")
    }

    @Test("no call prints a row, a word, a salt or a seed, whatever it is given")
    func errors() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(ServiceFunction.world)
        let secrets = try await database.psql(
            """
            SELECT salt::text FROM daily_words WHERE day >= today() UNION ALL SELECT salt::text FROM judged_games
            UNION ALL SELECT salt::text FROM challenges UNION ALL SELECT encode(seed, 'hex') FROM lottery_draws
            """
        ).split(separator: "\n").flatMap { [String($0), String($0.replacing("-", with: ""))] }
        #expect(secrets.count > 30)
        // What these answer is a word.
        let dealing = [
            "deal_word", "deal_word_each", "start_game", "start_game_each", "resign_game", "admin_end_game",
        ]
        var calls = 0
        var errors = 0
        for function in try await ServiceFunction.all(in: database) {
            var all = function.unusualCalls(player: "01") + function.unusualCalls(player: "02")
            if function.arguments.contains(where: { $0.name == "operation" }), !function.name.hasPrefix("admin_") {
                all += function.unusualCalls(player: "02", ["operation": "'k'", "request": "7"])
            }
            if function.arguments.contains(where: { $0.name == "operations" }) {
                all += function.unusualCalls(player: "02", ["operations": "ARRAY['k']", "requests": "ARRAY[7]"])
            }
            if function.name == "admin_change_word" {
                all += function.unusualCalls(player: "02", ["change": "'addSecret'", "spelled": "'novel'"])
            }
            calls += all.count
            let printed = try await database.psql(
                "SET ROLE player_service; SET client_min_messages = debug1;"
                    + all.map(Self.attempt).joined(separator: ";\n"))
            for line in printed.split(separator: "\n") {
                let isError = line.contains("it failed: ")
                errors += isError ? 1 : 0
                #expect(!line.contains("Failing row"), "\(function.name): \(line)")
                if isError || !dealing.contains(function.name) {
                    #expect(!line.contains("zqx"), "\(function.name): \(line)")
                }
                #expect(!secrets.contains { line.contains($0) }, "\(function.name): \(line)")
            }
        }
        #expect(calls > 2000)
        #expect(errors > 300, "there is nonsense")
    }

    /// Makes a call, undoes it, and prints everything that came back.
    private static func attempt(_ call: String) -> String {
        """
        DO $attempt$
        DECLARE
            answer text;
            message text;
            detail text;
            hint text;
            context text;
        BEGIN
            BEGIN
                SELECT string_agg(answers::text, ' ') INTO answer FROM juliet.\(call) AS answers;
                SET CONSTRAINTS ALL IMMEDIATE;
                RAISE EXCEPTION USING ERRCODE = 'UNDO0';
            EXCEPTION
                WHEN SQLSTATE 'UNDO0' THEN RAISE WARNING 'it answered: %', answer;
                WHEN OTHERS THEN
                    GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
                        hint = PG_EXCEPTION_HINT, context = PG_EXCEPTION_CONTEXT;
                    RAISE WARNING 'it failed: % % % %', message, detail, hint, replace(context, E'\\n', ' ');
            END;
            SET CONSTRAINTS ALL DEFERRED;
        END
        $attempt$
        """
    }

    @Test("of words it sees no place and no lock, and of other tables no system column at all")
    func systemColumns() async throws {
        let database = try await TestDatabase.shared()
        for column in ["ctid", "xmin", "xmax", "tableoid", "id"] {
            await #expect(throws: Command.Failure.self, "\(column)") {
                try await database.psql("SET ROLE player_service; SELECT \(column) FROM words LIMIT 1")
            }
        }
        for column in ["ctid", "xmin", "xmax"] {
            await #expect(throws: Command.Failure.self, "\(column)") {
                try await database.psql("SET ROLE player_service; SELECT \(column) FROM users LIMIT 1")
            }
        }
        try await database.psql(
            "SET ROLE player_service; SELECT language, word, is_secret, place, retired_at FROM words LIMIT 1")
    }

    @Test("whoever asks for a draw and takes that back has seen nothing, and changes nothing of the outcome")
    func draws() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            SELECT import_lottery('os:x', '{10,11,12}', '{a,b,c}', '{a,b,c}', '{2020-01-01,2020-01-01,2020-01-01}',
                '{10,11,12}', '{f,f,f}')
            """)
        let ask = "SELECT request_draw(1);"
        // The transaction that asks draws nothing, however often and in however many parts it asks.
        #expect(
            try await database.psql(
                "SET ROLE player_service; BEGIN; \(ask) \(ask) SAVEPOINT a; \(ask) ROLLBACK TO a; \(ask) ROLLBACK")
                == "(frozen,,)\n(frozen,,)\n(frozen,,)\n(frozen,,)")
        let frozen = "SELECT list_digest IS NOT NULL, started_at IS NOT NULL FROM lottery_draws WHERE number = 1"
        #expect(try await database.psql(frozen) == "f|f")
        #expect(try await database.psql("SET ROLE player_service; \(ask)") == "(frozen,,)")
        #expect(try await database.psql(frozen) == "t|f")
        // What comes later is not in the list.
        try await database.psql("SELECT change_entry('os:x', 11, 'leave'), change_entry('os:x', 12, 'void')")
        let rounds = "SELECT rounds, entries, winner IS NOT NULL FROM lottery_draws WHERE number = 1"
        var outcomes: Set<String> = []
        for _ in 0..<3 {
            outcomes.insert(
                try await database.psql(
                    "BEGIN; SET LOCAL ROLE player_service; \(ask) RESET ROLE; \(rounds); ROLLBACK"))
        }
        #expect(try await database.psql(frozen) == "t|f")
        #expect(try await database.psql("SET ROLE player_service; \(ask)") == "(,t,)")
        outcomes.insert("(,t,)\n" + (try await database.psql(rounds)))
        #expect(outcomes.count == 1)
        #expect(outcomes.first?.hasSuffix("|3|t") == true)
        try await database.expectCleanAudit()
    }

    @Test("a prize that is announced gives up a list that was frozen before, and only the operator draws it")
    func announcedAfterwards() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            SELECT import_lottery('os:x', '{10,11}', '{a,b}', '{a,b}', '{2020-01-01,2020-01-01}', '{10,11}', '{f,f}')
            """)
        let ask = "SET ROLE player_service; SELECT request_draw(1)"
        #expect(try await database.psql(ask) == "(frozen,,)")
        try await database.psql("SELECT announce_prize('os:x', 5)")
        #expect(
            try await database.psql("SELECT num_nonnulls(list_digest, entries, started_by) FROM lottery_draws") == "0")
        #expect(try await database.psql(ask) == "(operator,,)")
        try await database.psql("SELECT announce_prize('os:x', 0)")
        #expect(try await database.psql(ask) == "(frozen,,)")
        try await database.psql("SELECT announce_prize('os:x', 5); SELECT freeze_list(1, interval '0')")
        try await database.psql("SELECT change_entry('os:x', 11, 'leave')")
        #expect(try await database.psql("SELECT start_draw('os:x'::text, 1)") == "(,t,)")
        #expect(try await database.psql("SELECT entries FROM lottery_draws WHERE number = 1") == "2")
        try await database.expectCleanAudit()
    }

    @Test("a challenge is dealt any secret but those of its maker's own games, so drawing finds no day's word")
    func challenges() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(ServiceFunction.world)
        let drawn = """
            SELECT count(DISTINCT picked) FROM (SELECT pick_challenge_word(\(ServiceFunction.id("02")), 'en', 5) AS picked
                FROM generate_series(1, 3000)) AS words
            """
        // A running game and a challenge that 02 has not begun: the game's word alone is left out.
        #expect(try await database.psql(drawn) == "63")
        #expect(try await database.psql(drawn.replacing("02", with: "01")) == "64")
        // Also when all but the days' words are played.
        try await database.psql(
            """
            UPDATE players SET judged_secrets = (SELECT bit_or(with_bit(no_bits(512), place)) FROM words
                WHERE is_secret AND word NOT IN (SELECT word FROM daily_words WHERE day BETWEEN today() AND today() + 2))
            WHERE user_id = \(ServiceFunction.id("01"))
            """)
        let left = """
            SELECT count(DISTINCT picked), count(*) FILTER (WHERE picked NOT IN (
                SELECT word FROM daily_words WHERE day BETWEEN today() AND today() + 2))
            FROM (SELECT pick_challenge_word(\(ServiceFunction.id("01")), 'en', 5) AS picked
                FROM generate_series(1, 200)) AS words
            """
        #expect(try await database.psql(left) == "3|0")
    }

    @Test("SECURITY.md and docs/ledger.md say the same of what it can do")
    func pages() throws {
        func table(_ page: String) throws -> [Substring] {
            let text = try String(contentsOf: TestDatabase.root.appendingPathComponent(page), encoding: .utf8)
            let start = try #require(text.firstRange(of: "| it can | it cannot |"), "\(page)")
            let lines = text[start.lowerBound...].split(separator: "\n", omittingEmptySubsequences: false)
            // Links are relative to the page.
            return lines.prefix { $0 != "" }.map { $0.replacing("](docs/", with: "](") }
        }
        let rows = try table("SECURITY.md")
        #expect(rows.count > 8)
        #expect(try table("docs/ledger.md") == rows)
    }
}
