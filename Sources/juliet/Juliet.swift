import ArgumentParser
import JulietServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The command line.
@main
struct Juliet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "juliet",
        abstract: "The backend of a word game, on PostgreSQL.",
        discussion: """
            To try Juliet, run `juliet dev`: it runs everything on this machine, with a private database. On \
            a server, run `juliet migrate up`, then `juliet words import`, then `juliet serve`.

            The page home.md has the whole way to phones over HTTPS. If something is wrong, read the page trouble.md. The \
            pages are in share/doc/juliet of an installation, and in docs of the sources.
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
        ShownArguments.hidePasswords()
        // The reader of the output or of a log may go away. That must not end this process, above all not before `juliet
        // dev` has stopped its PostgreSQL.
        signal(SIGPIPE, SIG_IGN)
        if let unknown = UnknownCommand(Array(CommandLine.arguments.dropFirst())) {
            Terminal.note("\(unknown)")
            exit(withError: ExitCode.validationFailure)
        }
        await main(nil)
    }
}
