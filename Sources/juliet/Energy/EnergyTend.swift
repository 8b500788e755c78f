import ArgumentParser
import JulietGame
import Postgres

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `juliet energy grant`
struct EnergyGrant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Give a player energy, and say why.",
        usage: "juliet energy grant <id> <amount> --reason <text> [<options>]",
        discussion: """
            The ledger records the reason, and the audit trail (`juliet admin audit`) who gave it. A grant \
            has a name, which is printed. If you do not know whether a grant took effect, repeat it with the \
            same --operation-id: it takes effect once.
            """)

    @Argument(help: .player) var id: String
    @Argument(help: "How much, \(grouped(EnergyLedger.grants)).") var amount: Int
    @Option(help: ArgumentHelp("The reason, for the ledger, such as a ticket number.", valueName: "text"))
    var reason: String
    @Option(help: ArgumentHelp("The name of the grant. Default: a new one.", valueName: "name"))
    var operationID: String?
    @OptionGroup var options: WordsOptions

    func validate() throws {
        guard EnergyLedger.grants.contains(amount) else {
            throw ValidationError("the amount must be \(grouped(EnergyLedger.grants))")
        }
        guard EnergyLedger.isReason(reason) else {
            throw ValidationError("--reason must be a text of up to 500 characters")
        }
        if let operationID {
            guard (1...255).contains(operationID.utf8.count),
                operationID.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { throw ValidationError("--operation-id must be 1 to 255 visible ASCII characters") }
        }
    }

    func run() async throws {
        try await options.run { connection in
            let name = operationID ?? "support-\(UUID().uuidString)"
            let answer: AppAnswer
            do throws(PostgresError) {
                answer = try await EnergyLedger(connection: connection).grant(
                    amount, to: User.ID(id), reason: reason, as: Operation.ID(name), by: SystemUser.actor)
            } catch {
                // It gave up waiting, and did nothing.
                if error.sqlState == .lockNotAvailable { throw error }
                throw CommandError("\(error.operatorMessage ?? error.description)\nrepeat with --operation-id \(name)")
            }
            let balance: Int
            switch answer.outcome {
            case .done(let state): balance = state.energy
            case .refused(.operationReused, _):
                throw CommandError(
                    "the player has another operation called \(name); nothing was changed: give another --operation-id")
            case .refused(.energyFull, let state):
                throw CommandError(
                    "the balance was \(grouped(state.energy)), and \(grouped(amount)) more would be too high; the grant \(name) is refused, even if you repeat it"
                )
            case .refused: throw try await CommandError.noPlayer(id, connection)
            }
            let grant = EnergyReport.Grant(
                amount: amount, balanceAfter: balance, isReplay: answer.isReplay, operationID: name)
            Terminal.print(options.json ? try Terminal.json(grant) : EnergyReport.granted(grant))
        }
    }
}

/// The minimum age of entries and names that an operator moves or forgets.
struct AgeOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The least age in days, 400 or more. Younger records are needed to recognise repeated requests.",
            valueName: "count"))
    var days = EnergyLedger.minimumDays

    func validate() throws {
        guard (EnergyLedger.minimumDays...36500).contains(days) else {
            throw ValidationError("--days must be \(EnergyLedger.minimumDays) or more")
        }
    }
}

/// `juliet energy archive`
struct EnergyArchive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Move old entries out of the ledger.",
        usage: "juliet energy archive [--days <count>] [--to <file>] [<options>]",
        discussion: """
            It moves entries to the table energy_ledger_archive. A checkpoint records where each \
            player's ledger continues. The keys of the requests that made the entries go with them.

            With --to, it then moves everything in that table to a file. The file is written, read again and \
            compared row by row, and only the rows that are in it are deleted. The file names no players and \
            no games, and has days instead of times. Keep it: `history` and `audit` read it with --archive.

            The service can run meanwhile. After an interruption, run this again.
            """)

    @OptionGroup var age: AgeOption
    @Option(help: ArgumentHelp("The file to move the archive to; it must not exist yet.", valueName: "file"))
    var to: String?
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            if let to { try EnergyArchiveFile.checkIsFree(to) }
            var notes = ProgressNotes()
            let moved = try await EnergyLedger(connection: connection).archive(olderThanDays: age.days) { moved in
                notes.note("\(counted(moved, "row")) moved")
            }
            guard let to else {
                return Terminal.print(
                    options.json ? try Terminal.json(["moved": moved]) : "\(counted(moved, "row")) moved to the archive"
                )
            }
            let written = try await EnergyArchiveFile.export(to: to, from: connection) { written in
                notes.note("\(counted(written, "row")) written")
            }
            if options.json {
                Terminal.print(try Terminal.json(["moved": moved, "written": written]))
            } else {
                Terminal.print("\(counted(moved, "row")) moved to the archive")
                Terminal.print(
                    written == 0
                        ? "the archive is empty: no file was written" : "\(counted(written, "row")) moved to \(to)")
            }
        }
    }
}

/// `juliet energy prune`
struct EnergyPrune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Forget the names of old operations that changed no balance.",
        usage: "juliet energy prune [--days <count>] [<options>]",
        discussion: """
            These are wins and refusals that came with an Idempotency-Key. Operations that changed a balance \
            keep their names as long as their entries are in the ledger.
            """)

    @OptionGroup var age: AgeOption
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            var notes = ProgressNotes()
            let ledger = EnergyLedger(connection: connection)
            let pruned = try await ledger.pruneOperations(olderThanDays: age.days) { pruned in
                notes.note("\(counted(pruned, "operation")) forgotten")
            }
            Terminal.print(
                options.json ? try Terminal.json(["forgotten": pruned]) : "\(counted(pruned, "operation")) forgotten")
        }
    }
}
