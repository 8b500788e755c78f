import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// `/admin/api/ways`, `recovery-code`, `energy`, `end-game`, `export` and `delete`: what operators do about a player.
struct AdminDeedsHandler: Sendable {
    let operators: Operators

    var routes: [AdminRoute] {
        [
            AdminRoute(.get, "/ways") { .of(try await operators.ways(of: $0.player(), by: $0.session)) },
            AdminRoute(.post, "/ways") { .of(try await takeWays($0)) },
            AdminRoute(.post, "/recovery-code") { request in
                .of(
                    try await operators.renewRecoveryCode(
                        of: request.player(), reason: reason(request), as: request.operation(), by: request.session))
            },
            AdminRoute(.post, "/energy") { .of(try await changeEnergy($0)) },
            AdminRoute(.post, "/end-game") { .of(try await endGame($0)) },
            AdminRoute(.post, "/export") { request in
                .of(
                    try await operators.export(
                        request.player(), reason: reason(request), as: request.operation(), by: request.session))
            },
            AdminRoute(.post, "/delete") { .of(try await delete($0)) },
        ]
    }

    private func reason(_ request: AdminRequest) throws(V2.RequestFault) -> String {
        try request.reason(AdminRequests.Deed(request.http.body.span).reason)
    }

    private func takeWays(_ request: AdminRequest) async throws -> AdminAnswer {
        let player = try request.player()
        let body = try AdminRequests.WaysEnd(request.http.body.span)
        guard let kind = Operators.WayKind(rawValue: body.kind) else {
            let choices = Operators.WayKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw V2.RequestFault(path: "/kind", detail: "\"kind\" must be one of \(choices).")
        }
        let isOne: Bool =
            switch (kind, body.one) {
            case (_, nil): true
            case (.session, let one?), (.passkey, let one?): PostgresUUID(id: one) != nil
            case (.identity, let one?): !one.isEmpty && !one.unicodeScalars.contains("\0")
            case (.all, _): false
            }
        guard isOne else {
            throw V2.RequestFault(path: "/one", detail: "\"one\" must be an id of this kind.")
        }
        return try await operators.takeWays(
            kind, body.one, of: player, reason: request.reason(body.reason), as: request.operation(),
            by: request.session)
    }

    private func changeEnergy(_ request: AdminRequest) async throws -> AdminAnswer {
        let player = try request.player()
        let body = try AdminRequests.EnergyChange(request.http.body.span)
        guard EnergyLedger.grants.contains(Int(clamping: body.amount.magnitude)) else {
            let (given, taken) = (
                EnergyLedger.grants, -EnergyLedger.grants.upperBound ... -EnergyLedger.grants.lowerBound
            )
            throw V2.RequestFault(
                path: "/amount",
                detail: "\"amount\" must be an integer from \(grouped(given)), or from \(grouped(taken)).")
        }
        return try await operators.changeEnergy(
            of: player, by: body.amount, reason: request.reason(body.reason), isShown: body.isShown ?? true,
            as: request.operation(), by: request.session)
    }

    private func endGame(_ request: AdminRequest) async throws -> AdminAnswer {
        let player = try request.player()
        guard let game = PostgresUUID(id: try request.query.required(.game)) else {
            throw AdminQuery.fault(.game, "is not the id of a game")
        }
        return try await operators.endGame(
            game, of: player, reason: reason(request), as: request.operation(), by: request.session)
    }

    private func delete(_ request: AdminRequest) async throws -> AdminAnswer {
        let player = try request.player()
        let body = try AdminRequests.Deletion(request.http.body.span)
        guard body.id == player.rawValue else {
            throw V2.RequestFault(path: "/id", detail: "\"id\" is not the id of this player: nothing was deleted.")
        }
        return try await operators.delete(
            player, reason: request.reason(body.reason), as: request.operation(), by: request.session)
    }
}
