import ArgumentParser
import JulietGame
import Lottery

/// `juliet lottery import`
struct LotteryImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import the documents of users and of those who take part.",
        usage: "juliet lottery import <users> <lottery> [<options>]",
        discussion: """
            The document of users is {"items": [{"userId": 10, "name": "Jack Alexy", "username": "JAlex", \
            "regDate": "2020-10-19"}, ...]}. The other is {"lotteryList": [{"userId": 10, "void": false}, \
            ...]}. Other members are ignored. Numbers are 1 to 999,999,999.

            The documents replace those imported before: users who are no longer in them are removed from \
            the list. Players of the game who take part stay. Either everything is imported or nothing. \
            Importing the same documents again changes nothing. Past draws stay as they are.
            """)

    @Argument(help: ArgumentHelp("The document of users.", valueName: "users")) var users: String
    @Argument(help: ArgumentHelp("The document of those who take part.", valueName: "lottery")) var lottery: String
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let users = try read(users) { (bytes) throws(LotteryDocumentError) in
                try LotteryDocuments.users(in: bytes, numbers: LotteryDocuments.ownNumbers)
            }
            let entries = try read(lottery) { (bytes) throws(LotteryDocumentError) in
                try LotteryDocuments.entries(in: bytes, of: users)
            }
            let records = LotteryRecords(connection: connection, actor: SystemUser.actor)
            guard let changes = try await records.import(users, entries) else { return }
            Terminal.print(options.json ? try Terminal.json(changes) : LotteryReport.imported(changes))
        }
    }

    /// The longest document that is read.
    private static let maximumSize = 32 << 20

    private func read<Value>(
        _ path: String, _ decode: ([UInt8]) throws(LotteryDocumentError) -> Value
    ) throws -> Value {
        var bytes: [UInt8] = []
        do {
            let file = try InputFile(path: path)
            while bytes.count <= Self.maximumSize, let piece = try file.read(upToCount: 1 << 20) { bytes += piece }
        } catch {
            throw CommandError("cannot read \(path)")
        }
        guard bytes.count <= Self.maximumSize else { throw CommandError("\(path) is longer than 32 MiB") }
        do {
            return try decode(bytes)
        } catch {
            throw CommandError("\(path): \(error)\nnothing was changed")
        }
    }
}
