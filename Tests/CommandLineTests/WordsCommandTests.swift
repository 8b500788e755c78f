import Foundation
import TestSupport
import Testing

@Suite("juliet words, run as a program", .everyLayout)
struct WordsCommandTests {
    @Test("the lists of the game import, again changes nothing, and nothing is wrong with them")
    func gameLists() async throws {
        let program = try await Program.migrated()
        var outcome = try await program.run(["words", "import", "config/words"])
        #expect(outcome.status == 0)
        #expect(
            outcome.output.contains(
                #/^list        added  restored  retired  unchanged\nguessable  1\d,\d\d\d         0        0          0\nsecret      2,\d\d\d         0        0          0\nmeanings: 2,\d\d\d new, 0 unchanged$/#
            ), "\(outcome.output) \(outcome.notes)")
        outcome = try await program.run(["words", "import", "config/words", "--prune"])
        #expect(
            outcome.output.contains(
                #/\nguessable      0         0        0     1\d,\d\d\d\nsecret         0         0        0      2,\d\d\d\nmeanings: 0 new, 2,\d\d\d unchanged$/#
            ), "\(outcome.output)")
        outcome = try await program.run(["words", "check"])
        #expect(outcome.status == 0)
        #expect(outcome.output.hasSuffix(" words, nothing wrong"))
        outcome = try await program.run(["words", "list", "--secret", "--length", "5"])
        let secrets = outcome.output.split(separator: "\n")
        #expect(secrets.contains("music") && secrets.contains("drunk"))
    }

    @Test("the German lists import by their language; a file of another language is refused")
    func german() async throws {
        let program = try await Program.migrated()
        for paths in [[], ["config/words"]] {
            let outcome = try await program.run(["words", "import", "--language", "de"] + paths)
            #expect(outcome.status == 0)
            let (secrets, guesses) = (#/\nsecret +(?:1,\d\d\d  |0  ).*/#, #/\nguessable +(?:1\d,\d\d\d  |0  ).*/#)
            #expect(outcome.output.contains(secrets) && outcome.output.contains(guesses), "\(outcome.output)")
        }
        #expect(
            try await program.psql("SELECT DISTINCT language, char_length(word) FROM words") == "de|5",
            "nothing English")
        var outcome = try await program.run(["words", "list", "--language", "de", "--length", "5"])
        let words = Set(outcome.output.split(separator: "\n"))
        for word in ["größe", "straße", "heißt", "süßer", "schön", "kraut"] {
            #expect(words.contains(Substring(word)) == (word.count == 5), "\(word)")
        }
        #expect(try await program.run(["words", "check", "--language", "de"]).status == 0)
        outcome = try await program.run(["words", "import", "config/words/german-secret.txt"])
        #expect(outcome.status == 64)
        #expect(
            outcome.notes
                == "error: config/words/german-secret.txt is a list of another language: add --language de")
        outcome = try await program.run(["words", "import", "--language", "fr"])
        #expect(outcome.status == 64)
        #expect(outcome.notes.contains("the program has words of de and en only: name files of fr"))
    }

    @Test("English words that SCOWL spells with an accent, and those of every day, can be guessed")
    func everyday() async throws {
        let program = try await Program.migrated()
        #expect(try await program.run(["words", "import"]).status == 0)
        let outcome = try await program.run(["words", "list", "--length", "5"])
        let words = Set(outcome.output.split(separator: "\n").map(String.init))
        #expect(
            words.isSuperset(of: ["melee", "saute", "voila", "admin", "intro", "morph", "maths", "cyber", "kraut"]))
        #expect(words.allSatisfy { $0.utf8.count == 5 })
    }

    @Test("a list is what the words become: added, restored, retired, unchanged")
    func diff() async throws {
        let program = try await Program.migrated()
        let folder = try TemporaryFolder()
        let words = { (arguments: [String]) in try await program.run(["words"] + arguments) }
        let guessable = try folder.write(
            "x-guessable.txt", "\u{FEFF}# a comment\r\n\r\nApple\r\nbread\r\n  CRANE  \r\ndance # twice\r\ndance\r\n")
        let secret = try folder.write("x-secret.txt", "apple\nbread\n")
        var outcome = try await words(["import", secret, guessable, "--dry-run"])
        #expect(
            outcome.output == """
                list       added  restored  retired  unchanged
                guessable      4         0        0          0
                secret         2         0        0          0

                dry run: nothing was changed
                """)
        #expect(
            try await words(["stats"]).output == "there are no words: import some with `juliet words import`")
        _ = try await words(["import", secret, guessable])
        try folder.write("x-secret.txt", "bread\ncrane\n")
        outcome = try await words(["import", secret, "--prune"])
        #expect(
            outcome.output == """
                list    added  restored  retired  unchanged
                secret      1         0        1          1
                """)
        outcome = try await words(["stats"])
        #expect(
            outcome.output == """
                language  letters  guessable  secret  retired
                en              5          3       2        1
                """)
        try folder.write("x-secret.txt", "apple\nbread\n")
        outcome = try await words(["import", secret])
        #expect(
            outcome.output == """
                list    added  restored  retired  unchanged
                secret      0         1        0          1
                """)
        #expect(try await words(["list"]).output == "apple\nbread\ncrane\ndance")
        #expect(try await words(["list", "--secret"]).output == "apple\nbread\ncrane")
    }

    @Test("words are blocked in every language, come back by no import, and are unblocked again")
    func block() async throws {
        let program = try await Program.migrated()
        let folder = try TemporaryFolder()
        let words = { (arguments: [String]) in try await program.run(["words"] + arguments) }
        let list = try folder.write("x-guessable.txt", "apple\nbread\ncrane\narses\n")
        _ = try await words(["import", list])
        #expect(try await words(["list", "--retired"]).output == "arses", "every release blocks it")
        var outcome = try await words(["block", "Crane", "QWERT", "--reason", "a name"])
        #expect(outcome.output == "blocked: crane qwert")
        outcome = try await words(["block", "crane", "--json"])
        #expect(outcome.output.contains("\"unchanged\""))
        #expect(try await words(["block", "arses"]).output == "already blocked: arses")
        #expect(try await words(["block", "--list"]).output.contains("qwert  a name"))
        _ = try await words(["import", list])
        #expect(try await words(["list", "--retired"]).output == "arses\ncrane")
        outcome = try await words(["restore", "crane"])
        #expect(outcome.status == 1 && outcome.notes.contains("blocked: crane; run juliet words unblock first"))
        outcome = try await words(["unblock", "qwert", "arses"])
        #expect(outcome.status == 1 && outcome.notes.contains("every release blocks arses; nothing was changed"))
        #expect(
            try await words(["unblock", "QWERT", "crane", "bread"]).output
                == "unblocked: crane qwert\nnot blocked: bread")
        #expect(try await words(["list", "--retired"]).output == "arses\ncrane")
        #expect(try await words(["restore", "crane"]).output == "restored: crane")
        #expect(try await words(["block", "--list"]).output == "")
        for wrong in [
            ["block", "abc"], ["block", "two words"], ["block", "abcdefghi"], ["block"], ["block", "--list", "crane"],
            ["unblock"], ["block", "crane", "--reason", " "],
        ] {
            #expect(try await words(wrong).status == 64, "\(wrong)")
        }
        #expect(
            try await program.psql(
                "SELECT string_agg(action, ' ' ORDER BY id) FROM admin_actions WHERE actor LIKE 'os:%'"
            )
            .contains("word.retire words.block words.block"))
        #expect(try await program.run(["audit"]).status == 0)
    }

    @Test("the lists that the program carries are imported without a path, from any folder")
    func carried() async throws {
        let program = try await Program.migrated()
        let outcome = try await program.run(["words", "import"])
        #expect(
            outcome.output == """
                list        added  restored  retired  unchanged
                guessable  11,441         0        0          0
                secret      2,273         0        0          0
                meanings: 2,225 new, 0 unchanged
                """)
        // The same as those on disk.
        let again = try await program.run(["words", "import", "config/words", "--prune"])
        #expect(again.output.contains("guessable      0         0        0     11,441"))
        #expect(again.output.contains("secret         0         0        0      2,273"))
        #expect(try await program.run(["words", "check"]).status == 0)
        for arguments in [["--language", "fr"], ["--kind", "secret"]] {
            let refused = try await program.run(["words", "import"] + arguments)
            #expect(refused.status == 64 && refused.notes.contains("name"))
        }
    }

    @Test("meanings are set, replaced, skipped and cleared; wrong lines are refused by number, and nothing changes")
    func meanings() async throws {
        let program = try await Program.migrated()
        let folder = try TemporaryFolder()
        let words = { (arguments: [String]) in try await program.run(["words"] + arguments) }
        let known = {
            try await program.psql("SELECT word, meaning FROM words WHERE meaning IS NOT NULL ORDER BY word")
        }
        let trail = {
            try await program.psql(
                "SELECT count(*) FROM admin_actions WHERE action = 'words.meanings' AND subject IN ('en', 'de')")
        }
        // A folder of lists has them beside the words.
        try folder.write("english-guessable.txt", "apple\ncrane\n")
        try folder.write("english-secret.txt", "apple\ncrane\n")
        try folder.write("english-meanings.txt", "# ours\n\nAPPLE\t a fruit \t\r\nzebra\tan animal\ncat\ttoo short\n")
        var outcome = try await words(["import", folder.path, "--dry-run"])
        #expect(
            outcome.output.hasSuffix(
                "meanings: 1 new, 0 unchanged, 2 skipped because the word is in no list\n\ndry run: nothing was changed"
            ))
        #expect(try await program.psql("SELECT count(*) FROM words") == "0")
        outcome = try await words(["import", folder.path])
        #expect(outcome.output.hasSuffix("\nmeanings: 1 new, 0 unchanged, 2 skipped because the word is in no list"))
        #expect(try await known() == "apple|a fruit")
        let first = try folder.write("first.txt", "apple\ta round fruit # of a tree\ncrane\ta bird\n")
        outcome = try await words(["meanings", first, "--dry-run"])
        #expect(outcome.output == "meanings: 2 new, 0 unchanged\n\ndry run: nothing was changed")
        #expect(try await known() == "apple|a fruit")
        let long = String(repeating: "é", count: 280)
        try folder.write("second.txt", "crane\t\(long)\n")
        outcome = try await words(["meanings", first, "--json"])
        #expect(outcome.output.contains(#""changed" : 2"#), "\(outcome.output)")
        outcome = try await words(["meanings", "\(folder.path)/second.txt"])
        #expect(outcome.output == "meanings: 1 new, 0 unchanged")
        #expect(try await known() == "apple|a round fruit # of a tree\ncrane|\(long)", "the others stay")
        // Wrong lines.
        let wrong = try folder.write(
            "wrong.txt",
            "apple a fruit\napple\t\ncrane\t\(long)é\ncrane\ta\u{7}b\ndon't\tno word\napple\tone\nAPPLE\ttwo\n")
        outcome = try await words(["meanings", wrong])
        #expect(outcome.status == 1)
        #expect(
            outcome.notes == """
                error: 6 lines refused, nothing was changed
                wrong.txt:1: has no meaning after a word and a tab
                wrong.txt:2: has no meaning after a word and a tab
                wrong.txt:3: the meaning has 281 characters, at most 280 are possible
                wrong.txt:4: the meaning has a control character, U+7
                wrong.txt:5: "don't" has a character that is not a letter: '
                wrong.txt:7: "apple" has a meaning in wrong.txt:6 already
                """)
        #expect(try await known() == "apple|a round fruit # of a tree\ncrane|\(long)")
        #expect(
            try await words(["meanings", "\(folder.path)/none.txt"]).notes
                == "error: cannot read \(folder.path)/none.txt")
        outcome = try await words(["check", folder.path])
        #expect(outcome.status == 0, "\(outcome.output)")
        try folder.write("english-meanings.txt", "apple\n")
        outcome = try await words(["check", folder.path])
        #expect(
            outcome.notes.hasPrefix("error: 1 line wrong\nenglish-meanings.txt:1: has no meaning"), "\(outcome.notes)")
        outcome = try await words(["meanings", "\(folder.path)/english-meanings.txt", "--language", "de"])
        #expect(
            outcome.notes
                == "error: \(folder.path)/english-meanings.txt is a list of another language: add --language en")
        #expect(try await words(["meanings"]).status == 64)
        #expect(try await words(["meanings", first, "--clear"]).status == 64)
        #expect(try await trail() == "3")
        #expect(try await program.run(["audit"]).status == 0)
        // Without --language it is the rules'.
        _ = try await words(["import", "config/words", "--language", "de"])
        try await program.psql(#"SELECT apply_rules('test', '{"game.language": "de"}')"#)
        let german = try folder.write("german.txt", "größe\twie groß etwas ist\n")
        #expect(try await words(["meanings", german]).output == "meanings: 1 new, 0 unchanged")
        #expect(try await words(["list", "--secret"]).output.contains("größe"))
        #expect(
            try await words(["meanings", "--clear", "--dry-run"]).output
                == "1 meaning of de would be deleted: dry run, nothing was changed")
        #expect(try await words(["meanings", "--clear", "--language", "en"]).output == "2 meanings of en deleted")
        #expect(try await known() == "größe|wie groß etwas ist")
        #expect(try await words(["meanings", "--clear", "--json"]).output.contains(#""cleared" : 1"#))
        #expect(try await words(["meanings", "--clear"]).output == "0 meanings of de deleted")
        #expect(try await trail() == "6", "clearing nothing leaves no line")
        #expect(try await program.run(["audit"]).status == 0)
    }

    @Test("bad lines and secrets that cannot be guessed are refused by number, and nothing changes")
    func refused() async throws {
        let program = try await Program.migrated()
        let folder = try TemporaryFolder()
        let bad = try folder.write("x-guessable.txt", "apple\ncat\ntwo words\n\nbread\ndon't\n")
        var outcome = try await program.run(["words", "import", bad])
        #expect(outcome.status == 1)
        #expect(
            outcome.notes == """
                error: 3 lines refused, nothing was changed
                x-guessable.txt:2: "cat" has 3 letters, words have 4 to 8
                x-guessable.txt:3: "two words" is more than one word
                x-guessable.txt:6: "don't" has a character that is not a letter: '
                """)
        let secret = try folder.write("x-secret.txt", "apple\ncrane\n")
        let guessable = try folder.write("y-guessable.txt", "apple\n")
        outcome = try await program.run(["words", "import", secret, guessable])
        #expect(outcome.status == 1)
        #expect(
            outcome.notes == """
                error: 1 line refused, nothing was changed
                x-secret.txt:2: "crane" is a secret that cannot be guessed
                """)
        outcome = try await program.run(["words", "import", try folder.write("list.txt", "apple\n")])
        #expect(
            outcome.notes
                == "error: \(folder.path)/list.txt: the file's name does not say whether it is secret or guessable: use --kind"
        )
        #expect(try await program.psql("SELECT count(*) FROM words") == "0")
    }

    @Test("retire and restore: in any case, all or none")
    func retire() async throws {
        let program = try await Program.migrated()
        let folder = try TemporaryFolder()
        let words = { (arguments: [String]) in try await program.run(["words"] + arguments) }
        _ = try await words(["import", "--kind", "guessable", try folder.write("a.txt", "apple\nbread\n")])
        _ = try await words(["import", "--kind", "secret", try folder.write("a.txt", "apple\nbread\n")])
        #expect(try await words(["retire", "APPLE"]).output == "retired: apple")
        #expect(try await words(["retire", "apple", "bread"]).output == "retired: bread\nalready retired: apple")
        #expect(try await words(["list", "--retired"]).output == "apple\nbread")
        #expect(try await words(["restore", "bread"]).output == "restored: bread")
        let outcome = try await words(["restore", "apple", "crane"])
        #expect(outcome.status == 1)
        #expect(outcome.notes == "error: not in the lists of en: crane; nothing was changed")
        #expect(try await words(["list"]).output == "bread")
    }

    @Test("what an operator retired stays so whatever is imported; what lists no longer named comes back with them")
    func retireAndImport() async throws {
        let program = try await Program.migrated()
        let folder = try TemporaryFolder()
        let words = { (arguments: [String]) in try await program.run(["words"] + arguments) }
        let guessable = try folder.write("x-guessable.txt", "apple\nbread\ncrane\n")
        let secret = try folder.write("x-secret.txt", "apple\nbread\n")
        /// Whether games deal the words, as the functions see it.
        func dealt(_ words: [String]) async throws -> Bool {
            let seen = try await program.psql(
                """
                SELECT DISTINCT (deal_word('ANNA', 'en', 5)).word FROM generate_series(1, 100) ORDER BY 1
                """)
            return seen == words.joined(separator: "\n")
        }
        _ = try await words(["import", guessable, secret])
        try await program.psql("SELECT register_user('ANNA', NULL, NULL)")
        #expect(try await dealt(["apple", "bread"]))

        // By hand.
        #expect(try await words(["retire", "apple"]).output == "retired: apple")
        #expect(try await dealt(["bread"]))
        for _ in 1...2 {
            let outcome = try await words(["import", guessable, secret])
            #expect(
                outcome.output == """
                    list       added  restored  retired  unchanged
                    guessable      0         0        0          3
                    secret         0         0        0          2
                    """)
            #expect(try await words(["list", "--retired"]).output == "apple")
            #expect(try await dealt(["bread"]))
        }
        _ = try await words(["import", guessable, secret, "--prune"])
        #expect(try await words(["list", "--retired"]).output == "apple")
        #expect(try await words(["restore", "apple"]).output == "restored: apple")
        #expect(try await dealt(["apple", "bread"]))

        // Because no list names it.
        try folder.write("x-secret.txt", "bread\n")
        _ = try await words(["import", secret, "--prune"])
        #expect(try await words(["list", "--retired"]).output == "apple")
        #expect(try await dealt(["bread"]))
        try folder.write("x-secret.txt", "apple\nbread\n")
        #expect(try await words(["import", secret]).output.contains("secret      0         1        0          1"))
        #expect(try await words(["list", "--retired"]).output == "")
        #expect(try await dealt(["apple", "bread"]))

        // Both: the operator's word counts.
        try folder.write("x-secret.txt", "bread\n")
        _ = try await words(["import", secret, "--prune"])
        #expect(try await words(["retire", "apple"]).output == "retired: apple")
        try folder.write("x-secret.txt", "apple\nbread\n")
        _ = try await words(["import", guessable, secret])
        #expect(try await words(["list", "--retired"]).output == "apple")
        #expect(try await words(["check"]).output.hasSuffix("2 words, nothing wrong"))
    }

    @Test("a word that can only be guessed is retired and comes back likewise")
    func retireGuessable() async throws {
        let program = try await Program.migrated()
        let folder = try TemporaryFolder()
        let words = { (arguments: [String]) in try await program.run(["words"] + arguments) }
        let list = try folder.write("x-guessable.txt", "apple\nbread\ncrane\n")
        _ = try await words(["import", list])
        _ = try await words(["retire", "apple"])
        try folder.write("x-guessable.txt", "apple\ncrane\n")
        #expect(
            try await words(["import", list, "--prune"]).output.hasSuffix(
                "guessable      0         0        1          2"))
        #expect(try await words(["list", "--retired"]).output == "apple\nbread")
        try folder.write("x-guessable.txt", "apple\nbread\ncrane\n")
        for restored in [1, 0] {
            let outcome = try await words(["import", list])
            #expect(outcome.output.hasSuffix("guessable      0         \(restored)        0          \(3 - restored)"))
            #expect(try await words(["list", "--retired"]).output == "apple")
        }
        #expect(try await words(["restore", "apple"]).output == "restored: apple")
        #expect(try await words(["list"]).output == "apple\nbread\ncrane")
    }

    @Test("lists of other languages and lengths import by their own spelling")
    func languages() async throws {
        let program = try await Program.migrated()
        let folder = try TemporaryFolder()
        let turkish = try folder.write("tr-guessable.txt", "IŞIK\nİNCİR\nkitap\n")
        let german = try folder.write("de-guessable.txt", "Straße\nU\u{308}bung\nGRÖSSE\n")
        #expect(try await program.run(["words", "import", turkish, "--language", "tr"]).status == 0)
        #expect(try await program.run(["words", "import", german, "--language", "de"]).status == 0)
        #expect(try await program.run(["words", "list", "--language", "tr"]).output == "incir\nkitap\nışık")
        #expect(try await program.run(["words", "list", "--language", "de"]).output == "grösse\nstraße\nübung")
        #expect(
            try await program.run(["words", "stats"]).output == """
                language  letters  guessable  secret  retired
                de              5          1       0        0
                de              6          2       0        0
                tr              4          1       0        0
                tr              5          2       0        0
                """)
    }

    @Test("words of days are planned, listed and given back to chance, all of a file or none")
    func plan() async throws {
        let program = try await Program.migrated()
        let folder = try TemporaryFolder()
        func words(_ arguments: [String], input: String? = nil) async throws -> Program.Outcome {
            let file = try input.map { try folder.write("input.txt", $0) }
            return try await program.run(["words"] + arguments, input: file)
        }
        try folder.write("english-secret.txt", "apple\nfrost\nlemon\nsnowy\nzebra\n")
        try folder.write("english-guessable.txt", "apple\nfrost\nlemon\nsnowy\nzebra\ncrane\n")
        #expect(try await words(["import", folder.path]).status == 0)
        try await program.psql("SELECT choose_daily_words()")
        let days = try await program.psql("SELECT today() + n FROM unnest('{3, 40, 400, 401}'::integer[]) AS n")
            .split(separator: "\n").map(String.init)
        let planned = { try await program.psql("SELECT day, word FROM daily_words WHERE is_planned ORDER BY day") }
        func file(_ text: String) throws -> String { try folder.write("plan.txt", text) }
        let first = try file("# for the class\n\(days[0]) FROST # Lina's\n\n\(days[1])\tcrane\r\n")
        var outcome = try await words(["plan", first, "--dry-run"])
        #expect(outcome.output == "planned: \(days[0]) \(days[1])\ndry run: nothing was changed")
        #expect(try await planned() == "")
        outcome = try await words(["plan", "-"], input: "\(days[0]) frost\n\(days[1]) crane\n")
        #expect(outcome.output == "planned: \(days[0]) \(days[1])", "\(outcome)")
        #expect(try await planned() == "\(days[0])|frost\n\(days[1])|crane")
        outcome = try await words(["plan", first])
        #expect(outcome.output == "planned so already: \(days[0]) \(days[1])")
        outcome = try await words(["plan", "--list"])
        #expect(outcome.output == "\(days[0])  frost\n\(days[1])  crane")
        #expect(try await words(["plan", "--list", "--json"]).output.contains(#""word" : "crane""#))

        // What is wrong is named, line by line, and nothing is changed.
        try await program.psql("SELECT change_words('test', 'en', '{snowy}', 'retire', NULL, NULL, NULL)")
        let today = try await program.psql("SELECT today() + 2")
        let wrong = try file(
            "\(today) lemon\n2026-13-01 lemon\n\(days[3]) zebra\nlemon\n\(days[2]) a b\n\(days[2]) no1\n")
        outcome = try await words(["plan", wrong])
        #expect(outcome.status == 1)
        #expect(
            outcome.notes == """
                error: 4 lines refused, nothing was changed
                plan.txt:2: is not a day and a word, such as 2026-12-24 frost
                plan.txt:4: is not a day and a word, such as 2026-12-24 frost
                plan.txt:5: is not a day and a word, such as 2026-12-24 frost
                plan.txt:6: "no1" has a character that is not a letter: 1
                """)
        let refused = try file(
            "\(today) lemon\n\(days[3]) zebra\n\(days[2]) lemon\n\(days[2]) zebra\n\(days[1]) yacht\n\(days[1]) snowy\n\(days[1]) frost\n"
        )
        outcome = try await words(["plan", refused])
        #expect(outcome.status == 1)
        #expect(
            outcome.notes == """
                error: 6 lines refused, nothing was changed
                plan.txt:1: \(today) is too early: days can be planned or cleared from \(days[0]) on
                plan.txt:2: \(days[3]) is too far ahead: days can be planned up to \(days[2])
                plan.txt:4: \(days[2]) is in an earlier line already
                plan.txt:5: "yacht" is not in the list "en", 5 letters: plan another word, \
                or add this one to the list first
                plan.txt:6: \(days[1]) is in an earlier line already
                plan.txt:7: \(days[1]) is in an earlier line already
                """)
        #expect(try await planned() == "\(days[0])|frost\n\(days[1])|crane")
        outcome = try await words(["plan", "-"], input: "# nothing yet\n")
        #expect(
            outcome.notes == "error: standard input has no day and word: write lines such as 2026-12-24 frost")
        outcome = try await words(["plan", "-"], input: "\(days[1]) snowy\n")
        #expect(
            outcome.notes.hasSuffix(
                "standard input:1: \"snowy\" is retired; `juliet words restore snowy` brings it back"))
        outcome = try await words(["plan", "-"], input: "\(days[2]) crane\n")
        #expect(outcome.notes.hasSuffix("1: \"crane\" is the word of another day within a year; --repeat allows it"))
        outcome = try await words(["plan", "-", "--repeat"], input: "\(days[2]) crane\n")
        #expect(outcome.output == "planned: \(days[2])")

        // A word that is retired later stays, and the check says so.
        try await program.psql("SELECT change_words('test', 'en', '{frost}', 'retire', NULL, NULL, NULL)")
        #expect(try await words(["plan", "--list"]).output.contains("\(days[0])  frost  retired since; it stays"))
        outcome = try await words(["check"])
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains("day \(days[0]): \"frost\" is retired; the day keeps it unless it is planned again")
        )

        outcome = try await words(["plan", "--clear", days[0], today])
        #expect(outcome.status == 1)
        #expect(
            outcome.notes == """
                error: nothing was changed
                \(today) is too early: days can be planned or cleared from \(days[0]) on
                """)
        outcome = try await words(["plan", "--clear", days[0], days[3], "--dry-run"])
        #expect(
            outcome.output
                == "chosen by chance again: \(days[0])\nnot planned: \(days[3])\ndry run: nothing was changed")
        outcome = try await words(["plan", "--clear", days[0], days[1], days[2]])
        #expect(outcome.output == "chosen by chance again: \(days[0]) \(days[1]) \(days[2])")
        #expect(try await words(["plan", "--clear", days[0]]).output == "not planned: \(days[0])")
        #expect(try await words(["plan", "--list"]).output == "no day is planned")
        #expect(try await program.psql("SELECT count(*) FROM daily_words") == "31")
        #expect(
            try await program.psql(
                "SELECT string_agg(action || ' ' || subject, ',' ORDER BY id) FROM admin_actions WHERE action LIKE 'day.%'"
            )
                == (["plan \(days[0])", "plan \(days[1])", "plan \(days[2])"] + days[0...2].map { "clear \($0)" })
                .map { "day.\($0)" }.joined(separator: ","))
        for wrong in [
            ["plan"], ["plan", "a", "b"], ["plan", "--clear"], ["plan", "--clear", "tomorrow"],
            ["plan", "--clear", "--list"],
            ["plan", "--list", "--dry-run"], ["plan", "--list", "a"], ["plan", "--repeat", "--list"],
        ] { #expect(try await words(wrong).status == 64, "\(wrong)") }
        #expect(
            try await words(["plan", "\(folder.path)/none.txt"]).notes == "error: cannot read \(folder.path)/none.txt")
    }
}
