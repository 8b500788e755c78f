import Foundation
import TestSupport

/// The program itself, as a shell would run it.
struct Program {
    /// How a run ended.
    struct Outcome: Sendable {
        let status: Int32
        /// Standard output without its last line feed.
        let output: String
        /// Standard error without its last line feed.
        let notes: String
    }

    /// The database it works on.
    let cluster: PostgresCluster
    let database: String

    /// A fresh, empty database.
    init() async throws {
        cluster = try await PostgresCluster.shared()
        database = try await cluster.createDatabase()
    }

    /// A fresh database with the game's schema.
    static func migrated() async throws -> Program {
        let program = try await Program()
        let outcome = try await program.run(["migrate", "up"])
        guard outcome.status == 0 else { throw Unusable(notes: outcome.notes) }
        return program
    }

    /// The schema could not be made.
    struct Unusable: Error {
        let notes: String
    }

    /// The repository.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The program that was built with these tests.
    static let executable: URL = {
        let beside = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "juliet")
        return FileManager.default.isExecutableFile(atPath: beside.path)
            ? beside : root.appending(path: ".build/debug/juliet")
    }()

    /// Runs a command that needs no database to its end, in the repository's folder.
    static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
        try await start(arguments, environment: environment).outcome()
    }

    /// Runs a command to its end, in the repository's folder.
    ///
    /// - Parameter input: The file that is standard input.
    func run(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil
    ) async throws -> Outcome {
        let process = try start(arguments, environment: environment, input: input)
        return await process.outcome()
    }

    /// Runs SQL as the superuser.
    @discardableResult
    func psql(_ sql: String) async throws -> String { try await cluster.psql(sql, database: database) }

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - environment: What to add to the tests' own.
    ///   - input: The file that is standard input.
    func start(
        _ arguments: [String], environment more: [String: String] = [:], input: String? = nil
    ) throws -> Running {
        let database = ["DATABASE_URL": cluster.connectionString(database: database)]
        return try Self.start(arguments, environment: database.merging(more) { $1 }, input: input)
    }

    private static func start(
        _ arguments: [String], environment more: [String: String], input: String? = nil
    ) throws -> Running {
        let running = Running()
        running.process.executableURL = executable
        running.process.arguments = arguments
        running.process.currentDirectoryURL = root
        var environment = ProcessInfo.processInfo.environment
        environment.merge(more) { $1 }
        running.process.environment = environment
        running.process.standardInput = input.flatMap(FileHandle.init(forReadingAtPath:)) ?? FileHandle.nullDevice
        running.process.standardOutput = running.output
        running.process.standardError = running.notes
        try running.process.run()
        return running
    }

    /// A command under way.
    final class Running: Sendable {
        fileprivate let process = Process()
        fileprivate let output = Pipe()
        fileprivate let notes = Pipe()

        /// Ends it as nothing else does, SIGKILL, unless it has ended before. By a timer of Dispatch: tasks of other
        /// tests may keep the cooperative threads busy for longer than the program runs.
        func kill(after milliseconds: Int) {
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                if self.process.isRunning { Foundation.kill(self.process.processIdentifier, SIGKILL) }
            }
        }

        /// Waits for its end.
        func outcome() async -> Outcome {
            async let output = read(output)
            async let notes = read(notes)
            let texts = await (output, notes)
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    self.process.waitUntilExit()
                    continuation.resume()
                }
            }
            return Outcome(status: process.terminationStatus, output: texts.0, notes: texts.1)
        }

        private func read(_ pipe: Pipe) async -> String {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    let data = pipe.fileHandleForReading.readDataToEndOfFile()
                    let text = String(decoding: data, as: UTF8.self)
                    continuation.resume(returning: text.hasSuffix("\n") ? String(text.dropLast()) : text)
                }
            }
        }
    }
}

/// A folder that is gone when its owner is.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "juliet-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }
}
