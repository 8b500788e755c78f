import Foundation
import Postgres
import TestSupport
import Testing

@testable import JulietGame
@testable import juliet

/// Something that somebody does to the records by hand, and what the audit says of it. A new kind of record adds its own
/// here: a row in the table of its part.
struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The kind of the finding.
    let kind: String
    /// What the finding names: a part of its line.
    let names: String
    /// What a superuser does, with triggers off.
    let sql: String
    /// What takes it back; nil: the rows are put back as they were.
    let undo: String?

    init(_ what: String, _ sql: String, _ kind: String, _ names: String = "", undo: String? = nil) {
        testDescription = what
        self.sql = sql
        self.kind = kind
        self.names = names
        self.undo = undo
    }

    /// A part of the audit that finds it.
    var part: Audit.Part? { Audit.Part(rawValue: String(kind.prefix { $0 != "." })) }
}

/// Who is in the world.
enum Someone {
    static let ada = "6ed8320e-51c1-8a06-b8b0-2ca148cbfb91"
    static let bob = "6ed8320e-51c1-8a06-b8b0-2ca148cbfb92"
    static let cleo = "6ed8320e-51c1-8a06-b8b0-2ca148cbfb93"
    /// Was merged into Eve.
    static let dora = "6ed8320e-51c1-8a06-b8b0-2ca148cbfb94"
    static let eve = "6ed8320e-51c1-8a06-b8b0-2ca148cbfb95"
}

/// A database in which everything has happened once, for damage to be done to.
actor AuditWorld {
    static let shared = Task { try await AuditWorld() }

    nonisolated let program: Program

    private init() async throws {
        program = try await Program.migrated()
        try await program.psql(Self.script)
        try await program.psql(
            """
            DO $$ BEGIN CREATE ROLE audit_somebody; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
            CREATE SCHEMA saved;
            DO $$ DECLARE name text; BEGIN
                FOR name IN SELECT relname FROM pg_class
                    WHERE relnamespace = 'juliet'::regnamespace AND relkind = 'r' LOOP
                    EXECUTE format('CREATE TABLE saved.%I AS TABLE juliet.%I', name, name);
                END LOOP;
            END $$
            """)
    }

    /// What an audit of these parts finds.
    nonisolated func audit(
        _ parts: Set<Audit.Part> = Set(Audit.Part.allCases), since: String? = nil
    ) async throws -> [AuditFinding] {
        try await program.findings(parts, since: since)
    }

    nonisolated func harm(_ damage: Damage) async throws {
        try await program.harm(damage.sql)
    }

    /// Takes a damage back.
    nonisolated func mend(_ damage: Damage) async throws {
        if let undo = damage.undo {
            try await program.harm(undo)
            return
        }
        try await program.psql(
            """
            SET session_replication_role = replica;
            DO $$ DECLARE name text; columns text; is_changed bool; BEGIN
                FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'saved'::regnamespace LOOP
                    SELECT string_agg(quote_ident(attname), ', ') INTO columns FROM pg_attribute
                    WHERE attrelid = format('saved.%I', name)::regclass AND attnum > 0;
                    -- Dead rows would make each audit slower than the one before.
                    EXECUTE format('SELECT (SELECT array_agg(r ORDER BY r) FROM (SELECT ROW(%2$s)::text AS r FROM juliet.%1$I) a)
                        IS DISTINCT FROM (SELECT array_agg(r ORDER BY r) FROM (SELECT ROW(%2$s)::text AS r FROM saved.%1$I) b)',
                        name, columns) INTO is_changed;
                    CONTINUE WHEN NOT is_changed;
                    EXECUTE format('DELETE FROM juliet.%I', name);
                    EXECUTE format('INSERT INTO juliet.%I (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM saved.%I',
                        name, columns, columns, name);
                END LOOP;
            END $$
            """)
    }
}
