import Foundation
import TestSupport
import Testing

@Suite("juliet play by /v2", .defaultLayout("about the service, not the database"), .timeLimit(.minutes(5)))
struct DeskPlayTests {
    @Test("a new player wins the word of the day and its reward, and is the same player elsewhere by recovery code")
    func newPlayer() async throws {
        let device = try Device(port: try await TestService.shared(.standard).port)
        let terminal = try PseudoTerminal()
        let settings = terminal.settings
        let program = try device.start(on: terminal)
        try await terminal.wait(for: "N  New player")
        terminal.type("n")
        let code = try await recoveryCode(on: terminal)
        program.signal(SIGKILL)
        #expect(await program.end() == .signal(9))

        let second = try PseudoTerminal()
        let again = try device.start(on: second)
        try await second.wait(for: code)
        second.type("\r")
        try await second.wait(for: "Word of the day +5 energy")
        try await second.wait(for: "energy 30")
        second.type("d")
        try await second.wait(for: "Guess 1 of 6")
        second.type("zzzzz\r")
        try await second.wait(for: "ZZZZZ is not in the word list")
        let secret = try await device.secret()
        second.type("\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\(secret)\r")
        try await second.wait(for: "Won in 1. +5 energy. Enter: menu")
        try await second.wait(for: "energy 35  wins 1")
        #expect(second.image.unknown == [])
        second.type("\r")
        try await second.wait(for: "Word of the day won in 1")
        second.type("s")
        try await second.wait(for: "Played 1, won 1")
        second.type("\u{3}")
        #expect(await again.end() == .exit(0))
        #expect(second.settings == settings)
        try await second.wait(for: "the screen given back") { !$0.isTaken }

        let other = try Device(port: device.port)
        let third = try PseudoTerminal()
        let elsewhere = try other.start(on: third)
        try await third.wait(for: "R  I have a recovery code")
        third.type("r")
        try await third.wait(for: "Enter: sign in")
        third.type("0000000000000000000\r")
        try await third.wait(for: "A code has 20 letters and digits")
        third.type("0\r")
        try await third.wait(for: "Wrong code, or already used")
        third.type(String(repeating: "\u{7F}", count: 20) + code.lowercased() + "\r")
        let next = try await recoveryCode(on: third)
        #expect(next != code)
        third.type("\r")
        try await third.wait(for: "Word of the day won in 1")
        #expect(try other.saved().player.id == device.saved().player.id)
        third.type("oo")
        try await third.wait(for: "N  New player")
        #expect(try other.saved().names.isDisjoint(with: ["session", "player", "game"]))
        third.type("\u{3}")
        #expect(await elsewhere.end() == .exit(0))

        let file = "\(device.state)/code"
        try "\(next)\n".write(toFile: file, atomically: true, encoding: .utf8)
        let byFile = try other.start(on: third, ["--recovery-code", file])
        _ = try await recoveryCode(on: third)
        byFile.signal(SIGTERM)
        #expect(await byFile.end() == .signal(15))
    }

    @Test("hard mode refuses a guess in words, and a game is paid for")
    func hardMode() async throws {
        let device = try Device(port: try await TestService.shared(.standard).port)
        let terminal = try PseudoTerminal(columns: 40, rows: 13)
        let program = try await device.startNew(on: terminal, ["--no-color"])
        terminal.type("h")
        try await terminal.wait(for: "Hard mode       on")
        terminal.type("p")
        try await terminal.wait(for: "Guess 1 of 6")
        try await terminal.wait(for: "energy 25")
        try await terminal.wait(for: "Your word, hard")
        try await TestDatabase.shared().setWord("crane", of: try device.saved().game)
        terminal.type("crate\r")
        try await terminal.wait(for: "[C] [R] [A]  t  [E]")
        terminal.type("slate\r")
        try await terminal.wait(for: "Hard mode: letter 1 is C")
        #expect(!terminal.image.hadColours)
        terminal.type("\u{1B}")
        try await terminal.wait(for: "A word for you  goes on")
        terminal.type("pcrane\r")
        try await terminal.wait(for: "Won in 2. Enter: menu")
        terminal.type("\u{4}")
        #expect(await program.end() == .exit(0))
    }

    @Test("a past day is chosen, played and listed as won")
    func dayGoneBy() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        try await database.passDays(2)
        let device = try Device(port: service.port)
        let terminal = try PseudoTerminal()
        let program = try await device.startNew(on: terminal)
        terminal.type("g")
        try await terminal.wait(for: "the list of days") { $0.lines.count { $0.contains("-") } == 3 }
        terminal.type("\u{1B}[B\u{1B}[B\r")
        try await terminal.wait(for: "Guess 1 of 6")
        try await terminal.wait(for: "Past day")
        terminal.type("\(try await device.secret(in: database))\r")
        try await terminal.wait(for: "Won in 1. Enter: days")
        terminal.type("\r")
        try await terminal.wait(for: "won in 1")
        #expect(terminal.image.text.contains("energy 30  wins 0"), "it counts nowhere")
        terminal.type("\u{3}")
        #expect(await program.end() == .exit(0))
        try await service.stop()
    }

    @Test("energy that is due is taken by a key, and how long it takes is said")
    func refill() async throws {
        let database = try await TestDatabase.shared()
        let device = try Device(port: try await TestService.shared(.standard).port)
        let terminal = try PseudoTerminal()
        let program = try await device.startNew(on: terminal)
        try await terminal.wait(for: "Take energy     full")
        terminal.type("e")
        try await terminal.wait(for: "No energy is missing")
        terminal.type("p")
        try await terminal.wait(for: "energy 25")
        terminal.type("\u{1B}")
        try await terminal.wait(for: "Take energy     in ")
        terminal.type("e")
        try await terminal.wait(for: "More energy in ")
        try await database.psql(
            """
            UPDATE users SET refill = ROW((refill).due, earlier((refill).since, '5 hours'))::refill_clock
            WHERE id = '\(try device.saved().player.id.text)'
            """)
        terminal.type("s\u{1B}")
        try await terminal.wait(for: "energy 25 +5")
        try await terminal.wait(for: "Take energy     5 due")
        terminal.type("e")
        try await terminal.wait(for: "+5 energy")
        try await terminal.wait(for: "energy 30")
        terminal.type("\u{3}")
        #expect(await program.end() == .exit(0))
        #expect(try await device.ledger() == "30\n-5\n5")
    }

    @Test("a word that is in no list becomes a challenge with a hint, which a friend wins letter by letter")
    func anyWord() async throws {
        let device = try Device(port: try await TestService.shared(.standard).port)
        let terminal = try PseudoTerminal()
        let program = try await device.startNew(on: terminal)
        terminal.type("f")
        try await terminal.wait(for: "M  Make a challenge")
        terminal.type("m")
        try await terminal.wait(for: "O  A word of your own")
        // Four letters, though two characters.
        terminal.type("oกำกำ\r")
        try await terminal.wait(for: "Hint (optional):")
        terminal.type("Twice the same?\r")
        try await terminal.wait(for: "Your name, for your friends:")
        terminal.type("Ada\r")
        try await terminal.wait(for: "Enter: make it, 5 energy")
        terminal.type("\r")
        try await terminal.wait(for: "Not in the word list")
        try await terminal.wait(for: "Enter: use it anyway, 5 energy")
        terminal.type("\r")
        try await terminal.wait(for: "Give your friends the code")
        try await terminal.wait(for: "energy 25")
        let code = String(try #require(terminal.image.text.firstMatch(of: /[0-9A-Z]{4}-[0-9A-Z]{4}/)).output)

        let friend = try Device(port: device.port)
        let second = try PseudoTerminal()
        let other = try await friend.startNew(on: second)
        second.type("fc")
        try await second.wait(for: "The challenge's code:")
        second.type("\(code.lowercased())\r")
        try await second.wait(for: "By Ada")
        second.type("\r")
        try await second.wait(for: "Hint: Twice the same?")
        try await second.wait(for: "Guess 1 of 6")
        second.type("ฮฮกำ\r")
        try await second.wait(for: "Guess 2 of 6")
        second.type("กำกำ\r")
        try await second.wait(for: "Won in 2. Enter: results")
        #expect(second.image.unknown == [])
        second.type("\u{3}")
        terminal.type("\u{3}")
        #expect(await other.end() == .exit(0))
        #expect(await program.end() == .exit(0))
        #expect(try await device.ledger() == "30\n-5")
    }

    @Test("what the player did while the service was away outlives the program, and is done once when it is back")
    func outage() async throws {
        let database = try await TestDatabase.shared()
        let port = UInt16(try Command.freePort())
        let first = try await TestService.start(["http.port": "\(port)"], on: database)
        let device = try Device(port: port)
        let terminal = try PseudoTerminal()
        let program = try await device.startNew(on: terminal)
        try await first.stop()
        terminal.type("p")
        try await terminal.wait(for: "A word needs the service")
        program.signal(SIGKILL)
        #expect(await program.end() == .signal(9))

        let second = try PseudoTerminal()
        let again = try device.start(on: second)
        try await second.wait(for: "A word needs the service")
        let service = try await TestService.start(["http.port": "\(port)"], on: database)
        second.type("\r")
        try await second.wait(for: "Guess 1 of 6")
        try await second.wait(for: "energy 25")
        let secret = try await device.secret()
        let miss = V2Client.words.first { $0 != secret } ?? ""
        try await service.stop()
        second.type("\(miss)\r")
        try await second.wait(for: "Your guess waits: trying again")
        again.signal(SIGKILL)
        #expect(await again.end() == .signal(9))

        let third = try PseudoTerminal()
        let last = try device.start(on: third)
        let row = miss.uppercased().map(String.init).joined(separator: "   ")
        try await third.wait(for: row)
        try await third.wait(for: "out of reach")
        let back = try await TestService.start(["http.port": "\(port)"], on: database)
        third.type("\r")
        try await third.wait(for: "Guess 2 of 6")
        third.type("\(secret)\r")
        try await third.wait(for: "Won in 2. Enter: menu")
        third.type("\u{3}")
        #expect(await last.end() == .exit(0))
        #expect(try await device.ledger() == "30\n-5")
        try await back.stop()
    }

    @Test("a service out of reach is waited for, before the first player too")
    func noService() async throws {
        let port = UInt16(try Command.freePort())
        let device = try Device(port: port)
        let terminal = try PseudoTerminal()
        let program = try device.start(on: terminal)
        try await terminal.wait(for: "is out of reach. Trying again; Ctrl-C leaves.")
        let service = try await TestService.start(["http.port": "\(port)"], on: try await TestDatabase.shared())
        try await terminal.wait(for: "N  New player")
        try await service.stop()
        terminal.type("n")
        // The program finds out by the key, or has found out before it.
        try await terminal.wait(for: "No answer. Try again") {
            $0.text.contains("No answer. Try again") || $0.text.contains("Trying again. Enter: now")
        }
        terminal.type("\u{3}")
        #expect(await program.end() == .exit(0))
    }

    @Test("the app's contract is spoken where it is asked for, and where there is no /v2")
    func appContract() async throws {
        let service = try await TestService.shared(.standard)
        let device = try Device(port: service.port)
        let terminal = try PseudoTerminal()
        let program = try device.start(on: terminal, ["--contract", "app"])
        try await terminal.wait(for: "wins 0")
        terminal.type("\r")
        try await terminal.wait(for: "Guess 1 of 6")
        terminal.type("\u{3}")
        #expect(await program.end() == .exit(0))

        let none = try PseudoTerminal()
        let without = try device.start(on: none, path: "/nowhere")
        // The app's screen; nobody answers it there either.
        try await none.wait(for: "energy ?  wins ?")
        none.type("\u{3}")
        #expect(await without.end() == .exit(0))

        let both = try PseudoTerminal()
        let chosen = try device.start(on: both)
        try await both.wait(for: "with juliet play --contract app")
        both.type("\u{3}")
        #expect(await chosen.end() == .exit(0))
    }

    /// The code that is shown, once it is.
    private func recoveryCode(on terminal: PseudoTerminal) async throws -> String {
        try await terminal.wait(for: "Enter: I wrote it down")
        let pattern = /[0-9A-Z]{5}(-[0-9A-Z]{5}){3}/
        return String(try #require(terminal.image.text.firstMatch(of: pattern)).output.0)
    }
}

/// A machine somebody plays on, with a folder of its own.
private final class Device: Sendable {
    let port: UInt16
    let state: String

    init(port: UInt16) throws {
        self.port = port
        state = FileManager.default.temporaryDirectory.appending(path: "juliet-desk-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: state) }

    func start(
        on terminal: PseudoTerminal, _ arguments: [String] = [], path: String = ""
    ) throws -> ChildProcess {
        try terminal.start(
            [ServiceProcess.executable.path, "play", "--url", "http://127.0.0.1:\(port)\(path)"] + arguments,
            // No backtrace: it takes seconds, and asks.
            environment: ["XDG_STATE_HOME": state, "TERM": "xterm", "NO_COLOR": "", "SWIFT_BACKTRACE": "enable=no"])
    }

    /// Starts with a new player, and waits for the menu.
    func startNew(on terminal: PseudoTerminal, _ arguments: [String] = []) async throws -> ChildProcess {
        let program = try start(on: terminal, arguments)
        try await terminal.wait(for: "N  New player")
        terminal.type("n")
        try await terminal.wait(for: "Enter: I wrote it down")
        terminal.type("\r")
        try await terminal.wait(for: "O  Sign out")
        try await terminal.wait(for: "Word of the day +5 energy")
        return program
    }

    /// What is kept of the player.
    func saved() throws -> JSON {
        let files = FileManager.default.enumerator(atPath: state)?.compactMap { $0 as? String } ?? []
        let file = try #require(files.first { $0.hasSuffix("/.v2/player.json") })
        return try JSON(Array(Data(contentsOf: URL(filePath: "\(state)/\(file)"))))
    }

    /// The word of the game on the board.
    func secret(in database: TestDatabase? = nil) async throws -> String {
        let database = if let database { database } else { try await TestDatabase.shared() }
        return try await database.psql("SELECT word FROM judged_games WHERE id = '\(try saved().game.id.text)'")
    }

    /// What the player's energy was changed by.
    func ledger() async throws -> String {
        try await TestDatabase.shared().psql(
            """
            SELECT delta FROM energy_ledger WHERE user_id = '\(try saved().player.id.text)' AND entry IS NOT NULL
            ORDER BY entry
            """)
    }
}
