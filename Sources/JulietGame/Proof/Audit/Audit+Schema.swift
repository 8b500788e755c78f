import Migrations
import Postgres

// The database itself: its guards exist and are unaltered, there are no foreign objects, and nobody has more rights than granted.

extension Audit {
    /// Every fault of the schema, of rights and of migrations.
    func schemaFindings() async throws(PostgresError) -> [AuditFinding] {
        let (guards, rights, foreign, ledger) = try await connection.inTransaction(Self.snapshot) {
            () async throws(PostgresError) in
            let guards = try await SchemaGuards.faults { (read) async throws(PostgresError) in
                try await connection.execute(read)
            }
            let rights = try await SchemaGuards.excessRights(of: .service) { (read) async throws(PostgresError) in
                try await connection.execute(read)
            }
            return (
                guards, rights, try await connection.execute(FindForeignObjects()),
                try await connection.execute(ReadMigrations())
            )
        }
        func finding(_ kind: String, _ fault: String, _ remedy: String) -> AuditFinding {
            AuditFinding(part: .schema, kind: "schema.\(kind)", userID: nil, record: nil, fault: fault, remedy: remedy)
        }
        let drop = "find out who made or changed it, then DROP it or change it back (ALTER)"
        let state = SchemaState(files: Schema.migrations, ledger: ledger)
        let excess = (rights ?? []).map {
            finding("rights", $0, "take the right away: REVOKE, ALTER ROLE or DROP, as the fault needs")
        }
        let others = state.ofOtherFiles
        // What else differs from this program's files is as the other files have it, and no command of this one mends it.
        guard others.isEmpty else {
            return others.map {
                finding(
                    "migrations", $0.otherFile,
                    "this program did not make the database: `juliet migrate verify` says more")
            } + excess
        }
        let drift = state.lines.filter { $0.status.isDrift || $0.status.isPending }.map { line in
            line.status.isDrift
                ? finding("migrations", line.driftDescription, "`juliet migrate verify` says more")
                : finding("migrations", "\(line.title): not applied", "run `juliet migrate up`")
        }
        let broken = guards.map { (fault: String) -> AuditFinding in
            if fault.hasSuffix("is not part of Juliet") || fault.hasSuffix("also exists in another form") {
                return finding("foreign", fault, drop)
            }
            if fault.hasPrefix("row security") {
                return finding("promises", fault, "switch it off: ALTER TABLE … DISABLE ROW LEVEL SECURITY")
            }
            let isCode = ["the function", "the trigger", "juliet_service"].contains { fault.hasPrefix($0) }
            return finding(
                "promises", fault,
                isCode
                    ? "run `juliet migrate up`: it puts functions, triggers and rights back"
                    : "change it back as the migrations have it (ALTER), or restore the whole database, at once")
        }
        return drift + broken + excess + foreign.map { finding("foreign", $0, drop) }
    }
}
