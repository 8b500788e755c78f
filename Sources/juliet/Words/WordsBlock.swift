import ArgumentParser
import JulietGame

/// `juliet words block`
struct WordsBlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Block words: no list deals them, and no player can choose them for a challenge.",
        usage: """
            juliet words block <word> ... [--reason <text>] [<options>]
            juliet words block --list [<options>]
            """,
        discussion: """
            A word is blocked in every language, letter for letter, in small letters as English has them. It is retired \
            in all lists, as `juliet words retire` does it, and stays retired when you import lists. Challenges \
            that have been made go on.

            Every release blocks slurs and vulgar words of its own; --list prints the words that operators have added.
            """)

    @Argument(help: "Words of 4 to 8 letters, in any letter case.") var words: [String] = []
    @Flag(help: "Print the words that operators have blocked.") var list = false
    @OptionGroup var why: OptionalReason
    @OptionGroup var options: WordsOptions

    func validate() throws {
        if list != words.isEmpty { throw ValidationError("name words to block, or give --list") }
        if list && why.reason != nil { throw ValidationError("--reason is for words") }
    }

    func run() async throws {
        guard list else { return try await tend(words, because: why.reason, options: options, isBlocked: true) }
        try await options.run { connection in
            let blocked = try await WordListRecords(connection: connection).blocked()
            try Terminal.print(blocked, asJSON: options.json, orNote: "no words were added") { blocked in
                Terminal.table([["word", "reason"]] + blocked.map { [$0.word, $0.reason ?? ""] })
            }
        }
    }
}

/// `juliet words unblock`
struct WordsUnblock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Take back that words were blocked.",
        usage: "juliet words unblock <word> ... [--reason <text>] [<options>]",
        discussion: """
            Players can choose the words again. In lists they stay retired until you run `juliet words restore`. \
            Words that the release blocks stay blocked.
            """)

    @Argument(help: "Words, in any letter case.") var words: [String]
    @OptionGroup var why: OptionalReason
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await tend(words, because: why.reason, options: options, isBlocked: false)
    }
}

/// Why something is done, if somebody says so.
struct OptionalReason: ParsableArguments {
    @Option(help: ArgumentHelp("Why, for the audit trail.", valueName: "text")) var reason: String?

    func validate() throws { if let reason { try ReasonOption.check(reason) } }
}

/// Blocks words or takes that back: all the words, or none when one is not a word.
private func tend(_ texts: [String], because reason: String?, options: WordsOptions, isBlocked: Bool) async throws {
    try await options.run { connection in
        let spelling = WordSpelling(language: "", takesAnyLetters: true)
        let words = try texts.map { text in
            do { return try spelling.word(text) } catch { throw ValidationError("\(text.quoted) \(error)") }
        }
        let records = WordListRecords(connection: connection)
        if !isBlocked {
            let own = Set(try await records.blocked().map(\.word))
            let carried = try await records.blocked(among: words).filter { !own.contains($0) }
            guard carried.isEmpty else {
                throw CommandError("every release blocks \(carried.joined(separator: " ")); nothing was changed")
            }
        }
        let changed = try await records.setBlocked(isBlocked, words, because: reason, by: SystemUser.actor)
        let unchanged = Set(words).subtracting(changed).sorted()
        let verbs = isBlocked ? ("blocked", "already blocked") : ("unblocked", "not blocked")
        Terminal.print(
            options.json
                ? try Terminal.json([verbs.0: changed, "unchanged": unchanged])
                : WordsReport.tended(changed, unchanged: unchanged, verbs))
    }
}
