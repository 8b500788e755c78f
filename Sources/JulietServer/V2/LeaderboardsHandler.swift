import HTTPServer
import JulietAPI
import JulietGame

/// `/v2/leaderboards`, and the one of a day: who did best.
struct LeaderboardsHandler {
    let leaderboards: Leaderboards
    /// Who may read them.
    let readers: V2Request.Access

    var routes: [V2Route] {
        [
            V2Route(
                "readDailyLeaderboard", .get, "/daily/{day}/leaderboard",
                "Who won the day's game: by guesses, then by seconds; 50 entries at most.", for: readers,
                query: [.limit, .around], answers: .ok(V2.DailyLeaderboard.self)
            ) { try await day($0) },
            V2Route(
                "readWinsLeaderboard", .get, "/leaderboards/wins",
                "Who won most games, of all time by default; 50 entries at most.",
                for: readers, query: [.period, .limit, .around], answers: .ok(V2.WinsLeaderboard.self)
            ) { try await wins($0) },
        ]
    }

    func day(_ request: V2Request) async throws -> Response {
        let query = try request.query()
        return .of(
            try await leaderboards.day(
                request.day, for: request.session, limit: query.limit(atMost: 50), isAroundMe: query.isAroundMe))
    }

    func wins(_ request: V2Request) async throws -> Response {
        let query = try request.query()
        return .of(
            try await leaderboards.wins(
                query.period ?? .all, for: request.session, limit: query.limit(atMost: 50), isAroundMe: query.isAroundMe
            ))
    }
}
