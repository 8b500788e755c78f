/// Looks at the draws, and remembers what was shown of one before it was over: it must be the same afterwards.
struct LotteryWatch {
    private let repository: any DrawRepository
    private let interval: Duration
    /// Commitments and digests of lists as they were seen first, of the draws that are of interest.
    private var commitments: [Int: [UInt8]] = [:]
    private var listDigests: [Int: [UInt8]] = [:]
    private var verified: (draw: LotteryDraw, isVerified: Bool)?

    init(repository: any DrawRepository, interval: Duration) {
        self.repository = repository
        self.interval = interval
    }

    /// How things stand, and how long that is true for sure.
    mutating func look() async -> (LotteryViewState, Duration) {
        do {
            let look = try await repository.look()
            note(look)
            return try await state(of: look)
        } catch {
            return (.failure("The lottery cannot be reached."), interval)
        }
    }

    private mutating func note(_ look: LotteryLook) {
        let numbers = [look.next.number, look.last?.number]
        commitments = commitments.filter { numbers.contains($0.key) }
        listDigests = listDigests.filter { numbers.contains($0.key) }
        commitments[look.next.number] = commitments[look.next.number] ?? look.next.commitment
        if let last = look.last, let progress = last.progress, progress.end == nil {
            commitments[last.number] = commitments[last.number] ?? last.commitment
            listDigests[last.number] = listDigests[last.number] ?? progress.listDigest
        }
    }

    private mutating func state(of look: LotteryLook) async throws -> (LotteryViewState, Duration) {
        guard let last = look.last, let progress = last.progress else {
            return (landing(look.next, last: nil), interval)
        }
        let running = LotteryViewState.Running(last, progress)
        guard let end = progress.end else {
            let shown = progress.rounds.count
            let due = last.pace.loading + last.pace.round * shown - progress.elapsed
            // No sooner than in a moment: the clock here may be a little ahead.
            let wait = max(due, .milliseconds(5))
            guard let round = progress.rounds.last else { return (.loading(running), wait) }
            return (.round(shown, userID: round.userID, name: round.name, running), wait)
        }
        let result = LotteryViewState.Result(
            running: running, name: progress.rounds.last?.name ?? "", userID: progress.rounds.last?.userID ?? 0,
            hasWon: end.winner != nil, seed: hexadecimal(end.seed), isVerified: try await isVerified(last))
        let left = last.pace.end - progress.elapsed
        if left > .zero { return (result.hasWon ? .winner(result) : .noWinner(result), min(left, interval)) }
        return (landing(look.next, last: result), interval)
    }

    private func landing(_ next: LotteryDraw, last: LotteryViewState.Result?) -> LotteryViewState {
        .landing(
            .init(
                draw: next.number, commitment: hexadecimal(next.commitment), prize: next.prize, entries: next.entries,
                canStart: next.entries > 0 && next.prize == 0, wait: 0, last: last))
    }

    /// Repeats the draw, once.
    private mutating func isVerified(_ draw: LotteryDraw) async throws -> Bool {
        // How long ago it was is no part of it, and names may change.
        if let verified, verified.draw.isSameDraw(as: draw) { return verified.isVerified }
        guard let list = try await repository.draw(draw.number)?.list else { return false }
        let proof = DrawProof(
            draw, list: list, notedCommitment: commitments[draw.number], notedListDigest: listDigests[draw.number])
        let isVerified = (try? proof.check()) != nil
        verified = (draw, isVerified)
        return isVerified
    }
}

extension LotteryViewState.Running {
    fileprivate init(_ draw: LotteryDraw, _ progress: LotteryDraw.Progress) {
        self.init(
            draw: draw.number, commitment: hexadecimal(draw.commitment), listDigest: hexadecimal(progress.listDigest),
            entries: draw.entries, prize: draw.prize)
    }
}

extension LotteryDraw {
    fileprivate func isSameDraw(as other: LotteryDraw) -> Bool {
        number == other.number && commitment == other.commitment && entries == other.entries
            && progress?.listDigest == other.progress?.listDigest && progress?.end == other.progress?.end
            && progress?.rounds.map(\.userID) == other.progress?.rounds.map(\.userID)
    }
}
