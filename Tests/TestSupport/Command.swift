import EventLoop
import Foundation

/// Programs that the tests run.
public enum Command {
    /// A program that failed, and what it printed.
    public struct Failure: Error, CustomStringConvertible {
        /// The command line.
        public let command: String
        /// Standard output and error.
        public let output: String
        /// The command line and the output.
        public var description: String { "\(command)\n\(output)" }
    }

    /// What comes before a server program when the tests run as root.
    public static var accountPrefix: [String] {
        geteuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : []
    }

    /// Runs a program to its end.
    ///
    /// - Returns: Its standard output, without the last line feed.
    @discardableResult
    public static func run(_ command: [String]) async throws -> String {
        let output = try OutputFile()
        let child = try ChildProcess(command, output: output.stream, errors: output.stream)
        return try await output.text(of: command, child.end())
    }

    /// Runs a program to its end on this thread.
    private static func runBlocking(_ command: [String]) throws -> String {
        let output = try OutputFile()
        let child = try ChildProcess(command, output: output.stream, errors: output.stream)
        return try output.text(of: command, child.waitForEnd())
    }

    /// Where a server program is. Debian keeps some where the PATH of a user does not look.
    ///
    /// - Throws: `Command.Failure` when it is not installed.
    static func find(_ program: String) throws -> String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/opt/homebrew/bin"]
        for folder in folders where access("\(folder)/\(program)", X_OK) == 0 { return "\(folder)/\(program)" }
        throw Failure(command: program, output: "it is not installed: scripts/setup test")
    }

    /// The directory of `initdb` and its kin: what `pg_config` says, else Debian's newest, else the `PATH`'s.
    static func serverPrograms() throws -> String {
        var candidates: [String] = []
        if let said = try? runBlocking(["pg_config", "--bindir"]) { candidates.append(said) }
        let debian = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
        candidates += versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(debian)/\($0)/bin" }
        candidates += (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") })
        else { throw Failure(command: "initdb", output: "PostgreSQL's server programs are not installed") }
        return found
    }

    /// A fresh directory that belongs to the account the server runs as. The path of a socket in it has at most 107 bytes.
    static func temporaryDirectory() throws -> String {
        var template = Array(
            FileManager.default.temporaryDirectory.appending(path: "juliet-pg-XXXXXX").path.utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(command: "mkdtemp", output: "errno \(errno)") }
        let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if geteuid() == 0 {
            guard let account = getpwnam("postgres")?.pointee,
                chown(directory, account.pw_uid, account.pw_gid) == 0
            else { throw Failure(command: "chown postgres \(directory)", output: "no such account") }
        }
        chmod(directory, 0o755)
        return directory
    }

    /// A TCP port of 127.0.0.1 that was free a moment ago, and that no other caller of this process gets.
    ///
    /// Not one the system hands out by itself: those are taken by every connection that the tests beside this one make,
    /// and by their servers, for which an answer could then be mistaken.
    public static func freePort() throws -> Int {
        for _ in 0..<1000 {
            let port = Int.random(in: 20_000..<32_000)
            if isFree(port), ports.withLock({ $0.insert(port).inserted }) { return port }
        }
        throw Failure(command: "bind", output: "no free port from 20000 to 31999: errno \(errno)")
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// The ports that were handed out.
    private static let ports = Locked<Set<Int>>([])
}

/// What a program prints, in a file without a name. Not a pipe: a server that stays behind would hold it open for ever.
public final class OutputFile: Sendable {
    private let descriptor: Int32

    /// An empty one.
    public init() throws {
        var template = Array(
            FileManager.default.temporaryDirectory.appending(path: "juliet-out-XXXXXX").path.utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Command.Failure(command: "mkstemp", output: "errno \(errno)") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_APPEND)
        unlink(template)
    }

    deinit { close(descriptor) }

    /// For a program's standard output or standard error. It must be started while this lives.
    public var stream: ChildProcess.Stream { .descriptor(descriptor) }

    /// What was printed, without the last line feed.
    public var text: String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while case let count = pread(descriptor, &buffer, buffer.count, off_t(bytes.count)), count > 0 {
            bytes += buffer[..<count]
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    fileprivate func text(of command: [String], _ end: ChildProcess.End) throws -> String {
        guard end == .exit(0) else { throw Command.Failure(command: command.joined(separator: " "), output: text) }
        return text
    }
}
