import Dispatch

/// What wakes the tasks of a queue that runs. Touched by the queue alone.
struct QueueWorker {
    /// The streams that its tasks wait on; each has one reader, and ends when the reader's task is cancelled.
    struct Streams {
        let attempts: [AsyncStream<RequestID>]
        let deliveries: AsyncStream<Void>
        let refreshes: AsyncStream<Void>
        let compactions: AsyncStream<Void>
        let ticks: AsyncStream<Void>
    }

    let deliveries: AsyncStream<Void>.Continuation
    let refreshes: AsyncStream<Void>.Continuation
    let compactions: AsyncStream<Void>.Continuation
    let timer: QueueTimer
    private let attempts: [AsyncStream<RequestID>.Continuation]
    private var idle: [Int]
    /// Requests that may start, while the last one's task is still at its end.
    private var ready: [RequestID] = []

    /// - Parameter count: How many attempts can be under way at once.
    static func make(count: Int) -> (QueueWorker, Streams) {
        let attempts = (0..<count).map { _ in AsyncStream.makeStream(of: RequestID.self) }
        let signals = (0..<4).map { _ in
            AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        }
        let worker = QueueWorker(
            deliveries: signals[0].continuation, refreshes: signals[1].continuation,
            compactions: signals[2].continuation, timer: QueueTimer(signals[3].continuation),
            attempts: attempts.map(\.continuation), idle: Array(0..<count))
        let streams = Streams(
            attempts: attempts.map(\.stream), deliveries: signals[0].stream, refreshes: signals[1].stream,
            compactions: signals[2].stream, ticks: signals[3].stream)
        return (worker, streams)
    }

    /// Has a request attempted.
    mutating func start(_ id: RequestID) {
        if let index = idle.popLast() { attempts[index].yield(id) } else { ready.append(id) }
    }

    /// One of the tasks that make attempts has nothing to do.
    mutating func becameIdle(_ index: Int) {
        if ready.isEmpty { idle.append(index) } else { attempts[index].yield(ready.removeFirst()) }
    }

    /// Ends the tasks, each when it is at its end.
    func finish() {
        for attempt in attempts { attempt.finish() }
        deliveries.finish()
        refreshes.finish()
        compactions.finish()
        timer.finish()
    }
}

/// The one timer of a queue.
///
/// The system's timers stand still while the machine sleeps, and those by the time of day go wrong when that is set. So
/// the queue is woken every few seconds while it waits, and looks at a clock that goes on in sleep.
final class QueueTimer {
    /// How late the queue may notice that its time has come while the machine slept.
    static let longestStep = Duration.seconds(5)

    private let source: any DispatchSourceTimer
    private let continuation: AsyncStream<Void>.Continuation
    private var deadline: Duration?

    init(_ continuation: AsyncStream<Void>.Continuation) {
        self.continuation = continuation
        source = DispatchSource.makeTimerSource()
        source.setEventHandler { continuation.yield() }
        source.schedule(deadline: .distantFuture)
        source.activate()
    }

    deinit { source.cancel() }

    /// Says when to wake the queue; nil: not at all.
    func wake(at deadline: Duration?, now: Duration) {
        guard deadline != self.deadline else { return }
        self.deadline = deadline
        guard let deadline else { return source.schedule(deadline: .distantFuture) }
        let step = Self.step(until: deadline, now: now)
        source.schedule(
            deadline: .now() + .nanoseconds(Int((step / .nanoseconds(1)).rounded(.up))),
            leeway: step < Self.longestStep ? .milliseconds(1) : .seconds(1))
    }

    /// How long to sleep before the next look.
    static func step(until deadline: Duration, now: Duration) -> Duration {
        min(max(deadline - now, .zero), longestStep)
    }

    /// The timer has rung.
    func rang() { deadline = nil }

    func finish() {
        source.cancel()
        continuation.finish()
    }
}
