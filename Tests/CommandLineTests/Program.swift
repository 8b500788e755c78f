import Foundation
import TestSupport

/// The program itself, as a shell would run it.
struct Program {
    /// How a run ended.
    struct Outcome: Sendable {
        /// As a shell tells it.
        let status: Int32
        /// Standard output without its last line feed.
        let output: String
        /// Standard error without its last line feed.
        let notes: String
    }

    /// The database it works on.
    let cluster: PostgresCluster
    var database: String { lease.name }
    private let lease: ThrowawayDatabase

    /// A fresh, empty database, of several servers where `TEST_LAYOUT=citus`.
    init() async throws {
        if CitusCluster.isWanted {
            let servers = try await CitusCluster.shared()
            cluster = servers.coordinator
            lease = try await servers.createDatabase()
        } else {
            cluster = try await PostgresCluster.shared()
            lease = try await cluster.createDatabase()
        }
    }

    /// A fresh database with the game's schema, distributed where there are several servers.
    static func migrated() async throws -> Program {
        try await template.value.copy()
    }

    /// What the others are copies of.
    private static let template = Task { try await migratedAnew().asTemplate() }

    /// Itself, with a database that can be copied and that nobody can use any more where Citus would keep connections to it.
    func asTemplate() async throws -> Program {
        if CitusCluster.isWanted { try await CitusCluster.shared().close(database) }
        return self
    }

    /// A copy of a template.
    func copy() async throws -> Program {
        let copy =
            if CitusCluster.isWanted {
                try await CitusCluster.shared().copyDatabase(database)
            } else {
                try await cluster.copyDatabase(database)
            }
        return Program(database: copy, in: cluster)
    }

    private static func migratedAnew() async throws -> Program {
        let program = try await Program()
        for command in CitusCluster.isWanted ? ["up", "distribute"] : ["up"] {
            let outcome = try await program.run(["migrate", command])
            guard outcome.status == 0 else { throw Unusable(notes: outcome.notes) }
        }
        try await program.psql(earlier)
        return program
    }

    /// A database that is there.
    init(database: ThrowawayDatabase, in cluster: PostgresCluster) {
        self.cluster = cluster
        self.lease = database
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

    /// Runs SQL as the superuser. The game's names need no schema here; the commands' own sessions find them nowhere.
    @discardableResult
    func psql(_ sql: String) async throws -> String {
        guard CitusCluster.isWanted else { return try await cluster.psql(sql, database: database) }
        // Where rows are on several servers, one transaction cannot ask them side by side and then change what is on all of them.
        return try await cluster.psql(sql, database: database, settings: ["citus.multi_shard_modify_mode=sequential"])
    }

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

    /// Starts a command that needs no database.
    static func start(
        _ arguments: [String], environment more: [String: String] = [:], input: String? = nil
    ) throws -> Running {
        let environment = ProcessInfo.processInfo.environment.merging(more) { $1 }
        return try Running([executable.path] + arguments, environment, input.map { .file($0) } ?? .null)
    }

    /// A command under way.
    final class Running: Sendable {
        private let process: ChildProcess
        private let output: OutputFile
        private let notes: OutputFile

        fileprivate init(_ command: [String], _ environment: [String: String], _ input: ChildProcess.Stream) throws {
            output = try OutputFile()
            notes = try OutputFile()
            process = try ChildProcess(
                command, environment: environment, folder: Program.root.path, input: input, output: output.stream,
                errors: notes.stream)
        }

        /// Its process.
        var id: Int32 { process.id }

        /// Ends it as nothing else does, SIGKILL, unless it has ended before. By a timer of Dispatch: tasks of other
        /// tests may keep the cooperative threads busy for longer than the program runs.
        func kill(after milliseconds: Int) {
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                self.process.signal(SIGKILL)
            }
        }

        /// Waits for its end.
        func outcome() async -> Outcome {
            let status = await process.end().status
            return Outcome(status: status, output: output.text, notes: notes.text)
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
