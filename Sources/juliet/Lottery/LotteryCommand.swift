import ArgumentParser
import JulietGame
import Lottery
import Postgres

/// `juliet lottery …`
struct LotteryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lottery",
        abstract: "Run a lottery that anybody can check.",
        discussion: """
            A draw has ten rounds, and each shows a name. The name of the tenth round wins, unless that \
            entry is void: then nobody wins. Before a draw can start, a commitment is shown: the SHA-256 of a \
            secret seed. When the draw starts, the list is frozen, and all rounds follow from the seed \
            and the list. At the end the seed is revealed, and anybody can repeat the draw: `juliet lottery \
            verify`.

            \(DatabaseOptions.order) Connect as the role that owns the tables, not as the service's.

            Exit status: 0 done, 1 error, 64 wrong usage; `verify`: 1 something does not match, 2 it cannot \
            be decided.
            """,
        subcommands: [
            LotteryImport.self, LotteryList.self, LotteryEnter.self, LotteryLeave.self, LotteryVoid.self,
            LotteryAnnounce.self, LotteryDrawCommand.self, LotteryWatchCommand.self,
            LotteryShow.self, LotteryVerify.self,
        ]
    )
}

/// `juliet lottery list`
struct LotteryList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print who takes part, in the order of the list.",
        usage: "juliet lottery list [<options>]",
        discussion: "Numbers from 1,000,000,000 up belong to players of the game.")

    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let list = try await LotteryRecords(connection: connection, actor: SystemUser.actor).list()
            if options.json {
                Terminal.print(try Terminal.json(list))
            } else if list.isEmpty {
                Terminal.note(LotteryReport.nobody(options.database))
            } else {
                Terminal.print(LotteryReport.list(list))
            }
        }
    }
}

/// `juliet lottery enter`
struct LotteryEnter: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enter",
        abstract: "Let users or a player take part.",
        usage: """
            juliet lottery enter <number> ... [<options>]
            juliet lottery enter --player <id> [<options>]
            """,
        discussion: """
            Nobody can take part twice: entering somebody again changes nothing. If one of \
            the numbers is unknown, nobody is entered. For a player, the command prints the number that they get.
            """)

    @Argument(help: ArgumentHelp("Numbers of users in the imported document.", valueName: "number"))
    var numbers: [Int] = []
    @Option(help: ArgumentHelp("The id of a player of the game.", valueName: "id")) var player: String?
    @OptionGroup var options: WordsOptions

    func validate() throws {
        guard numbers.isEmpty == (player != nil) else {
            throw ValidationError("give numbers of users, or --player and the id of a player")
        }
    }

    func run() async throws {
        try await options.run { connection in
            let records = LotteryRecords(connection: connection, actor: SystemUser.actor)
            if let player {
                guard let (place, isNew) = try await records.enter(User.ID(player)) else {
                    throw try await CommandError.noPlayer(player, connection)
                }
                let entered = LotteryReport.Changed(userID: place.userID, isNew: isNew)
                return Terminal.print(try LotteryReport.changed([entered], .enter, json: options.json))
            }
            switch try await records.change(numbers, .enter) {
            case .success(let changes):
                Terminal.print(
                    try LotteryReport.changed(
                        zip(numbers, changes).map(LotteryReport.Changed.init), .enter, json: options.json))
            case .failure(let unknown):
                throw CommandError("there is no user \(unknown.userID): nobody was entered")
            }
        }
    }
}

/// Numbers of entries, and the change to make.
struct EntryOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Their numbers in the list.", valueName: "number")) var numbers: [Int]
    @OptionGroup var options: WordsOptions

    /// Changes all, or none.
    func change(_ change: LotteryRecords.Change) async throws {
        try await options.run { connection in
            let records = LotteryRecords(connection: connection, actor: SystemUser.actor)
            switch try await records.change(numbers, change) {
            case .success(let changes):
                Terminal.print(
                    try LotteryReport.changed(
                        zip(numbers, changes).map(LotteryReport.Changed.init), change, json: options.json))
            case .failure(let unknown):
                let why = change == .leave ? "is not the number of a user or player" : "does not take part"
                throw CommandError("\(unknown.userID) \(why): nothing was changed")
            }
        }
    }
}

/// `juliet lottery leave`
struct LotteryLeave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Remove users or players from the list.",
        usage: "juliet lottery leave <number> ... [<options>]",
        discussion: "A draw that has started still includes them: its list is frozen.")

    @OptionGroup var entries: EntryOptions

    func run() async throws { try await entries.change(.leave) }
}

/// `juliet lottery void`
struct LotteryVoid: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "void",
        abstract: "Make entries void: they are drawn like any other and win nothing.",
        usage: "juliet lottery void <number> ... [--undo] [<options>]")

    @Flag(help: "Make them valid again.") var undo = false
    @OptionGroup var entries: EntryOptions

    func run() async throws { try await entries.change(undo ? .valid : .void) }
}

/// `juliet lottery announce`
struct LotteryAnnounce: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "announce",
        abstract: "Announce the energy that the winner of the next draw gets.",
        usage: "juliet lottery announce --prize <energy> [<options>]",
        discussion: """
            Only `juliet lottery draw` can start a draw with a prize. A player who wins gets it when the \
            draw starts, once, as an entry of the ledger. A user of the imported documents has no balance \
            and gets nothing.

            If you change the prize, the draw gets a new seed and a new commitment, so that nobody who \
            has read the old seed can choose a prize to suit it. `juliet admin audit` shows the old ones.
            """)

    @Option(
        help: ArgumentHelp(
            "The energy, up to \(grouped(LotteryRecords.prizes.upperBound)); 0 for no prize.", valueName: "energy"))
    var prize: Int
    @OptionGroup var options: WordsOptions

    func validate() throws {
        guard LotteryRecords.prizes.contains(prize) else {
            throw ValidationError("--prize must be \(grouped(LotteryRecords.prizes))")
        }
    }

    func run() async throws {
        try await options.run { connection in
            let records = LotteryRecords(connection: connection, actor: SystemUser.actor)
            let (draw, commitment) = try await records.announce(prize: prize)
            let text = prize == 0 ? "draw \(draw) has no prize" : "draw \(draw): \(grouped(prize)) energy"
            Terminal.print(
                options.json
                    ? try Terminal.json(Announced(draw: draw, prize: prize, commitment: commitment))
                    : "\(text)\nits commitment: \(commitment)")
        }
    }
}

/// What `lottery announce --json` prints.
private struct Announced: Encodable {
    let draw: Int
    let prize: Int
    let commitment: String
}
