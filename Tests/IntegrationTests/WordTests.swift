import JulietAPI
import TestSupport
import Testing

/// Which words are dealt: unplayed ones first, then the one played longest ago.
@Suite("Words dealt", .everyLayout)
struct WordTests {
    @Test("repeated draws vary")
    func draws() async throws {
        let service = try await TestService.shared(.standard)
        let user = TestService.newUser()
        _ = try await service.reply(to: .initialRegistration(vendorID: user))
        var words: Set<String> = []
        for _ in 0..<10 {
            words.insert(try await service.answer(to: .fetchNewSecretWord(userID: user)).secretWord.joined())
        }
        #expect(words.count > 5)
    }

    @Test("no word is dealt again before all are played; then the one played longest ago, without end")
    func exhaustion() async throws {
        let database = try await TestDatabase.create()
        let list = ["amber", "brook", "cedar", "delta", "ember", "fjord", "grove"]
        try await database.deleteWords()
        try await database.insert(words: list, language: "xx", areSecret: true)
        let service = try await TestService.start(["game.language": "xx"], on: database)
        let user = TestService.newUser()
        _ = try await service.reply(to: .initialRegistration(vendorID: user))

        var played: [String] = []
        while played.count < list.count {
            // A word that is dealt and not played comes back.
            let candidates = try await service.answers(
                toAll: Array(repeating: .fetchNewSecretWord(userID: user), count: 10))
            #expect(candidates.allSatisfy { !played.contains($0.secretWord.joined().lowercased()) })
            let word = try await service.answer(to: .fetchNewSecretWord(userID: user)).secretWord.joined()
            #expect(list.contains(word.lowercased()))
            #expect(
                try await service.answer(to: .updateUserPlayedWordsList(userID: user, playedWord: word)).httpStatus
                    == 200)
            played.append(word.lowercased())
        }
        #expect(Set(played) == Set(list))

        for expected in played + played {
            let word = try await service.answer(to: .fetchNewSecretWord(userID: user)).secretWord.joined().lowercased()
            #expect(word == expected)
            _ = try await service.reply(to: .updateUserPlayedWordsList(userID: user, playedWord: word))
        }
        try await service.stop()
    }

    @Test("a game deals unplayed words as a free word does")
    func games() async throws {
        let database = try await TestDatabase.create()
        try await database.deleteWords()
        try await database.insert(words: ["amber", "brook", "cedar"], language: "xx", areSecret: true)
        let service = try await TestService.start(["game.language": "xx"], on: database)
        let user = TestService.newUser()
        _ = try await service.reply(to: .initialRegistration(vendorID: user))
        var words: Set<String> = []
        for _ in 0..<3 {
            let word = try await service.answer(to: .statNewGameSession(userID: user)).secretWord.joined()
            _ = try await service.reply(to: .updateUserPlayedWordsList(userID: user, playedWord: word))
            words.insert(word)
        }
        #expect(words == ["AMBER", "BROOK", "CEDAR"])
        try await service.stop()
    }

    @Test("an unknown player's words vary as well")
    func unknownPlayer() async throws {
        let service = try await TestService.shared(.standard)
        let user = TestService.newUser()
        var words: Set<String> = []
        for _ in 0..<10 {
            words.insert(try await service.answer(to: .fetchNewSecretWord(userID: user)).secretWord.joined())
        }
        #expect(words.count > 5)
    }

    @Test("without words nothing is paid, and no player gets a free word either")
    func noWords() async throws {
        let database = try await TestDatabase.create()
        try await database.deleteWords()
        let service = try await TestService.start(on: database)
        let user = TestService.newUser()
        _ = try await service.reply(to: .initialRegistration(vendorID: user))
        let word = try await service.answer(to: .fetchNewSecretWord(userID: user))
        #expect(word.secretWord == [])
        #expect(word.httpStatus == 503)
        #expect(word.problem?.code == "server.withoutWords")
        let unknown = try await service.answer(to: .fetchNewSecretWord(userID: TestService.newUser()))
        #expect(unknown.secretWord == [])
        #expect(unknown.problem?.code == "user.unknown")
        let game = try await service.answer(to: .statNewGameSession(userID: user))
        #expect(game.httpStatus == 503)
        #expect(game.secretWord == [])
        #expect(
            try await service.answer(to: .handleEnergyPurchase(userID: user, energyPurchaseAmount: 0)).userEnergy == 30)
        try await service.stop()
    }

    @Test(
        "words of other languages and lengths are dealt in their upper case and known again when played",
        arguments: [
            ("tr", 5, "incir", ["İ", "N", "C", "İ", "R"]), ("tr", 4, "ışık", ["I", "Ş", "I", "K"]),
            ("de", 6, "straße", ["S", "T", "R", "A", "ß", "E"]),
        ])
    func otherLanguages(language: String, length: Int, word: String, letters: [String]) async throws {
        let database = try await TestDatabase.create()
        try await database.deleteWords()
        try await database.insert(words: [word], language: language, areSecret: true)
        let service = try await TestService.start(
            ["game.language": language, "game.wordLength": "\(length)"], on: database)
        let user = TestService.newUser()
        _ = try await service.reply(to: .initialRegistration(vendorID: user))
        #expect(try await service.answer(to: .fetchNewSecretWord(userID: user)).secretWord == letters)
        #expect(try await service.answer(to: .statNewGameSession(userID: user)).secretWord == letters)
        let played = letters.joined()
        #expect(
            try await service.answer(to: .updateUserPlayedWordsList(userID: user, playedWord: played)).httpStatus == 200
        )
        try await service.stop()
    }
}
