import Foundation
import TestSupport
import Testing

/// What becomes of the pages' blocks when somebody pastes one by itself, into a shell that has nothing set.
@Suite("A block that is pasted alone", .defaultLayout("starts a server of its own"), .timeLimit(.minutes(2)))
struct PastedBlocksTests {
    /// A block of commands of a page.
    struct Block: CustomTestStringConvertible {
        let page: String
        let line: Int
        let text: String
        /// The heading that it is below.
        let section: Substring
        var testDescription: String { "\(page):\(line)" }
    }

    /// The blocks of all pages.
    private static let blocks: [Block] = {
        let docs = (try? FileManager.default.contentsOfDirectory(atPath: "\(Program.root.path)/docs")) ?? []
        let pages = ["README.md", "CONTRIBUTING.md", "schema/README.md"] + docs.sorted().map { "docs/\($0)" }
        return pages.filter { $0.hasSuffix(".md") }.flatMap { page in
            let text = (try? String(contentsOf: Program.root.appending(path: page), encoding: .utf8)) ?? ""
            return text.matches(of: #/(?ms)^( *)```sh\n(.*?)^ *```$/#).map { found in
                let before = text[..<found.range.lowerBound]
                let lines = found.output.2.split(separator: "\n", omittingEmptySubsequences: false)
                return Block(
                    page: page, line: before.split(separator: "\n", omittingEmptySubsequences: false).count,
                    text: lines.map { String($0.dropFirst(found.output.1.count)) }.joined(separator: "\n"),
                    section: before.matches(of: #/(?m)^## (.*)$/#).last?.output.1 ?? "")
            }
        }
    }()

    /// Whether a text takes a database, or the files of one, from its place.
    private static func destroys(_ text: some StringProtocol) -> Bool {
        let text = String(text)
        return text.contains(
            #/\bdropdb\b|DROP DATABASE|pg_dropcluster|\bpg_restore\b|recovery\.signal|\brm -r|down --volumes/#)
            || text.contains(
                #/\brestore (?:try )?<|/restore(?: |$)|\brun --rm (?:-T )?restore\b|\bmv \S*/var/lib/postgresql/#)
    }

    /// Those that restore or drop. The end of a page about installing is meant to.
    static let dangerous = blocks.filter { destroys($0.text) && $0.section != "Uninstall" }

    /// What stands for the commands of a machine: each notes how it was called, and does nothing. `sudo test` looks, and `restore`
    /// refuses a dump that is empty.
    ///
    /// - Parameter cluster: What is done with a PostgreSQL before that.
    private static func standIn(cluster: String = "") -> String {
        """
        #!/bin/bash
        if [ "${0##*/}" = sudo ]; then
            while :; do case ${1-} in -u) shift 2 ;; -* | *=*) shift ;; *) break ;; esac; done
        fi
        \(cluster)
        case "${0##*/} ${1-}" in
            'sudo test') shift && test "$@"; exit ;;
            'sudo psql') echo f ;;
            'sudo '*/restore) read -r || { echo 'the dump is empty' >&2; exit 1; } ;;
        esac
        echo "${0##*/} $*" >>"${0%/*}/../typed"

        """
    }

    private static let commands = """
        sudo docker juliet psql createdb dropdb dropuser pg_dump pg_restore pg_basebackup pg_ctlcluster pg_dropcluster systemctl
        patronictl etcdctl date rm mv cp ln tar gzip install tee touch cat sed mkdir chmod chown sleep sync xargs find curl
        """.split { $0 == " " || $0 == "\n" }

    /// Pastes a text into a shell that has nothing set, in an empty folder.
    ///
    /// - Returns: What was called, and what the shell said.
    private func paste(_ text: String, cluster: String = "") async throws -> (typed: String, errors: String) {
        let folder = try TemporaryFolder()
        for name in ["bin", "here"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        for command in Self.commands {
            chmod(try folder.write("bin/\(command)", Self.standIn(cluster: cluster)), 0o755)
        }
        let shell = """
            cd "$1/here" && {
                env -i PATH="$1/bin" HOME="$1/here" /bin/bash -c "$2" >../output 2>../errors </dev/null
                touch ../typed
            }
            """
        try await Command.run(["bash", "-c", shell, "bash", folder.path, text])
        let read = { (name: String) in try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8) }
        return (try read("typed"), try read("errors"))
    }

    @Test("restores and drops nothing before it has what it needs, and says what is missing", arguments: dangerous)
    func destruction(block: Block) async throws {
        let (typed, errors) = try await paste(block.text)
        for line in typed.split(separator: "\n") {
            #expect(!Self.destroys(line), "\(line), after\n\(typed)")
        }
        #expect(!errors.isEmpty, "it ends without a word, after\n\(typed)")
    }

    @Test("leaves a PostgreSQL with the game as it was")
    func clusters() async throws {
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        let packaging = Program.root.appending(path: "packaging").path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let variables = ["PGHOST=\(cluster.directory)", "PGPORT=\(cluster.port)", "PGUSER=postgres", "PATH=\(path)"]
        try await Command.run(["env"] + variables + ["\(packaging)/database"])
        try await cluster.psql("CREATE TABLE public.kept AS SELECT 1 AS one", database: "juliet")
        // Some versions put a word at random around what a dump has.
        func dump() async throws -> [Substring] {
            try await Command.run(["env"] + variables + ["pg_dumpall"]).split(separator: "\n")
                .filter { !$0.contains("restrict ") }
        }
        let reached = """
            export \(variables.map { "'\($0)'" }.joined(separator: " "))
            case "${0##*/} $*" in
                'sudo '*/restore*) shift && exec '\(packaging)/restore' "$@" ;;
                'sudo psql'* | 'sudo dropdb'* | 'sudo createdb'* | 'sudo pg_restore'* | 'sudo pg_dump'*) exec "$@" ;;
                'docker compose run '*' restore') exec '\(packaging)/restore' load ;;
                'docker compose run '*' restore swap') exec '\(packaging)/restore' swap ;;
            esac
            """
        let before = try await dump()
        #expect(before.count > 50)
        for block in Self.dangerous {
            let (typed, _) = try await paste(block.text, cluster: reached)
            #expect(try await dump() == before, "\(block.testDescription), after\n\(typed)")
        }
        // The test itself would see it.
        _ = try await paste("sudo -u postgres psql --quiet --command='DROP DATABASE juliet'", cluster: reached)
        #expect(try await dump() != before)
    }

    @Test("the pages have blocks that restore")
    func found() {
        #expect(Self.dangerous.filter { $0.page == "docs/backup.md" }.count >= 4)
    }

    @Test("sets the variables that it uses, or asks for them")
    func variables() {
        #expect(Self.blocks.count > 60)
        for block in Self.blocks {
            // What stands in single quotes is another program's.
            let text = block.text.replacing(#/'[^']*'/#, with: "''")
            let assigned = text.matches(
                of: #/(?m)(?:^|[\s;(&|])(\w+)=|\bfor (\w+) in\b|\bread (?:-\w+ )*(\w+)|\$\{(\w+):\?/#
            ).compactMap { $0.output.1 ?? $0.output.2 ?? $0.output.3 ?? $0.output.4 }
            let used = text.matches(of: #/(?:^|[^\\])\$\{?([A-Za-z_]\w*)/#).map(\.output.1)
            let unset = Set(used).subtracting(assigned).subtracting(["HOME", "PWD", "USER"])
            #expect(unset.isEmpty, "\(block.page):\(block.line)")
        }
    }
}
