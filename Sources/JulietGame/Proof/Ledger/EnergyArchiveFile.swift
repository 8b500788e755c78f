import Crypto
package import Postgres
import StrictEncoding
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Entries that left the database: a text file, written once and compared with its source before anything is deleted.
///
/// The first line is `juliet-energy-archive 1`, the last `end ROWS SHA256` with the count of the lines between and the
/// hexadecimal SHA-256 of all bytes before that line. Between them is one entry a line, with fields separated by tabs as
/// in COPY (PostgreSQL, COPY, "Text Format"): file_id, entry, delta, balance_after, reason, reference, operation_id,
/// operation_request, operation_kind, created_at. file_id stands for the player; only the database knows for which
/// (`energy_checkpoints`). Names of operations that clients chose and reasons that support gave are in it unchanged. It has
/// only the references that `lasting_reference` keeps, and days instead of times, so nothing in a file leads to a player
/// who is deleted later. `energy_checkpoints.file_seal` is the exclusive or of what its lines add to a seal.
package enum EnergyArchiveFile {
    /// Why a file cannot be written or read.
    package struct Fault: Error, CustomStringConvertible {
        /// One line that says what to do.
        package let description: String
    }

    private static let head = "juliet-energy-archive 1\n"

    /// Moves all entries of the archive to a file: writes it, reads it again, compares it with the table row by row,
    /// and then deletes from the table exactly what is in it, in one transaction.
    ///
    /// - Parameters:
    ///   - path: A file that does not exist yet. It appears under this name when it is whole.
    ///   - connection: Of the role that owns the tables.
    ///   - progress: Called now and then with the number of rows written.
    /// - Returns: How many entries were moved; 0: there were none, and there is no file.
    /// - Throws: ``Fault``, `PostgresError`, or what writing threw; the table then still holds every row, and there is
    ///   no file, unless the error says so.
    package static func export(
        to path: String, from connection: PostgresConnection, progress: (Int) -> Void = { _ in }
    ) async throws -> Int {
        try checkIsFree(path)
        try await connection.executeScript(
            """
            BEGIN;
            SET LOCAL statement_timeout = 0;
            LOCK TABLE juliet.energy_ledger_archive IN SHARE ROW EXCLUSIVE MODE;
            INSERT INTO juliet.energy_checkpoints (user_id, begins, entry, balance, seal, file_id, file_seal, lasting)
            SELECT user_id, 'archive', 0, 0, 0, gen_random_uuid(), 0, 0 FROM juliet.energy_ledger_archive GROUP BY user_id
            ON CONFLICT (user_id, begins) DO NOTHING
            """)
        // The file that is removed after an error.
        var leftover: String? = path + ".partial"
        do {
            let count = try await write(to: path + ".partial", from: connection, progress)
            if count > 0 {
                try publish(path + ".partial", as: path)
                leftover = path
                try await load([path], into: connection)
                try await remove(count, connection)
            }
            do throws(PostgresError) {
                try await connection.executeScript("COMMIT")
            } catch {
                guard error.code == .outcomeUnknown else { throw error }
                leftover = nil
                throw Fault(
                    description:
                        "the connection was lost while the rows were deleted: \(path) is complete; keep it, and run this again"
                )
            }
            return count
        } catch {
            try? await connection.executeScript("ROLLBACK")
            if let leftover { try? FileManager.default.removeItem(atPath: leftover) }
            throw error
        }
    }

    /// Checks that a file of this name can be made: it does not exist, and its folder is writable.
    ///
    /// - Throws: ``Fault``.
    package static func checkIsFree(_ path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw Fault(description: "\(path) already exists: name another file")
        }
        // A partial file of a killed run is overwritten.
        guard !FileManager.default.fileExists(atPath: path + ".partial") else { return }
        _ = try Writer(path: path + ".partial")
        unlink(path + ".partial")
    }

    /// Reads files into the temporary table `filed_entries` of a session, after checking each by its own digest. A
    /// row that is in several files is loaded once.
    ///
    /// - Throws: ``Fault`` for a file that is not whole, naming it.
    package static func load(_ paths: [String], into connection: PostgresConnection) async throws {
        try await connection.executeScript(
            """
            CREATE TEMPORARY TABLE IF NOT EXISTS filed_rows (
                file_id uuid, entry integer, delta integer, balance_after integer, reason juliet.energy_reason,
                reference text, operation_id text COLLATE "C", operation_request bigint,
                operation_kind juliet.operation_kind, created_at timestamptz);
            CREATE TEMPORARY TABLE IF NOT EXISTS filed_entries (LIKE filed_rows);
            TRUNCATE filed_rows, filed_entries
            """)
        for path in paths {
            try check(path)
            let reader = try Reader(path: path)
            try await connection.copyIn("COPY filed_rows FROM STDIN") { try reader.next() }
        }
        try await connection.executeScript(
            "INSERT INTO filed_entries SELECT DISTINCT * FROM filed_rows; TRUNCATE filed_rows; ANALYZE filed_entries")
    }

    private static func write(
        to path: String, from connection: PostgresConnection, _ progress: (Int) -> Void
    ) async throws -> Int {
        let writer = try Writer(path: path)
        try writer.append(head)
        var count = 0
        try await connection.stream(
            """
            SELECT concat_ws(E'\\t', file_id, archive.entry, delta, balance_after, reason,
                coalesce(replace(replace(replace(replace(juliet.lasting_reference(reason, reference),
                    E'\\\\', E'\\\\\\\\'), E'\\t', E'\\\\t'), E'\\n', E'\\\\n'), E'\\r', E'\\\\r'), E'\\\\N'),
                replace(CASE WHEN reason = 'lottery' THEN 'entry ' || archive.entry ELSE operation_id END,
                    E'\\\\', E'\\\\\\\\'),
                coalesce(CASE WHEN reason <> 'lottery' THEN operation_request END::text, E'\\\\N'),
                coalesce(CASE WHEN reason <> 'lottery' THEN operation_kind END::text, E'\\\\N'),
                to_char(juliet.day_of(archive.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00')
            FROM juliet.energy_ledger_archive AS archive JOIN juliet.energy_checkpoints AS part USING (user_id)
            WHERE begins = 'archive' ORDER BY user_id, archive.entry
            """,
            decode: { (row: inout RowDecoder) throws(PostgresDecodingError) in try row.next(String.self) }
        ) { (lines: [String]) in
            try writer.append(lines.joined(separator: "\n") + "\n")
            count += lines.count
            progress(count)
        }
        try writer.finish(count: count)
        if count == 0 { try FileManager.default.removeItem(atPath: path) }
        return count
    }

    private static func publish(_ partial: String, as path: String) throws {
        // Unlike a rename, this fails if the name was taken meanwhile.
        guard link(partial, path) == 0 else {
            throw Fault(description: "\(path) cannot be made: \(Errno(rawValue: errno))")
        }
        unlink(partial)
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            unlink(path)
            throw Fault(description: "\(folder) cannot be synced: \(Errno(rawValue: errno))")
        }
    }

    /// Deletes the rows that are in the file, after comparing them, and records that in the checkpoints.
    private static func remove(_ count: Int, _ connection: PostgresConnection) async throws {
        let removed = try await connection.first(RemoveFiledEntries()) ?? 0
        guard removed == count else {
            throw Fault(
                description:
                    "the file does not hold what the table holds (\(removed) of \(count) rows agree); nothing was deleted"
            )
        }
    }

    /// Checks that a file is complete.
    private static func check(_ path: String) throws {
        let reader = try Reader(path: path)
        var digest = SHA256()
        digest.update(data: Array(head.utf8))
        var lines = 0
        while let rows = try reader.next() {
            digest.update(data: rows)
            lines += rows.count { $0 == UInt8(ascii: "\n") }
        }
        let found = Hexadecimal.encode(digest.finalize())
        guard reader.trailer == "end \(lines) \(found)" else {
            throw Fault(
                description: "\(path) is incomplete or altered: its last line does not match the lines before it")
        }
    }

    /// Returns the lines between the first and the last.
    private final class Reader {
        private let file: InputFile
        private var rest: [UInt8] = []
        private var isAtEnd = false
        private(set) var trailer = ""

        init(path: String) throws {
            do { file = try InputFile(path: path) } catch { throw Fault(description: "cannot read \(path)") }
            guard let first = try file.read(upToCount: head.utf8.count), first.elementsEqual(head.utf8) else {
                throw Fault(description: "\(path) is not an archive of the energy ledger")
            }
        }

        /// Whole lines; nil at the end.
        func next() throws -> [UInt8]? {
            while !isAtEnd {
                guard let bytes = try file.read(upToCount: 1 << 18) else {
                    isAtEnd = true
                    // The rest is the last line, complete or not.
                    if rest.last == UInt8(ascii: "\n") { rest.removeLast() }
                    let start = (rest.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
                    trailer = String(decoding: rest[start...], as: UTF8.self)
                    return start == 0 ? nil : Array(rest[..<start])
                }
                rest.append(contentsOf: bytes)
                // Either the last line that has begun or the one before it may be the trailer.
                guard let end = rest.dropLast().lastIndex(of: UInt8(ascii: "\n")),
                    let before = rest[..<end].lastIndex(of: UInt8(ascii: "\n"))
                else { continue }
                let lines = Array(rest[...before])
                rest.removeSubrange(...before)
                return lines
            }
            return nil
        }
    }

    /// Writes lines and their digest.
    private final class Writer {
        private let file: OutputFile
        private let path: String
        private var digest = SHA256()

        init(path: String) throws {
            do {
                file = try OutputFile(path: path, permissions: .ownerReadWrite)
            } catch {
                throw Fault(description: "\(path) cannot be written: \(error)")
            }
            self.path = path
        }

        func append(_ text: String) throws {
            let bytes = Array(text.utf8)
            digest.update(data: bytes)
            do { try file.write(bytes) } catch { throw Fault(description: "\(path) cannot be written: \(error)") }
        }

        func finish(count: Int) throws {
            let sum = Hexadecimal.encode(digest.finalize())
            try append("end \(count) \(sum)\n")
            do { try file.sync() } catch { throw Fault(description: "\(path) cannot be synced: \(error)") }
        }
    }
}

/// Deletes the rows of the archive that are in the file, equal in every column that files have, and returns their number.
private struct RemoveFiledEntries: Statement {
    var sql: StaticString {
        """
        WITH removed AS (
            DELETE FROM juliet.energy_ledger_archive AS archive
            USING juliet.energy_checkpoints AS part, filed_entries AS filed
            WHERE part.user_id = archive.user_id AND part.begins = 'archive'
                AND filed.file_id = part.file_id AND filed.entry = archive.entry
                AND ROW(filed.delta, filed.balance_after, filed.reason, filed.reference, filed.operation_id,
                        filed.operation_request, filed.operation_kind, filed.created_at)
                    IS NOT DISTINCT FROM ROW(archive.delta, archive.balance_after, archive.reason,
                        juliet.lasting_reference(archive.reason, archive.reference),
                        CASE WHEN archive.reason = 'lottery' THEN 'entry ' || archive.entry::text ELSE archive.operation_id END,
                        CASE WHEN archive.reason <> 'lottery' THEN archive.operation_request END,
                        CASE WHEN archive.reason <> 'lottery' THEN archive.operation_kind END,
                        juliet.day_of(archive.created_at))
            RETURNING archive.user_id, archive.entry, archive.delta, archive.balance_after, archive.reason, archive.reference,
                archive.created_at),
        marked AS (
            UPDATE juliet.energy_checkpoints AS known
            SET entry = part.entry, balance = part.balance, seal = known.seal # part.seal,
                file_seal = known.file_seal # part.file_seal,
                lasting = known.lasting + part.lasting, created_at = now()
            FROM (SELECT user_id, max(entry) AS entry, (array_agg(balance_after ORDER BY entry DESC))[1] AS balance,
                    bit_xor(juliet.energy_entry_seal(
                        entry, delta, balance_after, reason, reference, created_at)) AS seal,
                    bit_xor(juliet.energy_entry_seal(
                        entry, delta, balance_after, reason, juliet.lasting_reference(reason, reference),
                        juliet.day_of(created_at))) AS file_seal,
                    coalesce(sum(delta) FILTER (WHERE juliet.brings_lasting_energy(reason, reference)), 0) AS lasting
                FROM removed GROUP BY user_id) AS part
            WHERE known.user_id = part.user_id AND known.begins = 'archive')
        SELECT count(*) FROM removed
        """
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}
