import EventLoop
package import Postgres

/// The secrets that can be dealt now, in memory, so that a deal can propose random ones.
///
/// PostgreSQL decides what is dealt; these are proposals. They are read at the start and again by ``refresh()``, so a
/// word that was just retired may still be dealt for as long as the caller lets pass between two refreshes.
package final class SecretWords: Sendable {
    /// Words of a list: what a deal chooses from.
    package struct Selection: Sendable {
        /// `words.language`, for example "en".
        package let language: String
        /// Letters per word.
        package let length: Int

        /// Names a list.
        package init(language: String, length: Int) {
            self.language = language
            self.length = length
        }
    }

    /// What one deal proposes to PostgreSQL.
    struct Proposal: Sendable {
        /// Random words, in the order in which to try them. All of them may be played.
        let candidates: [Word.ID]
        /// Where to start looking when all candidates are played.
        let start: Word.ID
        let selection: Selection
    }

    /// The words games deal.
    package let selection: Selection

    private let database: PostgresClient
    private let ids = Locked<[Word.ID]>([])

    /// Enough that a player with half of the words played sees all fail once in 65,536 deals.
    private static let candidateCount = 16

    /// Knows no word before the first ``refresh()``.
    package init(database: PostgresClient, selection: Selection) {
        self.database = database
        self.selection = selection
    }

    /// How many words can be dealt, as of the last refresh.
    package var count: Int { ids.withLock { $0.count } }

    /// Reads the words again. After an error the old ones stay.
    package func refresh() async throws(PostgresError) {
        let rows = try await database.execute(ReadSecretWords(selection: selection))
        ids.withLock { $0 = rows }
    }

    /// Chooses random words to propose.
    ///
    /// - Returns: nil when there are no words.
    func propose() -> Proposal? {
        let ids = ids.withLock { $0 }
        guard !ids.isEmpty else { return nil }
        var generator = SplitMix64(seed: .random(in: .min ... .max))
        let count = UInt64(ids.count)
        let candidates = [Word.ID](unsafeUninitializedCapacity: Self.candidateCount) { buffer, initializedCount in
            for index in 0..<Self.candidateCount {
                buffer[index] = ids[Int(generator.next() % count)]
            }
            initializedCount = Self.candidateCount
        }
        return Proposal(
            candidates: candidates, start: ids[Int(generator.next() % count)], selection: selection)
    }
}

/// The ids of all secrets of a list that can be dealt.
private struct ReadSecretWords: Statement {
    static let sql: StaticString = """
        SELECT id FROM words
        WHERE language = $1 AND char_length(word) = $2 AND is_secret AND retired_at IS NULL ORDER BY id
        """
    static let access = StatementAccess.read

    let selection: SecretWords.Selection

    func bind(to parameters: inout Parameters) {
        parameters.append(selection.language)
        parameters.append(Int32(clamping: selection.length))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Word.ID { try row.next(Int32.self) }
}

/// A small generator (Steele, Lea and Flood, 2014) seeded by the system's, which costs a system call each time.
private struct SplitMix64 {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
