package import JulietAPI
package import Postgres

/// Somebody's verified identity at a provider.
package struct ProvenIdentity: Sendable, Hashable {
    /// The provider's name in the settings.
    package let provider: String
    /// The provider, as its tokens name it.
    package let issuer: String
    /// The provider's id of the user.
    package let subject: String

    /// Wraps verified data.
    package init(provider: String, issuer: String, subject: String) {
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
    }
}

/// The identities in the database. The caller verifies tokens.
///
/// When a function throws `outcomeUnknown`, it may have been done: then a nonce is used up, and a session or a player may
/// exist whose token nobody knows. Sign in with the identity.
package struct Identities: Sendable {
    private let database: PostgresClient

    /// Identities on this database.
    package init(database: PostgresClient) { self.database = database }

    /// Links an identity to the player, and uses its nonce up. Refused: unauthorized, operation reused, identity refused (nonce);
    /// and, with the nonce still valid: identity taken, identity linked.
    package func link(
        _ identity: ProvenIdentity, nonce: [UInt8], proof: V2.IdentityProof, by session: Credential,
        as id: Operation.ID?
    ) async throws(PostgresError) -> V2Answer<IdentityLink> {
        try await database.ask(
            .linkIdentity(
                session: session, nonce: nonce, reason: nil, provider: identity.provider, identity: identity,
                operation: Self.operation(id, proof)))
    }

    /// Refuses an identity token that proves nothing, and uses its nonce up. Refused: unauthorized, operation reused, identity
    /// refused; or done, when it was under the operation's name.
    ///
    /// - Parameters:
    ///   - reason: Why.
    ///   - nonce: nil: it is not one of ours.
    package func refuse(
        _ proof: V2.IdentityProof, for reason: String, nonce: [UInt8]?, by session: Credential, as id: Operation.ID?
    ) async throws(PostgresError) -> V2Answer<IdentityLink> {
        try await database.ask(
            .linkIdentity(
                session: session, nonce: nonce, reason: reason, provider: proof.provider, identity: nil,
                operation: Self.operation(id, proof)))
    }

    private static func operation(_ id: Operation.ID?, _ proof: V2.IdentityProof) -> Operation? {
        id.map { Operation($0, .linkIdentity, proof.provider, proof.idToken, proof.nonce) }
    }

    /// The player's identities, newest first. Refused: unauthorized.
    package func identities(of session: Credential) async throws(PostgresError) -> V2Answer<V2.IdentityList> {
        try await database.list(FunctionCall.listIdentities(session: session)).map {
            V2.IdentityList(identities: $0.map(\.identity))
        }
    }

    /// Unlinks an identity of the player. Refused: unauthorized, not found.
    package func unlink(_ provider: String, by session: Credential) async throws(PostgresError) -> V2Answer<Void> {
        try await database.ask(.unlinkIdentity(session: session, provider: provider))
    }

    /// Opens a session of the player whose identity it is, and uses the nonce up. Refused: nonce used, identity unknown.
    ///
    /// The new token contains the player's id, so the player is found first.
    package func signIn(
        _ identity: ProvenIdentity, nonce: [UInt8]
    ) async throws(PostgresError) -> V2Answer<V2.OpenedSession> {
        guard let player = try await database.first(FunctionCall.identifiedPlayer(identity)) ?? nil else {
            return .refused(try await database.spend(nonce) ? .identityUnknown : .nonceUsed)
        }
        let secrets = NewSecrets(of: User.ID(player))
        return try await database.ask(.openIdentitySession(identity, nonce: nonce, secrets: secrets))
            .map(secrets.opened)
    }

    /// Refuses to create a player whose identity token proves nothing, and uses its nonce up. Refused: name refused, which comes
    /// first; or nothing.
    ///
    /// - Parameters:
    ///   - name: As for ``PlayerAccounts/create(name:claiming:)``.
    ///   - nonce: nil: it is not one of ours.
    package func refusePlayer(named name: String?, nonce: [UInt8]?) async throws(PostgresError) -> V2Answer<Void> {
        try await database.ask(.refuseIdentifiedPlayer(name: name, nonce: nonce))
    }

    /// Makes a player whose identity it is, and uses the nonce up. Refused: name refused, nonce used; and with the nonce still
    /// good: identity taken, claim refused, claimed.
    ///
    /// - Parameters:
    ///   - name: As for ``PlayerAccounts/create(name:claiming:)``.
    ///   - account: The same.
    package func create(
        _ identity: ProvenIdentity, nonce: [UInt8], name: String?, claiming account: User.ID?
    ) async throws(PostgresError) -> V2Answer<V2.PlayerCredentials> {
        let player = User.ID.randomPlayer()
        let secrets = NewSecrets(of: player)
        return try await database.ask(
            .createIdentifiedPlayer(
                player: player, name: name, account: account, secrets: secrets, identity: identity, nonce: nonce)
        ).map(secrets.credentials)
    }
}
