import ArgumentParser
import Foundation
import PlayOptions
import TestSupport
import Testing

@testable import juliet

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("juliet dev", .defaultLayout("starts servers of its own"), .timeLimit(.minutes(5)))
struct DevCommandTests {
    @Test("plays a game, survives kill -9 with its data, and takes PostgreSQL along when it is interrupted")
    func life() async throws {
        let folder = try DevFolder()
        defer { folder.remove() }

        let first = try folder.start()
        try await first.waitUntilReady()
        #expect(first.notes.contains("creating a database cluster in \(folder.path)/postgres/data\n"))
        var status = stat()
        #expect(stat(folder.path, &status) == 0 && status.st_uid == geteuid(), "it is not PostgreSQL's")
        #expect(first.notes.contains("Juliet is ready at http://127.0.0.1:\(folder.port)"))
        #expect(
            first.notes.contains(
                "\n\nPlay it in a browser: http://localhost:\(folder.port)/\nJuliet is ready at http://127"))
        #expect(first.notes.hasSuffix("\n\nCtrl-C stops everything.\n\n"))
        #expect(
            try folder.post("Juliet_AuthenticateUser", #"{"requestType":"initialRegistration","vendorID":"me"}"#) == 200
        )
        #expect(
            try folder.post("Juliet_UserSessionManager", #"{"requestType":"statNewGameSession","userID":"me"}"#) == 200)

        let url = "http://127.0.0.1:\(folder.port)"
        #expect(try PlayOptions.parse(["--data", folder.path]).serviceURL() == url)

        let second = try folder.start()
        #expect(await second.status() == 1)
        #expect(
            second.notes
                == "error: another juliet dev runs in \(folder.path) (process \(first.processIdentifier)): stop it, or give --data another folder\n"
        )

        first.signal(SIGKILL)
        _ = await first.status()
        let again = try folder.start()
        try await again.waitUntilReady()
        #expect(!again.notes.contains("creating a database cluster"))
        for _ in 0..<5 {
            #expect(
                try folder.post("Juliet_UserSessionManager", #"{"requestType":"statNewGameSession","userID":"me"}"#)
                    == 200)
        }
        #expect(
            try folder.post("Juliet_UserSessionManager", #"{"requestType":"statNewGameSession","userID":"me"}"#) == 404)
        #expect(folder.hasServer)

        again.signal(SIGINT)
        #expect(await again.status() == 0)
        #expect(!folder.hasServer)
        #expect(again.notes.hasSuffix("stopping PostgreSQL\n"))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/url"))
    }

    @Test("a folder whose database other files made is refused, stays as it is, and the way is told")
    func otherFiles() async throws {
        let folder = try DevFolder()
        defer { folder.remove() }
        let run = try folder.start()
        try await run.waitUntilReady()
        let connection = try String(contentsOfFile: "\(folder.path)/connection", encoding: .utf8)
        _ = try await Command.run([
            "psql", "--no-psqlrc", "--quiet", "--dbname", connection.trimmingCharacters(in: .newlines), "--command",
            "UPDATE juliet.schema_migrations SET checksum = 'other' WHERE version = 3",
        ])
        run.signal(SIGINT)
        #expect(await run.status() == 0)
        let again = try folder.start()
        #expect(await again.status() == 1)
        #expect(
            again.notes.contains(
                "\nerror: this database was migrated with other files than this program's (0003_create_users); nothing has changed. Give --data a new folder; \(folder.path) stays as it is, for the version that made it\n"
            ), "\(again.notes)")
        #expect(!folder.hasServer)
    }

    @Test(
        "a folder of the release before is brought up to date; one of a newer release, or another PostgreSQL, is refused"
    )
    func upgrade() async throws {
        let folder = try DevFolder()
        defer { folder.remove() }
        let last = try #require(
            try FileManager.default.contentsOfDirectory(atPath: Program.root.appending(path: "migrations").path).max())
        var run = try folder.start()
        try await run.waitUntilReady()
        #expect(
            try folder.post("Juliet_AuthenticateUser", #"{"requestType":"initialRegistration","vendorID":"me"}"#) == 200
        )
        // What the release before had: without the last migration, and with less code.
        #expect(try await Program.run(["migrate", "down", "1", "--data", folder.path]).status == 0)
        run.signal(SIGINT)
        #expect(await run.status() == 0)

        run = try folder.start()
        try await run.waitUntilReady()
        #expect(run.notes.contains("\nup \(last) ("), "\(run.notes)")
        #expect(
            try folder.post("Juliet_UserSessionManager", #"{"requestType":"statNewGameSession","userID":"me"}"#) == 200)
        // A release to come migrates it.
        let next = try TemporaryFolder()
        try await Command.run(["cp", "-R", Program.root.appending(path: "migrations").path, next.path])
        try next.write(
            "migrations/9000_add_nickname.sql",
            "-- migrate:up\nALTER TABLE juliet.users ADD COLUMN nickname text;\n")
        let migrated = try await Program.run([
            "migrate", "up", "--data", folder.path, "--migrations", "\(next.path)/migrations",
        ])
        #expect(migrated.status == 0, "\(migrated.notes)")
        run.signal(SIGINT)
        #expect(await run.status() == 0)

        run = try folder.start()
        #expect(await run.status() == 1)
        #expect(
            run.notes.hasSuffix(
                "error: 9000_add_nickname: applied by a newer release and not marked backward-compatible; use that release\n"
            ), "\(run.notes)")
        #expect(!folder.hasServer)

        // Nobody has a PostgreSQL that old. Where its version is not in a folder's name, PostgreSQL itself refuses.
        guard FileManager.default.fileExists(atPath: "/usr/lib/postgresql") else { return }
        try "13\n".write(toFile: "\(folder.path)/postgres/data/PG_VERSION", atomically: false, encoding: .utf8)
        run = try folder.start()
        #expect(await run.status() == 1)
        #expect(
            run.notes.contains(" was made by PostgreSQL 13, and this is ")
                && run.notes.contains(#"--dbname="$(cat \#(folder.path)/connection)""#), "\(run.notes)")
        #expect(!folder.hasServer)
    }

    @Test("a port that is taken is said before anything is made")
    func portTaken() async throws {
        let folder = try DevFolder()
        defer { folder.remove() }
        let blocker = try Listener(port: folder.port)
        defer { blocker.close() }
        let run = try folder.start()
        #expect(await run.status() == 1)
        #expect(
            run.notes
                == "error: cannot listen on 127.0.0.1:\(folder.port): port \(folder.port) on 127.0.0.1 is in use by another process; choose another with --port (http.port)\n"
        )
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("a start that is refused leaves no folder that it made, and all that was there")
    func refused() async throws {
        let place = try TemporaryFolder()
        let new = try DevFolder(path: "\(place.path)/a/b")
        for (environment, deal, status) in [
            (["JULIET_HTTP_BASE_PATH": "/a b"], nil, nil), ([:], "x", 64), ([:], "toolong", 64),
        ] as [([String: String], String?, Int32?)] {
            let run = try new.start(environment: environment, deal: deal)
            let ended = await run.status()
            #expect(ended != 0 && ended == status ?? ended && run.notes.hasPrefix("error: "), "\(run.notes)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == [])
        }
        // Of a folder that was there, what another wrote stays.
        try FileManager.default.createDirectory(atPath: "\(place.path)/a", withIntermediateDirectories: true)
        #expect(await (try new.start(deal: "x")).status() == 64)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(place.path)/a") == [])
        let old = try DevFolder(path: place.path)
        try place.write("notes", "mine")
        #expect(await (try old.start(deal: "x")).status() == 64)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).contains("notes"))
    }

    @Test("starts in any folder, and each command that it prints runs there as it is printed")
    func printed() async throws {
        let place = try TemporaryFolder()
        // No shell may read it: neither that of `pg_ctl`, nor the reader's without quotes.
        let folder = try DevFolder(path: #"o'b "r$i`e\n x"#, in: place.path)
        let quoted = #"'o'\''b "r$i`e\n x'"#
        let port = try Command.freePort()
        // As in a container: on all addresses, of which it names one that a browser can open.
        let run = try folder.start(environment: ["JULIET_ADMIN_PORT": "\(port)", "JULIET_HTTP_HOST": "0.0.0.0"])
        try await run.waitUntilReady()
        #expect(run.notes.contains("\nJuliet is ready at http://127.0.0.1:\(folder.port)\n"))
        #expect(run.notes.contains("2,273"))
        #expect(run.notes.contains("For operators: http://127.0.0.1:\(port)/admin"))
        let commands = run.notes.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { $0.dropFirst(2) }
        #expect(commands.count == 5)
        // The page says the same while nobody has a key.
        let page = try await Command.run(["curl", "--silent", "--noproxy", "*", "http://127.0.0.1:\(port)/admin"])
        #expect(page.hasSuffix("/juliet admin keys add NAME --role owner --data \(quoted)"), "\(page)")
        // A player, a game and a guess go into one shell. The game in a terminal wants one, so it is only asked for its help.
        for sh in [commands.prefix(3).joined(separator: "\n")] + commands.dropFirst(3).map(String.init) {
            let isPlay = sh.contains(" play ")
            let output = try await Command.run(
                ["/bin/sh", "-c", "cd '\(place.path)' && \(sh)\(isPlay ? " --help" : "")"])
            if sh.contains("curl ") { #expect(output.contains(#""guesses":[{"word":"crane","marks":["#), "\(output)") }
        }
        #expect(commands.contains { $0.hasSuffix("/juliet play --data \(quoted)") })
        #expect(commands.contains { $0.hasSuffix("/juliet admin keys add YOUR-NAME --role owner --data \(quoted)") })
        let psql = try #require(run.notes.firstMatch(of: /psql: (psql .+)/)).output.1
        let role = try await Command.run(["/bin/sh", "-c", "\(psql) --no-psqlrc -Atc 'SELECT current_user'"])
        #expect(role == "juliet")
        run.signal(SIGINT)
        #expect(await run.status() == 0)

        // A word that is not dealt is refused, with what shows the words that are: beside a start without it.
        let refused = try folder.start(deal: "zzzzz")
        #expect(await refused.status() == 1)
        let advice = try #require(
            refused.notes.firstMatch(
                of:
                    #/error: --deal: games do not deal zzzzz. To see the words that they deal, start without --deal and run (.*)/#
            ), "\(refused.notes)"
        ).output.1
        #expect(advice.hasSuffix("/juliet words list --secret --data \(quoted)"), "\(advice)")
    }

    @Test("the socket is in the data folder, unless no client could name it there")
    func socket() {
        #expect(LocalCluster.socketFolder(of: "/a 'b", for: "/c") == "/a 'b/run")
        for home in ["/a,b", "/" + String(repeating: "a", count: 90)] {
            #expect(LocalCluster.socketFolder(of: home, for: home).wholeMatch(of: #/\/tmp\/juliet-[0-9a-f]+/#) != nil)
        }
    }

    @Test("plays the language of the settings, and says from which day on if days before have words of another one")
    func german() async throws {
        let folder = try DevFolder()
        defer { folder.remove() }
        let german = ["JULIET_GAME_LANGUAGE": "de"]
        func ask(_ path: String, _ arguments: String...) async throws -> String {
            try await Command.run(
                ["curl", "--silent", "--noproxy", "*", "http://127.0.0.1:\(folder.port)\(path)"] + arguments)
        }
        // English at first: then the days that were announced stay English.
        var run = try folder.start()
        try await run.waitUntilReady()
        #expect(!run.notes.contains("the words of the day are of the list"))
        #expect(try await ask("/v2/service").contains(#""languages":[{"language":"en","length":5}],"#))
        run.signal(SIGINT)
        #expect(await run.status() == 0)

        run = try folder.start(environment: german)
        try await run.waitUntilReady()
        #expect(run.notes.contains("game.language en → de"))
        let start = try #require(
            run.notes.firstMatch(of: #/the words of the day are of the list "de", 5 letters, from (\S+) on/#))
        let service = try await ask("/v2/service")
        #expect(
            service.contains(
                #""languages":[{"language":"de","length":5,"letters":"abcdefghijklmnopqrstuvwxyzßäöü"},"#
                    + #"{"language":"en","length":5}],"#), "\(service)")
        #expect(service.contains(#""nextList":{"language":"de","length":5,"from":"\#(start.1)"}"#), "\(service)")
        #expect(try await ask("/v2/daily").contains(#""language":"en","length":5"#))
        // What it prints for a first game can be typed.
        let commands = run.notes.split(separator: "\n").filter { $0.hasPrefix("  ") && $0.contains("curl ") }
        let played = try await Command.run(["/bin/sh", "-c", commands.joined(separator: "\n")])
        #expect(played.contains(#""language":"de""#) && played.contains(#""marks":["#), "\(played)")
        run.signal(SIGINT)
        #expect(await run.status() == 0)

        // A language without words is refused, and the lists that there are are named.
        run = try folder.start(environment: ["JULIET_GAME_LANGUAGE": "fr"])
        #expect(await run.status() == 1)
        #expect(
            run.notes.contains(
                #"there are no secret words of 5 letters in "fr": import some, or name an existing list: de 5, en 5"#
            ), "\(run.notes)")

        // In a new folder all is German from the first day on.
        let other = try DevFolder()
        defer { other.remove() }
        run = try other.start(environment: german, deal: "Größe")
        try await run.waitUntilReady()
        #expect(!run.notes.contains("the words of the day are of the list"))
        #expect(run.notes.contains("every game gets the word größe"))
        let day = try await Command.run(
            ["curl", "--silent", "--noproxy", "*", "http://127.0.0.1:\(other.port)/v2/daily"])
        #expect(day.contains(#""language":"de","length":5"#), "\(day)")
        run.signal(SIGINT)
        #expect(await run.status() == 0)
    }

    @Test("it stops PostgreSQL also when the reader of its output has gone away")
    func readerGone() async throws {
        let folder = try DevFolder()
        defer { folder.remove() }
        let files = try TemporaryFolder()
        let command = "'\(Program.executable.path)' dev --data '\(folder.path)' --port \(folder.port)"
        let shell = try ChildProcess(
            ["/bin/sh", "-c", "{ \(command) 2>&1; echo $? >status; } | head -n 1"],
            environment: ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("JULIET_") },
            folder: files.path)
        var isReady = false
        for _ in 0..<1200 where !isReady {
            let ready = "GET /ready HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            isReady = (try? request(ready, port: folder.port)) == 200
            if !isReady { try await Task.sleep(for: .milliseconds(50)) }
        }
        #expect(isReady && folder.hasServer)
        let pid = try #require(Int32(try String(contentsOfFile: "\(folder.path)/lock", encoding: .utf8)))
        kill(pid, SIGINT)
        _ = await shell.end()
        #expect(try String(contentsOfFile: "\(files.path)/status", encoding: .utf8) == "0\n")
        #expect(!folder.hasServer)
    }

    @Test("an admin page whose port is another's is not promised")
    func noAdminPage() async throws {
        let folder = try DevFolder()
        defer { folder.remove() }
        let port = try Command.freePort()
        let blocker = try Listener(port: port)
        defer { blocker.close() }
        let run = try folder.start(environment: ["JULIET_ADMIN_PORT": "\(port)"])
        try await run.waitUntilReady()
        #expect(!run.notes.contains("For operators"))
        run.signal(SIGINT)
        #expect(await run.status() == 0)
    }

    @Test("--lan lets other machines of the network play, and shows a terminal the code to scan")
    func network() async throws {
        let folder = try DevFolder()
        defer { folder.remove() }
        guard let address = LocalNetwork.address() else {
            let outcome = try await Program.run(["dev", "--lan", "--data", folder.path])
            #expect(outcome.status == 1 && outcome.notes.hasPrefix("error: this machine is in no network: "))
            return
        }
        let terminal = try PseudoTerminal(columns: 120, rows: 60)
        let run = try terminal.start(
            [Program.executable.path, "dev", "--lan", "--data", folder.path, "--port", "\(folder.port)"],
            environment: ["JULIET_ADMIN_PORT": "0"])
        try await terminal.wait(for: "Ctrl-C stops everything.", within: .seconds(120))
        let shown = terminal.image.text
        let page = "http://\(address):\(folder.port)/"
        #expect(shown.contains("Play it in a browser: \(page)"))
        let code = try #require(QRCode(page)).terminalText.split(separator: "\n").map { $0.dropFirst(19).dropLast(4) }
        for line in code where !line.allSatisfy({ $0 == " " }) {
            #expect(shown.contains(line.trimmingCharacters(in: .whitespaces)))
        }
        #expect(shown.contains("Juliet is ready at http://127.0.0.1:\(folder.port)"))
        #expect(try PlayOptions.parse(["--data", folder.path]).serviceURL() == "http://127.0.0.1:\(folder.port)")
        #expect(try await Command.run(["curl", "-fsS", "\(page)live"]).contains(#""live""#))
        run.signal(SIGINT)
        #expect(await run.end() == .exit(0))
    }

    @Test("--lan takes the address of the local network, not that of a VPN or of containers")
    func addressInTheHouse() {
        func interface(_ name: String, _ address: String, isForOneOnly: Bool = false) -> LocalNetwork.Interface {
            LocalNetwork.Interface(name: name, address: address, isForOneOnly: isForOneOnly)
        }
        let loopback = interface("lo", "127.0.0.1", isForOneOnly: true)
        let docker = interface("docker0", "172.17.0.1")
        let house = interface("wlan0", "192.168.1.7")
        let other = interface("eth0", "10.0.0.3")
        let tunnel = interface("wg0", "10.8.0.2", isForOneOnly: true)
        #expect(LocalNetwork.choose(from: [loopback, docker, other, house], routed: "192.168.1.7") == "192.168.1.7")
        #expect(LocalNetwork.choose(from: [loopback, docker, tunnel, house], routed: "10.8.0.2") == "192.168.1.7")
        #expect(LocalNetwork.choose(from: [loopback, docker, house], routed: nil) == "192.168.1.7")
        #expect(LocalNetwork.choose(from: [loopback, docker], routed: "172.17.0.1") == "172.17.0.1")
        #expect(LocalNetwork.choose(from: [loopback, docker, tunnel], routed: "10.8.0.2") == nil)
        #expect(LocalNetwork.choose(from: [interface("eth0", "169.254.3.4")], routed: nil) == nil)
        #expect(LocalNetwork.choose(from: [loopback], routed: nil) == nil)
    }

    @Test("--lan listens on all addresses, so it takes no --host")
    func networkOrHost() async throws {
        let result = try await Program.run(["dev", "--lan", "--host", "127.0.0.1"])
        #expect(result.status == 64)
        #expect(result.notes.contains("--lan listens on all addresses of this machine: leave --host out"))
    }

    @Test(
        "when the folder is deleted it begins anew, also in a private home, where root's PostgreSQL has its files elsewhere"
    )
    func deleted() async throws {
        let home = try TemporaryFolder()
        chmod(home.path, 0o700)
        let folder = try DevFolder(path: "\(home.path)/data")
        var cluster: Substring?
        for _ in 0..<2 {
            // A start that fails does not make the folder one that was in use.
            let blocker = try Listener(port: folder.port)
            #expect(await (try folder.start()).status() == 1)
            blocker.close()
            let run = try folder.start()
            try await run.waitUntilReady()
            #expect(run.notes.contains("creating a database cluster in"), "\(run.notes)")
            cluster = run.notes.firstMatch(of: /creating a database cluster in (.*)/)?.output.1
            #expect(
                try folder.post("Juliet_UserSessionManager", #"{"requestType":"fetchUserWins","userID":"me"}"#) == 404)
            #expect(
                try folder.post("Juliet_AuthenticateUser", #"{"requestType":"initialRegistration","vendorID":"me"}"#)
                    == 200)
            run.signal(SIGINT)
            #expect(await run.status() == 0)
            folder.remove()
        }
        let path = String(try #require(cluster))
        // Nothing of the tests stays in /var/lib.
        try FileManager.default.removeItem(
            atPath: geteuid() == 0 ? String(path.dropLast("/data".count)) : home.path)
    }

    @Test("a lock that is a link is refused, and what it leads to stays as it is", arguments: [false, true])
    func linkedLock(isHard: Bool) async throws {
        let place = try TemporaryFolder()
        try place.write("kept", "as it was")
        let folder = try DevFolder(path: "\(place.path)/data")
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let (kept, lock) = ("\(place.path)/kept", "\(folder.path)/lock")
        #expect((isHard ? link(kept, lock) : symlink(kept, lock)) == 0)
        let run = try folder.start()
        #expect(await run.status() == 1)
        #expect(
            run.notes
                == "error: \(lock) is not a file that juliet dev made: remove it, or name another with --data\n")
        #expect(try String(contentsOfFile: kept, encoding: .utf8) == "as it was")
    }

    @Test("a socket's folder in /tmp that somebody else may have made is refused")
    func othersSocketFolder() async throws {
        let place = try TemporaryFolder()
        let folder = try DevFolder(path: "\(place.path)/\(String(repeating: "a", count: 100))")
        let socketFolder = LocalCluster.socketFolder(of: "\(folder.path)/postgres", for: folder.path)
        #expect(socketFolder.hasPrefix("/tmp/juliet-"))
        #expect(mkdir(socketFolder, 0o700) == 0 && chmod(socketFolder, 0o777) == 0)
        defer { rmdir(socketFolder) }
        let run = try folder.start()
        #expect(await run.status() == 1)
        #expect(run.notes.hasPrefix("error: \(socketFolder) is not a folder that only "), "\(run.notes)")
        #expect(!folder.hasServer)
    }

    @Test("a folder of PostgreSQL's account is seen by nobody else; what others could write to, or a link, is none")
    func ownFolders() throws {
        let programs = try PostgresPrograms()
        let place = try TemporaryFolder()
        let path = "\(place.path)/new/run"
        for _ in 0..<2 { try programs.makeFolder(path) }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
        for mode in [0o720, 0o702, 0o777] as [mode_t] {
            chmod(path, mode)
            #expect(throws: CommandError.self) { try programs.makeFolder(path) }
        }
        chmod(path, 0o755)
        try programs.makeFolder(path)
        #expect(symlink(path, "\(place.path)/link") == 0)
        #expect(throws: CommandError.self) { try programs.makeFolder("\(place.path)/link") }
        try place.write("file", "")
        #expect(throws: CommandError.self) { try programs.makeFolder("\(place.path)/file") }
        guard geteuid() == 0 else { return }
        chown(path, 12345, 12345)
        #expect(throws: CommandError.self) { try programs.makeFolder(path) }
    }

    @Test("a data folder that cannot be made is one line")
    func noFolder() async throws {
        let folder = try DevFolder(path: "/dev/null/data")
        let run = try folder.start()
        #expect(await run.status() == 1)
        #expect(
            run.notes
                == "error: cannot make the data folder /dev/null/data: Not a directory; name another with --data\n")
        let broken = try DevFolder(path: "a\nb").start()
        #expect(await broken.status() == 64)
        #expect(broken.notes == "error: the name of the data folder has a line break; name another with --data\n")
    }
}

/// A data folder with a port of its own.
private struct DevFolder {
    let path: String
    let port: Int
    /// Where it is started.
    let home: String

    init(path: String? = nil, in home: String = Program.root.path) throws {
        self.path =
            path
            ?? FileManager.default.temporaryDirectory.appending(path: "juliet-dev-\(UUID().uuidString.prefix(8))").path
        self.home = home
        port = try Command.freePort()
    }

    /// Whether PostgreSQL runs on it.
    var hasServer: Bool { FileManager.default.fileExists(atPath: "\(path)/postgres/data/postmaster.pid") }

    func start(environment: [String: String] = [:], deal: String? = nil) throws -> DevRun {
        let arguments = ["dev", "--data", path, "--port", "\(port)"] + (deal.map { ["--deal", $0] } ?? [])
        return try DevRun(arguments, port: port, in: home, environment)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// The HTTP status of the answer.
    func post(_ path: String, _ body: String) throws -> Int {
        try request(
            "POST /\(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)",
            port: port)
    }
}

/// One run of the program, its messages in a file: what it starts may keep them open.
private final class DevRun: Sendable {
    private let process: ChildProcess
    private let log: URL
    private let port: Int

    init(
        _ arguments: [String], port: Int, in home: String = Program.root.path, _ environment: [String: String] = [:]
    ) throws {
        self.port = port
        log = FileManager.default.temporaryDirectory.appending(path: "juliet-dev-\(UUID().uuidString)")
        try Data().write(to: log)
        process = try ChildProcess(
            [Program.executable.path] + arguments,
            environment: ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("JULIET_") }
                .merging(environment) { $1 },
            folder: home, errors: .file(log.path))
    }

    deinit {
        process.signal(SIGINT)
        try? FileManager.default.removeItem(at: log)
    }

    var processIdentifier: Int32 { process.id }

    var notes: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    func signal(_ number: Int32) { process.signal(number) }

    func waitUntilReady() async throws {
        for _ in 0..<1200 {
            // It says so a moment after it is.
            if (try? request("GET /ready HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", port: port)) == 200,
                notes.contains("Ctrl-C stops everything.\n")
            {
                return
            }
            try #require(process.isRunning, "juliet dev ended: \(notes)")
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("juliet dev is not ready after two minutes: \(notes)")
    }

    func status() async -> Int32 { await process.end().status }
}

/// A socket that listens and never answers.
private struct Listener {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // Also where a service has just ended: its connections hold the port for a while.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
        var address = loopback(port)
        let failure = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, 16) }
        }
        try #require(failure == 0 && listen(descriptor, 1) == 0)
    }

    func close() { _ = Glibc.close(descriptor) }
}

private func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
}

/// Sends a request that closes its connection; gives the status of the answer.
private func request(_ text: String, port: Int) throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = loopback(port)
    let failure = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, 16) }
    }
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ECONNREFUSED) }
    let bytes = Array(text.utf8)
    guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
        throw POSIXError(.EPIPE)
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        answer += buffer[..<count]
    }
    let line = String(decoding: answer.prefix { $0 != 13 }, as: UTF8.self)
    return line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
}
