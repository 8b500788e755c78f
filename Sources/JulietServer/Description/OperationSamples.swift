import JulietAPI
import WebAuthn

/// What requests and answers look like: one player, one afternoon. They are made of the types, so they have their members.
enum OperationSamples {
    private static let start: Int64 = 1_795_354_969_139_682
    private static let commitment = "9fdadf6023bd98d0fdb53cc9fd012081c0f6c156b4fb502f369607f6a394a275"
    private static let salt = "6ce14e28043c40a3a7ab04afd34112ef"
    private static let day = V2.Day(daysSince1970: 20_779)

    static let yesterday = V2.Day(daysSince1970: 20_778)
    static let recoveryCode = "2CH1D-2MND2-1VX5R-5M2XY"

    private static func time(_ milliseconds: Int64) -> V2.Timestamp {
        V2.Timestamp(microsecondsSince1970: start + milliseconds * 1_000)
    }

    static let player = V2.Player(
        id: "c958065b-3a19-8464-9818-ac2d89e4af42", name: "Ada", energy: 30, createdAt: time(0),
        statistics: V2.Statistics(
            played: 0, won: 0, currentStreak: 0, longestStreak: 0, distribution: [0, 0, 0, 0, 0, 0]))

    static let credentials = V2.PlayerCredentials(
        player: player, token: "jt_qYs8zaThKv7tYLjoQVAsOju71XKhY8ZJT5FECVeJbRM", recoveryCode: recoveryCode)

    static let session = V2.Session(
        id: "1f0c5a52-6a0e-4b2e-9f55-0b5a1f3a2c11", createdAt: time(0),
        lastUsedAt: V2.Timestamp(microsecondsSince1970: start / 3_600_000_000 * 3_600_000_000), isCurrent: true,
        by: "registration")

    // MARK: Ways in

    static let signedIn = V2.OpenedSession(
        player: player, token: "jt_yVgGWzoZhGSYGKwtieSvQn9Yl1WgkV8yJkOQ5n3m2iA", recoveryCode: "7XK3M-P0QRT-84VWZ-B5CDE"
    )
    static let passkey = V2.Passkey(
        id: "7f1d3f0e-1c53-4a0e-9a57-6a1a5d8c2f90", credentialId: "qqqqqqqqqqqqqqqqqqqqqg", name: "Ada's phone",
        createdAt: time(0), isSynced: true)
    private static let credentialID = Array(repeating: 0xAA as UInt8, count: 16)
    static let newCredential = V2.NewCredential(
        id: credentialID, clientDataJSON: #"{"type":"webauthn.create"}"#.utf8,
        attestationObject: [0xA3, 0x63, 0x66, 0x6D, 0x74, 0x64, 0x6E, 0x6F, 0x6E, 0x65])
    static let nonce = V2.Nonce(nonce: "aQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA", expiresAt: time(600_861))
    static let proof = V2.IdentityProof(
        provider: "apple", idToken: "eyJhbGciOiJSUzI1NiIsImtpZCI6Ii4uLiJ9.eyJpc3MiOiIuLi4ifQ.c2ln", nonce: nonce.nonce)
    static let identity = V2.Identity(provider: "apple", createdAt: time(0))
    private static let party = RelyingParty(
        id: "juliet.example", name: "Juliet", origins: ["https://juliet.example"])
    private static let asked = Array(1...32 as ClosedRange<UInt8>)
    static let passkeyCreation = publicKey(
        CreationOptions(
            relyingParty: party, userID: Array(asked.suffix(16)), userName: "Ada", challenge: asked
        ).json)
    static let passkeyRequest = publicKey(RequestOptions(relyingParty: party, challenge: asked).json)

    private static func publicKey(_ json: String) -> [UInt8] { Array("{\"publicKey\":\(json)}".utf8) }

    static let service = V2.Service(
        name: "Juliet",
        energy: V2.Service.Energy(
            price: 5, start: 30, refill: .init(amount: 5, every: 14_400, upTo: 30), dailyReward: 5),
        languages: [V2.Service.Language(language: "en", length: 5)], daysGoneBy: true)

    static let entries = [
        V2.EnergyEntry(at: time(15), delta: -5, balance: 25, reason: .game, game: gameID),
        V2.EnergyEntry(at: time(0), delta: 30, balance: 30, reason: .registration, game: nil),
    ]

    // MARK: Games

    private static let gameID: V2.Game.ID = "01a2037e-c442-78ca-8173-f54c16b2ee62"
    private static let mucus = V2.Guess(word: "mucus", marks: [.correct, .correct, .present, .absent, .present])
    private static let music = V2.Guess(word: "music", marks: Array(repeating: .correct, count: 5))

    private static func game(_ state: V2.Game.State, _ guesses: [V2.Guess]) -> V2.Game {
        let isOver = state != .playing
        return V2.Game(
            id: gameID, kind: .game, state: state, language: "en", length: 5, guesses: guesses, commitment: commitment,
            startedAt: time(15), endedAt: isOver ? time(61) : nil, secret: isOver ? "music" : nil,
            salt: isOver ? salt : nil)
    }

    static let game = game(.playing, [])
    static let guessed = game(.playing, [mucus])
    static let gameOver = game(.won, [mucus, music])
    static let resigned = game(.lost, [mucus])

    static let daily = V2.Game(
        id: "01a2037e-c5d1-7b3a-9f0e-52d84b7be9a3", kind: .daily, state: .playing, language: "en", length: 5,
        guesses: [],
        commitment: commitment, startedAt: time(200), day: day)
    static let archive = V2.Game(
        id: "01a2037e-c7aa-7c10-8d3e-9be1a2c47f05", kind: .archive, state: .playing, language: "en", length: 5,
        guesses: [],
        commitment: commitment, startedAt: time(300), day: yesterday)

    // MARK: Days and boards

    static let today = V2.DailyWord(
        day: day, length: 5, commitment: commitment,
        tomorrow: V2.CommittedWord(commitment: "4d1e5f0a6b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f80912"))
    static let pastDay = V2.PastDay(
        day: yesterday, length: 5, commitment: commitment, tomorrow: nil, game: nil, secret: "music", salt: salt,
        players: 12,
        won: 11, distribution: [0, 1, 4, 3, 2, 1])
    static let listedDay = V2.ListedDay(
        day: day, game: V2.ListedGame(id: daily.id, kind: .daily, state: .playing, guesses: 0))
    private static let place = V2.DailyLeaderboard.Entry(rank: 1, name: "Ada", guesses: 2, seconds: 46, isMe: true)
    static let dailyBoard = V2.DailyLeaderboard(entries: [place], players: 12, me: place)
    private static let winner = V2.WinsLeaderboard.Entry(rank: 1, name: "Ada", wins: 1, isMe: true)
    static let winsBoard = V2.WinsLeaderboard(entries: [winner], players: 1, me: winner)

    static let purchase = V2.CreditedPurchase(
        energy: 60,
        transaction: V2.Transaction(id: "2000000123456789", product: "com.example.thirty", quantity: 1, energy: 30))

    // MARK: Friends

    private static let code: V2.ShareCode = {
        guard let code = V2.ShareCode("H7KQ-2MXP") else { preconditionFailure("a code") }
        return code
    }()

    private static func challengeGame(_ state: V2.Game.State, _ guesses: [V2.Guess]) -> V2.Game {
        let isOver = state != .playing
        return V2.Game(
            id: "01a2037e-c9b1-7d2e-8f40-17c3d5e6a7b8", kind: .challenge, state: state, language: "en", length: 5,
            guesses: guesses, commitment: commitment, startedAt: time(400), endedAt: isOver ? time(46_400) : nil,
            secret: isOver ? "music" : nil, salt: isOver ? salt : nil, challenge: code)
    }

    static let challengeGame = challengeGame(.playing, [])

    static let challenge = V2.Challenge(
        code: code, by: "Ada", isMine: true, language: "en", length: 5, commitment: commitment, createdAt: time(15),
        endsAt: time(15 + 7 * 86_400_000), players: 0)

    static let challengeSeen = V2.Challenge(
        code: code, by: "Ada", isMine: true, language: "en", length: 5, commitment: commitment, createdAt: time(15),
        endsAt: time(15 + 7 * 86_400_000), players: 1, game: challengeGame(.won, [mucus, music]),
        results: [
            V2.ChallengeResult(
                rank: 1, name: "Ada", state: .won, guesses: 2, seconds: 46, marks: [mucus.marks, music.marks],
                isMe: true)
        ], secret: "music", salt: salt)

    static let league = V2.League(
        id: "5b0e9c1a-3d52-4f7b-9a6e-2c8d4e1f0a37", name: "Family", members: 1, isOwner: true, invite: "9F3K-QX7A",
        createdAt: time(0))
    static let leagueMember = V2.LeagueMember(
        id: "8d1f2c3b-4a5e-4c6d-9b7f-0e1a2b3c4d5e", name: "Ada", isOwner: true, isMe: true, joinedAt: time(0))
    static let leagueTable = V2.LeagueTable(
        period: .week, startsOn: V2.Day(daysSince1970: 20_773),
        entries: [
            V2.LeagueTable.Entry(
                rank: 1, name: "Ada", points: 5, played: 1, won: 1, isMe: true,
                today: V2.LeagueTable.Today(state: .won, guesses: 2, seconds: 46, marks: [mucus.marks, music.marks]))
        ])

    /// The records write this, not a type.
    static let export = Array(
        """
        {"id":"\(player.id)","name":"Ada","createdAt":"2026-11-22T13:42:49.139682Z","energy":30,"wins":0,\
        "statistics":{"played":0,"won":0,"currentStreak":0,"longestStreak":0,"distribution":[0,0,0,0,0,0]},\
        "energyEntries":[{"at":"2026-11-22T13:42:49.139682Z","delta":30,"balance":30,"reason":"registration"}],"games":[],\
        "playedWords":[],"leaderboards":{"daily":[],"wins":[]},"sessions":[{"id":"\(session.id)",\
        "createdAt":"2026-11-22T13:42:49.139682Z","lastUsedAt":"2026-11-22T13:00:00.000000Z","by":"registration"}],\
        "passkeys":[],"identities":[],"idempotencyKeys":[],"purchases":[],"leagues":[]}
        """.utf8)
}
