import JulietGame

/// What `juliet admin` prints, as values.
enum AdminReport {
    /// `juliet admin keys list`
    static func keys(_ keys: [AdminRecords.Key]) -> String {
        Terminal.table(
            [["name", "role", "made", "used last", "revoked"]]
                + keys.map { [$0.name, $0.role, $0.createdAt, $0.lastUsedAt ?? "never", $0.revokedAt ?? "-"] })
    }

    /// `juliet admin audit`: a table, newest first. What people wrote is shown safely for any terminal.
    static func trail(_ actions: [AdminRecords.Action]) -> String {
        let rows = actions.map { action in
            [
                action.at, action.actor, action.action, shown(action.userID ?? action.subject ?? ""),
                action.reason.map { $0.quoted } ?? "-", action.details ?? "",
            ]
        }
        return Terminal.table([["time", "who", "what", "whom", "why", "values"]] + rows)
    }

    /// A pseudonym has a tab in it.
    private static func shown(_ text: String) -> String { text.replacing("\t", with: " ") }
}
