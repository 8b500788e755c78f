package import Postgres

/// The rules in the database, for operators.
package struct RulesRecords {
    /// Current or former rules.
    package struct Held: Sendable {
        /// Since when, ISO 8601 in UTC; nil: from the beginning.
        package let since: String?
        /// Who set them: "os:" and a system user.
        package let setBy: String
        /// The rules.
        package let rules: GameRules
    }

    private let connection: PostgresConnection
    private let actor: String

    /// Works on this session, of the role that owns the tables.
    ///
    /// - Parameter actor: The name for the audit trail.
    package init(connection: PostgresConnection, actor: String) {
        self.connection = connection
        self.actor = actor
    }

    /// All rules so far, newest first: the first ones are the current rules.
    ///
    /// - Throws: `PostgresError`; `undefinedTable` where the schema is too old.
    package func history() async throws(PostgresError) -> [Held] {
        var held: [Held] = []
        var rows = try await connection.execute(ListRules())[...]
        while let first = rows.first {
            let group = rows.prefix { $0.number == first.number }
            rows = rows.dropFirst(group.count)
            guard let rules = GameRules(group.map(\.rule)) else { continue }
            held.append(Held(since: first.since, setBy: first.setBy, rules: rules))
        }
        return held
    }

    /// What a change of rules did.
    package struct Applied: Sendable {
        /// The rules that changed, with their former values.
        package let changes: [(key: GameRules.Key, former: String)]
        /// The day from which on the word of the day is of the list that the rules name, such as 2026-12-24; nil: it is
        /// already.
        package let listStart: String?
        /// The first day that begins at midnight in the time zone that the rules name; nil: today did already.
        package let timeZoneStart: String?
        /// How many planned days have lost their words, which are not in the list that the rules name.
        package let lostPlans: Int
    }

    /// Applies some of the rules, all at once, and writes a line of the audit trail; the others stay.
    ///
    /// - Parameter keeps: false: find out what would change, and change nothing.
    /// - Throws: `PostgresError`; nothing is changed. `invalidParameterValue`: there is no such list of words,
    ///   or no such time zone, or a day would be too short.
    package func apply(
        _ rules: GameRules, _ keys: [GameRules.Key], keeps: Bool = true
    ) async throws -> Applied {
        try await connection.inTransaction(keeps: keeps) {
            let rows = try await connection.execute(ApplyRules(actor: actor, rules: rules.json(keys)))
            let lostPlans = try await connection.first(CountClearedDays()) ?? 0
            let read = try await connection.execute(ReadRules())
            let changes = GameRules.Key.allCases.compactMap { key in
                rows.first { $0.name == key.rawValue }.map { (key, $0.value) }
            }
            return Applied(
                changes: changes, listStart: read.first { $0.name == "listFrom" }?.value,
                timeZoneStart: read.first { $0.name == "timeZoneFrom" }?.value, lostPlans: lostPlans)
        }
    }
}

private struct ListRules: Statement {
    var sql: StaticString {
        """
        SELECT number, CASE WHEN isfinite(held_since)
            THEN to_char(held_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') END, who, key, value
        FROM juliet.list_rules() WITH ORDINALITY AS listed (held_since, who, held, number), jsonb_each_text(held)
        ORDER BY number
        """
    }
    var access: StatementAccess { .read }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> (number: Int64, since: String?, setBy: String, rule: RuleRow) {
        (try row.next(), try row.next(), try row.next(), RuleRow(name: try row.next(), value: try row.next()))
    }
}

/// The planned days that this transaction has cleared.
private struct CountClearedDays: Statement {
    var sql: StaticString {
        """
        SELECT count(*)::integer FROM juliet.admin_actions
        WHERE action = 'day.clear' AND xmin = pg_current_xact_id_if_assigned()::xid
        """
    }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int32.self)) }
}

private struct ApplyRules: Statement {
    typealias Row = RuleRow
    var sql: StaticString { "SELECT key, value FROM jsonb_each_text(juliet.apply_rules($1, $2::jsonb))" }

    let actor: String
    let rules: String

    func bind(to parameters: inout Parameters) {
        parameters.append(actor)
        parameters.append(rules)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> RuleRow {
        try ReadRules.decode(&row)
    }
}
