import ArgumentParser
import JulietServer

/// The command line: everything Juliet does begins here.
@main
struct Juliet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "juliet",
        abstract: "The backend of a word game, on PostgreSQL.",
        discussion: """
            Start with `juliet dev`: it runs everything on this machine, a private database \
            included. On a server, `juliet migrate up`, `juliet words import` and `juliet serve`.
            """,
        version: Release.version,
        subcommands: [
            Dev.self, Serve.self, Play.self, Migrate.self, Words.self, Users.self, EnergyCommand.self,
            PurchasesCommand.self, LotteryCommand.self, AdminCommand.self, GameCommand.self, RulesCommand.self,
            Config.self,
        ]
    )
}
