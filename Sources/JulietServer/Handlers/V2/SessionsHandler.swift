import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// `/v2/sessions`: the devices that are signed in.
struct SessionsHandler {
    let accounts: PlayerAccounts
    let attempts: RecoveryAttempts

    var routes: [PlayRoute] {
        [
            PlayRoute(
                "signIn", .post, "/sessions", "Signs another device in; the recovery code is used up by it.",
                for: .newcomers, takes: V2.SignIn.self,
                answers: .created(V2.PlayerCredentials.self, at: .path("/sessions/current"))
            ) { try await create($0) },
            PlayRoute(
                "listSessions", .get, "/sessions", "The devices that are signed in.", answers: .ok(V2.SessionList.self)
            ) { try await list($0) },
            PlayRoute(
                "endSession", .delete, "/sessions/{id}", "Signs a device out.", answers: .done
            ) { try await revoke($0) },
        ]
    }

    func create(_ request: PlayRequest) async throws -> Response {
        let text = try request.body(V2.SignIn.self).recoveryCode
        return try await attempts.counted(from: request.client) {
            guard let code = V2.RecoveryCode(text) else { return (Self.wrongCode, isWrong: true) }
            let outcome = try await accounts.signIn(with: code)
            if case .refused(.unauthorized) = outcome { return (Self.wrongCode, isWrong: true) }
            return (.of(outcome, status: .created), isWrong: false)
        }
    }

    func list(_ request: PlayRequest) async throws -> Response {
        .of(try await accounts.sessions(of: request.player()))
    }

    func revoke(_ request: PlayRequest) async throws -> Response {
        let isCurrent = request.http.parameters["id"] == "current"
        // No session has the id of zeros.
        let id = isCurrent ? nil : request.id() ?? PostgresUUID(high: 0, low: 0)
        return .done(unless: try await accounts.revoke(id, by: request.player()))
    }

    private static var wrongCode: Response {
        .problem(V2.Problem(.unauthorized, detail: "This recovery code is nobody's, or has been used."))
    }
}
