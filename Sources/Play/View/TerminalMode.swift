import PlayPresenter

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The terminal's settings while the game has it, and giving them back however the program ends.
///
/// One per process, as there is one terminal. What a signal handler touches is made before it is installed and holds
/// no Swift object: `tcsetattr` and `write` may be called from a handler (signal-safety(7)), little else.
package enum TerminalMode {
    /// What the handlers use.
    private struct Shared {
        /// The settings as they were found.
        var original = termios()
        /// Whether they are to be given back.
        var isActive = false
        /// Whether the program is crashing: other threads may still run for a while.
        var isCrashing = false
        /// `ScreenWriter.leave` as bytes.
        var leave: UnsafeMutableRawBufferPointer
        /// Where a signal's number goes.
        var signals: Int32 = -1
    }

    // Invariant: written on the view's queue only, before the handlers that read it are installed or while `isActive`
    // says that there is nothing to give back. Never freed.
    nonisolated(unsafe) private static let shared: UnsafeMutablePointer<Shared> = {
        let leave = UnsafeMutableRawBufferPointer.allocate(byteCount: ScreenWriter.leave.utf8.count, alignment: 1)
        leave.copyBytes(from: ScreenWriter.leave.utf8)
        let shared = UnsafeMutablePointer<Shared>.allocate(capacity: 1)
        shared.initialize(to: Shared(leave: leave))
        return shared
    }()

    /// Signals by which a player or the system ends a program.
    static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    /// Signals by which a program ends itself: a trap of Swift's is SIGILL or SIGTRAP.
    private static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
    /// What to do at a crash once the terminal is back, by signal: what the process did before. Swift's runtime
    /// prints a backtrace, for instance.
    nonisolated(unsafe) private static let afterCrash = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

    /// Sends the numbers of signals into a pipe, and gives the terminal back at a crash or exit.
    ///
    /// - Parameter pipe: Does not block. Gets one byte for each SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP and
    ///   SIGCONT.
    static func installHandlers(writingTo pipe: Int32) {
        shared.pointee.signals = pipe
        for number in endings + [SIGWINCH, SIGTSTP, SIGCONT] { report(number) }
        for number in crashes { restoreAtCrash(number) }
        atexit { TerminalMode.giveBack() }
    }

    /// Lets signals that end the program do so.
    static func removeHandlers() {
        for number in endings { signal(number, SIG_DFL) }
    }

    /// Takes the terminal: keys come one by one and unseen. The settings that hold now are those to give back.
    ///
    /// - Returns: Whether that could be done.
    static func take() -> Bool {
        guard !isCrashing else { return false }
        if !shared.pointee.isActive {
            guard tcgetattr(STDIN_FILENO, &shared.pointee.original) == 0 else { return false }
        }
        var raw = shared.pointee.original
        cfmakeraw(&raw)
        shared.pointee.isActive = true
        return set(&raw)
    }

    /// Gives the terminal back, and the screen with it. A second call does nothing.
    static func giveBack() {
        guard shared.pointee.isActive else { return }
        shared.pointee.isActive = false
        let leave = shared.pointee.leave
        _ = write(STDOUT_FILENO, leave.baseAddress, leave.count)
        // In the background the kernel would stop us for it.
        let before = signal(SIGTTOU, SIG_IGN)
        _ = set(&shared.pointee.original)
        // What was typed for the game is not for the shell.
        tcflush(STDIN_FILENO, TCIFLUSH)
        signal(SIGTTOU, before)
    }

    /// Whether the terminal was given back for good, because the program is crashing.
    static var isCrashing: Bool { shared.pointee.isCrashing }

    /// Whether the terminal is this process's to use, as the shell decides.
    static var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

    /// Stops this process and those that were started with it, as Ctrl-Z does.
    static func suspend() {
        signal(SIGTSTP, SIG_DFL)
        kill(0, SIGTSTP)
    }

    /// After a suspension.
    static func resume() { report(SIGTSTP) }

    /// Ends the process as an unhandled signal does, so that its parent sees which signal it was.
    package static func end(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        kill(getpid(), number)
        // On its way to this thread, or already dealt with by another.
        while true { pause() }
    }

    private static func set(_ settings: inout termios) -> Bool {
        // Not TCSADRAIN: a terminal that takes no more output would keep us here.
        while tcsetattr(STDIN_FILENO, TCSANOW, &settings) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    private static func report(_ number: Int32) {
        install(number) { number, _, _ in
            let before = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(TerminalMode.shared.pointee.signals, &byte, 1)
            errno = before
        }
    }

    private static func restoreAtCrash(_ number: Int32) {
        let before = install(number) { number, info, context in
            TerminalMode.shared.pointee.isCrashing = true
            TerminalMode.giveBack()
            let before = TerminalMode.afterCrash[Int(number)]
            if Int(before.sa_flags) & Int(SA_SIGINFO) != 0 { before.act?(number, info, context) }
            signal(number, SIG_DFL)
            // Delivered when this handler returns.
            raise(number)
        }
        (afterCrash + Int(number)).initialize(to: before)
    }

    @discardableResult
    private static func install(_ number: Int32, _ handler: @escaping SignalHandler) -> sigaction {
        var action = sigaction()
        var before = sigaction()
        action.act = handler
        action.sa_flags = Int32(SA_RESTART) | Int32(SA_SIGINFO)
        sigaction(number, &action, &before)
        return before
    }
}

private typealias SignalHandler =
    @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

extension sigaction {
    /// The handler, with `SA_SIGINFO`: systems name it differently.
    fileprivate var act: SignalHandler? {
        get {
            #if os(Linux)
                __sigaction_handler.sa_sigaction
            #else
                __sigaction_u.__sa_sigaction
            #endif
        }
        set {
            #if os(Linux)
                __sigaction_handler.sa_sigaction = newValue
            #else
                __sigaction_u.__sa_sigaction = newValue
            #endif
        }
    }
}
