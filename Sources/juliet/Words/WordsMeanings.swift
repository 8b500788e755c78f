import ArgumentParser
import JulietGame

/// `juliet words meanings`
struct WordsMeanings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meanings",
        abstract: "Import or delete what words mean.",
        usage: """
            juliet words meanings <path> ... [--dry-run] [<options>]
            juliet words meanings --clear [--dry-run] [<options>]
            """,
        discussion: """
            Each line of a file has a word, a tab and a text of at most 280 characters, without a line break. \
            Players see it with the word when their game is over. Blank lines and lines that begin with # are \
            ignored. A word that has a meaning already gets the new one; a word that is in no list is skipped.

            If a line is wrong, the command names it and changes nothing.
            """)

    @Argument(help: ArgumentHelp("Files, or - for standard input.", valueName: "path")) var paths: [String] = []
    @Flag(help: "Delete all meanings of the language.") var clear = false
    @OptionGroup var language: LanguageOption
    @Flag(help: "Print what would change, and change nothing.") var dryRun = false
    @OptionGroup var options: WordsOptions

    func validate() throws {
        if clear != paths.isEmpty { throw ValidationError("name files with meanings, or give --clear without files") }
    }

    func run() async throws {
        try await options.run { connection in
            let language = try await language.of(connection)
            if clear {
                let cleared = try await WordListRecords(connection: connection).clearMeanings(
                    language: language, by: SystemUser.actor, keeps: !dryRun)
                Terminal.print(
                    options.json
                        ? try Terminal.json(["cleared": cleared])
                        : WordsReport.cleared(cleared, language, dryRun: dryRun))
                return
            }
            let files = try WordFile.meanings(paths, of: language)
            let lists = WordListImport(
                connection: connection, language: language, prunes: false, actor: SystemUser.actor)
            do {
                let outcome = try await WordFile.run(files, with: lists, keeps: !dryRun)
                Terminal.print(
                    options.json
                        ? try Terminal.json(outcome.meanings) : WordsReport.imported(outcome, dryRun: dryRun))
            } catch let refusal as WordListImport.Refusal {
                throw CommandError(WordsReport.refused(refusal))
            }
        }
    }
}
