import EventLoop
package import JulietAPI
package import Postgres

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The rules and the lists of words in the database, as a service has last read them. The database applies its own; a
/// service needs them to know what to verify, for what it says of itself, and for its metrics.
package final class RulesInForce: Sendable {
    /// What was read at one time.
    package struct State: Sendable {
        /// The rules.
        package var rules: GameRules
        /// The lists that can be dealt from: that of the rules first, then by language and length.
        package var lists: [OfferedList] = []
        /// The day from which on the word of the day is of the rules' list; nil: it is already.
        package var listStart: V2.Day?
        /// The time zone in which today began at midnight; nil: that of the rules.
        package var timeZone: String?
        /// The first day that begins at midnight in the time zone of the rules; nil: today did already.
        package var timeZoneStart: V2.Day?
    }

    /// How often a service reads them again.
    package static let interval: Duration = .seconds(10)

    private let held: Locked<State>

    /// The published app's, without lists, until others are read.
    package init(_ rules: GameRules = GameRules()) { held = Locked(State(rules: rules)) }

    /// The rules, as they were last read.
    package var current: GameRules { held.withLock { $0.rules } }

    /// What a game costs. By itself, because all rules together are more to copy, for each payment.
    package var gamePrice: Energy { held.withLock { $0.rules.gamePrice } }

    /// All that was last read.
    package var state: State { held.withLock { $0 } }

    /// The list for the published app: its own if there is one, else that of the rules.
    package var appList: WordList {
        held.withLock { $0.lists.contains { $0.name == .app } ? .app : $0.rules.list }
    }

    /// Whether words can be dealt from the list of the rules.
    package var hasWords: Bool {
        held.withLock { state in state.lists.contains { $0.name == state.rules.list } }
    }

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
        if let rules = GameRules(rows) {
            held.withLock {
                $0 = State(
                    rules: rules, lists: rows.lists ?? [], listStart: rows.value("listFrom").flatMap { V2.Day($0) },
                    timeZone: rows.value("timeZone"),
                    timeZoneStart: rows.value("timeZoneFrom").flatMap { V2.Day($0) })
            }
        }
        return former
    }
}

extension [RuleRow] {
    fileprivate func value(_ name: String) -> String? { first { $0.name == name }?.value }

    fileprivate var lists: [OfferedList]? {
        value("lists").flatMap { try? JSONDecoder().decode([OfferedList].self, from: Data($0.utf8)) }
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
