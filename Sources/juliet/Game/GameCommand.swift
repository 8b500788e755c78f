import ArgumentParser

/// `juliet game …`
struct GameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "game",
        abstract: "Check that the service played fair.",
        discussion: """
            For players as much as for operators: neither a service nor a database is asked.
            """,
        subcommands: [GameVerify.self]
    )
}
