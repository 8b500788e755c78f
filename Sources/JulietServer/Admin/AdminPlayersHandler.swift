import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// `/admin/api/player…`, ledgers, games, grants: whom operators look at.
struct AdminPlayersHandler: Sendable {
    let desk: AdminDesk

    var routes: [AdminRoute] {
        [
            AdminRoute(.get, "/session") { .of(try await desk.signIn(with: $0.key)) },
            AdminRoute(.get, "/players") { .of(try await find($0)) },
            AdminRoute(.get, "/player") { .of(try await desk.player(player($0), by: $0.key)) },
            AdminRoute(.get, "/ledger") {
                .of(try await desk.ledger(of: player($0), before: $0.query.before(), by: $0.key))
            },
            AdminRoute(.get, "/games") { .of(try await games($0)) },
            AdminRoute(.post, "/grants") { .of(try await grant($0)) },
            AdminRoute(.get, "/trail") { request in
                let player = request.query[.id] == nil ? nil : try player(request)
                return .of(try await desk.trail(of: player, before: request.query.before(), by: request.key))
            },
        ]
    }

    private func player(_ request: AdminRequest) throws(V2.RequestFault) -> User.ID { try request.player() }

    private func find(_ request: AdminRequest) async throws -> AdminOutcome {
        let text = try request.player(.search).rawValue
        let before = try request.query[.before].map { cursor throws(V2.RequestFault) in
            guard let cursor = AdminDesk.PageCursor(cursor) else { throw .unknownPage }
            return cursor
        }
        return try await desk.find(text, before: before, by: request.key)
    }

    private func games(_ request: AdminRequest) async throws -> AdminOutcome {
        let player = try player(request)
        let before = try request.query[.before].map { text throws(V2.RequestFault) in
            guard let id = PostgresUUID(id: text) else { throw .unknownPage }
            return id
        }
        return try await desk.games(of: player, before: before, by: request.key)
    }

    private func grant(_ request: AdminRequest) async throws -> AdminOutcome {
        let player = try player(request)
        let body = try AdminRequests.Grant.decode(request.http.body.span)
        guard EnergyLedger.grants.contains(body.amount) else {
            throw V2.RequestFault(path: "/amount", detail: "\"amount\" must be an integer from 1 to 1,000,000.")
        }
        return try await desk.grant(
            body.amount, to: player, reason: request.reason(body.reason), as: request.operation(), by: request.key)
    }
}
