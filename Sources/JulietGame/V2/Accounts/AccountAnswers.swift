package import JulietAPI
import Postgres

/// What is needed to ask for a new passkey (`passkey_options`).
package struct PasskeyOptions: Sendable, Hashable {
    /// The player who will own it.
    package let player: User.ID
    /// The player's name.
    package let name: String
    /// The ids of the player's credentials.
    package let credentials: [[UInt8]]
    /// Whether the player may have another one.
    package let hasRoom: Bool

    /// The 16 bytes of the player's id, which an authenticator stores with its key; nil: the id is not one of `/v2`.
    package var userHandle: [UInt8]? {
        PostgresUUID(player.rawValue).map { id in
            [id.high, id.low].flatMap { word in (1...8).map { UInt8(truncatingIfNeeded: word >> (64 - 8 * $0)) } }
        }
    }
}

extension PasskeyOptions: AnswerValue {
    /// Reads a `passkey_options`, which is complete even if it refuses another passkey.
    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> V2Answer<Self>? {
        let refusal = try fields.refusal(in: bytes)
        guard let player = try fields.next(String?.self, in: bytes), let name = try fields.next(String?.self, in: bytes)
        else { return answer(refusal, nil) }
        let options = PasskeyOptions(
            player: User.ID(player), name: name, credentials: try fields.next([[UInt8]].self, in: bytes),
            hasRoom: refusal != .tooMany)
        return answer(refusal == .tooMany ? nil : refusal, options)
    }
}

extension V2.Passkey: AnswerValue {
    /// Reads a `passkey_answer`.
    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> V2Answer<Self>? {
        let refusal = try fields.refusal(in: bytes)
        let details = V2Details(reason: try fields.next(String?.self, in: bytes))
        guard let id = try fields.next(PostgresUUID?.self, in: bytes) else {
            return answer(refusal, nil, details: details)
        }
        let passkey = V2.Passkey(
            id: .init(id.description), credentialId: V2.base64URL(of: try fields.next([UInt8].self, in: bytes)),
            name: try fields.next(in: bytes),
            createdAt: V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes)),
            lastUsedAt: try fields.next(PostgresTimestamp?.self, in: bytes).map { V2.Timestamp($0) },
            isSynced: try fields.next(in: bytes))
        return answer(refusal, passkey, details: details)
    }
}

/// A stored passkey, for verifying its signatures (`passkey_record`).
package struct PasskeyRecord: Sendable, Hashable {
    /// The player it belongs to.
    package let player: User.ID
    /// The user handle that its authenticator stores with its key.
    package let userHandle: [UInt8]
    /// A COSE_Key.
    package let publicKey: [UInt8]
    /// The last signature count.
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

/// An identity of the player (`identity_answer`).
package struct IdentityLink: Sendable {
    /// The identity.
    package let identity: V2.Identity
    /// Whether the player had it already.
    package let isKnown: Bool
}

extension IdentityLink: AnswerValue {
    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> V2Answer<Self>? {
        let refusal = try fields.refusal(in: bytes)
        let details = V2Details(reason: try fields.next(String?.self, in: bytes))
        let isReplay = try fields.next(Bool?.self, in: bytes) ?? false
        let isKnown = try fields.next(Bool?.self, in: bytes) ?? false
        guard let provider = try fields.next(String?.self, in: bytes) else {
            return answer(refusal, nil, isReplay: isReplay, details: details)
        }
        let identity = V2.Identity(
            provider: provider, createdAt: V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes)))
        return answer(refusal, Self(identity: identity, isKnown: isKnown), isReplay: isReplay, details: details)
    }
}
