import Foundation
import JulietAPI
import TestSupport
import Testing

@Suite("juliet play", .defaultLayout("about the service, not the database"), .timeLimit(.minutes(5)))
struct PlayTests {
    @Test("plays and wins a game: word, win and payment are the service's, and the terminal is as it was")
    func wholeGame() async throws {
        let service = try await TestService.shared(.standard)
        let player = try Player(port: service.port)
        let terminal = try PseudoTerminal()
        let settings = terminal.settings
        let program = try player.start(on: terminal)
        try await terminal.wait(for: "wins 0")
        #expect(terminal.image.isTaken)
        #expect(!terminal.image.hasCursor)
        #expect(terminal.settings != settings)
        terminal.type("\r")
        try await terminal.wait(for: "Guess 1 of 6")
        try await terminal.wait(for: "energy 25")

        let secret = try player.secret()
        #expect(service.secrets.contains(secret.lowercased()))
        let other = secret == "CRANE" ? "SPEED" : "CRANE"
        terminal.type(other.lowercased() + "\r")
        try await terminal.wait(for: "Guess 2 of 6")
        terminal.type("zzzzz\r")
        try await terminal.wait(for: "ZZZZZ is not in the list")
        // Arrows do nothing, whatever read cuts them; a lone Escape clears what is typed.
        terminal.type("\u{1B}[A\u{1B}OB\u{1B}")
        try await terminal.wait(for: "_   _   _   _   _")
        terminal.type(secret.lowercased() + "\r")
        try await terminal.wait(for: "Won in 2. Enter: next game")
        try await terminal.wait(for: "wins 1")
        try await terminal.wait(for: "what waits is told") { !$0.text.contains("on the way") }
        #expect(terminal.image.hadColours)
        #expect(terminal.image.unknown == [])

        terminal.type("\u{3}")
        #expect(await program.end() == .exit(0))
        #expect(terminal.settings == settings)
        // What it wrote last may not have been read yet.
        try await terminal.wait(for: "the terminal as it was") { !$0.isTaken && $0.hasCursor }

        #expect(try await service.answer(to: .fetchUserWins(userID: player.id)).userWins == 1)
        #expect(try await player.ledger() == "30\n-5")
        #expect(
            try await player.psql(
                "SELECT upper(word) FROM played_words JOIN words ON words.id = word_id WHERE user_id = '\(player.id)'")
                == secret)
    }

    @Test("bought energy pays for the game that there was none for")
    func energy() async throws {
        let player = try Player(port: try await TestService.shared(.standard).port)
        let terminal = try PseudoTerminal(columns: 60, rows: 20)
        let program = try player.start(on: terminal, ["--no-color"])
        try await terminal.wait(for: "wins 0")
        try await player.psql(
            "SELECT pay_for_game('\(player.id)', NULL, NULL) FROM generate_series(1, 6)")
        terminal.type("\r")
        try await terminal.wait(for: "No energy: press 5 or 3 to buy")
        terminal.type("53")
        try await terminal.wait(for: "energy 35")
        terminal.type("\r")
        try await terminal.wait(for: "energy 30")
        #expect(!terminal.image.hadColours)
        terminal.type("\u{4}")
        #expect(await program.end() == .exit(0))
        try await terminal.wait(for: "Your game waits for you.")
        #expect(try await player.ledger() == "30\n-5\n-5\n-5\n-5\n-5\n-5\n5\n30\n-5")
    }

    @Test("without network a game is played to its end, and told once and in order when the service is back")
    func offline() async throws {
        let database = try await TestDatabase.shared()
        let port = try Command.freePort()
        let first = try await TestService.start(["http.port": "\(port)"], on: database)
        let player = try Player(port: UInt16(port))
        let terminal = try PseudoTerminal()
        let program = try player.start(on: terminal)
        try await terminal.wait(for: "wins 0")
        terminal.type("\r")
        try await terminal.wait(for: "Guess 1 of 6")
        try await first.stop()

        terminal.type("\(try player.secret())\r")
        try await terminal.wait(for: "2 waiting, offline")
        #expect(terminal.image.text.contains("wins 0 +1"))
        terminal.type("5")
        try await terminal.wait(for: "energy 25 +5")
        terminal.type("\r")
        try await terminal.wait(for: "A new word needs the service")
        program.signal(SIGKILL)
        #expect(await program.end() == .signal(9))

        let second = try PseudoTerminal()
        let again = try player.start(on: second)
        try await second.wait(for: "4 waiting, offline")
        let service = try await TestService.start(["http.port": "\(port)"], on: database)
        second.type("\r")
        try await second.wait(for: "Guess 1 of 6")
        try await second.wait(for: "energy 25  wins 1")
        again.signal(SIGTERM)
        #expect(await again.end() == .signal(15))
        #expect(try await player.ledger() == "30\n-5\n5\n-5")
        try await service.stop()
    }

    @Test(
        "gives the terminal back when a signal ends it, a crash's too, and dies by it",
        arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGILL, SIGSEGV])
    func signals(number: Int32) async throws {
        let player = try Player(port: try await TestService.shared(.standard).port)
        let terminal = try PseudoTerminal()
        let settings = terminal.settings
        let program = try player.start(on: terminal)
        try await terminal.wait(for: "wins 0")
        program.signal(number)
        #expect(await program.end() == .signal(number))
        #expect(terminal.settings == settings)
        try await terminal.wait(for: "the screen given back") { !$0.isTaken && $0.hasCursor && !$0.isInFrame }
    }

    @Test("Ctrl-Z gives the terminal to the shell, and fg goes on with the game, in the window's new size")
    func suspension() async throws {
        let player = try Player(port: try await TestService.shared(.standard).port)
        let terminal = try PseudoTerminal()
        let environment = player.environment(["PS1": "ready> ", "ENV": ""])
        let shell = try terminal.start(["/bin/sh", "-i"], environment: environment)
        try await terminal.wait(for: "ready>")
        let settings = terminal.settings
        terminal.type(player.command([]).joined(separator: " ") + "\r")
        try await terminal.wait(for: "wins 0")
        #expect(terminal.settings != settings)
        terminal.type("\u{1A}")
        try await terminal.wait(for: "the shell's prompt") { !$0.isTaken && $0.lines.contains("ready>") }
        #expect(terminal.settings == settings)
        terminal.resize(columns: 60, rows: 20)
        terminal.type("fg\r")
        try await terminal.wait(for: "the game again") {
            $0.isTaken && $0.lines[0].count == 59 && $0.lines[0].hasSuffix("wins 0")
        }
        #expect(terminal.settings != settings)
        terminal.type("\u{3}")
        try await terminal.wait(for: "the shell's prompt") { !$0.isTaken && $0.lines.contains("ready>") }
        #expect(terminal.settings == settings)
        terminal.type("exit\r")
        _ = await shell.end()
    }

    @Test("follows the window's size, and says when that is too small")
    func sizes() async throws {
        let player = try Player(port: try await TestService.shared(.standard).port)
        let terminal = try PseudoTerminal()
        let program = try player.start(on: terminal)
        try await terminal.wait(for: "wins 0")
        for (columns, rows) in [(120, 40), (60, 20), (32, 13)] {
            terminal.resize(columns: columns, rows: rows)
            try await terminal.wait(for: "\(columns)×\(rows)") {
                $0.lines[0].count == columns - 1 && $0.lines[rows - 1].hasSuffix("? help")
            }
        }
        terminal.resize(columns: 31, rows: 40)
        try await terminal.wait(for: "has 31×40")
        terminal.resize(columns: 80, rows: 24)
        try await terminal.wait(for: "? help")
        terminal.type("\u{3}")
        #expect(await program.end() == .exit(0))
    }

    @Test("a player plays in one terminal at a time")
    func twice() async throws {
        let player = try Player(port: try await TestService.shared(.standard).port)
        let terminal = try PseudoTerminal()
        let program = try player.start(on: terminal)
        try await terminal.wait(for: "wins 0")
        let other = try PseudoTerminal()
        let second = try player.start(on: other)
        #expect(await second.end() == .exit(1))
        try await other.wait(for: "Error: \(player.id) is playing in another terminal")
        terminal.type("\u{3}")
        #expect(await program.end() == .exit(0))
    }

    @Test("a wrong key is said, and the right one lets it go on")
    func keys() async throws {
        let player = try Player(port: try await TestService.shared(.keys).port)
        let terminal = try PseudoTerminal()
        let program = try player.start(on: terminal, ["--key", try player.file("wrong\n")])
        try await terminal.wait(for: "key refused")
        terminal.type("\r")
        try await terminal.wait(for: "Give the right key: --key")
        terminal.type("\u{3}")
        #expect(await program.end() == .exit(0))
        let again = try player.start(on: terminal, ["--key", try player.file("first-key\n")])
        try await terminal.wait(for: "energy 25")
        terminal.type("\u{3}")
        #expect(await again.end() == .exit(0))
    }
}

/// Somebody who plays, with a folder of their own.
private final class Player: Sendable {
    let id = UUID().uuidString
    private let port: UInt16
    private let state: String

    init(port: UInt16) throws {
        self.port = port
        state = FileManager.default.temporaryDirectory.appending(path: "juliet-play-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: state) }

    func start(on terminal: PseudoTerminal, _ arguments: [String] = []) throws -> ChildProcess {
        try terminal.start(command(arguments), environment: environment())
    }

    func command(_ arguments: [String]) -> [String] {
        [
            ServiceProcess.executable.path, "play", "--url", "http://127.0.0.1:\(port)", "--player", id, "--words",
            "\(TestDatabase.root.path)/config/words/english-guessable.txt",
        ] + arguments
    }

    func environment(_ more: [String: String] = [:]) -> [String: String] {
        // No backtrace: it takes seconds, and asks.
        ["XDG_STATE_HOME": state, "TERM": "xterm", "NO_COLOR": "", "SWIFT_BACKTRACE": "enable=no"]
            .merging(more) { $1 }
    }

    /// Writes a file and returns its path.
    func file(_ text: String) throws -> String {
        let path = "\(state)/\(UUID().uuidString)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// The secret of the game that goes on.
    func secret() throws -> String {
        let files = FileManager.default.enumerator(atPath: state)?.compactMap { $0 as? String } ?? []
        let file = try #require(files.first { $0.hasSuffix("game.json") })
        let text = try String(contentsOfFile: "\(state)/\(file)", encoding: .utf8)
        let match = try #require(text.firstMatch(of: /"secret":"([^"]*)"/))
        return String(match.1)
    }

    @discardableResult
    func psql(_ sql: String) async throws -> String { try await TestDatabase.shared().psql(sql) }

    /// What the player's energy was changed by.
    func ledger() async throws -> String {
        try await psql("SELECT delta FROM energy_ledger WHERE user_id = '\(id)' AND entry IS NOT NULL ORDER BY entry")
    }
}
