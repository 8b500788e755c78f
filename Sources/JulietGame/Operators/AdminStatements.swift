import JulietAPI
import Postgres

/// How many entries a page of a list has.
private let pageSize: Int32 = 50
private let searchSize: Int32 = 20

extension FunctionCall<Bool> {
    static func hasAdminKeys() -> Self { Self("SELECT juliet.has_admin_keys()", access: .read) }
}

extension FunctionCall<AnswerRow<AdminDocument>> {
    static func signIn(key: AdminKey, session: AdminSession) -> Self {
        Self("SELECT juliet.admin_sign_in($1, $2)", attempts: 3) { $0.append(key.digest, session.digest) }
    }

    static func signOut(session: AdminSession) -> Self {
        Self("SELECT juliet.admin_sign_out($1)", session: session)
    }

    static func showSession(session: AdminSession, needed: AdminRole?) -> Self {
        Self("SELECT juliet.admin_show_session($1, $2)", session: session, access: .read) {
            $0.append(needed?.rawValue)
        }
    }

    static func find(session: AdminSession, text: String, after: String?) -> Self {
        Self("SELECT juliet.admin_find($1, $2, $3, $4, $5, $6)", session: session, access: .read) {
            $0.append(text, V2.ShareCode(text)?.characters, PostgresUUID(text))
            $0.append(after, searchSize)
        }
    }

    static func player(session: AdminSession, player: User.ID) -> Self {
        Self("SELECT juliet.admin_player($1, $2)", session: session, access: .read) { $0.append(player.rawValue) }
    }

    static func ledger(session: AdminSession, player: User.ID, before: Int?) -> Self {
        Self("SELECT juliet.admin_ledger($1, $2, $3, $4)", session: session, access: .read) {
            $0.append(player.rawValue, before.map { Int32(clamping: $0) }, pageSize)
        }
    }

    static func games(session: AdminSession, player: User.ID, before: PostgresUUID?) -> Self {
        Self("SELECT juliet.admin_games($1, $2, $3, $4)", session: session, access: .read) {
            $0.append(player.rawValue, before, pageSize)
        }
    }

    /// The player's row is locked.
    static func changeName(
        session: AdminSession, player: User.ID, change: Operators.NameChange, name: String?, reason: String,
        operation: Operation
    ) -> Self {
        Self(
            "SELECT juliet.admin_change_name($1, $2, $3, $4, $5, $6, $7)", session: session,
            orderingKey: player.rawValue
        ) {
            $0.append(player.rawValue, change.rawValue, name, reason)
            $0.append(operation)
        }
    }

    static func parts(session: AdminSession, after: String?) -> Self {
        Self("SELECT juliet.admin_parts($1, $2, $3)", session: session, access: .read) { $0.append(after, pageSize) }
    }

    static func changePart(
        session: AdminSession, part: String, isRefused: Bool, reason: String, operation: Operation
    ) -> Self {
        Self("SELECT juliet.admin_change_part($1, $2, $3, $4, $5, $6)", session: session) {
            $0.append(part, isRefused, reason)
            $0.append(operation)
        }
    }

    static func wordLists(session: AdminSession) -> Self {
        Self("SELECT juliet.admin_word_lists($1)", session: session, access: .read)
    }

    static func word(session: AdminSession, language: String, word: String) -> Self {
        Self("SELECT juliet.admin_word($1, $2, $3)", session: session, access: .read) { $0.append(language, word) }
    }

    static func changeWord(
        session: AdminSession, language: String, word: String, change: Operators.WordChange, reason: String,
        operation: Operation
    ) -> Self {
        Self("SELECT juliet.admin_change_word($1, $2, $3, $4, $5, $6, $7)", session: session) {
            $0.append(language, word, change.rawValue, reason)
            $0.append(operation)
        }
    }

    static func plannedDays(session: AdminSession) -> Self {
        Self("SELECT juliet.admin_planned_days($1)", session: session, access: .read)
    }

    static func planDay(session: AdminSession, day: PostgresDate, word: String, mayRepeat: Bool) -> Self {
        Self("SELECT juliet.admin_plan_day($1, $2, $3, $4)", session: session) { $0.append(day, word, mayRepeat) }
    }

    static func clearDay(session: AdminSession, day: PostgresDate, reason: String) -> Self {
        Self("SELECT juliet.admin_clear_day($1, $2, $3)", session: session) { $0.append(day, reason) }
    }

    /// Leagues and challenges.
    static func together(session: AdminSession, text: String?) -> Self {
        Self("SELECT juliet.admin_together($1, $2, $3, $4)", session: session, access: .read) {
            $0.append(text, text.flatMap { V2.ShareCode($0)?.characters }, searchSize)
        }
    }

    static func league(session: AdminSession, league: PostgresUUID) -> Self {
        Self("SELECT juliet.admin_league($1, $2)", session: session, access: .read) { $0.append(league) }
    }

    static func end(session: AdminSession, _ one: Operators.Shared, reason: String, operation: Operation) -> Self {
        Self("SELECT juliet.admin_end($1, $2, $3, $4, $5, $6)", session: session) {
            switch one {
            case .league(let id): $0.append(id, String?.none, reason)
            case .challenge(let code): $0.append(PostgresUUID?.none, code.characters, reason)
            }
            $0.append(operation)
        }
    }

    static func hideHint(session: AdminSession, of code: V2.ShareCode, reason: String, operation: Operation) -> Self {
        Self("SELECT juliet.admin_hide_hint($1, $2, $3, $4, $5)", session: session) {
            $0.append(code.characters, reason)
            $0.append(operation)
        }
    }

    static func countDay(session: AdminSession, day: PostgresDate) -> Self {
        Self("SELECT juliet.admin_count_day($1, $2)", session: session, access: .read) { $0.append(day) }
    }

    static func readFigures(session: AdminSession, first: PostgresDate, last: PostgresDate) -> Self {
        Self("SELECT juliet.admin_read_figures($1, $2, $3)", session: session, access: .read) { $0.append(first, last) }
    }

    static func live(session: AdminSession) -> Self {
        Self("SELECT juliet.admin_live($1)", session: session, access: .read)
    }

    static func trail(session: AdminSession, player: User.ID?, before: Int?) -> Self {
        Self("SELECT juliet.admin_trail($1, $2, $3, $4)", session: session, access: .read) {
            $0.append(player?.rawValue, before.map(Int64.init), pageSize)
        }
    }
}
