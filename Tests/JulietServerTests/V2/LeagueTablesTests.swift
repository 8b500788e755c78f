import EventLoop
import JulietAPI
import Postgres
import Testing

@testable import JulietGame
@testable import JulietServer

@Suite("Tables of leagues, read once for many")
struct LeagueTablesTests {
    private static let (ann, bob) = (PostgresUUID(high: 0, low: 1), PostgresUUID(high: 0, low: 2))
    private static let today = V2.Day(daysSince1970: 20_000)
    private static let key = LeagueTables.Key(league: PostgresUUID(high: 9, low: 9), period: .week)

    private static func place(
        _ member: PostgresUUID, hasEnded: Bool = false, rank: Int = 1, points: Int = 6, joined: Int = 1
    ) -> LeaguePlace {
        LeaguePlace(
            startsOn: nil, day: today, rank: rank, member: member, name: "N", points: points, played: points,
            won: points,
            today: hasEnded ? V2.LeagueTable.Today(state: .won, guesses: 1, seconds: 2, marks: [[.correct]]) : nil,
            joined: joined)
    }

    private static func view(_ member: PostgresUUID, hasEnded: Bool = false, day: V2.Day = today) -> LeagueView {
        LeagueView(member: member, day: day, hasEnded: hasEnded)
    }

    @Test("a table is without today for who has not ended today's word: points, order, ranks")
    func withoutToday() throws {
        let (cid, dan) = (PostgresUUID(high: 0, low: 3), PostgresUUID(high: 0, low: 4))
        // Ann is first by today alone; Bob and Dan are equal; Cid has lost today.
        var places = [
            Self.place(Self.ann, hasEnded: true, rank: 1, points: 8, joined: 4),
            Self.place(Self.bob, rank: 2, points: 7, joined: 2), Self.place(dan, rank: 2, points: 7, joined: 3),
            Self.place(cid, rank: 4, points: 3, joined: 1),
        ]
        places[3].today = V2.LeagueTable.Today(state: .lost, guesses: 6, seconds: 9, marks: [])
        let table = try #require(LeagueTable(.week, places))
        let seen = table.shown(to: Self.view(Self.ann, hasEnded: true))
        #expect(seen.entries.map(\.points) == [8, 7, 7, 3] && seen.entries.map(\.rank) == [1, 2, 2, 4])
        #expect(seen.endedToday == 2 && seen.withoutToday == nil)
        let hidden = table.shown(to: Self.view(Self.bob))
        #expect(hidden.endedToday == 2 && hidden.withoutToday == true)
        #expect(hidden.entries.map(\.rank) == [1, 1, 3, 4])
        #expect(hidden.entries.map(\.points) == [7, 7, 3, 2], "Ann has 6 of today, Cid none")
        #expect(hidden.entries.map(\.played) == [7, 7, 2, 7] && hidden.entries.map(\.won) == [7, 7, 3, 7])
        #expect(hidden.entries.map(\.isMe) == [true, nil, nil, nil])
        #expect(hidden.entries.allSatisfy { $0.today == nil })
    }

    @Test("a table shows ends to who has ended today's word")
    func shown() throws {
        let table = try #require(
            LeagueTable(.week, [Self.place(Self.ann, hasEnded: true), Self.place(Self.bob, joined: 2)]))
        #expect(table.shown(to: Self.view(Self.ann)).entries.map { $0.today != nil } == [true, false])
        #expect(table.shown(to: Self.view(Self.bob)).entries.map { $0.today != nil } == [false, false])
        // Seen in a table of before the end, others' ends wait for the next table.
        #expect(table.shown(to: Self.view(Self.bob, hasEnded: true)).entries.map { $0.today != nil } == [false, false])
        #expect(table.shown(to: Self.view(Self.bob)).entries.map(\.isMe) == [true, nil])
        #expect(LeagueTable(.week, []) == nil)
    }

    @Test("a table is not used for a player who is not in it, one who has ended since, or another day")
    func fits() throws {
        let table = try #require(LeagueTable(.week, [Self.place(Self.ann, hasEnded: true), Self.place(Self.bob)]))
        #expect(table.fits(Self.view(Self.ann, hasEnded: true)))
        #expect(table.fits(Self.view(Self.bob)))
        #expect(!table.fits(Self.view(Self.bob, hasEnded: true)))
        #expect(!table.fits(Self.view(PostgresUUID(high: 0, low: 3))))
        #expect(!table.fits(Self.view(Self.bob, day: V2.Day(daysSince1970: 20_001))))
    }

    @Test("few requests get a table of their own; many share tables that are young enough")
    func crowd() async throws {
        let count = Locked(0)
        let tables = LeagueTables { _ in
            count.withLock { $0 += 1 }
            return LeagueTable(.week, [Self.place(Self.ann), Self.place(Self.bob)])
        }
        for number in 1...10 {
            #expect(try await tables.table(Self.key, for: Self.view(Self.ann)) != nil)
            #expect(count.withLock { $0 } == number)
        }
        for _ in 1...5000 { #expect(try await tables.table(Self.key, for: Self.view(Self.bob)) != nil) }
        // As many as there may be at once, and those of the time that this took.
        #expect(count.withLock { $0 } < 1000)
        // Whom no table fits gets another one.
        let before = count.withLock { $0 }
        _ = try await tables.table(Self.key, for: Self.view(Self.bob, hasEnded: true))
        #expect(count.withLock { $0 } == before + 1)
    }

    @Test("a league that is not there has no table, and none is kept of it")
    func none() async throws {
        let table = Locked(LeagueTable(.week, [Self.place(Self.ann)]))
        let tables = LeagueTables { _ in table.withLock { $0 } }
        for _ in 1...200 { #expect(try await tables.table(Self.key, for: Self.view(Self.ann)) != nil) }
        table.withLock { $0 = nil }
        #expect(try await tables.table(Self.key, for: Self.view(Self.bob)) == nil)
        #expect(try await tables.table(Self.key, for: Self.view(Self.ann)) == nil)
    }
}
