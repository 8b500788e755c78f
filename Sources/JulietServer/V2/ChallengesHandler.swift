import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// `/v2/challenges`: one word, some friends.
struct ChallengesHandler {
    let challenges: Challenges
    let rules: RulesInForce
    /// What the URLs begin with.
    let root: String
    let metrics: GameMetrics
    let unknownCodes: GuessLimit
    /// Whether words need not be in a list.
    let takesAnyWords: Bool

    private let results: ChallengeResults

    init(
        challenges: Challenges, rules: RulesInForce, root: String, metrics: GameMetrics, unknownCodes: GuessLimit,
        takesAnyWords: Bool
    ) {
        self.challenges = challenges
        self.rules = rules
        self.root = root
        self.metrics = metrics
        self.unknownCodes = unknownCodes
        self.takesAnyWords = takesAnyWords
        results = ChallengeResults { code in try await challenges.results(of: code) }
    }

    var routes: [V2Route] {
        [
            V2Route(
                "makeChallenge", .post, "/challenges",
                "Pays for a challenge and makes it: with a word of the player's own, or with one that is dealt.",
                takes: V2.NewChallenge.self, answers: .created(V2.MadeChallenge.self, at: .ofHandler),
                refuses: [
                    .notFound, .nameRefused, .wordUnknown, .listUnknown, .wordRefused, .hintTells, .tooMany,
                    .energyInsufficient, .idempotencyKeyReused,
                ]
            ) { try await make($0) },
            V2Route(
                "listChallenges", .get, "/challenges",
                "The challenges that the player made or plays, newest first, 100 at most.", query: [.before, .limit],
                answers: .ok(V2.ChallengeList.self), refuses: [.notFound]
            ) { try await list($0) },
            V2Route(
                "readChallenge", .get, "/challenges/{code}", "A challenge, without what the player may not see yet.",
                for: .anybody, answers: .ok(V2.Challenge.self), .unchanged
            ) { try await read($0) },
            V2Route(
                "startChallenge", .post, "/challenges/{code}/game",
                "Begins a challenge's game: free, one per player, counted only in its results.",
                takes: V2.NoMembers.self, answers: .begun(V2.ChallengeGame.self), .ok(V2.ChallengeGame.self),
                refuses: [.challengeOwnWord, .challengeOver, .challengeFull, .tooMany]
            ) { try await startGame($0) },
            V2Route(
                "deleteChallenge", .delete, "/challenges/{code}",
                "Deletes a challenge that the player made. Games that were begun stay.", answers: .done
            ) { try await delete($0) },
        ]
    }

    func make(_ request: V2Request) async throws -> Response {
        let body = try V2.NewChallenge.decode(request.http.body.span, ignoring: takesAnyWords ? [] : [\.anyWord])
        let answer = try await challenges.make(
            challenges.spelled(body), by: request.player(), as: request.operation)
        metrics.made(answer, price: rules.current.gamePrice)
        return .of(answer.about(body.hint.map { V2.GivenName($0, .hint) })) { made in
            .json(
                V2.MadeChallenge(challenge: made.results.map(made.with) ?? made.challenge, energy: made.energy),
                status: .created, at: "\(root)/challenges/\(made.challenge.code)")
        }
    }

    func list(_ request: V2Request) async throws -> Response {
        let query = try request.query()
        let before = try query.before.map { text throws(V2.RequestFault) in
            guard let place = Challenges.Place(text) else { throw .unknownPage }
            return place
        }
        return .of(
            try await challenges.list(of: request.player(), before: before, limit: query.limit(atMost: 100)))
    }

    func read(_ request: V2Request) async throws -> Response {
        try await unknownCodes.answer(request.client) {
            let answer = try await challenges.challenge(request.code, for: request.session)
            if answer.refusal == .notFound { return nil }
            var lines = answer.value?.results ?? []
            if let seen = answer.value, seen.isOpen, seen.results == nil {
                lines = try await results.lines(of: seen.challenge.code, with: seen.gameInResults)
            }
            return .of(answer) { .tagged($0.isOpen ? $0.with(lines) : $0.challenge, for: request.http) }
        }
    }

    func startGame(_ request: V2Request) async throws -> Response {
        _ = try request.body(V2.NoMembers.self)
        let player = try request.player()
        return try await unknownCodes.answer(request.client) {
            let answer = try await challenges.startGame(of: request.code, by: player)
            if answer.refusal == .notFound { return nil }
            metrics.started(answer, price: 0)
            return .of(answer) { .begun(V2.ChallengeGame(game: $0.game), $0, below: root) }
        }
    }

    func delete(_ request: V2Request) async throws -> Response {
        let player = try request.player()
        return try await unknownCodes.answer(request.client) {
            let answer = try await challenges.delete(request.code, by: player)
            return answer.refusal == .notFound ? nil : .of(answer)
        }
    }
}
