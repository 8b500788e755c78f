import ArgumentParser
import JulietGame
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `juliet users import`
struct UsersImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import players from exports of the old backend's table.",
        usage: "juliet users import <path> ... [--report <file>] [<options>]",
        discussion: """
            Reads the files of DynamoDB's tools as they are: the folder of an export to S3 (gzipped lines, \
            DynamoDB JSON), and what `aws dynamodb scan` prints. Gzip is recognised by its first bytes. JSON \
            lines and arrays with plain values are read as well. If a file is none of these, or the words \
            have not been imported yet, the command prints one line and changes nothing.

            It imports userID, energy, playedWords, userWins and hasMadePurchase. It corrects what the old \
            data allows and the new does not: numbers below 0 or above 1,000,000, fractions, duplicate \
            words, unknown words. An item without a usable userID or number is refused, and the others are \
            imported. --report writes a line of JSON for each item that was changed or not imported: file, line, \
            user, kind, was, now.

            A player who is here already is not changed. So run it again after an interruption: it continues \
            where it stopped.

            Exit status: 0 all items are here, 1 error, or an export ends in the middle, 3 items were \
            refused, 64 wrong usage.
            """)

    @Argument(help: ArgumentHelp("Files, or folders of an export to S3; - is standard input.", valueName: "path"))
    var paths: [String]
    @Option(
        help: ArgumentHelp("A file for the items that were changed or not imported, as JSON lines.", valueName: "file"))
    var report: String?
    @Flag(help: "Overwrite players who were registered here and have done nothing since.")
    var replaceUntouched = false
    @Option(help: ArgumentHelp("The language of the words that they played, as an ISO 639 code.", valueName: "code"))
    var language = "en"
    @OptionGroup var options: WordsOptions

    func validate() throws {
        guard !paths.isEmpty else { throw ValidationError("give files or folders; - is standard input") }
        guard paths.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("standard input can be read only once: give one -")
        }
        try LanguageOption.check(language)
    }

    func run() async throws {
        // Two: one writes while the other waits for the disk.
        try await options.run(sessions: 2) { connections in
            let sources = try LegacyFiles.sources(paths)
            let remarks = try report.map { try RemarkFile(path: $0) }
            var notes = ProgressNotes()
            let users = UserImport(
                connections: connections, language: language, replacesUntouched: replaceUntouched,
                remark: { try remarks?.write($0) }, progress: { summary in notes.note(UsersReport.progress(summary)) })
            let summary = try await users.run(sources)
            try remarks?.finish()
            Terminal.print(
                options.json
                    ? try Terminal.json(UsersReport.Import(summary)) : UsersReport.imported(summary))
            for fault in summary.faults { Terminal.note("error: \(fault)") }
            if report == nil, !summary.kinds.isEmpty { Terminal.note("--report FILE says which items, and why") }
            if !summary.faults.isEmpty { throw ExitCode.failure }
            if summary.refused > 0 { throw ExitCode(3) }
        }
    }
}

/// The report of an import: a line of JSON for each remark. It names players, so only its owner may read it.
private final class RemarkFile {
    private let path: String
    private let file: OutputFile
    private var pending: [UInt8] = []
    private let encoder = JSONEncoder()

    init(path: String) throws {
        self.path = path
        do {
            file = try OutputFile(path: path, permissions: .ownerReadWrite)
        } catch {
            throw CommandError("cannot write \(path)")
        }
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    func write(_ remark: ImportRemark) throws {
        pending.append(contentsOf: try encoder.encode(remark))
        pending.append(UInt8(ascii: "\n"))
        if pending.count > 1 << 16 { try finish() }
    }

    func finish() throws {
        do {
            try file.write(pending)
        } catch {
            throw CommandError("cannot write \(path)")
        }
        pending.removeAll(keepingCapacity: true)
    }
}
