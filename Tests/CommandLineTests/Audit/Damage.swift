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

    /// The token of somebody's first session, in SQL, as functions take it.
    static func token(_ name: String) -> String {
        let place = ["ada", "bob", "cleo", "dora", "eve", "fay", "gus"].firstIndex(of: name) ?? 0
        return "sha256('\(name)') || '6ed8320e-51c1-8a06-b8b0-2ca148cbfb9\(place + 1)'::bytea"
    }
}

/// A database in which everything has happened once, for damage to be done to.
struct AuditWorld: Sendable {
    let program: Program

    /// Lends a world to a test. Nobody else has it meanwhile.
    ///
    /// - Parameter body: Whether the world is as it was. One that is not, or for which this throws, is lent to nobody again.
    static func lend(_ body: (AuditWorld) async throws -> Bool) async throws {
        let world = try await worlds.take()
        do {
            await worlds.put(try await body(world) ? world : nil)
        } catch {
            await worlds.put(nil)
            throw error
        }
    }

    private static let worlds = Worlds()
    /// What the worlds are copies of.
    private static let template = Task { try await made().asTemplate() }

    fileprivate static func new() async throws -> AuditWorld { AuditWorld(program: try await template.value.copy()) }

    private static func made() async throws -> Program {
        let program = try await Program.migrated()
        try await program.psql(script)
        try await program.psql(
            """
            DO $$ BEGIN CREATE ROLE audit_somebody; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
            CREATE SCHEMA saved;
            DO $$ DECLARE name text; BEGIN
                FOR name IN SELECT relname FROM pg_class
                    WHERE relnamespace = 'juliet'::regnamespace AND relkind = 'r' LOOP
                    EXECUTE format('CREATE TABLE saved.%I AS TABLE juliet.%I', name, name);
                END LOOP;
            END $$
            """)
        return program
    }

    /// What an audit of these parts finds.
    func audit(
        _ parts: Set<Audit.Part> = Set(Audit.Part.allCases), since: String? = nil
    ) async throws -> [AuditFinding] {
        try await program.findings(parts, since: since)
    }

    func harm(_ damage: Damage) async throws {
        try await program.harm(damage.sql)
    }

    /// Takes a damage back.
    func mend(_ damage: Damage) async throws {
        try await program.harm(
            damage.undo ?? """
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

/// The worlds that no test has. Who waits longest gets the next.
private actor Worlds {
    private var free: [AuditWorld] = []
    /// How many more may be made: as many as `scripts/test` runs tests at a time.
    private var makeable = 4
    private var waiting: [CheckedContinuation<AuditWorld?, Never>] = []

    /// A world that is free, or a new one.
    func take() async throws -> AuditWorld {
        if let world = free.popLast() { return world }
        if makeable > 0 {
            makeable -= 1
        } else if let world = await withCheckedContinuation({ waiting.append($0) }) {
            return world
        }
        do { return try await AuditWorld.new() } catch {
            put(nil)
            throw error
        }
    }

    /// Gives one back; nil: another may be made in its place.
    func put(_ world: AuditWorld?) {
        if !waiting.isEmpty {
            waiting.removeFirst().resume(returning: world)
        } else if let world {
            free.append(world)
        } else {
            makeable += 1
        }
    }
}
