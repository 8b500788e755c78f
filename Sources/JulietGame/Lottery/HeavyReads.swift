package import Lottery
package import Postgres

/// Reads the lottery's large answers over a connection of its own, so that no other statements wait for them.
///
/// If the task is cancelled, the reading stops.
package struct HeavyReads: Sendable {
    /// One of the two documents.
    package enum Document: Sendable, Hashable {
        /// All users.
        case users
        /// Those who take part.
        case entries

        /// What reads it, in parts.
        var sql: SQLText {
            switch self {
            case .users: "SELECT version, part FROM juliet.lottery_users_parts()"
            case .entries: "SELECT version, part FROM juliet.lottery_list_parts()"
            }
        }
    }

    private let database: PostgresClient

    /// Reads from this database.
    package init(database: PostgresClient) { self.database = database }

    /// A document and its version, read in parts: PostgreSQL and libpq hold only some parts at a time.
    ///
    /// - Throws: `PostgresError`.
    package func document(_ document: Document) async throws -> (version: Int, bytes: [UInt8]) {
        try await database.withConnection { connection in try await Self.read(document.sql, on: connection) }
    }

    /// A draw with its frozen list, if there is one of this number, and a version that is not newer than it.
    ///
    /// - Throws: `PostgresError`.
    package func draw(_ number: Int) async throws -> (version: Int, draw: KeptDraw?) {
        try await database.withConnection { connection in
            let version = try await connection.first(FunctionCall.lotteryVersion()) ?? 0
            return (Int(version), try await connection.first(ShowDraw(number: number)))
        }
    }

    private static func read(
        _ sql: SQLText, on connection: PostgresConnection
    ) async throws -> (version: Int, bytes: [UInt8]) {
        var parts: [[UInt8]] = []
        var version = 0
        try await connection.stream(sql, chunk: 4, decode: Part.init) { rows in
            for row in rows {
                version = row.version
                parts.append(row.bytes)
            }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        // Each is let go of once it is copied, so that the document is never in memory twice.
        for index in parts.indices {
            bytes += parts[index]
            parts[index] = []
        }
        return (version, bytes)
    }

    private struct Part {
        let version: Int
        let bytes: [UInt8]

        init(_ row: inout RowDecoder) throws(PostgresDecodingError) {
            version = Int(try row.next(Int64.self))
            bytes = Array(try row.next(String.self).utf8)
        }
    }
}
