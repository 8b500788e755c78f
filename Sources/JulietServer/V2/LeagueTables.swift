import EventLoop
import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// The tables of leagues, each read once for all who ask for it at the same time.
///
/// While few callers ask, each gets the current table. Beyond ``freshTables`` a second a table may be up to ``patience`` old,
/// so the cost to the database does not grow with the number of readers.
final class LeagueTables: Sendable {
    /// A table.
    struct Key: Sendable, Hashable {
        let league: PostgresUUID
        let period: V2.Period
    }

    /// A table as it was read; nil: there is no such league.
    struct Made: Sendable {
        let table: LeagueTable?
        /// When the reading began.
        let time: Duration
    }

    /// How many tables a second are read even if there is a copy that is younger than ``patience``.
    static let freshTables = 50
    /// How old a table may be.
    static let patience: Duration = .seconds(2)

    private struct State {
        var kept: [Key: Made] = [:]
        var fresh = TokenBuckets(TokenBuckets.Allowance(count: freshTables, period: .seconds(1)), capacity: 8)
        /// The latest moment so far: loops read the clock before they have the lock.
        var now = Duration.zero

        /// How many are kept; some are 30 KiB.
        static let capacity = 512

        /// The kept table, if it is young enough and enough fresh tables were read in this second.
        mutating func table(_ key: Key, for view: LeagueView, now: Duration) -> LeagueTable? {
            self.now = max(self.now, now)
            let mayRead = fresh.take(1, now: self.now) == nil
            guard !mayRead, let made = kept[key], made.time + patience > self.now, let table = made.table,
                table.fits(view)
            else { return nil }
            return table
        }

        mutating func take(_ made: Made, as key: Key) {
            if kept.count >= Self.capacity {
                kept = kept.filter { $0.value.time + patience > made.time }
                if kept.count >= Self.capacity { kept.removeAll(keepingCapacity: true) }
            }
            kept[key] = made.table == nil ? nil : made
        }
    }

    private let state: Locked<State>
    private let flights: SingleFlight<Key, Made>
    private let start: ContinuousClock.Instant

    /// Tables of these leagues.
    convenience init(leagues: Leagues) {
        self.init { key in try await leagues.table(of: key.league, key.period) }
    }

    /// - Parameter read: Reads a table, outside of the loops.
    init(read: @escaping @Sendable (Key) async throws -> LeagueTable?) {
        let (state, start) = (Locked(State()), ContinuousClock.now)
        self.state = state
        self.start = start
        flights = SingleFlight(maximumFlights: 512) { key in
            let time = ContinuousClock.now - start
            let made = Made(table: try await read(key), time: time)
            state.withLock { $0.take(made, as: key) }
            return made
        }
    }

    /// A table; nil when there is no such league.
    ///
    /// - Parameter view: What the member who asks may see of it, as it was just read.
    /// - Throws: `PostgresError`, `SingleFlight.Overload`; `CancellationError` when the task is cancelled.
    func table(_ key: Key, for view: LeagueView) async throws -> LeagueTable? {
        let now = ContinuousClock.now - start
        if let table = state.withLock({ $0.table(key, for: view, now: now) }) { return table }
        while true {
            let (made, isNew) = try await flights.value(of: key)
            // A read that began before this call may be older than the call.
            if isNew { return made.table }
        }
    }
}
