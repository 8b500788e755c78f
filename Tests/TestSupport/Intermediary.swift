import Foundation

/// A throwaway program between the tests and a test cluster, such as a pooler.
public class Intermediary: @unchecked Sendable {
    // Invariant: everything is constant; the class is open to this module's own heirs, which add nothing that changes.

    /// The port on 127.0.0.1.
    public let port: Int
    private let process: ChildProcess
    private let directory: String

    /// - Parameter directory: Its files, which are removed when it ends.
    init(_ command: [String], port: Int, directory: String) throws {
        self.port = port
        self.directory = directory
        process = try ChildProcess(command)
    }

    /// Waits until it answers; ends it if it does not.
    func untilItAnswers(database: String, _ parameters: String = "") async throws {
        let target = "host=127.0.0.1 port=\(port) user=postgres dbname=\(database) \(parameters)"
        for _ in 0..<500 {
            let probe = ["psql", "-X", "-q", "-t", "-c", "SELECT 1", "-d", target]
            if (try? await Command.run(probe)) != nil { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        stop()
        throw Command.Failure(command: "\(type(of: self))", output: "it does not answer")
    }

    /// Ends it, and the processes that it has started.
    public func stop() {
        process.signal(SIGTERM)
        for _ in 0..<500 where process.isRunning { usleep(10_000) }
        process.signal(SIGKILL)
        process.waitForEnd()
        try? FileManager.default.removeItem(atPath: directory)
    }
}
