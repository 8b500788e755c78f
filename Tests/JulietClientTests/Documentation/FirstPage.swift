import Foundation
import JulietClient
import JulietClientTesting

// The examples of the documentation; `DocumentationTests` sees to it that they are the same, and runs them.

// begin play
func play(at baseURL: String, with key: String?) async throws -> String {
    let juliet = Juliet(baseURL: baseURL, apiKey: key)
    let me = PlayerID(UUID().uuidString)

    try await juliet.send(RegisterPlayer(player: me))
    do {
        let game = try await juliet.send(StartGame(player: me))
        return "\(game.word), \(game.energy) energy left"
    } catch let error as ClientError where error.refusal?.code == "energy.insufficient" {
        return "Buy some energy first."
    }
}
// end

// begin judged
func playJudged(at baseURL: String) async throws -> String {
    let juliet = Juliet(baseURL: baseURL)
    let me = try await juliet.send(CreatePlayer(name: "Zoë"))  // Keep the token, show the recovery code.
    do {
        var game = try await juliet.send(StartJudgedGame().authorized(by: me.token)).game
        for word in ["crane", "music"] where game.state == .playing {
            let guess = SubmitGuess(game: game.id, word: word, number: game.guesses.count + 1)
            game = try await juliet.send(guess.authorized(by: me.token))
        }
        return "\(game.state): \(game.secret ?? "not shown yet")"
    } catch let error as ClientError where error.problem?.knownCode == .energyInsufficient {
        return "\(error.problem?.energy ?? 0) energy is not enough."
    }
}
// end

// begin endpoint
nonisolated struct FetchPlaces: Request {
    typealias Response = [String]
    let day: String?
    let path = "/places"
    var query: RequestQuery { ["day": day, "letters": [5, 6]] }  // ?day=…&letters[]=5&letters[]=6; nil: no day
}
// end

// begin hooks
func configuration(baseURL: String, token: @escaping @Sendable () async throws -> String) -> JulietConfiguration {
    JulietConfiguration(
        baseURL: baseURL,
        timeout: .seconds(10),
        prepare: { message in
            guard message.options.isAuthenticated else { return }
            message.headers.append(HeaderField("Authorization", "Bearer \(try await token())"))
        },
        mapError: { response in
            ClientError.Refusal(status: response.status, code: response[header: "X-Error"], response: response)
        })
}
// end

// begin completion
func winCount(of player: PlayerID, from juliet: Juliet, show: @escaping @Sendable (String) -> Void) -> RequestHandle {
    juliet.send(FetchWins(player: player)) { result in
        switch result {
        case .success(let count): show("\(count.wins) wins")
        case .failure(let error): show("\(error)")
        }
    }
}
// end

// begin again
func buy(_ amount: Int, for player: PlayerID, from juliet: Juliet) async throws -> Int {
    let key = UUID().uuidString  // One name for one tap, however often it is sent.
    var attempts = 0
    while true {
        do {
            return try await juliet.send(BuyEnergy(player: player, amount: amount), idempotencyKey: key).energy
        } catch let error as ClientError where error.code != .refused && error.code != .cancelled && attempts < 3 {
            attempts += 1
        }
    }
}
// end

// begin session
func firstGuess(at baseURL: String, secrets: some SecretStore) async throws -> [V2.Mark] {
    let session = try await Session.open(JulietConfiguration(baseURL: baseURL), store: secrets)
    if await session.interrupted != nil { try await session.resume() }  // An earlier launch was cut off.
    if await session.state == .signedOut { try await session.createPlayer() }
    let game = try await session.juliet.send(StartJudgedGame()).game
    let guessed = try await session.juliet.send(SubmitGuess(game: game.id, word: "crane", number: 1))
    return guessed.guesses.last?.marks ?? []
}
// end

// begin logs
func logged(_ baseURL: String, log: @escaping @Sendable (String) -> Void) -> JulietConfiguration {
    JulietConfiguration(
        baseURL: baseURL,
        prepare: { $0.headers.append(HeaderField("X-Request-Id", UUID().uuidString)) },
        willSend: { log("\($0.method.rawValue) \($0.path)") },
        didEnd: { log("\($0.exchange.path): \($0.status.map(String.init) ?? "no answer"), \($0.duration)") })
}
// end

// begin lottery
func winner(of juliet: Juliet) async throws -> String? {
    for try await state in juliet.events(WatchLottery()) {
        switch state {
        case .landing(let landing) where landing.canStart:
            try await juliet.send(StartLotteryDraw(number: landing.draw))
        case .winner(let result): return result.name
        case .noWinner: return nil
        default: break
        }
    }
    throw ClientError(.connectionLost)
}
// end

// begin testing
func energyAfterLostAnswer() async throws -> Int {
    let transport = ScriptedTransport([.failure(.timedOut), .json(text: #"{"energy":30}"#)])
    return try await withScriptedQueue(transport) { queue in
        try await queue.append(TakeRefill()).value.energy
    }
}
// end

// begin identity
func signIn(
    _ session: Session, with identity: (V2.Nonce) async throws -> V2.IdentityProof
) async throws -> V2.Player {
    do {
        return try await session.signIn(identity: identity(try await session.juliet.send(MakeNonce())))
    } catch let error as ClientError where error.problem?.knownCode == .identityUnknown {
        // A new player. The refusal has used the nonce up, so ask for another one.
        return try await session.createPlayer(identity: identity(try await session.juliet.send(MakeNonce())))
    }
}
// end
