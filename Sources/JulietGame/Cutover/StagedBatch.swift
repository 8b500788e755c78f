import Postgres

/// Players who are written in one transaction.
struct StagedBatch: Sendable {
    /// The result of a batch.
    struct Written: Sendable {
        /// The session, which is free again.
        let connection: PostgresConnection
        /// Players created.
        var imported = 0
        /// Players whose state was replaced by the old backend's.
        var replaced = 0
        /// Players who were here already.
        var present = 0
        /// Remarks about some of them.
        var remarks: [ImportRemark] = []
    }

    /// One player: a row of COPY's text format, without the number of the row in front, and what remarks say of it.
    private struct Row: Sendable {
        let file: String
        let line: Int
        let user: String
        let text: [UInt8]

        func remark(_ kind: ImportRemark.Kind, was: ImportRemark.Value, now: ImportRemark.Value) -> ImportRemark {
            ImportRemark(file: file, line: line, user: user, kind: kind, was: was, now: now)
        }
    }

    private var rows: [Row] = []

    /// How many players there are.
    var count: Int { rows.count }

    /// Takes a player.
    mutating func add(_ user: LegacyUser, words: [Int32], file: String, line: Int) {
        var text: [UInt8] = []
        text.append(UInt8(ascii: "\t"))
        // Byte by byte, since a mark may follow: the id has no control characters, so only the backslash means
        // something to COPY.
        for byte in user.id.rawValue.utf8 {
            if byte == UInt8(ascii: "\\") { text.append(byte) }
            text.append(byte)
        }
        text.append(contentsOf: "\t\(user.energy)\t\(user.wins)\t\(user.hasMadePurchase ? "t" : "f")\t{".utf8)
        text.append(contentsOf: words.map(String.init).joined(separator: ",").utf8)
        text.append(contentsOf: "}\n".utf8)
        rows.append(Row(file: file, line: line, user: user.id.rawValue, text: text))
    }

    /// Writes the batch in a transaction of its own.
    ///
    /// If the database refuses the data, each half is written separately, so that one item never stops the others.
    func write(to connection: PostgresConnection, replacesUntouched: Bool) async throws -> Written {
        try await Self.write(rows[...], to: connection, replacesUntouched)
    }

    private static func write(
        _ rows: ArraySlice<Row>, to connection: PostgresConnection, _ replacesUntouched: Bool
    ) async throws -> Written {
        do {
            return try await writeTogether(rows, to: connection, replacesUntouched)
        } catch let error as PostgresError {
            guard error.isOfData else { throw error }
            guard rows.count > 1 else {
                var written = Written(connection: connection)
                let code = error.sqlState.map { "SQLSTATE \($0)" } ?? "\(error.code)"
                written.remarks = rows.map { $0.remark(.database, was: .nothing, now: .text(code)) }
                return written
            }
            let middle = rows.startIndex + rows.count / 2
            var written = try await write(rows[..<middle], to: connection, replacesUntouched)
            let rest = try await write(rows[middle...], to: connection, replacesUntouched)
            written.imported += rest.imported
            written.replaced += rest.replaced
            written.present += rest.present
            written.remarks += rest.remarks
            return written
        }
    }

    private static func writeTogether(
        _ rows: ArraySlice<Row>, to connection: PostgresConnection, _ replacesUntouched: Bool
    ) async throws -> Written {
        // Beside a live service there may be a deadlock: PostgreSQL then ends one of the two transactions.
        for _ in 0..<10 {
            do {
                return try await writeOnce(rows, to: connection, replacesUntouched)
            } catch let error as PostgresError {
                guard error.sqlState?.isTransactionRollback == true else { throw error }
            }
        }
        return try await writeOnce(rows, to: connection, replacesUntouched)
    }

    private static func writeOnce(
        _ rows: ArraySlice<Row>, to connection: PostgresConnection, _ replacesUntouched: Bool
    ) async throws -> Written {
        var pending: [UInt8]? = zip(rows.indices, rows).flatMap { Array("\($0)".utf8) + $1.text }
        var written = Written(connection: connection)
        try await connection.executeScript("BEGIN; \(Schema.goHome)")
        do {
            try await connection.copyIn(StagedUsers.copy) {
                defer { pending = nil }
                return pending
            }
            written.imported = try await connection.first(CreateStagedUsers()) ?? 0
            if written.imported < rows.count {
                if replacesUntouched {
                    var locked: [String] = []
                    for player in try await connection.execute(FindUntouched()) {
                        locked += try await connection.execute(LockUntouched(player: player))
                    }
                    let replaced = try await connection.execute(FindReplaced(among: locked))
                    written.replaced = replaced.count
                    if !replaced.isEmpty {
                        _ = try await connection.execute(MarkReplaced(players: replaced))
                        _ = try await connection.execute(ReplaceEnergy())
                        _ = try await connection.execute(ReplaceWords())
                    }
                }
                written.present = rows.count - written.imported - written.replaced
                written.remarks = try await connection.execute(FindDifferences()).map { difference in
                    let row = rows[difference.row]
                    return row.remark(
                        difference.isReplaced ? .replaced : .different, was: .state(difference.was),
                        now: .state(difference.now))
                }
                written.remarks += try await connection.execute(FindClaimed()).map { claimed in
                    rows[claimed.row].remark(.claimed, was: .nothing, now: .text(claimed.player))
                }
            }
            try await connection.executeScript("COMMIT")
            return written
        } catch {
            try? await connection.executeScript("ROLLBACK")
            throw error
        }
    }
}

extension PostgresError {
    /// Whether the server refused the data, rather than failed.
    fileprivate var isOfData: Bool {
        guard code == .server, let sqlState else { return false }
        // Data exception, integrity constraint, program limit (an index row too large), RAISE.
        return ["22", "23", "54", "P0"].contains(sqlState.classCode)
    }
}
