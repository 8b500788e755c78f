/// Notes on operations for the API's description, in addition to their routes: what a repeat does, and how to call it in Swift.
enum OperationNotes {
    /// Some sentences, in Markdown; nil: none. A test requires some for each operation.
    static func text(of operation: String) -> String? { texts[operation] }

    /// How `JulietClient` calls it; nil: it cannot. A test compiles each.
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
        "reviewGame": "FetchReview(game: game).authorized(by: token)",
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
        No judged game of the player has had this secret before, unless all of them were dealt already. \
        Send an `Idempotency-Key`: a repeat with the same key gets the first answer. Without a key a repeat \
        is 409 `game-unfinished` with the game, and costs nothing.
        """,
        "listGames": "All kinds of games, unless `kind` names one. `next` is the `before` of the next page.",
        "readGame": "The answer has `secret` and `salt` when the game is over.",
        "guess":
            """
        Send `number`, which guess it is, from 1 to 6: then a repeat answers the game as it is. Without \
        `number` an `Idempotency-Key` does the same. A word that is not in the list (`word-unknown`), or \
        in a hard game one that does not use what is known (`guess-hard`), does not count.
        """,
        "resign": "The game is lost, and the answer has its word. A repeat answers the game as it is.",
        "reviewGame":
            """
        `best` is the best of the words that fit all marks before the guess. Send the `ETag` as `If-None-Match`: 304 while \
        the list has not changed. A player gets at most 20 reviews a minute.
        """,
        "readToday":
            "With a token `game` is the player's, if they have begun it. The day ends at `endsAt`, at midnight in the service's time zone.",
        "startDaily": "One game for each player and day. A repeat is 200 and answers the same game.",
        "readDay":
            """
        The word, and how many players ended its game on the day. These figures never change. Today, a \
        future day and a day without a word are 404.
        """,
        "listDays": "`before` is a day. With a token `game` is the player's game of that day.",
        "startArchive":
            """
        Such a game does not count in statistics or on leaderboards. There is one for each player and day: \
        a repeat is 200 and answers the same game. A player who began the game on its day gets that game.
        """,
        "readDailyLeaderboard":
            "Equal results share a rank: 1, 1, 3. `around=me` puts the player's own entry in the middle.",
        "readWinsLeaderboard":
            "Wins of judged games since the period began. A period begins when a day of the game does; a week begins on Monday. `all` unless `period` is given.",
        "presentPurchase":
            """
        `signedTransaction` is StoreKit's `jwsRepresentation`. A transaction is credited once: a repeat is \
        200 with the same `transaction` and the current balance.
        """,
        "makeChallenge":
            """
        Without `word` the service deals one, and the maker plays like everybody else. With `word` the maker does not play. \
        With `anyWord` the word, 4 to 8 letters of any script, need not be in a list, and guesses can be any letters. \
        Send an `Idempotency-Key`: a repeat with the same key gets the first answer. Without a key each request makes \
        another challenge and is charged for it.
        """,
        "listChallenges":
            "Each as in the answer for a single challenge, without `results`. `next` is the `before` of the next page.",
        "readChallenge":
            """
        The answer has `results`, `secret` and `salt` if the player has ended their game, or chose the word, and for \
        everybody after `endsAt`. Send the `ETag` as `If-None-Match`: 304 while nothing has changed.
        """,
        "startChallenge":
            "One game for each player and challenge. A repeat is 200 and answers the same game, over or not.",
        "deleteChallenge":
            "Friends keep the games that they have begun. A repeat is 404: the challenge is deleted already.",
        "createLeague":
            """
        Send an `Idempotency-Key`: a repeat with the same key gets the first answer. Without a key each request \
        creates another league. Only the owner gets `invite`.
        """,
        "listLeagues": "In the order in which the player joined them; twenty at most.",
        "readLeague": "Only the owner of the league gets `invite`.",
        "renameLeague":
            "A name is trimmed and normalised (NFC), then has 1 to 40 characters (grapheme clusters), at least one of them visible. `{}` changes nothing.",
        "endLeague":
            "It has no members afterwards; nothing else changes. A repeat is 404: the league has ended already.",
        "renewInvite": "Do not repeat it: each request makes another invite, with any `Idempotency-Key`.",
        "readInvite":
            "The league's name and number of members, for a player who may join. Too many unknown codes from one address are 429.",
        "joinLeague": "A player who is already a member gets the same answer, so a repeat is harmless.",
        "listLeagueMembers": "By `joinedAt`. `id` is the membership's, never the player's.",
        "removeLeagueMember":
            "If the owner leaves, the other member who joined first becomes the owner. A repeat is 404: the member is gone already.",
        "readLeagueTable":
            """
        6 points for a word of the day that was found with one guess, 1 for one with six. Until a player has \
        ended today's word, nobody's result of today is in the table or counts in it (`withoutToday`). Send the `ETag` as `If-None-Match`: 304 while nothing has \
        changed.
        """,
        "readSignInOptions":
            "For `navigator.credentials.get()`. Any passkey of the service will do. A challenge is valid once; a repeat makes another.",
        "readPasskeyOptions":
            "For `navigator.credentials.create()`. The challenge is for this player and valid once; a repeat makes another.",
        "registerPasskey":
            """
        `credential` is what the browser's `toJSON()` gives. The attestation statement is not checked. Do not \
        repeat it: a challenge is valid once. If the answer is lost, list the passkeys.
        """,
        "listPasskeys": "Newest first, twenty at most. `lastUsedAt` is rounded down to the hour.",
        "deletePasskey": "Sessions that it opened stay open. A repeat is 404: the passkey is deleted already.",
        "makeNonce":
            """
        Hand it to the provider, as it is or as the lower-case hex of its SHA-256, and send it with the token that \
        the provider signs. It is valid once; a repeat makes another.
        """,
        "linkIdentity":
            """
        Send an `Idempotency-Key`: a repeat with the same key gets the first answer. Without a key a repeat is 422 \
        with the reason `nonce`. After a 409 the nonce is still valid.
        """,
        "listIdentities": "Newest first. A provider that the service no longer knows is listed, but signs nobody in.",
        "unlinkIdentity":
            "Sessions that it opened stay open, and the provider is not notified. A repeat is 404: the identity is unlinked already.",
        "readService": "Features that are switched off are `false`, empty or left out.",
        "createPlayer":
            """
        Do not repeat it: each request makes another player, with any `Idempotency-Key`. Store `token` as a secret, \
        and show `recoveryCode` to the player. Neither can be read again. With `claim` a repeat is 409 `claimed`, with \
        `identity` 422 `identity-refused`, and the first answer's token is lost.
        """,
        "readPlayer": "`refill` is left out if no energy is due now or later.",
        "renamePlayer":
            "A name is trimmed and normalised (NFC), then has 1 to 24 characters (grapheme clusters), at least one of them visible. Names are not unique. `{}` changes nothing.",
        "deletePlayer":
            "Records that are kept for the books cannot be traced to the player. A repeat is 401: the player is deleted already.",
        "listEnergy": "The sum of all `delta` is the balance. `next` is the `before` of the next page.",
        "takeRefill":
            """
        Send an `Idempotency-Key`: a repeat with the same key gets the first answer. Without a key a repeat \
        is 409, and gives nothing.
        """,
        "mergePlayer":
            """
        One member of the body proves who the other player is. The caller gets that player's games, purchases, challenges, leagues and \
        ways to sign in, and the part of their energy that was bought, won or given by support. Send an `Idempotency-Key`: a \
        repeat with the same key gets the first answer. Without a key a repeat is 401, because the other player no longer exists.
        """,
        "exportPlayer": "Lists are in order, oldest first. The word of a running game is left out.",
        "renewRecoveryCode":
            "Do not repeat it: each request makes another code, with any `Idempotency-Key`, and the old code stops working.",
        "signIn":
            """
        A recovery code is used up, and the answer has the next one. Do not repeat the request: if the answer is \
        lost, make a new code on a device that is still signed in. A passkey or an identity uses up its \
        challenge or nonce, so ask for another one. If a passkey signs correctly and cannot be used all the same, the 401 has \
        the `reason` `signCount` or `backupEligibility`. An `Idempotency-Key` has no effect.
        """,
        "endOtherSessions": "The calling session stays open. A repeat is harmless.",
        "listSessions": "Newest first. `lastUsedAt` is rounded down to the hour.",
        "endSession":
            "A repeat is 404: the session has ended already. `current` signs the caller out; a repeat of that is 401.",
    ]
}
