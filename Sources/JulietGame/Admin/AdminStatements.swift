import JulietAPI
import Postgres

/// How many entries a page of a list has.
private let pageSize: Int32 = 50
private let searchSize: Int32 = 20

struct HasAdminKeys: Statement {
    static let sql: StaticString = "SELECT juliet.has_admin_keys()"
    static let access = StatementAccess.read

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Bool { try row.next() }
}

struct SignInAdmin: AdminStatement {
    static let sql: StaticString = "SELECT juliet.admin_sign_in($1)"
    static let access = StatementAccess.read
    let key: AdminKey
}

struct SearchPlayers: AdminStatement {
    static let sql: StaticString = "SELECT juliet.admin_search($1, $2, $3)"
    static let access = StatementAccess.read
    let key: AdminKey
    let text: String

    func bindRest(to parameters: inout Parameters) {
        parameters.append(text)
        parameters.append(searchSize)
    }
}

struct ReadAdminPlayer: AdminStatement {
    static let sql: StaticString = "SELECT juliet.admin_player($1, $2)"
    static let access = StatementAccess.read
    let key: AdminKey
    let player: User.ID

    func bindRest(to parameters: inout Parameters) { parameters.append(player.rawValue) }
}

struct ReadAdminLedger: AdminStatement {
    static let sql: StaticString = "SELECT juliet.admin_ledger($1, $2, $3, $4)"
    static let access = StatementAccess.read
    let key: AdminKey
    let player: User.ID
    let before: Int?

    func bindRest(to parameters: inout Parameters) {
        parameters.append(player.rawValue)
        parameters.append(before.map { Int32(clamping: $0) })
        parameters.append(pageSize)
    }
}

struct ReadAdminGames: AdminStatement {
    static let sql: StaticString = "SELECT juliet.admin_games($1, $2, $3, $4)"
    static let access = StatementAccess.read
    let key: AdminKey
    let player: User.ID
    let before: PostgresUUID?

    func bindRest(to parameters: inout Parameters) {
        parameters.append(player.rawValue)
        parameters.append(before)
        parameters.append(pageSize)
    }
}

struct GrantByAdmin: AdminStatement {
    static let sql: StaticString = "SELECT juliet.admin_grant($1, $2, $3, $4, $5, $6)"
    let key: AdminKey
    let player: User.ID
    let amount: Energy
    let reason: String
    let operation: Operation

    /// The player's row is locked.
    var orderingKey: String? { player.rawValue }

    func bindRest(to parameters: inout Parameters) {
        parameters.append(player.rawValue)
        parameters.append(Int32(clamping: amount))
        parameters.append(reason)
        parameters.append(operation)
    }
}

struct ReadAdminWordLists: AdminStatement {
    static let sql: StaticString = "SELECT juliet.admin_word_lists($1)"
    static let access = StatementAccess.read
    let key: AdminKey
}

struct ReadAdminWord: AdminStatement {
    static let sql: StaticString = "SELECT juliet.admin_word($1, $2, $3)"
    static let access = StatementAccess.read
    let key: AdminKey
    let language: String
    let word: String

    func bindRest(to parameters: inout Parameters) {
        parameters.append(language)
        parameters.append(word)
    }
}

struct ChangeWordByAdmin: AdminStatement {
    static let sql: StaticString = "SELECT juliet.admin_change_word($1, $2, $3, $4, $5, $6, $7)"
    let key: AdminKey
    let language: String
    let word: String
    let change: AdminDesk.WordChange
    let reason: String
    let operation: Operation

    func bindRest(to parameters: inout Parameters) {
        parameters.append(language)
        parameters.append(word)
        parameters.append(change.rawValue)
        parameters.append(reason)
        parameters.append(operation)
    }
}

struct ReadFigures: AdminStatement {
    static let sql: StaticString = "SELECT juliet.admin_figures($1, $2)"
    static let access = StatementAccess.read
    let key: AdminKey
    let days: [PostgresDate]

    func bindRest(to parameters: inout Parameters) { parameters.append(days) }
}

struct ReadTrail: AdminStatement {
    static let sql: StaticString = "SELECT juliet.admin_trail($1, $2, $3, $4)"
    static let access = StatementAccess.read
    let key: AdminKey
    let player: User.ID?
    let before: Int?

    func bindRest(to parameters: inout Parameters) {
        parameters.append(player?.rawValue)
        parameters.append(before.map(Int64.init))
        parameters.append(pageSize)
    }
}
