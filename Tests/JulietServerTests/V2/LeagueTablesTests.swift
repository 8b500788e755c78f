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

    private static func place(_ member: PostgresUUID, hasEnded: Bool = false, rank: Int = 1) -> LeaguePlace {
        LeaguePlace(
            startsOn: nil, day: today, rank: rank, member: member, name: "N", points: 0, played: 0, won: 0,
            today: hasEnded ? V2.LeagueTable.Today(state: .won, guesses: 1, seconds: 2, marks: [[.correct]]) : nil)
    }

    private static func view(_ member: PostgresUUID, hasEnded: Bool = false, day: V2.Day = today) -> LeagueView {
        LeagueView(member: member, day: day, hasEnded: hasEnded)
    }

    @Test("a table shows the others' ends to who has ended today's word; one's own is shown anyway")
    func shown() throws {
        let table = try #require(
            LeagueTable(.week, [Self.place(Self.ann, hasEnded: true), Self.place(Self.bob)]))
        #expect(table.shown(to: Self.view(Self.ann)).entries.map { $0.today != nil } == [true, false])
        #expect(table.shown(to: Self.view(Self.bob)).entries.map { $0.today != nil } == [false, false])
        // Seen in a table of before the end, others' ends wait for the next table.
        #expect(table.shown(to: Self.view(Self.bob, hasEnded: true)).entries.map { $0.today != nil } == [false, false])
        #expect(table.shown(to: Self.view(Self.bob)).entries.map(\.isMe) == [nil, true])
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
