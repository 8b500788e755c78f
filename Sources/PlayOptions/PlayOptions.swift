package import ArgumentParser

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What `juliet play` can be told. Two programs read it: `juliet`, which explains it, and `juliet-play`, which plays.
package struct PlayOptions: ParsableArguments {
    /// What is spoken with the service.
    package enum Contract: String, CaseIterable, ExpressibleByArgument, Sendable {
        /// The service judges, and a player is the same on all devices.
        case v2
        /// The published app's: the program judges, and plays without network too.
        case app
    }

    @Option(help: ArgumentHelp("Where the service is.", valueName: "url"))
    package var url: String?

    @Option(help: ArgumentHelp("The folder of a running `juliet dev`: its service.", valueName: "dir"))
    package var data: String?

    @Option(help: "How to play. Default: v2 where the service has it.")
    package var contract: Contract?

    @Option(help: ArgumentHelp("A file with the recovery code of the player to sign in as.", valueName: "file"))
    package var recoveryCode: String?

    @Option(
        help: ArgumentHelp("Who plays by the app's contract. Default: an id made at the first game.", valueName: "id"))
    package var player: String?

    @Option(help: ArgumentHelp("The service's API key for the app's contract, where it wants one.", valueName: "token"))
    package var key: String?

    @Option(help: ArgumentHelp("The words that may be guessed by the app's contract, one a line.", valueName: "file"))
    package var words: String?

    @Flag(help: "Tell by signs what colours tell: [E] here, (E) elsewhere.")
    package var noColor = false

    package init() {}

    package func validate() throws {
        if url != nil, data != nil { throw ValidationError("--url and --data name two services: give one") }
        if let url, !url.hasPrefix("http://"), !url.hasPrefix("https://") {
            throw ValidationError("--url \(url) is no http:// or https:// URL")
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
    /// - Throws: A `ValidationError` when no `juliet dev` runs on `--data`.
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
                The service is --url, or the running `juliet dev` in --data or in .juliet, or \
                http://127.0.0.1:8080.

                Six guesses for a secret word. Each guess tells of its letters whether they stand \
                there (green), elsewhere (yellow) or not in the word. Type a word and press Enter. \
                Backspace takes a letter back, ? shows the keys, Ctrl-C leaves.

                Where the service has /v2, it judges, and you are the player you are on its page: \
                the first start makes a new player or signs you in with a recovery code (--recovery-code \
                reads it from a file). A code works once, and a new one is shown: write it down, it signs \
                you in on another device. The menu has the word of the day, games for energy, days gone \
                by, hard mode, energy that comes back, and your statistics. Guesses, games and refills \
                are kept on this disk before they are sent, and sent again until the service has \
                answered; each takes effect once.

                With --contract app, or where the service has no /v2, the game speaks the published \
                app's contract. 5 and 3 buy 5 and 30 energy. Without network you can play a game to its end: \
                what the service has to know (the word, a win, a purchase) waits in a queue on \
                this disk and is told, once and in order, as soon as the service is in reach. \
                Only a new game needs the service, for its word. Guesses must be in the list that comes \
                with the program, or in --words. If that lacks the secret, as with another language, any \
                letters may be guessed.

                A game goes on where you left it. What is kept lies in $XDG_STATE_HOME/juliet, or \
                ~/.local/state/juliet, for you alone to read: the session of /v2 for each service, your \
                id in the app's contract, and the game and queue of each service and id. The secret of a \
                game by the app's contract stands there too: do not look.

                NO_COLOR does the same as --no-color. The game needs a terminal of 32×13 at least.
                """)
    }

    private func namedURL() throws -> String {
        if let url { return url }
        let file = "\(data ?? ".juliet")/url"
        if let contents = FileManager.default.contents(atPath: file) {
            return String(String(decoding: contents, as: UTF8.self).prefix { !$0.isNewline })
        }
        if let data { throw ValidationError("no `juliet dev` runs on \(data): there is no \(file)") }
        return "http://127.0.0.1:8080"
    }
}
