import JulietGame

/// What `juliet rules` prints.
enum RulesReport {
    /// A rule that changed, and its former value.
    typealias Change = (key: GameRules.Key, former: String)

    /// The rules that hold, then who changed what, the newest first.
    static func history(_ history: [RulesRecords.Held]) -> String {
        guard let held = history.first else { return "there are no rules: the table juliet.rules is empty" }
        let rules = Terminal.table(GameRules.Key.allCases.map { [$0.rawValue, held.rules[$0]] })
        let changes = zip(history, history.dropFirst()).map { held, former in
            [held.since ?? "", held.setBy, held.rules.changes(from: former.rules)]
        }
        guard !changes.isEmpty else { return rules }
        return "\(rules)\n\nsince, who, what:\n\(Terminal.table(changes))"
    }

    /// What `juliet rules apply` changed, or would.
    static func changes(_ changes: [Change], _ rules: GameRules, isDryRun: Bool) -> String {
        guard !changes.isEmpty else { return "the rules are what the settings say: nothing to change" }
        let lines = changes.map { "\($0.key.rawValue) \($0.former) → \(rules[$0.key])" }
        return lines.joined(separator: "\n") + (isDryRun ? "\nnothing was changed: --dry-run" : "")
    }

    /// Rules that hold, or held.
    struct Held: Encodable {
        /// ISO 8601 in UTC; nil: from the beginning.
        let since: String?
        let setBy: String
        let rules: [String: Value]

        init(_ held: RulesRecords.Held) {
            since = held.since
            setBy = held.setBy
            rules = Dictionary(
                uniqueKeysWithValues: GameRules.Key.allCases.map { ($0.rawValue, Value(text: held.rules[$0])) })
        }
    }

    /// What `juliet rules apply --json` prints.
    struct Changes: Encodable {
        struct Step: Encodable {
            let from: Value
            let to: Value
        }

        /// By the rule.
        let changes: [String: Step]
        /// false: nothing was changed.
        let isApplied: Bool

        init(_ changes: [Change], _ rules: GameRules, isDryRun: Bool) {
            self.changes = Dictionary(
                uniqueKeysWithValues: changes.map {
                    ($0.key.rawValue, Step(from: Value(text: $0.former), to: Value(text: rules[$0.key])))
                })
            isApplied = !isDryRun
        }
    }

    /// A rule's value: a whole number or a word.
    struct Value: Encodable {
        let text: String

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if let number = Int(text) { try container.encode(number) } else { try container.encode(text) }
        }
    }
}
