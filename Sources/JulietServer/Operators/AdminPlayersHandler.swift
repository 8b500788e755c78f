import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// `/admin/api/player…`, ledgers, games: what operators read about players.
struct AdminPlayersHandler: Sendable {
    let operators: Operators

    var routes: [AdminRoute] {
        [
            AdminRoute(.get, "/players") { .of(try await find($0)) },
            AdminRoute(.get, "/player") { .of(try await operators.player($0.player(), by: $0.session)) },
            AdminRoute(.get, "/ledger") {
                .of(try await operators.ledger(of: $0.player(), before: $0.query.before(), by: $0.session))
            },
            AdminRoute(.get, "/games") { .of(try await games($0)) },
            AdminRoute(.get, "/trail") { request in
                let player = request.query[.id] == nil ? nil : try request.player()
                return .of(try await operators.trail(of: player, before: request.query.before(), by: request.session))
            },
        ]
    }

    private func find(_ request: AdminRequest) async throws -> AdminAnswer {
        let text = request.query[.search] == nil ? "" : try request.player(.search).rawValue
        let before = try request.query[.before].map { cursor throws(V2.RequestFault) in
            guard let cursor = Operators.PageCursor(cursor) else { throw .unknownPage }
            return cursor
        }
        return try await operators.find(text, before: before, by: request.session)
    }

    private func games(_ request: AdminRequest) async throws -> AdminAnswer {
        let player = try request.player()
        let before = try request.query[.before].map { text throws(V2.RequestFault) in
            guard let id = PostgresUUID(id: text) else { throw .unknownPage }
            return id
        }
        return try await operators.games(of: player, before: before, by: request.session)
    }
}
