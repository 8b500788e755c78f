package import Postgres

/// Updates the words of a language, and what they mean, from lists: all of them or none.
///
/// The lists are copied into a temporary table and compared there; the lines are read once and not held in memory. Changes are sent
/// as arrays.
package struct WordListImport {
    /// What a list is for.
    package enum Kind: String, Sendable, CaseIterable {
        /// Words that a player may try.
        case guessable
        /// Words that a game deals.
        case secret
    }

    /// One list.
    package struct Source {
        /// The name in messages: the file's name.
        package let name: String
        /// What it is for.
        package let kind: Kind
        /// The next piece of its text; nil at the end.
        package let read: () throws -> [UInt8]?

        /// Names a list and how it is read.
        package init(name: String, kind: Kind, read: @escaping () throws -> [UInt8]?) {
            self.name = name
            self.kind = kind
            self.read = read
        }
    }

    /// The changes by the lists of one kind, made or only found.
    package struct Summary: Sendable, Hashable, Encodable {
        /// What the lists are for.
        package let kind: String
        /// Words that are new in this kind.
        package let added: Int
        /// Words that had been retired.
        package let restored: Int
        /// Words that the lists no longer name.
        package let retired: Int
        /// Words that are as they were.
        package let unchanged: Int
    }

    /// The changes by all lists, made or only found. In JSON an array of one object a kind.
    package struct Outcome: Sendable, Hashable, Encodable {
        /// By lists of words, guessable words first.
        package let lists: [Summary]
        /// By lists of meanings; nil: there were none.
        package let meanings: WordMeanings.Summary?

        /// Writes the array.
        package func encode(to encoder: any Encoder) throws {
            var array = encoder.unkeyedContainer()
            for list in lists { try array.encode(list) }
            if let meanings { try array.encode(meanings) }
        }
    }

    /// Why nothing was changed: the faulty lines.
    package struct Refusal: Error, Sendable, CustomStringConvertible {
        /// The first of them, at most ``limit``.
        package private(set) var lines: [String] = []
        /// How many there are.
        package private(set) var count = 0

        /// How many lines are quoted.
        package static let limit = 20

        mutating func add(_ line: @autoclosure () -> String) {
            if count < Self.limit { lines.append(line()) }
            count += 1
        }

        /// The lines, and how many more there are.
        package var description: String {
            (count > lines.count ? lines + ["and \(count - lines.count) more"] : lines).joined(separator: "\n")
        }
    }

    /// A connection of the role that owns the tables.
    let connection: PostgresConnection
    /// As in `words.language`.
    let language: String
    /// Whether words that the lists no longer name are retired.
    let prunes: Bool
    /// Who imports, for the audit trail.
    let actor: String
    /// Called now and then with the name of a list and how many lines of it are read.
    let progress: (String, Int) -> Void

    /// An import into one language.
    ///
    /// - Parameters:
    ///   - connection: Of the role that owns the tables; no transaction under way.
    ///   - language: As in `words.language`.
    ///   - prunes: Whether words that the lists of a kind no longer name are retired, among words of the lengths that
    ///     those lists hold.
    ///   - actor: Who imports, for the audit trail.
    ///   - progress: Called now and then with the name of a list and how many lines of it are read.
    package init(
        connection: PostgresConnection, language: String, prunes: Bool, actor: String,
        progress: @escaping (String, Int) -> Void = { _, _ in }
    ) {
        self.connection = connection
        self.language = language
        self.prunes = prunes
        self.actor = actor
        self.progress = progress
    }

    /// Imports the lists in one transaction.
    ///
    /// - Parameters:
    ///   - sources: The lists of words, in any order.
    ///   - meanings: What words mean, these words and others; nil: no list says it.
    ///   - keeps: false: find out what would change, and change nothing.
    /// - Returns: A summary for each kind there is a list of.
    /// - Throws: `Refusal` or `PostgresError`, or what reading threw; nothing is changed then.
    package func run(
        _ sources: [Source], meanings: WordMeanings? = nil, keeps: Bool = true
    ) async throws -> Outcome {
        try await connection.inTransaction(keeps: keeps) {
            let summaries = sources.isEmpty ? [] : try await importLists(sources)
            let changed = try await importMeanings(meanings)
            return Outcome(lists: summaries, meanings: changed)
        }
    }

    /// Reads what lists say that words of the language mean.
    ///
    /// - Throws: `Refusal` with the lines that are wrong, or what reading threw.
    package func meanings(_ sources: [WordMeanings.Source]) throws -> WordMeanings {
        try WordMeanings(reading: sources, spelling: WordSpelling(language: language))
    }

    private func importMeanings(_ meanings: WordMeanings?) async throws -> WordMeanings.Summary? {
        guard let meanings else { return nil }
        try await connection.executeScript(StagedWords.lock)
        let known = try await connection.first(CountKnown(language: language, meanings: meanings)) ?? 0
        let changed = try await connection.first(SetMeanings(language: language, meanings: meanings)) ?? 0
        let summary = WordMeanings.Summary(
            changed: changed, unchanged: known - changed, skipped: meanings.count - known)
        if changed > 0 {
            _ = try await connection.execute(RefreshWordLists())
            _ = try await connection.execute(RecordMeanings(actor: actor, language: language, change: summary))
        }
        return summary
    }

    private func importLists(_ sources: [Source]) async throws -> [Summary] {
        try await connection.executeScript(StagedWords.create)
        try await stage(sources)
        try await connection.executeScript(StagedWords.lock)
        _ = try await connection.execute(CopyKnownWords(language: language))
        try await connection.executeScript(StagedWords.analyze)
        let kinds = Kind.allCases.filter { kind in sources.contains { $0.kind == kind } }
        if kinds.contains(.secret) {
            try await refuseUnguessable(sources, prunesGuessable: prunes && kinds.contains(.guessable))
        }
        // All comparisons come first: adding a word that is in lists of both kinds makes it both at once.
        var found: [(kind: Kind, change: (added: Int, restored: Int, listed: Int))] = []
        for kind in kinds {
            let change = try await connection.first(CompareStaged(isSecret: kind == .secret))
            found.append((kind, change ?? (0, 0, 0)))
        }
        var summaries: [Summary] = []
        for (kind, change) in found {
            summaries.append(
                Summary(
                    kind: kind.rawValue, added: change.added, restored: change.restored, retired: try await apply(kind),
                    unchanged: change.listed - change.added - change.restored))
        }
        _ = try await connection.execute(RefreshWordLists())
        if summaries.contains(where: { $0.added + $0.restored + $0.retired > 0 }) {
            _ = try await connection.execute(ChooseDaysAgain(actor: actor))
        }
        _ = try await connection.execute(RecordImport(actor: actor, language: language, summaries: summaries))
        return summaries
    }

    private func stage(_ sources: [Source]) async throws {
        var refusal = Refusal()
        var pending = PendingRows(sources: sources, spelling: WordSpelling(language: language), progress: progress)
        try await connection.copyIn(StagedWords.copy) {
            try pending.next(refusal: &refusal)
        }
        if refusal.count > 0 { throw refusal }
    }

    private func refuseUnguessable(_ sources: [Source], prunesGuessable: Bool) async throws {
        var refusal = Refusal()
        for row in try await connection.execute(FindUnguessable(prunesGuessable: prunesGuessable)) {
            refusal.add("\(sources[row.file].name):\(row.line): \"\(row.word)\" is a secret that cannot be guessed")
        }
        if refusal.count > 0 { throw refusal }
    }

    /// Applies the lists of one kind to the words, and returns how many were retired.
    private func apply(_ kind: Kind) async throws -> Int {
        switch kind {
        case .guessable:
            _ = try await connection.execute(AddGuessable(language: language))
            let restored = try await connection.first(FindRestored()) ?? []
            _ = try await connection.execute(RestoreWords(ids: restored))
        case .secret:
            let secrets = try await connection.first(ListedSecrets()) ?? []
            _ = try await connection.execute(MakeSecret(language: language, words: secrets))
        }
        guard prunes else { return 0 }
        let unlisted = try await connection.first(FindUnlisted(isSecret: kind == .secret)) ?? []
        return try await connection.first(RetireWords(ids: unlisted)) ?? 0
    }
}

/// The lists as rows of COPY's text format, made piece by piece while they are read.
private struct PendingRows: ~Copyable {
    private let sources: [WordListImport.Source]
    private let spelling: WordSpelling
    private let progress: (String, Int) -> Void
    private var index = 0
    private var lines = WordListLines()
    private var reported = 0

    /// The number of lines between two reports.
    private static let reportEvery = 250_000

    init(
        sources: [WordListImport.Source], spelling: WordSpelling, progress: @escaping (String, Int) -> Void
    ) {
        self.sources = sources
        self.spelling = spelling
        self.progress = progress
    }

    /// The rows of the next piece of text; nil after the last list. Faulty lines are left out and reported.
    mutating func next(refusal: inout WordListImport.Refusal) throws -> [UInt8]? {
        guard index < sources.count else { return nil }
        let source = sources[index]
        var rows: [UInt8] = []
        let file = index
        let spelling = spelling
        func row(number: Int, text: ArraySlice<UInt8>) {
            let start = rows.count
            rows.append(contentsOf: "\(file)\t\(number)\t\(source.kind == .secret ? "t" : "f")\t".utf8)
            do {
                try spelling.append(text, to: &rows)
                rows.append(UInt8(ascii: "\n"))
            } catch {
                rows.removeSubrange(start...)
                let shown = String(decoding: text.prefix(40), as: UTF8.self)
                refusal.add("\(source.name):\(number): \(shown.quoted) \(error)")
            }
        }
        if let bytes = try source.read() {
            lines.consume(bytes, word: row)
            if lines.count - reported >= Self.reportEvery {
                reported = lines.count
                progress(source.name, reported)
            }
        } else {
            lines.finish(word: row)
            lines = WordListLines()
            reported = 0
            index += 1
        }
        return rows
    }
}
