import Postgres

extension FunctionCall<AnswerRow<AppState>> {
    static func registerUser(user: AppUser, operation: Operation?) -> Self {
        Self("SELECT juliet.register_user($1, $2, $3, $4)", user: user) { $0.append(operation) }
    }

    static func dealWord(user: AppUser, list: WordList) -> Self {
        Self(
            "SELECT juliet.deal_word($1, $2, $3, $4)",
            each: "SELECT answer, place FROM juliet.deal_word_each($1, $2, $3)", user: user, access: .read
        ) {
            $0.append(list.language, Int32(clamping: list.letters))
        }
    }

    static func startGame(user: AppUser, list: WordList, operation: Operation?) -> Self {
        Self(
            "SELECT juliet.start_game($1, $2, $3, $4, $5, $6)",
            each: "SELECT answer, place FROM juliet.start_game_each($1, $2, $3, $4, $5)", user: user
        ) {
            $0.append(list.language, Int32(clamping: list.letters))
            $0.append(operation)
        }
    }

    static func recordPlayedWord(user: AppUser, word: String, language: String) -> Self {
        Self(
            "SELECT juliet.record_played_word($1, $2, $3, $4)",
            each: "SELECT answer, place FROM juliet.record_played_word_each($1, $2, $3)", user: user
        ) { $0.append(word, language) }
    }

    static func payForGame(user: AppUser, operation: Operation?) -> Self {
        Self(
            "SELECT juliet.pay_for_game($1, $2, $3, $4)",
            each: "SELECT answer, place FROM juliet.pay_for_game_each($1, $2, $3)", user: user
        ) { $0.append(operation) }
    }

    static func buyEnergy(user: AppUser, amount: Energy, operation: Operation?) -> Self {
        Self(
            "SELECT juliet.buy_energy($1, $2, $3, $4, $5)",
            each: "SELECT answer, place FROM juliet.buy_energy_each($1, $2, $3, $4)", user: user
        ) {
            $0.append(Int32(clamping: amount))
            $0.append(operation)
        }
    }

    static func reportEnergy(user: AppUser, energy: Energy, operation: Operation?) -> Self {
        Self("SELECT juliet.report_energy($1, $2, $3, $4, $5)", user: user) {
            $0.append(Int32(clamping: energy))
            $0.append(operation)
        }
    }

    static func addWin(user: AppUser, operation: Operation?) -> Self {
        Self(
            "SELECT juliet.add_win($1, $2, $3, $4)",
            each: "SELECT answer, place FROM juliet.add_win_each($1, $2, $3)", user: user
        ) { $0.append(operation) }
    }
}

extension FunctionCall<String?> {
    static func claimedUser(account: User.ID) -> Self {
        Self("SELECT juliet.claimed_user($1)", access: .read) { $0.append(account.rawValue) }
    }
}

/// The wins of a player. No row: unknown player. Only this request reads a table directly: a function call would cost
/// half as much again. Requests that wait together are asked as one.
struct ReadWins: Statement {
    var sql: StaticString { "SELECT wins FROM juliet.users WHERE id = $1" }
    var gatheredSQL: StaticString? {
        """
        SELECT wins, number FROM unnest($1) WITH ORDINALITY AS asked (player, number)
        JOIN juliet.users ON id = player
        """
    }
    var access: StatementAccess { .read }

    let user: User.ID

    var orderingKey: String? { user.rawValue }
    var routingKey: String? { user.rawValue }

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int32.self)) }
}
