import EventLoop
import Foundation

/// A terminal without a window: a program that is started on it takes it for one, and a test sees what it would show.
public final class PseudoTerminal: @unchecked Sendable {
    /// What went wrong, and what the terminal showed then.
    public struct Failure: Error, CustomStringConvertible {
        /// What was waited for, and the picture.
        public let description: String
    }

    // Invariant: nothing changes but `screen`, which has a lock.
    private let master: Int32
    /// Kept open: the settings are the terminal's, and stay while somebody has it open.
    private let slave: Int32
    private let path: String
    private let screen: Locked<ScreenImage>
    private let source: any DispatchSourceRead

    /// Makes a terminal.
    public init(columns: Int = 80, rows: Int = 24) throws {
        let (master, slave, path) = try Command.spawning.withLock { _ in
            var master: Int32 = -1
            var slave: Int32 = -1
            var name = [CChar](repeating: 0, count: 128)
            guard openpty(&master, &slave, &name, nil, nil) == 0 else {
                throw Failure(description: "no pseudo-terminal: errno \(errno)")
            }
            let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            return (master, slave, path)
        }
        self.master = master
        self.slave = slave
        self.path = path
        let screen = Locked(ScreenImage(columns: columns, rows: rows))
        self.screen = screen
        source = DispatchSource.makeReadSource(fileDescriptor: master, queue: DispatchQueue(label: "pseudo-terminal"))
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(master, &bytes, bytes.count)
            if count > 0 { screen.withLock { $0.write(bytes[..<count]) } }
        }
        source.setCancelHandler {
            close(master)
            close(slave)
        }
        source.activate()
        setSize(columns: columns, rows: rows)
    }

    deinit { source.cancel() }

    /// Starts a program as the leader of a session whose terminal this is.
    ///
    /// - Parameter environment: What to add to the tests' own; an empty value removes the variable.
    public func start(_ command: [String], environment: [String: String] = [:]) throws -> TerminalProgram {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a session opens becomes its own.
        posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Signals as a shell leaves them, whatever the tests' own threads block and ignore.
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
        posix_spawnattr_setflags(
            &attributes, Int16(setsid) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        var variables = ProcessInfo.processInfo.environment
        for (name, value) in environment { variables[name] = value.isEmpty ? nil : value }
        var arguments = command.map { strdup($0) } + [nil]
        var pairs = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + pairs { free(text) } }
        var child: pid_t = 0
        let failure = Command.spawning.withLock { _ in
            posix_spawn(&child, command[0], &actions, &attributes, &arguments, &pairs)
        }
        guard failure == 0 else { throw Failure(description: "\(command[0]): errno \(failure)") }
        return TerminalProgram(id: child)
    }

    /// Types.
    public func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// Gives the window another size; whoever is in the foreground is told.
    public func resize(columns: Int, rows: Int) {
        screen.withLock { $0 = ScreenImage(columns: columns, rows: rows) }
        setSize(columns: columns, rows: rows)
    }

    private func setSize(columns: Int, rows: Int) {
        var size = winsize()
        size.ws_col = UInt16(columns)
        size.ws_row = UInt16(rows)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// What is seen now.
    public var image: ScreenImage { screen.withLock { $0 } }

    /// The settings: what is echoed, when a program gets what is typed, what Ctrl-C does.
    public var settings: String {
        var settings = termios()
        guard tcgetattr(slave, &settings) == 0 else { return "errno \(errno)" }
        return "\(settings.c_iflag) \(settings.c_oflag) \(settings.c_cflag) \(settings.c_lflag) \(settings.c_cc)"
    }

    /// Waits until what is seen is as it should be.
    ///
    /// - Throws: `Failure` with what is seen after half a minute.
    public func wait(
        for what: String, until isSo: (ScreenImage) throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + .seconds(30)
        while !(try isSo(image)) {
            guard ContinuousClock.now < end else {
                throw Failure(description: "not seen: \(what)\n\(image.text)")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Waits until a text is seen.
    public func wait(for text: String) async throws {
        try await wait(for: text) { $0.text.contains(text) }
    }
}

/// A program on a pseudo-terminal.
public struct TerminalProgram: Sendable {
    /// Its process.
    public let id: Int32

    /// How it ended: `exit 0`, or `signal 15`.
    public func end() async -> String {
        await withCheckedContinuation { continuation in
            let id = id
            DispatchQueue.global().async {
                var status: Int32 = 0
                while waitpid(id, &status, 0) < 0 && errno == EINTR {}
                continuation.resume(
                    returning: status & 0x7F == 0 ? "exit \((status >> 8) & 0xFF)" : "signal \(status & 0x7F)")
            }
        }
    }

    /// Sends it a signal.
    public func signal(_ number: Int32) { kill(id, number) }
}
