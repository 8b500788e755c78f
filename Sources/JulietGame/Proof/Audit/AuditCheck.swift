/// One thing that must be true of the records, as a query that finds the exceptions.
struct AuditCheck: Sendable {
    /// The kind of its findings: the part of the audit, a dot, and what is checked: `games.marks`.
    let name: String
    /// What is wrong with a record that is found, without the record.
    let says: String
    /// What an operator does about it.
    let remedy: String
    /// Finds records: three texts a row, the player (or NULL), the record as people call it (or NULL), and more about it
    /// (or NULL).
    ///
    /// `{user_id}` stands for the condition that the column is within the current portion; a query without it checks
    /// everything at once. It names the schema with every table and function.
    let sql: String

    init(_ name: String, _ says: String, do remedy: String, _ sql: String) {
        self.name = name
        self.says = says
        self.remedy = remedy
        self.sql = sql
    }

    /// Whether it is done portion by portion, in the order of the players' ids.
    var isWalked: Bool { query(isNarrowed: false, most: 1).contains("> $1 AND") }

    /// The query with its conditions.
    ///
    /// - Parameters:
    ///   - isNarrowed: Whether only the players in the temporary table `audited_players` are checked.
    ///   - most: How many records it finds at most.
    func query(isNarrowed: Bool, most: Int) -> String {
        var text = ""
        for piece in sql.split(separator: "{", omittingEmptySubsequences: false) {
            guard let end = piece.firstIndex(of: "}"), isColumn(piece[..<end]) else {
                text += text.isEmpty ? String(piece) : "{\(piece)"
                continue
            }
            let column = piece[..<end]
            text += "\(column) > $1 AND \(column) <= $2"
            if isNarrowed { text += " AND \(column) IN (SELECT audited_players.user_id FROM audited_players)" }
            text += piece[piece.index(after: end)...]
        }
        return "SELECT * FROM (\(text)) AS found (player, record, more) LIMIT \(most)"
    }

    private func isColumn(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0 == "_" || $0 == "." }
    }
}

extension AuditCheck {
    /// The query that compares the rows of a trail with its seals: the service's, and the operators'.
    ///
    /// - Parameters:
    ///   - trail: Its table, as `trail_seals` names it.
    ///   - noun: The word for its rows.
    ///   - parts: A query with what each row adds to the seal, as the column `part`.
    static func sealed(_ trail: String, _ noun: String, _ parts: String) -> String {
        """
        SELECT NULL, '\(trail)', format('%s \(noun), %s sealed', count(part), entries)
            || CASE WHEN rows < 2 THEN format(', %s of 2 seals', rows) ELSE '' END
        FROM (
            SELECT coalesce(sum(entries), 0) AS entries, bit_xor(seal) AS seal, count(*) AS rows
            FROM juliet.trail_seals WHERE trail = '\(trail)') AS sealed LEFT JOIN (\(parts)) AS parts ON true
        GROUP BY entries, seal, rows
        HAVING count(part) <> entries OR coalesce(bit_xor(part), 0) IS DISTINCT FROM seal OR rows < 2
        """
    }
}

/// Remedies that several checks share.
enum AuditRemedy {
    static let restore = "Juliet does not write such a row: compare with a backup to see what was changed, and when"
    static let restoreGone = "rows are missing, as after a restore of some tables alone: look for them in a backup"
    static let removeForeign = "no function wrote it: compare with a backup, then delete it"
}
