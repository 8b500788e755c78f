import JulietGame

/// What `juliet leagues` prints, as values.
enum LeaguesReport {
    /// `juliet leagues list`: times are UTC.
    static func list(_ leagues: [LeagueRecords.League]) -> String {
        let rows = leagues.map { league in
            [league.createdAt.seconds, league.id, league.owner ?? "", league.name, grouped(league.members)]
        }
        return Terminal.table([["created", "league", "owner", "name", "members"]] + rows, numbersFrom: 4)
    }

    /// `juliet leagues show`
    static func whole(_ league: LeagueRecords.League, _ members: [LeagueRecords.Member]) -> String {
        let facts = [
            ["league", league.id], ["name", league.name], ["created", league.createdAt.seconds],
            ["members", grouped(league.members)],
        ]
        let rows = members.map { [$0.joinedAt.seconds, $0.id, $0.player] }
        return Terminal.table(facts) + "\n\n" + Terminal.table([["joined", "member", "player"]] + rows)
    }

    /// `juliet leagues show --json`
    struct Whole: Encodable {
        let league: LeagueRecords.League
        let members: [LeagueRecords.Member]
    }

    /// `juliet leagues end --json`
    struct Ended: Encodable {
        let ended: String
    }
}
