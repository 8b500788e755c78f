import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// `/v2/games`: games the service judges.
struct JudgedGamesHandler {
    let games: JudgedGames
    /// What the URLs begin with.
    let root: String
    let metrics: GameMetrics

    func start(_ request: PlayRequest) async throws -> Response {
        _ = try request.body(V2.NoMembers.self)
        let answer = try await games.start(by: request.player(), as: request.operation)
        metrics.started(answer)
        return .of(answer) { game in
            .begun(V2.StartedGame(game: game, energy: answer?.energy ?? 0), game, below: root)
        }
    }

    func list(_ request: PlayRequest) async throws -> Response {
        let query = try request.query(.before, .limit, .state)
        let before = try query.before.map { text throws(V2.RequestFault) in
            guard let id = PostgresUUID(id: text) else { throw .unknownPage }
            return id
        }
        return .of(
            try await games.games(
                of: request.player(), before: before, limit: query.limit(atMost: 50), state: query.state))
    }

    func read(_ request: PlayRequest) async throws -> Response {
        .of(try await games.game(request.id(), of: request.player())) { .json($0) }
    }

    func guess(_ request: PlayRequest) async throws -> Response {
        let body = try request.body(V2.GuessWord.self)
        let answer = try await games.guess(
            body.word, number: body.number, in: request.id(), by: request.player(), as: request.operation)
        metrics.moved(answer, number: body.number)
        return .of(answer) { .json($0) }
    }

    func resign(_ request: PlayRequest) async throws -> Response {
        _ = try request.body(V2.NoMembers.self)
        let answer = try await games.resign(request.id(), by: request.player())
        metrics.moved(answer)
        return .of(answer) { .json($0) }
    }
}
