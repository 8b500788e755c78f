import ArgumentParser
import JulietGame

/// `juliet words check`
struct WordsCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check word lists, or the words in the database, for mistakes.",
        usage: "juliet words check [<path> ...] [--guessable <file>] [<options>]",
        discussion: """
            Finds secrets that cannot be guessed, words that occur twice when case and Unicode normalisation \
            are ignored, words on the block list, and lines that are not words. With paths it reads files and \
            needs no database. Without paths it reads the words in the database that are not retired, and those \
            of planned days, which stay when they are retired or blocked.

            With --guessable, only the words of that file count as guessable, for example those that a \
            published app accepts. Without --language, files are of English words. Exit status: 0 nothing wrong, 1 error or something found, 64 wrong usage.
            """)

    @Argument(help: ArgumentHelp("Files, or folders of files.", valueName: "path")) var paths: [String] = []
    @OptionGroup var language: LanguageOption
    @Option(help: ArgumentHelp("What the files are for: secret or guessable.", valueName: "kind"))
    var kind: WordListImport.Kind?
    @Option(help: ArgumentHelp("A file of the words that can be guessed.", valueName: "file")) var guessable: String?
    @Option(
        help: ArgumentHelp(
            "The block list.", discussion: "Default: the one that the program carries.", valueName: "file"))
    var blocked: String?
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.reportingErrors {
            // Without a database there are no rules to ask.
            var language = self.language.language ?? "en"
            if paths.isEmpty { try await options.run { language = try await self.language.of($0) } }
            let spelling = WordSpelling(language: language)
            let given = try guessable.map {
                WordListCheck.Guessable.only(try words(of: WordFile(path: $0, kind: .guessable), spelling))
            }
            let blocked = blocked.map { WordFile(path: $0, kind: .guessable) } ?? .blocked
            var check = WordListCheck(
                language: language, blocked: try words(of: blocked, spelling),
                guessable: given ?? (paths.isEmpty ? .all : .listed), keepsKindsApart: !paths.isEmpty)
            var count = 0
            if paths.isEmpty {
                try await options.run { connection in
                    let filter = WordListRecords.Filter(language: language)
                    try await WordListRecords(connection: connection).forEach(filter) { entry in
                        count += 1
                        check.add(entry.word, kind: entry.isSecret ? .secret : .guessable, place: "words")
                    }
                    let plan = DayPlanRecords(connection: connection, actor: SystemUser.actor)
                    for day in try await plan.list() where day.language == language { check.add(day) }
                }
            } else {
                for file in try WordFile.files(paths, kind: kind, of: language) {
                    guard let kind = file.kind else {
                        try checkMeanings(file, spelling)
                        continue
                    }
                    try file.forEachLine { line, word in
                        count += 1
                        check.add(word, kind: kind, place: "\(file.name):\(line)")
                    }
                }
            }
            let findings = check.findings()
            Terminal.print(
                options.json ? try Terminal.json(findings) : WordsReport.checked(findings, words: count))
            if !findings.isEmpty { throw ExitCode.failure }
        }
    }

    /// Refuses a list of meanings with wrong lines.
    private func checkMeanings(_ file: WordFile, _ spelling: WordSpelling) throws {
        do {
            _ = try WordMeanings(reading: [(file.name, try file.reader())], spelling: spelling)
        } catch let refusal as WordListImport.Refusal {
            throw CommandError("\(counted(refusal.count, "line")) wrong\n\(refusal)")
        }
    }

    /// The words of a file; lines that are not words are ignored.
    private func words(of file: WordFile, _ spelling: WordSpelling) throws -> Set<String> {
        var words: Set<String> = []
        try file.forEachLine { _, text in
            if let word = try? spelling.word(text) { words.insert(word) }
        }
        return words
    }
}
