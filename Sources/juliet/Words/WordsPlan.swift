import ArgumentParser
import JulietAPI
import JulietGame
import Postgres

/// `juliet words plan`
struct WordsPlan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Plan the words of coming days, instead of leaving them to chance.",
        usage: """
            juliet words plan <path> [--repeat] [--dry-run] [<options>]
            juliet words plan --clear <day> ... [--dry-run] [<options>]
            juliet words plan --list [<options>]
            """,
        discussion: """
            Each line of the file has a day and a word: 2026-12-24 frost. Blank lines and everything after a # \
            are ignored. A day can be planned from the third day after today on, up to 400 days ahead; a \
            planned day can be planned again. The word must be one of the list that the rules name, not a \
            retired one.

            If a line is wrong, the command names it and changes nothing. Players see that a day was planned.
            """)

    @Argument(help: ArgumentHelp("A file, or - for standard input; with --clear, days.", valueName: "path or day"))
    var arguments: [String] = []
    @Flag(name: .customLong("repeat"), help: "Allow the word of another day within a year.") var mayRepeat = false
    @Flag(help: "Give days back to chance.") var clear = false
    @Flag(help: "Print the planned days from today on.") var list = false
    @Flag(help: "Print what would change, and change nothing.") var dryRun = false
    @OptionGroup var options: WordsOptions

    func validate() throws {
        if clear && list { throw ValidationError("--clear and --list cannot be combined") }
        if clear {
            if arguments.isEmpty { throw ValidationError("--clear needs days, such as 2026-12-24") }
            _ = try days()
        } else if list != arguments.isEmpty || arguments.count > 1 {
            throw ValidationError("name a file with days and words, or give --list or --clear")
        }
        if mayRepeat && (clear || list) { throw ValidationError("--repeat is for a file") }
        if dryRun && list { throw ValidationError("--dry-run is for a file, or for --clear") }
    }

    private func days() throws -> [V2.Day] {
        try arguments.map { text in
            guard let day = V2.Day(text) else { throw ValidationError("\(text) is not a day, such as 2026-12-24") }
            return day
        }
    }

    /// The plan of the file, in words as the language of the rules spells them.
    private func plan(_ connection: PostgresConnection) async throws -> DayPlan {
        let spelling = WordSpelling(language: try await LanguageOption.ofRules(connection))
        let file = WordFile(path: arguments[0], kind: nil)
        let plan = try DayPlan(reading: (file.name, try file.reader()), spelling: spelling)
        guard !plan.entries.isEmpty else {
            throw CommandError("\(file.name) has no day and word: write lines such as 2026-12-24 frost")
        }
        return plan
    }

    func run() async throws {
        try await options.run { connection in
            let records = DayPlanRecords(connection: connection, actor: SystemUser.actor)
            if list {
                let planned = try await records.list()
                Terminal.print(options.json ? try Terminal.json(planned) : WordsReport.plan(planned))
                return
            }
            do {
                let change =
                    clear
                    ? try await records.clear(try days(), keeps: !dryRun)
                    : try await records.plan(try await plan(connection), mayRepeat: mayRepeat, keeps: !dryRun)
                Terminal.print(
                    options.json
                        ? try Terminal.json(change) : WordsReport.planned(change, clears: clear, dryRun: dryRun))
            } catch let refusal as WordListImport.Refusal {
                throw CommandError(
                    clear ? "nothing was changed\n\(refusal)" : WordsReport.refused(refusal))
            }
        }
    }
}
