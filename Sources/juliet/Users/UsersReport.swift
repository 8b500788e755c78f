import JulietGame

/// What `juliet users` prints, as values.
enum UsersReport {
    /// `juliet users import`, while it runs.
    static func progress(_ summary: UserImport.Summary) -> String {
        "\(counted(summary.items, "item")) read, \(counted(summary.imported, "player")) imported"
    }

    /// `juliet users import`: what became of the items, and of how many for which reason.
    static func imported(_ summary: UserImport.Summary) -> String {
        func rows(_ title: String, _ count: Int, _ effect: ImportRemark.Kind.Effect? = nil) -> [[String]] {
            let kinds = ImportRemark.Kind.allCases.filter { $0.effect == effect }
            return [[title, grouped(count)]]
                + kinds.compactMap { kind in summary.kinds[kind].map { ["  \(kind.text)", grouped($0)] } }
        }
        return Terminal.table(
            rows("items", summary.items) + rows("imported", summary.imported)
                + (summary.replaced > 0 ? rows("replaced", summary.replaced, .replaced) : [])
                + rows("here already", summary.present, .present) + rows("refused", summary.refused, .refused)
                + rows("mended", summary.repaired, .mended), numbersFrom: 1)
    }

    /// `juliet users import --json`
    struct Import: Encodable {
        let items: Int
        let imported: Int
        let replaced: Int
        let present: Int
        let refused: Int
        let repaired: Int
        let kinds: [String: Int]
        let faults: [String]

        init(_ summary: UserImport.Summary) {
            items = summary.items
            imported = summary.imported
            replaced = summary.replaced
            present = summary.present
            refused = summary.refused
            repaired = summary.repaired
            kinds = Dictionary(uniqueKeysWithValues: summary.kinds.map { ($0.rawValue, $1) })
            faults = summary.faults.map(\.description)
        }
    }

    /// How a player stands.
    struct Standing: Encodable {
        let userID: String
        let createdAt: String
        let energy: Int
        let wins: Int
        let playedWords: Int
        let purchases: Int
        let bought: Int
        let ledgerEntries: Int

        init(_ everything: UserRecords.Everything) {
            let purchased = everything.ledger.filter { $0.reason == "purchase" }
            userID = everything.userID
            createdAt = everything.createdAt
            energy = everything.energy
            wins = everything.wins
            playedWords = everything.playedWords.count
            purchases = purchased.count
            bought = purchased.reduce(0) { $0 + $1.delta }
            ledgerEntries = everything.ledger.count
        }
    }

    /// `juliet users show`
    static func standing(_ everything: UserRecords.Everything) -> String {
        let standing = Standing(everything)
        return Terminal.table([
            ["player", standing.userID], ["since", standing.createdAt], ["energy", grouped(standing.energy)],
            ["wins", grouped(standing.wins)], ["words played", grouped(standing.playedWords)],
            ["purchases", "\(grouped(standing.purchases)), of \(grouped(standing.bought)) energy in all"],
            ["ledger", counted(standing.ledgerEntries, "row")],
        ])
    }

    /// `juliet users delete`
    static func deleted(_ deletion: UserRecords.Deletion) -> String {
        """
        deleted: the account and \(counted(deletion.playedWords, "played word"))
        kept as \(deletion.pseudonym.replacing("\t", with: " ")): \(counted(deletion.ledgerEntries, "ledger row"))
        """
    }
}
