import JulietAPI

/// The table of the contract: every request type and every outcome, as stories of players.
enum Contract {
    private typealias Request = @Sendable (String) -> GameRequest

    private static let enroll: Request = { .initialRegistration(vendorID: $0) }
    private static let dealWord: Request = { .fetchNewSecretWord(userID: $0) }
    private static let pay: Request = { .singleGameEnergyUpdate(userID: $0) }
    private static let readWins: Request = { .fetchUserWins(userID: $0) }
    private static let win: Request = { .updateUserWins(userID: $0) }
    private static let start: Request = { .statNewGameSession(userID: $0) }
    /// Buys what is not on sale: refused with the balance as it stands, so it reads the balance.
    private static let readEnergy: Request = buy(7)

    private static func played(_ word: String) -> Request {
        { .updateUserPlayedWordsList(userID: $0, playedWord: word) }
    }

    private static func report(_ energy: Int) -> Request {
        { .updateUserEnergy(userID: $0, userEnergy: energy) }
    }

    private static func buy(_ amount: Int) -> Request {
        { .handleEnergyPurchase(userID: $0, energyPurchaseAmount: amount) }
    }

    private static let registered = ContractCase.Step(enroll, 200, #"{"dynamoDBInvocationHttpsStatusCode":200}"#)

    private static func balance(_ energy: Int) -> ContractCase.Step {
        refusal(readEnergy, energy: energy, "product.unknown")
    }

    private static func energy(_ request: @escaping Request, _ energy: Int) -> ContractCase.Step {
        .init(request, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":\#(energy)}"#)
    }

    private static func refusal(_ request: @escaping Request, energy: Int, _ error: String) -> ContractCase.Step {
        .init(request, 404, #"{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":\#(energy)}"#, error: error)
    }

    static let registration: [ContractCase] = [
        .init(
            "a new player has 30 energy, no wins", registered, balance(30),
            .init(readWins, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userWins":0}"#)),
        .init(
            "registering again changes and grants nothing", registered, energy(pay, 25), registered, balance(25),
            energy(pay, 20), registered, registered, balance(20)),
        .init("registering again keeps a balance of 0", registered, energy(report(0), 0), registered, balance(0)),
        .init(
            "registering again keeps wins", registered,
            .init(win, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userWins":1}"#), registered,
            .init(readWins, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userWins":1}"#)),
    ]

    static let freeWords: [ContractCase] = [
        .init("a registered player is dealt a word", registered, .init(dealWord, 200, #"{"secretWord":*}"#)),
        .init(
            "words are free", registered, .init(dealWord, 200, #"{"secretWord":*}"#),
            .init(dealWord, 200, #"{"secretWord":*}"#),
            .init(dealWord, 200, #"{"secretWord":*}"#), balance(30)),
        .init(
            "words are dealt at 0 energy", registered, energy(report(0), 0), .init(dealWord, 200, #"{"secretWord":*}"#),
            balance(0)),
        .init(
            "an unknown player gets a secret of ours from memory, and is not made known",
            .init(dealWord, 404, outer: 404, #"{"secretWord":*}"#, error: "user.unknown"),
            .init(dealWord, 404, outer: 404, #"{"secretWord":*}"#, error: "user.unknown"),
            .init(readWins, 404, #"{"dynamoDBInvocationHttpsStatusCode":404,"userWins":0}"#, error: "user.unknown")),
    ]

    static let playedWords: [ContractCase] = [
        .init(
            "a word of ours, in lower case", registered,
            .init(played("vapor"), 200, #"{"dynamoDBInvocationHttpsStatusCode":200}"#)),
        .init("in upper case", registered, .init(played("VAPOR"), 200, #"{"dynamoDBInvocationHttpsStatusCode":200}"#)),
        .init("in mixed case", registered, .init(played("vApOr"), 200, #"{"dynamoDBInvocationHttpsStatusCode":200}"#)),
        .init(
            "again is a no-op", registered, .init(played("vapor"), 200, #"{"dynamoDBInvocationHttpsStatusCode":200}"#),
            .init(played("vapor"), 200, #"{"dynamoDBInvocationHttpsStatusCode":200}"#),
            .init(played("VAPOR"), 200, #"{"dynamoDBInvocationHttpsStatusCode":200}"#)),
        .init(
            "a word that was never dealt", registered,
            .init(played("drunk"), 200, #"{"dynamoDBInvocationHttpsStatusCode":200}"#)),
        .init(
            "not a word of ours", registered,
            .init(played("zzzzz"), 404, #"{"dynamoDBInvocationHttpsStatusCode":404}"#, error: "word.unknown")),
        .init(
            "not a word of ours: a blank around it", registered,
            .init(played("vapor "), 404, #"{"dynamoDBInvocationHttpsStatusCode":404}"#, error: "word.unknown")),
        .init(
            "not a word of ours: empty", registered,
            .init(played(""), 404, #"{"dynamoDBInvocationHttpsStatusCode":404}"#, error: "word.unknown")),
        .init(
            "not a word of ours: a wild card", registered,
            .init(played("%"), 404, #"{"dynamoDBInvocationHttpsStatusCode":404}"#, error: "word.unknown")),
        .init(
            "not a word of ours: SQL", registered,
            .init(
                played("'; DROP TABLE words; --"), 404, #"{"dynamoDBInvocationHttpsStatusCode":404}"#,
                error: "word.unknown")),
        .init(
            "not a word of ours: other letters", registered,
            .init(played("größe"), 404, #"{"dynamoDBInvocationHttpsStatusCode":404}"#, error: "word.unknown")),
        .init(
            "not a word of ours: ten thousand letters", registered,
            .init(
                played(String(repeating: "a", count: 10_000)), 404, #"{"dynamoDBInvocationHttpsStatusCode":404}"#,
                error: "word.unknown")),
        .init(
            "an unknown player",
            .init(played("vapor"), 404, #"{"dynamoDBInvocationHttpsStatusCode":404}"#, error: "user.unknown")),
    ]

    static let energyReports: [ContractCase] = [
        .init("less is taken over", registered, energy(report(10), 10), balance(10)),
        .init("more is taken over", registered, energy(report(100), 100), balance(100)),
        .init("the same is taken over", registered, energy(report(30), 30), balance(30)),
        .init("nothing is taken over", registered, energy(report(0), 0), balance(0)),
        .init("up to the maximum", registered, energy(report(1_000_000), 1_000_000), balance(1_000_000)),
        .init(
            "above the maximum it stays at the maximum", registered, energy(report(1_000_001), 1_000_000),
            balance(1_000_000)),
        .init(
            "a report beyond any integer of the database", registered, energy(report(.max), 1_000_000),
            balance(1_000_000)),
        .init(
            "an unknown player", refusal(report(10), energy: 0, "user.unknown"), refusal(pay, energy: 0, "user.unknown")
        ),
    ]

    static let payments: [ContractCase] = [
        .init(
            "six games of 5 on 30", registered, energy(pay, 25), energy(pay, 20), energy(pay, 15), energy(pay, 10),
            energy(pay, 5), energy(pay, 0),
            refusal(pay, energy: 0, "energy.insufficient"), balance(0)),
        .init(
            "4 do not pay for a game", registered, energy(report(4), 4), refusal(pay, energy: 4, "energy.insufficient"),
            balance(4)),
        .init("5 do", registered, energy(report(5), 5), energy(pay, 0), refusal(pay, energy: 0, "energy.insufficient")),
        .init(
            "a refused payment is paid after a purchase", registered, energy(report(1), 1),
            refusal(pay, energy: 1, "energy.insufficient"), energy(buy(5), 6), energy(pay, 1)),
        .init("an unknown player", refusal(pay, energy: 0, "user.unknown")),
    ]

    static let purchases: [ContractCase] = [
        .init("5", registered, energy(buy(5), 35), balance(35)),
        .init("30", registered, energy(buy(30), 60), balance(60)),
        .init(
            "each purchase counts", registered, energy(buy(5), 35), energy(buy(5), 40), energy(buy(30), 70),
            energy(buy(5), 75)),
        .init("at 0", registered, energy(report(0), 0), energy(buy(30), 30)),
        .init(
            "beyond the maximum a client may report", registered, energy(report(1_000_000), 1_000_000),
            energy(buy(30), 1_000_030), balance(1_000_030)),
        .init("0 is not on sale", registered, refusal(buy(0), energy: 30, "product.unknown"), balance(30)),
        .init("-5 is not on sale", registered, refusal(buy(-5), energy: 30, "product.unknown"), balance(30)),
        .init("6 is not on sale", registered, refusal(buy(6), energy: 30, "product.unknown"), balance(30)),
        .init("35 is not on sale", registered, refusal(buy(35), energy: 30, "product.unknown"), balance(30)),
        .init(
            "2^32 + 5 is not on sale", registered, refusal(buy(4_294_967_301), energy: 30, "product.unknown"),
            balance(30)),
        .init(
            "the largest integer is not on sale", registered, refusal(buy(.max), energy: 30, "product.unknown"),
            balance(30)),
        .init(
            "the lowest integer is not on sale", registered, refusal(buy(.min), energy: 30, "product.unknown"),
            balance(30)),
        .init("an unknown player", refusal(buy(5), energy: 0, "user.unknown"), refusal(pay, energy: 0, "user.unknown")),
        .init("an unknown player and product", refusal(buy(7), energy: 0, "user.unknown")),
        .init("an unknown player and the largest integer", refusal(buy(.max), energy: 0, "user.unknown")),
    ]

    static let wins: [ContractCase] = [
        .init(
            "0 at first", registered, .init(readWins, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userWins":0}"#)),
        .init(
            "each win counts one", registered,
            .init(win, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userWins":1}"#),
            .init(win, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userWins":2}"#),
            .init(win, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userWins":3}"#),
            .init(readWins, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userWins":3}"#)),
        .init(
            "wins cost nothing", registered,
            .init(win, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userWins":1}"#), balance(30)),
        .init(
            "reading the wins of an unknown player",
            .init(readWins, 404, #"{"dynamoDBInvocationHttpsStatusCode":404,"userWins":0}"#, error: "user.unknown")),
        .init(
            "a win of an unknown player",
            .init(win, 404, #"{"dynamoDBInvocationHttpsStatusCode":404,"userWins":0}"#, error: "user.unknown"),
            .init(readWins, 404, #"{"dynamoDBInvocationHttpsStatusCode":404,"userWins":0}"#, error: "user.unknown")),
    ]

    static let games: [ContractCase] = [
        .init(
            "six games of 5 on 30", registered,
            .init(start, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":25,"secretWord":*}"#),
            .init(start, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":20,"secretWord":*}"#),
            .init(start, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":15,"secretWord":*}"#),
            .init(start, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":10,"secretWord":*}"#),
            .init(start, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":5,"secretWord":*}"#),
            .init(start, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":0,"secretWord":*}"#),
            .init(
                start, 404, #"{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":0,"secretWord":[]}"#,
                error: "energy.insufficient"), balance(0)),
        .init(
            "4 do not pay for a game, and no word is dealt", registered, energy(report(4), 4),
            .init(
                start, 404, #"{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":4,"secretWord":[]}"#,
                error: "energy.insufficient"), balance(4)),
        .init(
            "5 do", registered, energy(report(5), 5),
            .init(start, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":0,"secretWord":*}"#)),
        .init(
            "an unknown player",
            .init(
                start, 404, #"{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":0,"secretWord":[]}"#,
                error: "user.unknown"),
            refusal(pay, energy: 0, "user.unknown")),
    ]

    static let lowerOnly: [ContractCase] = [
        .init("less is taken over", registered, energy(report(10), 10), balance(10)),
        .init(
            "more is answered with the true balance", registered, energy(report(31), 30), energy(report(.max), 30),
            balance(30)),
        .init("the same changes nothing", registered, energy(report(30), 30)),
        .init("what was lowered stays lowered", registered, energy(report(0), 0), energy(report(30), 0), balance(0)),
        .init(
            "purchases raise all the same", registered, energy(report(0), 0), energy(buy(5), 5), energy(report(30), 5)),
        .init("an unknown player", refusal(report(10), energy: 0, "user.unknown")),
    ]

    static let refuse: [ContractCase] = [
        .init(
            "every report is answered with the true balance", registered,
            refusal(report(10), energy: 30, "energy.clientUpdates.refused"),
            refusal(report(100), energy: 30, "energy.clientUpdates.refused"),
            refusal(report(30), energy: 30, "energy.clientUpdates.refused"), balance(30)),
        .init(
            "games and purchases go on", registered, energy(pay, 25), energy(buy(30), 55),
            refusal(report(1), energy: 55, "energy.clientUpdates.refused")),
        .init("an unknown player", refusal(report(10), energy: 0, "user.unknown")),
    ]

    static let register: [ContractCase] = [
        .init("fetchNewSecretWord registers", .init(dealWord, 200, #"{"secretWord":*}"#), balance(30)),
        .init(
            "updateUserPlayedWordsList registers",
            .init(played("vapor"), 200, #"{"dynamoDBInvocationHttpsStatusCode":200}"#), balance(30)),
        .init("updateUserEnergy registers", energy(report(12), 12), balance(12)),
        .init("singleGameEnergyUpdate registers", energy(pay, 25), energy(pay, 20)),
        .init("handleEnergyPurchase registers", energy(buy(5), 35)),
        .init("a refused purchase registers", refusal(buy(7), energy: 30, "product.unknown")),
        .init(
            "fetchUserWins registers", .init(readWins, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userWins":0}"#),
            balance(30)),
        .init(
            "updateUserWins registers", .init(win, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userWins":1}"#),
            balance(30)),
        .init(
            "statNewGameSession registers",
            .init(start, 200, #"{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":25,"secretWord":*}"#), balance(25)
        ),
        .init("initialRegistration afterwards grants nothing", energy(pay, 25), registered, balance(25)),
    ]
}
