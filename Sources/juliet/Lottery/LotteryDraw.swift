import ArgumentParser
import JulietGame
import Lottery
import Postgres

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `juliet lottery draw`
struct LotteryDrawCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw",
        abstract: "Start the next draw, and watch it.",
        usage: "juliet lottery draw [<number>] [<options>]",
        discussion: """
            The draw freezes the list and then starts. If you stop this command after that, the draw \
            goes on. Everybody who watches sees the same rounds at the same time. A draw that \
            has started is not started again: after an interruption, give its number to go on watching.

            On a terminal the names change in place; elsewhere each round is a line on standard error. \
            --json prints the whole draw when it is over.
            """)

    @Argument(help: ArgumentHelp("Which draw. Default: the next.", valueName: "number")) var number: Int?
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let draws = LotteryDraws(connection: connection, actor: SystemUser.actor)
            let number =
                if let number { number } else { try await draws.look().next.number }
            switch try await start(number, of: draws) {
            case .started: break
            case .refused(.unknownDraw):
                throw CommandError("there is no draw \(number): see `\(options.database.command("lottery show"))`")
            case .refused(.empty):
                throw CommandError(LotteryReport.nobody(options.database))
            case .refused(.pause(let seconds)):
                throw CommandError("draw \(number - 1) is still shown: try again in \(counted(seconds, "second"))")
            case .refused(.operatorOnly):
                throw CommandError(
                    "the service's role may not start a draw with a prize: connect as the role that owns the tables")
            }
            var view = LotteryView(isOnTerminal: isatty(STDOUT_FILENO) == 1 && !options.json)
            for await state in LotteryPresenter(LotteryWatch(draws), clock: ContinuousClock()) {
                guard view.show(state, of: number) else { break }
            }
            guard let kept = try? await draws.draw(number), kept.draw.progress?.end != nil else {
                throw CommandError(
                    "draw \(number) has started, but cannot be watched. To go on: `\(options.database.command("lottery draw \(number)"))`"
                )
            }
            Terminal.print(options.json ? try Terminal.json(kept) : LotteryReport.outcome(kept.draw, options.database))
        }
    }

    private func start(_ number: Int, of draws: LotteryDraws) async throws -> DrawStart {
        do {
            return try await draws.start(number)
        } catch let error as PostgresError where error.sqlState != .lockNotAvailable {
            throw CommandError(
                "\(error.operatorMessage ?? error.description)\nstart it again: `\(options.database.command("lottery draw \(number)"))`"
            )
        }
    }
}
