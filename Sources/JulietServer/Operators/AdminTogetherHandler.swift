import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// `/admin/api/together`, a league, their ends, and hints: what players share.
struct AdminTogetherHandler: Sendable {
    let operators: Operators

    var routes: [AdminRoute] {
        [
            AdminRoute(.get, "/together") { request in
                let text = request.query[.search]
                guard text?.unicodeScalars.count ?? 0 <= 128 else {
                    throw AdminQuery.fault(.search, "must have at most 128 characters")
                }
                return .of(try await operators.together(text, by: request.session))
            },
            AdminRoute(.get, "/league") { .of(try await operators.league(league($0), by: $0.session)) },
            AdminRoute(.post, "/end") { .of(try await end($0)) },
            AdminRoute(.post, "/hint") { .of(try await hideHint($0)) },
        ]
    }

    private func end(_ request: AdminRequest) async throws -> AdminAnswer {
        let one = try shared(request)
        let body = try AdminRequests.Deed(request.http.body.span)
        return try await operators.end(
            one, reason: request.reason(body.reason), as: request.operation(), by: request.session)
    }

    private func hideHint(_ request: AdminRequest) async throws -> AdminAnswer {
        let code = try code(try request.query.required(.challenge))
        let body = try AdminRequests.Deed(request.http.body.span)
        return try await operators.hideHint(
            of: code, reason: request.reason(body.reason), as: request.operation(), by: request.session)
    }

    /// What the query names: a league or a challenge.
    private func shared(_ request: AdminRequest) throws(V2.RequestFault) -> Operators.Shared {
        guard let text = request.query[.challenge] else { return .league(try league(request)) }
        return .challenge(try code(text))
    }

    private func code(_ text: String) throws(V2.RequestFault) -> V2.ShareCode {
        guard let code = V2.ShareCode(text) else { throw AdminQuery.fault(.challenge, "is not a code") }
        return code
    }

    private func league(_ request: AdminRequest) throws(V2.RequestFault) -> PostgresUUID {
        guard let id = PostgresUUID(id: try request.query.required(.league)) else {
            throw AdminQuery.fault(.league, "is not the id of a league")
        }
        return id
    }
}
