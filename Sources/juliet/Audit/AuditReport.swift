import JulietGame

/// What `juliet audit` prints, as values.
enum AuditReport {
    /// While it runs.
    static func progress(_ progress: Audit.Progress) -> String {
        guard let done = progress.done else { return "looking at \(progress.part)" }
        let noun = progress.part == "energy" ? "row" : "player"
        let total = progress.total.map { " of about \(grouped(max($0, done)))" } ?? ""
        return "\(progress.part): \(grouped(done))\(total) \(noun)s"
    }

    /// The last lines.
    static func audited(_ summary: Audit.Summary, seconds: Double) -> String {
        let more = summary.kindsCutShort.map { "more of \($0): only the first \(grouped(Audit.mostOfAKind)) are shown" }
        let verdict =
            summary.count == 0
            ? "nothing wrong" : (more.isEmpty ? "" : "at least ") + counted(summary.count, "fault")
        let tenths = Int((seconds * 10).rounded())
        let read = [
            summary.players.map { counted($0, "player") },
            summary.entries.map { "\(counted($0, "row")) of the ledger" },
        ]
        let last = (read.compactMap(\.self) + ["\(verdict) (\(tenths / 10).\(tenths % 10) s)"]).joined(separator: ", ")
        return (more + [last]).joined(separator: "\n")
    }

    /// `--json`
    struct Document: Encodable {
        let parts: [String]
        /// nil: no part reads them.
        let players: Int?
        let entries: Int?
        let faults: Int
        let seconds: Double
        let findings: [Finding]
        /// The kinds of which there are more than `findings` has.
        let more: [String]

        init(_ summary: Audit.Summary, parts: Set<Audit.Part>, seconds: Double, findings: [Finding]) {
            self.parts = Audit.Part.allCases.filter(parts.contains).map(\.rawValue)
            players = summary.players
            entries = summary.entries
            faults = summary.count
            self.seconds = seconds
            self.findings = findings
            more = summary.kindsCutShort
        }
    }

    /// A finding for scripts.
    struct Finding: Encodable {
        let part: String
        let kind: String
        let userID: String?
        let record: String?
        let fault: String
        let remedy: String

        init(_ finding: AuditFinding) {
            part = finding.part.rawValue
            kind = finding.kind
            userID = finding.userID
            record = finding.record
            fault = finding.fault
            remedy = finding.remedy
        }
    }
}
