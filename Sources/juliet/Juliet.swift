import ArgumentParser
import JulietServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

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
            Dev.self, Serve.self, Play.self, Migrate.self, AuditCommand.self, Words.self, Users.self,
            PlayersCommand.self, IdentityCommand.self, EnergyCommand.self, ChallengesCommand.self, LeaguesCommand.self,
            NamesCommand.self, PurchasesCommand.self, LotteryCommand.self,
            AdminCommand.self, GameCommand.self, RulesCommand.self, Config.self,
        ]
    )

    /// Runs the command that was typed.
    static func main() async {
        // Whoever reads what is printed, or a log, may go away: that ends nothing here, least of all before `juliet dev` has
        // stopped its PostgreSQL.
        signal(SIGPIPE, SIG_IGN)
        await main(nil)
    }
}
