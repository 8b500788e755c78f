import JulietGame

/// What `juliet purchases` prints, as values.
enum PurchasesReport {
    /// `juliet purchases list`: times are UTC.
    static func list(_ purchases: [PurchaseRecords.Purchase]) -> String {
        let rows = purchases.map { purchase in
            [
                purchase.presentedAt.seconds, purchase.environment, purchase.transaction, purchase.state,
                purchase.product ?? "", purchase.userID?.readable ?? "", purchase.quantity.map(grouped) ?? "",
                purchase.energy.map(grouped) ?? "",
            ]
        }
        let titles = ["time", "environment", "transaction", "state", "product", "player", "quantity", "energy"]
        return Terminal.table([titles] + rows, numbersFrom: 6)
    }

    /// `juliet purchases show`
    static func whole(
        _ purchase: PurchaseRecords.Purchase, _ changes: [PurchaseRecords.Change],
        _ notifications: [PurchaseRecords.Notification]
    ) -> String {
        let facts: [(String, String?)] = [
            ("transaction", purchase.transaction), ("environment", purchase.environment), ("state", purchase.state),
            ("player", purchase.userID?.readable), ("product", purchase.product),
            ("quantity", purchase.quantity.map(grouped)), ("energy", purchase.energy.map(grouped)),
            ("paid", purchase.purchasedAt?.seconds), ("signed", purchase.signedAt?.seconds),
            (purchase.userID == nil ? "notified" : "presented", purchase.presentedAt.seconds),
            ("refund dated", purchase.decidedAt?.seconds),
        ]
        var parts = [Terminal.table(facts.compactMap { name, value in value.map { [name, $0] } })]
        if !changes.isEmpty {
            let rows = changes.map { change in
                [
                    change.at.seconds, change.reason, "\(change.entry)",
                    change.delta > 0 ? "+\(change.delta)" : "\(change.delta)", "\(change.balanceAfter)",
                ]
            }
            parts.append(Terminal.table([["time", "reason", "entry", "change", "balance"]] + rows, numbersFrom: 2))
        }
        if !notifications.isEmpty {
            let rows = notifications.map { told in
                [
                    told.signedAt.seconds, told.receivedAt.seconds, told.appliedAt?.seconds ?? "not yet",
                    [told.type, told.subtype].compactMap { $0 }.joined(separator: " "), told.id,
                ]
            }
            parts.append(Terminal.table([["signed", "received", "applied", "type", "notification"]] + rows))
        }
        return parts.joined(separator: "\n\n")
    }

    /// `juliet purchases show --json`
    struct Whole: Encodable {
        let purchase: PurchaseRecords.Purchase
        let changes: [PurchaseRecords.Change]
        let notifications: [PurchaseRecords.Notification]
    }

    /// `juliet purchases replay`
    static func replayed(_ replay: PurchaseRecords.Replay) -> String {
        "\(counted(replay.notifications, "notification")) applied, \(grouped(replay.news)) of them new"
    }
}

extension String {
    /// A pseudonym without its tab.
    fileprivate var readable: String { replacing("\t", with: " ") }
}
