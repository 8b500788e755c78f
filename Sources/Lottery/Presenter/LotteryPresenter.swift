/// Makes view states of what a repository tells: one after the other, each once, for as long as somebody asks.
///
/// ```swift
/// for await state in LotteryPresenter(repository: draws, clock: .continuous) { show(state) }
/// ```
///
/// Whoever iterates drives it: it works within `next()` alone, so a slow view gets the newest state and never a queue of old
/// ones. It looks when the draw under way has something new to tell, and otherwise now and then. It ends with its task.
public struct LotteryPresenter<Time: Clock>: AsyncSequence, Sendable where Time.Duration == Duration {
    /// What a view shows.
    public typealias Element = LotteryViewState

    private let repository: any DrawRepository
    private let clock: Time
    private let interval: Duration

    /// Presents the draws of a repository.
    ///
    /// - Parameters:
    ///   - clock: What waits.
    ///   - interval: How long to wait between looks while no draw is under way, and after a failure.
    public init(repository: any DrawRepository, clock: Time, interval: Duration = .seconds(1)) {
        self.repository = repository
        self.clock = clock
        self.interval = interval
    }

    /// Begins with how things stand.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(watch: LotteryWatch(repository: repository, interval: interval), clock: clock)
    }

    /// One view's states.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var watch: LotteryWatch
        private let clock: Time
        private var due: Time.Instant?
        private var shown: LotteryViewState?

        init(watch: LotteryWatch, clock: Time) {
            self.watch = watch
            self.clock = clock
        }

        /// Waits for the next state that differs; nil when the task is cancelled.
        public mutating func next() async -> LotteryViewState? {
            while !Task.isCancelled {
                if let due, (try? await clock.sleep(until: due, tolerance: .zero)) == nil { return nil }
                let (state, wait) = await watch.look()
                due = clock.now.advanced(by: wait)
                guard state != shown else { continue }
                shown = state
                return state
            }
            return nil
        }
    }
}
