import ArgumentParser
import EventLoop
import JulietGame
import Postgres

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `juliet users …`
struct Users: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Import players from the old backend; show, export, delete one.",
        discussion: """
            \(DatabaseOptions.order) Connect as the role that owns the tables, not as the \
            service's.

            Exit status: 0 done, 1 error or no such player, 3 the import refused items, 64 \
            wrong usage.
            """,
        subcommands: [UsersImport.self, UsersShow.self, UsersExport.self, UsersDelete.self]
    )
}

/// `juliet users show`
struct UsersShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a summary of a player.", usage: "juliet users show <id> [<options>]")

    @Argument(help: .player) var id: String
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let everything = try await found(id, connection)
            Terminal.print(
                options.json
                    ? try Terminal.json(UsersReport.Standing(everything)) : UsersReport.standing(everything))
        }
    }
}

/// `juliet users export`
struct UsersExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print everything held about a player, as JSON.",
        usage: "juliet users export <id> [<options>]",
        discussion: """
            One document has the account, every change of the balance with its reason, every word played, \
            every transaction of the App Store and the store's notifications about it, what operators did to \
            the player, and what the lottery has about them. For a player of /v2 it also has the name, \
            statistics, devices, passkeys, identities, games, challenges, leagues and places on \
            leaderboards. It has neither the word nor the salt of a running game. Tokens and recovery \
            codes are stored only as digests, which are left out.
            """)

    @Argument(help: .player) var id: String
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in Terminal.print(try Terminal.json(try await found(id, connection))) }
    }
}

/// `juliet users delete`
struct UsersDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a player, for good.",
        usage: "juliet users delete <id> [<options>]",
        discussion: """
            Deletes the account and everything that belongs to it: words played, devices, games, places on \
            leaderboards. The energy ledger and the transactions of the App Store are kept for the books \
            under a random name that cannot be traced to the player. No transaction can be used again. What \
            is kept names no game, word or draw, and has days instead of times. After the deletion, the id is \
            nowhere in the database or in files of the archive. Backups keep it until they expire.

            On a terminal it shows the player and asks for the id once more, unless you give --yes.
            """)

    @Argument(help: .player) var id: String
    @Flag(help: "Do not ask.") var yes = false
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            if !yes, isatty(STDIN_FILENO) == 1 { try await ask(connection) }
            let deletion = try await UserRecords(connection: connection).delete(User.ID(id))
            guard let deletion else { throw try await CommandError.noPlayer(id, connection) }
            Terminal.print(options.json ? try Terminal.json(deletion) : UsersReport.deleted(deletion))
        }
    }
}

extension UsersDelete {
    /// Asks a person.
    ///
    /// - Throws: `CommandError` unless they type the id.
    private func ask(_ connection: PostgresConnection) async throws {
        Terminal.note(UsersReport.standing(try await found(id, connection)))
        Terminal.note("\nThis player will be deleted for good. Type the id to do it:")
        guard readLine() == id else { throw CommandError("that is not the id: nothing was deleted") }
    }
}

private func found(_ id: String, _ connection: PostgresConnection) async throws -> UserRecords.Everything {
    guard let everything = try await UserRecords(connection: connection).everything(about: User.ID(id)) else {
        throw try await CommandError.noPlayer(id, connection)
    }
    return everything
}

extension CommandError {
    /// There is no such player, or no longer with that id.
    static func noPlayer(_ id: String, _ connection: PostgresConnection) async throws -> CommandError {
        let records = UserRecords(connection: connection)
        if let player = try await records.player(whoClaimed: User.ID(id)) {
            return CommandError("\(id.quoted) was claimed: the player is now \(player.rawValue)")
        }
        if let player = try await records.player(whoMerged: User.ID(id)) {
            return CommandError("\(id.quoted) was merged: the player is now \(player.rawValue)")
        }
        return CommandError("there is no player \(id.quoted)")
    }
}

extension ArgumentHelp {
    /// What names a player to every command.
    static let player: ArgumentHelp =
        "The account id, exactly as the app spells it, or the id of a player of /v2."
}
