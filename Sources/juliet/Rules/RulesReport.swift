import JulietGame

/// What `juliet rules` prints.
enum RulesReport {
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

    /// What `juliet rules apply` changed, or would, and what that means for the coming days.
    static func changes(_ applied: RulesRecords.Applied, _ rules: GameRules, isDryRun: Bool) -> String {
        let days = [
            applied.listStart.map {
                "the words of the day are of the list \"\(rules.language)\", \(rules.wordLength) letters, from \($0) on; the days before keep their words"
            },
            applied.lostPlans > 0
                ? "planned days whose words are not in that list: \(grouped(applied.lostPlans)); chance chooses their words instead"
                : nil,
            applied.timeZoneStart.map {
                "days begin at midnight in the time zone \(rules.timeZone) from \($0) on; the days before that keep the times that players have been told"
            },
        ].compactMap(\.self)
        guard !applied.changes.isEmpty else {
            return (["the rules are what the settings say: nothing to change"] + days).joined(separator: "\n")
        }
        let lines = applied.changes.map { "\($0.key.rawValue) \($0.former) → \(rules[$0.key])" }
        return (lines + days + (isDryRun ? ["nothing was changed: --dry-run"] : [])).joined(separator: "\n")
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
        /// The first day whose word is of the list that the rules name; missing: all are.
        let listFrom: String?
        /// The first day that begins at midnight in the time zone that the rules name; missing: today did.
        let timeZoneFrom: String?
        /// How many planned days have lost their words; missing: none.
        let plansLost: Int?

        init(_ applied: RulesRecords.Applied, _ rules: GameRules, isDryRun: Bool) {
            listFrom = applied.listStart
            timeZoneFrom = applied.timeZoneStart
            plansLost = applied.lostPlans > 0 ? applied.lostPlans : nil
            changes = Dictionary(
                uniqueKeysWithValues: applied.changes.map {
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
