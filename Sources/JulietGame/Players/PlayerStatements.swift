import JulietAPI
import Postgres

struct CreatePlayer: PlayStatement {
    typealias Row = PlayerAnswer
    static let sql: StaticString = "SELECT juliet.create_player($1, $2, $3, $4, $5, $6)"

    let player: User.ID
    let name: String?
    let account: User.ID?
    let secrets: NewSecrets
    let session: Credential? = nil

    /// The account that is claimed: its row is locked.
    var orderingKey: String? { account?.rawValue }
    /// A claimed account is moved by the coordinator, for it may be kept elsewhere.
    var routingKey: String? { account == nil ? player.rawValue : nil }

    func bind(to parameters: inout Parameters) {
        parameters.append(player.rawValue)
        parameters.append(name)
        parameters.append(account?.rawValue)
        parameters.append(Credential(secrets.token).proof)
        parameters.append(secrets.session)
        parameters.append(Credential(secrets.code).proof)
    }
}

/// Whose recovery code it is.
struct FindRecovered: PlayStatement {
    typealias Row = String?
    static let sql: StaticString = "SELECT juliet.recovered_player($1)"
    static let access = StatementAccess.read

    let code: Credential
    var session: Credential? { code }

    func bind(to parameters: inout Parameters) { parameters.append(code.proof) }
}

struct CreateSession: PlayStatement {
    typealias Row = PlayerAnswer
    static let sql: StaticString = "SELECT juliet.create_session($1, $2, $3, $4)"

    let code: Credential
    let secrets: NewSecrets
    var session: Credential? { Credential(secrets.token) }

    func bind(to parameters: inout Parameters) {
        parameters.append(code.proof)
        parameters.append(session?.proof)
        parameters.append(secrets.session)
        parameters.append(Credential(secrets.code).proof)
    }
}

struct RenewRecovery: PlayStatement {
    typealias Row = RefusalAnswer
    static let sql: StaticString = "SELECT juliet.renew_recovery($1, $2)"

    let session: Credential?
    let code: Credential

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.proof)
        parameters.append(code.proof)
    }
}

struct ListSessions: PlayStatement {
    typealias Row = SessionAnswer
    static let sql: StaticString = "SELECT juliet.list_sessions($1)"
    static let access = StatementAccess.read

    let session: Credential?

    func bind(to parameters: inout Parameters) { parameters.append(session?.proof) }
}

struct RevokeSession: PlayStatement {
    typealias Row = RefusalAnswer
    static let sql: StaticString = "SELECT juliet.revoke_session($1, $2)"

    let session: Credential?
    let id: PostgresUUID?

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.proof)
        parameters.append(id)
    }
}

struct ReadPlayer: PlayStatement {
    typealias Row = PlayerAnswer
    static let sql: StaticString = "SELECT juliet.read_player($1)"
    static let access = StatementAccess.read

    let session: Credential?

    func bind(to parameters: inout Parameters) { parameters.append(session?.proof) }
}

struct RenamePlayer: PlayStatement {
    typealias Row = PlayerAnswer
    static let sql: StaticString = "SELECT juliet.rename_player($1, $2)"

    let session: Credential?
    let name: String?

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.proof)
        parameters.append(name)
    }
}

struct ListEnergy: PlayStatement {
    typealias Row = EnergyAnswer
    static let sql: StaticString = "SELECT juliet.list_energy($1, $2, $3)"
    static let access = StatementAccess.read

    let session: Credential?
    let before: Int?
    let limit: Int

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.proof)
        parameters.append(before.map { Int32(clamping: $0) })
        parameters.append(Int32(clamping: limit))
    }
}

struct ExportPlayer: PlayStatement {
    typealias Row = String?
    static let sql: StaticString = "SELECT juliet.export_player($1)"
    static let access = StatementAccess.read
    /// Purchases and the lottery are the coordinator's.
    var routingKey: String? { nil }

    let session: Credential?

    func bind(to parameters: inout Parameters) { parameters.append(session?.proof) }
}

struct DeletePlayer: PlayStatement {
    typealias Row = RefusalAnswer
    static let sql: StaticString = "SELECT juliet.delete_player($1, $2)"
    /// Purchases and the lottery are the coordinator's.
    var routingKey: String? { nil }

    let session: Credential?
    let pseudonym: String

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.proof)
        parameters.append(pseudonym)
    }
}
