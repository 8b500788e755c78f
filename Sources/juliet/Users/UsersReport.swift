import JulietGame

/// What `juliet users` prints, as values.
enum UsersReport {
    /// `juliet users import`, while it runs.
    static func progress(_ summary: UserImport.Summary) -> String {
        "\(counted(summary.items, "item")) read, \(counted(summary.imported, "player")) imported"
    }

    /// `juliet users import`
    static func imported(_ summary: UserImport.Summary) -> String {
        Terminal.table(
            [
                ["items", grouped(summary.items)], ["imported", grouped(summary.imported)],
                ["here already", grouped(summary.present)], ["refused", grouped(summary.refused)],
                ["mended", grouped(summary.repaired)],
            ], numbersFrom: 1)
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
