import HTTPServer
import JulietAPI
import JulietGame

/// `/v2/leaderboards`, and the one of a day: who did best.
struct LeaderboardsHandler {
    let leaderboards: Leaderboards

    func day(_ request: PlayRequest) async throws -> Response {
        let query = try request.query(.limit, .around)
        return .of(
            try await leaderboards.day(
                request.day, for: request.session, limit: query.limit(atMost: 50), isAroundMe: query.isAroundMe))
    }

    func wins(_ request: PlayRequest) async throws -> Response {
        let query = try request.query(.period, .limit, .around)
        return .of(
            try await leaderboards.wins(
                query.period, for: request.session, limit: query.limit(atMost: 50), isAroundMe: query.isAroundMe))
    }
}
