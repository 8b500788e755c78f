import Foundation
import TestSupport
import Testing

@Suite("juliet energy archive --to, and reading it back", .everyLayout)
struct EnergyArchiveFileTests {
    /// What the files hold is not in the database any more.
    private func archived(_ program: Program) async throws -> String {
        try await program.psql("SELECT count(*) FROM energy_ledger_archive")
    }

    /// A player's history, as JSON says it.
    private func history(of player: String, in program: Program, _ more: [String] = []) async throws -> [NSDictionary] {
        let text = try await program.run(["energy", "history", player, "--json"] + more).output
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [NSDictionary])
    }

    /// A history of which the first entries are in files: there a time is its day, and a game has neither word nor id.
    private func filed(_ history: [NSDictionary], first count: Int) -> [NSDictionary] {
        history.enumerated().map { index, entry in
            guard index < count, var members = entry as? [String: Any] else { return entry }
            if let time = members["at"] as? String { members["at"] = time.prefix(10) + "T00:00:00Z" }
            if members["reason"] as? String == "game" { members["reference"] = nil }
            return members as NSDictionary
        }
    }

    @Test("rows go to a file, checkpoints say so, and audit and history read them back")
    func toAFile() async throws {
        let program = try await Program.withPlayers()
        try await program.age(days: 500)
        let before = try await history(of: "ANNA", in: program)
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/2026.energy"
        var outcome = try await program.run(["energy", "archive", "--to", file])
        #expect(outcome.status == 0, "\(outcome.notes)")
        #expect(outcome.output == "2 rows moved to the archive\n2 rows moved to \(file)")
        #expect(try await archived(program) == "0")
        #expect(
            try await program.psql(
                """
                SELECT user_id, begins, entry, balance, file_id IS NOT NULL FROM energy_checkpoints ORDER BY begins
                """) == "ANNA|archive|2|25|t\nANNA|ledger|2|25|f")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["2026.energy"])
        let permissions = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        #expect(permissions as? Int == 0o600)

        outcome = try await program.audit()
        #expect(outcome.output == "2 players, 2 rows, nothing wrong")
        outcome = try await program.audit(archive: [file])
        #expect(outcome.output == "2 players, 4 rows, nothing wrong")
        // A file that is given twice is read once.
        outcome = try await program.audit(archive: [file, file])
        #expect(outcome.output == "2 players, 4 rows, nothing wrong")

        outcome = try await program.run(["energy", "history", "ANNA"])
        #expect(outcome.output.split(separator: "\n").count == 2)
        #expect(outcome.notes == "2 older changes in files: --archive reads them")
        outcome = try await program.run(["energy", "history", "ANNA", "--archive", file])
        #expect(outcome.output.split(separator: "\n").count == 4)
        #expect(outcome.notes == "")
        #expect(try await history(of: "ANNA", in: program, ["--archive", file]) == filed(before, first: 2))
        outcome = try await program.run(["energy", "history", "BEN"])
        #expect(outcome.notes == "")
    }

    @Test("what --last cut off is not looked for in files that were given")
    func historyCutShort() async throws {
        let program = try await Program.withArchive()
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/first"
        _ = try await program.run(["energy", "archive", "--to", file])
        let outcome = try await program.run(["energy", "history", "ANNA", "--last", "1", "--archive", file])
        #expect(outcome.notes == "2 older changes: --last shows more")
    }

    @Test("the file says what it is, one line an entry, its digest last, and names no player")
    func format() async throws {
        let program = try await Program.withArchive()
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/first"
        let outcome = try await program.run(["energy", "archive", "--to", file, "--json"])
        #expect(try outcome.document() as? [String: Int] == ["moved": 0, "written": 2])
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(!text.contains("ANNA") && !text.contains("BEN"))
        let id = try await program.psql("SELECT file_id FROM energy_checkpoints WHERE begins = 'archive'")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count == 5)
        #expect(lines[0] == "juliet-energy-archive 1")
        #expect(lines[1].hasPrefix("\(id)\t1\t30\t30\tregistration\t\\N\tentry 1\t\\N\t"))
        #expect(lines[2].hasPrefix("\(id)\t2\t-5\t25\tgame\t\\N\tentry 2\t\\N\t"))
        #expect(lines[1...2].allSatisfy { $0.hasSuffix(" 00:00:00.000000+00") })
        #expect(lines[3].contains(#/^end 2 [0-9a-f]{64}$/#))
        #expect(lines[4] == "")
    }

    @Test("nothing to move: no file")
    func empty() async throws {
        let program = try await Program.withPlayers()
        let folder = try TemporaryFolder()
        var outcome = try await program.run(["energy", "archive", "--to", "\(folder.path)/first"])
        #expect(outcome.status == 0)
        #expect(outcome.output == "0 rows moved to the archive\nthe archive is empty: no file was written")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        outcome = try await program.run(["energy", "archive", "--to", "\(folder.path)/first", "--json"])
        #expect(try outcome.document() as? [String: Int] == ["moved": 0, "written": 0])
    }

    @Test("file after file: all of them together are clean, one alone is not")
    func severalFiles() async throws {
        let program = try await Program.withArchive()
        let folder = try TemporaryFolder()
        let (first, second) = ("\(folder.path)/first", "\(folder.path)/second")
        #expect(try await program.run(["energy", "archive", "--to", first]).status == 0)
        try await program.psql(
            """
            SELECT pay_for_game('ANNA', 'one', 1); SELECT pay_for_game('ANNA', 'two', 1);
            SELECT pay_for_game('BEN', 'one', 1)
            """)
        try await program.age(days: 500)
        let outcome = try await program.run(["energy", "archive", "--to", second])
        #expect(outcome.output == "3 rows moved to the archive\n3 rows moved to \(second)")
        for files in [[], [first, second], [second, first]] {
            #expect(try await program.audit(archive: files).output.hasSuffix(", nothing wrong"))
        }
        #expect(
            try await program.audit(archive: [first]).faults.sorted() == [
                "ANNA: the files end with entry 2 instead of 4", "BEN: the files end with entry 0 instead of 1",
            ])
        #expect(
            try await program.audit(archive: [second]).faults == ["ANNA: the files begin with entry 3 instead of 1"])
        let history = try await program.run(["energy", "history", "ANNA", "--archive", first, second])
        #expect(history.output.split(separator: "\n").count == 6)
    }

    @Test("a file that is there already is left alone, and so is everything else")
    func fileExists() async throws {
        let program = try await Program.withArchive()
        let folder = try TemporaryFolder()
        let file = try folder.write("first", "mine\n")
        let before = try await program.ledgerRows()
        let outcome = try await program.run(["energy", "archive", "--to", file])
        #expect(outcome.status == 1)
        #expect(outcome.notes == "error: \(file) already exists: name another file")
        #expect(outcome.output == "")
        #expect(try await program.ledgerRows() == before)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["first"])
    }

    @Test("a file that cannot be made: an error, and everything stays", arguments: ["/nowhere/first", "/sys/first"])
    func noSuchPlace(file: String) async throws {
        let program = try await Program.withArchive()
        let before = try await program.ledgerRows()
        let outcome = try await program.run(["energy", "archive", "--to", file])
        #expect(outcome.status == 1)
        #expect(outcome.notes.hasPrefix("error: \(file).partial cannot be written: "))
        #expect(outcome.output == "")
        #expect(try await program.ledgerRows() == before)
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(!FileManager.default.fileExists(atPath: file + ".partial"))
    }

    @Test("where the file cannot be made, nothing leaves the ledger either")
    func nothingMovesWithoutAFile() async throws {
        let program = try await Program.withPlayers()
        try await program.age(days: 500)
        let folder = try TemporaryFolder()
        let before = try await program.ledgerRows()
        for file in [try folder.write("first", "mine\n"), "/nowhere/first"] {
            #expect(try await program.run(["energy", "archive", "--to", file]).status == 1)
            let after = try await program.ledgerRows()
            #expect(after == before)
        }
    }

    @Test("a full disk: an error, and everything stays")
    func fullDisk() async throws {
        let program = try await Program.withArchive()
        let folder = try TemporaryFolder()
        // Where the file is to be written there is a device that has no room.
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/first.partial", withDestinationPath: "/dev/full")
        let before = try await program.ledgerRows()
        let outcome = try await program.run(["energy", "archive", "--to", "\(folder.path)/first"])
        #expect(outcome.status == 1)
        #expect(outcome.notes.hasPrefix("error: \(folder.path)/first.partial cannot be written: "))
        #expect(try await program.ledgerRows() == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("a file that is not as it was written is not read")
    func damagedFiles() async throws {
        let program = try await Program.withArchive()
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/first"
        #expect(try await program.run(["energy", "archive", "--to", file]).status == 0)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let lines = text.split(separator: "\n")
        let damaged = [
            text.replacing("\t30\t30\t", with: "\t30\t31\t"),
            text.replacing("end 2 ", with: "end 3 "),
            String(text.dropLast(10)),
            String(text.prefix(100)),
            lines.dropLast().joined(separator: "\n") + "\n",
            lines[0] + "\n",
            ([lines[0]] + lines[2...]).joined(separator: "\n") + "\n",
            text + text,
            text + "\n",
        ]
        for text in damaged {
            let path = try folder.write("damaged", text)
            for command in [["energy", "audit"], ["energy", "history", "ANNA"]] {
                let outcome = try await program.run(command + ["--archive", file, path])
                #expect(outcome.status == 1, "\(text)")
                #expect(
                    outcome.notes
                        == "error: \(path) is incomplete or altered: its last line does not match the lines before it")
                #expect(outcome.output == "")
            }
        }
        for text in ["", "juliet", "juliet-energy-archive 2\n", "apple\nbread\ncrane\nno archive of ours\n"] {
            let path = try folder.write("other", text)
            let outcome = try await program.run(["energy", "audit", "--archive", path])
            #expect(outcome.status == 1)
            #expect(outcome.notes == "error: \(path) is not an archive of the energy ledger")
        }
        let outcome = try await program.run(["energy", "audit", "--archive", "/nowhere/first"])
        #expect(outcome.status == 1)
        #expect(outcome.notes == "error: cannot read /nowhere/first")
    }

    @Test("an altered checkpoint of files is found by the files")
    func forgedCheckpoint() async throws {
        let program = try await Program.withArchive()
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/first"
        #expect(try await program.run(["energy", "archive", "--to", file]).status == 0)
        try await program.psql("UPDATE energy_checkpoints SET file_seal = file_seal # 1")
        #expect(try await program.audit().status == 0)
        #expect(
            try await program.audit(archive: [file]).faults == [
                "ANNA: the files do not match the checksum: an entry was altered, or entries were cut off and the player's row was set back"
            ])
    }

    @Test("what support wrote comes back letter by letter")
    func references() async throws {
        let program = try await Program.withPlayers()
        let reasons = [
            "tab\there", "two\nlines\r\nand more", "a \\ and \\t and \\N", "\\N", "\\.", "'single' and \"double\"",
            "ünï©ode 🎲 e\u{301}", "vertical\u{0B}tab, escape\u{1B}, bell\u{07}", " blanks ",
        ]
        for (index, reason) in reasons.enumerated() {
            let outcome = try await program.run([
                "energy", "grant", "BEN", "1", "--reason", reason, "--operation-id", #"t\\#(index)"#,
            ])
            #expect(outcome.status == 0, "\(outcome.notes)")
        }
        try await program.psql(
            "SELECT change_energy('BEN', -5, 'game', '', NULL, NULL), pay_for_game('BEN', NULL, NULL)")
        try await program.age(days: 500)
        let before = try await history(of: "BEN", in: program)
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/first"
        let outcome = try await program.run(["energy", "archive", "--to", file])
        #expect(outcome.output.hasSuffix("13 rows moved to \(file)"), "\(outcome.output) \(outcome.notes)")
        #expect(try await program.audit(archive: [file]).output.hasSuffix("nothing wrong"))
        let after = try await history(of: "BEN", in: program, ["--archive", file])
        #expect(after == filed(before, first: 11))
        #expect(after.compactMap { $0["reference"] as? String } == reasons)
    }

    @Test("of times the day in UTC is kept, whatever the session's time zone is")
    func times() async throws {
        let program = try await Program.withPlayers()
        try await program.psql("ALTER DATABASE \(program.database) SET timezone = 'Asia/Kathmandu'")
        try await program.psql("ALTER DATABASE \(program.database) SET datestyle = 'German, DMY'")
        try await program.psql("UPDATE energy_ledger SET created_at = '2024-02-29 23:59:59.999999+00'")
        try await program.reseal()
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/first"
        #expect(try await program.run(["energy", "archive", "--to", file]).status == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\t2024-02-29 00:00:00.000000+00\n"))
        #expect(try await program.audit(archive: [file]).output == "2 players, 4 rows, nothing wrong")
    }

    @Test("a player who is deleted after that: files and audit still fit, and identify no player")
    func deletedPlayer() async throws {
        let program = try await Program.migrated()
        let folder = try TemporaryFolder()
        let (first, second) = ("\(folder.path)/first", "\(folder.path)/second")
        try await program.psql(
            """
            SELECT register_user('DEVICE-1', NULL, NULL), register_user('BEN', NULL, NULL);
            SELECT buy_energy('DEVICE-1', 30, 'buy', 1), pay_for_game('DEVICE-1', 'game', 1);
            SELECT pay_for_game('BEN', NULL, NULL)
            """)
        try await program.age(days: 500)
        #expect(try await program.run(["energy", "archive", "--to", first]).status == 0)
        try await program.psql("SELECT pay_for_game('DEVICE-1', 'game2', 1)")
        #expect(try await program.run(["energy", "archive"]).output == "1 row moved to the archive")
        let outcome = try await program.run(["users", "delete", "DEVICE-1"])
        #expect(outcome.output.hasSuffix(": 2 ledger rows"), "\(outcome.output)\(outcome.notes)")
        #expect(try await program.run(["energy", "archive", "--to", second]).status == 0)
        for file in [first, second] {
            #expect(!(try String(contentsOfFile: file, encoding: .utf8)).contains("DEVICE"))
        }
        #expect(try await program.rows(thatSay: "DEVICE") == 0)
        #expect(try await program.audit().output == "2 players, 2 rows, nothing wrong")
        #expect(try await program.audit(archive: [first, second]).output == "2 players, 6 rows, nothing wrong")
        // Another who comes with the same id begins anew.
        try await program.psql("SELECT register_user('DEVICE-1', NULL, NULL), pay_for_game('DEVICE-1', NULL, NULL)")
        let history = try await program.run(["energy", "history", "DEVICE-1", "--archive", first, second])
        #expect(history.output.split(separator: "\n").count == 3)
        #expect(try await program.audit(archive: [first, second]).output.hasSuffix("nothing wrong"))
    }

    /// 100 players with 2,000 entries each in the archive and one in the ledger.
    private func withManyRows() async throws -> Program {
        let program = try await Program.migrated()
        try await program.psql(
            """
            INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, created_at)
            SELECT 'PLAYER-' || player, 'entry ' || entry, entry, 30, 30 * entry,
                (CASE WHEN entry = 1 THEN 'registration' ELSE 'purchase' END)::energy_reason,
                now() - interval '500 days' + entry * interval '1 minute'
            FROM generate_series(1, 100) AS player, generate_series(1, 2001) AS entry;
            INSERT INTO users (id, energy, ledger_entry, ledger_seal)
            SELECT DISTINCT user_id, 30 * 2001, 2001, 0 FROM energy_ledger
            """)
        try await program.reseal()
        try await program.psql("ANALYZE")
        let outcome = try await program.run(["energy", "archive"])
        guard outcome.output == "200,000 rows moved to the archive" else {
            throw Program.Unusable(notes: outcome.notes)
        }
        return program
    }

    @Test("killed at any moment: the table is whole or the file is; run again, it finishes")
    func killed() async throws {
        let program = try await withManyRows()
        let folder = try TemporaryFolder()
        var files: [String] = []
        var kills = 0
        var isMoved = false
        // Then once when the file appears, which is before its rows are deleted.
        let delays: [Int?] = [200, 500, 900, 1500, nil, 2500, 4000, 8000, 600_000]
        for (attempt, delay) in delays.enumerated() where !isMoved {
            let file = "\(folder.path)/\(attempt)"
            let running = try program.start(["energy", "archive", "--to", file])
            if let delay {
                running.kill(after: delay)
            } else {
                for _ in 0..<60_000 where !FileManager.default.fileExists(atPath: file) {
                    try await Task.sleep(for: .milliseconds(1))
                }
                running.kill(after: 0)
            }
            let outcome = await running.outcome()
            try await program.waitUntilAlone()
            let isWritten = FileManager.default.fileExists(atPath: file)
            if isWritten { files.append(file) }
            if outcome.status != 0 { kills += 1 }
            let left = try await archived(program)
            isMoved = left == "0"
            #expect(
                isMoved ? isWritten : left == "200000", "\(left) rows left after \(delay ?? 0) ms: \(outcome.notes)")
            if delay == nil { #expect(isWritten) }
        }
        #expect(isMoved)
        #expect(kills > 3)
        if !isMoved {
            files.append("\(folder.path)/last")
            #expect(try await program.run(["energy", "archive", "--to", "\(folder.path)/last"]).status == 0)
        }
        // What a killed run left behind does no harm.
        let outcome = try await program.audit(archive: files)
        #expect(outcome.output == "100 players, 200,100 rows, nothing wrong", "\(outcome.notes)")
        let history = try await program.run(["energy", "history", "PLAYER-17", "--last", "3000", "--archive"] + files)
        #expect(history.output.split(separator: "\n").count == 2002)
    }

    @Test("a lost connection: the table is whole, and the error says what is true of the file")
    func lostConnection() async throws {
        let program = try await withManyRows()
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/first"
        for moment in ["\(file).partial", file] {
            let running = try program.start(["energy", "archive", "--to", file])
            for _ in 0..<60_000 where !FileManager.default.fileExists(atPath: moment) {
                try await Task.sleep(for: .milliseconds(1))
            }
            try await program.psql(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = 'juliet'
                """)
            let outcome = await running.outcome()
            #expect(outcome.status == 1)
            #expect(try await archived(program) == "200000", "\(outcome.notes)")
            let isThere = FileManager.default.fileExists(atPath: file)
            let isLeft = FileManager.default.fileExists(atPath: "\(file).partial")
            #expect(outcome.notes.contains("is whole, keep it") == isThere, "\(outcome.notes)")
            #expect(!isLeft)
            try? FileManager.default.removeItem(atPath: file)
        }
        #expect(try await program.run(["energy", "archive", "--to", file]).status == 0)
        #expect(try await program.audit(archive: [file]).output == "100 players, 200,100 rows, nothing wrong")
    }
}
