package import JulietAPI
package import Postgres

/// A passkey whose registration was verified.
package struct NewPasskey: Sendable {
    /// The challenge that was answered.
    package let challenge: [UInt8]
    /// How its authenticator names it.
    package let credential: [UInt8]
    /// A COSE_Key.
    package let publicKey: [UInt8]
    /// The count of signatures it came with.
    package let signCount: UInt32
    /// Whether it may be on several devices.
    package let isBackupEligible: Bool
    /// Whether it is.
    package let isBackedUp: Bool

    /// Takes what was verified.
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

/// What a passkey has signed, when it was verified.
package struct PasskeyUse: Sendable {
    /// The challenge that was answered.
    package let challenge: [UInt8]
    /// How its authenticator names it.
    package let credential: [UInt8]
    /// The count of signatures it came with.
    package let signCount: UInt32
    /// Whether it is on several devices now.
    package let isBackedUp: Bool

    /// Takes what was verified.
    package init(challenge: [UInt8], credential: [UInt8], signCount: UInt32, isBackedUp: Bool) {
        self.challenge = challenge
        self.credential = credential
        self.signCount = signCount
        self.isBackedUp = isBackedUp
    }
}

/// Passkeys as the records know them. What they sign is verified by whoever calls. Each function is one statement.
///
/// When one throws `outcomeUnknown`, it may have been done all the same: a challenge is used up then, and a session may be open
/// whose token nobody knows.
package struct Passkeys: Sendable {
    private let database: PostgresClient

    /// Passkeys on this database.
    package init(database: PostgresClient) { self.database = database }

    /// What it takes to ask for a new passkey, also when there is no room for one. Refused: unauthorized.
    package func options(of session: Credential) async throws(PostgresError) -> PlayOutcome<PasskeyOptions> {
        try await database.ask(.readPasskeyOptions(session: session))
    }

    /// Keeps a passkey and uses its challenge up. Refused: unauthorized, passkey refused (challenge, known), and with the challenge
    /// still good: name refused, too many.
    ///
    /// - Parameter name: Without white space around it and of allowed characters; nil: Passkey.
    package func register(
        _ passkey: NewPasskey, named name: String?, by session: Credential
    ) async throws(PostgresError) -> PasskeyAnswer? {
        try await database.first(FunctionCall.registerPasskey(session: session, passkey: passkey, name: name))
    }

    /// The player's passkeys, newest first. Refused: unauthorized.
    package func passkeys(of session: Credential) async throws(PostgresError) -> PlayOutcome<V2.PasskeyList> {
        try await database.list(FunctionCall.listPasskeys(session: session)).map(V2.PasskeyList.init)
    }

    /// Forgets a passkey of the player's. Refused: unauthorized, not found.
    package func delete(_ id: PostgresUUID?, by session: Credential) async throws(PostgresError) -> PlayRefusal? {
        try await database.first(FunctionCall.deletePasskey(session: session, id: id))?.refusal
    }

    /// A passkey by the name that its authenticator gave it; nil: there is none.
    package func passkey(named credential: [UInt8]) async throws(PostgresError) -> PasskeyRecord? {
        try await database.first(FunctionCall.findPasskey(credential: credential))?.value
    }

    /// Opens a session of the player whose passkey it is, and uses the challenge up. Refused: unauthorized.
    package func signIn(
        _ player: User.ID, by use: PasskeyUse
    ) async throws(PostgresError) -> PlayOutcome<V2.OpenedSession> {
        let secrets = NewSecrets(of: player)
        return try await database.ask(.openPasskeySession(use, secrets: secrets)).map(secrets.opened)
    }
}
