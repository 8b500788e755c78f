import JulietAPI
import JulietGame

/// What `juliet users` prints, as values.
enum UsersReport {
    /// `juliet users import`, while it runs.
    static func progress(_ summary: UserImport.Summary) -> String {
        "\(counted(summary.items, "item")) read, \(counted(summary.imported, "player")) imported"
    }

    /// `juliet users import`: what was done with the items, and how many for each reason.
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
                + rows("corrected", summary.repaired, .mended), numbersFrom: 1)
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

    /// The state of a player.
    struct Standing: Encodable {
        let userID: String
        let createdAt: String
        let energy: Int
        let wins: Int
        let playedWords: Int
        let purchases: Int
        let bought: Int
        let verifiedPurchases: Int
        let refundedPurchases: Int
        let ledgerEntries: Int
        let lottery: PlayersLottery?
        let player: Player?

        init(_ everything: UserRecords.Everything) {
            let purchased = everything.ledger.filter { $0.reason == "purchase" }
            userID = everything.userID
            createdAt = everything.createdAt
            energy = everything.energy
            wins = everything.wins
            playedWords = everything.playedWords.count
            purchases = purchased.count
            bought = purchased.reduce(0) { $0 + $1.delta }
            verifiedPurchases = everything.purchases.count { $0.state != "revoked" }
            refundedPurchases = everything.purchases.count { $0.state == "refunded" }
            ledgerEntries = everything.ledger.count
            lottery = everything.lottery
            player = everything.player.map(Player.init)
        }
    }

    /// More about a player of /v2.
    struct Player: Encodable {
        let name: String
        let hiddenName: String?
        let statistics: V2.Statistics
        let games: Int
        let runningGames: Int
        let sessions: Int
        let lastUsedAt: String?
        let passkeys: Int
        let identities: [String]
        let leaderboards: Int
        let claimed: String?
        let claimedToo: [String]?
        let merged: Int

        init(_ records: PlayerExport) {
            name = records.name
            hiddenName = records.hiddenName
            statistics = records.statistics
            games = records.games.count
            runningGames = records.runningGames
            sessions = records.sessions.count
            lastUsedAt = records.sessions.map(\.lastUsedAt).max()
            passkeys = records.passkeys.count
            identities = records.identities.map(\.provider)
            leaderboards = records.leaderboards.daily.count + records.leaderboards.wins.count
            claimed = records.claimed
            claimedToo = records.claimedToo
            merged = records.merged?.count ?? 0
        }

        var rows: [[String]] {
            var rows = [
                ["name", name], ["games", "\(grouped(games)), of which \(grouped(runningGames)) running"],
                ["won", "\(grouped(statistics.won)) of \(grouped(statistics.played))"],
                ["with guesses", statistics.distribution.map { grouped($0) }.joined(separator: ", ")],
                [
                    "days won in a row",
                    "\(grouped(statistics.days.currentStreak)), the longest \(grouped(statistics.days.longestStreak))",
                ],
                [
                    "wins in a row",
                    "\(grouped(statistics.currentStreak)), the longest \(grouped(statistics.longestStreak))",
                ],
                ["sessions", grouped(sessions) + (lastUsedAt.map { ", used last \($0)" } ?? "")],
            ]
            if let hiddenName { rows.append(["hidden name", hiddenName]) }
            if passkeys > 0 { rows.append(["passkeys", grouped(passkeys)]) }
            if !identities.isEmpty { rows.append(["identities", identities.joined(separator: ", ")]) }
            rows.append(["leaderboards", counted(leaderboards, "place")])
            if let claimed { rows.append(["claimed", ([claimed] + (claimedToo ?? [])).joined(separator: ", ")]) }
            if merged > 0 { rows.append(["merged", counted(merged, "player")]) }
            return rows
        }
    }

    /// `juliet users show`
    static func standing(_ everything: UserRecords.Everything) -> String {
        let standing = Standing(everything)
        let rows = [
            ["player", standing.userID], ["since", standing.createdAt], ["energy", grouped(standing.energy)],
            ["wins", grouped(standing.wins)], ["words played", grouped(standing.playedWords)],
            ["purchases", purchases(standing)],
            ["ledger", counted(standing.ledgerEntries, "row")],
        ]
        return Terminal.table(
            rows + (standing.lottery.map { [["lottery", lottery($0)]] } ?? []) + (standing.player?.rows ?? []))
    }

    private static func purchases(_ standing: Standing) -> String {
        let all = "\(grouped(standing.purchases)), of \(grouped(standing.bought)) energy in all"
        guard standing.verifiedPurchases > 0 else { return all }
        return "\(all); \(grouped(standing.verifiedPurchases)) signed by the App Store, "
            + "\(grouped(standing.refundedPurchases)) refunded"
    }

    private static func lottery(_ lottery: PlayersLottery) -> String {
        let entry = lottery.takesPart ? lottery.isVoid ? "takes part, void" : "takes part" : "does not take part"
        return "number \(lottery.number), \(entry), \(counted(lottery.won.count, "draw")) won"
    }

    /// `juliet users delete`
    static func deleted(_ deletion: UserRecords.Deletion) -> String {
        """
        deleted: the account and \(counted(deletion.playedWords, "played word"))
        kept as \(deletion.pseudonym.replacing("\t", with: " ")): \(counted(deletion.ledgerEntries, "ledger row"))
        """
    }
}
