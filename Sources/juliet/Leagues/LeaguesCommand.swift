import ArgumentParser
import JulietGame
import Postgres

/// `juliet leagues …`
struct LeaguesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leagues",
        abstract: "List, show and end leagues.",
        discussion: """
            Players create leagues, name them and invite others. A league needs no maintenance: it ends when \
            its last member leaves.

            \(DatabaseOptions.order) Connect as the role that owns the tables, not as the service's.

            Exit status: 0 done, 1 error or no such league, 64 wrong usage.
            """,
        subcommands: [LeaguesList.self, LeaguesShow.self, LeaguesEnd.self]
    )
}

/// `juliet leagues list`
struct LeaguesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print leagues, newest first.",
        usage: "juliet leagues list [--name <text>] [--player <id>] [<options>]")

    @OptionGroup var newest: NewestOption
    @Option(help: ArgumentHelp("Only leagues whose names contain this, in any letter case.", valueName: "text"))
    var name: String?
    @Option(help: ArgumentHelp("Only leagues with this player as a member.", valueName: "id")) var player: String?
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let leagues = try await LeagueRecords(connection: connection).list(
                last: newest.last, named: name, of: player)
            try Terminal.print(leagues, asJSON: options.json, orNote: "no such leagues", report: LeaguesReport.list)
        }
    }
}

/// A league, by its id.
struct LeagueOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The league's id.", valueName: "id")) var id: String
    @OptionGroup var options: WordsOptions

    /// Its id.
    func league() throws -> PostgresUUID {
        guard let league = PostgresUUID(id) else { throw CommandError("there is no league \(id.quoted)") }
        return league
    }
}

/// `juliet leagues show`
struct LeaguesShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a league and its members.",
        usage: "juliet leagues show <id> [<options>]",
        discussion: """
            The member who joined first owns the league. `juliet users show` shows more about each.
            """)

    @OptionGroup var league: LeagueOptions

    func run() async throws {
        try await league.options.run { connection in
            let (id, records) = (try league.league(), LeagueRecords(connection: connection))
            guard let found = try await records.league(id) else {
                throw CommandError("there is no league \(league.id.quoted)")
            }
            let members = try await records.members(of: id)
            Terminal.print(
                league.options.json
                    ? try Terminal.json(LeaguesReport.Whole(league: found, members: members))
                    : LeaguesReport.whole(found, members))
        }
    }
}

/// `juliet leagues end`
struct LeaguesEnd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End a league, for all its members.",
        usage: "juliet leagues end <id> --reason <text> [<options>]",
        discussion: """
            Nothing else changes for them. The audit trail (`juliet admin audit`) records who ended it, and \
            why.
            """)

    @OptionGroup var league: LeagueOptions
    @OptionGroup var why: ReasonOption

    func run() async throws {
        try await league.options.run { connection in
            let records = LeagueRecords(connection: connection)
            guard try await records.end(try league.league(), by: SystemUser.actor, reason: why.reason) else {
                throw CommandError("there is no league \(league.id.quoted)")
            }
            Terminal.print(
                league.options.json ? try Terminal.json(LeaguesReport.Ended(ended: league.id)) : "ended \(league.id)")
        }
    }
}
