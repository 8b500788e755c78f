import Crypto
import Foundation
import JulietAPI
import StrictEncoding
import TestSupport
import Testing

@Suite("Games of /v2", .everyLayout)
struct JudgedGameTests {
    @Test("a game costs 5 and shows everything but the word")
    func start() async throws {
        let player = try await V2Client.player()
        let reply = try await player.post("/v2/games", "{}")
        #expect(reply.status == 201)
        #expect(reply.json.names == ["game", "energy"])
        #expect(reply.json.energy == 25)
        let game = reply.json.game
        #expect(
            game.names == [
                "id", "kind", "state", "language", "length", "maximumGuesses", "guesses", "commitment", "startedAt",
            ])
        #expect((1...64).contains(game.id.text.count))
        #expect(game.kind == "game")
        #expect(game.state == "playing")
        #expect(game.language == "en")
        #expect(game.length == 5)
        #expect(game.maximumGuesses == 6)
        #expect(game.guesses == [])
        #expect(game.commitment.text.wholeMatch(of: #/[0-9a-f]{64}/#) != nil)
        #expect(game.startedAt.text.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/#) != nil)
        #expect(reply["Location"] == "/v2/games/\(game.id.text)")
        let again = try await player.get("/v2/games/\(game.id.text)")
        #expect(again.status == 200)
        #expect(again.json == game)
        #expect(try await player.me().energy == 25)
    }

    @Test("one game at a time is checked before the price; then the energy has to suffice")
    func refused() async throws {
        let database = try await TestDatabase.shared()
        let player = try await V2Client.player()
        let id = try await player.me().id.text
        let game = try await player.start()
        let unfinished = try await player.post("/v2/games")
        #expect(unfinished.summary == "409 game-unfinished")
        #expect(unfinished.json.game == game)
        #expect(unfinished.json.energy == .missing)
        try await database.psql("SELECT change_energy('\(id)', -21, 'support', NULL, NULL, NULL)")
        #expect(try await player.post("/v2/games").summary == "409 game-unfinished")
        _ = try await player.post("/v2/games/\(game.id.text)/resign")
        let poor = try await player.post("/v2/games")
        #expect(poor.summary == "409 energy-insufficient")
        #expect(poor.json.energy == 4)
        #expect(poor.json.game == .missing)
        #expect(try await player.me().energy == 4, "nothing is taken")
    }

    @Test(
        "marks: correct first, then present by what is left of each letter",
        arguments: [
            ("abbey", "babel"), ("abbey", "abbey"), ("geese", "eerie"), ("eerie", "geese"), ("llama", "mamma"),
            ("speed", "abbey"), ("crane", "slate"), ("sassy", "geese"), ("babel", "llama"), ("mamma", "llama"),
        ])
    func marks(secret: String, guess: String) async throws {
        let database = try await TestDatabase.shared()
        let player = try await V2Client.player()
        let game = try await player.start()
        try await database.setWord(secret, of: game)
        let reply = try await player.guess(guess, in: game)
        #expect(reply.status == 200)
        #expect(reply.json.guesses.items.count == 1)
        #expect(reply.json.guesses[0].names == ["word", "marks"])
        #expect(reply.json.guesses[0].word == .string(guess))
        #expect(reply.json.guesses[0].marks == IntegrationTests.marks(of: guess, against: secret))
    }

    @Test("repeated letters, by hand: two of three Ls are looked for, one stands where it should")
    func marksByHand() async throws {
        let database = try await TestDatabase.shared()
        let player = try await V2Client.player()
        let game = try await player.start()
        try await database.setWord("llama", of: game)
        #expect(
            try await player.guess("label", in: game).json.guesses[0].marks == [
                "correct", "present", "absent", "absent", "present",
            ])
        #expect(
            try await player.guess("mamma", in: game).json.guesses[1].marks == [
                "absent", "present", "absent", "correct", "correct",
            ])
    }

    @Test("a guess in any letter case is the word in lower case")
    func letterCase() async throws {
        let player = try await V2Client.player()
        let game = try await player.start()
        for (index, word) in ["CRANE", "Crane", "cRaNe"].enumerated() {
            #expect(try await player.guess(word, in: game).json.guesses[index].word == "crane")
        }
    }

    @Test(
        "a word that is not in the list, or has another length, does not count",
        arguments: [
            "zzzzz", "cran", "cranes", "", " crane", "crane ", "cr ne", "cränè", "💩💩💩💩💩", "a' OR '1'='1", "%", "_____",
            "blac\u{212A}",
        ])
    func unknownWord(word: String) async throws {
        let player = try await V2Client.player()
        let game = try await player.start()
        #expect(try await player.guess(word, in: game).summary == "422 word-unknown")
        #expect(try await player.guess(word, number: 1, in: game).summary == "422 word-unknown")
        #expect(try await player.get("/v2/games/\(game.id.text)").json == game)
    }

    @Test("a won game shows word and salt, which make the commitment", arguments: 1...6)
    func won(guesses: Int) async throws {
        let player = try await V2Client.player()
        let started = try await player.start()
        let game = try await player.end(started, in: guesses)
        #expect(game.state == "won")
        #expect(game.guesses.items.count == guesses)
        #expect(game.secret == game.guesses[guesses - 1].word)
        #expect(game.salt.text.wholeMatch(of: #/[0-9a-f]{32}/#) != nil)
        let digest = SHA256.hash(data: Data("\(game.salt.text):\(game.secret.text)".utf8))
        #expect(game.commitment.text == Hexadecimal.encode(digest))
        #expect(game.commitment == started.commitment, "made when the game started")
        #expect(game.endedAt.text > game.startedAt.text)
        #expect(game.day == .missing)
        #expect(try await player.get("/v2/games/\(game.id.text)").json == game)
        var distribution = Array(repeating: 0, count: 6)
        distribution[guesses - 1] = 1
        #expect(
            try await player.me().statistics
                == .object([
                    "played": 1, "won": 1, "currentStreak": 1, "longestStreak": 1,
                    "distribution": .array(distribution.map { .integer($0) }),
                    "days": .object(["played": 0, "won": 0, "currentStreak": 0, "longestStreak": 0]),
                ]))
    }

    @Test("a sixth wrong guess loses, and shows the word too")
    func lost() async throws {
        let player = try await V2Client.player()
        let game = try await player.end(try await player.start(), in: nil)
        #expect(game.state == "lost")
        #expect(game.guesses.items.count == 6)
        #expect(game.secret.text.count == 5)
        #expect(game.endedAt != .missing)
        #expect(try await player.me().statistics.played == 1)
        #expect(try await player.me().statistics.won == 0)
    }

    @Test("resigning loses; again, and after any end, the answer is the game as it stands")
    func resign() async throws {
        let player = try await V2Client.player()
        let game = try await player.start()
        _ = try await player.guess("crane", number: 1, in: game)
        let path = "/v2/games/\(game.id.text)/resign"
        let reply = try await player.post(path)
        #expect(reply.status == 200)
        #expect(reply.json.state == "lost")
        #expect(reply.json.secret.text.count == 5)
        #expect(try await player.post(path, "{}").http.text == reply.http.text)
        #expect(try await player.me().statistics.played == 1)
        let won = try await player.end(try await player.start(), in: 1)
        #expect(try await player.post("/v2/games/\(won.id.text)/resign").json == won)
    }

    @Test("a game that ends marks its word as played and, when won, counts one win, the same as the app's")
    func ends() async throws {
        let database = try await TestDatabase.shared()
        let player = try await V2Client.player()
        let id = try await player.me().id.text
        func records() async throws -> String {
            try await database.psql(
                """
                SELECT wins, (SELECT count(*) FROM played_words WHERE user_id = id),
                    (SELECT bit_count(played_secrets) FROM users AS u WHERE u.id = users.id) FROM users WHERE id = '\(id)'
                """)
        }
        #expect(try await records() == "0|0|0")
        let game = try await player.start()
        _ = try await player.guess("crane", in: game)
        #expect(try await records() == "0|0|0", "dealt is not played")
        let secret = try await player.secret(of: game)
        _ = try await player.end(game, in: 1)
        #expect(try await records() == "1|1|1")
        let played = try await database.psql(
            "SELECT word FROM played_words JOIN words ON words.id = word_id WHERE user_id = '\(id)'")
        #expect(played == secret)
        _ = try await player.end(try await player.start(), in: nil)
        #expect(try await records() == "1|2|2")
        _ = try await player.post("/v2/games/\(try await player.start().id.text)/resign")
        #expect(try await records() == "1|3|3")
        #expect(try await database.ledgerFaults() == "")
    }

    // MARK: Numbers

    @Test(
        "the same number and word again is the game as it stands; another word: guess-taken; beyond the next: guess-early"
    )
    func numbers() async throws {
        let player = try await V2Client.player()
        let game = try await player.start()
        let first = try await player.guess("crane", number: 1, in: game)
        #expect(first.json.guesses.items.count == 1)
        #expect(try await player.guess("CRANE", number: 1, in: game).json == first.json)
        let taken = try await player.guess("slate", number: 1, in: game)
        #expect(taken.summary == "409 guess-taken")
        #expect(taken.json.game == first.json)
        #expect(try await player.guess("zzzzz", number: 1, in: game).summary == "409 guess-taken", "taken goes first")
        for number in [3, 6] {
            #expect(try await player.guess("slate", number: number, in: game).summary == "409 guess-early")
            #expect(
                try await player.guess("zzzzz", number: number, in: game).summary == "409 guess-early",
                "early goes first")
        }
        let second = try await player.guess("slate", number: 2, in: game)
        #expect(second.json.guesses.items.map(\.word) == ["crane", "slate"])
        #expect(try await player.guess("crane", number: 1, in: game).json == second.json, "as it stands")
    }

    @Test("without a number the same word counts again")
    func sameWord() async throws {
        let database = try await TestDatabase.shared()
        let player = try await V2Client.player()
        let game = try await player.start()
        try await database.setWord("fjord", of: game)
        for count in 1...6 { #expect(try await player.guess("crane", in: game).json.guesses.items.count == count) }
        #expect(try await player.get("/v2/games/\(game.id.text)").json.state == "lost")
    }

    @Test("a game that is over takes no more guesses, but knows those it took")
    func over() async throws {
        let database = try await TestDatabase.shared()
        let player = try await V2Client.player()
        let game = try await player.start()
        try await database.setWord("slate", of: game)
        _ = try await player.guess("crane", number: 1, in: game)
        let won = try await player.guess("slate", number: 2, in: game)
        #expect(won.json.state == "won")
        #expect(try await player.guess("slate", number: 2, in: game).json == won.json, "a repeat after a lost answer")
        #expect(try await player.guess("crane", number: 1, in: game).json == won.json)
        let taken = try await player.guess("crane", number: 2, in: game)
        #expect(taken.summary == "409 guess-taken")
        #expect(taken.json.game == won.json)
        for reply in [
            try await player.guess("pious", in: game), try await player.guess("slate", in: game),
            try await player.guess("pious", number: 3, in: game), try await player.guess("pious", number: 6, in: game),
            try await player.guess("zzzzz", in: game),
        ] {
            #expect(reply.summary == "409 game-over", "before guess-early and word-unknown")
            #expect(reply.json.game == won.json)
        }
    }

    @Test(
        "a malformed guess is refused with the path to what is wrong",
        arguments: [
            ("", "/word"), ("{}", "/word"), (#"{"word": null}"#, "/word"), (#"{"word": 5}"#, "/word"),
            (#"{"word": ["c"]}"#, "/word"), (#"{"word": "crane", "number": 0}"#, "/number"),
            (#"{"word": "crane", "number": 7}"#, "/number"), (#"{"word": "crane", "number": "1"}"#, "/number"),
            (#"{"word": "crane", "number": 1.5}"#, "/number"), (#"{"word": "crane", "number": true}"#, "/number"),
            ("[]", ""), ("5", ""), ("{", ""), (#"{"word": "crane", "word": "crane"}"#, ""),
            (#"{"word": "\ud800"}"#, ""),
            (
                #"{"word": "crane", "x": \#(String(repeating: "[", count: 40))\#(String(repeating: "]", count: 40))}"#,
                ""
            ),
        ])
    func broken(body: String, path: String) async throws {
        let player = try await V2Client.player()
        let game = try await player.start()
        let reply = try await player.post("/v2/games/\(game.id.text)/guesses", body)
        #expect(reply.summary == "400 request-invalid", "\(reply)")
        #expect(reply.json.path == .string(path))
        #expect(try await player.get("/v2/games/\(game.id.text)").json == game)
    }

    @Test("5.0 is 5, null is absence, and unknown members are ignored")
    func lenient() async throws {
        let player = try await V2Client.player()
        let game = try await player.start()
        let path = "/v2/games/\(game.id.text)/guesses"
        #expect(try await player.post(path, #"{"number": 1.0, "word": "crane"}"#).json.guesses.items.count == 1)
        #expect(try await player.post(path, #"{"number": 1e0, "word": "crane"}"#).json.guesses.items.count == 1)
        #expect(
            try await player.post(
                path, #"{"word": "slate", "number": null, "x": {"number": 9}}"#, fields: ["Content-Type: text/plain"]
            )
            .json.guesses.items.count == 2)
    }

    // MARK: Others' games

    @Test(
        "another player's game, and an invalid id: 404",
        arguments: ["x", "00000000-0000-7000-8000-000000000000", "%20", "current"])
    func notOwn(id: String) async throws {
        let (ann, bob) = (try await V2Client.player(), try await V2Client.player())
        let his = try await bob.start()
        for id in [id, his.id.text, his.id.text.uppercased(), "{\(his.id.text)}"] {
            let id = id.replacing("{", with: "%7B").replacing("}", with: "%7D")
            #expect(try await ann.get("/v2/games/\(id)").summary == "404 not-found")
            #expect(try await ann.post("/v2/games/\(id)/guesses", #"{"word": "crane"}"#).summary == "404 not-found")
            #expect(try await ann.post("/v2/games/\(id)/resign").summary == "404 not-found")
        }
        #expect(try await ann.post("/v2/games/x/guesses", "{}").summary == "400 request-invalid", "400 goes first")
        #expect(try await bob.get("/v2/games/\(his.id.text)").json == his)
    }

    // MARK: Lists

    @Test("games come newest first, dailies too, 50 at most; pages follow one another; by state")
    func list() async throws {
        let service = try await TestService.shared(.standard)
        let database = try await TestDatabase.shared()
        let player = try await V2Client.player(on: service)
        let id = try await player.me().id.text
        try await database.psql("SELECT change_energy('\(id)', 300, 'support', NULL, NULL, NULL)")
        var games: [JSON] = []
        for number in 0..<60 {
            if number == 30 {
                games.append(try await player.post("/v2/daily/game").json.game)
            } else {
                let game = try await player.start()
                games.append(number == 59 ? game : try await player.post("/v2/games/\(game.id.text)/resign").json)
            }
        }
        games.reverse()
        for (query, sizes) in [
            ("", [50, 10]), ("limit=7", [7, 7]), ("limit=1000", [50, 10]), ("limit=60", [50, 10]),
        ] {
            var path = "/v2/games?\(query)"
            var index = 0
            for size in sizes {
                let page = try await player.get(path)
                #expect(page.status == 200)
                #expect(page.json.games.items == Array(games[index..<(index + size)]), "\(query)")
                index += size
                #expect((page.json.next == .missing) == (index == 60))
                path = "/v2/games?\(query)&before=\(page.json.next.text)"
            }
        }
        let playing = try await player.get("/v2/games?state=playing").json
        #expect(playing.games.items == games.filter { $0.state == "playing" })
        #expect(playing.games.items.map(\.kind) == ["game", "daily"])
        #expect(playing.next == .missing)
        #expect(try await player.get("/v2/games?state=won").json == .object(["games": []]))
        let lost = try await player.get("/v2/games?state=lost&limit=50").json
        #expect(lost.games.items == Array(games.filter { $0.state == "lost" }.prefix(50)))
        #expect(lost.next != .missing)
        #expect(
            try await player.get("/v2/games?state=lost&before=\(lost.next.text)").json.games.items
                == Array(games.filter { $0.state == "lost" }.dropFirst(50)))
    }

    @Test(
        "an invalid query is refused with the name of its parameter",
        arguments: [
            ("state=ended", "state"), ("state=", "state"), ("state=WON", "state"), ("limit=0", "limit"),
            ("before=x", "before"),
            ("state=won&state=won", "state"),
        ])
    func badQuery(query: String, path: String) async throws {
        let reply = try await V2Client.player().get("/v2/games?\(query)")
        #expect(reply.summary == "400 request-invalid")
        #expect(reply.json.path == .string(path))
    }

    @Test("without words: 503, and nothing is paid")
    func noWords() async throws {
        let database = try await TestDatabase.create()
        try await database.deleteWords()
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service)
        let reply = try await player.post("/v2/games")
        #expect(reply.summary == "503 unavailable")
        #expect(reply["Retry-After"] == "1")
        #expect(try await player.me().energy == 30)
        try await service.stop()
    }
}
