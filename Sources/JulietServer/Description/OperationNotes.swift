import JulietAPI

/// What readers of the API's description are told of an operation beyond what its route says: what a repeat does, and what a request
/// and an answer look like.
struct OperationNotes: Sendable {
    /// Some sentences, in Markdown.
    let text: String
    /// A request's body, JSON; nil: it has none.
    var request: [UInt8]?
    /// The bodies of answers, JSON, by status.
    var answers: [Int: [UInt8]] = [:]

    /// What `JulietClient` asks it with; a test compiles each.
    private(set) var swift: String?

    /// What is told of an operation; nil: nothing. A test wants notes for each.
    static func of(_ operation: String) -> OperationNotes? {
        var notes = all[operation]
        notes?.swift = requests[operation]
        return notes
    }

    /// By the operation's name. Without a token the call ends here; with one `.authorized(by: token)` follows.
    private static let requests: [String: String] = [
        "readService": "FetchService()",
        "createPlayer": #"CreatePlayer(name: "Ada")"#,
        "readPlayer": "FetchPlayer().authorized(by: token)",
        "renamePlayer": #"RenamePlayer(name: "Ada").authorized(by: token)"#,
        "deletePlayer": "DeletePlayer().authorized(by: token)",
        "listEnergy": "FetchEnergyHistory().authorized(by: token)",
        "takeRefill": "TakeRefill().authorized(by: token)",
        "mergePlayer": #"MergePlayer(recoveryCode: "2CH1D-2MND2-1VX5R-5M2XY").authorized(by: token)"#,
        "exportPlayer": "ExportPlayer().authorized(by: token)",
        "renewRecoveryCode": "RenewRecoveryCode().authorized(by: token)",
        "signIn": #"SignIn(recoveryCode: "2CH1D-2MND2-1VX5R-5M2XY")"#,
        "listSessions": "ListSessions().authorized(by: token)",
        "endOtherSessions": "RevokeOtherSessions().authorized(by: token)",
        "readSignInOptions": "FetchSignInOptions()",
        "readPasskeyOptions": "FetchPasskeyOptions().authorized(by: token)",
        "registerPasskey": "RegisterPasskey(credential: credential).authorized(by: token)",
        "listPasskeys": "ListPasskeys().authorized(by: token)",
        "deletePasskey": "DeletePasskey(passkey: passkey).authorized(by: token)",
        "makeNonce": "MakeNonce()",
        "linkIdentity": "LinkIdentity(identity: identity).authorized(by: token)",
        "listIdentities": "ListIdentities().authorized(by: token)",
        "unlinkIdentity": #"UnlinkIdentity(provider: "apple").authorized(by: token)"#,
        "endSession": "RevokeSession(session: .current).authorized(by: token)",
        "startGame": "StartJudgedGame().authorized(by: token)",
        "listGames": "ListGames(state: .playing).authorized(by: token)",
        "readGame": "FetchGame(game: game).authorized(by: token)",
        "guess": #"SubmitGuess(game: game, word: "mucus", number: 1).authorized(by: token)"#,
        "resign": "ResignGame(game: game).authorized(by: token)",
        "readToday": "FetchDailyWord()",
        "startDaily": "StartDailyGame().authorized(by: token)",
        "readDay": "FetchPastDay(day: day)",
        "listDays": "ListDays()",
        "startArchive": "StartArchiveGame(day: day).authorized(by: token)",
        "readDailyLeaderboard": "FetchDailyLeaderboard(day: day)",
        "readWinsLeaderboard": "FetchWinsLeaderboard(period: .week)",
        "presentPurchase": "PresentPurchase(signedTransaction: signed).authorized(by: token)",
        "makeChallenge": "MakeChallenge(days: 7).authorized(by: token)",
        "listChallenges": "ListChallenges().authorized(by: token)",
        "readChallenge": "FetchChallenge(code: code).authorized(by: token)",
        "startChallenge": "StartChallengeGame(code: code).authorized(by: token)",
        "deleteChallenge": "DeleteChallenge(code: code).authorized(by: token)",
        "createLeague": #"CreateLeague(name: "Family").authorized(by: token)"#,
        "listLeagues": "ListLeagues().authorized(by: token)",
        "readLeague": "FetchLeague(league: league).authorized(by: token)",
        "renameLeague": #"RenameLeague(league: league, name: "Family").authorized(by: token)"#,
        "endLeague": "EndLeague(league: league).authorized(by: token)",
        "renewInvite": "RenewInvite(league: league).authorized(by: token)",
        "readInvite": "FetchInvitation(invite: code)",
        "joinLeague": #"JoinLeague(invite: "9F3K-QX7A").authorized(by: token)"#,
        "listLeagueMembers": "ListLeagueMembers(league: league).authorized(by: token)",
        "removeLeagueMember": "RemoveLeagueMember(league: league, member: .me).authorized(by: token)",
        "readLeagueTable": "FetchLeagueTable(league: league, period: .week).authorized(by: token)",
    ]

    private init(_ text: String, request: (any V2.Body)? = nil, answers: [Int: [UInt8]] = [:]) {
        self.text = text
        self.request = request?.encoded()
        self.answers = answers
    }

    private init(
        _ text: String, request: (any V2.Body)? = nil, answers statuses: [Int] = [200], _ answer: any JSONObject
    ) {
        self.init(
            text, request: request, answers: Dictionary(uniqueKeysWithValues: statuses.map { ($0, answer.encoded()) }))
    }

    private static let all: [String: OperationNotes] = {
        typealias Sample = OperationSamples
        let (game, over, daily) = (Sample.game, Sample.gameOver, Sample.daily)
        return players.merging(friends) { $1 }.merging(waysIn) { $1 }.merging([
            "startGame": OperationNotes(
                """
                The word is one that the player has not played; when all are played, the one played longest ago. \
                Send an `Idempotency-Key`: a repeat with the same key gets the first answer. Without a key a repeat \
                is 409 `game-unfinished` with the game, and nothing is paid twice.
                """,
                request: V2.NewGame(), answers: [201], V2.StartedGame(game: game, energy: 25)),
            "listGames": OperationNotes(
                "All kinds of games, unless `kind` names one. `next` is the `before` of the next page.",
                V2.GameList(games: [game, over])),
            "readGame": OperationNotes("`secret` and `salt` are there when the game is over.", over),
            "guess": OperationNotes(
                """
                Send `number`, which guess it is, from 1 to 6: then a repeat answers the game as it stands. Without \
                `number` an `Idempotency-Key` does the same. A word that is not on the list (`word-unknown`), or \
                that leaves out what is known in a hard game (`guess-hard`), does not count.
                """,
                request: V2.GuessWord(word: "mucus", number: 1), Sample.guessed),
            "resign": OperationNotes(
                "The game is lost, and its word is told. A repeat answers the game as it stands.",
                request: V2.NoMembers(), Sample.resigned),
            "readToday": OperationNotes(
                "With a token `game` is the player's, if they have begun it. The day ends at 00:00 UTC.", Sample.today),
            "startDaily": OperationNotes(
                "One game for each player and day. A repeat is 200 and answers the same game.",
                request: V2.NewGame(),
                answers: [201, 200], V2.DailyGame(game: daily)),
            "readDay": OperationNotes(
                """
                Who ended the game on its day, and how. These figures never change. Today, a day to come and one \
                that had no word are 404.
                """, Sample.pastDay),
            "listDays": OperationNotes(
                "`before` is a day. With a token `game` is the player's game of that day.",
                V2.DayList(days: [Sample.listedDay, V2.ListedDay(day: Sample.yesterday)])),
            "startArchive": OperationNotes(
                """
                Such a game counts nowhere. One for each player and day: a repeat is 200 and answers the same game, \
                and whoever began the game on its day gets that one.
                """,
                request: V2.NewGame(),
                answers: [201, 200], V2.DailyGame(game: Sample.archive)),
            "readDailyLeaderboard": OperationNotes(
                "Equals share a rank: 1, 1, 3. `around=me` puts the player's own entry in the middle.",
                Sample.dailyBoard),
            "readWinsLeaderboard": OperationNotes(
                "Wins of judged games since the period began, in UTC; a week begins on Monday. `all` unless `period` is given.",
                Sample.winsBoard),
            "presentPurchase": OperationNotes(
                """
                `signedTransaction` is StoreKit's `jwsRepresentation`. A transaction is credited once: a repeat is \
                200 with the same `transaction` and the balance of now.
                """,
                request: V2.NewPurchase(
                    signedTransaction: "eyJhbGciOiJFUzI1NiIsIng1YyI6WyIuLi4iXX0.eyJ0eXAiOiIuLi4ifQ.c2ln"),
                answers: [201, 200], Sample.purchase),
        ]) { $1 }
    }()

    private static var friends: [String: OperationNotes] {
        typealias Sample = OperationSamples
        let joined = V2.JoinedLeague(league: Sample.league)
        return [
            "makeChallenge": OperationNotes(
                """
                Without `word` one is dealt, and the maker plays like everybody; with it the maker does not play. Send an \
                `Idempotency-Key`: a repeat with the same key gets the first answer. Without a key each request makes and pays \
                for another challenge.
                """,
                request: V2.NewChallenge(word: nil, isHard: false, days: 7), answers: [201],
                V2.MadeChallenge(challenge: Sample.challenge, energy: 25)),
            "listChallenges": OperationNotes(
                "As the single one, without `results`. `next` is the `before` of the next page.",
                V2.ChallengeList(challenges: [Sample.challenge])),
            "readChallenge": OperationNotes(
                """
                `results`, `secret` and `salt` are there for who has ended their game, for the maker of an own word, and for \
                all after `endsAt`. Send the `ETag` as `If-None-Match`: 304 while nothing has changed.
                """,
                Sample.challengeSeen),
            "startChallenge": OperationNotes(
                "One game for each player and challenge. A repeat is 200 and answers the same game, over or not.",
                request: V2.NoMembers(),
                answers: [201, 200], V2.ChallengeGame(game: Sample.challengeGame)),
            "deleteChallenge": OperationNotes(
                "The games that friends began stay theirs. A repeat is 404: it was done."),
            "createLeague": OperationNotes(
                """
                Send an `Idempotency-Key`: a repeat with the same key gets the first answer. Without a key each request creates \
                another league. `invite` is for the owner alone.
                """,
                request: V2.NewLeague(name: "Family"), answers: [201], joined),
            "listLeagues": OperationNotes(
                "In the order in which the player joined them; twenty at most.", V2.LeagueList(leagues: [Sample.league])
            ),
            "readLeague": OperationNotes("`invite` is there for the owner alone.", Sample.league),
            "renameLeague": OperationNotes(
                "A name is trimmed and normalised (NFC), then has 1 to 40 characters. `{}` changes nothing.",
                request: V2.RenameLeague(name: "Family"), Sample.league),
            "endLeague": OperationNotes(
                "Its members are in it no more; nothing else changes. A repeat is 404: it was done."),
            "renewInvite": OperationNotes(
                "Not to be repeated: each request makes another invite, whatever its `Idempotency-Key` says.",
                request: V2.NoMembers(), answers: [201], V2.RenewedInvite(invite: "9F3K-QX7A")),
            "readInvite": OperationNotes(
                "The name and the number of members, before one joins. Too many unknown codes from one address are 429.",
                V2.Invitation(league: V2.Invitation.League(name: "Family", members: 2))),
            "joinLeague": OperationNotes(
                "A member gets the same answer, so a repeat is harmless.", request: V2.JoinLeague(invite: "9F3K-QX7A"),
                joined),
            "listLeagueMembers": OperationNotes(
                "By `joinedAt`. `id` is the membership's, never the player's.",
                V2.LeagueMemberList(members: [Sample.leagueMember])),
            "removeLeagueMember": OperationNotes(
                "When the owner goes, the longest member owns the league. A repeat is 404: it was done."),
            "readLeagueTable": OperationNotes(
                """
                6 points for a word of the day that was found with one guess, 1 for one with six. `today` of the others is \
                there for who has ended today's word. Send the `ETag` as `If-None-Match`: 304 while nothing has changed.
                """,
                Sample.leagueTable),
        ]
    }

    private static var waysIn: [String: OperationNotes] {
        typealias Sample = OperationSamples
        return [
            "readSignInOptions": OperationNotes(
                "For `navigator.credentials.get()`. Any passkey of the service will do; the challenge is good once.",
                request: V2.NoMembers(), answers: [200: Sample.passkeyRequest]),
            "readPasskeyOptions": OperationNotes(
                "For `navigator.credentials.create()`. The challenge is this player's, and good once.",
                request: V2.NoMembers(), answers: [200: Sample.passkeyCreation]),
            "registerPasskey": OperationNotes(
                """
                `credential` is what the browser's `toJSON()` gives. The attestation statement is not looked at. Not to be \
                repeated: a challenge is good once. If the answer is lost, list the passkeys.
                """,
                request: V2.NewPasskey(credential: Sample.newCredential, name: "Ada's phone"), answers: [201],
                V2.RegisteredPasskey(passkey: Sample.passkey)),
            "listPasskeys": OperationNotes(
                "Newest first, twenty at most; `lastUsedAt` is cut to the hour.",
                V2.PasskeyList(passkeys: [Sample.passkey])),
            "deletePasskey": OperationNotes("Sessions that it opened go on. A repeat is 404: it was done."),
            "makeNonce": OperationNotes(
                """
                Hand it to the provider, as it is or as the lower-case hex of its SHA-256, and send it with the token that \
                the provider signs.
                """,
                request: V2.NoMembers(), answers: [201], Sample.nonce),
            "linkIdentity": OperationNotes(
                """
                Send an `Idempotency-Key`: a repeat with the same key gets the first answer. Without a key a repeat is 422 \
                with the reason `nonce`. A 409 leaves the nonce good.
                """,
                request: Sample.proof, answers: [201, 200], V2.LinkedIdentity(identity: Sample.identity)),
            "listIdentities": OperationNotes(
                "Newest first. A provider that the service no longer knows is listed, and signs nobody in.",
                V2.IdentityList(identities: [Sample.identity])),
            "unlinkIdentity": OperationNotes(
                "Sessions that it opened go on, and the provider is not told. A repeat is 404: it was done."),
        ]
    }

    private static var players: [String: OperationNotes] {
        typealias Sample = OperationSamples
        return [
            "readService": OperationNotes(
                "What is switched off is `false`, empty or left out.", Sample.service),
            "createPlayer": OperationNotes(
                """
                Not to be repeated: each request makes another player, whatever its `Idempotency-Key` says. Keep \
                `token` where secrets are kept, and show `recoveryCode` to the player. Neither can be read again.
                """,
                request: V2.NewPlayer(name: "Ada"), answers: [201], Sample.credentials),
            "readPlayer": OperationNotes(
                "`refill` is left out when nothing is due and nothing will be.", Sample.player),
            "renamePlayer": OperationNotes(
                "A name is trimmed and normalised (NFC), then has 1 to 24 characters. Names are not unique. `{}` changes nothing.",
                request: V2.Rename(name: "Ada"), Sample.player),
            "deletePlayer": OperationNotes(
                "What stays for the books cannot be joined to the player. A repeat is 401: it was done."),
            "listEnergy": OperationNotes(
                "The sum of all `delta` is the balance. `next` is the `before` of the next page.",
                V2.EnergyHistory(entries: Sample.entries)),
            "takeRefill": OperationNotes(
                """
                Send an `Idempotency-Key`: a repeat with the same key gets the first answer. Without a key a repeat \
                is 409, and nothing is given twice.
                """,
                request: V2.NoMembers(), V2.RefilledEnergy(energy: 30)),
            "mergePlayer": OperationNotes(
                """
                One member says who the other is. Games, purchases, challenges, leagues and ways in are the caller's then; of \
                energy what was bought, won or given by support comes over. Send an `Idempotency-Key`: a repeat with the \
                same key gets the first answer. Without a key a repeat is 401, since the other is gone.
                """,
                request: V2.MergePlayer(.way(.recoveryCode(Sample.recoveryCode))), Sample.player),
            "exportPlayer": OperationNotes(
                "Lists have the oldest first. The word of a running game is not in it.", answers: [200: Sample.export]),
            "renewRecoveryCode": OperationNotes(
                "Not to be repeated: each request makes another code, whatever its `Idempotency-Key` says, and ends the one before.",
                request: V2.NoMembers(), answers: [201], V2.RenewedRecoveryCode(recoveryCode: Sample.recoveryCode)),
            "signIn": OperationNotes(
                """
                By a recovery code: it is used up, and the answer has the next one. Not to be repeated: if the answer is \
                lost, sign in with a device that is left and make a new code there. By a passkey or an identity: its \
                challenge or nonce is used up, so ask for another one. An `Idempotency-Key` does not help.
                """,
                request: V2.SignIn(recoveryCode: Sample.recoveryCode), answers: [201], Sample.signedIn),
            "endOtherSessions": OperationNotes("The one that asks goes on. A repeat is harmless."),
            "listSessions": OperationNotes(
                "Newest first; `lastUsedAt` is cut to the hour.", V2.SessionList(sessions: [Sample.session])),
            "endSession": OperationNotes("A repeat is 404: it was done. `current` signs the caller out."),
        ]
    }
}
