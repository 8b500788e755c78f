import Foundation
import TestSupport
import Testing

@Suite("juliet lottery, run as a program", .everyLayout)
struct LotteryCommandTests {
    private static let users = """
        {"items": [{"userId": 10, "name": "Jack Alexy", "username": "JAlex", "regDate": "2020-10-19"},
            {"userId": 12, "name": "Zoë \\"Z\\"", "username": "z", "regDate": "2020-10-21", "email": "z@z"},
            {"userId": 11, "name": "Ben", "username": "b", "regDate": "2020-10-20"}]}
        """
    private static let list = #"{"lotteryList": [{"userId": 12, "void": false}, {"userId": 10, "void": true}]}"#

    private func imported() async throws -> (program: Program, folder: TemporaryFolder) {
        let program = try await Program.withPlayers()
        let folder = try TemporaryFolder()
        try folder.write("users.json", Self.users)
        try folder.write("list.json", Self.list)
        let outcome = try await program.run([
            "lottery", "import", "\(folder.path)/users.json", "\(folder.path)/list.json",
        ])
        #expect(outcome.status == 0 && outcome.output == "users: 3 new\nlist: 2 new", "\(outcome.notes)")
        return (program, folder)
    }

    /// Whatever an import could change.
    private func rows(_ program: Program) async throws -> String {
        try await program.psql(
            """
            SELECT p::text FROM lottery_participants AS p UNION ALL SELECT e::text FROM lottery_entries AS e
            UNION ALL SELECT a::text FROM admin_actions AS a ORDER BY 1
            """)
    }

    @Test("import takes both documents over as they are, and a repeat changes nothing")
    func importing() async throws {
        let (program, folder) = try await imported()
        let files = ["\(folder.path)/users.json", "\(folder.path)/list.json"]
        #expect(
            try await program.psql("SELECT lottery_users()") == """
                {"items": [{"userId": 10, "name": "Jack Alexy", "username": "JAlex", "regDate": "2020-10-19"}, \
                {"userId": 11, "name": "Ben", "username": "b", "regDate": "2020-10-20"}, \
                {"userId": 12, "name": "Zoë \\"Z\\"", "username": "z", "regDate": "2020-10-21"}]}
                """)
        #expect(
            try await program.psql("SELECT lottery_list()")
                == #"{"lotteryList": [{"userId": 12, "void": false}, {"userId": 10, "void": true}]}"#)
        let before = try await rows(program)
        #expect(
            try await program.run(["lottery", "import"] + files).output == "users: as before\nlist: as before")
        #expect(try await rows(program) == before)
        #expect(try await program.run(["lottery", "enter", "--player", "ANNA"]).output == "1000000000 takes part")
        // Another order, a user gone, a name changed, an entry that counts again; players stay.
        try folder.write(
            "users.json",
            """
            {"items": [{"userId": 10, "name": "Jack", "username": "JAlex", "regDate": "2020-10-19"},
                {"userId": 12, "name": "Zoë", "username": "z", "regDate": "2020-10-21"}]}
            """)
        try folder.write(
            "list.json", #"{"lotteryList": [{"userId": 10, "void": false}, {"userId": 12, "void": false}]}"#)
        #expect(
            try await program.run(["lottery", "import"] + files).output
                == "users: 2 changed, 1 gone\nlist: 1 changed")
        #expect(
            try await program.run(["lottery", "list"]).output == """
                number      name               username          entry  player
                1000000000  Player 1000000000  player1000000000  valid  ANNA
                10          Jack               JAlex             valid
                12          Zoë                z                 valid
                """)
        #expect(try await program.run(["lottery", "enter", "11"]).status == 1)
    }

    @Test(
        "import refuses what is wrong with file, index and member, and changes nothing",
        arguments: [
            (#"{"items": [{"userId": 10}]}"#, list, "users.json: items[0].name: is missing"),
            (
                users, #"{"lotteryList": [{"userId": 13, "void": true}]}"#,
                "list.json: lotteryList[0].userId: there is no user 13"
            ),
            (users, "x", "list.json: lotteryList: is not JSON, or has a number that is not whole"),
        ])
    func badImport(users: String, list: String, problem: String) async throws {
        let (program, folder) = try await imported()
        let before = try await rows(program)
        try folder.write("users.json", users)
        try folder.write("list.json", list)
        let outcome = try await program.run([
            "lottery", "import", "\(folder.path)/users.json", "\(folder.path)/list.json",
        ])
        #expect(outcome.status == 1 && outcome.output == "")
        #expect(outcome.notes == "error: \(folder.path)/\(problem)\nnothing was changed")
        #expect(try await rows(program) == before)
    }

    @Test("entries come, go, are void and count again: all that are named, or none")
    func entries() async throws {
        let (program, _) = try await imported()
        func lottery(_ arguments: String...) async throws -> Program.Outcome {
            try await program.run(["lottery"] + arguments)
        }
        #expect(try await lottery("void", "12", "10").output == "12 is void\n10 is void already")
        #expect(try await lottery("void", "10", "12", "--undo").output == "10 is valid\n12 is valid")
        var outcome = try await lottery("void", "12", "11")
        #expect(outcome.status == 1 && outcome.notes == "error: 11 does not take part: nothing was changed")
        outcome = try await lottery("enter", "11", "77")
        #expect(outcome.status == 1 && outcome.notes == "error: there is no user 77: nobody was entered")
        #expect(try await lottery("enter", "11", "10").output == "11 takes part\n10 takes part already")
        #expect(try await lottery("leave", "12", "12").output == "12 no longer takes part\n12 did not take part")
        outcome = try await lottery("enter", "--player", "NOBODY")
        #expect(outcome.status == 1 && outcome.notes == "error: there is no player \"NOBODY\"")
        #expect(try await lottery("enter").status == 64)
        #expect(try await lottery("announce", "--prize", "1000001").status == 64)
        #expect(
            try await program.psql("SELECT lottery_list()")
                == #"{"lotteryList": [{"userId": 10, "void": false}, {"userId": 11, "void": false}]}"#)
        #expect(
            try await program.psql("SELECT action, subject FROM admin_actions WHERE id > 1 ORDER BY id") == """
                lottery.void|participant/12
                lottery.valid|participant/10
                lottery.valid|participant/12
                lottery.enter|participant/11
                lottery.leave|participant/12
                """)
    }

    @Test("a draw with a prize: shown round by round, credited once, checked, and checked again without its winner")
    func prize() async throws {
        let program = try await Program.withPlayers()
        func lottery(_ arguments: String...) async throws -> Program.Outcome {
            try await program.run(["lottery"] + arguments)
        }
        var outcome = try await lottery("draw")
        #expect(outcome.status == 1)
        let nobody =
            #/nobody takes part yet: add somebody with `\S*juliet lottery import USERS LOTTERY` or `\S*juliet lottery enter NUMBER`/#
        #expect(outcome.notes.hasPrefix("error: nobody") && outcome.notes.contains(nobody), "\(outcome.notes)")
        outcome = try await lottery("list")
        #expect(outcome.notes.wholeMatch(of: nobody) != nil, "\(outcome.notes)")
        outcome = try await lottery("draw", "7")
        #expect(
            outcome.notes.contains(#/^error: there is no draw 7: see `\S*juliet lottery show`$/#), "\(outcome.notes)")
        outcome = try await lottery("verify")
        #expect(outcome.status == 2 && outcome.notes == "error: no draw has started yet")
        #expect(try await lottery("enter", "--player", "ANNA").status == 0)
        let announced = try await lottery("announce", "--prize", "500").output
        let next = try await lottery("show", "--json").document()
        let commitment = try #require(next["commitment"] as? String)
        #expect(announced == "draw 1: 500 energy\nits commitment: \(commitment)")
        #expect(next["state"] as? String == "next" && next["prize"] as? Int == 500 && next["seed"] == nil)

        outcome = try await lottery("draw")
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("draw 1: Player 1000000000 (1000000000) wins\ncheck it: "))
        // As it is printed, where it is printed.
        let check = try #require(outcome.output.firstMatch(of: #/check it: (.*)$/#)).1
        let verified = try await Command.run([
            "env", "DATABASE_URL=\(program.cluster.connectionString(database: program.database))", "/bin/sh", "-c",
            "cd '\(Program.root.path)' && \(check)",
        ])
        #expect(verified.hasPrefix("matches: draw 1"))
        let lines = outcome.notes.split(separator: "\n")
        #expect(lines.count == 11 && lines[0].hasPrefix("loading: 1 entry, list "))
        for (index, line) in lines.dropFirst().enumerated() {
            #expect(line.hasSuffix(" \(index + 1) of 10: Player 1000000000"))
        }
        // Started before: it is not drawn again.
        #expect(try await lottery("draw", "1").notes == "")
        #expect(
            try await program.psql(
                "SELECT energy, (SELECT count(*) FROM energy_ledger WHERE reason = 'lottery') FROM users WHERE id = 'ANNA'"
            ) == "555|1")
        #expect(try await program.audit().output.hasSuffix("nothing wrong"))
        #expect(try await lottery("verify", "--commitment", commitment).status == 0)
        outcome = try await lottery("verify", "1", "--commitment", String(repeating: "0", count: 64))
        #expect(outcome.status == 1 && outcome.output == "does not match: the commitment is not the one that was noted")
        #expect(try await lottery("verify", "2").status == 2)

        outcome = try await program.run(["users", "export", "ANNA"])
        let kept = try #require(try outcome.document()["lottery"] as? [String: Any])
        #expect((kept["won"] as? [[String: Any]])?.first?["energy"] as? Int == 500)
        #expect(
            try await program.run(["users", "show", "ANNA"]).output
                .contains("lottery       number 1000000000, takes part, 1 draw won"))

        #expect(try await program.run(["users", "delete", "ANNA"]).status == 0)
        #expect(try await program.rows(thatSay: "ANNA") == 0)
        #expect(try await lottery("list").output == "")
        #expect(try await lottery("show").output.contains("round 10    1000000000 deleted player"))
        #expect(try await lottery("verify", "--commitment", commitment).status == 0)
        #expect(try await program.audit().output.hasSuffix("nothing wrong"))
        // The draw does not know whose ledger has the prize, and the ledger not of which draw it is.
        let deleted = try await program.psql("SELECT user_id FROM closed_ledgers")
        #expect(try await program.psql("SELECT credited_to, credit_entry FROM lottery_draws WHERE number = 1") == "|0")
        try await program.psql("UPDATE lottery_draws SET credit_entry = NULL WHERE number = 1")
        #expect(
            Set(try await program.audit().faults) == [
                "\(deleted): the ledger names draw \"\" of the lottery, which gave this player no such prize"
            ])
        try await program.psql("UPDATE lottery_draws SET credit_entry = 0 WHERE number = 1")

        // What a player has in hand is checked without a database.
        let folder = try TemporaryFolder()
        let text = try await lottery("show", "1", "--json").output
        var file = try folder.write("draw.json", text)
        #expect(try await Program.run(["lottery", "verify", "--file", file]).status == 0)
        file = try folder.write("draw.json", text.replacing("1000000000 0\\n", with: "1000000000 1\\n"))
        outcome = try await Program.run(["lottery", "verify", "--file", file])
        #expect(outcome.status == 1 && outcome.output == "does not match: the digest is that of another list")
        file = try folder.write("draw.json", "{}")
        #expect(try await Program.run(["lottery", "verify", "--file", file]).status == 2)
    }

    @Test("on a terminal the names flip in one line; who ends the command ends the watching only")
    func terminal() async throws {
        let (program, _) = try await imported()
        let terminal = try PseudoTerminal()
        let environment = ["DATABASE_URL": program.cluster.connectionString(database: program.database)]
        let command = [Program.executable.path, "lottery", "draw"]
        let first = try terminal.start(command, environment: environment)
        try await terminal.wait(for: "3 of 10: ") { _ in terminal.written.contains("3 of 10: ") }
        #expect(!terminal.image.text.contains("2 of 10"))
        first.signal(SIGKILL)
        _ = await first.end()
        let again = try terminal.start(command + ["1"], environment: environment)
        try await terminal.wait(for: "/juliet lottery verify 1")
        #expect(await again.end().status == 0)
        // The last name is seen for a moment only.
        #expect(terminal.written.contains("10 of 10: "))
        #expect(!terminal.image.text.contains("of 10: "))
        #expect(try await program.psql("SELECT count(*) FROM lottery_draws WHERE started_at IS NOT NULL") == "1")
        #expect(try await program.run(["lottery", "verify"]).status == 0)
    }

    @Test(
        "killed at any moment, the command leaves a draw that has started, with its credit and the next draw, or none")
    func killed() async throws {
        let program = try await Program.withPlayers()
        #expect(try await program.run(["lottery", "enter", "--player", "ANNA"]).status == 0)
        var kills = 0
        for attempt in 0..<16 {
            #expect(try await program.run(["lottery", "announce", "--prize", "10"]).status == 0)
            let running = try program.start(["lottery", "draw"])
            running.kill(after: 5 + attempt * 5)
            if await running.outcome().status != 0 { kills += 1 }
            try await program.waitUntilAlone()
            let counts = try await program.psql(
                """
                SELECT count(started_at), count(*) - count(started_at), (SELECT count(*) FROM lottery_lists) <= 1,
                    (SELECT energy FROM users WHERE id = 'ANNA') = 55 + 10 * count(started_at),
                    count(started_at) = (SELECT count(*) FROM energy_ledger WHERE reason = 'lottery'),
                    count(started_at) = (SELECT count(*) FROM admin_actions WHERE action = 'lottery.draw')
                FROM lottery_draws
                """)
            #expect(counts.hasSuffix("|1|t|t|t|t"), "\(counts)")
            try await program.psql("UPDATE lottery_draws SET started_at = started_at - interval '1 hour'")
        }
        #expect(kills == 16)
        #expect(try await program.audit().output.hasSuffix("nothing wrong"))
    }

    @Test(
        "the audit finds what was done to draws and prizes",
        arguments: [
            (
                "UPDATE lottery_draws SET seed = sha256('x') WHERE number = 1",
                ["draw 1 of the lottery does not follow from its seed and its list"]
            ),
            (
                "UPDATE lottery_draws SET winner = NULL WHERE number = 1",
                ["draw 1 of the lottery does not follow from its seed and its list"]
            ),
            (
                "UPDATE lottery_lists SET list = list || E'1000000001 0\\n'",
                ["draw 1 of the lottery does not follow from its seed and its list"]
            ),
            (
                "UPDATE lottery_draws SET prize = 6 WHERE number = 1",
                [
                    "ANNA: the ledger names draw \"1\" of the lottery, which gave this player no such prize",
                    "ANNA: the prize of draw 1 of the lottery is missing in the winner's ledger",
                ]
            ),
            (
                "UPDATE lottery_draws SET credited_to = NULL, credit_entry = NULL WHERE number = 1",
                [
                    "ANNA: the ledger names draw \"1\" of the lottery, which gave this player no such prize",
                    "ANNA: the prize of draw 1 of the lottery is missing in the winner's ledger",
                ]
            ),
            (
                "SELECT change_energy('BEN', 5, 'lottery', '1', NULL, NULL)",
                ["BEN: the ledger names draw \"1\" of the lottery, which gave this player no such prize"]
            ),
            (
                "SELECT change_energy('ANNA', 5, 'lottery', '1', NULL, NULL)",
                ["ANNA: the ledger names draw \"1\" of the lottery, which gave this player no such prize"]
            ),
            (
                "SELECT change_energy('BEN', 5, 'lottery', NULL, NULL, NULL)",
                [
                    "BEN: the ledger names draw \"\" of the lottery, which gave this player no such prize",
                    "BEN: entry 2 is not a change that its reason allows",
                ]
            ),
            (
                """
                UPDATE users SET energy = 55, ledger_entry = 3 WHERE id = 'ANNA';
                DELETE FROM energy_ledger WHERE user_id = 'ANNA' AND entry = 4
                """,
                [
                    "ANNA: the prize of draw 1 of the lottery is missing in the winner's ledger",
                    "ANNA: the ledger does not match the checksum: an entry was altered, or entries were cut off and the player's row was set back",
                ]
            ),
        ])
    func audit(harm: String, lines: [String]) async throws {
        let program = try await Program.withPlayers()
        try await program.psql(
            """
            SELECT enter_player('os:x', 'ANNA'), announce_prize('os:x', 5);
            SELECT start_draw('os:x'::text, 1)
            """)
        #expect(try await program.audit().output.hasSuffix("nothing wrong"))
        try await program.psql(harm)
        let outcome = try await program.audit()
        #expect(outcome.status == 3)
        #expect(outcome.faults == lines)
    }

    @Test("prizes in the archive and in files are found there")
    func archive() async throws {
        let program = try await Program.withPlayers()
        try await program.psql(
            """
            SELECT enter_player('os:x', 'ANNA'), announce_prize('os:x', 5);
            SELECT start_draw('os:x'::text, 1);
            SELECT pay_for_game('ANNA', NULL, NULL)
            """)
        try await program.age(days: 500)
        #expect(try await program.run(["energy", "archive"]).status == 0)
        #expect(try await program.audit().output.hasSuffix("nothing wrong"))
        let folder = try TemporaryFolder()
        #expect(try await program.run(["energy", "archive", "--to", "\(folder.path)/ledger"]).status == 0)
        #expect(try await program.audit().output.hasSuffix("nothing wrong"))
        #expect(try await program.audit(archive: ["\(folder.path)/ledger"]).output.hasSuffix("nothing wrong"))
    }

    @Test("watch shows a draw that another command starts, state by state, and leaves when it is over")
    func watch() async throws {
        let (program, _) = try await imported()
        let watching = try program.start(["lottery", "watch", "--once", "--json"])
        let sessions = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
            """
        let deadline = ContinuousClock.now + .seconds(60)
        // Of a draw that is over before, it would see nothing.
        while try await program.psql(sessions) == "0" {
            try #require(ContinuousClock.now < deadline, "it watches")
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try await program.run(["lottery", "draw"]).status == 0)
        let outcome = await watching.outcome()
        #expect(outcome.status == 0, "\(outcome.notes)")
        let states = outcome.output.split(separator: "\n").compactMap { line in
            line.components(separatedBy: #""state":""#).last?.prefix { $0 != "\"" }
        }
        #expect(["winner", "noWinner"].contains(states.last))
        #expect(states.contains("round") && outcome.output.hasSuffix(#""verified":true}"#), "\(outcome.output)")
    }
}
