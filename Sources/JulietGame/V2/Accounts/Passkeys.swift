package import JulietAPI
package import Postgres

/// A passkey whose registration was verified.
package struct NewPasskey: Sendable {
    /// The challenge that was answered.
    package let challenge: [UInt8]
    /// The credential's id at its authenticator.
    package let credential: [UInt8]
    /// A COSE_Key.
    package let publicKey: [UInt8]
    /// The signature count.
    package let signCount: UInt32
    /// Whether it may be on several devices.
    package let isBackupEligible: Bool
    /// Whether it is.
    package let isBackedUp: Bool

    /// Wraps verified data.
    package init(
        challenge: [UInt8], credential: [UInt8], publicKey: [UInt8], signCount: UInt32, isBackupEligible: Bool,
        isBackedUp: Bool
    ) {
        self.challenge = challenge
        self.credential = credential
        self.publicKey = publicKey
        self.signCount = signCount
        self.isBackupEligible = isBackupEligible
        self.isBackedUp = isBackedUp
    }
}

/// A verified signature of a passkey.
package struct PasskeyUse: Sendable {
    /// The challenge that was answered.
    package let challenge: [UInt8]
    /// The credential's id at its authenticator.
    package let credential: [UInt8]
    /// The signature count.
    package let signCount: UInt32
    /// Whether it is on several devices now.
    package let isBackedUp: Bool

    /// Wraps verified data.
    package init(challenge: [UInt8], credential: [UInt8], signCount: UInt32, isBackedUp: Bool) {
        self.challenge = challenge
        self.credential = credential
        self.signCount = signCount
        self.isBackedUp = isBackedUp
    }
}

/// The passkeys in the database. The caller verifies signatures. Each function is one statement.
///
/// When one throws `outcomeUnknown`, it may have been done: then a challenge is used up, and a session may be open whose token
/// nobody knows.
package struct Passkeys: Sendable {
    private let database: PostgresClient

    /// Passkeys on this database.
    package init(database: PostgresClient) { self.database = database }

    /// What is needed to ask for a new passkey, even if the player may have no more. Refused: unauthorized.
    package func options(of session: Credential) async throws(PostgresError) -> V2Answer<PasskeyOptions> {
        try await database.ask(.readPasskeyOptions(session: session))
    }

    /// Stores a passkey and uses its challenge up. Refused: unauthorized, passkey refused (challenge, known), and, with the
    /// challenge still valid: name refused, too many.
    ///
    /// - Parameter name: Without white space around it and of allowed characters; nil: Passkey.
    package func register(
        _ passkey: NewPasskey, named name: String?, by session: Credential
    ) async throws(PostgresError) -> V2Answer<V2.Passkey> {
        try await database.ask(.registerPasskey(session: session, passkey: passkey, name: name))
    }

    /// The player's passkeys, newest first. Refused: unauthorized.
    package func passkeys(of session: Credential) async throws(PostgresError) -> V2Answer<V2.PasskeyList> {
        try await database.list(FunctionCall.listPasskeys(session: session)).map(V2.PasskeyList.init)
    }

    /// Deletes a passkey of the player. Refused: unauthorized, not found.
    package func delete(_ id: PostgresUUID?, by session: Credential) async throws(PostgresError) -> V2Answer<Void> {
        try await database.ask(.deletePasskey(session: session, id: id))
    }

    /// A passkey by its credential id; nil: there is none.
    package func passkey(named credential: [UInt8]) async throws(PostgresError) -> PasskeyRecord? {
        try await database.first(FunctionCall.findPasskey(credential: credential))?.value
    }

    /// Opens a session of the player whose passkey it is, and uses the challenge up. Refused: unauthorized.
    package func signIn(
        _ player: User.ID, by use: PasskeyUse
    ) async throws(PostgresError) -> V2Answer<V2.OpenedSession> {
        let secrets = NewSecrets(of: player)
        return try await database.ask(.openPasskeySession(use, secrets: secrets)).map(secrets.opened)
    }
}
