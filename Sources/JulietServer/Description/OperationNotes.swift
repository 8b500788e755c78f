/// What readers of the API's description are told of an operation beyond what its route says: what a repeat does, and what asks
/// for it in Swift.
enum OperationNotes {
    /// Some sentences, in Markdown; nil: nothing. A test wants some for each.
    static func text(of operation: String) -> String? { texts[operation] }

    /// What `JulietClient` asks it with; nil: nothing. A test compiles each.
    static func swift(of operation: String) -> String? { requests[operation] }

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

    private static let texts: [String: String] = [
        "startGame":
            """
        The word is one that the player has not played; when all are played, the one played longest ago. \
        Send an `Idempotency-Key`: a repeat with the same key gets the first answer. Without a key a repeat \
        is 409 `game-unfinished` with the game, and nothing is paid twice.
        """,
        "listGames": "All kinds of games, unless `kind` names one. `next` is the `before` of the next page.",
        "readGame": "`secret` and `salt` are there when the game is over.",
        "guess":
            """
        Send `number`, which guess it is, from 1 to 6: then a repeat answers the game as it stands. Without \
        `number` an `Idempotency-Key` does the same. A word that is not on the list (`word-unknown`), or \
        that leaves out what is known in a hard game (`guess-hard`), does not count.
        """,
        "resign": "The game is lost, and its word is told. A repeat answers the game as it stands.",
        "readToday": "With a token `game` is the player's, if they have begun it. The day ends at 00:00 UTC.",
        "startDaily": "One game for each player and day. A repeat is 200 and answers the same game.",
        "readDay":
            """
        Who ended the game on its day, and how. These figures never change. Today, a day to come and one \
        that had no word are 404.
        """,
        "listDays": "`before` is a day. With a token `game` is the player's game of that day.",
        "startArchive":
            """
        Such a game counts nowhere. One for each player and day: a repeat is 200 and answers the same game, \
        and whoever began the game on its day gets that one.
        """,
        "readDailyLeaderboard": "Equals share a rank: 1, 1, 3. `around=me` puts the player's own entry in the middle.",
        "readWinsLeaderboard":
            "Wins of judged games since the period began, in UTC; a week begins on Monday. `all` unless `period` is given.",
        "presentPurchase":
            """
        `signedTransaction` is StoreKit's `jwsRepresentation`. A transaction is credited once: a repeat is \
        200 with the same `transaction` and the balance of now.
        """,
        "makeChallenge":
            """
        Without `word` one is dealt, and the maker plays like everybody; with it the maker does not play. Send an \
        `Idempotency-Key`: a repeat with the same key gets the first answer. Without a key each request makes and pays \
        for another challenge.
        """,
        "listChallenges": "As the single one, without `results`. `next` is the `before` of the next page.",
        "readChallenge":
            """
        `results`, `secret` and `salt` are there for who has ended their game, for the maker of an own word, and for \
        all after `endsAt`. Send the `ETag` as `If-None-Match`: 304 while nothing has changed.
        """,
        "startChallenge":
            "One game for each player and challenge. A repeat is 200 and answers the same game, over or not.",
        "deleteChallenge": "The games that friends began stay theirs. A repeat is 404: it was done.",
        "createLeague":
            """
        Send an `Idempotency-Key`: a repeat with the same key gets the first answer. Without a key each request creates \
        another league. `invite` is for the owner alone.
        """,
        "listLeagues": "In the order in which the player joined them; twenty at most.",
        "readLeague": "`invite` is there for the owner alone.",
        "renameLeague": "A name is trimmed and normalised (NFC), then has 1 to 40 characters. `{}` changes nothing.",
        "endLeague": "Its members are in it no more; nothing else changes. A repeat is 404: it was done.",
        "renewInvite": "Not to be repeated: each request makes another invite, whatever its `Idempotency-Key` says.",
        "readInvite":
            "The name and the number of members, before one joins. Too many unknown codes from one address are 429.",
        "joinLeague": "A member gets the same answer, so a repeat is harmless.",
        "listLeagueMembers": "By `joinedAt`. `id` is the membership's, never the player's.",
        "removeLeagueMember": "When the owner goes, the longest member owns the league. A repeat is 404: it was done.",
        "readLeagueTable":
            """
        6 points for a word of the day that was found with one guess, 1 for one with six. `today` of the others is \
        there for who has ended today's word. Send the `ETag` as `If-None-Match`: 304 while nothing has changed.
        """,
        "readSignInOptions":
            "For `navigator.credentials.get()`. Any passkey of the service will do. A challenge is good once; a repeat makes another.",
        "readPasskeyOptions":
            "For `navigator.credentials.create()`. The challenge is this player's, and good once; a repeat makes another.",
        "registerPasskey":
            """
        `credential` is what the browser's `toJSON()` gives. The attestation statement is not looked at. Not to be \
        repeated: a challenge is good once. If the answer is lost, list the passkeys.
        """,
        "listPasskeys": "Newest first, twenty at most; `lastUsedAt` is cut to the hour.",
        "deletePasskey": "Sessions that it opened go on. A repeat is 404: it was done.",
        "makeNonce":
            """
        Hand it to the provider, as it is or as the lower-case hex of its SHA-256, and send it with the token that \
        the provider signs. It is good once; a repeat makes another.
        """,
        "linkIdentity":
            """
        Send an `Idempotency-Key`: a repeat with the same key gets the first answer. Without a key a repeat is 422 \
        with the reason `nonce`. A 409 leaves the nonce good.
        """,
        "listIdentities": "Newest first. A provider that the service no longer knows is listed, and signs nobody in.",
        "unlinkIdentity": "Sessions that it opened go on, and the provider is not told. A repeat is 404: it was done.",
        "readService": "What is switched off is `false`, empty or left out.",
        "createPlayer":
            """
        Not to be repeated: each request makes another player, whatever its `Idempotency-Key` says. Keep \
        `token` where secrets are kept, and show `recoveryCode` to the player. Neither can be read again. With `claim` a \
        repeat is 409 `claimed`, with `identity` 422 `identity-refused`, and the first answer's token is lost.
        """,
        "readPlayer": "`refill` is left out when nothing is due and nothing will be.",
        "renamePlayer":
            "A name is trimmed and normalised (NFC), then has 1 to 24 characters. Names are not unique. `{}` changes nothing.",
        "deletePlayer": "What stays for the books cannot be joined to the player. A repeat is 401: it was done.",
        "listEnergy": "The sum of all `delta` is the balance. `next` is the `before` of the next page.",
        "takeRefill":
            """
        Send an `Idempotency-Key`: a repeat with the same key gets the first answer. Without a key a repeat \
        is 409, and nothing is given twice.
        """,
        "mergePlayer":
            """
        One member says who the other is. Games, purchases, challenges, leagues and ways in are the caller's then; of \
        energy what was bought, won or given by support comes over. Send an `Idempotency-Key`: a repeat with the \
        same key gets the first answer. Without a key a repeat is 401, since the other is gone.
        """,
        "exportPlayer": "Lists have the oldest first. The word of a running game is not in it.",
        "renewRecoveryCode":
            "Not to be repeated: each request makes another code, whatever its `Idempotency-Key` says, and ends the one before.",
        "signIn":
            """
        By a recovery code: it is used up, and the answer has the next one. Not to be repeated: if the answer is \
        lost, sign in with a device that is left and make a new code there. By a passkey or an identity: its \
        challenge or nonce is used up, so ask for another one. An `Idempotency-Key` does not help.
        """,
        "endOtherSessions": "The one that asks goes on. A repeat is harmless.",
        "listSessions": "Newest first; `lastUsedAt` is cut to the hour.",
        "endSession": "A repeat is 404: it was done. `current` signs the caller out; a repeat of that is 401.",
    ]
}
