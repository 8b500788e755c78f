package import ArgumentParser

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The options of `juliet play`. Two programs read them: `juliet`, which shows their help, and `juliet-play`, which plays.
package struct PlayOptions: ParsableArguments {
    /// What is spoken with the service.
    package enum Contract: String, CaseIterable, ExpressibleByArgument, Sendable {
        /// The service judges, and a player is the same on all devices.
        case v2
        /// The published app's: the program judges, and plays without network too.
        case app
    }

    @Option(help: ArgumentHelp("The URL of the service.", valueName: "url"))
    package var url: String?

    @Option(help: ArgumentHelp("The folder of a running `juliet dev`, to play there.", valueName: "dir"))
    package var data: String?

    @Option(help: "Which contract to use. Default: v2 if the service has it.")
    package var contract: Contract?

    @Option(help: ArgumentHelp("A file with the recovery code of the player to sign in as.", valueName: "file"))
    package var recoveryCode: String?

    @Option(
        help: ArgumentHelp("Your id in the app's contract. Default: one made at the first game.", valueName: "id"))
    package var player: String?

    @Option(
        help: ArgumentHelp(
            "A file with the API key for the app's contract, if the service asks for one.", valueName: "file"))
    package var key: String?

    @Option(
        help: ArgumentHelp("A file of words that may be guessed in the app's contract, one a line.", valueName: "file"))
    package var words: String?

    @Flag(help: "Use signs instead of colours: [E] right place, (E) elsewhere.")
    package var noColor = false

    package init() {}

    package func validate() throws {
        if url != nil, data != nil { throw ValidationError("--url and --data name two services: give one") }
        if let url, !url.hasPrefix("http://"), !url.hasPrefix("https://") {
            throw ValidationError("--url \(url) must be an http:// or https:// URL")
        }
        if player?.isEmpty == true { throw ValidationError("--player is empty") }
        if contract == .v2, player != nil {
            throw ValidationError("--player is for --contract app: a player of /v2 signs in with a recovery code")
        }
        if recoveryCode != nil, chosenContract == .app {
            throw ValidationError("--recovery-code is for players of /v2: leave out --player and --contract app")
        }
    }

    /// The contract that is asked for; nil: the service decides.
    package var chosenContract: Contract? {
        if let contract { return contract }
        if player != nil { return .app }
        return recoveryCode != nil ? .v2 : nil
    }

    /// Where the service is: `--url`, or what the `juliet dev` of `--data` or of `.juliet` says, or port 8080 here.
    ///
    /// - Throws: A `ValidationError` when no `juliet dev` runs in `--data`.
    package func serviceURL() throws -> String {
        var url = try namedURL()
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }

    /// The help page, under either program's name.
    ///
    /// - Parameter program: What is typed: `juliet play`.
    package static func configuration(commandName: String, program: String) -> CommandConfiguration {
        CommandConfiguration(
            commandName: commandName,
            abstract: "Play the game in this terminal.",
            usage: "\(program) [<options>]",
            discussion: """
                The game is played on the service at --url. Without --url, the service is the running `juliet \
                dev` in --data or in .juliet, or else http://127.0.0.1:8080.

                You have six guesses to find a secret word. After each guess the colours tell you about \
                its letters: green is in the right place, yellow is elsewhere in the word, any other is \
                not in the word. Type a word and press Enter. Backspace removes a letter, ? shows the \
                keys, Ctrl-C leaves.

                If the service has /v2, it judges your guesses. At the first start you make a new \
                player, or sign in with the recovery code of a player that you have in the browser or on \
                another device (--recovery-code reads it from a file). A code works once, and you get a \
                new one: write it down, it signs you in on another device. The menu has the word of the \
                day, games for energy, past days, leagues and challenges with friends, hard mode, \
                energy refills and your statistics. Guesses, games and refills are saved on disk before \
                they are sent, and sent again until the service answers. Each takes effect once.

                With --contract app, or if the service has no /v2, the program speaks the contract of \
                the published app and judges the guesses itself. Press 5 to buy 5 energy, 3 to buy 30. \
                You can finish a game without network: what the service must know (the word, a win, a \
                purchase) waits in a queue on disk and is sent, once and in order, as soon as the \
                service can be reached. Only a new game needs the service, for its word. A guess must be \
                in the list that comes with the program, or in --words. If that list lacks the secret, \
                as with another language, any letters may be guessed.

                A game continues where you left it. Your data are in $XDG_STATE_HOME/juliet, or \
                ~/.local/state/juliet, and only you can read them: the session of /v2 for each service, \
                your id in the app's contract, and the game and queue of each service and id. In the \
                app's contract they include the secret word of your game.

                NO_COLOR does the same as --no-color. The terminal must have at least 32 columns and 13 \
                rows.
                """)
    }

    private func namedURL() throws -> String {
        if let url { return url }
        let file = "\(data ?? ".juliet")/url"
        if let contents = FileManager.default.contents(atPath: file) {
            return String(String(decoding: contents, as: UTF8.self).prefix { !$0.isNewline })
        }
        if let data { throw ValidationError("no `juliet dev` runs in \(data): there is no \(file)") }
        return "http://127.0.0.1:8080"
    }
}
