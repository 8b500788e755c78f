import Foundation
import JulietClient

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
        return "\(game.state): \(game.secret ?? "not told yet")"
    } catch let error as ClientError where error.problem?.knownCode == .energyInsufficient {
        return "\(error.problem?.energy ?? 0) energy is not enough."
    }
}
// end

// begin endpoint
struct FetchPlaces: Request {
    typealias Response = [String]
    let day: String?
    let path = "/places"
    var query: Query { ["day": day, "letters": [5, 6]] }  // ?day=…&letters[]=5&letters[]=6; no day if there is none
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
