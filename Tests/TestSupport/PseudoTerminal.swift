import EventLoop
import Foundation

/// A terminal without a window: a program that is started on it takes it for one, and a test sees what it would show.
public final class PseudoTerminal: @unchecked Sendable {
    /// What went wrong, and what the terminal showed then.
    public struct Failure: Error, CustomStringConvertible {
        /// What was waited for, and the picture.
        public let description: String
    }

    // Invariant: nothing changes but `screen` and `output`, which have locks.
    private let master: Int32
    /// Kept open: the settings are the terminal's, and stay while somebody has it open.
    private let slave: Int32
    private let path: String
    private let screen: Locked<ScreenImage>
    private let output = Locked([UInt8]())
    private let source: any DispatchSourceRead

    /// Makes a terminal.
    public init(columns: Int = 80, rows: Int = 24) throws {
        var master: Int32 = -1
        var slave: Int32 = -1
        var name = [CChar](repeating: 0, count: 128)
        guard openpty(&master, &slave, &name, nil, nil) == 0 else {
            throw Failure(description: "no pseudo-terminal: errno \(errno)")
        }
        for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        self.master = master
        self.slave = slave
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let screen = Locked(ScreenImage(columns: columns, rows: rows))
        self.screen = screen
        source = DispatchSource.makeReadSource(fileDescriptor: master, queue: DispatchQueue(label: "pseudo-terminal"))
        source.setEventHandler { [master, output] in
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(master, &bytes, bytes.count)
            guard count > 0 else { return }
            output.withLock { $0 += bytes[..<count] }
            screen.withLock { $0.write(bytes[..<count]) }
        }
        source.setCancelHandler { [master, slave] in
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
    public func start(_ command: [String], environment: [String: String] = [:]) throws -> ChildProcess {
        var variables = ProcessInfo.processInfo.environment
        for (name, value) in environment { variables[name] = value.isEmpty ? nil : value }
        return try ChildProcess(command, environment: variables, terminal: path)
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

    /// All that was written so far, also what was seen for a moment only.
    public var written: String { output.withLock { String(decoding: $0, as: UTF8.self) } }

    /// The settings: what is echoed, when a program gets what is typed, what Ctrl-C does.
    public var settings: String {
        var settings = termios()
        guard tcgetattr(slave, &settings) == 0 else { return "errno \(errno)" }
        return "\(settings.c_iflag) \(settings.c_oflag) \(settings.c_cflag) \(settings.c_lflag) \(settings.c_cc)"
    }

    /// Waits until what is seen is as it should be.
    ///
    /// - Throws: `Failure` with what is seen when it is too late: after half a minute, unless another time is given.
    public func wait(
        for what: String, within limit: Duration = .seconds(30), until isSo: (ScreenImage) throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit
        while !(try isSo(image)) {
            guard ContinuousClock.now < end else {
                throw Failure(description: "not seen: \(what)\n\(image.text)")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Waits until a text is seen.
    public func wait(for text: String, within limit: Duration = .seconds(30)) async throws {
        try await wait(for: text, within: limit) { $0.text.contains(text) }
    }
}
