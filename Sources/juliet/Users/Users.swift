import ArgumentParser
import EventLoop
import JulietGame
import Postgres

/// `juliet users …`
struct Users: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take players over from the old backend; show, export, delete one.",
        discussion: """
            The database is --database, or the running `juliet dev` in --data, or \
            DATABASE_URL, or what libpq's PG* variables say. Connect as the role that owns \
            the tables, not as the service's.

            Exit status: 0 done, 1 error or no such player, 64 wrong usage.
            """,
        subcommands: [UsersImport.self, UsersShow.self, UsersExport.self, UsersDelete.self]
    )
}

/// `juliet users import`
struct UsersImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take players over from an export of the old backend's table.",
        usage: "juliet users import <file> [--report <file>] [<options>]",
        discussion: """
            The export is JSON lines or one JSON array, with plain values or DynamoDB's \
            ({"N": "15"}). Taken over are userID, energy, playedWords, userWins and \
            hasMadePurchase. What the old data allows and the new does not is mended and \
            said, line by line: negative numbers, fractions, words twice, unknown words. Import \
            the word lists first.

            A player who is here already stays as they are. So run it again after an \
            interruption: it goes on where it stopped.
            """)

    @Argument(help: ArgumentHelp("The export; - is standard input.", valueName: "file")) var file: String
    @Option(help: ArgumentHelp("Where to write every remark; the first 20 are shown.", valueName: "file"))
    var report: String?
    @OptionGroup var language: LanguageOption
    @OptionGroup var options: WordsOptions

    func run() async throws {
        // Two: the server checks every word against two tables, and that is most of the work.
        try await options.run(sessions: 2) { connections in
            let export: InputFile
            do {
                export = try file == "-" ? .standardInput() : InputFile(path: file)
            } catch {
                throw CommandError("\(file): cannot be read")
            }
            let remarks = try RemarkWriter(path: report)
            let users = UserImport(
                connections: connections, language: language.language,
                remark: { remarks.write($0) }, progress: { Terminal.note(UsersReport.progress($0)) })
            let summary = try await users.run { try export.read(upToCount: 1 << 18) }
            try remarks.finish()
            Terminal.print(options.json ? try Terminal.json(summary) : UsersReport.imported(summary))
        }
    }
}

/// Shows the first remarks and keeps all of them in a file.
private final class RemarkWriter {
    private let file: OutputFile?
    private var pending: [UInt8] = []
    private var count = 0

    init(path: String?) throws {
        guard let path else {
            file = nil
            return
        }
        do { file = try OutputFile(path: path) } catch { throw CommandError("\(path): cannot be written") }
    }

    func write(_ remark: UserImport.Remark) {
        count += 1
        if count <= 20 { Terminal.note("\(remark)") }
        if count == 21 {
            Terminal.note(file == nil ? "and more: --report writes them all to a file" : "and more, in the report")
        }
        guard file != nil else { return }
        pending.append(contentsOf: "\(remark)\n".utf8)
        if pending.count > 1 << 16 { try? finish() }
    }

    func finish() throws {
        try file?.write(pending)
        pending.removeAll(keepingCapacity: true)
    }
}

/// `juliet users show`
struct UsersShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show how a player stands.", usage: "juliet users show <id> [<options>]")

    @Argument(help: "The account id, exactly as the app spells it.") var id: String
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
            One document: the account, every change of the balance with its reason, every word \
            played. There is nothing else.
            """)

    @Argument(help: "The account id, exactly as the app spells it.") var id: String
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
            Deletes the account and the words played. The energy ledger, purchases among it, is \
            kept for the books under a random name that leads back to nobody. The id is nowhere \
            in the database after that, nor in files of the archive; backups keep it until they \
            expire.
            """)

    @Argument(help: "The account id, exactly as the app spells it.") var id: String
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let deletion = try await UserRecords(connection: connection).delete(User.ID(id))
            guard let deletion else { throw CommandError("there is no player \(id.quoted)") }
            Terminal.print(options.json ? try Terminal.json(deletion) : UsersReport.deleted(deletion))
        }
    }
}

private func found(_ id: String, _ connection: PostgresConnection) async throws -> UserRecords.Everything {
    guard let everything = try await UserRecords(connection: connection).everything(about: User.ID(id)) else {
        throw CommandError("there is no player \(id.quoted)")
    }
    return everything
}
