import EventLoop
import Foundation
import TestSupport

/// `juliet serve` as a process of its own, which can be killed, on a port it keeps.
final class ServiceProcess: Sendable {
    /// Its port on 127.0.0.1.
    let port: UInt16

    private let database: TestDatabase
    private let process = Locked<Process?>(nil)

    /// Starts a service and waits until it listens.
    init(database: TestDatabase) throws {
        self.database = database
        port = UInt16(try Command.freePort())
        try start()
    }

    deinit { stop() }

    /// The program that was built with these tests.
    private static let executable: URL = {
        let beside = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "juliet")
        return FileManager.default.isExecutableFile(atPath: beside.path)
            ? beside : URL(filePath: TestDatabase.migrations).appending(path: "../.build/debug/juliet")
    }()

    /// Starts it again.
    func start() throws {
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = [
            "serve", "--port", "\(port)", "--database", database.serviceConnectionString,
        ]
        process.currentDirectoryURL = URL(filePath: TestDatabase.migrations).deletingLastPathComponent()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process.withLock { $0 = process }
    }

    /// Sends a signal.
    func signal(_ signal: Int32) {
        process.withLock { process in
            if let process, process.isRunning { _ = Foundation.kill(process.processIdentifier, signal) }
        }
    }

    /// Ends it as nothing else does, SIGKILL, and waits for its end.
    func kill() {
        signal(SIGKILL)
        process.withLock { process in
            process?.waitUntilExit()
            process = nil
        }
    }

    /// Ends it.
    func stop() { kill() }
}
