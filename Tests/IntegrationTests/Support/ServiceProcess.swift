import EventLoop
import Foundation
import TestSupport

/// `juliet serve` as a process of its own, which can be killed, on a port it keeps.
final class ServiceProcess: Sendable {
    /// Its port on 127.0.0.1.
    let port: UInt16

    private let connectionString: String
    /// It is not dropped while the service may run.
    private let database: TestDatabase?
    /// What comes before the program.
    private let prefix: [String]
    /// Where it listens, if not on its port.
    private let socket: String?
    private let environment: [String: String]
    private let process = Locked<ChildProcess?>(nil)
    private let log = FileManager.default.temporaryDirectory.appending(path: "juliet-serve-\(UUID().uuidString)")

    /// Starts a service.
    ///
    /// - Parameters:
    ///   - environment: Settings besides those of every test's service.
    ///   - prefix: A program that starts it.
    ///   - socket: Where it listens, if not on its port.
    convenience init(
        database: TestDatabase, environment: [String: String] = [:], prefix: [String] = [], socket: String? = nil
    ) throws {
        try self.init(
            connectionString: database.serviceConnectionString, database: database, environment: environment,
            prefix: prefix, socket: socket)
    }

    /// Starts a service on a database that may not be there.
    init(
        connectionString: String, database: TestDatabase? = nil, environment: [String: String] = [:],
        prefix: [String] = [], socket: String? = nil
    ) throws {
        self.database = database
        self.prefix = prefix
        self.socket = socket
        self.connectionString = connectionString
        self.environment = ["JULIET_ADMIN_PORT": "0"].merging(environment) { _, own in own }
        port = UInt16(try Command.freePort())
        try Data().write(to: log)
        try start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: log)
    }

    /// The program that was built with these tests.
    static let executable: URL = {
        let beside = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "juliet")
        return FileManager.default.isExecutableFile(atPath: beside.path)
            ? beside : TestDatabase.root.appending(path: ".build/debug/juliet")
    }()

    /// Starts it again.
    func start() throws {
        try Data().write(to: log)
        let place = socket.map { ["--socket", $0] } ?? ["--port", "\(port)"]
        let process = try ChildProcess(
            prefix + [Self.executable.path, "serve", "--database", connectionString] + place,
            environment: ProcessInfo.processInfo.environment.merging(environment) { _, own in own },
            folder: TestDatabase.root.path,
            errors: .file(log.path))
        self.process.withLock { $0 = process }
    }

    /// Sends bytes on a connection of their own and returns the first response.
    func exchange(_ bytes: [UInt8]) async throws -> HTTPReply {
        let port = port
        return try await offPool {
            let connection = try ClientConnection(port: port)
            try connection.send(bytes)
            return try connection.receive()
        }
    }

    /// What it has said since it was started last.
    var notes: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Waits until it has said something, for 30 s at most.
    func waitUntil(itSays text: String) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while !notes.contains(text), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(10)) }
    }

    /// Its exit status, once it has ended by itself; nil after 30 s.
    func status() async throws -> Int32? {
        let deadline = ContinuousClock.now + .seconds(30)
        guard let process = process.withLock({ $0 }) else { return nil }
        while process.isRunning, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(10)) }
        guard !process.isRunning, case .exit(let status) = await process.end() else { return nil }
        return status
    }

    /// Sends a signal.
    func signal(_ signal: Int32) { process.withLock { $0 }?.signal(signal) }

    /// Ends it as nothing else does, SIGKILL, and waits for its end.
    func kill() {
        let process = process.withLock { process in
            defer { process = nil }
            return process
        }
        process?.signal(SIGKILL)
        process?.waitForEnd()
    }

    /// Ends it.
    func stop() { kill() }
}
