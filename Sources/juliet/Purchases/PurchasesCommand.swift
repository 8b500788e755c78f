import ArgumentParser
import JulietGame

/// `juliet purchases …`
struct PurchasesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purchases",
        abstract: "Show App Store transactions, and apply notifications again.",
        discussion: """
            A transaction counts once, for the player who presented it first. When the App Store refunds a \
            purchase, it notifies the service, and the energy is taken back, even if the balance falls below \
            zero. Purchases without a signature of the App Store are in `juliet energy history` only.

            \(DatabaseOptions.order) Connect as the role that owns the tables, not as the service's.

            Exit status: 0 done, 1 error or no such transaction, 64 wrong usage.
            """,
        subcommands: [PurchasesList.self, PurchasesShow.self, PurchasesReplay.self]
    )
}

/// `juliet purchases list`
struct PurchasesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print transactions, newest first.",
        usage: "juliet purchases list [--last <count>] [<options>]",
        discussion: """
            The states of a transaction:

            credited   the player got the energy
            refunded   the player got the energy, and it has been taken back
            revoked    the store took the purchase back before it was credited
            awaited    no player has presented it, but the store has sent a notification
            """)

    @OptionGroup var newest: NewestOption
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let purchases = try await PurchaseRecords(connection: connection).list(last: newest.last)
            try Terminal.print(
                purchases, asJSON: options.json, orNote: "no transactions yet", report: PurchasesReport.list)
        }
    }
}

/// `juliet purchases show`
struct PurchasesShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a transaction: whose it is, what it brought, whether it was refunded.",
        usage: "juliet purchases show <transaction> [--environment <name>] [<options>]",
        discussion: """
            Also prints the entries of the ledger that it made, and the store's notifications about it. \
            Entries that were moved to files are left out: `juliet energy history --archive` shows them.
            """)

    @Argument(help: "The store's number of the transaction, as in App Store Connect.") var transaction: String
    @Option(
        help: ArgumentHelp("Production or Sandbox, needed only if both have the number.", valueName: "name"))
    var environment: String?
    @OptionGroup var options: WordsOptions

    func validate() throws {
        guard environment.map(["Production", "Sandbox"].contains) ?? true else {
            throw ValidationError("--environment must be Production or Sandbox")
        }
    }

    func run() async throws {
        try await options.run { connection in
            let records = PurchaseRecords(connection: connection)
            let found = try await records.purchases(transaction)
                .filter { $0.environment == environment ?? $0.environment }
            guard let purchase = found.first else {
                throw CommandError("there is no transaction \(transaction.quoted)")
            }
            guard found.count == 1 else {
                throw CommandError("Production and Sandbox both have \(transaction.quoted): give --environment")
            }
            let changes = try await records.changes(by: purchase)
            let notifications = try await records.notifications(about: purchase)
            Terminal.print(
                options.json
                    ? try Terminal.json(
                        PurchasesReport.Whole(purchase: purchase, changes: changes, notifications: notifications))
                    : PurchasesReport.whole(purchase, changes, notifications))
        }
    }
}

/// `juliet purchases replay`
struct PurchasesReplay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Apply all notifications of the App Store again.",
        usage: "juliet purchases replay [<options>]",
        discussion: """
            The service keeps each notification before it applies it. This command applies all of them \
            again, one after the other, beside a live service. A notification that was already \
            applied changes nothing. If two are about one transaction, the later one counts. Run it after an outage, or when \
            `juliet energy audit` says that a later notification about a transaction was not applied. \
            If it is interrupted, run it again.
            """)

    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            var notes = ProgressNotes()
            let replay = try await PurchaseRecords(connection: connection).replay { replay in
                notes.note("\(counted(replay.notifications, "notification")) applied")
            }
            Terminal.print(options.json ? try Terminal.json(replay) : PurchasesReport.replayed(replay))
            for (id, reason) in replay.failures.sorted(by: { $0.key < $1.key }) {
                Terminal.note("the notification \(id) cannot be applied: \(reason)")
            }
            if !replay.failures.isEmpty { throw ExitCode.failure }
        }
    }
}
