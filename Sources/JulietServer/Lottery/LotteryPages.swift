import EventLoop
import HTTPServer
import JulietGame
import Lottery
import Postgres

/// The large answers of the lottery, as they are sent: made once for each version, then kept with their entity tags,
/// compressed, for all callers.
///
/// Each request asks for the version first, which is one short statement: so its answer is never older than the request.
final class LotteryPages: Sendable {
    /// The pages.
    enum Key: Sendable, Hashable {
        case document(HeavyReads.Document)
        /// A draw by its number.
        case draw(Int)
    }

    /// A page as it was made.
    struct Made: Sendable {
        /// Not newer than the page.
        let version: Int
        /// nil: there is no such draw.
        let page: Page?
        /// Whether the page stays the same as long as the version does.
        var isFinal = true
    }

    /// The current version of all pages.
    typealias Version = @Sendable () async throws -> Int

    private struct Kept {
        let made: Made
        /// The number of the page among all that were made.
        let number: Int
        /// When it was last requested, counted in requests.
        var lastUse: Int
    }

    private struct State {
        var kept: [Key: Kept] = [:]
        /// How many were made.
        var count = 0
        var uses = 0

        /// Stores a page that was just made, if it should be kept.
        ///
        /// - Returns: The page to send, and those that are not kept, or no longer.
        mutating func take(_ made: Made, as key: Key) -> (made: Made, gone: [Page]) {
            var made = made
            count += 1
            uses += 1
            guard let page = made.page else { return (made, []) }
            // Only connections will have it.
            guard made.isFinal else { return (made, [page]) }
            var gone: [Page] = []
            if let former = kept[key]?.made.page {
                if former.digest == page.digest {
                    made = Made(version: made.version, page: former)
                } else {
                    gone.append(former)
                }
            }
            kept[key] = Kept(made: made, number: count, lastUse: uses)
            let draws = kept.filter { if case .draw = $0.key { true } else { false } }
            if draws.count > LotteryPages.maximumDraws,
                let oldest = draws.min(by: { $0.value.lastUse < $1.value.lastUse }),
                let page = kept.removeValue(forKey: oldest.key)?.made.page
            {
                gone.append(page)
            }
            return (made, gone)
        }
    }

    /// How many draws are kept. With 100,000 entries one has a list of 1 MB.
    private static let maximumDraws = 4

    private let version: Version
    private let documents: SingleFlight<Key, Made>
    /// Those of draws, apart: whoever asks for many draws keeps nobody from the documents.
    private let draws: SingleFlight<Key, Made>
    private let state: Locked<State>

    /// Pages of these records.
    convenience init(database: PostgresClient) {
        let (draws, reads) = (LotteryDraws(database: database), HeavyReads(database: database))
        self.init(version: { try await draws.version() }, make: { key in try await Self.make(key, from: reads) })
    }

    /// - Parameters:
    ///   - version: Reads the version.
    ///   - make: Makes a page, off the loops.
    init(version: @escaping Version, make: @escaping SingleFlight<Key, Made>.Make) {
        let state = Locked(State())
        self.version = version
        self.state = state
        let take: SingleFlight<Key, Made>.Make = { key in
            let made = try await make(key)
            let (kept, gone) = state.withLock { $0.take(made, as: key) }
            for page in gone { page.letGo() }
            return kept
        }
        documents = SingleFlight(make: take)
        draws = SingleFlight(make: take)
    }

    /// How many pages were made.
    var madeCount: Int { state.withLock { $0.count } }

    /// The page as it is now, or newer than the call; nil when there is no such draw.
    ///
    /// - Throws: `PostgresError`, `SingleFlight.Overload`; `CancellationError` when the task is cancelled.
    func page(_ key: Key) async throws -> Page? {
        let before = madeCount
        let wanted = try await version()
        let flights = if case .draw = key { draws } else { documents }
        while true {
            let (made, isNew) = try await flights.value(of: key, unless: { kept(key, wanted, after: before) })
            // A page whose making began before this call may be older than the call.
            if isNew || made.version >= wanted { return made.page }
        }
    }

    /// The kept page, if it has this version, or was made later and so is newer.
    private func kept(_ key: Key, _ version: Int, after count: Int) -> Made? {
        state.withLock { state in
            guard let kept = state.kept[key],
                kept.made.version == version || kept.made.version > version && kept.number > count
            else { return nil }
            state.uses += 1
            state.kept[key]?.lastUse = state.uses
            return kept.made
        }
    }

    private static func make(_ key: Key, from reads: HeavyReads) async throws -> Made {
        switch key {
        case .document(let document):
            let (version, bytes) = try await reads.document(document)
            return Made(version: version, page: Page(document.name, bytes))
        case .draw(let number):
            let (version, draw) = try await reads.draw(number)
            let isOver = draw?.draw.progress?.end != nil
            let page = draw.map { Page("draw.json", lotteryJSON($0), keeping: .never, isCompressed: isOver) }
            return Made(version: version, page: page, isFinal: isOver)
        }
    }
}

extension HeavyReads.Document {
    fileprivate var name: String {
        switch self {
        case .users: "users.json"
        case .entries: "usersInLottery.json"
        }
    }
}
