import HTTPServer
import JulietAPI
import JulietGame

/// `/v2/players`: who plays.
struct PlayersHandler {
    let accounts: PlayerAccounts
    let metrics: GameMetrics

    func create(_ request: PlayRequest) async throws -> Response {
        let body = try request.body(V2.NewPlayer.self)
        let outcome = try await accounts.create(
            name: body.name.map(Self.storable), claiming: body.claim.map { User.ID($0) })
        if case .done(let created) = outcome { metrics.registered(created.player, isClaim: body.claim != nil) }
        return .of(outcome, status: .created)
    }

    func read(_ request: PlayRequest) async throws -> Response {
        .of(try await accounts.player(of: request.player()))
    }

    func rename(_ request: PlayRequest) async throws -> Response {
        let name = try request.body(V2.Rename.self).name.map(Self.storable)
        return .of(try await accounts.rename(to: name, by: request.player()))
    }

    func delete(_ request: PlayRequest) async throws -> Response {
        .done(unless: try await accounts.delete(by: request.player()))
    }

    func energy(_ request: PlayRequest) async throws -> Response {
        let query = try request.query(.before, .limit)
        let before = try query.before.map { text throws(V2.RequestFault) in
            guard let number = Int(text), number >= 0 else { throw .unknownPage }
            return number
        }
        return .of(
            try await accounts.energy(
                of: request.player(), before: before, limit: query.limit(atMost: 100)))
    }

    func export(_ request: PlayRequest) async throws -> Response {
        switch try await accounts.export(of: request.player()) {
        case .done(let text): .json(bytes: Array(text.utf8))
        case .refused(let refusal): .problem(V2.Problem(for: refusal))
        }
    }

    func renewRecoveryCode(_ request: PlayRequest) async throws -> Response {
        _ = try request.body(V2.NoMembers.self)
        return .of(try await accounts.renewRecoveryCode(of: request.player()), status: .created)
    }

    /// The name as the records take it. What cannot be one becomes the empty name, which they refuse, so that everything
    /// else that is wrong is said first.
    private static func storable(_ name: String) -> String { V2.PlayerName(name)?.text ?? "" }
}
