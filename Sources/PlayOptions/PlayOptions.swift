package import ArgumentParser

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What `juliet play` can be told. Two programs read it: `juliet`, which explains it, and `juliet-play`, which plays.
package struct PlayOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where the service is.", valueName: "url"))
    package var url: String?

    @Option(help: ArgumentHelp("The folder of a running `juliet dev`: its service.", valueName: "dir"))
    package var data: String?

    @Option(help: ArgumentHelp("Who plays. Default: an id made at the first game.", valueName: "id"))
    package var player: String?

    @Option(help: ArgumentHelp("The service's API key, where it wants one.", valueName: "token"))
    package var key: String?

    @Option(help: ArgumentHelp("The words that may be guessed, one a line.", valueName: "file"))
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
                http://127.0.0.1:8080. A game costs 5 energy; a new player has 30.

                Six guesses for a secret word. Each guess tells of its letters whether they stand \
                there (green), elsewhere (yellow) or not in the word. Type a word and press Enter. \
                Backspace takes a letter back, 5 and 3 buy 5 and 30 energy, ? shows the keys, \
                Ctrl-C leaves.

                A game goes on where you left it. Without network you can play it to its end: \
                what the service has to know (the word, a win, a purchase) waits in a queue on \
                this disk and is told, once and in order, as soon as the service is in reach. \
                Only a new game needs the service, for its word.

                What is kept lies in $XDG_STATE_HOME/juliet, or ~/.local/state/juliet: your id, \
                and the game and queue of each service and player. The secret of a game stands \
                there too: do not look.

                Guesses must be in the list that comes with the program, or in --words. If that \
                lacks the secret, as with another language, any letters may be guessed.

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
