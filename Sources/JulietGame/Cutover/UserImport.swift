package import Postgres

/// Imports players from the old backend, one batch in each transaction.
///
/// A player who is here already is not changed. So an import can be run again, also after a kill, and continues where
/// it stopped, and it never undoes what a player did since.
package struct UserImport {
    /// The result of an import.
    package struct Summary: Sendable, Hashable {
        /// Items in the exports.
        package var items = 0
        /// Players created.
        package var imported = 0
        /// Players who had been registered here and nothing else, whose state was replaced by the old backend's.
        package var replaced = 0
        /// Players who were here already, or were in the exports before.
        package var present = 0
        /// Items that could not be imported.
        package var refused = 0
        /// Items that were corrected.
        package var repaired = 0
        /// Items by their remarks.
        package var kinds: [ImportRemark.Kind: Int] = [:]
        /// The exports that could not be read to their end.
        package var faults: [LegacySource.Fault] = []
    }

    private let connections: [PostgresConnection]
    private let language: String
    private let replacesUntouched: Bool
    private let remark: (ImportRemark) throws -> Void
    private let progress: (Summary) -> Void

    /// The number of players in a transaction.
    private static let batchSize = 2000

    /// An import.
    ///
    /// - Parameters:
    ///   - connections: One or more, of the role that owns the tables, no transaction under way. Each writes batches of
    ///     its own, while the next one is read.
    ///   - language: The language of the words that the players played.
    ///   - replacesUntouched: Whether the old backend's state replaces that of a player who was registered here and has
    ///     done nothing since.
    ///   - remark: Called for items that were not simply imported, nearly in the order of the exports.
    ///   - progress: Called after each batch.
    package init(
        connections: [PostgresConnection], language: String, replacesUntouched: Bool = false,
        remark: @escaping (ImportRemark) throws -> Void, progress: @escaping (Summary) -> Void = { _ in }
    ) {
        self.connections = connections
        self.language = language
        self.replacesUntouched = replacesUntouched
        self.remark = remark
        self.progress = progress
    }

    /// Imports exports, one after the other.
    ///
    /// - Returns: The result. An export that cannot be read to its end does not stop the others.
    /// - Throws: `LegacySource.Fault`: one of them is not an export, or there are no words yet; nothing is changed.
    ///   `PostgresError`, or what `remark` threw: the batches before that stay.
    package func run(_ sources: [LegacySource]) async throws -> Summary {
        var words: [String: Int32] = [:]
        for row in try await connections[0].execute(ReadWordIDs(language: language)) { words[row.word] = row.id }
        guard !words.isEmpty else {
            throw LegacySource.Fault(
                description: "there are no words of \(language) yet, so nothing was changed: "
                    + "run `juliet words import` first")
        }
        let startingEnergy = try await connections[0].first(ReadStartingEnergy()) ?? 0
        try check(sources)
        for connection in connections { try await connection.executeScript(StagedUsers.create) }

        let reader = ItemReader(
            words: words, spelling: WordSpelling(language: language), startingEnergy: startingEnergy)
        return try await withThrowingTaskGroup(of: StagedBatch.Written.self) { group in
            var run = Run(import: self, reader: reader, free: connections)
            for source in sources { try await run.read(source, &group) }
            try await run.submit(&group)
            while let written = try await group.next() { try run.note(written) }
            if run.pages > 0, run.pages == run.unfinishedPages {
                run.summary.faults.append(
                    LegacySource.Fault(
                        description: "the table goes on where the scan ends (LastEvaluatedKey): scan the rest as well"))
            }
            return run.summary
        }
    }

    /// Checks all sources before the first is read.
    private func check(_ sources: [LegacySource]) throws(LegacySource.Fault) {
        var findings: [Bool?] = []
        for source in sources { findings.append(try source.holdsPlayers()) }
        if findings.contains(false), !findings.contains(true), let index = findings.firstIndex(of: false) {
            throw LegacySource.Fault(
                description: "\(sources[index].name) is JSON, but not an export of players: its items have no userID")
        }
    }

    /// Makes players of items.
    private struct ItemReader {
        let words: [String: Int32]
        let spelling: WordSpelling
        let startingEnergy: Int32

        /// The player, with the ids of their words and all repairs.
        func user(
            _ item: LegacyItems.Item
        ) throws(LegacyUser.Refusal) -> (user: LegacyUser, words: [Int32], repairs: [LegacyUser.Repair]) {
            guard let bytes = item.bytes else { throw LegacyUser.Refusal(kind: .malformed, user: nil) }
            let user = try LegacyUser(json: bytes, spelling: spelling, startingEnergy: startingEnergy)
            let ids = user.playedWords.compactMap { words[$0] }
            guard ids.count < user.playedWords.count else { return (user, ids, user.repairs) }
            let unknown = user.playedWords.filter { words[$0] == nil }
            return (user, ids, user.repairs + [LegacyUser.Repair(kind: .wordUnknown, was: .words(unknown), now: nil)])
        }
    }

    /// An import under way.
    private struct Run {
        let `import`: UserImport
        let reader: ItemReader
        /// The sessions that have nothing to do.
        var free: [PostgresConnection]
        var batch = StagedBatch()
        var summary = Summary()
        var pages = 0
        var unfinishedPages = 0

        init(import: UserImport, reader: ItemReader, free: [PostgresConnection]) {
            self.import = `import`
            self.reader = reader
            self.free = free
        }

        /// Reads a source; a fault is noted.
        mutating func read(
            _ source: LegacySource, _ group: inout ThrowingTaskGroup<StagedBatch.Written, any Error>
        ) async throws {
            var items = LegacyItems()
            var found: [LegacyItems.Item] = []
            var isOver = false
            while !isOver {
                do throws(LegacySource.Fault) {
                    if let piece = try source.read() {
                        items.consume(piece) { found.append($0) }
                    } else {
                        isOver = true
                        if !items.finish(item: { found.append($0) }) {
                            throw LegacySource.Fault(
                                description: "\(source.name) ends in the middle; what came before was imported")
                        }
                    }
                } catch {
                    isOver = true
                    summary.faults.append(error)
                }
                for item in found {
                    try add(item, of: source.name)
                    if batch.count == UserImport.batchSize { try await submit(&group) }
                }
                found.removeAll(keepingCapacity: true)
            }
            pages += items.pages
            unfinishedPages += items.unfinishedPages
        }

        private mutating func add(_ item: LegacyItems.Item, of file: String) throws {
            summary.items += 1
            do throws(LegacyUser.Refusal) {
                let (user, words, repairs) = try reader.user(item)
                batch.add(user, words: words, file: file, line: item.line)
                guard !repairs.isEmpty else { return }
                summary.repaired += 1
                for repair in repairs {
                    pendingRemarks.append(
                        ImportRemark(
                            file: file, line: item.line, user: user.id.rawValue, kind: repair.kind, was: repair.was,
                            now: repair.now ?? .nothing))
                }
            } catch {
                pendingRemarks.append(
                    ImportRemark(
                        file: file, line: item.line, user: error.user?.rawValue, kind: error.kind, was: .nothing,
                        now: .nothing))
            }
            try tellRemarks()
        }

        private var pendingRemarks: [ImportRemark] = []

        private mutating func tellRemarks() throws {
            for remark in pendingRemarks {
                summary.kinds[remark.kind, default: 0] += 1
                if remark.kind.effect == .refused { summary.refused += 1 }
                try `import`.remark(remark)
            }
            pendingRemarks.removeAll(keepingCapacity: true)
        }

        /// Starts writing the batch as soon as a session is free.
        mutating func submit(
            _ group: inout ThrowingTaskGroup<StagedBatch.Written, any Error>
        ) async throws {
            guard batch.count > 0 else { return }
            if free.isEmpty, let written = try await group.next() { try note(written) }
            let connection = free.removeLast()
            let (batch, replaces) = (batch, `import`.replacesUntouched)
            self.batch = StagedBatch()
            group.addTask { try await batch.write(to: connection, replacesUntouched: replaces) }
        }

        mutating func note(_ written: StagedBatch.Written) throws {
            free.append(written.connection)
            summary.imported += written.imported
            summary.replaced += written.replaced
            summary.present += written.present
            pendingRemarks = written.remarks
            try tellRemarks()
            `import`.progress(summary)
        }
    }
}

/// What a new player gets.
private struct ReadStartingEnergy: Statement {
    var sql: StaticString { "SELECT starting_energy FROM juliet.rules ORDER BY since DESC LIMIT 1" }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
}

private struct ReadWordIDs: Statement {
    var sql: StaticString { "SELECT word, id FROM juliet.words WHERE language = $1" }
    var access: StatementAccess { .read }
    let language: String

    func bind(to parameters: inout Parameters) { parameters.append(language) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> (word: String, id: Int32) {
        (try row.next(), try row.next())
    }
}
