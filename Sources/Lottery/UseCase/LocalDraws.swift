public import LotteryEntities
public import LotteryRepository

/// Draws among participants from anywhere, the two documents for instance, in this process only: the same as the service
/// does, without a service. They are kept until the process ends.
public actor LocalDraws<Time: Clock>: DrawRepository where Time.Duration == Duration {
    private struct Started {
        let players: [LotteryPlayer]
        let list: FrozenList
        let at: Time.Instant
    }

    private let participants: any ParticipantRepository
    private let clock: Time
    private let pace: LotteryDraw.Pace
    private let makeSeed: @Sendable () -> [UInt8]
    /// The seeds of all draws; the last one's has not started.
    private var seeds: [[UInt8]]
    private var started: [Started] = []

    /// Draws among these participants.
    ///
    /// - Parameters:
    ///   - clock: The time by which draws are shown.
    ///   - pace: How they are shown.
    ///   - makeSeed: Makes 32 bytes that nobody can guess.
    public init(
        participants: any ParticipantRepository, clock: Time, pace: LotteryDraw.Pace = .init(),
        makeSeed: @escaping @Sendable () -> [UInt8] = LocalDraws.randomSeed
    ) {
        self.participants = participants
        self.clock = clock
        self.pace = pace
        self.makeSeed = makeSeed
        seeds = [makeSeed()]
    }

    /// 32 bytes of the system's source of secrets.
    public static var randomSeed: @Sendable () -> [UInt8] {
        { (0..<32).map { _ in UInt8.random(in: .min ... .max) } }
    }

    /// The current state. Asks how many take part unless a draw is under way.
    public func look() async throws -> LotteryLook {
        let last = shown(started.count)
        if let last, last.progress?.end == nil { return LotteryLook(next: next(entries: last.entries), last: last) }
        let entries = try await participants.entries().count
        return LotteryLook(next: next(entries: entries), last: shown(started.count))
    }

    /// A draw with its frozen list.
    public func draw(_ number: Int?) async throws -> KeptDraw? {
        let number = number ?? started.count
        if let draw = shown(number) { return KeptDraw(draw: draw, list: started[number - 1].list.text) }
        guard number == seeds.count else { return nil }
        return KeptDraw(draw: next(entries: try await participants.entries().count), list: nil)
    }

    /// Starts a draw among those who take part now.
    ///
    /// - Throws: What the participants throw; `LotteryPlayer.UnknownUser`. The draw has not started.
    public func start(_ number: Int) async throws -> DrawStart {
        if let decided = standing(of: number) { return decided }
        let players = try LotteryPlayer.merge(try await participants.users(), try await participants.entries())
        // Somebody else may have started it meanwhile.
        if let decided = standing(of: number) { return decided }
        guard !players.isEmpty else { return .refused(.empty) }
        let list = FrozenList(players.map { LotteryEntry(userID: $0.user.userID, isVoid: $0.isVoid) })
        started.append(Started(players: players, list: list, at: clock.now))
        seeds.append(makeSeed())
        return .started(isNew: true)
    }

    private func standing(of number: Int) -> DrawStart? {
        if (1..<seeds.count).contains(number) { return .started(isNew: false) }
        guard number == seeds.count else { return .refused(.unknownDraw) }
        guard let last = started.last else { return nil }
        let left = pace.end - last.at.duration(to: clock.now)
        guard left > .zero else { return nil }
        let (seconds, rest) = left.components
        return .refused(.pause(seconds: Int(seconds) + (rest > 0 ? 1 : 0)))
    }

    private func next(entries: Int) -> LotteryDraw {
        LotteryDraw(
            number: seeds.count, commitment: DrawFunction.digest(seeds[seeds.count - 1]), entries: entries, pace: pace)
    }

    /// A draw that has started, as far as it may be seen.
    private func shown(_ number: Int) -> LotteryDraw? {
        guard (1...max(1, started.count)).contains(number), number <= started.count else { return nil }
        let (seed, kept) = (seeds[number - 1], started[number - 1])
        let elapsed = kept.at.duration(to: clock.now)
        let digest = kept.list.digest
        let places = DrawFunction.places(seed: seed, listDigest: digest, count: kept.players.count)
        let drawn = places.map { kept.players[$0] }
        let end = drawn.last.map { last in
            LotteryDraw.End(seed: seed, winner: last.isVoid ? nil : last.user.userID)
        }
        return LotteryDraw(
            number: number, commitment: DrawFunction.digest(seed), entries: kept.players.count, pace: pace,
            progress: LotteryDraw.Progress(
                listDigest: digest, elapsed: elapsed,
                rounds: drawn.prefix(pace.roundsShown(after: elapsed)).map {
                    LotteryDraw.Round(userID: $0.user.userID, name: $0.user.name)
                },
                end: elapsed >= pace.result ? end : nil))
    }
}
