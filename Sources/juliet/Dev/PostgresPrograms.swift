import Subprocess
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// PostgreSQL's own programs, run as an account that PostgreSQL accepts: itself, or `postgres` for root.
struct PostgresPrograms: Sendable {
    private static let account = "postgres"

    private let folder: String
    private let isRoot = geteuid() == 0

    /// The major version, such as "17", as Debian and Homebrew name folders; nil: the folder's name has none.
    var version: String? {
        let name = URL(fileURLWithPath: folder).deletingLastPathComponent().lastPathComponent
        return name.split(separator: "@").last.map(String.init).flatMap { Double($0) == nil ? nil : $0 }
    }

    /// Finds the installation of a major version, or else the newest.
    ///
    /// - Throws: `CommandError` when there is none, or root has no account to run it as.
    init(version: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        let parents = ["/usr/lib/postgresql", "/usr/pgsql"].flatMap { parent in
            ((try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [])
                .sorted { Self.version($0) > Self.version($1) }.map { "\(parent)/\($0)/bin" }
        }
        let brew = ["/opt/homebrew", "/usr/local"].flatMap { prefix in
            ["", "@18", "@17", "@16", "@15", "@14"].map { "\(prefix)/opt/postgresql\($0)/bin" }
        }
        let onPath = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let installed = (parents + brew + onPath).filter { folder in
            ["initdb", "pg_ctl", "postgres"].allSatisfy { access("\(folder)/\($0)", X_OK) == 0 }
        }
        let wanted = version.flatMap { version in
            installed.first { $0.hasSuffix("/\(version)/bin") || $0.hasSuffix("@\(version)/bin") }
        }
        guard let found = wanted ?? installed.first else {
            throw CommandError(
                "PostgreSQL's server programs (initdb, pg_ctl) are not installed: run make setup, or apt-get install postgresql"
            )
        }
        folder = found
        if isRoot, getpwnam(Self.account) == nil {
            throw CommandError(
                "PostgreSQL does not run as root and there is no account \(Self.account): install the package postgresql"
            )
        }
    }

    /// The number a folder is named by: "17", or "9.6" long ago.
    private static func version(_ name: String) -> Double { Double(name) ?? 0 }

    /// The full path of a program.
    func path(_ program: String) -> String { "\(folder)/\(program)" }

    /// Whether the account can work in this folder.
    func reaches(_ path: String) async -> Bool {
        guard isRoot else { return true }
        return (try? await run("test", ["-x", path])) != nil
    }

    /// Whether a file exists, as this process sees it, also where the account cannot.
    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Makes a folder that only the account sees, unless it is there.
    ///
    /// - Throws: `CommandError` when it cannot be made, or what is there is no folder that only the account, or who runs this,
    ///   can write to: in `/tmp` anybody can make one first, and would then have all that is sent to a socket in it.
    func makeFolder(_ path: String) throws {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw CommandError("cannot make the folder \(path): \(String(cString: strerror(errno)))")
        }
        let user = geteuid()
        let account = isRoot ? getpwnam(Self.account) : nil
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        defer { close(folder) }
        var status = stat()
        guard folder >= 0, fstat(folder, &status) == 0, [user, account?.pointee.pw_uid].contains(status.st_uid),
            status.st_mode & 0o022 == 0
        else {
            throw CommandError(
                "\(path) is not a folder that only \(isRoot ? Self.account : "you") can write to; another user may have made it: remove it, or name another data folder with --data"
            )
        }
        if let account { fchown(folder, account.pointee.pw_uid, account.pointee.pw_gid) }
    }

    /// Runs a program as the account and waits for it. No shell reads the arguments.
    ///
    /// - Parameters:
    ///   - folder: The folder it runs in.
    ///   - failure: The beginning of the message if it fails, before the program's output; default its name.
    /// - Throws: `CommandError` when it cannot be started or fails.
    func run(
        _ program: String, _ arguments: [String], in folder: String = "/", failure: String? = nil
    ) async throws {
        let asAccount =
            isRoot ? ["setpriv", "--reuid=\(Self.account)", "--regid=\(Self.account)", "--init-groups"] : []
        // A file, not a pipe: a started server keeps it open, and reading a pipe to its end would wait for the server's end.
        let path = "\(FileManager.default.temporaryDirectory.path)/juliet-\(UUID().uuidString)"
        let output = try FileDescriptor.open(
            FilePath(path), .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        defer {
            try? output.close()
            unlink(path)
        }
        let status: TerminationStatus
        do {
            status = try await Subprocess.run(
                .name("env"), arguments: Arguments(asAccount + [program] + arguments),
                workingDirectory: FilePath(folder),
                output: .fileDescriptor(output, closeAfterSpawningProcess: false),
                error: .fileDescriptor(output, closeAfterSpawningProcess: false)
            ).terminationStatus
        } catch {
            throw CommandError("cannot run \(program): \(error)")
        }
        guard status.isSuccess else {
            let said = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            let lines = said.split(separator: "\n").suffix(5).joined(separator: "\n  ")
            throw CommandError("\(failure ?? "\(program) failed")\(lines.isEmpty ? "" : ":\n  \(lines)")")
        }
    }
}
