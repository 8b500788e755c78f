package import Postgres

/// The proof that no energy was lost or doubled: every player's balance and ledger, compared in one snapshot.
///
/// It reads and locks nothing but reads, so it runs beside a live service; on both sides its memory does not depend
/// on the number of entries, because PostgreSQL sorts them on disk and players come one by one.
package struct EnergyAudit {
    /// What has been checked.
    package struct Summary: Sendable, Equatable {
        /// Players, including deleted ones with a pseudonym.
        package internal(set) var players = 0
        /// Entries of the ledger.
        package internal(set) var entries = 0
        /// Faults found; at most one a player, and those of the schema, the store and the lottery.
        package internal(set) var faults = 0
    }

    /// For ``readLedgers(_:_:_:_:_:)``: its cursor is always read to the end.
    static let readsAll = "SET LOCAL cursor_tuple_fraction = 1"

    let connection: PostgresConnection

    /// Works on this session, of the role that owns the tables.
    package init(connection: PostgresConnection) { self.connection = connection }

    /// About how many entries there are to read, from PostgreSQL's statistics.
    package func estimatedEntries() async throws(PostgresError) -> Int {
        try await connection.first(EstimateEntries()) ?? 0
    }

    /// Checks every player.
    ///
    /// - Parameters:
    ///   - hasFiles: Whether files of the archive were loaded (``EnergyArchiveFile/load(_:into:)``): then they are
    ///     checked as well.
    ///   - progress: Called now and then with the summary so far.
    ///   - report: Called with the first fault of a player, in no particular order.
    package func run(
        hasFiles: Bool = false,
        progress: (Summary) -> Void = { _ in },
        report: (EnergyFault) -> Void
    ) async throws(PostgresError) -> Summary {
        try await connection.inTransaction(Audit.snapshot + Self.readsAll) { () async throws(PostgresError) in
            try await inSnapshot(hasFiles, progress, report)
        }
    }

    private func inSnapshot(
        _ hasFiles: Bool,
        _ progress: (Summary) -> Void,
        _ report: (EnergyFault) -> Void
    ) async throws(PostgresError) -> Summary {
        var summary = Summary()
        let faults = try await SchemaGuards.faults { (read) async throws(PostgresError) in
            try await connection.execute(read)
        }
        let rights = try await SchemaGuards.excessRights(of: .service) { (read) async throws(PostgresError) in
            try await connection.execute(read)
        }
        for fault in faults + (rights ?? []) {
            summary.faults += 1
            report(EnergyFault(userID: nil, entry: nil, kind: .schema(fault)))
        }
        for transaction in try await connection.execute(FindUnheededRefunds()) {
            summary.faults += 1
            report(EnergyFault(userID: nil, entry: nil, kind: .refundUnheeded(transaction)))
        }
        for fault in try await AuditedLottery.faults(on: connection, hasFiles: hasFiles) {
            summary.faults += 1
            report(fault)
        }
        let early = try await AuditedRefills.faults(on: connection, hasFiles: hasFiles)
        let merged = try await AuditedMerges.faults(on: connection, hasFiles: hasFiles)
        for fault in early + merged {
            summary.faults += 1
            report(fault)
        }
        try await readLedgers(AuditedPlayer.cursor(hasFiles: hasFiles), hasFiles, &summary, progress, report)
        return summary
    }

    /// Reads the players of a cursor, in a transaction, and adds them to the summary.
    func readLedgers(
        _ cursor: String,
        _ hasFiles: Bool,
        _ summary: inout Summary,
        _ progress: (Summary) -> Void,
        _ report: (EnergyFault) -> Void
    ) async throws(PostgresError) {
        try await connection.executeScript(cursor)
        while true {
            let players = try await connection.execute(FetchAuditedPlayers())
            for player in players {
                summary.players += 1
                summary.entries += player.entries
                guard let fault = player.fault(hasFiles: hasFiles) else { continue }
                summary.faults += 1
                report(fault)
            }
            progress(summary)
            guard players.count == FetchAuditedPlayers.pageSize else { return }
        }
    }
}

/// What is wrong with a player's energy.
package struct EnergyFault: Sendable, Equatable {
    /// Where entries are.
    package enum Part: String, Sendable {
        case ledger, archive, files

        fileprivate var ending: String { self == .files ? "" : "s" }
    }

    /// What can be wrong.
    package enum Kind: Sendable, Equatable {
        /// The schema itself; in words.
        case schema(String)
        case ledgerMissing(balance: Int)
        case playerMissing(entries: Int)
        case checkpointOfNobody
        case namesOfNobody(Int)
        case beginning(Part, expected: Int)
        case opening(found: Int, expected: Int)
        case broken
        case misfit
        case time
        /// Energy came back before it was due.
        case refillEarly
        /// More than a day's purchases without a signature may bring; the day, ISO 8601.
        case dayExceeded(String)
        case end(Part, found: Int, expected: Int)
        case balance(ledger: Int, player: Int)
        case seal(Part)
        case operationWithoutEntry(String)
        case operationMisstated(String)
        case operationTwice(String)
        case operationMisnamed(String)
        case purchaseOfNobody(String)
        case purchaseStrange(String)
        case purchaseUncredited(String)
        case purchaseMisstated(String)
        case refundUnheeded(String)
        case drawAltered(String)
        case prizeUncredited(String)
        case prizeStrange(String)
        /// The ledger of a merged player, or what was taken over, does not agree with the merge.
        case mergeMisstated
        case mergeStrange
    }

    /// The account id; nil when the schema itself is at fault.
    package let userID: String?
    /// The entry at fault, if it is one.
    package let entry: Int?
    /// What is wrong.
    package internal(set) var kind: Kind
}

extension EnergyFault: CustomStringConvertible {
    /// A sentence without the account id.
    package var description: String {
        let place = entry.map { "entry \($0)" } ?? ""
        return switch kind {
        case .schema(let fault): fault
        case .ledgerMissing(let balance): "a balance of \(balance), but no ledger"
        case .playerMissing(let entries): "a ledger of \(entries) \(entries == 1 ? "entry" : "entries"), but no player"
        case .checkpointOfNobody: "a checkpoint, but neither player nor ledger"
        case .namesOfNobody(let count): "\(count) name\(count == 1 ? "" : "s") of operations, but no player"
        case .beginning(let part, let expected):
            "the \(part.rawValue) begin\(part.ending) with \(place) instead of \(expected)"
        case .opening(let found, let expected): "the balance before \(place) was \(found) instead of \(expected)"
        case .broken: "\(place) does not follow from the previous entry"
        case .misfit: "\(place) is not a change that its reason allows"
        case .refillEarly: "\(place) brings back more energy than was due"
        case .time: "\(place) is older than the previous entry"
        case .dayExceeded(let day): "more was bought without a signature on \(day) than the rules allowed"
        case .end(let part, let found, let expected):
            "the \(part.rawValue) end\(part.ending) with entry \(found) instead of \(expected)"
        case .balance(let ledger, let player): "the balance is \(player), but the ledger adds up to \(ledger)"
        case .seal(let part):
            "the \(part.rawValue) do\(part == .files ? "" : "es") not match the checksum: an entry was altered, "
                + "or entries were cut off and the player's row was set back"
        case .operationWithoutEntry(let id): "operation \(id) spent or bought energy and has no entry"
        case .operationMisstated(let id): "operation \(id) is of another kind than its entry or its answer"
        case .operationTwice(let id): "operation \(id) was done twice: it is in the archive as well"
        case .operationMisnamed(let id): "\(id.debugDescription) is not a name for an operation"
        case .purchaseOfNobody(let id): "the transaction \(id) belongs to no player"
        case .purchaseStrange(let id): "the ledger names the transaction \(id), which is not the player's"
        case .purchaseUncredited(let id): "the transaction \(id) counts, but was not credited exactly once"
        case .purchaseMisstated(let id): "the transaction \(id) and the ledger differ on its state"
        case .drawAltered(let draw): "draw \(draw) of the lottery does not follow from its seed and its list"
        case .prizeUncredited(let draw): "the prize of draw \(draw) of the lottery is missing in the winner's ledger"
        case .prizeStrange(let draw):
            "the ledger names draw \(draw.debugDescription) of the lottery, which gave this player no such prize"
        case .mergeMisstated: "what a merge took over from this player does not agree with the player's ledger"
        case .mergeStrange: "\(place) is of a merge that did not happen"
        case .refundUnheeded(let id): "a later notification of the store about the transaction \(id) was not applied"
        }
    }
}

/// A player's side and the ledger's side.
struct AuditedPlayer: Sendable {
    /// The end of a sequence of entries: where a part of the ledger must begin or end.
    struct Mark: Sendable {
        let entry: Int
        let balance: Int
        let seal: Int64

        static let zero = Mark(entry: 0, balance: 0, seal: 0)
    }

    /// The entries of one part.
    struct Entries: Sendable {
        let count: Int
        let first: Int
        let opening: Int
        let last: Int
        let sum: Int
        let seal: Int64
        let broken: Int?
        let misfit: Int?
        let backwards: Int?
    }

    let userID: String
    /// The balance in the player's row; nil: there is no such player, but perhaps a deleted one.
    let balance: Int?
    /// The end of the ledger according to the player's row, or to the note of a deleted player.
    let end: Mark?
    let ledger: Entries?
    /// Where the ledger begins.
    let ledgerMark: Mark?
    let archive: Entries?
    /// Where the archive begins.
    let archiveMark: Mark?
    /// What the lines in files add to a seal (an exclusive or), which differs from what their entries added.
    let fileSeal: Int64?
    let files: Entries?
    let names: Int
    let unrecorded: String?
    let misstated: String?
    let doubled: String?
    let misnamed: String?
    let exceededDay: String?
    let purchase: EnergyFault.Kind?

    /// All entries.
    var entries: Int { (ledger?.count ?? 0) + (archive?.count ?? 0) + (files?.count ?? 0) }

    /// The first fault, in the order of the ledger.
    ///
    /// - Parameter hasFiles: Whether the entries in files are known.
    func fault(hasFiles: Bool) -> EnergyFault? {
        if let found = partFault(hasFiles: hasFiles) { return found }
        guard let ledger, let end else {
            if end != nil { return fault(.ledgerMissing(balance: balance ?? end?.balance ?? 0)) }
            if ledger != nil || archive != nil { return fault(.playerMissing(entries: entries)) }
            if ledgerMark != nil || archiveMark != nil { return fault(.checkpointOfNobody) }
            return fault(names == 0 ? purchase ?? .namesOfNobody(0) : .namesOfNobody(names))
        }
        let made = ledger.opening + ledger.sum
        if ledger.last != end.entry { return fault(.end(.ledger, found: ledger.last, expected: end.entry)) }
        let kept = balance ?? end.balance
        if kept != made || end.balance != made { return fault(.balance(ledger: made, player: kept)) }
        if ledger.seal ^ (ledgerMark ?? .zero).seal != end.seal { return fault(.seal(.ledger)) }
        if let misnamed { return fault(.operationMisnamed(misnamed)) }
        if let exceededDay { return fault(.dayExceeded(exceededDay)) }
        if let doubled { return fault(.operationTwice(doubled)) }
        if let unrecorded { return fault(.operationWithoutEntry(unrecorded)) }
        if let misstated { return fault(.operationMisstated(misstated)) }
        return purchase.map { fault($0) }
    }

    /// The first fault of a part: whether it follows from the part before and leads to the one after.
    private func partFault(hasFiles: Bool) -> EnergyFault? {
        let (toArchive, toLedger) = (archiveMark ?? .zero, ledgerMark ?? .zero)
        let endOfFiles = Mark(
            entry: toArchive.entry, balance: toArchive.balance, seal: fileSeal ?? toArchive.seal)
        if hasFiles, let fault = fault(of: files, .files, from: .zero, to: endOfFiles) { return fault }
        if let fault = fault(of: archive, .archive, from: toArchive, to: toLedger) { return fault }
        return fault(of: ledger, .ledger, from: toLedger, to: nil)
    }

    private func fault(
        of entries: Entries?, _ part: EnergyFault.Part, from start: Mark, to end: Mark?
    ) -> EnergyFault? {
        guard let entries else {
            // If nothing is left of a part, the next must begin where the part began.
            guard let end, end.entry != start.entry || end.balance != start.balance || end.seal != start.seal else {
                return nil
            }
            let isShort = end.entry != start.entry
            return fault(isShort ? .end(part, found: start.entry, expected: end.entry) : .seal(part))
        }
        if entries.first != start.entry + 1 {
            return fault(.beginning(part, expected: start.entry + 1), at: entries.first)
        }
        if entries.opening != start.balance {
            return fault(.opening(found: entries.opening, expected: start.balance), at: entries.first)
        }
        let firsts = [(entries.misfit, EnergyFault.Kind.misfit), (entries.broken, .broken), (entries.backwards, .time)]
        if let (entry, kind) = firsts.compactMap({ entry, kind in entry.map { ($0, kind) } }).min(by: { $0.0 < $1.0 }) {
            return fault(kind, at: entry)
        }
        guard let end else { return nil }
        if entries.last != end.entry { return fault(.end(part, found: entries.last, expected: end.entry)) }
        let made = entries.opening + entries.sum
        if made != end.balance { return fault(.opening(found: end.balance, expected: made), at: end.entry + 1) }
        return entries.seal ^ start.seal == end.seal ? nil : fault(.seal(part))
    }

    private func fault(_ kind: EnergyFault.Kind, at entry: Int? = nil) -> EnergyFault {
        EnergyFault(userID: userID, entry: entry, kind: kind)
    }

    /// The latest possible time of a row of `entries`: the first moment of a day means that only the day is known.
    static let lastMoment = """
        entries.created_at + CASE WHEN entries.created_at = date_trunc('day', entries.created_at, 'UTC')
            THEN interval '1 day' ELSE interval '0' END
        """

    /// Reads the entries of all parts that are known.
    static func allEntries(hasFiles: Bool) -> String {
        let filed = """
            SELECT 'files' AS part, user_id, filed.entry, delta, balance_after, reason, reference, filed.created_at
            FROM juliet.energy_checkpoints JOIN filed_entries AS filed USING (file_id)
            WHERE begins = 'archive' AND filed.entry <= energy_checkpoints.entry UNION ALL
            """
        return """
            \(hasFiles ? filed : "")
            SELECT 'archive' AS part, user_id, entry, delta, balance_after, reason, reference, created_at
            FROM juliet.energy_ledger_archive UNION ALL
            SELECT 'ledger', user_id, entry, delta, balance_after, reason, reference, created_at
            FROM juliet.energy_ledger WHERE entry IS NOT NULL
            """
    }

    /// One row a player. Entries are sorted once, then grouped as they come.
    ///
    /// No entry is older than the one before, not even when the clock was set back. A change of rules is seen when its
    /// transaction commits, so an entry may follow any rules that applied within ten minutes of it. For deleted players and in files, only the day of an
    /// entry is known: its time is the first moment of the day, and the true one may be anything until the last (`until`).
    static func cursor(hasFiles: Bool) -> String {
        func columns(_ part: String) -> String {
            """
            max(entries) FILTER (WHERE part = '\(part)'), max(first_entry) FILTER (WHERE part = '\(part)'),
            max(opening) FILTER (WHERE part = '\(part)'), max(last_entry) FILTER (WHERE part = '\(part)'),
            max(total) FILTER (WHERE part = '\(part)'), max(seal) FILTER (WHERE part = '\(part)'),
            max(broken) FILTER (WHERE part = '\(part)'), max(misfit) FILTER (WHERE part = '\(part)'),
            max(backwards) FILTER (WHERE part = '\(part)')
            """
        }
        return """
            DECLARE audit NO SCROLL CURSOR FOR
            WITH held AS (
                SELECT *, since - interval '10 minutes' AS begins,
                    lead(since, 1, 'infinity') OVER (ORDER BY since) + interval '10 minutes' AS ends
                FROM juliet.rules),
            entries AS NOT MATERIALIZED (\(allEntries(hasFiles: hasFiles))),
            chains AS (
                SELECT *, \(lastMoment) AS until,
                    lag(entry) OVER chain AS previous_entry, lag(balance_after) OVER chain AS previous_balance,
                    lag(created_at) OVER chain AS previous_time
                FROM entries WINDOW chain AS (PARTITION BY user_id, part ORDER BY entry)),
            parts AS (
                SELECT user_id, part, count(*) AS entries, min(entry) AS first_entry,
                    min(balance_after::bigint - delta) FILTER (WHERE previous_entry IS NULL) AS opening,
                    max(entry) AS last_entry, sum(delta) AS total,
                    bit_xor(juliet.energy_entry_seal(
                        entry, delta, balance_after, reason, reference, created_at)) AS seal,
                    min(entry) FILTER (WHERE entry <> previous_entry + 1
                        OR balance_after <> previous_balance::bigint + delta) AS broken,
                    min(entry) FILTER (WHERE balance_after < 0 AND NOT coalesce(delta > 0 OR reason IN ('refund', 'merge'), false)
                        OR NOT CASE
                        WHEN entry = 1 AND reason = 'registration' THEN EXISTS (
                            SELECT FROM held WHERE until >= begins AND created_at <= ends AND starting_energy = delta)
                        WHEN entry = 1 THEN coalesce(reason = 'import', false) AND delta >= 0
                        WHEN entry = 2 AND reason = 'import' THEN true
                        WHEN reason IN ('game', 'challenge') THEN EXISTS (
                            SELECT FROM held WHERE until >= begins AND created_at <= ends AND game_price = -delta)
                        WHEN reason = 'purchase' AND reference IS NULL THEN juliet.is_product(delta) AND EXISTS (
                            SELECT FROM held WHERE until >= begins AND created_at <= ends AND verification <> 'required')
                        WHEN reason = 'purchase' THEN delta > 0
                        WHEN reason = 'refund' THEN reference IS NOT NULL AND delta <> 0
                        WHEN reason = 'support' THEN delta <> 0
                        WHEN reason = 'merge' THEN delta <> 0
                            AND (reference IS NOT NULL OR part = 'files' OR strpos(user_id, E'\\t') > 0)
                        WHEN reason = 'lottery' THEN delta > 0
                            AND (reference IS NOT NULL OR part = 'files' OR strpos(user_id, E'\\t') > 0)
                        WHEN reason = 'refill' THEN delta > 0 AND EXISTS (
                            SELECT FROM held WHERE until >= begins AND created_at <= ends AND refill_amount > 0
                                AND refill_every > 0 AND refill_up_to > 0 AND balance_after <= refill_up_to)
                        WHEN reason = 'daily'
                            THEN (reference IS NOT NULL OR part = 'files' OR strpos(user_id, E'\\t') > 0) AND EXISTS (
                                SELECT FROM held WHERE until >= begins AND created_at <= ends AND daily_reward = delta)
                        ELSE coalesce(reason = 'client_report', false) AND delta <> 0 AND EXISTS (
                            SELECT FROM held WHERE until >= begins AND created_at <= ends AND CASE client_updates
                                WHEN 'accept' THEN delta < 0 OR balance_after <= maximum_energy
                                WHEN 'lowerOnly' THEN delta < 0 END) END) AS misfit,
                    min(entry) FILTER (WHERE until < previous_time) AS backwards
                FROM chains GROUP BY user_id, part),
            summaries AS (
                SELECT user_id,
                    \(columns("ledger")),
                    \(columns("archive")),
                    \(columns("files"))
                FROM parts GROUP BY user_id),
            names AS (
                SELECT user_id, count(*) FILTER (WHERE entry IS NULL) AS names,
                    -- The entry of a merged player's operation is in the ledger that the player had. Whoever they were merged
                    -- into may have been merged since: then both belong to the same player.
                    min(operation_id) FILTER (WHERE entry IS NULL AND (refusal IS NULL
                        AND juliet.makes_entry(operation_kind) AND NOT EXISTS (
                            SELECT FROM juliet.merges
                            WHERE merges.user_id = answer ->> 'ledger' AND holder = energy_ledger.user_id)
                        AND NOT EXISTS (
                            SELECT FROM juliet.merges JOIN juliet.merges AS own USING (holder)
                            WHERE merges.user_id = answer ->> 'ledger' AND own.user_id = energy_ledger.user_id)
                        OR delta <> 0)) AS unrecorded,
                    min(operation_id) FILTER (WHERE operation_id ~ '[^!-~]' AND (operation_request IS NOT NULL
                        OR operation_id IS DISTINCT FROM 'entry ' || entry)) AS misnamed
                FROM juliet.energy_ledger WHERE entry IS NULL OR operation_id ~ '[^!-~]' GROUP BY user_id),
            misstated AS (
                SELECT user_id, min(operation_id) AS operation FROM (
                    SELECT user_id, operation_id FROM juliet.energy_ledger WHERE NOT juliet.fits_kind(
                        operation_id, operation_kind, operation_request, entry, reason, reference, refusal, answer)
                    UNION ALL
                    SELECT user_id, operation_id FROM juliet.energy_ledger_archive WHERE NOT juliet.fits_kind(
                        operation_id, operation_kind, operation_request, entry, reason, reference, NULL, NULL)) AS unfit
                GROUP BY user_id),
            doubled AS (
                SELECT user_id, min(operation_id) AS operation FROM juliet.energy_ledger_archive AS archive
                    JOIN juliet.energy_ledger USING (user_id, operation_id)
                WHERE archive.operation_request IS NOT NULL GROUP BY user_id),
            -- The largest limit of the day; 0 is none.
            exceeded AS (
                SELECT user_id, min(day) AS day
                FROM (SELECT user_id, (created_at AT TIME ZONE 'UTC')::date AS day, sum(delta) AS bought FROM entries
                    WHERE reason = 'purchase' AND reference IS NULL
                        AND (SELECT bool_or(unverified_daily_limit > 0) FROM held)
                    GROUP BY 1, 2) AS days
                WHERE NOT EXISTS (
                    SELECT FROM held WHERE begins < (day + 1)::timestamp AT TIME ZONE 'UTC'
                        AND ends > day::timestamp AT TIME ZONE 'UTC'
                        AND (unverified_daily_limit = 0 OR bought <= unverified_daily_limit))
                GROUP BY user_id),
            players AS (
                SELECT id, energy, ledger_entry, energy AS ledger_balance, ledger_seal FROM juliet.users UNION ALL
                SELECT user_id, NULL, ledger_entry, ledger_balance, ledger_seal FROM juliet.closed_ledgers),
            \(AuditedPurchases.expressions(hasFiles: hasFiles))
            SELECT coalesce(players.id, summaries.user_id, mark.user_id, archived.user_id, names.user_id,
                    purchase_faults.user_id) AS player, energy,
                ledger_entry, ledger_balance, ledger_seal, summaries.*,
                mark.entry, mark.balance, mark.seal, archived.entry, archived.balance, archived.seal,
                archived.file_seal,
                coalesce(names, 0), unrecorded, misstated.operation, doubled.operation, misnamed, exceeded.day::text,
                purchase_faults.fault
            FROM players FULL JOIN summaries ON summaries.user_id = players.id
                FULL JOIN (SELECT * FROM juliet.energy_checkpoints WHERE begins = 'ledger') AS mark
                    ON mark.user_id = coalesce(players.id, summaries.user_id)
                FULL JOIN (SELECT * FROM juliet.energy_checkpoints WHERE begins = 'archive') AS archived
                    ON archived.user_id = coalesce(players.id, summaries.user_id, mark.user_id)
                FULL JOIN names
                    ON names.user_id = coalesce(players.id, summaries.user_id, mark.user_id, archived.user_id)
                FULL JOIN purchase_faults ON purchase_faults.user_id
                    = coalesce(players.id, summaries.user_id, mark.user_id, archived.user_id, names.user_id)
                LEFT JOIN misstated ON misstated.user_id = players.id
                LEFT JOIN doubled ON doubled.user_id = players.id
                LEFT JOIN exceeded ON exceeded.user_id = players.id
            """
    }
}

private struct FetchAuditedPlayers: Statement {
    var sql: StaticString { "FETCH 1000 FROM audit" }
    static let pageSize = 1000

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> AuditedPlayer {
        let userID = try row.next(String.self)
        let balance = try row.next(Int32?.self).map(Int.init)
        let end = try mark(&row)
        row.skip()
        let (ledger, archive, files) = (try entries(&row), try entries(&row), try entries(&row))
        return AuditedPlayer(
            userID: userID, balance: balance, end: end, ledger: ledger, ledgerMark: try mark(&row), archive: archive,
            archiveMark: try mark(&row), fileSeal: try row.next(), files: files,
            names: Int(try row.next(Int64.self)), unrecorded: try row.next(), misstated: try row.next(),
            doubled: try row.next(), misnamed: try row.next(), exceededDay: try row.next(),
            purchase: try row.next(String?.self).flatMap(AuditedPurchases.fault))
    }

    private static func mark(_ row: inout RowDecoder) throws(PostgresDecodingError) -> AuditedPlayer.Mark? {
        let (entry, balance) = (try row.next(Int32?.self), try row.next(Int32?.self))
        guard let seal = try row.next(Int64?.self), let entry, let balance else { return nil }
        return AuditedPlayer.Mark(entry: Int(entry), balance: Int(balance), seal: seal)
    }

    private static func entries(_ row: inout RowDecoder) throws(PostgresDecodingError) -> AuditedPlayer.Entries? {
        let count = try row.next(Int64?.self)
        let first = try row.next(Int32?.self)
        let opening = try row.next(Int64?.self)
        let last = try row.next(Int32?.self)
        let sum = try row.next(Int64?.self)
        let seal = try row.next(Int64?.self)
        let (broken, misfit) = (try row.next(Int32?.self), try row.next(Int32?.self))
        let backwards = try row.next(Int32?.self)
        guard let count, let first, let opening, let last, let sum, let seal else { return nil }
        return AuditedPlayer.Entries(
            count: Int(count), first: Int(first), opening: Int(opening), last: Int(last), sum: Int(sum), seal: seal,
            broken: broken.map(Int.init), misfit: misfit.map(Int.init), backwards: backwards.map(Int.init))
    }
}

private struct EstimateEntries: Statement {
    var sql: StaticString {
        "SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = 'juliet.energy_ledger'::regclass"
    }
    var access: StatementAccess { .read }

    func bind(to parameters: inout Parameters) {}

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}
