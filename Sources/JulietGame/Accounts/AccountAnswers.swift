package import JulietAPI
package import Postgres

/// What it takes to ask for a new passkey (`passkey_options`).
package struct PasskeyOptions: Sendable, Hashable {
    /// Whose it will be.
    package let player: User.ID
    /// What the player is called.
    package let name: String
    /// The names of the credentials that the player has.
    package let credentials: [[UInt8]]
    /// Whether there may be another one.
    package let hasRoom: Bool

    /// The 16 bytes of the player's id, which an authenticator keeps beside its key; nil: the id is none of `/v2`.
    package var userHandle: [UInt8]? {
        PostgresUUID(player.rawValue).map { id in
            [id.high, id.low].flatMap { word in (1...8).map { UInt8(truncatingIfNeeded: word >> (64 - 8 * $0)) } }
        }
    }
}

/// A `passkey_options`, which has all the same when it refuses another one.
struct PasskeyOptionsAnswer: RefusableRow {
    let refusal: PlayRefusal?
    let value: PasskeyOptions?

    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        let told = try fields.refusal(in: bytes)
        guard let player = try fields.next(String?.self, in: bytes), let name = try fields.next(String?.self, in: bytes)
        else {
            (refusal, value) = (told, nil)
            return
        }
        value = PasskeyOptions(
            player: User.ID(player), name: name, credentials: try fields.next([[UInt8]].self, in: bytes),
            hasRoom: told != .tooMany)
        refusal = told == .tooMany ? nil : told
    }
}

/// What became of a passkey that was to be registered (`passkey_answer`).
package struct PasskeyAnswer: Sendable, RefusableRow {
    /// Why it was not; nil: it was.
    package let refusal: PlayRefusal?
    /// Why a passkey is refused.
    package let reason: String?
    /// The passkey.
    package let value: V2.Passkey?

    /// Reads a `passkey_answer`.
    package init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        refusal = try fields.refusal(in: bytes)
        reason = try fields.next(String?.self, in: bytes)
        guard let id = try fields.next(PostgresUUID?.self, in: bytes) else {
            value = nil
            return
        }
        value = V2.Passkey(
            id: .init(id.description), credentialId: V2.base64URL(of: try fields.next([UInt8].self, in: bytes)),
            name: try fields.next(in: bytes),
            createdAt: V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes)),
            lastUsedAt: try fields.next(PostgresTimestamp?.self, in: bytes).map { V2.Timestamp($0) },
            isSynced: try fields.next(in: bytes))
    }
}

/// A passkey as it is kept, for whoever verifies what it has signed (`passkey_record`).
package struct PasskeyRecord: Sendable, Hashable {
    /// Whose it is.
    package let player: User.ID
    /// What its authenticator keeps beside its key.
    package let userHandle: [UInt8]
    /// A COSE_Key.
    package let publicKey: [UInt8]
    /// The count of signatures it came with last.
    package let signCount: UInt32
    /// Whether it may be on several devices.
    package let isBackupEligible: Bool
}

/// A `passkey_record`, or a row of NULLs.
struct PasskeyRecordAnswer: PostgresDecodable, Sendable {
    let value: PasskeyRecord?

    static var postgresNull: Self? { Self(value: nil) }

    private init(value: PasskeyRecord?) { self.value = value }

    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        guard let player = try fields.next(String?.self, in: bytes) else {
            value = nil
            return
        }
        value = PasskeyRecord(
            player: User.ID(player), userHandle: try fields.next(in: bytes), publicKey: try fields.next(in: bytes),
            signCount: UInt32(clamping: try fields.next(Int64.self, in: bytes)),
            isBackupEligible: try fields.next(in: bytes))
    }
}

/// What became of an identity that was to be linked (`identity_answer`).
package struct IdentityAnswer: Sendable, RefusableRow {
    /// Why it was not; nil: it was.
    package let refusal: PlayRefusal?
    /// Why an identity is refused.
    package let reason: String?
    /// Whether this was answered before, under the operation's name.
    package let isReplay: Bool
    /// Whether it was the player's already.
    package let isKnown: Bool
    /// The identity.
    package let value: V2.Identity?

    /// Reads an `identity_answer`.
    package init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        refusal = try fields.refusal(in: bytes)
        reason = try fields.next(String?.self, in: bytes)
        isReplay = try fields.next(Bool?.self, in: bytes) ?? false
        isKnown = try fields.next(Bool?.self, in: bytes) ?? false
        guard let provider = try fields.next(String?.self, in: bytes) else {
            value = nil
            return
        }
        value = V2.Identity(
            provider: provider, createdAt: V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes)))
    }
}
