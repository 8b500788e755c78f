import HTTPServer
import JulietAPI
import JulietGame

/// `/v2/daily`: the word of the day.
struct DaysHandler {
    let days: Days
    /// What the URLs begin with.
    let root: String
    let metrics: GameMetrics

    var routes: [PlayRoute] {
        [
            PlayRoute(
                "readToday", .get, "/daily", "The word of the day, as far as it is told.", for: .anybody,
                answers: .ok(V2.DailyWord.self)
            ) { try await today($0) },
            PlayRoute(
                "startDaily", .post, "/daily/game", "Begins the game of the day, free, one a player; again answers it.",
                takes: V2.NoMembers.self, answers: .begun(V2.DailyGame.self), .ok(V2.DailyGame.self)
            ) { try await startGame($0) },
            PlayRoute(
                "readDay", .get, "/daily/{day}", "A day that is over, its word included.", for: .anybody,
                answers: .ok(V2.PastDay.self)
            ) { try await past($0) },
        ]
    }

    func today(_ request: PlayRequest) async throws -> Response {
        .of(try await days.today(for: request.session))
    }

    func startGame(_ request: PlayRequest) async throws -> Response {
        _ = try request.body(V2.NoMembers.self)
        let answer = try await days.startGame(by: request.player())
        metrics.started(answer, price: 0)
        return .of(answer) { game in
            let body = V2.DailyGame(game: game)
            return answer?.isNew == true ? .begun(body, game, below: root) : .json(body)
        }
    }

    func past(_ request: PlayRequest) async throws -> Response {
        .of(try await days.past(request.day, for: request.session))
    }
}
