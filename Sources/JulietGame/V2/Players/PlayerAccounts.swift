package import JulietAPI
package import Postgres

/// Players of `/v2` and their sessions. Each function is one statement, which also checks the session.
///
/// When one throws `outcomeUnknown`, it may have been done. A function that makes a secret (a token, a recovery code)
/// may then have made one that nobody knows: call it again, or use the recovery code.
package struct PlayerAccounts: Sendable {
    let database: PostgresClient

    /// Players on this database.
    package init(database: PostgresClient) { self.database = database }

    /// Makes a player with the starting energy, a session and a recovery code. Refused: name refused, claim refused,
    /// claimed.
    ///
    /// - Parameters:
    ///   - name: Without white space around it and of allowed characters; nil: one is made.
    ///   - account: A player of the published app who becomes this one, once, if the rules allow it.
    package func create(
        name: String?, claiming account: User.ID?
    ) async throws(PostgresError) -> V2Answer<V2.PlayerCredentials> {
        let player = User.ID.randomPlayer()
        let secrets = NewSecrets(of: player)
        return try await database.ask(.createPlayer(player: player, name: name, account: account, secrets: secrets))
            .map(secrets.credentials)
    }

    /// Makes another session. The recovery code is used up; the answer has a new one. Refused: unauthorized.
    ///
    /// The new token contains the player's id, so the player is found first. This is the only request with two statements.
    package func signIn(with code: V2.RecoveryCode) async throws(PostgresError) -> V2Answer<V2.OpenedSession> {
        let code = Credential(code)
        guard let player = try await database.first(FunctionCall.recoveredPlayer(code: code)) ?? nil else {
            return .refused(.unauthorized)
        }
        let secrets = NewSecrets(of: User.ID(player))
        return try await database.ask(.createSession(code: code, secrets: secrets)).map { player in
            V2.OpenedSession(player: player, token: secrets.token.text, recoveryCode: secrets.code.groups)
        }
    }

    /// Makes another recovery code; the old one stops working.
    package func renewRecoveryCode(
        of session: Credential
    ) async throws(PostgresError) -> V2Answer<V2.RenewedRecoveryCode> {
        let code = V2.RecoveryCode.random()
        return try await database.ask(.renewRecovery(session: session, code: Credential(code))).map {
            V2.RenewedRecoveryCode(recoveryCode: code.groups)
        }
    }

    /// The player's sessions, newest first.
    package func sessions(of session: Credential) async throws(PostgresError) -> V2Answer<V2.SessionList> {
        try await database.list(FunctionCall.listSessions(session: session)).map(V2.SessionList.init)
    }

    /// Ends a session, on every node. Refused: not found.
    ///
    /// - Parameter id: nil: the calling session.
    package func revoke(_ id: PostgresUUID?, by session: Credential) async throws(PostgresError) -> V2Answer<Void> {
        try await database.ask(.revokeSession(session: session, id: id))
    }

    /// Ends all sessions of the player except the calling one.
    package func revokeOthers(by session: Credential) async throws(PostgresError) -> V2Answer<Void> {
        try await database.ask(.endOtherSessions(session: session))
    }

    /// The player.
    package func player(of session: Credential) async throws(PostgresError) -> V2Answer<V2.Player> {
        try await database.ask(.readPlayer(session: session))
    }

    /// Why a session is not valid; nil: it is valid. For requests that the service refuses without the database.
    package func stranger(_ session: Credential) async throws(PostgresError) -> V2Refusal? {
        try await player(of: session).refusal
    }

    /// Gives the player another name. Refused: name refused.
    ///
    /// - Parameter name: As for ``create(name:claiming:)``; nil changes nothing.
    package func rename(
        to name: String?, by session: Credential
    ) async throws(PostgresError) -> V2Answer<V2.Player> {
        try await database.ask(.renamePlayer(session: session, name: name))
    }

    /// Gives the player the energy that is due. Refused: not found, if energy does not come back; refill early, refill full.
    package func takeRefill(
        by session: Credential, as id: Operation.ID? = nil
    ) async throws(PostgresError) -> V2Answer<TakenRefill> {
        try await database.ask(.takeRefill(session: session, operation: id.map { Operation($0, .takeRefill) }))
    }

    /// The changes of the player's balance, newest first.
    ///
    /// - Parameters:
    ///   - before: Those before the entry of this number; nil: from the newest on.
    ///   - limit: How many at most, from 1 on.
    package func energy(
        of session: Credential, before: Int?, limit: Int
    ) async throws(PostgresError) -> V2Answer<V2.EnergyHistory> {
        try await database.list(FunctionCall.listEnergy(session: session, before: before, limit: limit + 1)).map {
            rows in
            let page = rows.prefix(limit)
            return V2.EnergyHistory(
                entries: page.map(\.entry), next: rows.count > limit ? page.last.map { "\($0.number)" } : nil)
        }
    }

    /// Everything kept about the player, as one JSON object. Refused: unauthorized.
    package func export(of session: Credential) async throws(PostgresError) -> V2Answer<String> {
        guard let text = try await database.first(FunctionCall.exportPlayer(session: session)) ?? nil else {
            return .refused(.unauthorized)
        }
        return .done(text)
    }

    /// Deletes the player. Their ledger is kept under a random name that cannot be traced to them.
    package func delete(by session: Credential) async throws(PostgresError) -> V2Answer<Void> {
        try await database.ask(.deletePlayer(session: session, pseudonym: User.randomPseudonym()))
    }
}

/// The secrets of a new session. The player and the database get the same secrets in two forms.
struct NewSecrets: Sendable {
    let token: V2.AccessToken
    let code = V2.RecoveryCode.random()
    let session = PostgresUUID.random()

    init(of player: User.ID) {
        // Ids of players are UUIDs; the token cannot contain other ids.
        let id = PostgresUUID(player.rawValue) ?? .random()
        token = .random(of: (id.high, id.low))
    }

    @Sendable func credentials(of player: V2.Player) -> V2.PlayerCredentials {
        V2.PlayerCredentials(player: player, token: token.text, recoveryCode: code.groups)
    }

    /// A session without a recovery code.
    @Sendable func opened(by player: V2.Player) -> V2.OpenedSession {
        V2.OpenedSession(player: player, token: token.text)
    }
}
