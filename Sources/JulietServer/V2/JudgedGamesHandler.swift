import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// `/v2/games`: games the service judges.
struct JudgedGamesHandler {
    let games: JudgedGames
    let rules: RulesInForce
    /// What the URLs begin with.
    let root: String
    let metrics: GameMetrics

    private let reviews: Reviews
    /// Of answers with a review, by the player.
    private let reviewLimit = RateLimit(.init(count: 20, period: .seconds(60), refill: .afterPeriod))

    private let reviewTurns = OneAtATime()

    init(games: JudgedGames, reviews: Reviews, rules: RulesInForce, root: String, metrics: GameMetrics) {
        self.games = games
        self.reviews = reviews
        self.rules = rules
        self.root = root
        self.metrics = metrics
    }

    var routes: [V2Route] {
        [
            V2Route(
                "startGame", .post, "/games", "Pays for a game and deals a word: one at a time.",
                takes: V2.NewGame.self, answers: .begun(V2.StartedGame.self),
                refuses: [.gameUnfinished, .listUnknown, .energyInsufficient, .idempotencyKeyReused]
            ) { try await start($0) },
            V2Route(
                "listGames", .get, "/games", "The player's games, newest first, 50 at most.",
                query: [.before, .limit, .state, .kind], answers: .ok(V2.GameList.self)
            ) { try await list($0) },
            V2Route("readGame", .get, "/games/{id}", "One of the player's games.", answers: .ok(V2.Game.self)) {
                try await read($0)
            },
            V2Route(
                "guess", .post, "/games/{id}/guesses", "Guesses a word. A word that is not in the list does not count.",
                takes: V2.GuessWord.self, answers: .ok(V2.Game.self),
                refuses: [.guessTaken, .gameOver, .guessEarly, .wordUnknown, .guessHard, .idempotencyKeyReused]
            ) { try await guess($0) },
            V2Route(
                "resign", .post, "/games/{id}/resign", "Gives a game up. A game that is over stays as it is.",
                takes: V2.NoMembers.self, answers: .ok(V2.Game.self)
            ) { try await resign($0) },
            V2Route(
                "reviewGame", .get, "/games/{id}/review",
                "Looks back at a game that is over: how many words each guess left, and how many it could be expected to leave.",
                answers: .ok(V2.Review.self), .unchanged, refuses: [.gameRunning, .noReview]
            ) { try await review($0) },
        ]
    }

    func start(_ request: V2Request) async throws -> Response {
        let body = try request.body(V2.NewGame.self)
        let answer = try await games.start(
            by: request.player(), isHard: body.isHard, language: body.language, length: body.length,
            as: request.operation)
        metrics.started(answer, price: rules.current.gamePrice)
        return .of(answer) {
            .json(
                V2.StartedGame(game: $0.game, energy: $0.energy), status: .created, at: "\(root)/games/\($0.game.id)")
        }
    }

    func list(_ request: V2Request) async throws -> Response {
        let query = try request.query()
        let before = try query.before.map { text throws(V2.RequestFault) in
            guard let id = PostgresUUID(id: text) else { throw .unknownPage }
            return id
        }
        return .of(
            try await games.games(
                of: request.player(), before: before, limit: query.limit(atMost: 50), state: query.state,
                kind: query.kind))
    }

    func read(_ request: V2Request) async throws -> Response {
        .of(try await games.game(request.id(), of: request.player())) { .json($0.game) }
    }

    func guess(_ request: V2Request) async throws -> Response {
        let body = try request.body(V2.GuessWord.self)
        let answer = try await games.guess(
            body.word, number: body.number, in: request.id(), by: request.player(), as: request.operation)
        metrics.moved(answer, number: body.number)
        return .of(answer) { .json($0.game) }
    }

    func review(_ request: V2Request) async throws -> Response {
        let player = try request.player()
        let found = try await reviews.game(request.id(), of: player)
        guard let game = found.value else { return .of(found) { _ in Response() } }
        // A client that has the answer needs no other, and it does not count.
        let known = Response.tagged([], as: game.version, for: request.http)
        guard known.status == .ok else { return known }
        let name = player.player?.rawValue ?? ""
        return try await reviewTurns.answer(name) {
            if let wait = reviewLimit.wait(name) { return .tooManyRequests(retryAfter: wait) }
            guard let review = await reviews.review(game) else {
                return .problem(V2.Problem(.unavailable, retryAfter: 1))
            }
            if let wait = reviewLimit.take(name) { return .tooManyRequests(retryAfter: wait) }
            return .tagged(review.encoded(), as: game.version, for: request.http)
        }
    }

    func resign(_ request: V2Request) async throws -> Response {
        _ = try request.body(V2.NoMembers.self)
        let answer = try await games.resign(request.id(), by: request.player())
        metrics.moved(answer)
        return .of(answer) { .json($0.game) }
    }
}
