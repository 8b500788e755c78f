import Lottery
import Testing

@Suite("The presenter of the lottery")
struct PresenterTests {
    private let clock = TestClock()
    private let seed = [UInt8](0..<32)

    private func draws(_ participants: FakeParticipants) -> LocalDraws<TestClock> {
        LocalDraws(participants: participants, clock: clock, makeSeed: { [seed] in seed })
    }

    /// The states until one, that one included.
    private func states(
        _ repository: any DrawRepository, until isLast: (LotteryViewState) -> Bool
    ) async -> [LotteryViewState] {
        var states: [LotteryViewState] = []
        for await state in LotteryPresenter(LotteryWatch(repository), clock: clock) {
            states.append(state)
            if isLast(state) || states.count > 50 { break }
        }
        return states
    }

    private func isLanding(_ state: LotteryViewState) -> Bool {
        if case .landing = state { true } else { false }
    }

    @Test("loading, ten rounds with ten names, the winner, and landing again, each in its time")
    func wholeDraw() async throws {
        let draws = draws(FakeParticipants(count: 3))
        #expect(try await draws.start(1) == .started(isNew: true))
        var seen: [(LotteryViewState, Duration)] = []
        let start = clock.now
        for await state in LotteryPresenter(LotteryWatch(draws), clock: clock) {
            seen.append((state, start.duration(to: clock.now)))
            if isLanding(state) { break }
        }
        #expect(seen.count == 13)
        guard case .loading(let running) = seen[0].0 else { return #expect(Bool(false), "\(seen[0])") }
        #expect(running.draw == 1 && running.entries == 3 && running.commitment.count == 64)
        #expect(seen[0].1 == .zero)
        let expected = FrozenList((10...12).map { LotteryEntry(userID: $0) }).rounds(seed: seed)
        for (index, entry) in expected.enumerated() {
            #expect(seen[index + 1].0 == .round(index + 1, userID: entry.userID, name: "User \(entry.userID)", running))
            #expect(seen[index + 1].1 == .milliseconds(1500 + 600 * index))
        }
        guard case .winner(let result) = seen[11].0 else { return #expect(Bool(false), "\(seen[11])") }
        #expect(result.userID == expected[9].userID && result.name == "User \(result.userID)" && result.isVerified)
        #expect(result.running == running && seen[11].1 == .milliseconds(7500))
        guard case .landing(let landing) = seen[12].0 else { return }
        #expect(landing.last == result && landing.draw == 2 && landing.canStart && landing.wait == 0)
        #expect(seen[12].1 == .milliseconds(37500))
    }

    @Test("a void entry in the tenth round wins nothing, and one in an earlier round changes nothing")
    func void() async throws {
        let rounds = FrozenList((10...12).map { LotteryEntry(userID: $0) }).rounds(seed: seed).map(\.userID)
        let last = try #require(rounds.last)
        // Which entries are void is part of the list, so it changes the rounds: look for lists with either end.
        var ends: Set<Bool> = []
        for void in 10...12 {
            let draws = draws(FakeParticipants(count: 3, void: [void]))
            _ = try await draws.start(1)
            let states = await states(draws) { if case .landing = $0 { true } else { false } }
            let list = try #require(try await draws.draw(1)?.list)
            let shown = try #require(FrozenList(text: list)).rounds(seed: seed).last
            switch states.dropLast().last {
            case .winner(let result): #expect(result.userID == shown?.userID && result.userID != void)
            case .noWinner(let result): #expect(result.userID == void && !result.hasWon && result.isVerified)
            default: #expect(Bool(false), "\(states)")
            }
            ends.insert(shown?.isVoid == true)
        }
        #expect(ends == [true, false], "\(last)")
    }

    @Test("the list is frozen: what changes during a draw is for the next one")
    func frozen() async throws {
        let participants = FakeParticipants(count: 3)
        let draws = draws(participants)
        _ = try await draws.start(1)
        participants.set(entries: [])
        let states = await states(draws, until: isLanding)
        #expect(states.count == 13)
        guard case .landing(let landing) = states.last else { return #expect(Bool(false)) }
        #expect(landing.entries == 0 && !landing.canStart && landing.last?.running.entries == 3)
        #expect(try await draws.start(2) == .refused(.empty))
    }

    @Test("a failure is shown once, and what comes when the records are back")
    func failure() async throws {
        let participants = FakeParticipants(count: 3)
        participants.set(isGone: true)
        var iterator = LotteryPresenter(LotteryWatch(draws(participants)), clock: clock).makeAsyncIterator()
        guard case .failure? = await iterator.next() else { return #expect(Bool(false)) }
        let before = clock.now
        participants.set(isGone: false)
        guard case .landing? = await iterator.next() else { return #expect(Bool(false)) }
        #expect(before.duration(to: clock.now) == .seconds(1))
    }

    @Test("what is told otherwise at the end than in the beginning, or does not follow from the seed, is not verified")
    func forgeries() async throws {
        let other = [UInt8](repeating: 7, count: 32)
        let forgeries: [@Sendable (LotteryDraw) -> LotteryDraw] = [
            // Another seed, with a commitment that fits it: only who noted the first one can tell.
            { draw in
                var draw = draw
                guard draw.progress?.end != nil else { return draw }
                draw.commitment = DrawFunction.digest(other)
                draw.progress?.end?.seed = other
                return draw
            },
            { draw in
                var draw = draw
                draw.progress?.end?.seed = other
                return draw
            },
            { draw in
                var draw = draw
                draw.progress?.end?.winner = nil
                return draw
            },
            { draw in
                var draw = draw
                if draw.progress?.end != nil { draw.progress?.rounds[0].userID += 1 }
                return draw
            },
            { draw in
                var draw = draw
                if draw.progress?.end != nil { draw.progress?.listDigest = other }
                return draw
            },
        ]
        for (index, forge) in forgeries.enumerated() {
            let draws = draws(FakeParticipants(count: 3))
            var iterator = LotteryPresenter(LotteryWatch(ForgedDraws(draws: draws, forge: forge)), clock: clock)
                .makeAsyncIterator()
            _ = await iterator.next()
            _ = try await draws.start(1)
            var result: LotteryViewState.Result?
            while result == nil, let state = await iterator.next() {
                switch state {
                case .winner(let end), .noWinner(let end): result = end
                default: break
                }
            }
            #expect(result?.isVerified == false, "forgery \(index)")
        }
        let draws = draws(FakeParticipants(count: 3))
        _ = try await draws.start(1)
        let states = await states(ForgedDraws(draws: draws, forgeList: { $0 + "13 0\n" }), until: isLanding)
        guard case .landing(let landing) = states.last else { return #expect(Bool(false)) }
        #expect(landing.last?.isVerified == false)
    }

    @Test("the action starts the draw that is shown, once, and says why one has not started")
    func start() async throws {
        let participants = FakeParticipants(count: 3)
        let presenter = LotteryPresenter(LotteryWatch(draws(participants)), clock: clock)
        var iterator = presenter.makeAsyncIterator()
        guard case .landing(let landing)? = await iterator.next() else { return #expect(Bool(false)) }
        #expect(landing.canStart)
        #expect(await presenter.start(landing) == nil)
        #expect(await presenter.start(landing) == nil)
        guard case .loading(let running)? = await iterator.next() else { return #expect(Bool(false)) }
        #expect(running.draw == landing.draw && running.commitment == landing.commitment)
        var next = landing
        next.draw += 1
        #expect(await presenter.start(next) == "The next draw can start in 37 s.")
        next.draw += 1
        #expect(await presenter.start(next) == "There is no draw 3.")
        clock.advance(by: .seconds(60))
        next.draw = 2
        participants.set(isGone: true)
        #expect(
            await presenter.start(next) == "It is not known whether the draw has started. Start it again.")
        participants.set(isGone: false)
        participants.set(entries: [])
        #expect(await presenter.start(next) == "Nobody takes part.")
    }

    @Test("it ends with its task")
    func cancellation() async {
        let presenter = LotteryPresenter(LotteryWatch(draws(FakeParticipants(count: 1))), clock: ContinuousClock())
        let task = Task {
            var count = 0
            for await _ in presenter { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value <= 1)
    }
}
