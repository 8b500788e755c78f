import Dispatch
package import PlayPresenter

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The game's window on a terminal: frames in, keys and sizes out. One per process.
///
/// All it does is done on one queue, so keys, suspension, sizes and drawing never meet; `show` returns at once, however
/// slow the terminal is.
package final class TerminalView: @unchecked Sendable {
    /// What comes from the terminal.
    package enum Event: Equatable, Sendable {
        case key(Key)
        /// The window has this size now.
        case resized(Size)
        /// The terminal is given back and the program is to end: because of a signal, or because the terminal is gone (nil).
        case ended(by: Int32?)
    }

    /// Why there can be no window.
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String
    }

    // Invariant: everything below is touched on `queue` only.
    private let queue = DispatchQueue(label: "terminal")
    private let report: @Sendable (Event) -> Void
    private var writer: ScreenWriter
    private var parser = KeyParser()
    private var frame = Frame()
    private var state = State.closed
    private var sources: [any DispatchSourceRead] = []
    /// Counts what was read, so that a timer knows whether its Escape still waits.
    private var reads = 0

    private enum State {
        case closed
        case open
        case suspended
    }

    /// How long the rest of an escape sequence may take to arrive, also over a slow line.
    private static let escapeDelay = DispatchTimeInterval.milliseconds(50)
    /// When a suspension has not happened by now, it will not: no shell is there to go on.
    private static let suspensionDelay = DispatchTimeInterval.milliseconds(500)

    /// A window that is not open yet.
    ///
    /// - Parameter report: Called in order, on the queue: is to return at once.
    package init(hasColours: Bool, report: @escaping @Sendable (Event) -> Void) {
        writer = ScreenWriter(hasColours: hasColours)
        self.report = report
    }

    /// Whether there can be a window at all.
    ///
    /// - Parameter term: The variable `TERM`.
    /// - Throws: `Unusable` when not.
    package static func check(term: String?) throws(Unusable) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw Unusable(description: "the game needs a terminal: standard input and output must be one")
        }
        guard let term, !["", "dumb", "unknown"].contains(term) else {
            throw Unusable(description: "this terminal (TERM=\(term ?? "")) cannot move its cursor: use another")
        }
    }

    /// Takes the terminal; the first event is its size.
    ///
    /// - Parameter term: The variable `TERM`.
    /// - Throws: `Unusable`, and nothing is changed.
    package func open(term: String?) async throws(Unusable) {
        try Self.check(term: term)
        let isOpen = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.takeOver()) }
        }
        guard isOpen else { throw Unusable(description: "the terminal's settings cannot be changed") }
    }

    /// Shows a frame, soon; one that comes before it is shown replaces it.
    package func show(_ frame: Frame) {
        queue.async {
            self.frame = frame
            self.draw()
        }
    }

    /// Gives the terminal back. Nothing is reported any more.
    package func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.giveBack()
                continuation.resume()
            }
        }
    }
}

// MARK: - On the queue

extension TerminalView {
    private func takeOver() -> Bool {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        let signals = ends[0]
        TerminalMode.installHandlers(writingTo: ends[1])
        watch(signals) { $0.takeSignals(from: signals) }
        watch(STDIN_FILENO) { $0.takeKeys() }
        takeTerminal()
        return state == .open
    }

    private func watch(_ descriptor: Int32, _ body: @escaping (TerminalView) -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in
            if let self { body(self) }
        }
        source.activate()
        sources.append(source)
    }

    private func takeTerminal() {
        guard TerminalMode.take() else { return }
        state = .open
        send(ScreenWriter.enter)
        writer.forget()
        report(.resized(size))
        draw()
    }

    private func giveBack() {
        for source in sources { source.cancel() }
        sources = []
        state = .closed
        TerminalMode.giveBack()
        // What is left to do is on the disk, so a second signal may end the program at once.
        TerminalMode.removeHandlers()
    }

    private func end(by signal: Int32?) {
        giveBack()
        report(.ended(by: signal))
    }

    private func takeSignals(from pipe: Int32) {
        var numbers = [UInt8](repeating: 0, count: 64)
        let count = read(pipe, &numbers, numbers.count)
        guard count > 0 else { return }
        let came = Set(numbers[..<count].map(Int32.init))
        // A process that was stopped and is ended gets SIGCONT too: it does not take the terminal once more.
        if let ending = TerminalMode.endings.first(where: came.contains) { return end(by: ending) }
        if came.contains(SIGTSTP) { return suspend() }
        if came.contains(SIGCONT) { resume() }
        if came.contains(SIGWINCH), state == .open {
            writer.forget()
            report(.resized(size))
        }
    }

    private func takeKeys() {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else {
            if count == 0 || (errno != EINTR && errno != EAGAIN) { end(by: nil) }
            return
        }
        reads += 1
        for key in parser.parse(bytes[..<count]) { take(key) }
        guard parser.isUndecided, state == .open else { return }
        let seen = reads
        queue.asyncAfter(deadline: .now() + Self.escapeDelay) { [weak self] in
            guard let self, reads == seen else { return }
            for key in parser.flush() { take(key) }
        }
    }

    private func take(_ key: Key) {
        switch key {
        case _ where state != .open:
            break
        case .control("z"):
            suspend()
        case .control("l"):
            writer.forget()
            draw()
        default:
            report(.key(key))
        }
    }

    private func suspend() {
        guard state == .open else { return }
        TerminalMode.giveBack()
        stop()
    }

    private func stop() {
        state = .suspended
        TerminalMode.suspend()
        // The process runs again: either it got a SIGCONT, which is on its way through the pipe, or it was never
        // stopped, because there is no shell to resume it.
        queue.asyncAfter(deadline: .now() + Self.suspensionDelay) { [weak self] in
            if let self, state == .suspended { resume() }
        }
    }

    private func resume() {
        guard state != .closed else { return }
        TerminalMode.resume()
        // A game in the background can only stop again. Not at once, since a signal that ends it may follow the one
        // that woke it.
        TerminalMode.isInForeground ? takeTerminal() : stop()
    }

    private func draw() {
        guard state == .open else { return }
        send(writer.show(frame))
    }

    private func send(_ text: String) {
        guard !TerminalMode.isCrashing else { return }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                // The terminal is gone; reading says so too.
                return
            }
        }
    }

    private var size: Size {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
