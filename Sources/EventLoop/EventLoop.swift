import CEventLoop
import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One serial Dispatch queue that is also a Swift executor, with sockets and timers on it.
///
/// The loop does its work in *turns* on the queue. A turn takes what the kernel reports ready, calls the handlers, runs
/// the jobs (resumed tasks) they made runnable, fires the timers that are due and lets the ``TurnEndHook``s send what was gathered. A busy
/// loop stays in its turn and waits for the kernel there, up to ``lingerMilliseconds``: going back through Dispatch
/// for every wake-up costs two context switches. An idle loop leaves its turn and holds no thread.
///
/// State that belongs to a loop needs no lock: turns never overlap. ``Confined`` checks at run time that only turns
/// touch it. Tasks started with `Task(executorPreference: loop)` run all their nonisolated code in turns of the loop.
///
/// A loop ends with its last reference or with ``shutdown()``, whichever is first. Waiting work keeps a reference; timers
/// and registrations do not: when the loop ends, they are released and no longer called.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    // Invariant: `turnState` is touched only inside turns, and turns run on the serial `queue`. `inbox` has its lock;
    // everything else is constant.

    /// The queue's name, as debuggers and crash reports show it.
    public let label: String

    let queue: DispatchQueue
    let poller: any Poller
    private let inbox = Locked(Inbox())
    private var turnState = TurnState()

    /// How long a turn waits in the kernel for more work before it gives its thread back.
    static let lingerMilliseconds: Int32 = 2

    /// How many rounds of jobs run before the turn polls the kernel again, so that jobs that keep making jobs do
    /// not starve the sockets.
    private static let jobRoundsPerPoll = 64

    /// Makes a loop that is ready for work.
    ///
    /// - Parameters:
    ///   - label: The queue's name.
    ///   - mechanism: How the loop learns of ready sockets; the best of the platform by default.
    /// - Throws: ``SystemError`` when the process is out of descriptors; nothing is left open.
    public init(label: String, mechanism: PollingMechanism = .platformDefault) throws(SystemError) {
        self.label = label
        queue = DispatchQueue(label: label)
        poller = try mechanism.makePoller(queue: queue)
        poller.activate { [weak self] in self?.turn() }
    }

    deinit {
        for timer in turnState.timers.removeAll() { timer.release() }
        // Invariant: on the queue, since a source's handler may run there just now, as long as it finds the loop gone.
        nonisolated(unsafe) let poller = poller
        queue.async { poller.close() }
    }

    /// How many loops this machine can run at the same time: the processors online that this process may use
    /// (`sched_getaffinity`), at least 1.
    public static var coreCount: Int { max(1, Int(c_processor_count())) }

    // MARK: Where am I

    /// The loop whose turn runs on this thread, if any.
    public static var current: EventLoop? {
        guard let pointer = c_event_loop_get_current() else { return nil }
        return Unmanaged<EventLoop>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Whether the caller runs inside a turn of this loop.
    @inline(__always)
    public var isCurrent: Bool {
        c_event_loop_get_current() == UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    }

    /// Traps unless the caller runs inside a turn of this loop.
    @inline(__always)
    public func preconditionIsCurrent() {
        precondition(isCurrent, "called from outside the event loop")
    }

    /// When this turn last polled the kernel, counted from one moment that all loops of the process share. It does not stop
    /// while the system sleeps. Read inside turns only.
    public var now: Duration {
        preconditionIsCurrent()
        return turnState.now
    }

    // MARK: Work

    /// Runs work inside a turn, after the work that already waits.
    ///
    /// Callable from any thread. Work given after ``shutdown()`` still runs on the queue.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        add(.closure(work))
    }

    /// Runs an asynchronous function as a task of this loop and waits for it.
    ///
    /// - Returns: What the function returns.
    /// - Throws: What the function throws. Cancellation of the caller is passed on to it.
    public func run<Success: Sendable>(
        _ body: @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        let task = Task(executorPreference: self, operation: body)
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Takes a resumed job. Called by the Swift runtime, from any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    /// Lets the runtime verify isolation, as in `assumeIsolated`.
    public func checkIsolated() {
        preconditionIsCurrent()
    }

    /// Calls the hook at the end of each turn, until the loop is shut down. Inside turns only.
    public func addTurnEndHook(_ hook: any TurnEndHook) {
        preconditionIsCurrent()
        turnState.hooks.append(hook)
    }

    /// Removes a hook that was added, at once. Inside turns only.
    public func removeTurnEndHook(_ hook: any TurnEndHook) {
        preconditionIsCurrent()
        turnState.hooks.removeAll { $0 === hook }
    }

    // MARK: Sockets and timers

    /// Watches a descriptor, level-triggered, until the registration is cancelled. Inside turns only.
    ///
    /// - Parameters:
    ///   - descriptor: An open, non-blocking descriptor. Cancel the registration before closing it.
    ///   - interest: What to report besides errors and hang-ups, which are always reported.
    ///   - handler: Called inside turns; kept until the registration is cancelled.
    /// - Throws: ``SystemError`` when the kernel refuses the descriptor or the loop was shut down; nothing is registered then.
    public func register(
        _ descriptor: Int32,
        interest: Interest,
        handler: any EventHandler
    ) throws(SystemError) -> Registration {
        preconditionIsCurrent()
        return try poller.register(descriptor, interest: interest, handler: handler)
    }

    /// Calls a closure once, inside a turn, when the time has come. Inside turns only.
    ///
    /// - Parameters:
    ///   - delay: Counted from ``now``; zero or less fires in this turn.
    ///   - body: Released when it has run or the timer is cancelled.
    @discardableResult
    public func schedule(after delay: Duration, _ body: @escaping () -> Void) -> ScheduledTimer {
        preconditionIsCurrent()
        let timer = ScheduledTimer(deadline: turnState.now + delay, loop: self, body: body)
        turnState.timers.insert(timer)
        return timer
    }

    func cancel(_ timer: ScheduledTimer) {
        preconditionIsCurrent()
        turnState.timers.remove(timer)
    }

    // MARK: Shutdown

    /// Ends the loop: releases its hooks, registrations and timers, which are not called any more. Its own descriptors
    /// are closed when the last reference to it is gone.
    ///
    /// Callable from any thread, more than once. Jobs that are enqueued later still run, one Dispatch block each, so no
    /// task is left hanging.
    public func shutdown() {
        execute { [self] in
            guard !turnState.isShutDown else { return }
            turnState.isShutDown = true
            turnState.hooks = []
            for timer in turnState.timers.removeAll() { timer.release() }
            inbox.withLock { $0.isClosed = true }
            poller.close()
        }
    }
}

// MARK: - The turn

extension EventLoop {
    private enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    private struct Inbox {
        var work: [Work] = []
        /// A reference to the loop from when the poller is woken until a turn takes the waiting work, so that work is
        /// not lost with the last other reference.
        var signalled: EventLoop?
        var isClosed = false
    }

    private struct TurnState {
        var now = Duration.zero
        var work: [Work] = []
        /// Storage that the next round of jobs reuses.
        var spare: [Work] = []
        var timers = TimerHeap()
        var armedDeadline: Duration?
        var hooks: [any TurnEndHook] = []
        var isShutDown = false
    }

    private func add(_ work: Work) {
        if isCurrent {
            turnState.work.append(work)
            return
        }
        enum Next { case nothing, wake, dispatch }
        let next: Next = inbox.withLock { inbox in
            if inbox.isClosed { return .dispatch }
            inbox.work.append(work)
            guard inbox.signalled == nil else { return .nothing }
            inbox.signalled = self
            return .wake
        }
        switch next {
        case .nothing: break
        case .wake: poller.wake()
        case .dispatch:
            queue.async { [self] in
                asCurrent {
                    turnState.work.append(work)
                    drain()
                }
            }
        }
    }

    private func asCurrent(_ body: () -> Void) {
        c_event_loop_set_current(UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
        defer { c_event_loop_set_current(nil) }
        body()
    }

    private func turn() {
        asCurrent {
            var timeout: Int32 = 0
            while !turnState.isShutDown {
                let count = poller.poll(timeoutMilliseconds: timeout)
                turnState.now = LoopClock.elapsed
                poller.dispatchEvents()
                takeInbox()
                fireTimers()
                runWork()
                for hook in turnState.hooks { hook.turnEnded() }
                armTimer()
                if !turnState.work.isEmpty {
                    timeout = 0
                } else if !poller.canWait || (count == 0 && timeout > 0) {
                    break
                } else {
                    timeout = Self.lingerMilliseconds
                }
            }
            if turnState.isShutDown { drain() }
        }
    }

    private func drain() {
        takeInbox()
        while !turnState.work.isEmpty { runWork() }
    }

    private func takeInbox() {
        inbox.withLock { inbox in
            guard inbox.signalled != nil else { return }
            inbox.signalled = nil
            if turnState.work.isEmpty {
                swap(&turnState.work, &inbox.work)
            } else {
                turnState.work.append(contentsOf: inbox.work)
                inbox.work.removeAll(keepingCapacity: true)
            }
        }
    }

    /// Runs the runnable jobs, and the jobs that they make, for a bounded number of rounds.
    private func runWork() {
        var rounds = 0
        while !turnState.work.isEmpty, rounds < Self.jobRoundsPerPoll {
            rounds += 1
            // Jobs append to `work` while they run, so the array is taken out first; the two swap their storage.
            var batch: [Work] = []
            swap(&batch, &turnState.spare)
            swap(&batch, &turnState.work)
            for work in batch {
                switch work {
                case .job(let job):
                    // Not as isolated to the loop: nonisolated code would then be enqueued once more, 0.5 µs for each
                    // continuation that is resumed.
                    job.runSynchronously(on: asUnownedTaskExecutor())
                case .closure(let closure): closure()
                }
            }
            batch.removeAll(keepingCapacity: true)
            swap(&batch, &turnState.spare)
        }
    }

    private func fireTimers() {
        if poller.takeTimerExpiry() { turnState.armedDeadline = nil }
        while let timer = turnState.timers.removeFirst(ifDueAt: turnState.now) { timer.fire() }
    }

    /// Arms the kernel's timer for the earliest deadline. Deadlines that only move later cost no system call: the
    /// timer that is armed already fires early, once, and is armed anew.
    private func armTimer() {
        guard let next = turnState.timers.earliest else { return }
        if let armed = turnState.armedDeadline, armed <= next { return }
        turnState.armedDeadline = next
        poller.armTimer(after: next - turnState.now)
    }
}

/// Something that acts at the end of each turn of a loop, when everything has been gathered.
public protocol TurnEndHook: AnyObject {
    /// Called inside the turn. Work it enqueues runs in the same turn.
    func turnEnded()
}
