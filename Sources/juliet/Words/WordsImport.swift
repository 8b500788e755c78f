import ArgumentParser
import JulietGame

/// `juliet words import`
struct WordsImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import word lists.",
        usage: "juliet words import [<path> ...] [--prune] [--dry-run] [<options>]",
        discussion: """
            Without a path it imports the lists that come with the program: English words of five letters with \
            their meanings, or German words.

            It imports all lists in one transaction and prints what changed. Importing the same lists again \
            changes nothing. If a line is not a word, or a secret cannot be guessed, the command names the line \
            and changes nothing.

            The name of a list says what it is for (english-secret.txt, english-guessable.txt, \
            english-meanings.txt), or --kind does. If you name a folder, its lists of that language are imported.

            A word that was retired because no list named it comes back when a list names it. A word that \
            `juliet words retire` retired stays retired.
            """)

    @Argument(help: ArgumentHelp("Files, or folders of files.", valueName: "path")) var paths: [String] = []
    @OptionGroup var language: LanguageOption
    @Option(help: ArgumentHelp("What the lists are for: secret or guessable.", valueName: "kind"))
    var kind: WordListImport.Kind?
    @Flag(help: "Print what would change, and change nothing.") var dryRun = false
    @Flag(help: "Retire words that the lists no longer name, if the lists have words of that length.") var prune = false
    @OptionGroup var options: WordsOptions

    func validate() throws {
        if paths.isEmpty, kind != nil { throw ValidationError("--kind says what files are for: name the files") }
        if paths.isEmpty, let code = language.language, WordFile.languages[code] == nil {
            throw ValidationError(Self.notCarried(code))
        }
    }

    private static func notCarried(_ language: String) -> String {
        let carried = WordFile.languages.keys.sorted().joined(separator: " and ")
        return "the program has words of \(carried) only: name files of \(language)"
    }

    func run() async throws {
        try await options.run { connection in
            let language = try await language.of(connection)
            let files = try paths.isEmpty ? WordFile.carried(language) : WordFile.files(paths, kind: kind, of: language)
            guard !files.isEmpty else { throw CommandError(Self.notCarried(language)) }
            let lists = WordListImport(
                connection: connection, language: language, prunes: prune, actor: SystemUser.actor,
                progress: { name, lines in Terminal.note("\(name): \(grouped(lines)) lines read") })
            do {
                let outcome = try await WordFile.run(files, with: lists, keeps: !dryRun)
                Terminal.print(
                    options.json ? try Terminal.json(outcome) : WordsReport.imported(outcome, dryRun: dryRun))
            } catch let refusal as WordListImport.Refusal {
                throw CommandError(WordsReport.refused(refusal))
            }
        }
    }
}
