import HTTPServer
import JulietAPI
import JulietGame

/// `/v2/daily`: the word of the day.
struct DaysHandler {
    let days: Days
    /// What the URLs begin with.
    let root: String
    let metrics: GameMetrics
    /// Whether the words of past days can be played.
    let hasDaysGoneBy: Bool

    static let listPath = "/daily/days"

    var routes: [V2Route] { current + (hasDaysGoneBy ? goneBy : []) }

    private var current: [V2Route] {
        [
            V2Route(
                "readToday", .get, "/daily", "Today's word: its length and commitment, not the word itself.",
                for: .anybody,
                answers: .ok(V2.DailyWord.self)
            ) { try await today($0) },
            V2Route(
                "startDaily", .post, "/daily/game", "Begins the game of the day: free, one per player.",
                takes: V2.NewDailyGame.self, answers: .begun(V2.DailyGame.self), .ok(V2.DailyGame.self)
            ) { try await startGame($0) },
            V2Route(
                "readDay", .get, "/daily/{day}", "A past day, with its word.", for: .anybody,
                answers: .ok(V2.PastDay.self)
            ) { try await past($0) },
        ]
    }

    private var goneBy: [V2Route] {
        [
            V2Route(
                "listDays", .get, Self.listPath, "Today and the days before, newest first, 100 at most.", for: .anybody,
                query: [.before, .limit], answers: .ok(V2.DayList.self), refuses: [.notFound]
            ) { try await list($0) },
            V2Route(
                "startArchive", .post, "/daily/{day}/game",
                "Begins the game of a past day: free, and it does not count.",
                takes: V2.NewDailyGame.self, answers: .begun(V2.DailyGame.self), .ok(V2.DailyGame.self),
                refuses: [.tooMany]
            ) { try await startArchive($0) },
        ]
    }

    func today(_ request: V2Request) async throws -> Response {
        .of(try await days.today(for: request.session))
    }

    func startGame(_ request: V2Request) async throws -> Response {
        let body = try request.body(V2.NewDailyGame.self)
        return begun(try await days.startGame(by: request.player(), isHard: body.isHard))
    }

    func startArchive(_ request: V2Request) async throws -> Response {
        let body = try request.body(V2.NewDailyGame.self)
        return begun(try await days.startGame(of: request.day, by: request.player(), isHard: body.isHard))
    }

    private func begun(_ answer: V2Answer<AnsweredGame>) -> Response {
        metrics.started(answer, price: 0)
        return .of(answer) { .begun(V2.DailyGame(game: $0.game), $0, below: root) }
    }

    func list(_ request: V2Request) async throws -> Response {
        let query = try request.query()
        let before = try query.before.map { text throws(V2.RequestFault) in
            guard let day = V2.Day(text) else {
                throw V2.RequestFault(path: "before", detail: "\"before\" must be a day, such as 2026-11-21.")
            }
            return day
        }
        return .of(try await days.list(before: before, limit: query.limit(atMost: 100), for: request.session))
    }

    func past(_ request: V2Request) async throws -> Response {
        .of(try await days.past(request.day, for: request.session))
    }
}
