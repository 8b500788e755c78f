import Testing

@testable import Migrations

@Suite("A migration's file")
struct MigrationTests {
    static let text = """
        -- Users have a balance.
        -- migrate:backward-compatible
        -- migrate:up
        CREATE TABLE users (id int);
        CREATE INDEX users_idx ON users (id);
        -- migrate:down
        DROP TABLE users;

        """

    @Test("has a number, a name, both ways and its promises")
    func parsed() throws {
        let migration = try Migration(fileName: "0012_create_users.sql", contents: Array(Self.text.utf8))
        #expect(migration.version == 12)
        #expect(migration.name == "create_users")
        #expect(migration.up.map(\.text) == ["CREATE TABLE users (id int)", "CREATE INDEX users_idx ON users (id)"])
        #expect(migration.up.map(\.line) == [4, 5])
        #expect(migration.down?.map(\.text) == ["DROP TABLE users"])
        #expect(migration.down?.first?.line == 7)
        #expect(migration.isTransactional)
        #expect(migration.isBackwardCompatible == true)
        // What sha256sum says of the text.
        #expect(migration.checksum == "c0dab15fbe954fdb9323ddfd8c0c7786a34b36bfbd87fc5418e0c9214a3f5a00")
    }

    @Test("has one checksum whatever its line ends and byte order mark")
    func checksumOfNormalizedText() throws {
        let plain = try Migration(fileName: "0001_a.sql", contents: Array(Self.text.utf8))
        let windows = Self.text.replacing("\n", with: "\r\n")
        let variants = [windows, Self.text.replacing("\n", with: "\r"), "\u{FEFF}" + Self.text, "\u{FEFF}" + windows]
        for variant in variants {
            #expect(try Migration(fileName: "0001_a.sql", contents: Array(variant.utf8)).checksum == plain.checksum)
        }
        let edited = Self.text + "-- one more line"
        #expect(try Migration(fileName: "0001_a.sql", contents: Array(edited.utf8)).checksum != plain.checksum)
    }

    @Test(
        "without a way back is irreversible",
        arguments: ["-- migrate:up\nSELECT 1", "-- migrate:up\nSELECT 1\n-- migrate:down\n-- nothing\n"])
    func irreversible(text: String) throws {
        #expect(try Migration(fileName: "0001_a.sql", contents: Array(text.utf8)).down == nil)
    }

    @Test(
        "says whether services of the release before can run beside it, or does not",
        arguments: [("backward-compatible", true), ("backward-incompatible", false), ("no-transaction", nil)])
    func compatibility(mark: String, expected: Bool?) throws {
        let text = "-- migrate:\(mark)\n-- migrate:up\nSELECT 1;\n"
        #expect(try Migration(fileName: "0001_a.sql", contents: Array(text.utf8)).isBackwardCompatible == expected)
    }

    @Test(
        "is refused by line",
        arguments: [
            ("", "0001_a.sql: no line says -- migrate:up"),
            ("SELECT 1;\n-- migrate:up\nSELECT 1", "0001_a.sql:1: a statement is above migrate:up"),
            ("\n-- migrate:up\n-- migrate:down", "0001_a.sql:2: nothing follows migrate:up"),
            ("-- migrate:down\n-- migrate:up", "0001_a.sql:1: write one migrate:up, then at most one migrate:down"),
            (
                "-- migrate:up\nSELECT 1;\n-- migrate:up",
                "0001_a.sql:3: write one migrate:up, then at most one migrate:down"
            ),
            (
                "-- migrate:up\nSELECT 1;\n-- migrate:backward-compatible",
                "0001_a.sql:3: migrate:backward-compatible holds for the whole file: write it above migrate:up"
            ),
            (
                "-- migrate:backward-compatible\n-- migrate:backward-incompatible\n-- migrate:up\nSELECT 1;",
                "0001_a.sql:2: write either backward-compatible or backward-incompatible, once"
            ),
            (
                "-- migrate:upp\nSELECT 1;",
                "0001_a.sql:1: unknown mark migrate:upp; there are up, down, no-transaction, backward-compatible and backward-incompatible"
            ),
            ("-- migrate:up\nSELECT 'a", "0001_a.sql:2: this quote is never closed"),
            (
                "-- migrate:up\nSELECT 1;\nCOMMIT;",
                "0001_a.sql:3: COMMIT would separate the change from its record: remove it, because juliet migrate begins and ends the transaction"
            ),
            (
                "-- migrate:up\nCOPY t FROM STDIN;",
                "0001_a.sql:2: COPY FROM STDIN finds no data in a migration: use INSERT"
            ),
            (
                "-- migrate:up\nCREATE INDEX CONCURRENTLY i ON t (a);",
                "0001_a.sql:2: CREATE … CONCURRENTLY cannot run in a transaction: "
                    + "give it a file of its own with -- migrate:no-transaction"
            ),
            (
                "-- migrate:no-transaction\n-- migrate:up\nSELECT 1;\nSELECT 2;",
                "0001_a.sql:4: a migrate:no-transaction file holds one statement each way, so it is never half done"
            ),
            (
                "-- migrate:no-transaction\n-- migrate:up\nCREATE INDEX CONCURRENTLY ON t (a);",
                "0001_a.sql:3: name the index, so that what a failed build leaves can be found"
            ),
        ])
    func refused(text: String, message: String) {
        let error = #expect(throws: MigrationFileError.self) {
            try Migration(fileName: "0001_a.sql", contents: Array(text.utf8))
        }
        #expect(error?.description == message)
    }

    @Test("must be UTF-8")
    func encoding() {
        let error = #expect(throws: MigrationFileError.self) {
            try Migration(fileName: "0001_a.sql", contents: [0xFF])
        }
        #expect(error?.description == "0001_a.sql: not UTF-8")
    }

    @Test(
        "has a name that orders it",
        arguments: ["1_a.sql", "0001-a.sql", "0001_A.sql", "0001_.sql", "0000_a.sql", "0001_a.SQL", "a.sql"])
    func names(fileName: String) {
        let error = #expect(throws: MigrationFileError.self) {
            try Migration(fileName: fileName, contents: Array(Self.text.utf8))
        }
        #expect(
            error?.description
                == "\(fileName): not a migration's name, such as 0007_create_wins.sql: four digits, a name in lower case"
        )
    }

    @Test("cannot share its number")
    func duplicateVersions() throws {
        let files = try ["0001_b.sql", "0001_a.sql"].map { (name) throws in
            try Migration(fileName: name, contents: Array(Self.text.utf8))
        }
        let error = #expect(throws: MigrationFileError.self) { try MigrationFolder.ordered(files) }
        #expect(error?.description == "0001_b.sql: has the number of 0001_a.sql: renumber the newer one")
    }
}
