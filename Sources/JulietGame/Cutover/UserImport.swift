package import Postgres

/// Takes players over from the old backend, a batch a transaction.
///
/// A player who is here already stays as they are: so an import may be run again, after a kill too, and goes on where
/// it stopped; and it never takes back what a player did since.
package struct UserImport {
    /// What became of an export.
    package struct Summary: Sendable, Hashable, Encodable {
        /// Items in the export.
        package var items = 0
        /// Players created.
        package var imported = 0
        /// Players who were here already, or stood in the export before.
        package var present = 0
        /// Items that could not be taken over.
        package var refused = 0
        /// Items that were mended.
        package var repaired = 0
    }

    /// One line of the report.
    package struct Remark: Sendable, Hashable, CustomStringConvertible {
        /// The line in the export on which the item begins.
        package let line: Int
        /// Whether the item was refused; else it was mended.
        package let isRefusal: Bool
        /// What was wrong.
        package let text: String

        /// `line 12: refused, …`
        package var description: String { "line \(line): \(isRefusal ? "refused, " : "")\(text)" }
    }

    private let connections: [PostgresConnection]
    private let language: String
    private let remark: (Remark) -> Void
    private let progress: (Summary) -> Void

    /// So many players share a transaction.
    private static let batchSize = 2000

    /// An import.
    ///
    /// - Parameters:
    ///   - connections: One or more, of the role that owns the tables, no transaction under way. Each writes batches of
    ///     its own, while the next one is read.
    ///   - language: Of the words that the players played.
    ///   - remark: Told each item that was refused or mended, in the order of the export.
    ///   - progress: Told after each batch.
    package init(
        connections: [PostgresConnection], language: String,
        remark: @escaping (Remark) -> Void, progress: @escaping (Summary) -> Void = { _ in }
    ) {
        self.connections = connections
        self.language = language
        self.remark = remark
        self.progress = progress
    }

    /// Imports an export.
    ///
    /// - Parameter read: The next piece of its text; nil at the end.
    /// - Throws: `PostgresError`, or what reading threw; the batches before that stay.
    package func run(_ read: () throws -> [UInt8]?) async throws -> Summary {
        var words: [String: Int32] = [:]
        let startingEnergy = try await connections[0].first(ReadStartingEnergy()) ?? 0
        for row in try await connections[0].execute(ReadWordIDs(language: language)) { words[row.word] = row.id }
        for connection in connections { try await connection.executeScript(StagedUsers.create) }

        return try await withThrowingTaskGroup(of: Written.self) { group in
            var writers = Writers(free: connections)
            var summary = Summary()
            var batch = Batch()
            var items = LegacyItems()
            var found: [LegacyItems.Item] = []
            let spelling = WordSpelling(language: language)
            while true {
                let piece = try read()
                if let piece { items.consume(piece) { found.append($0) } } else { items.finish { found.append($0) } }
                for item in found {
                    summary.items += 1
                    add(
                        item, words: words, spelling: spelling, startingEnergy: startingEnergy, to: &batch,
                        summary: &summary)
                    guard batch.count == Self.batchSize else { continue }
                    if writers.free.isEmpty, let written = try await group.next() { note(written, &writers, &summary) }
                    writers.submit(&batch, to: &group)
                }
                found.removeAll(keepingCapacity: true)
                if piece == nil { break }
            }
            if batch.count > 0 {
                if writers.free.isEmpty, let written = try await group.next() { note(written, &writers, &summary) }
                writers.submit(&batch, to: &group)
            }
            while let written = try await group.next() { note(written, &writers, &summary) }
            return summary
        }
    }

    private func note(_ written: Written, _ writers: inout Writers, _ summary: inout Summary) {
        writers.free.append(written.connection)
        summary.imported += written.created
        summary.present += written.count - written.created
        progress(summary)
    }

    private func add(
        _ item: LegacyItems.Item, words: [String: Int32], spelling: WordSpelling, startingEnergy: Int32,
        to batch: inout Batch, summary: inout Summary
    ) {
        let user: LegacyUser
        do throws(LegacyUser.Refusal) {
            guard let bytes = item.bytes else { throw .malformed }
            user = try LegacyUser(json: bytes, spelling: spelling, startingEnergy: startingEnergy)
        } catch {
            summary.refused += 1
            remark(Remark(line: item.line, isRefusal: true, text: "\(error)"))
            return
        }
        let ids = user.playedWords.compactMap { words[$0] }
        let unknown = user.playedWords.count - ids.count
        var repairs = LegacyUser.Repair.allCases.compactMap { repair in
            user.repairs[repair].map { $0 == 1 ? repair.rawValue : "\(repair.rawValue) (\($0) times)" }
        }
        if unknown > 0 { repairs.append("\(unknown) unknown word\(unknown == 1 ? "" : "s") left out") }
        if !repairs.isEmpty {
            summary.repaired += 1
            remark(Remark(line: item.line, isRefusal: false, text: repairs.joined(separator: ", ")))
        }
        if !batch.add(user, words: ids) { summary.present += 1 }
    }

    /// A batch that is committed, and the session that is free again.
    private struct Written: Sendable {
        let connection: PostgresConnection
        let count: Int
        let created: Int
    }

    /// The sessions that have nothing to do.
    private struct Writers {
        var free: [PostgresConnection]

        mutating func submit(_ batch: inout Batch, to group: inout ThrowingTaskGroup<Written, any Error>) {
            let connection = free.removeLast()
            let (rows, count) = (batch.rows, batch.count)
            batch = Batch()
            group.addTask {
                Written(
                    connection: connection, count: count, created: try await UserImport.write(rows, to: connection))
            }
        }
    }

    /// Writes a batch in a transaction of its own: how many players are new.
    private static func write(_ rows: [UInt8], to connection: PostgresConnection) async throws -> Int {
        var pending: [UInt8]? = rows
        try await connection.executeScript("BEGIN")
        do {
            try await connection.copyIn(StagedUsers.copy) {
                defer { pending = nil }
                return pending
            }
            let created = try await connection.first(CreateStagedUsers()) ?? 0
            try await connection.executeScript("COMMIT")
            return created
        } catch {
            try? await connection.executeScript("ROLLBACK")
            throw error
        }
    }

    /// Players as rows of COPY's text format.
    private struct Batch {
        private(set) var rows: [UInt8] = []
        private(set) var count = 0
        private var ids: Set<String> = []

        /// False when the batch holds the player already.
        mutating func add(_ user: LegacyUser, words: [Int32]) -> Bool {
            guard ids.insert(user.id.rawValue).inserted else { return false }
            // The id has no control characters: only the backslash means something to COPY.
            let id = user.id.rawValue.replacing("\\", with: "\\\\")
            let list = words.map(String.init).joined(separator: ",")
            rows.append(
                contentsOf: "\(id)\t\(user.energy)\t\(user.wins)\t\(user.hasMadePurchase ? "t" : "f")\t{\(list)}\n".utf8
            )
            count += 1
            return true
        }
    }
}

private enum StagedUsers {
    static let create = """
        CREATE TEMPORARY TABLE IF NOT EXISTS staged_users (
            id text COLLATE "C" NOT NULL, energy integer NOT NULL, wins integer NOT NULL,
            has_made_purchase boolean NOT NULL, words integer[] NOT NULL
        ) ON COMMIT DELETE ROWS
        """
    static let copy: SQLText = "COPY staged_users (id, energy, wins, has_made_purchase, words) FROM STDIN"
}

/// Creates the staged players who are not here yet, with the first entries of their ledgers and their words. One row:
/// how many.
private struct CreateStagedUsers: Statement {
    static let sql: StaticString = """
        WITH staged AS (
            SELECT *, CASE WHEN has_made_purchase THEN 'had made purchases' END AS reference FROM staged_users),
        size AS (SELECT coalesce(max(length(dealable)), 0) AS size FROM word_lists),
        played AS MATERIALIZED (
            SELECT staged.id, row_number() OVER (PARTITION BY staged.id ORDER BY number) AS number, word_id, place
            FROM staged, unnest(staged.words) WITH ORDINALITY AS listed (word_id, number)
                JOIN words ON words.id = listed.word_id),
        bits AS (
            SELECT played.id, max(number) AS words_played, bit_or(set_bit(no_bits(size), place, 1)) AS secrets
            FROM played, size GROUP BY played.id),
        created AS (
            INSERT INTO users (
                id, energy, wins, ledger_entry, ledger_seal, words_played, played_secrets)
            SELECT id, energy, wins, 1, energy_entry_seal(1, energy, energy, 'import', reference, now()),
                coalesce(words_played, 0), coalesce(secrets, '')
            FROM staged LEFT JOIN bits USING (id) ORDER BY id
            ON CONFLICT DO NOTHING RETURNING id),
        opened AS (
            INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, reference)
            SELECT id, 'entry 1', 1, energy, energy, 'import', reference FROM created JOIN staged USING (id)),
        recorded AS (
            INSERT INTO played_words (user_id, number, word_id)
            SELECT id, number, word_id FROM created JOIN played USING (id))
        SELECT count(*) FROM created
        """

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}

/// What a new player gets.
private struct ReadStartingEnergy: Statement {
    static let sql: StaticString = "SELECT starting_energy()"
    static let access = StatementAccess.read

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
}

private struct ReadWordIDs: Statement {
    static let sql: StaticString = "SELECT word, id FROM words WHERE language = $1"
    static let access = StatementAccess.read
    let language: String

    func bind(to parameters: inout Parameters) { parameters.append(language) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> (word: String, id: Int32) {
        (try row.next(), try row.next())
    }
}
