import JulietAPI
import Postgres

struct CreatePlayer: PlayStatement {
    typealias Row = PlayerAnswer
    static let sql: StaticString = "SELECT create_player($1, $2, $3, $4, $5, $6)"

    let name: String?
    let account: User.ID?
    let secrets: NewSecrets
    let session: Credential? = nil

    /// The account that is claimed: its row is locked.
    var orderingKey: String? { account?.rawValue }

    func bind(to parameters: inout Parameters) {
        parameters.append(User.ID.randomPlayer().rawValue)
        parameters.append(name)
        parameters.append(account?.rawValue)
        parameters.append(Credential(secrets.token).digest)
        parameters.append(secrets.session)
        parameters.append(Credential(secrets.code).digest)
    }
}

struct CreateSession: PlayStatement {
    typealias Row = PlayerAnswer
    static let sql: StaticString = "SELECT create_session($1, $2, $3, $4)"

    let code: Credential
    let secrets: NewSecrets
    var session: Credential? { code }

    func bind(to parameters: inout Parameters) {
        parameters.append(code.digest)
        parameters.append(Credential(secrets.token).digest)
        parameters.append(secrets.session)
        parameters.append(Credential(secrets.code).digest)
    }
}

struct RenewRecovery: PlayStatement {
    typealias Row = RefusalAnswer
    static let sql: StaticString = "SELECT renew_recovery($1, $2)"

    let session: Credential?
    let code: Credential

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.digest)
        parameters.append(code.digest)
    }
}

struct ListSessions: PlayStatement {
    typealias Row = SessionAnswer
    static let sql: StaticString = "SELECT list_sessions($1)"
    static let access = StatementAccess.read

    let session: Credential?

    func bind(to parameters: inout Parameters) { parameters.append(session?.digest) }
}

struct RevokeSession: PlayStatement {
    typealias Row = RefusalAnswer
    static let sql: StaticString = "SELECT revoke_session($1, $2)"

    let session: Credential?
    let id: PostgresUUID?

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.digest)
        parameters.append(id)
    }
}

struct ReadPlayer: PlayStatement {
    typealias Row = PlayerAnswer
    static let sql: StaticString = "SELECT read_player($1)"
    static let access = StatementAccess.read

    let session: Credential?

    func bind(to parameters: inout Parameters) { parameters.append(session?.digest) }
}

struct RenamePlayer: PlayStatement {
    typealias Row = PlayerAnswer
    static let sql: StaticString = "SELECT rename_player($1, $2)"

    let session: Credential?
    let name: String?

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.digest)
        parameters.append(name)
    }
}

struct ListEnergy: PlayStatement {
    typealias Row = EnergyAnswer
    static let sql: StaticString = "SELECT list_energy($1, $2, $3)"
    static let access = StatementAccess.read

    let session: Credential?
    let before: Int?
    let limit: Int

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.digest)
        parameters.append(before.map { Int32(clamping: $0) })
        parameters.append(Int32(clamping: limit))
    }
}

struct ExportPlayer: PlayStatement {
    typealias Row = String?
    static let sql: StaticString = "SELECT export_player($1)"
    static let access = StatementAccess.read

    let session: Credential?

    func bind(to parameters: inout Parameters) { parameters.append(session?.digest) }
}

struct DeletePlayer: PlayStatement {
    typealias Row = RefusalAnswer
    static let sql: StaticString = "SELECT delete_player($1, $2)"

    let session: Credential?
    let pseudonym: String

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.digest)
        parameters.append(pseudonym)
    }
}
