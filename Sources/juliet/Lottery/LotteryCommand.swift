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
            Ten rounds show ten names; the tenth is the draw. Whoever it shows wins, unless the \
            entry is void: then nobody does. The SHA-256 of a secret seed is shown before a draw \
            can start. When it starts, the list is frozen, and all rounds follow from both. At \
            the end the seed is told: `juliet lottery verify`.

            \(DatabaseOptions.order) Connect as the role that owns the tables, not as the \
            service's.

            Exit status: 0 done, 1 error, 64 wrong usage; `verify`: 1 something does not fit, 2 \
            it cannot be told.
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
        discussion: "Numbers from 1,000,000,000 on are those of players.")

    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let list = try await LotteryRecords(connection: connection, actor: SystemUser.actor).list()
            if options.json {
                Terminal.print(try Terminal.json(list))
            } else if list.isEmpty {
                Terminal.note("nobody takes part: `juliet lottery import` and `enter` let them")
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
            Each takes part once, however often they are entered. All are entered, or none. A \
            player gets a number, which it prints.
            """)

    @Argument(help: ArgumentHelp("Users of the imported document.", valueName: "number")) var numbers: [Int] = []
    @Option(help: ArgumentHelp("A player of the game.", valueName: "id")) var player: String?
    @OptionGroup var options: WordsOptions

    func validate() throws {
        guard numbers.isEmpty == (player != nil) else {
            throw ValidationError("who? Give numbers of users, or --player and an account id")
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

/// Numbers of those who take part, and what becomes of them.
struct EntryOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Who, by their numbers in the list.", valueName: "number")) var numbers: [Int]
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
                let why = change == .leave ? "is nobody's number" : "takes no part"
                throw CommandError("\(unknown.userID) \(why): nothing was changed")
            }
        }
    }
}

/// `juliet lottery leave`
struct LotteryLeave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Let users or players take part no longer.",
        usage: "juliet lottery leave <number> ... [<options>]",
        discussion: "A draw that has started goes on with them: its list is frozen.")

    @OptionGroup var entries: EntryOptions

    func run() async throws { try await entries.change(.leave) }
}

/// `juliet lottery void`
struct LotteryVoid: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "void",
        abstract: "Make entries void: they are drawn like any other and win nothing.",
        usage: "juliet lottery void <number> ... [--undo] [<options>]")

    @Flag(help: "Make them count again.") var undo = false
    @OptionGroup var entries: EntryOptions

    func run() async throws { try await entries.change(undo ? .valid : .void) }
}

/// `juliet lottery announce`
struct LotteryAnnounce: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "announce",
        abstract: "Announce the energy that the next draw's winner gets.",
        usage: "juliet lottery announce --prize <energy> [<options>]",
        discussion: """
            A draw with a prize is started by `juliet lottery draw` only. A player who wins gets \
            it with the start, once, as an entry of the ledger; a user of the documents has no \
            balance and gets none.

            With another prize the draw gets another seed and commitment, so that nobody who may \
            have read the former seed can choose by it. `juliet admin audit` shows the former ones.
            """)

    @Option(help: ArgumentHelp("How much, up to 1,000,000; 0: nothing.", valueName: "energy")) var prize: Int
    @OptionGroup var options: WordsOptions

    func validate() throws {
        guard LotteryRecords.prizes.contains(prize) else { throw ValidationError("--prize is 0 to 1,000,000") }
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
