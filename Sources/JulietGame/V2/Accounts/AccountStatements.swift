import JulietAPI
import Postgres

// Passkeys, identities and nonces are on the coordinator, and so are these calls.

extension FunctionCall<[UInt8]?> {
    static func readNonceKey() -> Self { Self("SELECT juliet.read_nonce_key()", access: .read) }
}

extension FunctionCall<Bool> {
    static func spendNonce(_ nonce: [UInt8]) -> Self {
        Self("SELECT juliet.spend_nonce($1)", attempts: 3) { $0.append(nonce) }
    }
}

extension FunctionCall<AnswerRow<PasskeyOptions>> {
    static func readPasskeyOptions(session: Credential) -> Self {
        Self("SELECT juliet.read_passkey_options($1)", session: session, access: .read, isSpread: false)
    }
}

extension FunctionCall<AnswerRow<V2.Passkey>> {
    static func registerPasskey(session: Credential, passkey: NewPasskey, name: String?) -> Self {
        Self("SELECT juliet.register_passkey($1, $2, $3, $4, $5, $6, $7, $8, $9)", session: session, isSpread: false) {
            $0.append(
                passkey.challenge, PostgresUUID.random(), passkey.credential, passkey.publicKey,
                Int64(passkey.signCount))
            $0.append(passkey.isBackupEligible, passkey.isBackedUp, name)
        }
    }

    static func listPasskeys(session: Credential) -> Self {
        Self("SELECT juliet.list_passkeys($1)", session: session, access: .read, isSpread: false)
    }
}

extension FunctionCall<PasskeyRecordAnswer> {
    static func findPasskey(credential: [UInt8]) -> Self {
        Self("SELECT juliet.find_passkey($1)", access: .read) { $0.append(credential) }
    }
}

extension FunctionCall<AnswerRow<IdentityLink>> {
    static func linkIdentity(
        session: Credential, nonce: [UInt8]?, reason: String?, provider: String, identity: ProvenIdentity?,
        operation: Operation?
    ) -> Self {
        Self("SELECT juliet.link_identity($1, $2, $3, $4, $5, $6, $7, $8)", session: session, isSpread: false) {
            $0.append(nonce, reason, provider, identity?.issuer, identity?.subject)
            $0.append(operation)
        }
    }

    static func listIdentities(session: Credential) -> Self {
        Self("SELECT juliet.list_identities($1)", session: session, access: .read, isSpread: false)
    }
}

extension FunctionCall<RefusalRow> {
    static func deletePasskey(session: Credential, id: PostgresUUID?) -> Self {
        Self("SELECT juliet.delete_passkey($1, $2)", session: session, isSpread: false) { $0.append(id) }
    }

    static func refuseIdentifiedPlayer(name: String?, nonce: [UInt8]?) -> Self {
        Self("SELECT juliet.refuse_identified_player($1, $2)", attempts: 3) { $0.append(name, nonce) }
    }

    static func unlinkIdentity(session: Credential, provider: String) -> Self {
        Self("SELECT juliet.unlink_identity($1, $2)", session: session, isSpread: false) { $0.append(provider) }
    }
}

extension FunctionCall<String?> {
    static func identifiedPlayer(_ identity: ProvenIdentity) -> Self {
        Self("SELECT juliet.identified_player($1, $2)", access: .read) {
            $0.append(identity.issuer, identity.subject)
        }
    }
}

extension FunctionCall<AnswerRow<V2.Player>> {
    static func openPasskeySession(_ use: PasskeyUse, secrets: NewSecrets) -> Self {
        let session = Credential(secrets.token)
        return Self(
            "SELECT juliet.open_passkey_session($1, $2, $3, $4, $5, $6)", attempts: 3,
            orderingKey: session.player?.rawValue
        ) {
            $0.append(
                session.proof, secrets.session, use.challenge, use.credential, Int64(use.signCount), use.isBackedUp)
        }
    }

    static func openIdentitySession(_ identity: ProvenIdentity, nonce: [UInt8], secrets: NewSecrets) -> Self {
        let session = Credential(secrets.token)
        return Self(
            "SELECT juliet.open_identity_session($1, $2, $3, $4, $5)", attempts: 3,
            orderingKey: session.player?.rawValue
        ) {
            $0.append(session.proof, secrets.session, nonce, identity.issuer, identity.subject)
        }
    }

    static func createIdentifiedPlayer(
        player: User.ID, name: String?, account: User.ID?, secrets: NewSecrets, identity: ProvenIdentity,
        nonce: [UInt8]
    ) -> Self {
        Self(
            "SELECT juliet.create_identified_player($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", attempts: 3,
            orderingKey: account?.rawValue
        ) {
            $0.append(
                player.rawValue, name, account?.rawValue, Credential(secrets.token).proof, secrets.session,
                Credential(secrets.code).proof)
            $0.append(nonce, identity.provider, identity.issuer, identity.subject)
        }
    }
}
