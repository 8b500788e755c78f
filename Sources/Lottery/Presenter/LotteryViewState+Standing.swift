import LotteryEntities
import LotteryUseCase
import StrictEncoding

extension LotteryViewState {
    /// What a view shows of how things stand.
    init(_ standing: LotteryWatch.Standing) {
        switch standing {
        case .waiting(let waiting): self = .landing(Landing(waiting))
        case .running(let draw, let progress):
            let running = Running(draw, progress)
            if let round = progress.rounds.last {
                self = .round(progress.rounds.count, userID: round.userID, name: round.name, running)
            } else {
                self = .loading(running)
            }
        case .over(let outcome):
            let result = Result(outcome)
            self = result.hasWon ? .winner(result) : .noWinner(result)
        case .unreachable: self = .failure("The lottery cannot be reached.")
        }
    }
}

extension LotteryViewState.Landing {
    fileprivate init(_ waiting: LotteryWatch.Waiting) {
        self.init(
            draw: waiting.next.number, commitment: Hexadecimal.encode(waiting.next.commitment),
            prize: waiting.next.prize,
            entries: waiting.next.entries, canStart: waiting.canStart, wait: 0,
            last: waiting.last.map { LotteryViewState.Result($0) })
    }
}

extension LotteryViewState.Running {
    fileprivate init(_ draw: LotteryDraw, _ progress: LotteryDraw.Progress) {
        self.init(
            draw: draw.number, commitment: Hexadecimal.encode(draw.commitment),
            listDigest: Hexadecimal.encode(progress.listDigest), entries: draw.entries, prize: draw.prize)
    }
}

extension LotteryViewState.Result {
    fileprivate init(_ outcome: LotteryWatch.Outcome) {
        let shown = outcome.progress.rounds.last
        self.init(
            running: LotteryViewState.Running(outcome.draw, outcome.progress), name: shown?.name ?? "",
            userID: shown?.userID ?? 0, hasWon: outcome.end.winner != nil, seed: Hexadecimal.encode(outcome.end.seed),
            isVerified: outcome.isVerified)
    }
}
