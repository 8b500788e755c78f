public import LotteryEntities
public import LotteryRepository

/// Watching draws, and starting them: it remembers what was shown of a draw before its end, which must be the same
/// afterwards, repeats each draw that is over, and knows when the next may be started.
public struct LotteryWatch: Sendable {
    /// The current state.
    public enum Standing: Sendable, Hashable {
        /// No draw is shown.
        case waiting(Waiting)
        /// A draw is running: its progress has no end yet.
        case running(LotteryDraw, LotteryDraw.Progress)
        /// A draw is over, and its result is shown.
        case over(Outcome)
        /// The repository cannot tell.
        case unreachable
    }

    /// What can be done while no draw is shown.
    public struct Waiting: Sendable, Hashable {
        /// The draw that comes next.
        public var next: LotteryDraw
        /// Whether anybody may start it now: somebody takes part, and there is no prize, with which an operator starts it.
        public var canStart: Bool
        /// The previous draw, if there was one.
        public var last: Outcome?
    }

    /// A draw that is over.
    public struct Outcome: Sendable, Hashable {
        /// The draw.
        public var draw: LotteryDraw
        /// What was seen of it.
        public var progress: LotteryDraw.Progress
        /// How it ended.
        public var end: LotteryDraw.End
        /// Whether it was verified that seed and list give this draw, and the commitment that was shown before it.
        public var isVerified: Bool
    }

    private let repository: any DrawRepository
    private let interval: Duration
    /// Commitments and digests of lists as they were seen first, of the draws that are of interest.
    private var commitments: [Int: [UInt8]] = [:]
    private var listDigests: [Int: [UInt8]] = [:]
    private var verified: (draw: LotteryDraw, isVerified: Bool)?

    /// Watches the draws of a repository. It has seen none yet.
    ///
    /// - Parameter interval: How long to wait between looks while no draw is under way, and after a failure.
    public init(_ repository: any DrawRepository, interval: Duration = .seconds(1)) {
        self.repository = repository
        self.interval = interval
    }

    /// How things stand, and how long that is true for sure.
    public mutating func look() async -> (standing: Standing, lasts: Duration) {
        do {
            let look = try await repository.look()
            note(look)
            return try await standing(of: look)
        } catch {
            return (.unreachable, interval)
        }
    }

    /// Starts a draw: the one that was shown as the next, so that a late viewer cannot start another one. A draw that has started goes on.
    ///
    /// - Throws: What the repository throws: it is not known whether the draw has started. Start it again.
    public func start(_ number: Int) async throws -> DrawStart {
        try await repository.start(number)
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

    private mutating func standing(of look: LotteryLook) async throws -> (Standing, Duration) {
        guard let last = look.last, let progress = last.progress else {
            return (.waiting(waiting(for: look.next, after: nil)), interval)
        }
        guard let end = progress.end else {
            let due = last.pace.loading + last.pace.round * progress.rounds.count - progress.elapsed
            // No sooner than in a moment: the clock here may be a little ahead.
            return (.running(last, progress), max(due, .milliseconds(5)))
        }
        let outcome = Outcome(draw: last, progress: progress, end: end, isVerified: try await isVerified(last))
        let left = last.pace.end - progress.elapsed
        if left > .zero { return (.over(outcome), min(left, interval)) }
        return (.waiting(waiting(for: look.next, after: outcome)), interval)
    }

    private func waiting(for next: LotteryDraw, after last: Outcome?) -> Waiting {
        Waiting(next: next, canStart: next.entries > 0 && next.prize == 0, last: last)
    }

    /// Repeats the draw, once.
    private mutating func isVerified(_ draw: LotteryDraw) async throws -> Bool {
        // The time since the start is not part of it, and names may change.
        if let verified, verified.draw.isSameDraw(as: draw) { return verified.isVerified }
        guard let list = try await repository.draw(draw.number)?.list else { return false }
        let proof = DrawProof(
            draw, list: list, notedCommitment: commitments[draw.number], notedListDigest: listDigests[draw.number])
        let isVerified = (try? proof.check()) != nil
        verified = (draw, isVerified)
        return isVerified
    }
}

extension LotteryDraw {
    fileprivate func isSameDraw(as other: LotteryDraw) -> Bool {
        number == other.number && commitment == other.commitment && entries == other.entries
            && progress?.listDigest == other.progress?.listDigest && progress?.end == other.progress?.end
            && progress?.rounds.map(\.userID) == other.progress?.rounds.map(\.userID)
    }
}
