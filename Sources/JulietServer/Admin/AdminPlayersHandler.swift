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
            AdminRoute(.get, "/players") { .of(try await desk.search(player($0, .search).rawValue, by: $0.key)) },
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

    /// Ids are as long as accounts of the app; a text to search for is no longer.
    private func player(_ request: AdminRequest, _ name: AdminQuery.Name = .id) throws(V2.RequestFault) -> User.ID {
        let text = try request.query.required(name)
        // A pseudonym has a tab in it, which the query refuses: closed ledgers are nobody's.
        guard text.unicodeScalars.count <= 128 else { throw AdminQuery.fault(name, "has up to 128 characters") }
        return User.ID(text)
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
