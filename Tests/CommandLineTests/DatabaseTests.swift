import Foundation
import TestSupport
import Testing

@testable import JulietGame

@Suite("A database that is not as most are", .defaultLayout("about one server's databases"))
struct DatabaseTests {
    @Test(
        "whatever settings it carries, it is migrated, everything happens in it, and nothing is wrong",
        arguments: 0..<DatabaseSettings.rounds)
    func settings(round: Int) async throws {
        let cluster = try await PostgresCluster.shared()
        let database = try await cluster.createDatabase()
        let changed = try await DatabaseSettings.change(database, of: cluster, round: round)
        // The list has names that the server knows.
        #expect(
            changed.isSuperset(of: ["quote_all_identifiers", "standard_conforming_strings", "plpgsql.extra_errors"]))
        let program = Program(database: database, in: cluster)
        func expect(_ arguments: [String], says: String = "") async throws {
            let outcome = try await program.run(arguments)
            #expect(outcome.status == 0, "\(arguments): \(outcome.output) \(outcome.notes)")
            #expect(says.isEmpty || outcome.output.contains(says), "\(arguments): \(outcome.output)")
        }
        try await expect(["migrate", "up"], says: "applied")
        try await program.psql(AuditWorld.script)
        try await expect(["audit"], says: "nothing wrong")
        try await expect(["migrate", "up"], says: "nothing to do")
        try await expect(["migrate", "verify"], says: "files and database agree")
        try await expect(["migrate", "down"])
        try await expect(["migrate", "up"])
        try await expect(["migrate", "status"], says: "up to date")
        try await expect(["audit"], says: "nothing wrong")
        // What was made under these settings is what is made without them.
        _ = try await cluster.psql("ALTER DATABASE \(database.name) RESET ALL")
        try await expect(["migrate", "verify"], says: "files and database agree")
        try await expect(["audit"], says: "nothing wrong")
    }
}
