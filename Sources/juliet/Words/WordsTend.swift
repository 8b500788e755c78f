import ArgumentParser
import JulietGame

/// `juliet words list`
struct WordsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print words, one a line, sorted.",
        usage: "juliet words list [--secret] [--length <letters>] [--retired] [<options>]")

    @OptionGroup var language: LanguageOption
    @Flag(help: "Only words that games deal.") var secret = false
    @Option(help: ArgumentHelp("Only words with this many letters.", valueName: "letters")) var length: Int?
    @Flag(help: "Print the retired words instead of the others.") var retired = false
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            var filter = WordListRecords.Filter(language: try await language.of(connection))
            filter.onlySecret = secret
            filter.length = length
            filter.isRetired = retired
            var entries: [WordListRecords.Entry] = []
            try await WordListRecords(connection: connection).forEach(filter) { entry in
                if options.json { entries.append(entry) } else { Terminal.print(entry.word) }
            }
            if options.json { Terminal.print(try Terminal.json(entries)) }
        }
    }
}

/// `juliet words retire`
struct WordsRetire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire",
        abstract: "Retire words: no game deals them any more.",
        usage: "juliet words retire <word> ... [<options>]",
        discussion: """
            A player who has the word now can finish the game. Today, the next two days and planned days keep \
            their words. The word stays retired, whatever lists you import, until you run `juliet words restore`.
            """)

    @Argument(help: "Words, in any letter case.") var words: [String]
    @OptionGroup var language: LanguageOption
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await tend(words, language: language, options: options, isRetired: true)
    }
}

/// `juliet words restore`
struct WordsRestore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring retired words back.",
        usage: "juliet words restore <word> ... [<options>]")

    @Argument(help: "Words, in any letter case.") var words: [String]
    @OptionGroup var language: LanguageOption
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await tend(words, language: language, options: options, isRetired: false)
    }
}

/// Retires or restores: all the words, or none when one is unknown.
private func tend(_ texts: [String], language: LanguageOption, options: WordsOptions, isRetired: Bool) async throws {
    try await options.run { connection in
        let language = try await language.of(connection)
        let spelling = WordSpelling(language: language)
        let words = try texts.map { text in
            do { return try spelling.word(text) } catch { throw ValidationError("\(text.quoted) \(error)") }
        }
        let repository = WordListRecords(connection: connection)
        let unknown = try await repository.unknown(words, language: language)
        guard unknown.isEmpty else {
            throw CommandError(
                "not in the lists of \(language): \(unknown.joined(separator: " ")); nothing was changed")
        }
        if !isRetired {
            let blocked = try await repository.blocked(among: words)
            guard blocked.isEmpty else {
                throw CommandError(
                    "blocked: \(blocked.joined(separator: " ")); run juliet words unblock first. Nothing was changed")
            }
        }
        let changed = try await repository.setRetired(isRetired, words, language: language, by: SystemUser.actor)
        let unchanged = Set(words).subtracting(changed).sorted()
        let verb = isRetired ? "retired" : "restored"
        Terminal.print(
            options.json
                ? try Terminal.json([verb: changed, "unchanged": unchanged])
                : WordsReport.tended(changed, unchanged: unchanged, verb: verb))
    }
}

/// `juliet words stats`
struct WordsStats: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Count the words by language and length.",
        usage: "juliet words stats [<options>]")

    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let counts = try await WordListRecords(connection: connection).counts()
            Terminal.print(options.json ? try Terminal.json(counts) : WordsReport.stats(counts))
        }
    }
}
