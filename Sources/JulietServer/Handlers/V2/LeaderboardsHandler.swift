import HTTPServer
import JulietAPI
import JulietGame

/// `/v2/leaderboards`, and the one of a day: who did best.
struct LeaderboardsHandler {
    let leaderboards: Leaderboards
    /// Who may read them.
    let readers: PlayRequest.Access

    var routes: [PlayRoute] {
        [
            PlayRoute(
                "readDailyLeaderboard", .get, "/daily/{day}/leaderboard",
                "Who won the day's game: by guesses, then by seconds; 50 entries at most.", for: readers,
                query: [.limit, .around], answers: .ok(V2.DailyLeaderboard.self)
            ) { try await day($0) },
            PlayRoute(
                "readWinsLeaderboard", .get, "/leaderboards/wins",
                "Who won most games, of all time by default; 50 entries at most.",
                for: readers, query: [.period, .limit, .around], answers: .ok(V2.WinsLeaderboard.self)
            ) { try await wins($0) },
        ]
    }

    func day(_ request: PlayRequest) async throws -> Response {
        let query = try request.query()
        return .of(
            try await leaderboards.day(
                request.day, for: request.session, limit: query.limit(atMost: 50), isAroundMe: query.isAroundMe))
    }

    func wins(_ request: PlayRequest) async throws -> Response {
        let query = try request.query()
        return .of(
            try await leaderboards.wins(
                query.period ?? .all, for: request.session, limit: query.limit(atMost: 50), isAroundMe: query.isAroundMe
            ))
    }
}
