/// A closure that waits for its time on a loop. Inside turns of the loop only.
public final class ScheduledTimer {
    /// When the closure is due, as ``EventLoop/now`` counts.
    public let deadline: Duration

    fileprivate(set) var index: Int?
    private unowned let loop: EventLoop
    private var body: (() -> Void)?

    init(deadline: Duration, loop: EventLoop, body: @escaping () -> Void) {
        self.deadline = deadline
        self.loop = loop
        self.body = body
    }

    /// Forgets the closure. Does nothing when it has run, was cancelled before or the loop has ended. O(log n) in the
    /// loop's timers.
    public func cancel() {
        guard body != nil else { return }
        body = nil
        loop.cancel(self)
    }

    /// Forgets the closure of a timer that is in no heap any more.
    func release() { body = nil }

    func fire() {
        let body = self.body
        self.body = nil
        body?()
    }
}

/// A binary heap of timers, the earliest first, in which each timer knows its place.
struct TimerHeap {
    private var timers: [ScheduledTimer] = []

    var earliest: Duration? { timers.first?.deadline }

    mutating func insert(_ timer: ScheduledTimer) {
        timer.index = timers.count
        timers.append(timer)
        siftUp(timers.count - 1)
    }

    mutating func remove(_ timer: ScheduledTimer) {
        guard let index = timer.index else { return }
        timer.index = nil
        let last = timers.removeLast()
        guard last !== timer else { return }
        place(last, at: index)
        siftUp(index)
        siftDown(last.index ?? index)
    }

    mutating func removeFirst(ifDueAt now: Duration) -> ScheduledTimer? {
        guard let first = timers.first, first.deadline <= now else { return nil }
        remove(first)
        return first
    }

    /// Takes all timers out.
    mutating func removeAll() -> [ScheduledTimer] {
        defer { timers = [] }
        return timers
    }

    private mutating func place(_ timer: ScheduledTimer, at index: Int) {
        timers[index] = timer
        timer.index = index
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        let timer = timers[index]
        while index > 0 {
            let parent = (index - 1) / 2
            guard timer.deadline < timers[parent].deadline else { break }
            place(timers[parent], at: index)
            index = parent
        }
        place(timer, at: index)
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        let timer = timers[index]
        while true {
            var child = 2 * index + 1
            guard child < timers.count else { break }
            if child + 1 < timers.count, timers[child + 1].deadline < timers[child].deadline { child += 1 }
            guard timers[child].deadline < timer.deadline else { break }
            place(timers[child], at: index)
            index = child
        }
        place(timer, at: index)
    }
}
