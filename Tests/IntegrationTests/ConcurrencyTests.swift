import JulietAPI
import JulietGame
import TestSupport
import Testing

/// What happens at the same moment happens one after the other, and nothing is lost or doubled.
@Suite("Concurrency", .everyLayout)
struct ConcurrencyTests {
    private func registered(with service: TestService) async throws -> String {
        let user = TestService.newUser()
        #expect(try await service.answer(to: .initialRegistration(vendorID: user)) == .done(.initialRegistration))
        return user
    }

    private func balance(of user: String, with service: TestService) async throws -> Int {
        try await service.answer(to: .handleEnergyPurchase(userID: user, energyPurchaseAmount: 0)).userEnergy
    }

    @Test(
        "50 parallel games on 30 energy: exactly 6 are dealt",
        arguments: [RequestType.statNewGameSession, .singleGameEnergyUpdate])
    func games(type: RequestType) async throws {
        let service = try await TestService.shared(.standard)
        let user = try await registered(with: service)
        let request: GameRequest =
            type == .statNewGameSession ? .statNewGameSession(userID: user) : .singleGameEnergyUpdate(userID: user)
        let answers = try await service.answers(toAll: Array(repeating: request, count: 50))
        let dealt = answers.filter { $0.innerStatus == 200 }
        let refused = answers.filter { $0.innerStatus == 404 }
        #expect(dealt.map(\.userEnergy).sorted() == [0, 5, 10, 15, 20, 25])
        #expect(refused.count == 44)
        #expect(
            refused.allSatisfy {
                $0.userEnergy == 0 && $0.secretWord.isEmpty && $0.problem?.code == "energy.insufficient"
            })
        #expect(dealt.allSatisfy { $0.secretWord.count == (type == .statNewGameSession ? 5 : 0) })
        #expect(try await balance(of: user, with: service) == 0)
    }

    @Test("100 parallel wins count 100, each with a count of its own")
    func wins() async throws {
        let service = try await TestService.shared(.standard)
        let user = try await registered(with: service)
        let answers = try await service.answers(toAll: Array(repeating: .updateUserWins(userID: user), count: 100))
        #expect(answers.map(\.userWins).sorted() == Array(1...100))
        #expect(try await service.answer(to: .fetchUserWins(userID: user)) == .wins(.fetchUserWins, count: 100))
    }

    @Test("20 parallel first registrations make one player with one grant")
    func registrations() async throws {
        let service = try await TestService.shared(.standard)
        let user = TestService.newUser()
        let answers = try await service.answers(
            toAll: Array(repeating: .initialRegistration(vendorID: user), count: 20))
        #expect(answers == Array(repeating: .done(.initialRegistration), count: 20))
        #expect(try await balance(of: user, with: service) == 30)
        let database = try await TestDatabase.shared()
        #expect(
            try await database.psql("SELECT count(*), sum(delta) FROM energy_ledger WHERE user_id = '\(user)'")
                == "1|30")
    }

    @Test("20 parallel first games of unknown players register each once, when unknown players are registered")
    func implicitRegistrations() async throws {
        let service = try await TestService.shared(.register)
        let user = TestService.newUser()
        let answers = try await service.answers(
            toAll: Array(repeating: .singleGameEnergyUpdate(userID: user), count: 20))
        #expect(answers.filter { $0.innerStatus == 200 }.map(\.userEnergy).sorted() == [0, 5, 10, 15, 20, 25])
    }

    @Test("a registration, wins and played words of a player who is unknown until that moment: each counts")
    func firstMoments() async throws {
        let services = [try await TestService.shared(.standard), try await TestService.shared(.register)]
        let database = try await TestDatabase.shared()
        let word = try #require(database.secrets.min())
        for _ in 0..<40 {
            let user = TestService.newUser()
            async let registered = services[0].answers(
                toAll: Array(repeating: .initialRegistration(vendorID: user), count: 4))
            async let played = services[1].answers(
                toAll: (0..<12).map {
                    $0 % 3 == 0
                        ? .updateUserPlayedWordsList(userID: user, playedWord: word) : .updateUserWins(userID: user)
                })
            _ = try await registered
            let answers = try await played
            #expect(answers.allSatisfy { $0.httpStatus == 200 }, "\(answers)")
            #expect(answers.filter { $0.type == .updateUserWins }.map(\.userWins).sorted() == Array(1...8))
            #expect(
                try await database.psql(
                    """
                    SELECT energy, wins, bit_count(played_secrets),
                        (SELECT count(*) FROM played_words WHERE user_id = users.id)
                    FROM users WHERE id = '\(user)'
                    """) == "30|8|1|1")
        }
    }

    @Test("parallel purchases and games lose nothing")
    func purchasesAndGames() async throws {
        let service = try await TestService.shared(.standard)
        let user = try await registered(with: service)
        let requests = (0..<60).map { number -> GameRequest in
            switch number % 3 {
            case 0: .handleEnergyPurchase(userID: user, energyPurchaseAmount: 5)
            case 1: .handleEnergyPurchase(userID: user, energyPurchaseAmount: 30)
            default: .singleGameEnergyUpdate(userID: user)
            }
        }
        let answers = try await service.answers(toAll: requests)
        let games = answers.filter { $0.type == .singleGameEnergyUpdate && $0.innerStatus == 200 }.count
        #expect(answers.filter { $0.type == .handleEnergyPurchase }.allSatisfy { $0.innerStatus == 200 })
        #expect(try await balance(of: user, with: service) == 30 + 20 * 5 + 20 * 30 - games * 5)
        let ledger = try await TestDatabase.shared().psql(
            """
            SELECT reason::text, count(*), sum(delta) FROM energy_ledger WHERE user_id = '\(user)'
            GROUP BY reason ORDER BY reason::text
            """)
        #expect(ledger == "game|\(games)|\(-5 * games)\npurchase|40|700\nregistration|1|30")
    }

    @Test("two services on one database agree about a player")
    func twoServices() async throws {
        let services = [try await TestService.shared(.standard), try await TestService.shared(.register)]
        let user = try await registered(with: services[0])
        async let first = services[0].answers(toAll: Array(repeating: .statNewGameSession(userID: user), count: 25))
        async let second = services[1].answers(toAll: Array(repeating: .statNewGameSession(userID: user), count: 25))
        let answers = try await first + second
        #expect(answers.filter { $0.innerStatus == 200 }.map(\.userEnergy).sorted() == [0, 5, 10, 15, 20, 25])
    }

    @Test("a refusal for want of energy tells a balance that does not suffice, whatever is bought in the same moment")
    func refusals() async throws {
        let services = [try await TestService.shared(.standard), try await TestService.shared(.register)]
        let user = try await registered(with: services[0])
        _ = try await services[0].answer(to: .updateUserEnergy(userID: user, userEnergy: 0))
        for _ in 0..<30 {
            async let paid = services[0].answers(
                toAll: Array(repeating: .singleGameEnergyUpdate(userID: user), count: 12))
            async let bought = services[1].answers(
                toAll: Array(repeating: .handleEnergyPurchase(userID: user, energyPurchaseAmount: 5), count: 6))
            let answers = try await paid + bought
            #expect(answers.allSatisfy { $0.problem?.code != "energy.insufficient" || $0.userEnergy < 5 })
        }
    }

    @Test("a played word and the player's deletion at once: 200 or 404, and nothing is left of the player")
    func deletions() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let words = database.secrets.sorted().prefix(4)
        try await database.withOwner { owner in
            let records = UserRecords(connection: owner)
            for _ in 0..<60 {
                let users = [try await registered(with: service), try await registered(with: service)]
                let requests = users.flatMap { user in
                    words.flatMap { word -> [GameRequest] in
                        [
                            .updateUserPlayedWordsList(userID: user, playedWord: word),
                            .updateUserPlayedWordsList(userID: user, playedWord: word),
                            .singleGameEnergyUpdate(userID: user), .updateUserWins(userID: user),
                            .handleEnergyPurchase(userID: user, energyPurchaseAmount: 5),
                        ]
                    }
                }
                async let answered = service.answers(toAll: requests)
                for user in users { #expect(try await records.delete(User.ID(user)) != nil) }
                let answers = try await answered
                #expect(answers.allSatisfy { [200, 404].contains($0.httpStatus) })
                #expect(
                    answers.allSatisfy {
                        $0.httpStatus == 200 || ["user.unknown", "energy.insufficient"].contains($0.problem?.code)
                    })
            }
        }
        #expect(try await database.psql("SELECT count(*) FROM users") == "0")
        #expect(try await database.psql("SELECT count(*) FROM played_words") == "0")
        #expect(try await database.psql("SELECT count(*) FROM energy_ledger WHERE strpos(user_id, E'\\t') = 0") == "0")
        #expect(try await database.psql("SELECT count(*) FROM closed_ledgers") == "120")
        #expect(
            try await database.psql(
                """
                SELECT count(*) FROM closed_ledgers LEFT JOIN energy_ledger USING (user_id)
                GROUP BY user_id HAVING ledger_entry <> count(entry)
                """) == "")
        try await service.stop()
    }

    @Test("many players at once: each gets what is theirs")
    func manyPlayers() async throws {
        let service = try await TestService.shared(.standard)
        let users = (0..<40).map { _ in TestService.newUser() }
        _ = try await service.answers(toAll: users.map { .initialRegistration(vendorID: $0) })
        let requests = users.flatMap { user -> [GameRequest] in
            [
                .statNewGameSession(userID: user), .updateUserWins(userID: user),
                .handleEnergyPurchase(userID: user, energyPurchaseAmount: 30),
            ]
        }
        let answers = try await service.answers(toAll: requests)
        #expect(answers.allSatisfy { $0.httpStatus == 200 })
        for user in users {
            #expect(try await balance(of: user, with: service) == 55)
        }
        let database = try await TestDatabase.shared()
        #expect(try await database.ledgerFaults() == "")
    }
}
