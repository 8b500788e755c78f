import Foundation
import JulietClient
import Testing

@Suite("The requests of /v2")
struct V2RequestTests {
    private typealias Example = (message: RequestMessage, line: String, body: String?)

    private static func code() throws -> V2.ShareCode { try #require(V2.ShareCode("H7KQ-2MXP")) }
    private static let day = V2.Day(daysSince1970: 20_778)

    private static func invite() throws -> V2.ShareCode { try #require(V2.ShareCode("9f3kqx7a")) }

    private static let identity = V2.IdentityProof(provider: "apple", idToken: "x.y.z", nonce: "n")

    @Test(
        "each is written as the contract has it",
        arguments: [
            (try CreatePlayer().message(), "POST /v2/players", "{}"),
            (
                try CreatePlayer(name: "Zoë \"Z\"", claim: "v").message(), "POST /v2/players",
                #"{"name":"Zoë \"Z\"","claim":"v"}"#
            ),
            (try SignIn(recoveryCode: "a-b").message(), "POST /v2/sessions", #"{"recoveryCode":"a-b"}"#),
            (
                try SignInWithIdentity(identity: identity).message(), "POST /v2/sessions",
                #"{"provider":"apple","idToken":"x.y.z","nonce":"n"}"#
            ),
            (
                try SignInWithPasskey(
                    credential: V2.SignedCredential(
                        id: [1], clientDataJSON: [2], authenticatorData: [3], signature: [4], userHandle: [5])
                ).message(), "POST /v2/sessions",
                #"{"passkey":{"id":"AQ","rawId":"AQ","type":"public-key","response":{"clientDataJSON":"Ag","authenticatorData":"Aw","signature":"BA","userHandle":"BQ"}}}"#
            ),
            (try FetchSignInOptions().message(), "POST /v2/sessions/options", nil),
            (try FetchPasskeyOptions().message(), "POST /v2/passkeys/options", nil),
            (
                try RegisterPasskey(
                    credential: V2.NewCredential(id: [1], clientDataJSON: [2], attestationObject: [251]), name: "P"
                ).message(), "POST /v2/passkeys",
                #"{"credential":{"id":"AQ","rawId":"AQ","type":"public-key","response":{"clientDataJSON":"Ag","attestationObject":"-w"}},"name":"P"}"#
            ),
            (try ListPasskeys().message(), "GET /v2/passkeys", nil),
            (try DeletePasskey(passkey: "p1").message(), "DELETE /v2/passkeys/p1", nil),
            (try MakeNonce().message(), "POST /v2/nonces", nil),
            (
                try LinkIdentity(identity: identity).message(), "POST /v2/identities",
                #"{"provider":"apple","idToken":"x.y.z","nonce":"n"}"#
            ),
            (try ListIdentities().message(), "GET /v2/identities", nil),
            (try UnlinkIdentity(provider: "apple").message(), "DELETE /v2/identities/apple", nil),
            (try RevokeOtherSessions().message(), "DELETE /v2/sessions", nil),
            (try ListSessions().message(), "GET /v2/sessions", nil),
            (try RevokeSession().message(), "DELETE /v2/sessions/current", nil),
            (try RevokeSession(session: "s1").message(), "DELETE /v2/sessions/s1", nil),
            (try RenewRecoveryCode().message(), "POST /v2/players/me/recovery-code", nil),
            (try FetchService().message(), "GET /v2/service", nil),
            (try FetchPlayer().message(), "GET /v2/players/me", nil),
            (try TakeRefill().message(), "POST /v2/players/me/refill", nil),
            (
                try MergePlayer(token: "jt_x").message(), "POST /v2/players/me/merge",
                #"{"token":"jt_x"}"#
            ),
            (
                try MergePlayer(recoveryCode: "2CH1D").message(), "POST /v2/players/me/merge",
                #"{"recoveryCode":"2CH1D"}"#
            ),
            (try RenamePlayer(name: "Z").message(), "PATCH /v2/players/me", #"{"name":"Z"}"#),
            (try FetchEnergyHistory().message(), "GET /v2/players/me/energy", nil),
            (
                try FetchEnergyHistory(before: "n/1", limit: 5).message(),
                "GET /v2/players/me/energy?before=n%2F1&limit=5", nil
            ),
            (try ExportPlayer().message(), "GET /v2/players/me/export", nil),
            (try DeletePlayer().message(), "DELETE /v2/players/me", nil),
            (try StartJudgedGame().message(), "POST /v2/games", "{}"),
            (try StartJudgedGame(isHard: true).message(), "POST /v2/games", #"{"hard":true}"#),
            (try FetchGame(game: "g1").message(), "GET /v2/games/g1", nil),
            (try ListGames().message(), "GET /v2/games", nil),
            (
                try ListGames(before: "n", limit: 5, state: .lost).message(),
                "GET /v2/games?before=n&limit=5&state=lost", nil
            ),
            (try ListGames(kind: .archive).message(), "GET /v2/games?kind=archive", nil),
            (try SubmitGuess(game: "g1", word: "crane").message(), "POST /v2/games/g1/guesses", #"{"word":"crane"}"#),
            (
                try SubmitGuess(game: "g1", word: "crane", number: 2).message(), "POST /v2/games/g1/guesses",
                #"{"word":"crane","number":2}"#
            ),
            (try ResignGame(game: "g1").message(), "POST /v2/games/g1/resign", nil),
            (try FetchReview(game: "g1").message(), "GET /v2/games/g1/review", nil),
            (
                try PresentPurchase(signedTransaction: "x.y.z").message(), "POST /v2/purchases",
                #"{"signedTransaction":"x.y.z"}"#
            ),
            (try FetchDailyWord().message(), "GET /v2/daily", nil),
            (try StartDailyGame().message(), "POST /v2/daily/game", nil),
            (try StartDailyGame(isHard: true).message(), "POST /v2/daily/game", #"{"hard":true}"#),
            (try ListDays().message(), "GET /v2/daily/days", nil),
            (try ListDays(before: day, limit: 9).message(), "GET /v2/daily/days?before=2026-11-21&limit=9", nil),
            (try StartArchiveGame(day: day).message(), "POST /v2/daily/2026-11-21/game", nil),
            (
                try StartArchiveGame(day: day, isHard: true).message(), "POST /v2/daily/2026-11-21/game",
                #"{"hard":true}"#
            ),
            (try MakeChallenge().message(), "POST /v2/challenges", "{}"),
            (
                try MakeChallenge(word: "crane", isHard: true, days: 3).message(), "POST /v2/challenges",
                #"{"word":"crane","hard":true,"days":3}"#
            ),
            (
                try MakeChallenge(word: "sofia", language: "en", isAnyWord: true, hint: "Our cat").message(),
                "POST /v2/challenges", #"{"word":"sofia","language":"en","anyWord":true,"hint":"Our cat"}"#
            ),
            (try FetchChallenge(code: code()).message(), "GET /v2/challenges/H7KQ-2MXP", nil),
            (
                try ListChallenges(before: "1-H7KQ-2MXP", limit: 9).message(),
                "GET /v2/challenges?before=1-H7KQ-2MXP&limit=9", nil
            ),
            (try StartChallengeGame(code: code()).message(), "POST /v2/challenges/H7KQ-2MXP/game", nil),
            (try DeleteChallenge(code: code()).message(), "DELETE /v2/challenges/H7KQ-2MXP", nil),
            (try FetchPastDay(day: day).message(), "GET /v2/daily/2026-11-21", nil),
            (try FetchDailyLeaderboard(day: day).message(), "GET /v2/daily/2026-11-21/leaderboard", nil),
            (
                try FetchDailyLeaderboard(day: day, limit: 9, isAroundMe: true).message(),
                "GET /v2/daily/2026-11-21/leaderboard?limit=9&around=me", nil
            ),
            (try FetchWinsLeaderboard().message(), "GET /v2/leaderboards/wins?period=all", nil),
            (
                try FetchWinsLeaderboard(period: .week, limit: 9, isAroundMe: true).message(),
                "GET /v2/leaderboards/wins?period=week&limit=9&around=me", nil
            ),
            (try CreateLeague(name: "Us").message(), "POST /v2/leagues", #"{"name":"Us"}"#),
            (try ListLeagues().message(), "GET /v2/leagues", nil),
            (try FetchLeague(league: "l1").message(), "GET /v2/leagues/l1", nil),
            (try RenameLeague(league: "l1", name: "Us").message(), "PATCH /v2/leagues/l1", #"{"name":"Us"}"#),
            (try EndLeague(league: "l1").message(), "DELETE /v2/leagues/l1", nil),
            (try RenewInvite(league: "l1").message(), "POST /v2/leagues/l1/invite", nil),
            (
                try FetchInvitation(invite: invite()).message(), "GET /v2/invites/9F3K-QX7A",
                nil
            ),
            (try JoinLeague(invite: "9f3k").message(), "POST /v2/leagues/join", #"{"invite":"9f3k"}"#),
            (try ListLeagueMembers(league: "l1").message(), "GET /v2/leagues/l1/members", nil),
            (try RemoveLeagueMember(league: "l1").message(), "DELETE /v2/leagues/l1/members/me", nil),
            (try RemoveLeagueMember(league: "l1", member: "m1").message(), "DELETE /v2/leagues/l1/members/m1", nil),
            (try FetchLeagueTable(league: "l1").message(), "GET /v2/leagues/l1/table?period=week", nil),
            (try FetchLeagueTable(league: "l1", period: .all).message(), "GET /v2/leagues/l1/table?period=all", nil),
        ] as [Example])
    private func message(example: Example) throws {
        let (message, line, body) = example
        #expect(try "\(message.method.rawValue) \(message.url(baseURL: "http://h").dropFirst(8))" == line)
        #expect(message.body.map { String(decoding: $0, as: UTF8.self) } == body)
        let type = body == nil ? [] : [HeaderField("Content-Type", "application/json")]
        #expect(message.headers == [HeaderField("Accept", "application/json")] + type)
        try message.checkGrammar()
    }

    @Test("only requests that create a player or sign in are sent without credentials")
    func credentials() throws {
        #expect(try !CreatePlayer().message().options.isAuthenticated)
        #expect(try !SignIn(recoveryCode: "a").message().options.isAuthenticated)
        for message in try [FetchDailyWord().message(), FetchWinsLeaderboard().message(), FetchPlayer().message()] {
            #expect(message.options.isAuthenticated)
        }
    }
}

@Suite("/v2, asked through a client", .timeLimit(.minutes(1)))
struct V2ConversationTests {
    private static let noon = V2.Timestamp(microsecondsSince1970: 1_795_262_400_123_456)
    private static let game = V2.Game(
        id: "g1", kind: .game, state: .playing, language: "en", length: 5,
        guesses: [V2.Guess(word: "crane", marks: [.absent, .present, .correct, .absent, .absent])], commitment: "0a",
        startedAt: noon)

    private func client(
        status: Int = 200, type: String = "application/json; charset=utf-8", _ body: [UInt8],
        prepare: @escaping @Sendable (inout RequestMessage) async throws -> Void = { _ in }
    ) -> (Juliet, AnsweringTransport) {
        let transport = AnsweringTransport { _, _ in
            HTTPResponse(status: status, headers: [HeaderField("Content-Type", type)], body: body)
        }
        return (
            Juliet(JulietConfiguration(baseURL: "http://h", transport: transport, prepare: prepare)), transport
        )
    }

    @Test("what the server writes is what the app gets")
    func answers() async throws {
        let player = V2.Player(
            id: "p", name: "Zoë", energy: 25, createdAt: Self.noon,
            statistics: V2.Statistics(
                played: 1, won: 1, currentStreak: 1, longestStreak: 1, distribution: [0, 1, 0, 0, 0, 0]))
        let credentials = V2.PlayerCredentials(player: player, token: "jt_x", recoveryCode: "A-B")
        let created = try await client(status: 201, credentials.encoded()).0.send(CreatePlayer())
        #expect(created == credentials)
        let fetched = try await client(player.encoded()).0.send(FetchPlayer())
        #expect(fetched == player)
        let started = V2.StartedGame(game: Self.game, energy: 25)
        let begun = try await client(status: 201, started.encoded()).0.send(StartJudgedGame())
        #expect(begun == started)
        let games = V2.GameList(games: [Self.game], next: "n")
        let listed = try await client(games.encoded()).0.send(ListGames())
        #expect(listed == games)
        let word = V2.DailyWord(
            day: V2.Day(of: Self.noon), language: "en", length: 5, commitment: "a", endsAt: Self.noon, isPlanned: true,
            tomorrow: V2.TomorrowsWord(
                language: "en", length: 5, commitment: "b", endsAt: V2.Day(of: Self.noon).next.start))
        let today = try await client(word.encoded()).0.send(FetchDailyWord())
        #expect(today == word)
        let days = V2.DayList(
            days: [
                V2.ListedDay(
                    day: word.day, language: "en", length: 5,
                    game: V2.ListedGame(id: "g1", kind: .daily, state: .won, guesses: 4))
            ],
            next: word.day)
        let listedDays = try await client(days.encoded()).0.send(ListDays())
        #expect(listedDays == days)
        let export = Array(#"{"id":"p","energy":25,"games":[]}"#.utf8)
        let exported = try await client(export).0.send(ExportPlayer())
        #expect(exported == export)
        let transport = AnsweringTransport { _, _ in
            HTTPResponse(status: 204, headers: [HeaderField("X-Request-Id", "r")])
        }
        try await Juliet(JulietConfiguration(baseURL: "http://h", transport: transport)).send(DeletePlayer())
        // Somebody in between says as much.
        let error = await #expect(throws: ClientError.self) {
            try await client(status: 204, []).0.send(DeletePlayer())
        }
        #expect(error?.code == .unexpectedContent)
    }

    @Test("a fault of an answer is an error with the path to it")
    func decoding() async throws {
        let text = String(decoding: V2.GameList(games: [Self.game]).encoded(), as: UTF8.self)
        let broken = client(Array(text.replacing("\"absent\"", with: "\"grey\"").utf8)).0
        let error = await #expect(throws: ClientError.self) { try await broken.send(ListGames()) }
        #expect(error?.code == .decoding)
        #expect(error?.codingPath == ["games", "0", "guesses", "0", "marks", "0"])
    }

    @Test("a token comes from the client's hook, or with the request, and then alone")
    func tokens() async throws {
        let (juliet, transport) = client(Self.game.encoded()) { message in
            guard message.options.isAuthenticated else { return }
            message.headers.append(HeaderField("Authorization", "Bearer hook"))
        }
        _ = try await juliet.send(FetchGame(game: "g1"))
        _ = try await juliet.send(FetchGame(game: "g1").authorized(by: "own"))
        _ = try await juliet.send(SubmitGuess(game: "g1", word: "crane", number: 1).authorized(by: "own"))
        _ = try? await juliet.send(CreatePlayer())
        let sent = await transport.sent
        #expect(
            sent.map { $0.headers.filter { $0.name == "Authorization" }.map(\.value) }
                == [["Bearer hook"], ["Bearer own"], ["Bearer own"], []])
        #expect(sent[2].method == .post)
        #expect(sent[2].path == "/v2/games/g1/guesses")
        #expect(sent[2].body.map { String(decoding: $0, as: UTF8.self) } == #"{"word":"crane","number":1}"#)
        #expect(sent.map { $0.idempotencyKey != nil } == [false, false, true, true])
    }

    @Test(
        "a refusal says what the service knows: code, balance, game, place",
        arguments: [
            V2.Problem(.energyInsufficient, energy: 3), V2.Problem(.gameUnfinished, game: game),
            V2.Problem(.guessTaken, detail: "Taken.", game: game), V2.Problem(.wordUnknown), V2.Problem(.claimed),
            V2.Problem(.requestInvalid, path: "/word"), V2.Problem(.transactionRefused, reason: "used"),
            V2.Problem(.guessHard, rule: V2.HardRule(letter: "e", position: 3)), V2.Problem(.tooMany),
            V2.Problem(.nameRefused, reason: "character", character: "U+000A"),
        ])
    func problems(problem: V2.Problem) async throws {
        let (juliet, _) = client(status: problem.status, type: "application/problem+json", problem.encoded())
        let error = await #expect(throws: ClientError.self) { try await juliet.send(StartJudgedGame()) }
        #expect(error?.code == .refused)
        #expect(error?.problem == problem)
        #expect(error?.refusal?.status == problem.status)
        #expect(error?.refusal?.code == problem.code)
        #expect(error?.refusal?.message == problem.detail)
        #expect(error.map { "\($0)" } == "refused \(problem.status) \(problem.code)")
    }

    @Test(
        "other refusals are no problems of the contract",
        arguments: ["", "{}", #"{"error":{"code":"user.unknown","message":"No."}}"#, #"{"code":5}"#, "<html>"])
    func others(body: String) async throws {
        let (juliet, _) = client(status: 404, Array(body.utf8))
        let error = await #expect(throws: ClientError.self) { try await juliet.send(FetchPlayer()) }
        #expect(error?.refusal?.status == 404)
        #expect(error?.problem == nil)
    }

    @Test("a guess waits in a queue as other changes do, without a token in it")
    func queued() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("juliet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (juliet, transport) = client(Self.game.encoded()) { message in
            message.headers.append(HeaderField("Authorization", "Bearer hook"))
        }
        let journal = folder.appendingPathComponent("requests.journal").path
        let queue = try await RequestQueue.open(journal, client: juliet)
        let answer = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await queue.run() }
            let pending = try await queue.append(SubmitGuess(game: "g1", word: "crane"))
            let stored = try Data(contentsOf: URL(fileURLWithPath: journal))
            #expect(stored.range(of: Data("crane".utf8)) != nil)
            #expect(stored.range(of: Data("hook".utf8)) == nil)
            let game = try await pending.value
            await queue.close()
            try await group.waitForAll()
            return game
        }
        #expect(answer == Self.game)
        let sent = await transport.sent
        #expect(sent.count == 1)
        #expect(sent.first?.headers.contains(HeaderField("Authorization", "Bearer hook")) == true)
    }

    @Test("a time is a date")
    func date() {
        #expect(Self.noon.date == Date(timeIntervalSince1970: 1_795_262_400.123456))
    }
}
