import EventLoop
import JulietAPI
import JulietGame
import Postgres

/// Short-lived copies of the results of challenges: however many players look at the same time, the database is asked once
/// a second for each challenge.
final class ChallengeResults: Sendable {
    /// Reads the results from the records.
    typealias Read = @Sendable (V2.ShareCode) async throws -> [ChallengeLine]

    private struct Copy {
        let lines: [ChallengeLine]
        let readAt: ContinuousClock.Instant
    }

    /// How long a copy is used. Clients ask again every second or two, so a player sees a friend's result within three
    /// seconds.
    static let lifetime: Duration = .seconds(1)
    /// How many challenges are remembered at most, some 100 KB each with a thousand players.
    private static let maximumCopies = 256

    private let read: Read
    private let flights: SingleFlight<V2.ShareCode, [ChallengeLine]>
    private let copies = Locked<[V2.ShareCode: Copy]>([:])

    /// - Parameter read: Reads results.
    init(read: @escaping Read) {
        self.read = read
        flights = SingleFlight(make: read)
    }

    /// The results, no older than `lifetime`.
    ///
    /// - Parameter game: A game that the results must include, so that a player who has just ended theirs sees it; nil: none.
    func lines(of code: V2.ShareCode, with game: V2.Game.ID?) async throws -> [ChallengeLine] {
        func isEnough(_ lines: [ChallengeLine]) -> Bool { game == nil || lines.contains { $0.game == game } }
        let now = ContinuousClock.now
        if let copy = copies.withLock({ $0[code] }), copy.readAt + Self.lifetime > now, isEnough(copy.lines) {
            return copy.lines
        }
        while true {
            let (lines, isNew): ([ChallengeLine], Bool)
            do {
                (lines, isNew) = try await flights.value(of: code)
            } catch is SingleFlight<V2.ShareCode, [ChallengeLine]>.Overload {
                return try await read(code)
            }
            // A read that began earlier may be older than the game's end.
            guard isNew || isEnough(lines) else { continue }
            if isNew { keep(Copy(lines: lines, readAt: now), of: code) }
            return lines
        }
    }

    private func keep(_ copy: Copy, of code: V2.ShareCode) {
        copies.withLock { copies in
            if copies[code] == nil, copies.count >= Self.maximumCopies {
                copies = copies.filter { $0.value.readAt + Self.lifetime > copy.readAt }
                if copies.count >= Self.maximumCopies { return }
            }
            copies[code] = copy
        }
    }
}
