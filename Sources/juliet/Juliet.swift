import ArgumentParser

/// The command line: everything Juliet does begins here.
@main
struct Juliet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "juliet",
        abstract: "The backend of a word game, on PostgreSQL.",
        subcommands: [Migrate.self, Words.self]
    )
}
