import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// `/v2/leagues` and `/v2/invites`: the day's word among people who know each other.
struct LeaguesHandler {
    private let leagues: Leagues
    private let tables: LeagueTables
    private let root: String
    private let metrics: GameMetrics
    private let unknownCodes: GuessLimit

    init(leagues: Leagues, root: String, metrics: GameMetrics, unknownCodes: GuessLimit) {
        self.leagues = leagues
        tables = LeagueTables(leagues: leagues)
        self.root = root
        self.metrics = metrics
        self.unknownCodes = unknownCodes
    }

    var routes: [V2Route] { ofLeagues + ofInvites + ofMembers }

    private var ofLeagues: [V2Route] {
        [
            V2Route(
                "createLeague", .post, "/leagues", "Creates a league, which the player owns.",
                takes: V2.NewLeague.self, answers: .created(V2.JoinedLeague.self, at: .ofHandler),
                refuses: [.notFound, .nameRefused, .tooMany, .idempotencyKeyReused]
            ) { try await create($0) },
            V2Route(
                "listLeagues", .get, "/leagues", "The player's leagues, in the order in which they joined them.",
                answers: .ok(V2.LeagueList.self), refuses: [.notFound]
            ) { try await list($0) },
            V2Route(
                "readLeague", .get, "/leagues/{id}", "One of the player's leagues.", answers: .ok(V2.League.self)
            ) { .of(try await leagues.league($0.id(), of: $0.player())) },
            V2Route(
                "renameLeague", .patch, "/leagues/{id}", "Changes a league's name. Only its owner may.",
                takes: V2.RenameLeague.self, answers: .ok(V2.League.self), refuses: [.notOwner, .nameRefused]
            ) { try await rename($0) },
            V2Route(
                "endLeague", .delete, "/leagues/{id}", "Ends a league, for all its members. Only its owner may.",
                answers: .done, refuses: [.notOwner]
            ) { try await end($0) },
            V2Route(
                "readLeagueTable", .get, "/leagues/{id}/table",
                "Who did best at the words of the day: all members, this week by default.",
                query: [.period], answers: .ok(V2.LeagueTable.self), .unchanged
            ) { try await table($0) },
        ]
    }

    private var ofInvites: [V2Route] {
        [
            V2Route(
                "renewInvite", .post, "/leagues/{id}/invite",
                "Makes a new invite; the old one stops working. Only the owner may.",
                takes: V2.NoMembers.self, answers: .created(V2.RenewedInvite.self, at: .ofHandler), refuses: [.notOwner]
            ) { try await renewInvite($0) },
            V2Route(
                "readInvite", .get, "/invites/{code}", "The league that an invite is for.", for: .anybody,
                answers: .ok(V2.Invitation.self)
            ) { try await invitation($0) },
            V2Route(
                "joinLeague", .post, "/leagues/join", "Joins the league that an invite is for.",
                takes: V2.JoinLeague.self, answers: .ok(V2.JoinedLeague.self),
                refuses: [.notFound, .tooMany, .leagueFull]
            ) { try await join($0) },
        ]
    }

    private var ofMembers: [V2Route] {
        [
            V2Route(
                "listLeagueMembers", .get, "/leagues/{id}/members", "The members of a league, its owner first.",
                answers: .ok(V2.LeagueMemberList.self)
            ) { .of(try await leagues.members(of: $0.id(), for: $0.player())) },
            V2Route(
                "removeLeagueMember", .delete, "/leagues/{id}/members/{member}",
                "Leaves a league (`me`, or the player's own membership id), or removes a member, as its owner.",
                answers: .done,
                refuses: [.notOwner]
            ) { try await remove($0) },
        ]
    }

    func create(_ request: V2Request) async throws -> Response {
        let name = V2.GivenName(try request.body(V2.NewLeague.self).name, .league)
        let answer = try await leagues.create(name: name.text, by: request.player(), as: request.operation)
        if answer.news != nil { metrics.changed(.created) }
        return .of(answer.about(name)) { .json($0, status: .created, at: "\(root)/leagues/\($0.league.id)") }
    }

    func list(_ request: V2Request) async throws -> Response {
        .of(try await leagues.leagues(of: request.player()))
    }

    func rename(_ request: V2Request) async throws -> Response {
        let name = try request.body(V2.RenameLeague.self).name.map { V2.GivenName($0, .league) }
        return .of(try await leagues.rename(request.id(), to: name?.text, by: request.player()).about(name))
    }

    func end(_ request: V2Request) async throws -> Response {
        let answer = try await leagues.end(request.id(), by: request.player())
        if answer.news != nil { metrics.changed(.ended) }
        return .of(answer)
    }

    func table(_ request: V2Request) async throws -> Response {
        let period = try request.query().period ?? .week
        guard let league = request.id() else {
            // No league has this id, but the token is checked first.
            return .of(try await leagues.league(nil, of: request.player()))
        }
        let answer = try await leagues.view(of: league, for: request.player())
        guard let view = answer.value else { return .of(answer) { _ in .problem(V2.Problem(.notFound)) } }
        do {
            let table = try await tables.table(LeagueTables.Key(league: league, period: period), for: view)
            guard let table else { return .problem(V2.Problem(.notFound)) }
            return .tagged(table.shown(to: view), for: request.http)
        } catch is SingleFlight<LeagueTables.Key, LeagueTables.Made>.Overload {
            return .problem(V2.Problem(.unavailable, retryAfter: 1))
        }
    }

    func renewInvite(_ request: V2Request) async throws -> Response {
        _ = try request.body(V2.NoMembers.self)
        let (league, player) = (request.id(), try request.player())
        return .of(
            try await leagues.renewInvite(of: league, by: player), status: .created,
            at: "\(root)/leagues/\(request.http.parameters["id"] ?? "")")
    }

    func invitation(_ request: V2Request) async throws -> Response {
        let code = request.http.parameters["code"].flatMap { V2.ShareCode($0) }
        return try await unknownCodes.answer(request.client) {
            Self.known(try await leagues.invitation(code, for: request.session))
        }
    }

    func join(_ request: V2Request) async throws -> Response {
        let code = V2.ShareCode(try request.body(V2.JoinLeague.self).invite)
        let session = try request.player()
        return try await unknownCodes.answer(request.client) {
            let answer = try await leagues.join(code, by: session)
            if answer.news != nil { metrics.changed(.joined) }
            return Self.known(answer)
        }
    }

    func remove(_ request: V2Request) async throws -> Response {
        let isMe = request.http.parameters["member"] == "me"
        // No membership has the id of zeros.
        let member = isMe ? nil : request.id("member") ?? PostgresUUID(high: 0, low: 0)
        let answer = try await leagues.remove(member, from: request.id(), by: request.player())
        if answer.news != nil { metrics.changed(.left) }
        return .of(answer)
    }

    /// An answer about a code; nil: it is unknown.
    private static func known(_ answer: V2Answer<some JSONObject>) -> Response? {
        answer.refusal == .notFound ? nil : .of(answer)
    }
}
