import ArgumentParser
import JulietGame
import Lottery
import StrictEncoding

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `juliet lottery show`
struct LotteryShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a draw, and the one that comes next.",
        usage: "juliet lottery show [<number>] [<options>]",
        discussion: """
            A round is shown only when its time has come, and the seed only when all rounds are over. --json \
            also prints the frozen list: `juliet lottery verify --file` checks that output without a \
            database.
            """)

    @Argument(help: ArgumentHelp("Which draw. Default: the last, or the next if there was none.", valueName: "number"))
    var number: Int?
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let draws = LotteryDraws(connection: connection, actor: SystemUser.actor)
            let look = try await draws.look()
            guard let kept = try await draws.draw(number ?? look.last?.number ?? look.next.number) else {
                throw CommandError("there is no draw \(number ?? 0): the next is \(look.next.number)")
            }
            if options.json { return Terminal.print(try Terminal.json(kept)) }
            Terminal.print(LotteryReport.whole(kept.draw))
            if kept.draw.number != look.next.number { Terminal.print("\n" + LotteryReport.whole(look.next)) }
        }
    }
}

/// `juliet lottery verify`
struct LotteryVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Repeat a draw from its seed and its list.",
        usage: """
            juliet lottery verify [<number>] [--commitment <hex>] [<options>]
            juliet lottery verify --file <file> [--commitment <hex>]
            """,
        discussion: """
            Checks that the commitment is the SHA-256 of the seed, that the digest is that of the list, and \
            that all rounds and the winner follow from the seed and the list. Give the commitment that was \
            shown before the draw: one that you see only afterwards proves nothing.

            --file takes a draw as `juliet lottery show --json` prints it; - is standard input. Then no \
            database is needed.

            Exit status: 0 everything matches, 1 something does not, 2 it cannot be decided: the draw is not \
            over, or the file holds no draw; 64 wrong usage.
            """)

    @Argument(help: ArgumentHelp("Which draw. Default: the last.", valueName: "number")) var number: Int?
    @Option(help: ArgumentHelp("A draw, as JSON.", valueName: "file")) var file: String?
    @Option(help: ArgumentHelp("The commitment shown before the draw: 64 hex digits.", valueName: "hex"))
    var commitment: String?
    @OptionGroup var options: WordsOptions

    func validate() throws {
        if number != nil, file != nil { throw ValidationError("the file says which draw: give no number") }
        if let commitment, Hexadecimal.decode(commitment)?.count != 32 {
            throw ValidationError("--commitment must have 64 hex digits")
        }
    }

    func run() async throws {
        if let file {
            try await options.reportingErrors {
                guard let kept = try? JSONDecoder().decode(KeptDraw.self, from: Data(try InputFile.contents(of: file)))
                else {
                    throw undecided("\(file) holds no draw as `juliet lottery show --json` prints it")
                }
                try verify(kept)
            }
        } else {
            try await options.run { connection in
                let draws = LotteryDraws(connection: connection, actor: SystemUser.actor)
                guard let kept = try await draws.draw(number) else {
                    throw undecided(number.map { "there is no draw \($0)" } ?? "no draw has started yet")
                }
                try verify(kept)
            }
        }
    }

    private func verify(_ kept: KeptDraw) throws {
        let noted = commitment.flatMap { Hexadecimal.decode($0) }
        do {
            try DrawProof(kept.draw, list: kept.list ?? "", notedCommitment: noted).check()
        } catch {
            switch error {
            case .notOver: throw undecided("draw \(kept.draw.number) is not over: its seed is still secret")
            case .doesNotFit(let what):
                Terminal.print(
                    options.json
                        ? try Terminal.json(LotteryReport.Verified(draw: kept.draw.number, fits: false, problem: what))
                        : "does not match: \(what)")
                throw ExitCode.failure
            }
        }
        Terminal.print(
            options.json
                ? try Terminal.json(LotteryReport.Verified(draw: kept.draw.number, fits: true, problem: nil))
                : LotteryReport.fits(kept.draw, isNoted: noted != nil))
    }

    /// Whether the draw was fair cannot be decided.
    private func undecided(_ why: String) -> ExitCode {
        Terminal.note("error: \(why)")
        return ExitCode(2)
    }
}
