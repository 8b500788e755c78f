import HTTPServer
import JulietAPI
import JulietGame

/// `/v2/daily`: the word of the day.
struct DaysHandler {
    let days: Days
    /// What the URLs begin with.
    let root: String
    let metrics: GameMetrics

    func today(_ request: PlayRequest) async throws -> Response {
        .of(try await days.today(for: request.session))
    }

    func startGame(_ request: PlayRequest) async throws -> Response {
        _ = try request.body(V2.NoMembers.self)
        let answer = try await days.startGame(by: request.player())
        metrics.started(answer)
        return .of(answer) { game in
            let body = V2.DailyGame(game: game)
            return answer?.isNew == true ? .begun(body, game, below: root) : .json(body)
        }
    }

    func past(_ request: PlayRequest) async throws -> Response {
        .of(try await days.past(request.day, for: request.session))
    }
}
