import Foundation
import QueueTestClient
import TestSupport
import Testing

@Suite("Hard mode of /v2", .everyLayout)
struct HardModeTests {
    /// A hard game with a word that the test knows.
    private func game(_ secret: String, of player: V2Client) async throws -> JSON {
        let game = try await player.post("/v2/games", #"{"hard": true}"#).json.game
        try await TestDatabase.shared().setWord(secret, of: game)
        return game
    }

    @Test("a game says that it is hard, wherever it is shown, and says nothing when it is not")
    func shown() async throws {
        let player = try await V2Client.player()
        let begun = try await player.post("/v2/games", #"{"hard": true}"#)
        #expect(begun.status == 201)
        #expect(begun.json.energy == 25, "as any game")
        let game = begun.json.game
        #expect(game.hard == true)
        #expect(game.kind == "game")
        #expect(try await player.get("/v2/games/\(game.id.text)").json == game)
        #expect(try await player.get("/v2/games").json.games.items == [game])
        #expect(try await player.guess("crane", in: game).json.hard == true)
        let unfinished = try await player.post("/v2/games")
        #expect(unfinished.json.game.hard == true, "game-unfinished shows it: \(unfinished)")
        #expect(try await player.post("/v2/games/\(game.id.text)/resign").json.hard == true)
        for body in ["", "{}", #"{"hard": false}"#, #"{"hard": null}"#, #"{"Hard": true}"#] {
            let easy = try await player.post("/v2/games", body).json.game
            #expect(easy.state == "playing" && !easy.names.contains("hard"), "\(body)")
            _ = try await player.post("/v2/games/\(easy.id.text)/resign")
            if try await player.me().energy.int < 5 { break }
        }
        let export = try await player.get("/v2/players/me/export").json
        #expect(export.games[0].hard == true)
        #expect(export.games[0].kind == "game")
        #expect(export.games[1].hard == .missing)
    }

    @Test(
        "an unknown mode is 400", arguments: ["1", "0", #""true""#, "[]", "{}"])
    func malformed(value: String) async throws {
        let player = try await V2Client.player()
        for path in ["/v2/games", "/v2/daily/game", "/v2/daily/2026-01-02/game"] {
            let reply = try await player.post(path, #"{"hard": \#(value)}"#)
            #expect(reply.summary == "400 request-invalid", "\(path)")
            #expect(reply.json.path == "/hard")
        }
        #expect(try await player.me().energy == 30)
    }

    @Test("a daily keeps the mode it began in", arguments: [true, false])
    func daily(isHard: Bool) async throws {
        let player = try await V2Client.player()
        let first = try await player.post("/v2/daily/game", #"{"hard": \#(isHard)}"#)
        #expect(first.status == 201)
        #expect(first.json.game.hard == (isHard ? true : .missing))
        let again = try await player.post("/v2/daily/game", #"{"hard": \#(!isHard)}"#)
        #expect(again.status == 200)
        #expect(again.json == first.json)
        #expect(try await player.get("/v2/daily").json.game == first.json.game)
    }

    /// What is guessed, one after the other; then a guess, and the rule that it breaks: none, or letter and place, or
    /// letter and count.
    private struct Case: Sendable, CustomTestStringConvertible {
        let secret: String
        let guesses: [String]
        let guess: String
        var position: (String, Int)?
        var count: (String, Int)?

        var testDescription: String { "\(secret): \(guesses.joined(separator: ", ")), then \(guess)" }

        var rule: JSON {
            if let position { return .object(["letter": .string(position.0), "position": .integer(position.1)]) }
            if let count { return .object(["letter": .string(count.0), "count": .integer(count.1)]) }
            return .missing
        }
    }

    @Test(
        "the first rule that a guess breaks is named: places from the left, then letters of the alphabet",
        arguments: [
            // crane for slate: A and E in place.
            Case(secret: "slate", guesses: ["crane"], guess: "pious", position: ("a", 3)),
            Case(secret: "slate", guesses: ["crane"], guess: "llama", position: ("e", 5)),
            Case(secret: "slate", guesses: ["crane"], guess: "abbey", position: ("a", 3)),
            Case(secret: "slate", guesses: ["crane"], guess: "crane"),
            Case(secret: "slate", guesses: ["crane"], guess: "blaze"),
            Case(secret: "slate", guesses: ["crane"], guess: "chart", position: ("e", 5)),
            // mamma for llama: the second A elsewhere, M and A in place.
            Case(secret: "llama", guesses: ["mamma"], guess: "mamba", position: ("m", 4)),
            Case(secret: "llama", guesses: ["mamma"], guess: "enema", count: ("a", 2)),
            Case(secret: "llama", guesses: ["mamma"], guess: "drama"),
            // Present letters alone, in the order of the alphabet; they may stay where they were.
            Case(secret: "babel", guesses: ["ample"], guess: "pious", count: ("a", 1)),
            Case(secret: "babel", guesses: ["ample"], guess: "crane", count: ("l", 1)),
            Case(secret: "babel", guesses: ["ample"], guess: "loath", count: ("e", 1)),
            Case(secret: "babel", guesses: ["ample"], guess: "ample"),
            Case(secret: "babel", guesses: ["ample"], guess: "leash"),
            // niece for eerie: one E in place and one elsewhere, so two.
            Case(secret: "eerie", guesses: ["niece"], guess: "blaze", count: ("e", 2)),
            Case(secret: "eerie", guesses: ["niece", "genie"], guess: "niece", position: ("e", 2)),
            Case(secret: "eerie", guesses: ["niece", "genie"], guess: "genie"),
            // Absent letters may be used again.
            Case(secret: "fjord", guesses: ["slate"], guess: "slate"),
            Case(secret: "fjord", guesses: ["slate", "crane"], guess: "slate", count: ("r", 1)),
        ])
    private func rules(example: Case) async throws {
        let player = try await V2Client.player()
        // The service knows the word from then on, and takes the shorter way for games that are not hard.
        let daily = try await player.post("/v2/daily/game").json.game
        #expect(try await player.guess(example.guess, in: daily).status == 200)
        let game = try await game(example.secret, of: player)
        var last = game
        for word in example.guesses {
            let reply = try await player.guess(word, in: game)
            #expect(reply.status == 200, "\(word): \(reply)")
            last = reply.json
        }
        let reply = try await player.guess(example.guess, in: game)
        guard example.rule != .missing else {
            #expect(reply.status == 200, "\(reply)")
            return
        }
        #expect(reply.summary == "422 guess-hard", "\(reply)")
        #expect(reply.json.rule == example.rule)
        #expect(reply.json.game == .missing)
        #expect(try await player.get("/v2/games/\(game.id.text)").json == last, "not counted")
    }

    @Test("other faults of a guess are refused first")
    func order() async throws {
        let player = try await V2Client.player()
        let game = try await game("slate", of: player)
        let first = try await player.guess("crane", number: 1, in: game)
        #expect(try await player.guess("pious", number: 1, in: game).summary == "409 guess-taken")
        #expect(try await player.guess("pious", number: 3, in: game).summary == "409 guess-early")
        #expect(try await player.guess("zzzzz", in: game).summary == "422 word-unknown")
        #expect(try await player.guess("pious", number: 2, in: game).summary == "422 guess-hard")
        #expect(try await player.guess("crane", number: 1, in: game).json == first.json)
        let won = try await player.guess("slate", number: 2, in: game)
        #expect(won.json.state == "won")
        #expect(won.json.hard == true)
        #expect(try await player.guess("pious", in: game).summary == "409 game-over")
        #expect(try await player.me().statistics.won == 1, "as any game")
    }

    @Test("a refusal is remembered under a key, with its rule, whatever comes after; so is the mode of a game")
    func keys() async throws {
        let player = try await V2Client.player()
        let key = { (name: String) in ["Idempotency-Key: \(name)"] }
        let begun = try await player.post("/v2/games", #"{"hard": true}"#, fields: key("game"))
        let game = begun.json.game
        #expect(
            try await player.post("/v2/games", #"{"hard": true}"#, fields: key("game")).http.text == begun.http.text)
        for body in ["", #"{"hard": false}"#] {
            #expect(
                try await player.post("/v2/games", body, fields: key("game")).summary == "422 idempotency-key-reused")
        }
        try await TestDatabase.shared().setWord("slate", of: game)
        _ = try await player.guess("crane", in: game)
        let refused = try await player.guess("pious", in: game, fields: key("guess"))
        #expect(refused.summary == "422 guess-hard")
        func expectReplay(_ comment: Comment) async throws {
            let again = try await player.guess("pious", in: game, fields: key("guess"))
            #expect(again.http.text == refused.http.text, comment)
            #expect(again.isReplay, comment)
        }
        try await expectReplay("at once")
        _ = try await player.guess("blaze", in: game)
        try await expectReplay("after another guess, which brought a rule before that one")
        _ = try await player.guess("slate", in: game)
        try await expectReplay("after the end")
        #expect(try await TestDatabase.shared().ledgerFaults() == "")
    }

    // MARK: By brute force

    @Test("of 100,000 random guesses the rule is the one that counting finds", .timeLimit(.minutes(3)))
    func bruteForce() async throws {
        let database = try await TestDatabase.shared()
        let seed = UInt64.random(in: 0...999_999_999)
        var random = SeededRandom(seed: seed)
        for batch in 0..<100 {
            // Few letters, so that they come twice, some of which take more than a byte.
            let cases = (0..<1000).map { round -> (guesses: [String], secret: String, guess: String) in
                let letters = Array("abcdeéß".prefix(2 + round % 6))
                let length = 4 + round / 6 % 5
                func word() -> String {
                    String((0..<length).map { _ in letters.randomElement(using: &random) ?? "a" })
                }
                let secret = word()
                let guesses = (0..<(1 + round % 3)).map { _ in word() }
                // Half of them differ in one letter from a guess before, so that few rules are broken.
                guard round % 2 == 0, let last = guesses.last else { return (guesses, secret, word()) }
                var near = Array(last)
                near[Int.random(in: near.indices, using: &random)] = letters.randomElement(using: &random) ?? "a"
                return (guesses, secret, String(near))
            }
            let marked = cases.map { example in
                example.guesses.map { marks(of: $0, against: example.secret).items.map { $0.text.prefix(1) }.joined() }
            }
            let arrays = [
                cases.map { $0.guesses.joined() }, marked.map { $0.joined() },
                cases.map { "\($0.guess.count)" }, cases.map(\.guess),
            ].map { "'{\($0.joined(separator: ","))}'" }
            let found = try await database.psql(
                """
                SELECT coalesce(letter || coalesce(' in ' || place, ' times ' || wanted), 'none')
                FROM unnest(\(arrays[0])::text[], \(arrays[1])::text[], \(arrays[2])::integer[], \(arrays[3])::text[])
                    WITH ORDINALITY AS cases (guesses, marks, letters, spelled, number),
                    LATERAL broken_rule(guesses, marks, letters, spelled) AS rule
                ORDER BY number
                """
            ).split(separator: "\n").map(String.init)
            try #require(found.count == cases.count)
            for (index, example) in cases.enumerated() {
                let expected = Self.rule(example.guess, after: example.guesses, marked: marked[index])
                guard found[index] != expected else { continue }
                Issue.record(
                    "seed \(seed), batch \(batch): \(example.guess) after \(example.guesses) for \(example.secret) breaks \(expected), was told \(found[index])"
                )
            }
            #expect(Set(found).count > 10, "else it would say nothing")
        }
    }

    /// The rule as the contract says it, letter by letter.
    private static func rule(_ guess: String, after guesses: [String], marked: [String]) -> String {
        let guess = Array(guess)
        for place in guess.indices {
            for (word, marks) in zip(guesses, marked) where Array(marks)[place] == "c" {
                if Array(word)[place] != guess[place] { return "\(Array(word)[place]) in \(place + 1)" }
            }
        }
        var missing: [(letter: Character, count: Int)] = []
        for letter in Set(guesses.joined()) {
            let shown = zip(guesses, marked).map { word, marks in
                zip(word, marks).filter { $0 == letter && $1 != "a" }.count
            }
            let wanted = shown.max() ?? 0
            if guess.filter({ $0 == letter }).count < wanted { missing.append((letter, wanted)) }
        }
        let first = missing.min {
            $0.letter.unicodeScalars.first?.value ?? 0 < $1.letter.unicodeScalars.first?.value ?? 0
        }
        return first.map { "\($0.letter) times \($0.count)" } ?? "none"
    }
}
