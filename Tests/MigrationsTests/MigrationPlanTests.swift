import Testing

@testable import Migrations

@Suite("A plan follows from files and ledger alone")
struct MigrationPlanTests {
    /// `0001_m1.sql`, `0002_m2.sql`, … with both ways.
    private func file(
        _ version: Int, edited: Bool = false, down: Bool = true, name: String? = nil
    ) throws -> Migration {
        let text =
            "-- migrate:up\nSELECT \(version)\(edited ? " + 1" : "");" + (down ? "\n-- migrate:down\nSELECT 0;" : "")
        return try Migration(fileName: "000\(version)_\(name ?? "m\(version)").sql", contents: Array(text.utf8))
    }

    private func entry(_ version: Int, finished: Bool = true, backwardCompatible: Bool = false) throws -> LedgerEntry {
        LedgerEntry(
            version: version, name: "m\(version)", checksum: try file(version).checksum,
            isBackwardCompatible: backwardCompatible, appliedAt: finished ? "2026-01-01T00:00:00Z" : nil,
            milliseconds: finished ? 1 : nil, appliedBy: "owner")
    }

    private func versions(_ plan: MigrationPlan) -> [Int] { plan.steps.map(\.migration.version) }

    @Test("up applies what is pending, in order, as far as asked")
    func up() throws {
        let state = SchemaState(files: try [file(3), file(1), file(2)], ledger: [try entry(1)])
        #expect(state.lines.map(\.status) == [.applied, .pending, .pending])
        #expect(versions(try .up(state)) == [2, 3])
        #expect(versions(try .up(state, to: 2)) == [2])
        #expect(versions(try .up(state, to: 1)) == [])
        let error = #expect(throws: MigrationPlan.Refusal.self) { try MigrationPlan.up(state, to: 9) }
        #expect(error?.description == "no file is numbered 0009")
    }

    @Test("down takes back the newest first")
    func down() throws {
        let state = SchemaState(files: try [file(1), file(2), file(3)], ledger: try [entry(1), entry(2)])
        #expect(versions(try .down(state)) == [2])
        #expect(versions(try .down(state, count: 2)) == [2, 1])
        #expect(versions(try .down(state, count: 9)) == [2, 1])
        #expect(try MigrationPlan.down(state).steps.first?.statements.map(\.text) == ["SELECT 0"])
    }

    @Test("down stops before a migration without a way back, and before a file that changed")
    func downRefused() throws {
        let irreversible = SchemaState(
            files: try [file(1, down: false)],
            ledger: [
                LedgerEntry(
                    version: 1, name: "m1", checksum: try file(1, down: false).checksum, isBackwardCompatible: false,
                    appliedAt: "2026-01-01T00:00:00Z", milliseconds: 1, appliedBy: "owner")
            ])
        var error = #expect(throws: MigrationPlan.Refusal.self) { try MigrationPlan.down(irreversible) }
        #expect(error?.description == "0001_m1.sql has no -- migrate:down: it cannot be undone")

        let edited = SchemaState(files: try [file(1, edited: true)], ledger: [try entry(1)])
        error = #expect(throws: MigrationPlan.Refusal.self) { try MigrationPlan.down(edited) }
        #expect(
            error?.description
                == "0001_m1: its file was edited after it was applied; restore it, or run juliet migrate repair --accept 1 --migrations FOLDER"
        )
    }

    @Test("other files are known by a text or a number that these do not have, a newer release by neither")
    func otherFiles() throws {
        func shown(_ files: [Migration], _ ledger: [LedgerEntry]) -> [String] {
            SchemaState(files: files, ledger: ledger).ofOtherFiles.map(\.otherFile)
        }
        let ledger = try [entry(1), entry(2), entry(3, backwardCompatible: true)]
        #expect(try shown([file(1), file(2), file(3)], ledger) == [])
        #expect(try shown([file(1), file(2)], ledger) == [])
        #expect(try shown([file(1)], ledger) == [])
        #expect(
            try shown([file(1), file(2, edited: true)], ledger) == [
                "0002_m2: the migration that was applied had another text: its checksum differs",
                "0003_m3: is in the database, and this program has no such file",
            ])
        #expect(try shown([file(1, name: "renamed"), file(2), file(3)], ledger) == ["0001_renamed: was applied as m1"])
        #expect(
            try shown([file(1), file(3)], ledger) == ["0002_m2: is in the database, and this program has no such file"])
    }

    @Test("drift is named, all of it, and nothing runs")
    func drift() throws {
        let state = SchemaState(
            files: try [file(1, edited: true), file(3), file(4, name: "renamed"), file(5)],
            ledger: try [entry(1), entry(2), entry(4), entry(6), entry(7, backwardCompatible: true)])
        #expect(state.lines.map(\.status) == [.edited, .missing, .outOfOrder, .edited, .outOfOrder, .unknown, .newer])
        let error = #expect(throws: MigrationPlan.Refusal.self) { try MigrationPlan.up(state) }
        #expect(
            error?.description == """
                0001_m1: its file was edited after it was applied; restore it, or run juliet migrate repair --accept 1 --migrations FOLDER
                0002_m2: applied, but its file is gone; restore it, or run juliet migrate repair --accept 2 --migrations FOLDER
                0003_m3: older than what is applied; renumber it, or run juliet migrate up --allow-out-of-order
                0004_renamed: was applied as m4; rename the file back, or run juliet migrate repair --accept 4 --migrations FOLDER
                0005_m5: older than what is applied; renumber it, or run juliet migrate up --allow-out-of-order
                0006_m6: applied by a newer release and not marked backward-compatible; use that release
                """)
    }

    @Test("out of order runs when asked for, other drift does not")
    func outOfOrder() throws {
        let state = SchemaState(files: try [file(1), file(2), file(3)], ledger: try [entry(1), entry(3)])
        #expect(versions(try .up(state, allowingOutOfOrder: true)) == [2])
        let edited = SchemaState(files: try [file(2), file(3, edited: true)], ledger: try [entry(3)])
        #expect(throws: MigrationPlan.Refusal.self) { try MigrationPlan.up(edited, allowingOutOfOrder: true) }
    }

    @Test("what a newer release applied and marked backward-compatible is not drift")
    func newerRelease() throws {
        let state = SchemaState(files: [try file(1)], ledger: try [entry(1), entry(2, backwardCompatible: true)])
        #expect(state.lines.map(\.status) == [.applied, .newer])
        #expect(versions(try .up(state)) == [])
    }

    @Test("an interrupted statement outside a transaction is pending again")
    func interrupted() throws {
        let state = SchemaState(files: try [file(1), file(2)], ledger: try [entry(1), entry(2, finished: false)])
        #expect(state.lines.map(\.status) == [.applied, .interrupted])
        #expect(state.drift.isEmpty)
        #expect(versions(try .up(state)) == [2])
    }
}
