import ArgumentParser
import EventLoop
import JulietGame
import JulietServer
import Logging
import Migrations
import Postgres

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `juliet dev`
struct Dev: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run everything on this machine: a private database, its schema, the words, the service.",
        discussion: """
            The database is a private PostgreSQL cluster in the data folder, reached through a Unix socket \
            there. No other server on this machine is touched. The data stay when you stop, and the next \
            start continues with them. To start over, delete the folder.

            With --lan, phones and computers in your network can play. The command prints the address to \
            open and, on a terminal, a QR code of it.

            With --deal, every game gets that word, so that examples and tests of clients know it. The \
            word of the day and challenges are not affected. The next start without --deal deals all words \
            again.

            If you start it as root, the cluster runs as the account postgres, because PostgreSQL refuses to \
            run as root. If that account cannot reach the folder, as in root's home, the cluster's files are \
            in /var/lib/juliet-dev. If you delete the folder, the next start deletes them.

            Ctrl-C stops the service, then the database. After a kill -9, just start it again.
            """)

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var file: SettingsFileOption

    @Option(help: ArgumentHelp("The folder of the database and its log.", valueName: "dir"))
    var data = ".juliet"

    @Flag(help: "Listen on all addresses, so that other devices in your network can play.")
    var lan = false

    @Option(help: ArgumentHelp("Deal this word to every game.", valueName: "word"))
    var deal: String?

    func validate() throws {
        if lan, settings.host != nil {
            throw ValidationError("--lan listens on all addresses of this machine: leave --host out")
        }
    }

    func run() async throws {
        try await reportingErrors {
            let network = try lan ? networkAddress() : nil
            let folder = try DataFolder(path: data)
            let lock = try folder.lock()
            var isRefused = true
            defer {
                try? FileManager.default.removeItem(atPath: folder.url)
                if isRefused { folder.discard() }
                lock.release()
            }
            let cluster = try await LocalCluster(folder: folder)
            // Everything that can fail without a database is done before one is started.
            let settings = try load(cluster)
            let deal = try word(of: settings.rules)
            let log = ServiceLog(settings.log)
            defer { log.close() }
            let example = Locked("")
            let service = Serve.server(settings, log, keyCommand: command("admin keys add NAME --role owner")) {
                listening in
                let port = listening.port
                let address = "\(listening.address)"
                // What stands for all addresses is none that can be opened.
                let isOpen = address.hasPrefix("0.0.0.0:") || address.hasPrefix("[::]:")
                let here = isOpen ? "127.0.0.1:\(port)" : address
                let url = "http://\(here)\(settings.basePath)"
                try? "\(url)\n".write(toFile: folder.url, atomically: true, encoding: .utf8)
                let shared = network.map { "http://\($0):\(port)\(settings.basePath)/" }
                let guess = example.withLock { $0 }
                Terminal.note(welcome(url, shared, listening.adminPage, settings, cluster, guess))
            }
            try await service.checkAddress()
            isRefused = false
            try await cluster.start(lock) { Terminal.note($0) }
            do {
                let guess = try await prepare(cluster, settings.rules, deal)
                example.withLock { $0 = guess }
                try await service.run()
                // Writes its log lines before the next messages.
                log.close()
            } catch {
                await cluster.stop()
                throw error
            }
            Terminal.note("stopping PostgreSQL")
            await cluster.stop()
        }
    }

    /// The settings, on this folder's database, whatever database the shell's variables name.
    private func load(_ cluster: LocalCluster) throws -> Settings {
        let database = DatabaseOptions.flags(
            cluster.connectionString(user: LocalCluster.serviceRole), "juliet dev")
        // It tells a URL, also to the other commands.
        let listening = [("http.socket", "", "juliet dev")] + (lan ? [("http.host", "0.0.0.0", "--lan")] : [])
        let flags = settings.flags + listening + database
        let (environment, file) = (ProcessInfo.processInfo.environment, try file.load())
        let given = try Settings(flags: flags, environment: environment, file: file)
        // Browsers offer passkeys at a name only, and without HTTPS only at this one. A port that is not chosen yet has none.
        guard given.accounts.relyingParty == nil, given.port != 0 else { return given }
        let origin = ("accounts.origin", "http://localhost:\(given.port)", "juliet dev")
        return try Settings(flags: flags + [origin], environment: environment, file: file)
    }

    /// The word of --deal, as the language of the rules spells it.
    private func word(of rules: GameRules) throws -> String? {
        guard let deal else { return nil }
        do {
            let word = try WordSpelling(language: rules.language).word(deal)
            guard word.count == rules.wordLength else {
                throw ValidationError("--deal: words of games have \(rules.wordLength) letters here (game.wordLength)")
            }
            return word
        } catch let fault as WordSpelling.Fault {
            throw ValidationError("--deal: the word \(fault)")
        }
    }

    /// Brings the database into the state that the service needs.
    ///
    /// - Returns: A word to guess first.
    private func prepare(_ cluster: LocalCluster, _ rules: GameRules, _ deal: String?) async throws -> String {
        let loop = try EventLoop(label: "juliet dev")
        defer { loop.shutdown() }
        let owner = PostgresConfiguration(connectionString: cluster.connectionString(user: LocalCluster.ownerRole))
        let runner = MigrationRunner(
            connect: { () async throws(PostgresError) in try await PostgresConnection.connect(owner, on: loop) },
            options: Schema.runnerOptions(release: Release.version),
            report: { event in MigrateReport.note(event).map(Terminal.note) })
        _ = try await OtherFiles.refused(by: runner, folder: data) {
            try await runner.up(Schema.migrations, code: Schema.code)
        }
        return try await withSession(owner) { connection in
            // English is also what the published app plays.
            for language in Set(["en", rules.language]).sorted() {
                try await importWords(of: language, into: connection)
            }
            let records = RulesRecords(connection: connection, actor: SystemUser.actor)
            let applied = try await records.apply(rules, GameRules.Key.allCases)
            if !applied.changes.isEmpty || applied.listStart != nil {
                Terminal.note(RulesReport.changes(applied, rules, isDryRun: false))
            }
            try await NameRecords(connection: connection).refreshShipped()
            let words = WordListRecords(connection: connection)
            try await chooseWords(words, rules, deal)
            return try await words.exampleGuess(of: rules.list) ?? ""
        }
    }

    /// Makes games deal all words, or the one of --deal.
    private func chooseWords(_ words: WordListRecords, _ rules: GameRules, _ word: String?) async throws {
        try await words.dealAll()
        guard let word else { return }
        guard try await words.deal(only: word, language: rules.language) else {
            throw CommandError(
                "--deal: games do not deal \(word). To see the words that they deal, start without --deal and run \(command("words list --secret"))"
            )
        }
        Terminal.note("every game gets the word \(word)")
    }

    /// Imports the words of a language when it has none. Afterwards the operator maintains the lists.
    private func importWords(of language: String, into connection: PostgresConnection) async throws {
        guard try await connection.first(FindWord(language: language)) == nil else { return }
        let files = WordFile.carried(language)
        guard !files.isEmpty else { return }
        let lists = WordListImport(connection: connection, language: language, prunes: false, actor: SystemUser.actor)
        Terminal.note(WordsReport.imported(try await WordFile.run(files, with: lists), dryRun: false))
    }

    private func networkAddress() throws -> String {
        guard let address = LocalNetwork.address() else {
            throw CommandError(
                "this machine is in no network: join one, or leave --lan out to play on this machine alone")
        }
        return address
    }

    /// What can be done now. Each command runs as it is printed, in the folder where this one was started.
    ///
    /// - Parameters:
    ///   - url: The service, from this machine.
    ///   - shared: The page, from other machines of the network; nil: they do not reach it.
    ///   - guess: A word that can be guessed.
    private func welcome(
        _ url: String, _ shared: String?, _ adminPage: String?, _ settings: Settings, _ cluster: LocalCluster,
        _ guess: String
    ) -> String {
        // Where browsers offer passkeys.
        let local = url.replacing("http://127.0.0.1:", with: "http://localhost:")
        let page = settings.web.isEnabled ? "Play it in a browser: \(shared ?? "\(local)/")\n" : ""
        let network = shared.map { invitation($0) + "\n" } ?? ""
        let admin = adminPage.map {
            """
            For operators: \($0). Make a key to sign in with:

              \(command("admin keys add YOUR-NAME --role owner"))


            """
        }
        return """

            \(page)\(network)Juliet is ready at \(url)
            Data: \(cluster.home)   psql: psql \(Invocation.quoted(cluster.connectionString(user: LocalCluster.ownerRole)))

            A first game and its first guess, to paste:

              TOKEN=$(curl -s \(url)/v2/players -d '{"name":"Ada"}' | grep -o 'jt_[^"]*')
              GAME=$(curl -s -X POST \(url)/v2/games -H "Authorization: Bearer $TOKEN" | cut -d '"' -f 6)
              curl -s \(url)/v2/games/$GAME/guesses -H "Authorization: Bearer $TOKEN" -d '{"word":"\(guess)"}'; echo

            Or play here, in another terminal:

              \(command("play"))\(settings.keys.isEmpty ? "" : " --key FILE-WITH-KEY")

            \(admin ?? "")Ctrl-C stops everything.

            """
    }
}

extension Dev {
    /// Another command on this folder, as it can be typed where this one was.
    private func command(_ words: String) -> String {
        "\(Invocation.program) \(words) --data \(Invocation.quoted(data))"
    }

    /// How others in the network get to the page.
    private func invitation(_ page: String) -> String {
        let code = isatty(STDERR_FILENO) == 1 ? QRCode(page).map { "\n\($0.terminalText)\n" } ?? "" : ""
        return """
            \(code)
            Everybody at home can play: on a phone, a tablet or a computer that is in the same network as this one, such as your
            Wi-Fi, open the address above\(code.isEmpty ? "" : " or scan the code"). If the page does not open, a firewall on this computer blocks it, or the
            other device is in a guest Wi-Fi, which is separate from your network.

            The address begins with http, so nothing is encrypted: others in your network could read what is sent. Passkeys need
            https, and so does opening the game while offline. "In the house" in \(Invocation.page("https.md")) shows how.

            """
    }
}

/// A row if there are words of a language.
private struct FindWord: Statement {
    var sql: StaticString { "SELECT 1 FROM juliet.words WHERE language = $1 LIMIT 1" }
    var access: StatementAccess { .read }
    typealias Row = NoRow

    let language: String

    func bind(to parameters: inout Parameters) { parameters.append(language) }
}
