import Testing

@testable import Migrations

@Suite("Code and a database, compared as values")
struct CodeStateTests {
    private func code(_ body: String = "SELECT 1") throws -> SchemaCode {
        let text = "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS '\(body)';"
        return try SchemaCode(files: [("f.sql", Array(text.utf8))])
    }

    private func installed(_ code: SchemaCode, release: String) -> ReleaseEntry {
        ReleaseEntry(codeChecksum: code.checksum, release: release, version: 1, installedAt: "2026-11-21T03:04:05Z")
    }

    private func state(_ code: SchemaCode, of release: String, _ releases: [ReleaseEntry]) -> CodeState {
        CodeState(code: code, release: release, entries: [], releases: releases, found: [], roles: [])
    }

    @Test("code that was installed before another is older, whatever the releases are called")
    func known() throws {
        let (mine, other) = (try code(), try code("SELECT 2"))
        let releases = [installed(other, release: "1.0.0"), installed(mine, release: "1.0.0")]
        #expect(state(mine, of: "1.0.0", releases).newer == "1.0.0")
        #expect(state(mine, of: "1.0.0", releases).pending.isEmpty)
        #expect(state(other, of: "1.0.0", releases).newer == nil)
    }

    @Test(
        "code that was never installed is older where a higher version is, and newer everywhere else",
        arguments: [
            ("1.0.0", "1.0.1", true), ("1.9.0", "1.10.0", true), ("1.0.0", "2.0.0-beta", true),
            ("1.0.0", "1.0.0", false), ("1.10.0", "1.9.9", false), ("", "", false),
        ])
    func unknown(mine: String, theirs: String, isNewer: Bool) throws {
        let releases = [installed(try code("SELECT 2"), release: theirs)]
        let state = state(try code(), of: mine, releases)
        #expect((state.newer != nil) == isNewer)
        #expect(state.pending.isEmpty == isNewer)
        let file = try Migration(fileName: "0001_m.sql", contents: Array("-- migrate:up\nSELECT 1".utf8))
        let ledger = LedgerEntry(
            version: 1, name: "m", checksum: file.checksum, isBackwardCompatible: false,
            appliedAt: "2026-11-21T03:04:05Z",
            milliseconds: 1, appliedBy: "owner")
        let fitness = SchemaFitness(
            SchemaState(files: [file], ledger: [ledger]), code: try code().checksum, release: mine, releases: releases)
        #expect(fitness == (isNewer ? .readyOnNewer([], release: theirs) : .codeBehind(installed: theirs)))
    }

    @Test("a database without code has everything to come; with this code nothing")
    func plain() throws {
        let code = try code()
        #expect(state(code, of: "1", []).pending.map(\.status) == [.new])
        #expect(!state(code, of: "1", []).isRecorded)
        #expect(state(code, of: "1", [installed(code, release: "1")]).isRecorded)
    }
}
