import AppStoreTesting
import CredentialTesting
import Foundation
import JulietAPI
import StrictEncoding
import TestSupport
import Testing

/// The examples of the description are what was asked and answered here.
@Suite("The examples of the API's description", .defaultLayout("about what is written"), .timeLimit(.minutes(3)))
struct ExampleTests {
    private let store: TestStore
    private let voucher: Voucher

    init() throws {
        store = try TestStore()
        voucher = try Voucher()
    }

    @Test("they look as what a service is asked and answers today")
    func real() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            SELECT import_lottery('tests', '{10,4}', '{Jack Alexy,Mia}', '{JAlex,mia}', '{2020-10-19,2021-01-02}', '{10,4}',
                '{false,false}')
            """)
        let settings = store.settings().merging(voucher.settings()) { $1 }
            .merging(["accounts.origin": "https://juliet.example"]) { $1 }
        let service = try await TestService.start(settings, on: database)
        let recorder = Recorder(service)
        try await play(recorder, database)
        try await service.stop()

        let file = TestDatabase.root.appending(path: "Sources/JulietServer/Description/examples.txt")
        let kept = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { line in
                let words = line.split(separator: " ", maxSplits: 3)
                return Recorder.Example(place: words.prefix(3).joined(separator: " "), json: String(words[3]))
            }
        let real = try Recorder.shapes(of: recorder.examples)
        var shown = try Recorder.shapes(of: kept)
        // A node looks once a second, and may not see how a draw begins.
        for place in ["watchLottery 200 loading"] where real[place] == nil { shown[place] = nil }
        guard shown != real else { return }
        let new = TestDatabase.root.appending(path: ".build/examples.txt")
        let head =
            "# What ExampleTests asked a service, and what it answered: see OperationExamples.swift. The test writes this file."
        try (([head] + recorder.examples.map(\.line)).joined(separator: "\n") + "\n")
            .write(to: new, atomically: true, encoding: .utf8)
        let changed = Set(shown.keys).union(real.keys).filter { shown[$0] != real[$0] }.sorted()
        Issue.record("\(changed) have changed. If it is meant: cp \(new.path) \(file.path)")
    }

    /// One player, one afternoon.
    private func play(_ recorder: Recorder, _ database: TestDatabase) async throws {
        let service = recorder.service
        let newcomer = V2Client.newcomer(on: service)
        try await recorder.ask("readService", as: newcomer)
        let made = try await recorder.ask("createPlayer", as: newcomer, [:], #"{"name":"Ada"}"#)
        try await recorder.ask("createPlayer", as: newcomer, [:], #"{"name":" "}"#)
        try await recorder.ask("createPlayer", as: newcomer, [:], #"{"name":5}"#)
        let ada = made.client
        try await recorder.ask("readPlayer", as: ada)
        try await games(recorder, ada, database)
        try await days(recorder, ada, database)
        try await challenges(recorder, ada, database)
        try await leagues(recorder, ada)
        try await waysIn(recorder, ada)
        try await purchases(recorder, ada)
        try await recorder.ask("renamePlayer", as: ada, [:], #"{"name":"Ada L."}"#)
        try await recorder.ask("listEnergy", as: ada)
        try await sessions(recorder, ada, made.json.recoveryCode)
        let other = try await newcomer.post("/v2/players", #"{"name":"Ada's tablet"}"#)
        try await recorder.ask(
            "mergePlayer", as: ada, [:], #"{"recoveryCode":"\#(other.json.recoveryCode.text)"}"#)
        try await recorder.ask("exportPlayer", as: ada)
        try await lottery(recorder, ada, database)
        try await recorder.ask("deletePlayer", as: ada)
        try await app(recorder)
    }

    private func games(_ recorder: Recorder, _ ada: V2Client, _ database: TestDatabase) async throws {
        let started = try await recorder.ask("startGame", as: ada, [:], "{}", fields: ["Idempotency-Key: first"])
        let game = started.json.game
        try await database.setWord("music", of: game)
        try await recorder.ask("startGame", as: ada, [:], "{}")
        try await recorder.ask("startGame", as: ada, [:], #"{"hard":true}"#, fields: ["Idempotency-Key: first"])
        func guess(_ body: String, in game: JSON, named name: String? = nil) async throws {
            try await recorder.ask("guess", as: ada, ["id": game.id], body, named: name)
        }
        try await guess(#"{"word":"mucus","number":1}"#, in: game)
        try await guess(#"{"word":"crane","number":1}"#, in: game)
        try await guess(#"{"word":"crane","number":4}"#, in: game)
        try await guess(#"{"word":"zzzzz","number":2}"#, in: game)
        try await guess(#"{"word":5}"#, in: game)
        try await guess(#"{"word":"music","number":2}"#, in: game, named: "won")
        try await guess(#"{"word":"about"}"#, in: game)
        try await recorder.ask("readGame", as: ada, ["id": game.id])
        try await recorder.ask("startGame", as: ada, [:], #"{"language":"de","length":6}"#)
        let hard = try await recorder.ask("startGame", as: ada, [:], #"{"hard":true}"#, named: "hard").json.game
        try await database.setWord("music", of: hard)
        _ = try await ada.guess("mucus", in: hard)
        try await guess(#"{"word":"crane","number":2}"#, in: hard)
        try await recorder.ask("reviewGame", as: ada, ["id": hard.id])
        try await recorder.ask("resign", as: ada, ["id": hard.id], "{}")
        try await recorder.ask("reviewGame", as: ada, ["id": hard.id])
        try await recorder.ask("listGames", as: ada, query: "?limit=2")
        try await recorder.ask("takeRefill", as: ada, [:], "{}")
        try await database.psql(
            "UPDATE users SET refill = ROW((refill).due, earlier((refill).since, '5 hours'))::refill_clock")
        try await recorder.ask("takeRefill", as: ada, [:], "{}")
    }

    private func days(_ recorder: Recorder, _ ada: V2Client, _ database: TestDatabase) async throws {
        try await recorder.ask("readToday", as: ada)
        let daily = try await recorder.ask("startDaily", as: ada, [:], "{}").json.game
        try await database.setWord("music", of: daily)
        _ = try await ada.guess("mucus", in: daily)
        _ = try await ada.guess("music", in: daily)
        try await recorder.ask("startDaily", as: ada, [:], "{}")
        try await database.psql(
            """
            INSERT INTO daily_words (day, language, word, salt, commitment, is_planned, seal)
            SELECT today() - 1, 'en', 'spool', salt, promise, false, daily_word_seal(today() - 1, promise, false, false)
            FROM gen_random_uuid() AS salt, commitment(salt, 'spool') AS promise
            ON CONFLICT DO NOTHING
            """)
        try await database.gatherBoards()
        let yesterday = JSON.string(try await database.psql("SELECT today() - 1"))
        try await recorder.ask("readDay", as: ada, ["day": yesterday])
        try await recorder.ask("startArchive", as: ada, ["day": yesterday], "{}")
        try await recorder.ask("startArchive", as: ada, ["day": yesterday], "{}")
        try await recorder.ask("listDays", as: ada, query: "?limit=2")
        try await recorder.ask("readDailyLeaderboard", as: ada, ["day": daily.day])
        try await recorder.ask("readWinsLeaderboard", as: ada, query: "?period=week")
    }

    private func challenges(_ recorder: Recorder, _ ada: V2Client, _ database: TestDatabase) async throws {
        let challenge = try await recorder.ask("makeChallenge", as: ada, [:], #"{"days":7}"#).json.challenge
        let bob = try await V2Client.player(on: recorder.service, named: "Bob")
        for player in [bob, ada] {
            let game = try await recorder.ask("startChallenge", as: player, ["code": challenge.code], "{}").json.game
            try await player.end(game, in: 2, of: database)
        }
        try await recorder.ask("startChallenge", as: ada, ["code": challenge.code], "{}")
        try await recorder.ask("readChallenge", as: ada, ["code": challenge.code])
        let own = try await recorder.ask("makeChallenge", as: ada, [:], #"{"word":"crane"}"#, named: "ownWord")
            .json.challenge
        try await recorder.ask("startChallenge", as: ada, ["code": own.code], "{}")
        for (body, name) in [
            (#"{"word":"sofia","anyWord":true,"hint":"Our cat"}"#, "anyWord"), (#"{"word":"sofia"}"#, "wordUnknown"),
            (#"{"word":"crane","hint":"a crane"}"#, "hintTells"),
        ] { try await recorder.ask("makeChallenge", as: ada, [:], body, named: name) }
        try await recorder.ask("listChallenges", as: ada)
        try await recorder.ask("deleteChallenge", as: ada, ["code": own.code])
    }

    private func leagues(_ recorder: Recorder, _ ada: V2Client) async throws {
        let league = try await recorder.ask("createLeague", as: ada, [:], #"{"name":"Family"}"#).json.league
        try await recorder.ask("readInvite", as: .newcomer(on: recorder.service), ["code": league.invite])
        let zoe = try await V2Client.player(on: recorder.service, named: "Zoe")
        try await recorder.ask("joinLeague", as: zoe, [:], #"{"invite":"\#(league.invite.text)"}"#)
        try await recorder.ask("renameLeague", as: zoe, ["id": league.id], #"{"name":"Zoe's"}"#)
        try await recorder.ask("renameLeague", as: ada, ["id": league.id], #"{"name":"The family"}"#)
        try await recorder.ask("readLeague", as: ada, ["id": league.id])
        try await recorder.ask("listLeagues", as: ada)
        let members = try await recorder.ask("listLeagueMembers", as: ada, ["id": league.id]).json.members
        try await recorder.ask("readLeagueTable", as: ada, ["id": league.id])
        try await recorder.ask("removeLeagueMember", as: ada, ["id": league.id, "member": members[1].id])
        try await recorder.ask("renewInvite", as: ada, ["id": league.id], "{}")
        try await recorder.ask("endLeague", as: ada, ["id": league.id])
    }

    /// Without what browsers send as well and nobody looks at.
    private static func described(_ body: String) -> String {
        body.replacing(#","transports":["internal"]"#, with: "")
            .replacing(#","authenticatorAttachment":"platform""#, with: "")
            .replacing(#","clientExtensionResults":{}"#, with: "")
    }

    private func waysIn(_ recorder: Recorder, _ ada: V2Client) async throws {
        let newcomer = V2Client.newcomer(on: recorder.service)
        let options = try await recorder.ask("readPasskeyOptions", as: ada, [:], "{}").json.publicKey
        var phone = Phone()
        phone.handle = options.user.id.text
        var registration = phone.authenticator.registration()
        registration.client.challenge = try #require(Base64URL.decode(options.challenge.text))
        let body = Self.described(Phone.body(registration, name: "Ada's phone"))
        let passkey = try await recorder.ask("registerPasskey", as: ada, [:], body).json.passkey
        try await recorder.ask("registerPasskey", as: ada, [:], body)
        let asked = try await recorder.ask("readSignInOptions", as: newcomer, [:], "{}").json.publicKey
        try await recorder.ask(
            "signIn", as: newcomer, [:], Self.described(phone.body(asked.challenge.text)), named: "passkey")
        try await recorder.ask("listPasskeys", as: ada)
        try await recorder.ask("deletePasskey", as: ada, ["id": passkey.id])

        func proof() async throws -> String {
            let nonce = try await recorder.ask("makeNonce", as: newcomer, [:], "{}").json.nonce.text
            return "{\(Voucher.members(try voucher.token(of: "ada", for: nonce), nonce))}"
        }
        let used = try await proof()
        try await recorder.ask("linkIdentity", as: ada, [:], used)
        try await recorder.ask("linkIdentity", as: ada, [:], try await proof())
        try await recorder.ask("linkIdentity", as: ada, [:], used)
        try await recorder.ask("listIdentities", as: ada)
        try await recorder.ask("signIn", as: newcomer, [:], try await proof(), named: "identity")
        try await recorder.ask("unlinkIdentity", as: ada, ["provider": "company"])
    }

    private func purchases(_ recorder: Recorder, _ ada: V2Client) async throws {
        let transaction = TestTransaction(
            "2000000123456789", product: TestStore.thirty, account: try await ada.id().uppercased())
        let body = #"{"signedTransaction":"\#(try store.signed(transaction))"}"#
        try await recorder.ask("presentPurchase", as: ada, [:], body)
        try await recorder.ask("presentPurchase", as: ada, [:], body)
        try await recorder.ask("presentPurchase", as: ada, [:], #"{"signedTransaction":"x.y.z"}"#)
        let told = try store.authority.body(of: TestNotification("REFUND", transaction))
        try await recorder.askElsewhere("notifyPurchase", [:], told)
        try await recorder.askElsewhere("notifyPurchase", [:], #"{"signedPayload":"x.y.z"}"#)
    }

    private func sessions(_ recorder: Recorder, _ ada: V2Client, _ code: JSON) async throws {
        let newcomer = V2Client.newcomer(on: recorder.service)
        try await recorder.ask("signIn", as: newcomer, [:], #"{"recoveryCode":"\#(code.text)"}"#)
        try await recorder.ask("signIn", as: newcomer, [:], #"{"recoveryCode":"\#(code.text)"}"#)
        let sessions = try await recorder.ask("listSessions", as: ada).json.sessions.items
        let other = try #require(sessions.first { $0.isCurrent == false })
        try await recorder.ask("endSession", as: ada, ["id": other.id])
        try await recorder.ask("endSession", as: ada, ["id": other.id])
        try await recorder.ask("endOtherSessions", as: ada)
        try await recorder.ask("renewRecoveryCode", as: ada, [:], "{}")
    }

    private func lottery(_ recorder: Recorder, _ ada: V2Client, _ database: TestDatabase) async throws {
        try await recorder.askElsewhere("enterLottery", token: ada.token)
        try await recorder.askElsewhere("readLotteryUsers")
        try await recorder.askElsewhere("readLotteryEntries")
        try await recorder.askElsewhere("readDraw", ["number": 1], named: "next")
        let before = try await events(of: recorder.service, until: "landing")
        try await recorder.askElsewhere("startDraw", ["number": 1])
        for text in try await before + events(of: recorder.service, until: "winner") {
            let state = try JSON(Array(text.utf8))
            let document = APIDocument.checkedIn
            #expect(document.faults(of: state, by: document.json.components.schemas.LotteryState) == [])
            recorder.note("watchLottery", 200, state.state.text, text)
        }
        for (elapsed, state) in [("3 s", "running"), ("1 minute", "over")] {
            try await database.psql(
                "UPDATE lottery_draws SET started_at = now() - interval '\(elapsed)' WHERE number = 1")
            try await recorder.askElsewhere("readDraw", ["number": 1], named: state)
        }
        try await database.psql("UPDATE lottery_draws SET started_at = now() WHERE number = 1")
        try await recorder.askElsewhere("startDraw", ["number": 2])
        try await recorder.askElsewhere("readDraw", ["number": 9])
    }

    /// What a stream of events tells up to a state.
    private func events(of service: TestService, until state: String) async throws -> [String] {
        let port = service.port
        return try await offPool {
            let connection = try ClientConnection(port: port)
            // Without chunks.
            try connection.send(Array("GET /lottery/events HTTP/1.0\r\n\r\n".utf8))
            var told: [String] = []
            while told.last?.contains("\"state\":\"\(state)\"") != true {
                let text = try connection.read(until: "\n\n")
                guard let data = text.firstRange(of: "data: ") else { continue }
                told.append(String(text[data.upperBound...].dropLast(2)))
            }
            return told
        }
    }

    private func app(_ recorder: Recorder) async throws {
        let names = [
            "/Juliet_AuthenticateUser": "authenticateUser", "/Juliet_WordManager": "wordManager",
            "/Juliet_IAPManager": "iAPManager", "/Juliet_UserSessionManager": "userSessionManager",
        ]
        func ask(_ request: GameRequest, named name: String? = nil) async throws {
            let operation = try #require(names[request.type.endpoint.path])
            let body = String(decoding: request.encoded(), as: UTF8.self)
            try await recorder.askElsewhere(operation, [:], body, named: name ?? request.type.name)
            if operation == "authenticateUser" {
                try await recorder.askElsewhere("authenticateUsers", [:], body, named: name ?? request.type.name)
            }
        }
        let me = "6A1F0C1E-4B52-4C8E-9A55-0E2D7C0B1231"
        for request: GameRequest in [
            .initialRegistration(vendorID: me), .statNewGameSession(userID: me), .updateUserWins(userID: me),
            .updateUserPlayedWordsList(userID: me, playedWord: "music"), .fetchNewSecretWord(userID: me),
            .singleGameEnergyUpdate(userID: me), .fetchUserWins(userID: me),
            .handleEnergyPurchase(userID: me, energyPurchaseAmount: 30), .updateUserEnergy(userID: me, userEnergy: 0),
        ] {
            try await ask(request)
        }
        // Refused: what is not enough, not sold, and not a word.
        try await ask(.statNewGameSession(userID: me), named: "energy.insufficient")
        try await ask(.handleEnergyPurchase(userID: me, energyPurchaseAmount: 6), named: "product.unknown")
        try await ask(.updateUserPlayedWordsList(userID: me, playedWord: "zzzzz"), named: "word.unknown")
    }
}
