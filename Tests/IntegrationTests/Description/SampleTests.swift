import JulietAPI
import TestSupport
import Testing

/// What types say of themselves is what they write, and what is read.
@Suite("Types and their description", .defaultLayout("about what is written"))
struct SampleTests {
    private static let time = V2.Timestamp(microsecondsSince1970: 1_795_262_400_123_456)
    private static let day = V2.Day(daysSince1970: 20_778)
    private static let hash = String(repeating: "0a", count: 32)
    private static let salt = String(repeating: "0a", count: 16)
    private static let player = V2.Player(
        id: "0f4c7c2e-9c57-4d0e-8a53-0d4d7c0b1231", name: "Zoë", energy: 0, createdAt: time,
        statistics: V2.Statistics(
            played: 9, won: 7, currentStreak: 2, longestStreak: 5, distribution: [0, 1, 2, 3, 1, 0]))
    private static let running = V2.Game(
        id: "g", kind: .game, state: .playing, language: "en", length: 5, guesses: [], commitment: hash,
        startedAt: time)
    private static let over = V2.Game(
        id: "g", kind: .daily, state: .won, language: "en", length: 5,
        guesses: [V2.Guess(word: "music", marks: [.absent, .present, .correct, .correct, .correct])],
        commitment: hash, startedAt: time, endedAt: time, secret: "music", salt: salt, meaning: "sounds in time",
        day: day,
        reward: 5)
    private static let hard = V2.Game(
        id: "g", kind: .archive, isHard: true, state: .playing, language: "en", length: 5, guesses: [],
        commitment: hash, startedAt: time, day: day)
    private static let code = "0123A-4567B-89CDE-FGHJK"
    /// The fullest and the emptiest.
    private static let challenges: [V2.Challenge] = {
        guard let code = V2.ShareCode("H7KQ-2MXP") else { return [] }
        let game = V2.Game(
            id: "g", kind: .challenge, state: .lost, language: "en", length: 5, guesses: [], commitment: hash,
            startedAt: time, endedAt: time, secret: "music", salt: salt, challenge: code, isAnyWord: true,
            hint: "It sounds.")
        let result = V2.ChallengeResult(
            rank: 1, name: "Zoë", state: .lost, guesses: 1, seconds: 0, marks: [[.absent]], isMe: true)
        return [
            V2.Challenge(
                code: code, by: "Ada", isMine: true, isOwnWord: true, language: "en", length: 5, isHard: true,
                commitment: hash, createdAt: time, endsAt: time, players: 1, game: game, results: [result],
                secret: "music", salt: salt, meaning: "sounds in time", isAnyWord: true, hint: "It sounds."),
            V2.Challenge(
                code: code, language: "en", length: 5, commitment: hash, createdAt: time, endsAt: time, players: 0),
        ]
    }()

    private static let review = V2.Review(guesses: [
        V2.ReviewedGuess(
            word: "crane", before: 2269, left: 41, expected: 63.27, best: V2.BestGuess(word: "slate", expected: 58.11)),
        V2.ReviewedGuess(word: "music", before: 1, left: 1, expected: 1),
    ])

    /// Of each type the fullest, and the emptiest where members may be missing.
    static var answers: [any JSONObject] {
        let place = V2.DailyLeaderboard.Entry(rank: 1, name: "Zoë", guesses: 6, seconds: 0, isMe: true)
        let winner = V2.WinsLeaderboard.Entry(rank: 1, name: "Zoë", wins: 1, isMe: false)
        let entry = V2.EnergyEntry(at: time, delta: -5, balance: 0, reason: .game, game: "g")
        let session = V2.Session(id: "s", createdAt: time, lastUsedAt: time, isCurrent: true, by: "apple")
        let passkey = V2.Passkey(
            id: "p", credentialId: "A-_9", name: "P", createdAt: time, lastUsedAt: time, isSynced: true)
        let identity = V2.Identity(provider: "apple", createdAt: time)
        let word = V2.CommittedWord(commitment: hash)
        let next = V2.TomorrowsWord(language: "de", length: 5, commitment: hash, endsAt: time)
        let planned = V2.TomorrowsWord(language: "de", length: 5, commitment: hash, endsAt: time, isPlanned: true)
        let nextZone = V2.Service.NextTimeZone(timeZone: "Europe/Berlin", from: day)
        let nextList = V2.Service.NextList(language: "de", length: 5, from: day)
        let listed = V2.ListedGame(id: "g", kind: .archive, state: .won, guesses: 4)
        let (due, stood) = (V2.Refill(due: 5, nextAt: time), V2.Refill(due: 10))
        var waiting = player
        waiting.refill = due
        let refills = V2.Service.Energy.Refill(amount: 5, every: 14400, upTo: 30)
        let (prices, free) = (
            V2.Service.Energy(price: 5, start: 30, refill: refills, dailyReward: 5),
            V2.Service.Energy(price: 0, start: 0)
        )
        let language = V2.Service.Language(language: "en", length: 5)
        let lettered = V2.Service.Language(language: "tr", length: 4, letters: "iklış")
        let (inPlace, inWord) = (V2.HardRule(letter: "e", position: 3), V2.HardRule(letter: "a", count: 1))
        let league = V2.League(
            id: "l", name: "Us", members: 2, isOwner: true, invite: "9F3K-QX7A", createdAt: time)
        let inviting = V2.Invitation.League(name: "Us", members: 2)
        let member = V2.LeagueMember(id: "m", name: "Zoë", isOwner: true, isMe: true, joinedAt: time)
        let today = V2.LeagueTable.Today(state: .lost, guesses: 1, seconds: 9, marks: [over.guesses[0].marks])
        let member1 = V2.LeagueTable.Entry(
            rank: 1, name: "Zoë", points: 6, played: 2, won: 1, isMe: true, today: today)
        func past(_ tomorrow: V2.CommittedWord?, _ game: V2.Game?) -> V2.PastDay {
            V2.PastDay(
                day: day, language: "en", length: 5, commitment: hash, endsAt: time, isPlanned: game != nil,
                tomorrow: tomorrow, game: game, secret: "music", salt: salt, meaning: game?.meaning,
                players: 0, won: 0, distribution: [0, 0, 0, 0, 0, 0])
        }
        let ofChallenges: [any JSONObject] =
            challenges + challenges.map { V2.MadeChallenge(challenge: $0, energy: 0) }
            + challenges.compactMap(\.game) + challenges.compactMap(\.game).map(V2.ChallengeGame.init)
            + (challenges[0].results ?? []) + [
                V2.ChallengeList(challenges: challenges, next: "1"), V2.ChallengeList(challenges: []),
                V2.ChallengeResult(rank: 1, name: "Zoë", state: .won, guesses: 1, seconds: 0, marks: []),
            ]
        return ofChallenges + [
            V2.Service(
                name: "Juliet", passkeys: true, identityProviders: ["apple"], energy: prices,
                languages: [language, lettered],
                nextList: nextList, nextTimeZone: nextZone, daysGoneBy: true, leagues: true, challenges: true,
                anyWords: true),
            V2.Service(name: "Juliet", energy: free, languages: []), prices, free, refills, language,
            lettered, waiting, due, stood, V2.RefilledEnergy(energy: 25, refill: due), V2.RefilledEnergy(energy: 30),
            player, player.statistics, player.statistics.days, running, over, hard, over.guesses[0],
            V2.PlayerCredentials(
                player: player, token: "jt_" + String(repeating: "a-_", count: 14) + "Z", recoveryCode: code),
            V2.OpenedSession(player: player, token: "jt_" + String(repeating: "a-_", count: 14) + "Z"),
            V2.OpenedSession(
                player: player, token: "jt_" + String(repeating: "a-_", count: 14) + "Z", recoveryCode: code),
            passkey, V2.Passkey(id: "p", credentialId: "AA", name: "P", createdAt: time, isSynced: false),
            V2.PasskeyList(passkeys: [passkey]), V2.RegisteredPasskey(passkey: passkey), identity,
            V2.IdentityList(identities: [identity]), V2.LinkedIdentity(identity: identity),
            V2.Nonce(nonce: "AA", expiresAt: time),
            V2.RenewedRecoveryCode(recoveryCode: code), session, V2.SessionList(sessions: [session]), entry,
            V2.EnergyHistory(entries: [entry], next: "7"), V2.EnergyHistory(entries: []),
            review, review.guesses[0], review.guesses[1], V2.BestGuess(word: "slate", expected: 58.11),
            V2.Review(guesses: []),
            V2.StartedGame(game: running, energy: 25), V2.GameList(games: [running, over], next: "g"),
            V2.GameList(games: []), word,
            V2.DailyWord(day: day, language: "en", length: 5, commitment: hash, endsAt: time, tomorrow: next),
            V2.DailyWord(
                day: day, language: "en", length: 5, commitment: hash, endsAt: time, isPlanned: true, tomorrow: planned,
                game: over), next, planned, nextZone, nextList, past(nil, nil),
            past(word, over), V2.DailyGame(game: over), listed, V2.ListedDay(day: day, language: "en", length: 5),
            V2.ListedDay(day: day, language: "en", length: 5, isPlanned: true, game: listed), V2.DayList(days: []),
            V2.DayList(days: [V2.ListedDay(day: day, language: "en", length: 5)], next: day), inPlace, inWord, place,
            V2.DailyLeaderboard(entries: [place], players: 1, me: place),
            V2.DailyLeaderboard(entries: [], players: 0), winner,
            V2.WinsLeaderboard(entries: [winner], players: 1, me: winner), V2.WinsLeaderboard(entries: [], players: 0),
            V2.Transaction(id: "2000000123", product: "five", quantity: 1, energy: 5),
            V2.CreditedPurchase(
                energy: -25, transaction: V2.Transaction(id: "2", product: "five", quantity: 10, energy: 50)),
            league, V2.League(id: "l", name: "Us", members: 1, isOwner: false, createdAt: time),
            V2.LeagueList(leagues: [league]), V2.JoinedLeague(league: league), V2.RenewedInvite(invite: "9F3K-QX7A"),
            inviting, V2.Invitation(league: inviting), member,
            V2.LeagueMember(id: "m", name: "Zoë", joinedAt: time), V2.LeagueMemberList(members: [member]), today,
            member1, V2.LeagueTable.Entry(rank: 1, name: "Zoë", points: 0, played: 0, won: 0),
            V2.LeagueTable(period: .week, startsOn: day, entries: [member1]),
            V2.LeagueTable(period: .all, entries: [], isWithoutToday: true),
            V2.Problem(
                .gameOver, detail: "d", energy: 1, game: over, retryAfter: 1, path: "/word", reason: "used",
                character: "U+3164 (HANGUL FILLER)", refill: due, rule: inPlace),
            V2.Problem(code: "x", status: 599, title: "X"),
        ]
    }

    private static let proof = V2.IdentityProof(provider: "apple", idToken: "x.y.z", nonce: "AA")
    private static let credential = V2.NewCredential(id: [1], clientDataJSON: [2], attestationObject: [3])
    private static let signed = V2.SignedCredential(
        id: [1], clientDataJSON: [2], authenticatorData: [3], signature: [4], userHandle: [5])

    /// The same of what requests say.
    static let requests: [any V2.Body] = [
        V2.NoMembers(), V2.NewGame(), V2.NewGame(isHard: true, language: "de", length: 5), V2.NewDailyGame(),
        V2.NewDailyGame(isHard: true), V2.NewChallenge(),
        V2.NewChallenge(
            word: "music", language: "en", length: 5, isAnyWord: true, hint: "It sounds.", isHard: true, days: 30),
        V2.NewPlayer(), V2.NewPlayer(name: "Zoë", claim: "A"),
        V2.NewPlayer(identity: proof), V2.SignIn(recoveryCode: code), V2.SignIn(.passkey(signed)),
        V2.SignIn(.identity(proof)), proof, V2.NewPasskey(credential: credential),
        V2.NewPasskey(credential: credential, name: "P"),
        V2.Rename(name: nil), V2.Rename(name: ""), V2.GuessWord(word: "music"), V2.GuessWord(word: "", number: 6),
        V2.NewPurchase(signedTransaction: "x.y.z"), V2.NewLeague(name: "Us"), V2.RenameLeague(name: nil),
        V2.RenameLeague(name: "Us"), V2.JoinLeague(invite: "9F3K-QX7A"), V2.MergePlayer(.token("jt_x")),
        V2.MergePlayer(.way(.recoveryCode(code))), V2.MergePlayer(.way(.passkey(signed))),
        V2.MergePlayer(.way(.identity(proof))), StoreNotification(signedPayload: "x.y.z"),
    ]

    @Test("every type writes what its schema says, no member more and none less")
    func written() throws {
        for sample in Self.answers + Self.requests {
            let (written, name) = (try JSON(sample.encoded()), Self.name(sample))
            #expect(Self.faults(of: written, of: name) == [])
            for member in Self.schema(name).required.items {
                #expect(Self.faults(of: written.without(member.text), of: name) == ["/\(member.text) is missing"])
            }
        }
    }

    @Test("of every member of every type there is a sample")
    func complete() throws {
        var members: [String: Set<String>] = [:]
        for sample in Self.answers + Self.requests {
            members[Self.name(sample), default: []].formUnion(try JSON(sample.encoded()).names)
        }
        for request in Self.appRequests {
            members[request.type.name, default: []].formUnion(try JSON(request.encoded()).names)
        }
        for answer in Self.appAnswers {
            let name = (answer.type?.answerKeys ?? .status).schema.name ?? ""
            members[name, default: []].formUnion(try JSON(answer.encoded()).names)
        }
        // The others are one of several.
        let schemas = APIDocument.checkedIn.json.components.schemas
        let objects = schemas.names.filter { schemas[dynamicMember: $0].type == "object" }
        #expect(Set(members.keys).union(Self.writtenByRecords) == objects)
        for (name, members) in members { #expect(members == Self.schema(name).properties.names, "\(name)") }
    }

    @Test("a request that is described so is taken, with null for what may be missing")
    func taken() throws {
        #expect(throws: Never.self) {
            _ = try V2.NewPlayer.decode(Array(#"{"name": null, "claim": null}"#.utf8).span)
            _ = try V2.Rename.decode(Array(#"{"name": null}"#.utf8).span)
            _ = try V2.RenameLeague.decode(Array(#"{"name": null}"#.utf8).span)
            _ = try V2.NewGame.decode(Array(#"{"hard": null, "language": null, "length": null}"#.utf8).span)
            _ = try V2.NewDailyGame.decode(Array(#"{"hard": null}"#.utf8).span)
            _ = try V2.GuessWord.decode(Array(#"{"word": "music", "number": null}"#.utf8).span)
        }
        for (name, members) in [
            ("NewPlayer", ["name", "claim"]), ("Rename", ["name"]), ("GuessWord", ["number"]),
            ("NewGame", ["hard", "language", "length"]), ("NewDailyGame", ["hard"]),
            ("RenameLeague", ["name"]),
        ] {
            for member in members {
                let types = Self.schema(name).properties[dynamicMember: member].type.items
                #expect(types.last == "null", "\(name).\(member)")
            }
        }
    }

    /// What the records write themselves; the tests of exports hold it against the description.
    private static let writtenByRecords: Set<String> = [
        "Export", "ExportedEnergyEntry", "PlayedWord", "ExportedDailyPlace", "ExportedWinsPlace", "ExportedSession",
        "RememberedKey", "ExportedLeague", "ExportedPurchase", "ExportedNotification", "WonDraw", "ExportedChallenge",
        "ExportedPasskey", "ExportedIdentity", "MergedPlayer",
        // The service's library of WebAuthn writes these, and those that authenticators answer are kept as they came.
        "PasskeyCreation", "PasskeyRequest", "NewCredential", "SignedCredential",
        // So does the module of the lottery: `ExampleTests`.
        "LotteryDraw", "LotteryEntries", "LotteryEntry", "LotteryFailure", "LotteryLanding", "LotteryLoading",
        "LotteryNoWinner", "LotteryPlace", "LotteryRound", "LotteryShownRound", "LotteryUser", "LotteryUsers",
        "LotteryWinner",
    ]

    /// One request of each type, and one that may say more.
    static let appRequests: [GameRequest] = [
        .initialRegistration(vendorID: "u"), .fetchNewSecretWord(userID: "u"),
        .updateUserPlayedWordsList(userID: "u", playedWord: "music"), .updateUserEnergy(userID: "u", userEnergy: 0),
        .singleGameEnergyUpdate(userID: "u"), .handleEnergyPurchase(userID: "u", energyPurchaseAmount: 5),
        .handleSignedEnergyPurchase(userID: "u", energyPurchaseAmount: 5, signedTransaction: "x.y.z"),
        .fetchUserWins(userID: "u"), .updateUserWins(userID: "u"), .statNewGameSession(userID: "u"),
    ]

    /// A success and a failure of each type, and a failure of a type that could not be told.
    static let appAnswers: [Answer] =
        [
            .done(.initialRegistration), .done(.updateUserPlayedWordsList), .word("music"),
            .game(balance: 0, word: "music"),
            .energy(.updateUserEnergy, balance: 5), .wins(.fetchUserWins, count: 1),
        ] + RequestType.allCases.map { .failed(.serverUnavailable, type: $0) } + [.failed(.typeMissing, type: nil)]

    @Test("the published app's requests and answers are what their URL's schemas say")
    func app() throws {
        let document = APIDocument.checkedIn
        for request in Self.appRequests {
            let operation = document.operation("POST", request.type.endpoint.path)
            let schema = operation.requestBody.content[dynamicMember: "application/json"].schema
            #expect(document.faults(of: try JSON(request.encoded()), by: schema) == [])
        }
        for answer in Self.appAnswers {
            let operation = document.operation("POST", (answer.type?.endpoint ?? .iapManager).path)
            let response = operation.responses[dynamicMember: "\(answer.httpStatus)"]
            let schema = response.content[dynamicMember: "application/json"].schema
            #expect(document.faults(of: try JSON(answer.encoded()), by: schema) == [])
        }
    }

    private static func name<Sample: JSONObject>(_: Sample) -> String { Sample.schema.name ?? "" }

    private static func schema(_ name: String) -> JSON {
        APIDocument.checkedIn.json.components.schemas[dynamicMember: name]
    }

    private static func faults(of value: JSON, of name: String) -> [String] {
        APIDocument.checkedIn.faults(of: value, by: schema(name))
    }
}

extension JSON {
    fileprivate func without(_ name: String) -> JSON {
        guard case .object(var members) = self else { return self }
        members[name] = nil
        return .object(members)
    }
}
