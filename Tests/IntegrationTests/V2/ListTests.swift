import JulietAPI
import JulietGame
import TestSupport
import Testing

/// Lists of several languages and lengths: the rules name one for days and games, and a game may be of any.
@Suite("/v2: lists of words", .everyLayout)
struct ListTests {
    /// A database with words of three languages and two lengths.
    private func database() async throws -> TestDatabase {
        let database = try await TestDatabase.create()
        try await database.insert(words: ["größe", "blume", "äpfel"], language: "de", areSecret: true)
        try await database.insert(words: ["tisch", "piano"], language: "de", areSecret: false)
        try await database.insert(words: ["animal", "bridge"], language: "en", areSecret: true)
        try await database.insert(words: ["ışık"], language: "tr", areSecret: true)
        try await database.insert(words: ["ilik", "ılık"], language: "tr", areSecret: false)
        return database
    }

    /// The lists that `/v2/service` names.
    private func lists(_ service: JSON) -> [String] {
        service.languages.items.map { "\($0.language.text) \($0.length.int)" }
    }

    private func apply(_ rules: String, to database: TestDatabase) async throws {
        try await database.psql("SELECT apply_rules('test', '\(rules)')")
    }

    @Test("a game is of the list that is asked for, by language, by length or by both")
    func anyList() async throws {
        let database = try await database()
        let service = try await TestService.start(["energy.price": "0"], on: database)
        let player = try await V2Client.player(on: service)
        let offered = try await player.get("/v2/service").json
        #expect(lists(offered) == ["en 5", "de 5", "en 6", "tr 4"])
        #expect(offered.nextList == .missing)
        for (asked, language, length) in [
            ("{}", "en", 5), (#"{"language": null, "length": null}"#, "en", 5), (#"{"language": "de"}"#, "de", 5),
            (#"{"length": 6, "hard": true}"#, "en", 6), (#"{"language": "tr", "length": 4}"#, "tr", 4),
            (#"{"language": "en", "length": 5}"#, "en", 5),
        ] {
            let reply = try await player.post("/v2/games", asked)
            #expect(reply.status == 201, "\(asked) \(reply)")
            #expect(reply.json.game.language == .string(language) && reply.json.game.length.int == length, "\(asked)")
            let ended = try await player.post("/v2/games/\(reply.json.game.id.text)/resign")
            #expect(ended.json.secret.text.count == length)
        }
        for wrong in [#"{"language": 5}"#, #"{"length": "5"}"#, #"{"length": 5.5}"#, #"{"language": ["de"]}"#] {
            let reply = try await player.post("/v2/games", wrong)
            #expect(reply.summary == "400 request-invalid", "\(wrong)")
            #expect(reply.json.path.text == (wrong.contains("language") ? "/language" : "/length"))
        }
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("a list names its letters, those of all its words, if they are more than a to z and 64 at most")
    func letters() async throws {
        let database = try await database()
        /// Words that together have as many letters.
        func words(_ count: Int) -> [String] {
            let letters = (0..<count).compactMap { Unicode.Scalar(UInt32(0x4E00 + $0)) }.map { String($0) }
            return letters.indices.map { first in (0..<4).map { letters[(first + $0) % count] }.joined() }
        }
        try await database.insert(words: words(64), language: "zh", areSecret: true)
        try await database.insert(words: words(65), language: "yue", areSecret: true)
        let service = try await TestService.start(on: database)
        let offered = try await V2Client.newcomer(on: service).get("/v2/service").json.languages.items
        let ideographs = words(64).compactMap { $0.first.map { String($0) } }.joined()
        #expect(
            offered.map { "\($0.language.text) \($0.length.int) \($0.letters.text)" } == [
                "en 5 ", "de 5 abcefghilmnoprstußäö", "en 6 ", "tr 4 iklış", "yue 4 ", "zh 4 \(ideographs)",
            ])
        #expect(offered.map { $0.names.contains("letters") } == [false, true, false, true, false, true])

        // A word that is retired can still be guessed, and so can one that is no secret.
        try await database.psql("UPDATE words SET retired_at = now() WHERE word = 'äpfel'; SELECT refresh_word_lists()")
        try await database.insert(words: ["señor"], language: "en", areSecret: false)
        let last = "SELECT right(alphabet, 3) FROM word_lists WHERE letters = 5 AND language ="
        #expect(try await database.psql("\(last) 'de'") == "ßäö")
        #expect(try await database.psql("\(last) 'en'").hasSuffix("ñ"))
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("what a word means is shown where the word is, as it is now, and nowhere else")
    func meanings() async throws {
        let database = try await TestDatabase.create()
        try await database.deleteWords()
        try await database.insert(words: ["crane"], language: "en", areSecret: true)
        try await database.insert(words: ["floor"], language: "en", areSecret: false)
        func mean(_ text: String?) async throws {
            try await database.psql(
                "UPDATE words SET meaning = \(text.map { "'\($0)'" } ?? "NULL") WHERE word = 'crane'; SELECT refresh_word_lists()"
            )
        }
        try await mean("a bird")
        try await database.psql(
            "UPDATE words SET meaning = 'what one stands on' WHERE word = 'floor'; SELECT refresh_word_lists()")
        let service = try await TestService.start(["energy.price": "0"], on: database)
        let ada = try await V2Client.player(on: service, named: "Ada")
        func start() async throws -> String {
            let reply = try await ada.post(
                "/v2/games", "{}", fields: ["Idempotency-Key: \(UInt64.random(in: .min ... .max))"])
            #expect(reply.status == 201 && reply.json.game.meaning == .missing, "\(reply)")
            return "/v2/games/\(reply.json.game.id.text)"
        }
        let won = try await start()
        let wrong = try await ada.post("\(won)/guesses", #"{"word": "floor"}"#)
        #expect(wrong.status == 200 && wrong.json.meaning == .missing && wrong.json.secret == .missing)
        #expect(try await ada.get(won).json.meaning == .missing)
        let last = #"{"word": "crane", "number": 2}"#
        #expect(try await ada.post("\(won)/guesses", last).json.meaning == "a bird")
        try await mean("a machine")
        #expect(try await ada.get(won).json.meaning == "a machine")
        #expect(try await ada.post("\(won)/guesses", last).json.meaning == "a machine", "the same guess once more")
        let resigned = try await start()
        #expect(try await ada.post("\(resigned)/resign").json.meaning == "a machine")
        let running = try await start()
        #expect(
            try await ada.get("/v2/games").json.games.items.map(\.meaning) == [.missing, "a machine", "a machine"])
        _ = try await ada.post("\(running)/resign")
        // Days.
        #expect(try await ada.post("/v2/daily/game").json.game.meaning == .missing)
        #expect(try await ada.get("/v2/daily").json.meaning == .missing)
        try await database.expectCleanAudit()
        try await database.passDays(1)
        let yesterday = try await ada.get("/v2/daily/days?limit=2").json.days.items[1].day.text
        let past = try await V2Client.newcomer(on: service).get("/v2/daily/\(yesterday)").json
        #expect(past.secret == "crane" && past.meaning == "a machine")
        // Challenges: the maker of an own word sees it, others when they are done.
        let made = try await ada.post("/v2/challenges", #"{"word": "crane"}"#).json.challenge
        #expect(made.secret == "crane" && made.meaning == "a machine")
        let ben = try await V2Client.player(on: service, named: "Ben")
        let path = "/v2/challenges/\(made.code.text)"
        #expect(try await ben.get(path).json.meaning == .missing)
        let game = try await ben.post("\(path)/game").json.game
        #expect(game.meaning == .missing)
        #expect(try await ben.post("/v2/games/\(game.id.text)/resign").json.meaning == "a machine")
        let seen = try await ben.get(path).json
        #expect(seen.meaning == "a machine" && seen.game.meaning == "a machine")
        try await mean(nil)
        #expect(try await ben.get(path).json.names.contains("meaning") == false)
        try await service.stop()
    }

    @Test("a list that is not there is refused in its place, and that is remembered under a key")
    func unknownList() async throws {
        let database = try await database()
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service)
        let marks = String(repeating: "\u{301}\u{327}", count: 3000)
        for unknown in [
            #"{"language": "EN"}"#, #"{"language": "de", "length": 6}"#, #"{"length": 0}"#, #"{"length": -1}"#,
            #"{"language": ""}"#, #"{"length": 99999999999}"#, #"{"length": 7}"#,
            #"{"language": "deutsch und mehr"}"#,
            // Comparing it as characters takes long.
            #"{"language": "e\#(marks)"}"#,
        ] {
            let reply = try await player.post("/v2/games", unknown)
            #expect(reply.summary == "422 list-unknown", "\(unknown)")
        }
        let key = ["Idempotency-Key: k"]
        let first = try await player.post("/v2/games", #"{"length": 8}"#, fields: key)
        #expect(first.summary == "422 list-unknown" && !first.isReplay)
        try await database.insert(words: ["elephant"], language: "en", areSecret: true)
        let again = try await player.post("/v2/games", #"{"length": 8}"#, fields: key)
        #expect(again.summary == "422 list-unknown" && again.isReplay)
        for other in ["{}", #"{"length": 6}"#, #"{"language": "en", "length": 8}"#] {
            #expect(try await player.post("/v2/games", other, fields: key).summary == "422 idempotency-key-reused")
        }
        #expect(try await player.me().energy == 30, "nothing was paid")
        // One that is not over comes first; what it costs comes later.
        let game = try await player.post("/v2/games", #"{"length": 8}"#).json.game
        #expect(game.length == 8)
        #expect(try await player.post("/v2/games", #"{"language": "xx"}"#).summary == "409 game-unfinished")
        _ = try await player.post("/v2/games/\(game.id.text)/resign")
        try await database.psql(#"SELECT apply_rules('test', '{"energy.price": 100}')"#)
        #expect(try await player.post("/v2/games", #"{"language": "xx"}"#).summary == "422 list-unknown")
        #expect(try await player.post("/v2/games", #"{"language": "de"}"#).summary == "409 energy-insufficient")
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("letter case is that of the game's language, whatever the rules' is", arguments: ["en", "tr"])
    func letterCase(ruled: String) async throws {
        let database = try await database()
        try await database.insert(words: ["piano"], language: "tr", areSecret: true)
        let service = try await TestService.start(["game.language": ruled], on: database)
        let player = try await V2Client.player(on: service)
        // Twice: the second time the service knows the words.
        for _ in 0..<2 {
            let turkish = try await player.post("/v2/games", #"{"language": "tr", "length": 4}"#).json.game
            #expect(try await player.guess("ILIK", in: turkish).json.guesses[0].word == "ılık")
            #expect(try await player.guess("İLİK", in: turkish).json.guesses[1].word == "ilik")
            // What is retired stays a word of games that go on, and its language's.
            try await database.psql(
                "SELECT change_words('os:x', 'tr', '{ışık,piano}', 'retire', 'why', NULL, NULL)")
            #expect(try await player.guess("ilik", number: 3, in: turkish).json.guesses[2].word == "ilik")
            #expect(try await player.guess("IŞIK", in: turkish).json.state == "won")
            try await database.psql(
                "SELECT change_words('os:x', 'tr', '{ışık,piano}', 'restore', 'why', NULL, NULL)")
            let english = try await player.post("/v2/games", #"{"language": "en", "length": 5}"#).json.game
            try await database.setWord("music", of: english)
            #expect(try await player.guess("PIANO", in: english).json.guesses[0].word == "piano")
            #expect(try await player.guess("Pİano", in: english).summary == "422 word-unknown")
            #expect(try await player.guess("tisch", in: english).summary == "422 word-unknown", "it is German")
            #expect(try await player.guess("MUSIC", in: english).json.state == "won")
            let german = try await player.post("/v2/games", #"{"language": "de", "length": 5}"#).json.game
            try await database.setWord("größe", of: german)
            #expect(try await player.guess("PIANO", in: german).json.guesses[0].word == "piano")
            #expect(try await player.guess("crane", in: german).summary == "422 word-unknown", "it is English")
            #expect(try await player.guess("GRO\u{308}ẞE", in: german).json.state == "won")
        }
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("when the rules name another list, days from the third on are chosen anew; nothing is restarted")
    func change() async throws {
        let database = try await database()
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service)
        let days = "SELECT day - today(), language, salt FROM daily_words ORDER BY day"
        func languages(_ words: String) -> [Substring] {
            words.split(separator: "\n").compactMap { $0.split(separator: "|").dropFirst().first }
        }
        let before = try await database.psql(days)
        #expect(languages(before) == Array(repeating: "en", count: 31))

        for (rule, list) in [
            (#""game.language": "fr""#, "5 letters in \"fr\""), (#""game.wordLength": 7"#, "7 letters"),
        ] {
            let error = await #expect(throws: (any Error).self) { try await apply("{\(rule)}", to: database) }
            let said = error.map { "\($0)" } ?? ""
            #expect(said.contains("there are no secret words of \(list)"), "\(said)")
            #expect(said.contains("name an existing list: de 5, en 5, en 6, tr 4"), "\(said)")
        }
        #expect(try await database.psql(days) == before, "what is refused changes nothing")

        try await apply(#"{"game.language": "de"}"#, to: database)
        let after = try await database.psql(days)
        #expect(after.split(separator: "\n").prefix(3) == before.split(separator: "\n").prefix(3))
        #expect(languages(after) == Array(repeating: "en", count: 3) + Array(repeating: "de", count: 28))
        try await apply(#"{"game.language": "de", "energy.price": 4}"#, to: database)
        #expect(try await database.psql(days) == after, "the list is the same, so no day is chosen anew")

        // The running service deals from it at once, and the app gets English words.
        let game = try await player.post("/v2/games").json.game
        #expect(game.language == "de")
        let user = TestService.newUser()
        _ = try await service.answer(to: .initialRegistration(vendorID: user))
        let dealt = try await service.answer(to: .statNewGameSession(userID: user)).secretWord.joined().lowercased()
        #expect(database.secrets.contains(dealt))
        // A service that starts has read them.
        let other = try await TestService.start(on: database)
        let offered = try await player.at(other).get("/v2/service").json
        #expect(lists(offered) == ["de 5", "en 5", "en 6", "tr 4"])
        #expect(offered.nextList.language == "de" && offered.nextList.length == 5)
        #expect(
            try await database.psql("SELECT today() + 3") == offered.nextList.from.text,
            "unless midnight has just passed")
        let daily = try await player.at(other).get("/v2/daily").json
        #expect(daily.language == "en" && daily.length == 5)
        #expect(daily.tomorrow.language == "en" && daily.tomorrow.length == 5)
        #expect(daily.tomorrow.endsAt.text > daily.endsAt.text)
        let listed = try await player.get("/v2/daily/days").json.days[0]
        #expect(listed.language == "en" && listed.length == 5)
        try await database.expectCleanAudit()
        try await other.stop()
        try await service.stop()
    }

    @Test(
        "without English words of five letters the app gets words of the rules' list; without any, rules name any list")
    func otherLists() async throws {
        let empty = try await TestDatabase.create()
        try await empty.deleteWords()
        try await apply(#"{"game.language": "de"}"#, to: empty)
        try await empty.insert(words: ["größe", "blume"], language: "de", areSecret: true)
        let service = try await TestService.start(on: empty)
        let user = TestService.newUser()
        _ = try await service.answer(to: .initialRegistration(vendorID: user))
        for _ in 0..<3 {
            let word = try await service.answer(to: .statNewGameSession(userID: user)).secretWord.joined()
            #expect(["größe", "blume"].contains(word.lowercased()), "\(word)")
        }
        #expect(try await V2Client.newcomer(on: service).get("/v2/daily").json.language == "de")
        try await service.stop()
    }

    @Test("while the list changes under load, on two services, nobody gets a 5xx and no running game changes")
    func load() async throws {
        let database = try await database()
        let services = [
            try await TestService.start(["energy.price": "0"], on: database),
            try await TestService.start(["energy.price": "0"], on: database),
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let player = try await V2Client.player(on: services[number % 2])
                    for turn in 0..<12 {
                        let client = player.at(services[turn % 2])
                        let begun = try await client.post("/v2/games")
                        #expect(begun.status == 201, "\(begun)")
                        let game = begun.json.game
                        let guess = game.language == "de" ? "TISCH" : game.length == 6 ? "Bridge" : "Crane"
                        let guessed = try await client.guess(guess, in: game)
                        #expect(guessed.status == 200, "\(guessed)")
                        #expect(guessed.json.language == game.language && guessed.json.length == game.length)
                        for path in ["/v2/service", "/v2/daily"] {
                            #expect(try await client.get(path).status == 200)
                        }
                        let resigned = try await client.post("/v2/games/\(game.id.text)/resign")
                        #expect(resigned.json.secret.text.count == game.length.int)
                    }
                }
            }
            group.addTask {
                for turn in 0..<12 {
                    let (language, length) = [("de", 5), ("en", 6), ("en", 5)][turn % 3]
                    try await apply(
                        #"{"game.language": "\#(language)", "game.wordLength": \#(length)}"#, to: database)
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.psql("SELECT count(*) FROM daily_words WHERE day >= today()") == "31")
        try await database.expectCleanAudit()
        for service in services { try await service.stop() }
    }
}
