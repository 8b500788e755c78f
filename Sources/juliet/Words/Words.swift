import ArgumentParser
import EventLoop
import JulietGame
import Postgres

/// `juliet words …`
struct Words: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Manage the word lists.",
        discussion: """
            A list is a text file with one word a line. Blank lines and everything after a # are ignored; \
            letter case, byte order marks and line ends do not matter. Secret words are dealt. Guessable \
            words may be guessed, and every secret is guessable. An imported word is never deleted, only \
            retired: then no game deals it any more. A list of meanings has a word, a tab and a text on each \
            line; players see the text when their game is over.

            Without --language a command means the words of the language that the rules name.

            \(DatabaseOptions.order) Connect as the role that owns the tables, not as the service's.

            Exit status: 0 done, 1 error or something found, 64 wrong usage.
            """,
        subcommands: [
            WordsImport.self, WordsMeanings.self, WordsPlan.self, WordsList.self, WordsCheck.self, WordsRetire.self,
            WordsRestore.self, WordsBlock.self, WordsUnblock.self, WordsStats.self,
        ]
    )
}

/// What every subcommand takes.
struct WordsOptions: ParsableArguments {
    @OptionGroup(title: "Database") var database: DatabaseOptions
    @Flag(help: "Print one JSON document for scripts.") var json = false

    /// Runs the body on a session of a database that has the schema; an error becomes its message and exit status.
    func run(_ body: (PostgresConnection) async throws -> Void) async throws {
        try await run(sessions: 1) { connections in try await body(connections[0]) }
    }

    /// Runs the body on several sessions of a database that has the schema.
    func run(sessions: Int, _ body: ([PostgresConnection]) async throws -> Void) async throws {
        try await reportingErrors {
            let configuration = try database.configuration(applicationName: "juliet")
            let loop = try EventLoop(label: "juliet")
            defer { loop.shutdown() }
            var connections: [PostgresConnection] = []
            do {
                for _ in 0..<sessions { connections.append(try await Self.connect(configuration, on: loop)) }
                try await body(connections)
                for connection in connections { await connection.close() }
            } catch {
                var reason = error
                if let first = connections.first, let locked = await LockedOut(error, on: first) { reason = locked }
                for connection in connections { await connection.close() }
                throw reason
            }
        }
    }

    /// A session of a database that has the schema.
    private static func connect(
        _ configuration: PostgresConfiguration, on loop: EventLoop
    ) async throws -> PostgresConnection {
        let connection = try await PostgresConnection.connect(configuration, on: loop)
        do {
            try await TargetDatabase.checkIsJuliets(connection)
        } catch {
            await connection.close()
            throw error
        }
        return connection
    }

    /// Turns an error into its message, on standard error or as JSON, and its exit status.
    func reportingErrors(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let exit as ExitCode {
            throw exit
        } catch {
            let message = operatorMessage(of: error)
            if json {
                Terminal.print(try Terminal.json(["error": message]))
            } else {
                Terminal.note("error: \(message)")
            }
            throw ExitCode(after: error)
        }
    }
}

/// The language of the words.
struct LanguageOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The language of the words, as an ISO 639 code.", discussion: "Default: the language of the rules.",
            valueName: "code"))
    var language: String?

    func validate() throws { try Self.check(language) }

    /// Refuses what is no code.
    static func check(_ language: String?) throws {
        guard language?.wholeMatch(of: #/[a-z]{2,3}/#) != nil || language == nil else {
            throw ValidationError("--language must be a code of two or three lower-case letters, such as en, de or tr")
        }
    }

    /// The language that the command means.
    func of(_ connection: PostgresConnection) async throws -> String {
        if let language { return language }
        return try await Self.ofRules(connection)
    }

    /// The language of the rules.
    static func ofRules(_ connection: PostgresConnection) async throws -> String {
        let rules = RulesInForce()
        try await rules.read { (read) async throws(PostgresError) in try await connection.execute(read) }
        return rules.current.language
    }
}
