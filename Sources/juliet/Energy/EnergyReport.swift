import JulietGame

/// What `juliet energy` prints, as values.
enum EnergyReport {
    /// `juliet energy audit`, while it runs.
    static func progress(_ summary: EnergyAudit.Summary) -> String {
        "\(counted(summary.entries, "row")) of \(counted(summary.players, "player")) read"
    }

    /// `juliet energy audit`: a line for a fault.
    static func fault(_ fault: EnergyFault) -> String {
        fault.userID.map { "\($0): \(fault)" } ?? "\(fault)"
    }

    /// `juliet energy audit`: the last line.
    static func audited(_ summary: EnergyAudit.Summary, seconds: Double) -> String {
        let verdict = summary.faults == 0 ? "nothing wrong" : counted(summary.faults, "fault")
        let tenths = Int((seconds * 10).rounded())
        return "\(counted(summary.players, "player")), \(counted(summary.entries, "row")), \(verdict) "
            + "(\(tenths / 10).\(tenths % 10) s)"
    }

    /// `juliet energy audit --json`
    struct Audit: Encodable {
        let players: Int
        let entries: Int
        let seconds: Double
        let faults: [Fault]

        init(_ summary: EnergyAudit.Summary, seconds: Double, faults: [Fault]) {
            players = summary.players
            entries = summary.entries
            self.seconds = seconds
            self.faults = faults
        }
    }

    /// A fault for scripts.
    struct Fault: Encodable {
        let userID: String?
        let entry: Int?
        let fault: String

        init(_ fault: EnergyFault) {
            userID = fault.userID
            entry = fault.entry
            self.fault = "\(fault)"
        }
    }

    /// `juliet energy history`: times are UTC; what support wrote is cut when it is long.
    static func history(_ entries: [EnergyLedger.Entry]) -> String {
        let rows = entries.map { entry in
            [
                entry.at, entry.reason, reference(entry), "\(entry.entry)",
                entry.delta > 0 ? "+\(entry.delta)" : "\(entry.delta)", "\(entry.balanceAfter)",
            ]
        }
        return Terminal.table([["time", "reason", "for", "entry", "change", "balance"]] + rows, numbersFrom: 3)
    }

    /// A game's word or id and a transaction completely, other texts as far as there is room.
    private static func reference(_ entry: EnergyLedger.Entry) -> String {
        let text = entry.reference ?? ""
        guard !["game", "daily", "challenge", "purchase", "refund"].contains(entry.reason) else { return text }
        let line = String(text.map { $0.isNewline ? " " : $0 })
        return line.count <= 16 ? line : line.prefix(15) + "…"
    }

    /// `juliet energy grant`
    static func granted(_ grant: Grant) -> String {
        let what =
            grant.isReplay
            ? "already granted: \(grouped(grant.amount)) energy, the balance was \(grouped(grant.balanceAfter)) then"
            : "granted: \(grouped(grant.amount)) energy, the balance is \(grouped(grant.balanceAfter)) now"
        return "\(what)\noperation: \(grant.operationID)"
    }

    /// `juliet energy grant --json`
    struct Grant: Encodable {
        let amount: Int
        let balanceAfter: Int
        let isReplay: Bool
        let operationID: String
    }
}
