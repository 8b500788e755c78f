import ArgumentParser

/// `juliet game …`
struct GameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "game",
        abstract: "Check that the service played fair.",
        discussion: """
            For players and operators. It needs neither a service nor a database.
            """,
        subcommands: [GameVerify.self]
    )
}
