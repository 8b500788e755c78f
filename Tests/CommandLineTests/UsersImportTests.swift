import Foundation
import StrictEncoding
import TestSupport
import Testing

@Suite("juliet users import, run as a program", .everyLayout)
struct UsersImportTests {
    private static let players = "SELECT id, energy, wins, ledger_entry FROM users ORDER BY id"

    private func program() async throws -> Program {
        let program = try await Program.migrated()
        let folder = try TemporaryFolder()
        let list = try folder.write("x-guessable.txt", "apple\nbread\ncrane\n")
        _ = try await program.run(["words", "import", list])
        return program
    }

    /// A player as DynamoDB writes one.
    private func item(_ id: String, energy: Int = 5) -> String {
        "{\"Item\":{\"userID\":{\"S\":\"\(id)\"},\"energy\":{\"N\":\"\(energy)\"}}}\n"
    }

    /// The program's status, with the count of players that are here now.
    private func expect(
        _ outcome: Program.Outcome, status: Int32, players: Int, of program: Program
    ) async throws {
        #expect(outcome.status == status, "\(outcome.notes)")
        #expect(try await program.psql("SELECT count(*) FROM users") == "\(players)", "\(outcome.output)")
    }

    @Test("lines are taken over, mended, counted by kind and reported; again changes nothing")
    func lines() async throws {
        let program = try await program()
        let folder = try TemporaryFolder()
        let export = try folder.write(
            "export.jsonl",
            """
            {"Item": {"userID": {"S": "A"}, "energy": {"N": "15.0"}, "playedWords": {"L": [{"S": "CRANE"}, {"S": "Apple"}, {"S": "Bread"}]}, "userWins": {"N": "2"}, "hasMadePurchase": {"BOOL": true}}}
            {"userID": "B", "energy": -5, "playedWords": ["apple", "Apple", "zzzzz"], "userWins": 2147483647}
            broken
            {"userID": "C\\\\t", "energy": 7}
            {"userID": "A", "energy": 99}
            {"energy": 99}
            {"userID": "D", "energy": "many", "saltHash": "secret"}

            """)
        let report = "\(folder.path)/report.jsonl"
        var outcome = try await program.run(["users", "import", export, "--report", report])
        #expect(outcome.status == 3, "\(outcome.notes)")
        #expect(
            outcome.output == """
                items                                         7
                imported                                      3
                here already                                  1
                  with other data                             1
                refused                                       3
                  not a JSON object                           1
                  no userID of 1 to 128 printable characters  1
                  no usable number in energy                  1
                corrected                                     1
                  negative energy taken as 0                  1
                  wins above 1,000,000 taken as 1,000,000     1
                  repeated words merged                       1
                  unknown words left out                      1
                """)
        #expect(outcome.notes.isEmpty)
        let file = "{\"file\":\"\(export)\","
        let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(
            lines
                == [
                    #""kind":"energyNegative","line":2,"now":0,"user":"B","was":-5}"#,
                    #""kind":"winsTooLarge","line":2,"now":1000000,"user":"B","was":2147483647}"#,
                    #""kind":"wordRepeated","line":2,"now":null,"user":"B","was":["apple"]}"#,
                    #""kind":"wordUnknown","line":2,"now":null,"user":"B","was":["zzzzz"]}"#,
                    #""kind":"malformed","line":3,"now":null,"user":null,"was":null}"#,
                    #""kind":"userID","line":6,"now":null,"user":null,"was":null}"#,
                    #""kind":"energyUnusable","line":7,"now":null,"user":"D","was":null}"#,
                    #""kind":"different","line":5,"now":{"energy":15,"playedWords":["crane","apple","bread"],"wins":2},"#
                        + #""user":"A","was":{"energy":99,"playedWords":[],"wins":0}}"#,
                ].map { file + $0 })
        #expect(try await program.psql(Self.players) == "A|15|2|1\nB|0|1000000|1\nC\\t|7|0|1")
        #expect(
            try await program.psql(
                """
                SELECT user_id, number, word FROM played_words JOIN words ON id = word_id ORDER BY user_id, number
                """) == "A|1|crane\nA|2|apple\nA|3|bread\nB|1|apple")
        #expect(
            try await program.psql(
                "SELECT user_id, delta, balance_after, reason, reference FROM energy_ledger ORDER BY user_id")
                == "A|15|15|import|had made purchases\nB|0|0|import|\nC\\t|7|7|import|")

        try await program.psql("SELECT pay_for_game('A', NULL, NULL)")
        outcome = try await program.run(["users", "import", export, "--json"])
        #expect(outcome.status == 3)
        let document = try outcome.document()
        #expect(document["imported"] as? Int == 0)
        #expect(document["present"] as? Int == 4)
        #expect((document["kinds"] as? [String: Int])?["different"] == 2)
        #expect(try await program.psql(Self.players) == "A|10|2|2\nB|0|1000000|1\nC\\t|7|0|1")
        #expect(try await program.audit().status == 0)
    }

    @Test("the folder of an export to S3 is read as it is: all the files that its manifest names, or none")
    func folderOfExport() async throws {
        let program = try await program()
        let folder = try TemporaryFolder()
        let export = "AWSDynamoDB/01700000000000-abc"
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/\(export)/data", withIntermediateDirectories: true)
        var outcome = try await program.run(["users", "import", folder.path])
        #expect(outcome.notes == "error: \(folder.path): no data files (*.json.gz) here")
        for (name, text) in [("x", item("A") + item("B")), ("y", ""), ("z", item("C"))] {
            let path = try folder.write("\(export)/data/\(name).json", text)
            try await Command.run(["gzip", path])
        }
        func manifest(_ names: [String]) throws {
            try folder.write(
                "\(export)/manifest-files.json",
                names.map { "{\"itemCount\":2,\"dataFileS3Key\":\"\(export)/data/\($0).json.gz\"}\n" }.joined())
        }
        try folder.write("\(export)/manifest-summary.json", "{\"itemCount\":3}")
        try folder.write("\(export)/manifest-summary.md5", "abc")
        try folder.write("\(export)/_started", "")
        try manifest(["x", "y", "z", "gone"])
        outcome = try await program.run(["users", "import", folder.path])
        #expect(
            outcome.notes
                == "error: \(folder.path): the manifest names 1 file that is not here, gone.json.gz among them")
        try await expect(outcome, status: 1, players: 0, of: program)
        try manifest(["x", "y", "z"])
        outcome = try await program.run(["users", "import", folder.path])
        try await expect(outcome, status: 0, players: 3, of: program)

        try FileManager.default.copyItem(
            atPath: "\(folder.path)/\(export)", toPath: "\(folder.path)/AWSDynamoDB/01700000000001-def")
        outcome = try await program.run(["users", "import", folder.path])
        #expect(outcome.notes == "error: \(folder.path) holds 2 exports: give the folder of one of them")
        #expect(outcome.status == 1)
    }

    @Test("what a scan prints is read from files, several at once, indented or not, and from standard input")
    func scan() async throws {
        let program = try await program()
        let folder = try TemporaryFolder()
        let indented = try folder.write(
            "indented.json",
            """
            \u{FEFF}{
                "Items": [
                    {
                        "userID": {
                            "S": "A"
                        },
                        "energy": {
                            "N": "5"
                        }
                    },
                    {
                        "energy": {"N": "5"}, "userID": {"S": "B"}
                    }
                ],
                "Count": 2,
                "ScannedCount": 2,
                "ConsumedCapacity": null
            }
            """)
        let compact = try folder.write(
            "compact.json", #"{"Items":[{"userID":{"S":"C"},"energy":{"N":"5"}}],"Count":1}"#)
        var outcome = try await program.run(["users", "import", indented, compact])
        try await expect(outcome, status: 0, players: 3, of: program)

        let more = try folder.write("more.json", #"{"Items":[{"userID":{"S":"D"},"energy":{"N":"5"}}]}"#)
        outcome = try await program.run(["users", "import", "-"], input: more)
        try await expect(outcome, status: 0, players: 4, of: program)

        // Two members of gzip, through a pipe.
        let (one, two) = (try folder.write("one", item("E")), try folder.write("two", item("F")))
        let output = try await Command.run([
            "env", "DATABASE_URL=\(program.cluster.connectionString(database: program.database))", "sh", "-c",
            "{ gzip -c \"$1\"; gzip -c \"$2\"; } | \"$0\" users import - --json", Program.executable.path, one, two,
        ])
        #expect(output.contains("\"imported\" : 2"))
        #expect(try await program.psql("SELECT count(*) FROM users") == "6")

        let page = try folder.write(
            "page.json", #"{"Items":[{"userID":{"S":"G"},"energy":{"N":"5"}}],"NextToken":"x"}"#)
        outcome = try await program.run(["users", "import", page])
        #expect(
            outcome.notes
                == "error: the table goes on where the scan ends (LastEvaluatedKey): scan the rest as well")
        try await expect(outcome, status: 1, players: 7, of: program)
        outcome = try await program.run(["users", "import", page, compact])
        #expect(outcome.status == 0)
    }

    @Test(
        "a file that is no export is an error of one line, and changes nothing",
        arguments: [
            ("", "is empty"), (" \n", "is empty"),
            ("userID,energy\nA,5\n", "is not an export of DynamoDB: it looks like CSV"),
            ("hello\n", "is not an export of DynamoDB: it looks like plain text"),
            ("<html></html>", "is not an export of DynamoDB: it looks like XML or HTML"),
            ("PK\u{3}\u{4}{\n", "is not an export of DynamoDB: it looks like a ZIP archive"),
            ("$ion_1_0 {Item:{userID:\"A\"}}\n{", "is not an export of DynamoDB: it looks like Amazon Ion"),
            ("a\u{0}b", "is not an export of DynamoDB: it looks like binary data"),
            ("\u{1F}", "is not an export of DynamoDB: it looks like plain text"),
            (
                "{\n  \"name\": \"x\",\n  \"dependencies\": {}\n}\n",
                "is JSON, but not an export of players: its items have no userID"
            ),
            ("[1, 2, 3]", "is JSON, but not an export of players: its items have no userID"),
        ])
    func noExport(text: String, line: String) async throws {
        let program = try await program()
        let folder = try TemporaryFolder()
        let good = try folder.write("good.jsonl", item("A"))
        let other = try folder.write("other", text)
        let arguments = line.contains("userID") ? [other] : [good, other]
        let outcome = try await program.run(["users", "import"] + arguments)
        #expect(outcome.notes == "error: \(other) \(line)")
        try await expect(outcome, status: 1, players: 0, of: program)
    }

    @Test("compressed data with another sum than they should have are not believed")
    func damaged() async throws {
        let program = try await program()
        let folder = try TemporaryFolder()
        let path = try folder.write("export.jsonl", item("A"))
        try await Command.run(["gzip", path])
        var bytes = try Data(contentsOf: URL(filePath: "\(path).gz"))
        bytes[bytes.count - 8] ^= 1
        try bytes.write(to: URL(filePath: "\(path).gz"))
        let outcome = try await program.run(["users", "import", "\(path).gz"])
        #expect(outcome.notes == "error: \(path).gz: the compressed data are damaged")
        try await expect(outcome, status: 1, players: 0, of: program)
    }

    @Test("an export that ends in the middle is taken over up to there, and reported as cut")
    func cut() async throws {
        let program = try await program()
        let folder = try TemporaryFolder()
        let cut = try folder.write("cut.json", #"{"Items":[{"userID":{"S":"A"},"energy":{"N":"5"}},{"userID":"#)
        // More than is looked at in advance, and hard to compress.
        let lines = (0..<20_000).map { item("\($0)-\(UInt64.random(in: .min ... .max))") }.joined()
        let packed = try folder.write("packed.jsonl", lines)
        try await Command.run(["gzip", packed])
        let path = "\(packed).gz"
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        try await Command.run(["truncate", "-s", "\(size * 9 / 10)", path])
        let good = try folder.write("good.jsonl", item("B"))
        let short = try folder.write("short.jsonl", item("C") + item("D").dropLast(8))
        let outcome = try await program.run(["users", "import", path, cut, good, short])
        #expect(outcome.status == 1)
        #expect(
            outcome.notes.split(separator: "\n").suffix(3) == [
                "error: \(path): the compressed data end too early",
                "error: \(cut) ends in the middle; what came before was imported",
                "error: \(short) ends in the middle; what came before was imported",
            ])
        #expect(try await program.psql("SELECT count(*) > 10000 FROM users") == "t")
        #expect(try await program.psql("SELECT count(*) FROM users WHERE id IN ('A', 'B', 'C', 'D')") == "3")
    }

    @Test("one bad item never stops the rest, whatever it is, and ids are told apart byte by byte")
    func badItems() async throws {
        let program = try await program()
        // What the database refuses, for a reason that only it knows.
        try await program.psql("ALTER TABLE users ADD CONSTRAINT users_bad_check CHECK (id <> 'BAD')")
        let folder = try TemporaryFolder()
        let marks = String(repeating: "\u{301}", count: 128)
        let export = try folder.write(
            "export.jsonl",
            item("first") + item("BAD") + item("\u{E9}") + item("e\u{301}") + item(marks) + item(marks + "\u{301}")
                + item("a\\\\\u{301}b") + "{\"userID\": \"deep\", \"x\": \(String(repeating: "[", count: 200_000))\n"
                + "{\"userID\": \"long\", \"x\": \"\(String(repeating: "x", count: 10_000_000))\"}\n" + item("last"))
        let report = "\(folder.path)/report.jsonl"
        let outcome = try await program.run(["users", "import", export, "--report", report])
        #expect(outcome.status == 3)
        #expect(
            outcome.output == """
                items                                         10
                imported                                       6
                here already                                   0
                refused                                        4
                  not a JSON object                            2
                  no userID of 1 to 128 printable characters   1
                  refused by the database                      1
                corrected                                      0
                """)
        let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
        #expect(
            lines.last.map(String.init) == "{\"file\":\"\(export)\","
                + #""kind":"database","line":2,"now":"SQLSTATE 23514","user":"BAD","was":null}"#)
        let ids = try await program.psql("SELECT encode(convert_to(id, 'UTF8'), 'hex') FROM users").split(
            separator: "\n")
        let expected = ["first", "\u{E9}", "e\u{301}", marks, "a\\\u{301}b", "last"].map { Hexadecimal.encode($0.utf8) }
        #expect(Set(ids.map(String.init)) == Set(expected))
    }

    @Test("ids that only players of /v2 have are refused, and players who were claimed are not imported again")
    func playersOfTheSecondContract() async throws {
        let program = try await program()
        let folder = try TemporaryFolder()
        let player = "6ed8320e-51c1-8a06-b8b0-2ca148cbfb98"
        try await program.psql(
            """
            SELECT register_user('CLAIMED', NULL, NULL);
            SELECT apply_rules('test', '{"players.claims": "allow"}');
            SELECT create_player('\(player)', 'Ada', 'CLAIMED', sha256('t') || '\(player)'::bytea, gen_random_uuid(), sha256('r'))
            """)
        let other = "6ed8320e-51c1-8a06-b8b0-2ca148cbfb99"
        let export = try folder.write(
            "export.jsonl", item("CLAIMED") + item(other) + item(player) + item(other.uppercased()) + item("A"))
        let report = "\(folder.path)/report.jsonl"
        let outcome = try await program.run(["users", "import", export, "--replace-untouched", "--report", report])
        #expect(outcome.status == 3)
        #expect(
            outcome.output == """
                items                                          5
                imported                                       2
                here already                                   1
                  claimed by a player of /v2                   1
                refused                                        2
                  userID of the form that players of /v2 have  2
                corrected                                      0
                """, "\(outcome.output)\(outcome.notes)")
        let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n").map(String.init)
        let file = "{\"file\":\"\(export)\","
        #expect(
            Set(lines) == [
                file + #""kind":"userIDReserved","line":2,"now":null,"user":"\#(other)","was":null}"#,
                file + #""kind":"userIDReserved","line":3,"now":null,"user":"\#(player)","was":null}"#,
                file + #""kind":"claimed","line":1,"now":"\#(player)","user":"CLAIMED","was":null}"#,
            ])
        #expect(
            try await program.psql("SELECT id, energy FROM users ORDER BY id")
                == "\(other.uppercased())|5\n\(player)|30\nA|5")
        #expect(try await program.audit().status == 0)
    }

    @Test("nothing is taken over before the words are imported, and the error says how to import them")
    func withoutWords() async throws {
        let program = try await Program.migrated()
        let folder = try TemporaryFolder()
        let export = try folder.write("export.jsonl", item("A"))
        let outcome = try await program.run(["users", "import", export])
        #expect(
            outcome.notes
                == "error: there are no words of en yet, so nothing was changed: "
                + "run `juliet words import` first"
        )
        try await expect(outcome, status: 1, players: 0, of: program)
    }

    @Test("--replace-untouched gives players who were only registered since the old state; the ledger stays right")
    func replacing() async throws {
        let program = try await program()
        let folder = try TemporaryFolder()
        let ids = ["ONLY", "PAID", "WON", "PLAYED", "KEYED", "SAME", "TWICE", "REFUSED"]
        try await program.psql(
            """
            SELECT register_user(id, NULL, NULL) FROM unnest('{\(ids.joined(separator: ","))}'::text[]) AS id;
            SELECT register_user('NAMED', 'name', 1), pay_for_game('PAID', NULL, NULL), add_win('WON', NULL, NULL),
                record_played_word('PLAYED', 'apple', 'en'), add_win('KEYED', 'key', 1),
                buy_energy('REFUSED', 7, 'seven', 1)
            """)
        let export = try folder.write(
            "export.jsonl",
            (["NEW", "NAMED"] + ids.filter { $0 != "SAME" } + ["TWICE"]).map { id in
                """
                {"userID": "\(id)", "energy": 12, "userWins": 3, "playedWords": ["crane", "bread"], "hasMadePurchase": true}

                """
            }.joined() + #"{"userID": "SAME", "energy": 30}"#)
        var outcome = try await program.run(["users", "import", export, "--json"])
        var document = try outcome.document()
        #expect(outcome.status == 0)
        #expect(document["replaced"] as? Int == 0)
        #expect((document["kinds"] as? [String: Int])?["different"] == 9)

        let report = "\(folder.path)/report.jsonl"
        outcome = try await program.run(["users", "import", export, "--replace-untouched", "--report", report])
        #expect(
            outcome.output == """
                items                                          11
                imported                                        0
                replaced                                        3
                  registered since, and has done nothing else   3
                here already                                    8
                  with other data                               5
                refused                                         0
                corrected                                       0
                """)
        let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
        #expect(
            lines.first.map(String.init) == "{\"file\":\"\(export)\",\"kind\":\"replaced\",\"line\":2,"
                + #""now":{"energy":12,"playedWords":["crane","bread"],"wins":3},"user":"NAMED","#
                + #""was":{"energy":30,"playedWords":[],"wins":0}}"#)
        #expect(
            try await program.psql(
                """
                SELECT id, energy, wins, words_played, ledger_entry, (SELECT string_agg(word, ' ' ORDER BY number)
                    FROM played_words JOIN words ON words.id = word_id WHERE user_id = users.id) FROM users ORDER BY id
                """) == """
                    KEYED|30|1|0|1|
                    NAMED|12|3|2|2|crane bread
                    NEW|12|3|2|1|crane bread
                    ONLY|12|3|2|2|crane bread
                    PAID|25|0|0|2|
                    PLAYED|30|0|1|1|apple
                    REFUSED|30|0|0|1|
                    SAME|30|0|0|1|
                    TWICE|12|3|2|2|crane bread
                    WON|30|1|0|1|
                    """)
        #expect(
            try await program.psql(
                "SELECT entry, delta, balance_after, reason, reference FROM energy_ledger WHERE user_id = 'ONLY' ORDER BY 1"
            )
                == "1|30|30|registration|\n2|-18|12|import|had made purchases")
        let audit = try await program.audit()
        #expect(audit.status == 0, "\(audit.output)")

        outcome = try await program.run(["users", "import", export, "--replace-untouched", "--json"])
        document = try outcome.document()
        #expect(document["replaced"] as? Int == 0)
        #expect(document["present"] as? Int == 11)
    }
}
