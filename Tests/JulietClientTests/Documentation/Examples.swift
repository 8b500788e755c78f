import Foundation
import JulietClient
import JulietClientTesting

// The code of docs/client.md, docs/accounts.md and the articles. `DocumentationTests` checks that the pages show it and that it
// compiles as they show it; the tests here run it.

// begin open
func openSession(at baseURL: String, secrets: some SecretStore) async throws -> Session {
    let session = try await Session.open(JulietConfiguration(baseURL: baseURL), store: secrets)
    if await session.interrupted != nil { try await session.resume() }  // An earlier launch was cut off.
    if await session.state == .signedOut { try await session.createPlayer() }
    return session
}
// end

// begin game
func playGame(with juliet: Juliet, nextGuess: (V2.Game) async -> String) async throws -> V2.Game {
    var game: V2.Game
    do {
        game = try await juliet.send(StartJudgedGame()).game
    } catch let error as ClientError where error.problem?.knownCode == .gameUnfinished {
        guard let running = error.problem?.game else { throw error }
        game = running  // An earlier launch began it: go on with it.
    }
    while game.state == .playing {
        let guess = SubmitGuess(game: game.id, word: await nextGuess(game), number: game.guesses.count + 1)
        do {
            game = try await juliet.send(guess)
        } catch let error as ClientError where error.problem?.knownCode == .wordUnknown {
            continue  // It is in no list, so it does not count: ask for another one.
        }
    }
    return game  // It is won or lost, and `secret` is the word.
}
// end

// begin daily
func guessToday(_ word: String, with juliet: Juliet) async throws -> V2.Game {
    let game = try await juliet.send(StartDailyGame()).game  // Begins today's game, or goes on with it.
    guard game.state == .playing else { return game }
    return try await juliet.send(SubmitGuess(game: game.id, word: word, number: game.guesses.count + 1))
}
// end

// begin queue
func openQueue(for player: V2.Player, of session: Session, in support: URL) async throws -> RequestQueue {
    var folder = support.appending(path: "Juliet")  // In URL.applicationSupportDirectory.
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var values = URLResourceValues()
    values.isExcludedFromBackup = true  // A restored journal would send again what was sent since the backup.
    try folder.setResourceValues(values)
    var configuration = QueueConfiguration()
    #if canImport(UIKit)
        configuration.backgroundTime = ApplicationBackgroundTime()
    #endif
    let journal = folder.appending(path: "\(player.id).journal").path
    return try await RequestQueue.open(journal, client: session.juliet, configuration: configuration)
}
// end

// begin run
func run(_ queue: RequestQueue, show: @escaping @Sendable (String) -> Void) async throws {
    // Once per launch, before `run()`: it also gets the answers to what an earlier launch appended.
    await queue.handle(PresentPurchase.self) { answer in
        switch answer.outcome {
        case .success(let credited): show("Thank you. \(credited.energy) energy")
        case .failure(let error): show("Not credited: \(error.problem?.reason ?? error.code.rawValue)")
        case .aborted: break
        }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await queue.run() }  // Sends until the queue is closed or the task is cancelled.
        #if canImport(Network)
            group.addTask { await queue.flushWhenReachable() }
        #endif
        try await group.waitForAll()
    }
}

func guess(_ word: String, in game: V2.Game, with queue: RequestQueue) async throws -> V2.Game {
    try await queue.append(TakeRefill())  // It is on the disk, and takes effect once.
    let guess = SubmitGuess(game: game.id, word: word, number: game.guesses.count + 1)
    return try await queue.append(guess).value  // The answer, as soon as there is a network.
}
// end

// begin latest
func rename(to name: String, in queue: RequestQueue) async throws {
    let latest = QueueOptions(uniquingKey: "name", identifiers: ["screen": "settings"])
    try await queue.append(RenamePlayer(name: name), options: latest)
    for await status in await queue.statuses() {
        if status.waiting == 0 { break }
        if let failure = status.lastFailure { print("\(status.waiting) waiting, \(failure.rawValue)") }
    }
}
// end

// begin offline
func playOffline(_ queue: RequestQueue) async throws {
    let game = LocalIdentifier()
    try await queue.append(StartJudgedGame(), options: QueueOptions(creates: game))
    try await queue.append(SubmitGuess(game: V2.Game.ID(game.placeholder), word: "crane", number: 1))
}
// end

// begin refused
func follow(_ session: Session, queue: RequestQueue, askPlayer: () async -> Bool) async throws {
    for await state in await session.states() {
        guard case .refused = state else { continue }
        // The session ended, on another device perhaps. Nothing happens before the player says so.
        if await askPlayer() {
            try await session.renew()
            await queue.resume()  // It has waited for the token.
        } else {
            await queue.pause()
            try await queue.cancelAll()  // What this player did is not sent as another.
            try await session.forget()
        }
    }
}
// end

// begin again
func refill(with juliet: Juliet) async throws -> Int {
    let key = UUID().uuidString  // One name for one tap, however often it is sent.
    var attempts = 0
    while true {
        do {
            return try await juliet.send(TakeRefill(), idempotencyKey: key).energy
        } catch let error as ClientError where error.code != .refused && error.code != .cancelled && attempts < 3 {
            attempts += 1
        }
    }
}
// end

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
func balance(from juliet: Juliet, show: @escaping @Sendable (String) -> Void) -> RequestHandle {
    juliet.send(FetchPlayer()) { result in
        switch result {
        case .success(let player): show("\(player.energy) energy")
        case .failure(let error): show("\(error)")
        }
    }
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
