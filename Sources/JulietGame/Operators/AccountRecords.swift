import JulietAPI
package import Postgres

/// Changes players' ways to sign in, for operators, over one session of the role that owns the tables. Each change is
/// written into the audit trail.
package struct AccountRecords {
    private let connection: PostgresConnection
    private let actor: String
    private let reason: String

    /// Works on this session.
    ///
    /// - Parameters:
    ///   - actor: Who does it, for the trail.
    ///   - reason: Why, for the trail.
    package init(connection: PostgresConnection, actor: String, reason: String) {
        self.connection = connection
        self.actor = actor
        self.reason = reason
    }

    /// Removes a passkey.
    ///
    /// - Returns: Whether the player has such a passkey.
    package func removePasskey(_ id: PostgresUUID, of player: User.ID) async throws(PostgresError) -> Bool {
        try await take(.passkey, id.description, of: player) > 0
    }

    /// Removes an identity.
    ///
    /// - Returns: Whether the player has one of this provider.
    package func removeIdentity(_ provider: String, of player: User.ID) async throws(PostgresError) -> Bool {
        try await take(.identity, provider, of: player) > 0
    }

    /// Ends a session; nil: all of them.
    ///
    /// - Returns: How many have ended.
    package func endSessions(_ id: PostgresUUID?, of player: User.ID) async throws(PostgresError) -> Int {
        try await take(.session, id?.description, of: player)
    }

    private func take(
        _ kind: Operators.WayKind, _ one: String?, of player: User.ID
    ) async throws(PostgresError) -> Int {
        let taken = try await connection.first(
            FunctionCall<Int64>("SELECT juliet.take_ways($1, $2, $3, $4, $5, NULL, NULL)") { [actor, reason] in
                $0.append(actor, player.rawValue, kind.rawValue, one, reason)
            })
        return Int(taken ?? 0)
    }

    /// Gives the player another recovery code; the old one stops working.
    ///
    /// - Returns: The code in its groups, a secret; nil: there is no such player.
    package func replaceRecoveryCode(of player: User.ID) async throws(PostgresError) -> String? {
        let code = V2.RecoveryCode.random()
        let isDone = try await connection.first(
            FunctionCall<Bool>("SELECT juliet.replace_recovery($1, $2, $3, $4)") { [actor, reason] in
                $0.append(actor, player.rawValue, Credential(code).proof, reason)
            })
        return isDone == true ? code.groups : nil
    }

    /// Replaces the key that signs challenges and nonces. Those made with the old key stop working within ten seconds.
    package func renewNonceKey() async throws(PostgresError) {
        _ = try await connection.execute(
            FunctionCall<Bool>("SELECT juliet.renew_nonce_key($1, $2)") { [actor, reason] in
                $0.append(actor, reason)
            })
    }
}
