import EventLoop
package import Postgres

/// The rules in the database, as a service has last read them. The database applies its own; a service needs them to
/// know what to verify, and for its metrics.
package final class RulesInForce: Sendable {
    /// How often a service reads them again.
    package static let interval: Duration = .seconds(10)

    private let held: Locked<GameRules>

    /// The published app's, until others are read.
    package init(_ rules: GameRules = GameRules()) { held = Locked(rules) }

    /// As they were last read.
    package var current: GameRules { held.withLock { $0 } }

    /// Reads them.
    ///
    /// - Parameter execute: Runs the statement: `{ try await client.execute($0) }`.
    /// - Returns: The rules that were known before.
    /// - Throws: `PostgresError`; the rules that were read before stay.
    @discardableResult
    package func read(
        _ execute: (ReadRules) async throws(PostgresError) -> [RuleRow]
    ) async throws(PostgresError) -> GameRules {
        let rows = try await execute(ReadRules())
        let former = current
        // If there are none, somebody has emptied the table, and the game's functions refuse requests.
        if let rules = GameRules(rows) { held.withLock { $0 = rules } }
        return former
    }
}

/// Reads the current rules, one a row.
package struct ReadRules: Statement {
    package typealias Row = RuleRow
    package var sql: StaticString { "SELECT key, value FROM jsonb_each_text(juliet.read_rules())" }
    package var access: StatementAccess { .read }

    package static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> RuleRow {
        RuleRow(name: try row.next(), value: try row.next())
    }
}

/// A rule and its value, as the database spells them.
package struct RuleRow: Sendable {
    let name: String
    let value: String
}

extension GameRules {
    /// Rules from their rows; nil if one is missing or invalid.
    init?(_ rows: some Sequence<RuleRow>) {
        self.init(Dictionary(rows.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }))
    }
}
