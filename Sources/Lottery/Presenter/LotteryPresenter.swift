import LotteryEntities
public import LotteryUseCase

/// Turns the state of the use case into view states: one after the other, each once, while somebody iterates.
///
/// ```swift
/// let presenter = LotteryPresenter(LotteryWatch(draws), clock: .continuous)
/// for await state in presenter { show(state) }
/// ```
///
/// The iteration drives it: it works only within `next()`, so a slow view gets the newest state and never a queue of old
/// ones. It reads the state when the running draw has something new, and otherwise now and then. It ends with its task.
public struct LotteryPresenter<Time: Clock>: AsyncSequence, Sendable where Time.Duration == Duration {
    /// What a view shows.
    public typealias Element = LotteryViewState

    private let watch: LotteryWatch
    private let clock: Time

    /// A presenter of a watch. Each iteration has its own memory.
    ///
    /// - Parameter clock: What waits.
    public init(_ watch: LotteryWatch, clock: Time) {
        self.watch = watch
        self.clock = clock
    }

    /// The action of the button: starts the draw of the landing state that is shown. The states show its progress.
    ///
    /// - Returns: Why it has not started, in words; nil: it has started.
    public func start(_ landing: LotteryViewState.Landing) async -> String? {
        do {
            switch try await watch.start(landing.draw) {
            case .started: return nil
            case .refused(.unknownDraw): return "There is no draw \(landing.draw)."
            case .refused(.empty): return "Nobody takes part."
            case .refused(.pause(let seconds)): return "The next draw can start in \(seconds) s."
            case .refused(.operatorOnly): return "There is a prize, so only the operator can start the draw."
            }
        } catch {
            return "It is not known whether the draw has started. Start it again."
        }
    }

    /// Begins with how things stand.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(watch: watch, clock: clock)
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
                let (standing, lasts) = await watch.look()
                due = clock.now.advanced(by: lasts)
                let state = LotteryViewState(standing)
                guard state != shown else { continue }
                shown = state
                return state
            }
            return nil
        }
    }
}
