import CSpawn
import EventLoop
import Foundation

/// A program that a test starts, watches and ends.
///
/// Not `Foundation.Process`: on Linux it waits until everything that the program left behind has ended too, and its
/// descriptors leak into programs that start at the same moment, which then hold its pipes open for ever.
public final class ChildProcess: Sendable {
    /// Where a standard stream leads.
    public enum Stream: Sendable {
        /// `/dev/null`.
        case null
        /// A file: read from its start, or written to at its end.
        case file(String)
        /// An open file of this process.
        case descriptor(Int32)
    }

    /// How a program ended.
    public enum End: Equatable, Sendable, CustomStringConvertible {
        /// By itself, with this status.
        case exit(Int32)
        /// By this signal.
        case signal(Int32)

        /// As a shell tells it: 128 and the signal's number where it was one.
        public var status: Int32 {
            switch self {
            case .exit(let status): status
            case .signal(let number): 128 + number
            }
        }

        /// `exit 0`, or `signal 15`.
        public var description: String {
            switch self {
            case .exit(let status): "exit \(status)"
            case .signal(let number): "signal \(number)"
            }
        }
    }

    private enum State {
        case running([CheckedContinuation<End, Never>])
        case ended(End)
    }

    /// The process. Another's, once it has ended.
    public let id: Int32
    private let state = Locked(State.running([]))

    /// Starts a program that inherits its standard streams and nothing else, with signals as a shell leaves them.
    ///
    /// - Parameters:
    ///   - command: The program, sought in the `PATH` where it is no path, and its arguments.
    ///   - environment: All variables; nil: the tests' own.
    ///   - folder: Where it works; nil: where the tests do.
    ///   - terminal: A terminal that becomes its own, and all three of its streams; it leads a session then.
    /// - Throws: `Command.Failure`; nothing was started.
    public init(
        _ command: [String], environment: [String: String]? = nil, folder: String? = nil, input: Stream = .null,
        output: Stream = .null, errors: Stream = .null, terminal: String? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let terminal {
            // The first terminal that the leader of a session opens becomes its own.
            posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
            for target: Int32 in [1, 2] { posix_spawn_file_actions_adddup2(&actions, 0, target) }
        } else {
            for (target, stream) in [(Int32(0), input), (1, output), (2, errors)] {
                let mode = target == 0 ? O_RDONLY : O_WRONLY | O_APPEND | O_CREAT
                switch stream {
                case .null: posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
                case .file(let path): posix_spawn_file_actions_addopen(&actions, target, path, mode, 0o600)
                case .descriptor(let source): posix_spawn_file_actions_adddup2(&actions, source, target)
                }
            }
        }
        if let folder { spawn_in_folder(&actions, folder) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        #if os(Linux)
            let setsid = 0x80  // POSIX_SPAWN_SETSID, which the headers keep for GNU programs
        #else
            let setsid = POSIX_SPAWN_SETSID
        #endif
        let flags = Int(POSIX_SPAWN_SETSIGMASK) | Int(POSIX_SPAWN_SETSIGDEF) | (terminal == nil ? 0 : Int(setsid))
        spawn_closing_others(&actions, &attributes, Int16(flags))
        let variables = environment ?? ProcessInfo.processInfo.environment
        var arguments = command.map { strdup($0) } + [nil]
        var pairs = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + pairs { free(text) } }
        var child: pid_t = 0
        let failure = posix_spawnp(&child, command[0], &actions, &attributes, &arguments, &pairs)
        guard failure == 0 else {
            throw Command.Failure(command: command.joined(separator: " "), output: "errno \(failure)")
        }
        id = child
        Thread.detachNewThread { self.await() }
    }

    /// Whether it has not ended.
    public var isRunning: Bool {
        state.withLock { if case .running = $0 { true } else { false } }
    }

    /// Sends it a signal, unless it has ended.
    public func signal(_ number: Int32) {
        state.withLock { if case .running = $0 { _ = kill(id, number) } }
    }

    /// How long ``end()`` waits.
    private static let patience = Duration.seconds(900)

    /// Waits for its end, for a quarter of an hour. Then it is killed, so that its test fails and does not hang.
    @discardableResult
    public func end() async -> End {
        let limit = Task {
            try await Task.sleep(for: Self.patience)
            signal(SIGKILL)
        }
        defer { limit.cancel() }
        return await withCheckedContinuation { continuation in
            let end: End? = state.withLock { state in
                switch state {
                case .ended(let end): return end
                case .running(let waiting):
                    state = .running(waiting + [continuation])
                    return nil
                }
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    /// Waits for its end on this thread.
    @discardableResult
    public func waitForEnd() -> End {
        while true {
            if case .ended(let end) = state.withLock({ $0 }) { return end }
            usleep(1000)
        }
    }

    private func await() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        // Its number stays its own until it is waited for, so that nobody sends a signal to another.
        let (end, waiting) = state.withLock { state in
            var status: Int32 = 0
            waitpid(id, &status, 0)
            let end = status & 0x7F == 0 ? End.exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
            guard case .running(let waiting) = state else { preconditionFailure("it ended twice") }
            state = .ended(end)
            return (end, waiting)
        }
        for continuation in waiting { continuation.resume(returning: end) }
    }
}
