import JulietAPI
import JulietGame
import TestSupport
import Testing

/// Challenges of lists, of words in no list, blocked words, and hints.
@Suite("/v2: challenges of any word", .everyLayout)
struct AnyWordTests {
    /// A database with words of three languages and two lengths.
    private func database() async throws -> TestDatabase {
        let database = try await TestDatabase.create()
        try await database.insert(words: ["größe", "blume"], language: "de", areSecret: true)
        try await database.insert(words: ["tische"], language: "de", areSecret: false)
        try await database.insert(words: ["animal"], language: "en", areSecret: true)
        try await database.insert(words: ["ışık"], language: "tr", areSecret: true)
        return database
    }

    private func make(_ client: V2Client, _ body: String) async throws -> V2Reply {
        try await client.post("/v2/challenges", body)
    }

    /// The game of a challenge that was just made, begun by another player.
    private func begin(_ made: V2Reply, by client: V2Client) async throws -> JSON {
        #expect(made.status == 201, "\(made)")
        let reply = try await client.post("/v2/challenges/\(made.json.challenge.code.text)/game")
        #expect(reply.status == 201, "\(reply)")
        return reply.json.game
    }

    @Test("a word is dealt from the list that is asked for, and an own one may be of any list of its language")
    func lists() async throws {
        let database = try await database()
        let service = try await TestService.start(["energy.price": "0"], on: database)
        let ada = try await V2Client.player(on: service)
        for (asked, language, length) in [
            ("{}", "en", 5), (#"{"language": "de"}"#, "de", 5), (#"{"length": 6}"#, "en", 6),
            (#"{"language": "tr", "length": 4}"#, "tr", 4), (#"{"word": "TISCHE", "language": "de"}"#, "de", 6),
            (#"{"word": "GRÖßE", "language": "de", "length": 5}"#, "de", 5),
            (#"{"word": "animal"}"#, "en", 6), (#"{"word": "IŞIK", "language": "tr"}"#, "tr", 4),
        ] {
            let challenge = try await make(ada, asked).json.challenge
            #expect(challenge.language == .string(language) && challenge.length.int == length, "\(asked) \(challenge)")
            #expect(challenge.anyWord == .missing && challenge.hint == .missing)
        }
        let marks = String(repeating: "\u{301}\u{327}", count: 3000)
        for (asked, summary, path) in [
            (#"{"language": "fr"}"#, "422 list-unknown", ""), (#"{"length": 8}"#, "422 list-unknown", ""),
            (#"{"language": "EN"}"#, "422 list-unknown", ""), (#"{"length": 0}"#, "422 list-unknown", ""),
            (#"{"length": -1}"#, "422 list-unknown", ""), (#"{"word": "größe"}"#, "422 word-unknown", ""),
            (#"{"word": "größe", "language": "fr"}"#, "422 word-unknown", ""),
            (#"{"word": "größe", "language": "t\#(marks)"}"#, "422 word-unknown", ""),
            (#"{"word": "animal", "length": 5}"#, "400 request-invalid", "/length"),
            (#"{"language": 5}"#, "400 request-invalid", "/language"),
            (#"{"length": "5"}"#, "400 request-invalid", "/length"),
            (#"{"hint": "x"}"#, "400 request-invalid", "/hint"),
            (#"{"anyWord": true}"#, "400 request-invalid", "/anyWord"),
            (#"{"word": "crane", "anyWord": 1}"#, "400 request-invalid", "/anyWord"),
            (#"{"word": "zzzz", "anyWord": true, "language": "EN"}"#, "400 request-invalid", "/language"),
            (#"{"word": "zzzz", "anyWord": true, "language": "toki"}"#, "400 request-invalid", "/language"),
        ] {
            let reply = try await make(ada, asked)
            #expect(reply.summary == summary, "\(asked)")
            if !path.isEmpty { #expect(reply.json.path == .string(path), "\(asked)") }
        }
        #expect(try await make(ada, #"{"anyWord": false}"#).status == 201, "as if it were not there")
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test(
        "any word is won by the spelling that it was given in and by the one that is shown",
        arguments: [
            (#""language": "en""#, "Zyxwv", "zyxwv"), (#""language": "de""#, "STRAẞE", "straße"),
            (#""language": "de""#, "Gro\u{308}ße", "größe"), (#""language": "tr""#, "IŞILTI", "ışıltı"),
            (#""language": "tr""#, "İNCİR", "incir"), (#""language": "en""#, "IŞILTI", "işilti"),
            (#""language": "el""#, "ΣΟΦΟΣ", "σοφος"), (#""language": "he""#, "שלום", "שלום"),
            (#""language": "ar""#, "مرحبا", "مرحبا"), (#""language": "th""#, "กำลง", "กำลง"),
            (#""language": "ko""#, "\u{1112}\u{1161}\u{11AB}국사람", "한국사람"), (#""language": "ja""#, "ひらがな", "ひらがな"),
            (#""language": "en""#, "\u{212A}rank", "krank"), (#""language": "haw""#, "ʻohana", "ʻohana"),
        ])
    func spelling(language: String, given: String, shown: String) async throws {
        let database = try await database()
        let service = try await TestService.start(["energy.price": "0"], on: database)
        let ada = try await V2Client.player(on: service)
        for guess in [given, shown] {
            let made = try await make(ada, #"{"word": "\#(given)", "anyWord": true, \#(language)}"#)
            #expect(made.json.challenge.secret.text.unicodeScalars.elementsEqual(shown.unicodeScalars), "\(made)")
            #expect(made.json.challenge.anyWord == true)
            #expect(made.json.challenge.length.int == shown.unicodeScalars.count)
            let ben = try await V2Client.player(on: service)
            let game = try await begin(made, by: ben)
            #expect(game.anyWord == true)
            // By the way of a word that nobody knows, by that of one with a key, and by the word itself.
            let other = String(repeating: "x", count: shown.unicodeScalars.count)
            #expect(try await ben.guess(other, in: game).json.guesses.items.count == 1)
            let keyed = try await ben.post(
                "/v2/games/\(game.id.text)/guesses", #"{"word": "\#(other)"}"#, fields: ["Idempotency-Key: k"])
            #expect(keyed.json.guesses.items.count == 2, "\(keyed)")
            #expect(try await ben.guess(other + "x", in: game).summary == "422 word-unknown")
            #expect(try await ben.guess("1" + other.dropFirst(), in: game).summary == "422 word-unknown")
            #expect(try await ben.guess(guess, in: game).json.state == "won")
        }
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test(
        "what is no word of 4 to 8 letters is refused",
        arguments: [
            "abc", "abcdefghi", "", "ab1de", "two words", "don't", "q\u{301}uote", "aaaa\u{3164}", "aaaa\u{200D}",
            "\u{115F}aaaa",
            "𝐀𝐁𝐂𝐃𝐄", "ⅠⅡⅢⅣ", "😀😀😀😀", "\u{301}aaaa", "İstan",
        ])
    func noWord(text: String) async throws {
        let player = try await V2Client.player()
        let reply = try await make(player, #"{"word": "\#(text)", "anyWord": true}"#)
        #expect(reply.summary == "422 word-unknown", "\(text)")
        #expect(try await player.me().energy == 30)
    }

    @Test("a guess in a game of a list is no word because another game takes it")
    func otherGames() async throws {
        let database = try await database()
        let service = try await TestService.start(["energy.price": "0"], on: database)
        let ada = try await V2Client.player(on: service)
        let made = try await make(ada, #"{"word": "qqqqq", "anyWord": true}"#)
        let ben = try await V2Client.player(on: service)
        let any = try await begin(made, by: ben)
        let own = try await ben.start()
        for _ in 0..<2 {
            #expect(try await ben.guess("wwwww", in: any).status == 200)
            #expect(try await ben.guess("wwwww", in: own).summary == "422 word-unknown")
        }
        // Many at the same time, as a set.
        let replies = try await withThrowingTaskGroup { group in
            for index in 0..<12 {
                let game = index.isMultiple(of: 2) ? any : own
                group.addTask {
                    try await ben.guess("vvvvv", number: index.isMultiple(of: 2) ? 3 : nil, in: game).summary
                }
            }
            return try await group.reduce(into: [:]) { counts, summary in counts[summary, default: 0] += 1 }
        }
        #expect(replies == ["200": 6, "422 word-unknown": 6])
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("hard mode holds for any letters, and what was shown of a game stays as it is after the challenge is deleted")
    func hard() async throws {
        let database = try await database()
        let service = try await TestService.start(["energy.price": "0"], on: database)
        let ada = try await V2Client.player(on: service)
        let made = try await make(
            ada, #"{"word": "sofia", "anyWord": true, "hard": true, "hint": " Our cat \u263a "}"#)
        #expect(made.json.challenge.hint == "Our cat ☺")
        let long = String(repeating: "ü", count: 80)
        #expect(try await make(ada, #"{"word": "crane", "hint": "\#(long)"}"#).json.challenge.hint.text == long)
        let ben = try await V2Client.player(on: service)
        let game = try await begin(made, by: ben)
        #expect(game.hint == "Our cat ☺" && game.anyWord == true && game.hard == true)
        #expect(try await ben.guess("soxxx", in: game).status == 200)
        #expect(try await ben.guess("xxxxx", in: game).summary == "422 guess-hard")
        #expect(try await ada.delete("/v2/challenges/\(made.json.challenge.code.text)").status == 204)
        let won = try await ben.guess("sofia", in: game).json
        #expect(won.state == "won" && won.hint == "Our cat ☺" && won.anyWord == true && won.meaning == .missing)
        #expect(try await ben.get("/v2/games/\(game.id.text)").json == won)
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test(
        "it is refused in order: hint, word or list, blocked word, hint that tells, too many, energy; keys remember it")
    func order() async throws {
        let database = try await database()
        let service = try await TestService.start(on: database)
        let ada = try await V2Client.player(on: service)
        try await database.psql(
            "SELECT change_part('test', 'badger', true, 'why', NULL, NULL), block_words('test', '{zebra,qwert}', NULL)")
        for _ in 0..<6 { #expect(try await make(ada, "{}").status == 201) }
        let cases = [
            (#"{"word": "zzzzz", "hint": "a BADGER"}"#, "name-refused"),
            (#"{"word": "zzzzz", "hint": " "}"#, "name-refused"),
            (#"{"word": "zzzzz", "hint": "\u0007"}"#, "name-refused"),
            (#"{"word": "zzzzz", "hint": "\#(String(repeating: "x", count: 81))"}"#, "name-refused"),
            (#"{"word": "zzzzz", "hint": "zzzzz"}"#, "word-unknown"), (#"{"language": "fr"}"#, "list-unknown"),
            (#"{"word": "zzz", "anyWord": true}"#, "word-unknown"),
            (#"{"word": "ZEBRA", "anyWord": true, "hint": "zebra"}"#, "word-refused"),
            (#"{"word": "qwert", "anyWord": true}"#, "word-refused"),
            (#"{"word": "arsch", "anyWord": true}"#, "word-refused"),
            (#"{"word": "Fuck", "anyWord": true, "language": "xx"}"#, "word-refused"),
            (#"{"word": "crane", "hint": "it is CRANES"}"#, "hint-tells"),
            (
                #"{"word": "Größe", "anyWord": true, "language": "de", "hint": "GRO\u0308SSE, GRO\u0308\u1e9eE"}"#,
                "hint-tells"
            ),
            (#"{"word": "IŞILTI", "anyWord": true, "language": "tr", "hint": "bir IŞILTI"}"#, "hint-tells"),
            (#"{"word": "ΣΟΦΟΣ", "anyWord": true, "language": "el", "hint": "ΣΟΦΟΣΗ"}"#, "hint-tells"),
        ]
        var first: [String] = []
        for (index, (body, code)) in cases.enumerated() {
            let reply = try await ada.post("/v2/challenges", body, fields: ["Idempotency-Key: k\(index)"])
            #expect(reply.summary == "422 \(code)", "\(body)")
            first.append(reply.http.text)
        }
        let poor = try await make(ada, #"{"word": "crane", "hint": "a bird"}"#)
        #expect(poor.summary == "409 energy-insufficient")
        for (index, (body, _)) in cases.enumerated() {
            let again = try await ada.post("/v2/challenges", body, fields: ["Idempotency-Key: k\(index)"])
            #expect(again.isReplay && again.http.text == first[index], "\(body)")
        }
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("all members of the request are what a key names")
    func keys() async throws {
        let database = try await database()
        let service = try await TestService.start(["energy.price": "0"], on: database)
        let ada = try await V2Client.player(on: service)
        let key = ["Idempotency-Key: k"]
        let body = #"{"word": "qqqqq", "anyWord": true, "language": "xx", "length": 5, "hint": "five"}"#
        let made = try await ada.post("/v2/challenges", body, fields: key)
        #expect(made.status == 201)
        let again = try await ada.post(
            "/v2/challenges", #"{"hint": "five ", "length": 5, "word": "QQQQQ", "language": "xx", "anyWord": true}"#,
            fields: key)
        #expect(again.isReplay && again.http.text == made.http.text)
        for other in [
            #"{"word": "qqqqq", "anyWord": true, "language": "xx", "length": 5}"#,
            #"{"word": "qqqqq", "anyWord": true, "language": "xx", "length": 5, "hint": "four"}"#,
            #"{"word": "qqqqq", "anyWord": true, "language": "yy", "length": 5, "hint": "five"}"#,
            #"{"word": "qqqqq", "anyWord": true, "language": "xx", "hint": "five"}"#,
            #"{"word": "qqqqq", "language": "xx", "length": 5, "hint": "five"}"#,
        ] {
            #expect(
                try await ada.post("/v2/challenges", other, fields: key).summary == "422 idempotency-key-reused",
                "\(other)")
        }
        try await service.stop()
    }

    @Test("play.anyWords=off: the member is not known; what was made goes on, also where challenges are off")
    func off() async throws {
        let database = try await database()
        let service = try await TestService.start(["energy.price": "0"], on: database)
        let ada = try await V2Client.player(on: service)
        #expect(try await ada.get("/v2/service").json.anyWords == true)
        let made = try await make(ada, #"{"word": "qqqqq", "anyWord": true}"#)
        let ben = try await V2Client.player(on: service)
        let game = try await begin(made, by: ben)
        try await service.stop()
        let off = try await TestService.start(["energy.price": "0", "play.anyWords": "off"], on: database)
        let (ada2, ben2) = (ada.at(off), ben.at(off))
        #expect(try await ada2.get("/v2/service").json.anyWords == false)
        #expect(try await make(ada2, #"{"word": "qqqqq", "anyWord": true}"#).summary == "422 word-unknown")
        #expect(try await make(ada2, #"{"word": "qqqqq", "anyWord": "yes"}"#).summary == "422 word-unknown")
        #expect(try await make(ada2, #"{"anyWord": true}"#).status == 201)
        let seen = try await ben2.get("/v2/challenges/\(made.json.challenge.code.text)").json
        #expect(seen.anyWord == true)
        #expect(try await ben2.guess("wwwww", in: game).json.guesses.items.count == 1)
        try await off.stop()
        let without = try await TestService.start(["play.challenges": "off"], on: database)
        #expect(try await ada.at(without).get("/v2/service").json.anyWords == false)
        #expect(try await ben.at(without).guess("qqqqq", in: game).json.state == "won")
        try await without.stop()
    }

    @Test("a hint that support takes away is gone everywhere, also from games that are begun meanwhile")
    func hidden() async throws {
        let database = try await database()
        let (service, anna) = try await AdminClient.start(on: database, settings: ["energy.price": "0"])
        let ada = try await V2Client.player(on: service)
        let made = try await make(ada, #"{"word": "crane", "hint": "rude"}"#)
        let code = made.json.challenge.code.text
        let ben = try await V2Client.player(on: service)
        let game = try await begin(made, by: ben)
        #expect(try await anna.get("together?search=\(code)").json.challenges.items[0].hint == "rude")
        #expect(try await anna.post("hint?challenge=AAAA-AAAA", #"{"reason": "x"}"#).summary == "404 not-found")
        #expect(try await anna.post("hint?challenge=x", #"{"reason": "x"}"#).summary == "400 request-invalid")
        #expect(try await anna.post("hint?challenge=\(code)", "{}").summary == "400 request-invalid")
        let players = try await withThrowingTaskGroup { group in
            for _ in 0..<4 { group.addTask { try await V2Client.player(on: service) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        async let begun = withThrowingTaskGroup { group in
            for player in players { group.addTask { try await self.begin(made, by: player) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let reply = try await anna.post("hint?challenge=\(code)", #"{"reason": "rude"}"#, name: "h")
        #expect(reply.json.isChanged == true && reply.json.isReplay == false, "\(reply)")
        #expect(try await anna.post("hint?challenge=\(code)", #"{"reason": "rude"}"#, name: "h").json.isReplay == true)
        #expect(try await anna.post("hint?challenge=\(code)", #"{"reason": "rude"}"#).json.isChanged == false)
        _ = try await begun
        for player in [ada, ben] + players {
            #expect(try await player.get("/v2/challenges/\(code)").json.hint == .missing)
            #expect(
                try await player.get("/v2/games?kind=challenge").json.games.items.allSatisfy { $0.hint == .missing })
            #expect(!(try await player.get("/v2/players/me/export").http.text.contains("rude")))
        }
        #expect(try await ben.guess("crane", in: game).json.hint == .missing)
        let trail = try await anna.get("trail").json.actions.items
        #expect(trail[0].action == "challenge.hint" && trail[0].subject.text == "challenge/\(code)")
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("a hint is taken away from games that a merge writes anew at the same moment, too")
    func hiddenBesideMerge() async throws {
        let database = try await database()
        let (service, anna) = try await AdminClient.start(on: database, settings: ["energy.price": "0"])
        let cleo = try await V2Client.player(on: service)
        for round in 0..<8 {
            let made = try await make(cleo, #"{"word": "crane", "hint": "rude"}"#)
            let (ada, ben) = (try await V2Client.player(on: service), try await V2Client.player(on: service))
            for player in round.isMultiple(of: 2) ? [ben] : [ada, ben] {
                let game = try await begin(made, by: player)
                #expect(try await player.post("/v2/games/\(game.id.text)/resign").status == 200)
            }
            let code = made.json.challenge.code.text
            async let merged = ada.post("/v2/players/me/merge", #"{"token": "\#(ben.token ?? "")"}"#)
            async let hidden = anna.post("hint?challenge=\(code)", #"{"reason": "rude"}"#, name: "h\(round)")
            let (merge, deed) = (try await merged, try await hidden)
            #expect(merge.status == 200 && deed.status == 200, "\(merge) \(deed)")
            #expect(try await database.psql("SELECT count(*) FROM judged_games WHERE hint IS NOT NULL") == "0")
        }
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("a blocked word is retired in all lists, comes back by no import, and can be planned for no day")
    func blocked() async throws {
        let database = try await database()
        try await database.insert(words: ["crane"], language: "de", areSecret: true)
        try await database.psql("SELECT block_words('test', '{crane,qqqqq}', 'why')")
        let retired = "SELECT string_agg(language, ' ' ORDER BY language) FROM words WHERE word = 'crane' AND is_banned"
        #expect(try await database.psql(retired) == "de en")
        #expect(try await database.psql("SELECT block_words('test', '{crane}', 'why')") == "{}")
        let failure = await #expect(throws: Command.Failure.self) {
            try await database.psql("SELECT change_words('test', 'en', '{crane}', 'restore', NULL, NULL, NULL)")
        }
        #expect(failure?.output.contains("a blocked word cannot come back") == true)
        let trail =
            "SELECT string_agg(actor || ' ' || action || ' ' || subject || ' ' || reason, ', ' ORDER BY id) FROM admin_actions"
        #expect(
            try await database.psql(trail)
                == "test word.retire de/crane why, test word.retire en/crane why, test words.block crane why, test words.block qqqqq why"
        )
        #expect(
            try await database.psql("SELECT fault FROM plan_days('test', ARRAY[today() + 9], '{crane}', true, NULL)")
                == "word-retired")
        // One that every release blocks.
        try await database.insert(words: ["anus"], language: "la", areSecret: true)
        #expect(try await database.psql("SELECT is_banned FROM words WHERE word = 'anus'") == "t")
        #expect(try await database.psql("SELECT unblock_words('test', '{anus,crane,other}', NULL)") == "{crane}")
        #expect(try await database.psql("SELECT is_blocked_word('anus'), is_blocked_word('crane')") == "t|f")
        #expect(try await database.psql(retired) == "de en", "it stays retired")
        try await database.psql("SELECT change_words('test', 'en', '{crane}', 'restore', NULL, NULL, NULL)")
        #expect(try await database.psql(retired) == "de")
        for wrong in ["'{abc}'", "'{CRANE}'", "'{NULL}'", "'{abcdefghi}'"] {
            await #expect(throws: Command.Failure.self) {
                try await database.psql("SELECT block_words('test', \(wrong), NULL)")
            }
        }
        try await database.expectCleanAudit()
    }

    @Test("the database holds a service to the rules, whatever it sends")
    func takeover() async throws {
        let database = try await database()
        let token = ServiceFunction.token("01")
        try await database.psql(
            "SELECT create_player(\(ServiceFunction.id("01")), 'Ann', NULL, \(token), gen_random_uuid(), sha256('01'))")
        for (arguments, result) in [
            ("'en', NULL, 'ARSCH', false, 7, NULL, NULL, true, NULL", "a word is in small letters"),
            ("'en', NULL, 'arsch', false, 7, NULL, NULL, true, NULL", "word-refused"),
            ("'en', NULL, E'gro\\u0308sse', false, 7, NULL, NULL, true, NULL", "a word is in small letters"),
            ("'en', NULL, 'abc', false, 7, NULL, NULL, true, NULL", "word-unknown"),
            ("'en', NULL, 'fu' || U&'\\00AD' || 'ck', false, 7, NULL, NULL, true, NULL", "word-unknown"),
            ("'en', NULL, 'fu ck', false, 7, NULL, NULL, true, NULL", "word-unknown"),
            ("'en', NULL, repeat('a', 9), false, 7, NULL, NULL, true, NULL", "word-unknown"),
            ("'EN', NULL, 'qqqqq', false, 7, NULL, NULL, true, NULL", "word-unknown"),
            ("'en', NULL, NULL, false, 7, NULL, NULL, true, NULL", "only an own word"),
            ("'en', NULL, NULL, false, 7, NULL, NULL, false, 'hint'", "only an own word"),
            ("'en', NULL, 'crane', false, 7, NULL, NULL, NULL, NULL", "is hard or not"),
            ("'en', NULL, 'crane', false, 7, NULL, NULL, false, 'CRANE'", "hint-tells"),
            ("'en', NULL, 'crane', false, 7, NULL, NULL, false, repeat('x', 321)", "name-refused"),
        ] {
            do {
                let refusal = try await database.psql(
                    "SET ROLE player_service; SELECT (create_challenge(\(token), \(arguments))).refusal")
                #expect(refusal.hasSuffix(result), "\(arguments)")
            } catch let failure as Command.Failure {
                #expect(failure.output.contains(result), "\(arguments): \(failure.output)")
            }
        }
        #expect(try await database.psql("SELECT energy FROM users") == "30")
    }
}
