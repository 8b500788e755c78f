import JulietAPI
import Postgres

extension FunctionCall<AnswerRow<V2.Player>> {
    /// The row of a claimed account is locked and moved by the coordinator, because it may be on another server.
    static func createPlayer(player: User.ID, name: String?, account: User.ID?, secrets: NewSecrets) -> Self {
        Self(
            "SELECT juliet.create_player($1, $2, $3, $4, $5, $6)", attempts: 3, orderingKey: account?.rawValue,
            routingKey: account == nil ? player.rawValue : nil
        ) {
            $0.append(
                player.rawValue, name, account?.rawValue, Credential(secrets.token).proof, secrets.session,
                Credential(secrets.code).proof)
        }
    }

    static func createSession(code: Credential, secrets: NewSecrets) -> Self {
        let session = Credential(secrets.token)
        return Self(
            "SELECT juliet.create_session($1, $2, $3, $4)", attempts: 3, orderingKey: session.player?.rawValue,
            routingKey: session.player?.rawValue
        ) {
            $0.append(code.proof, session.proof, secrets.session, Credential(secrets.code).proof)
        }
    }

    static func readPlayer(session: Credential) -> Self {
        Self(
            "SELECT juliet.read_player($1)", each: "SELECT answer, place FROM juliet.read_player_each($1)",
            session: session, access: .read)
    }

    static func renamePlayer(session: Credential, name: String?) -> Self {
        // The lottery's entries are on the coordinator.
        Self("SELECT juliet.rename_player($1, $2)", session: session, isSpread: false) { $0.append(name) }
    }
}

extension FunctionCall<String?> {
    static func recoveredPlayer(code: Credential) -> Self {
        Self("SELECT juliet.recovered_player($1)", session: code, access: .read)
    }

    /// Purchases and the lottery are the coordinator's.
    static func exportPlayer(session: Credential) -> Self {
        Self("SELECT juliet.export_player($1)", session: session, access: .read, isSpread: false)
    }
}

extension FunctionCall<RefusalRow> {
    static func renewRecovery(session: Credential, code: Credential) -> Self {
        Self("SELECT juliet.renew_recovery($1, $2)", session: session) { $0.append(code.proof) }
    }

    static func revokeSession(session: Credential, id: PostgresUUID?) -> Self {
        Self("SELECT juliet.revoke_session($1, $2)", session: session) { $0.append(id) }
    }

    static func endOtherSessions(session: Credential) -> Self {
        Self("SELECT juliet.end_other_sessions($1)", session: session)
    }

    /// Purchases and the lottery are the coordinator's.
    static func deletePlayer(session: Credential, pseudonym: String) -> Self {
        Self("SELECT juliet.delete_player($1, $2)", session: session, isSpread: false) { $0.append(pseudonym) }
    }
}

extension FunctionCall<AnswerRow<V2.Session>> {
    static func listSessions(session: Credential) -> Self {
        Self("SELECT juliet.list_sessions($1)", session: session, access: .read)
    }
}

extension FunctionCall<AnswerRow<ListedEntry>> {
    static func listEnergy(session: Credential, before: Int?, limit: Int) -> Self {
        Self("SELECT juliet.list_energy($1, $2, $3)", session: session, access: .read) {
            $0.append(before.map { Int32(clamping: $0) }, Int32(clamping: limit))
        }
    }
}
