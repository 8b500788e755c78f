import CEventLoop
import Dispatch
import EventLoop
import Logging
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes the log on a thread of its own. Logging only puts a line into a bounded buffer. If the reader is slow or
/// gone, lines are dropped and counted, but no caller waits.
final class LogWriter: Sendable {
    private struct State: Sendable {
        var lines: [LogLine] = []
        /// Lines dropped since the last report.
        var dropped = 0
        var isClosing = false
    }

    private let state = Locked(State())
    private let droppedInAll = Atomic(0)
    private let wake = DispatchSemaphore(value: 0)
    private let closed = DispatchSemaphore(value: 0)
    private let descriptor: Int32
    private let isJSON: Bool

    /// Lines that may wait.
    private static let capacity = 8192

    /// Starts the thread.
    ///
    /// - Parameter descriptor: Where to write; the caller still owns it.
    init(to descriptor: Int32, isJSON: Bool) {
        self.descriptor = descriptor
        self.isJSON = isJSON
        let failure = c_start_thread(
            { writer in if let writer { Unmanaged<LogWriter>.fromOpaque(writer).takeRetainedValue().run() } },
            Unmanaged.passRetained(self).toOpaque())
        precondition(failure == 0, "no thread for the log: errno \(failure)")
    }

    /// How many lines were dropped.
    var droppedCount: Int { droppedInAll.load(ordering: .relaxed) }

    /// Queues a line to be written, or drops it if too many wait. It may be called on any thread, and does not wait.
    func write(_ line: LogLine) {
        let isFirst: Bool = state.withLock { state in
            guard state.lines.count < Self.capacity else {
                state.dropped += 1
                droppedInAll.add(1, ordering: .relaxed)
                return false
            }
            state.lines.append(line)
            return state.lines.count == 1
        }
        if isFirst { wake.signal() }
    }

    /// Writes the waiting lines and ends the thread. Gives up after a second: nobody may be reading. A second call does nothing.
    func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosing = true }
            return !state.isClosing
        }
        guard isFirst else { return }
        wake.signal()
        _ = closed.wait(timeout: .now() + .seconds(1))
    }

    private func run() {
        var limiter = RepeatLimiter()
        while true {
            if let due = limiter.nextDue {
                _ = wake.wait(timeout: .now() + .nanoseconds(max(0, due - Stopwatch.now)))
            } else {
                wake.wait()
            }
            let (lines, dropped, isClosing) = state.withLock { state in
                defer {
                    state.lines = []
                    state.dropped = 0
                }
                return (state.lines, state.dropped, state.isClosing)
            }
            let now = Stopwatch.now
            var output: [UInt8] = []
            for line in limiter.due(at: now) { append(line, to: &output) }
            for line in lines where limiter.lets(line, through: now) { append(line, to: &output) }
            if isClosing { for line in limiter.due(at: .max / 2) { append(line, to: &output) } }
            if dropped > 0 {
                append(
                    LogLine(
                        time: .now, level: .warning,
                        message: "lines of the log were dropped, because their reader is too slow",
                        metadata: ["dropped": .stringConvertible(dropped)]), to: &output)
            }
            send(output)
            guard !isClosing else { break }
        }
        closed.signal()
    }

    private func append(_ line: LogLine, to output: inout [UInt8]) { output += isJSON ? line.json() : line.text() }

    /// Waits until everything is written, or the reader is gone. A reader that is gone does not end the process: the
    /// thread takes no signals.
    private func send(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                #if canImport(Glibc)
                    let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
                #elseif canImport(Musl)
                    let count = Musl.write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
                #else
                    let count = Darwin.write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
                #endif
                if count >= 0 {
                    start += count
                } else if errno == EAGAIN {
                    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = systemPoll(&poll)
                } else if errno != EINTR {
                    return
                }
            }
        }
    }

    private func systemPoll(_ descriptor: inout pollfd) -> Int32 { poll(&descriptor, 1, -1) }
}
