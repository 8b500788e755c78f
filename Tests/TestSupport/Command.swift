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

    /// Runs a program to its end, off the cooperative pool.
    ///
    /// - Returns: Its standard output, without the last line feed.
    @discardableResult
    public static func run(_ command: [String]) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try runBlocking(command) })
            }
        }
    }

    private static func runBlocking(_ command: [String]) throws -> String {
        // A file, not a pipe: a server that stays behind would hold the pipe open for ever.
        var template = Array("/tmp/juliet-out-XXXXXX".utf8CString)
        let output = spawning.withLock { _ in
            let output = mkstemp(&template)
            _ = fcntl(output, F_SETFD, FD_CLOEXEC)
            return output
        }
        guard output >= 0 else { throw Failure(command: "mkstemp", output: "errno \(errno)") }
        defer { close(output) }
        unlink(template)
        let child = try spawn(command, input: nil, output: output)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        var offset = 0
        while case let count = pread(output, &buffer, buffer.count, off_t(offset)), count > 0 {
            text += String(decoding: buffer[..<count], as: UTF8.self)
            offset += count
        }
        if text.last == "\n" { text.removeLast() }
        guard status == 0 else { throw Failure(command: command.joined(separator: " "), output: text) }
        return text
    }

    /// Held while a descriptor is made that no child shall inherit, and while a child is made.
    static let spawning = Locked(0)

    /// Starts a program that inherits nothing but its standard streams.
    ///
    /// Not `Foundation.Process`: on Linux it waits until everything that the program left behind has ended too.
    static func spawn(_ command: [String], input: Int32?, output: Int32?) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, source) in [(0, input), (1, output), (2, output)] {
            if let source {
                posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(target), "/dev/null", O_RDWR, 0)
            }
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = (["/usr/bin/env"] + command).map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let failure = spawning.withLock { _ in posix_spawn(&child, "/usr/bin/env", &actions, nil, arguments, environ) }
        guard failure == 0 else { throw Failure(command: command.joined(separator: " "), output: "errno \(failure)") }
        return child
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

    /// A fresh directory that belongs to the account the server runs as. Short, for the socket's path is limited.
    static func temporaryDirectory() throws -> String {
        var template = Array("/tmp/juliet-pg-XXXXXX".utf8CString)
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
