package import JulietAPI
import Postgres

/// The table of a league as the database has it: for all its members, with data that only some of them may see.
package struct LeagueTable: Sendable {
    /// Today.
    package let day: V2.Day
    private let period: V2.Period
    private let startsOn: V2.Day?
    private let places: [LeaguePlace]
    private let numbers: [PostgresUUID: Int]

    /// A table of these lines; nil if there are none.
    init?(_ period: V2.Period, _ places: [LeaguePlace]) {
        guard let first = places.first else { return nil }
        self.period = period
        self.places = places
        day = first.day
        startsOn = first.startsOn
        numbers = Dictionary(places.enumerated().map { ($1.member, $0) }) { first, _ in first }
    }

    /// Whether it is new enough for a member: they are in it, and if they have ended the word of the day, their result is in
    /// it, too.
    package func fits(_ view: LeagueView) -> Bool {
        guard day == view.day, let number = numbers[view.member] else { return false }
        return !view.hasEnded || places[number].today != nil
    }

    /// The table as a member sees it: with the others' results of today only after the member has ended theirs.
    package func shown(to view: LeagueView) -> V2.LeagueTable {
        let hasEnded = numbers[view.member].map { places[$0].today != nil } ?? false
        return V2.LeagueTable(
            period: period, startsOn: startsOn,
            entries: places.map { place in
                let isMe = place.member == view.member
                return V2.LeagueTable.Entry(
                    rank: place.rank, name: place.name, points: place.points, played: place.played, won: place.won,
                    isMe: isMe, today: hasEnded || isMe ? place.today : nil)
            })
    }
}

/// A `league_place`.
struct LeaguePlace: Sendable {
    let startsOn: V2.Day?
    let day: V2.Day
    let rank: Int
    let member: PostgresUUID
    let name: String
    let points: Int
    let played: Int
    let won: Int
    let today: V2.LeagueTable.Today?
}

extension LeaguePlace: PostgresDecodable {
    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        startsOn = try fields.next(PostgresDate?.self, in: bytes).map(V2.Day.init)
        day = V2.Day(try fields.next(PostgresDate.self, in: bytes))
        rank = try fields.integer(in: bytes)
        member = try fields.next(in: bytes)
        name = try fields.next(in: bytes)
        points = try fields.integer(in: bytes)
        played = try fields.integer(in: bytes)
        won = try fields.integer(in: bytes)
        guard let isWon = try fields.next(Bool?.self, in: bytes) else {
            today = nil
            return
        }
        let guesses = try fields.integer(in: bytes)
        let seconds = Int(try fields.next(Int64.self, in: bytes))
        let marks = try fields.next(String.self, in: bytes)
        let letters = try fields.integer(in: bytes)
        today = V2.LeagueTable.Today(
            state: isWon ? .won : .lost, guesses: guesses, seconds: seconds,
            marks: try V2.Mark.rows(marks, length: letters))
    }
}

extension V2.Mark {
    /// Splits the marks of guesses, which are stored one after the other.
    fileprivate static func rows(
        _ marks: String, length: Int
    ) throws(PostgresDecodingError.Reason) -> [[V2.Mark]] {
        let marks = Array(marks.utf8)
        guard length > 0, marks.count.isMultiple(of: length) else { throw .malformed }
        return stride(from: 0, to: marks.count, by: length).map { start in
            marks[start..<start + length].map(V2.Mark.init(shown:))
        }
    }
}
