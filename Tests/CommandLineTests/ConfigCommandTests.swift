import TestSupport
import Testing

@testable import juliet

@Suite("juliet config and juliet serve", .defaultLayout("starts servers of its own"))
struct ConfigCommandTests {
    @Test(
        "refuse the same settings, in the same words",
        arguments: [
            ("JULIET_HTTP_BASE_PATH", "/a b"), ("JULIET_HTTP_HOST", ""), ("JULIET_HTTP_PORT", "80 80"),
            ("JULIET_AUTH_TOKENS", ","), ("JULIET_DATABASE_URL", "postgres://["), ("JULIET_GAME_LANGUAGE", "English"),
            ("JULIET_PORT", "8080"), ("JULIET_AUTH_TOKENS_FILE", "/nowhere"),
            ("JULIET_PURCHASES_VERIFICATION", "required"), ("JULIET_PURCHASES_PRODUCTS", "five"),
            ("JULIET_PURCHASES_ROOT_CERTIFICATES", "/nowhere"),
        ])
    func agreement(name: String, value: String) async throws {
        let program = try await Program()
        let config = try await program.run(["config"], environment: [name: value])
        let serve = try await program.run(["serve"], environment: [name: value])
        // What systemd does not start again.
        #expect(config.status == 78 && config.output.isEmpty)
        #expect(serve.status == 78)
        #expect(config.notes.hasPrefix("error: "))
        #expect(config.notes.split(separator: "\n").count == 1)
        #expect(serve.notes == config.notes)
    }

    @Test("a base path without its slash is one, for both")
    func basePath() async throws {
        let program = try await Program()
        let environment = ["JULIET_HTTP_BASE_PATH": "prod/"]
        let config = try await program.run(["config"], environment: environment)
        #expect(config.status == 0)
        #expect(config.output.contains("http.basePath = /prod\n"))
        // It comes as far as the database, which has no schema.
        let serve = try await program.run(["serve", "--port", "0"], environment: environment)
        #expect(serve.status == 1)
        #expect(serve.notes.contains("the database has no schema yet: run juliet migrate up"))
    }

    @Test("what systemd reads for an instance is read as systemd does, and no variable of the shell")
    func instance() async throws {
        let program = try await Program.migrated()
        let folder = try TemporaryFolder()
        let settings = try folder.write("juliet.json", #"{"energy": {"price": 7}}"#)
        let database = program.cluster.connectionString(database: program.database)
        try folder.write(
            "juliet.env",
            """
            # DATABASE_URL=nowhere
            DATABASE_URL='\(database)'
            JULIET_LOG_SALT="a\\$HOME $(exit 1) 'b'"
            JULIET_WEB_ALLOWED_ORIGINS=https://example.com,\\
            https://example.org
            export JULIET_WEB_ENABLED=false
            JULIET_ENERGY_START=40
            """)
        try folder.write("juliet-8080.env", "JULIET_ENERGY_START = 50  \n; JULIET_ADMIN_PORT=1\n")
        let shell = [
            "DATABASE_URL": "host=/nowhere", "JULIET_ENERGY_MAXIMUM": "60", "JULIET_UNKNOWN": "1", "PGHOST": "/nowhere",
        ]
        let instance = ["--config", settings, "--instance"]
        var outcome = try await program.run(["config"] + instance + ["8080"], environment: shell)
        #expect(outcome.status == 0, "\(outcome.notes)")
        #expect(outcome.notes == "\(folder.path)/juliet.env: systemd ignores 'export JULIET_WEB_ENABLED'")
        for line in [
            "http.port = 8080", "http.socket = systemd", "http.shutdownNotice = 2s", "energy.start = 50",
            "energy.price = 7",
            "energy.maximum = 1000000", "admin.port = 9090", "web.enabled = true",
            "web.allowedOrigins = https://example.com,https://example.org",
        ] {
            #expect(outcome.output.contains("\(line)\n"), "\(line)")
        }
        outcome = try await program.run(["config"] + instance + ["8081"], environment: shell)
        #expect(outcome.output.contains("energy.start = 40\n") && outcome.output.contains("http.port = 8081\n"))

        // postinst asks so whether the new release may take over.
        outcome = try await program.run(["migrate", "status"] + instance + ["8080"], environment: shell)
        #expect(outcome.status == 0 && outcome.output.hasSuffix("up to date"), "\(outcome.notes)")
        // libpq reads its own variables.
        try folder.write("juliet-8081.env", "DATABASE_URL=\nPGHOST=/nowhere/at-all\n")
        outcome = try await program.run(["migrate", "status"] + instance + ["8081"], environment: shell)
        #expect(outcome.status == 1 && outcome.notes.contains("/nowhere/at-all"), "\(outcome.notes)")
    }

    @Test(
        "a file of variables says what systemd takes from it",
        arguments: [
            ("A=b", ["A": "b"]), ("  A =  b c \t\n", ["A": "b c"]), ("A=b\r\nC=d", ["A": "b", "C": "d"]),
            ("A=\nB", ["A": ""]), ("A=1\nA=2", ["A": "2"]), ("#A=b\n;A=c\n # d\n", [:]), ("A=b # c", ["A": "b # c"]),
            ("A='b \"$c\\'", ["A": #"b "$c\"#]), ("A='b' 'c'd", ["A": "bcd"]), ("A=b'c'", ["A": "b'c'"]),
            (#"A="b\"\$c\d'e`""#, ["A": #"b"$c\d'e`"#]), ("A=b\\\n c", ["A": "b c"]),
            ("A=\"b\\\nc\nd\"", ["A": "bc\nd"]),
            (#"A=\'b\ "#, ["A": "'b "]), ("A= b \\\n", ["A": "b "]), ("# b\\\nA=c", ["A": "c"]),
            ("1A=b\nA-B=c\nexport A=d\n=e", [:]), ("A='b\nc", ["A": "b\nc"]),
        ])
    func environmentFile(text: String, variables: [String: String]) {
        #expect(EnvironmentFile(text).variables == variables)
    }

    @Test("the version is the program's, one line")
    func version() async throws {
        let outcome = try await Program().run(["--version"])
        #expect(outcome.status == 0)
        #expect(outcome.output.wholeMatch(of: #/\d+\.\d+\.\d+/#) != nil)
    }
}
