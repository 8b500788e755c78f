import TestSupport
import Testing

@Suite("juliet config and juliet serve")
struct ConfigCommandTests {
    @Test(
        "agree on what is no setting, in the same words",
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
        #expect(config.status == 1 && config.output.isEmpty)
        #expect(serve.status == 1)
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

    @Test("the version is the program's, one line")
    func version() async throws {
        let outcome = try await Program().run(["--version"])
        #expect(outcome.status == 0)
        #expect(outcome.output.wholeMatch(of: #/\d+\.\d+\.\d+/#) != nil)
    }
}
