import EventLoop
import Postgres
import TestSupport
import Testing

@Suite("Errors")
struct ErrorTests {
    @Test("the description has codes and names of the schema, never values nor the server's text")
    func noValues() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                try await connection.executeScript(
                    "CREATE TABLE secrets (id text CONSTRAINT secrets_pkey PRIMARY KEY); INSERT INTO secrets VALUES ('hunter2')"
                )
                do throws(PostgresError) {
                    try await connection.run("INSERT INTO secrets VALUES ($1)", ["hunter2"])
                    Issue.record("a duplicate was accepted")
                } catch {
                    #expect(error.description == "server 23505 (table secrets, constraint secrets_pkey)")
                    #expect("\(error)" == error.description)
                    #expect(error.operatorMessage?.contains("Key (id)=(hunter2)") == true)
                    #expect(error.debugDescription.hasPrefix(error.description))
                    #expect(error.severity == "ERROR")
                }
                do throws(PostgresError) {
                    try await connection.run("SELECT $1::text::int", ["hunter2"])
                    Issue.record("a word was taken for a number")
                } catch {
                    #expect(error.description == "server 22P02")
                }
                do throws(PostgresError) {
                    try await connection.run("SELECT nonsense")
                    Issue.record("nonsense was accepted")
                } catch {
                    #expect(error.description == "server 42703 (position 8)")
                }
            }
        }
    }

    @Test("a configuration does not print its connection string")
    func configuration() {
        let configuration = PostgresConfiguration(connectionString: "postgres://juliet:hunter2@db/juliet")
        #expect(!"\(configuration)".contains("hunter2"))
        #expect(!String(reflecting: configuration).contains("hunter2"))
    }

    @Test("a transaction's error keeps its parts apart and prints no values")
    func transactionError() async throws {
        struct Mine: Error { let secret = "hunter2" }
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                do {
                    try await connection.withTransaction { _ in throw Mine() }
                } catch let error as PostgresTransactionError {
                    #expect(error.body is Mine)
                    #expect(error.rollback == nil)
                    #expect(error.commit == nil)
                    #expect(error.description == "transaction failed (body: Mine)")
                }
            }
        }
    }
}
