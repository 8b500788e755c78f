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

    /// The table as a member sees it: without today, unless the member has ended today's word.
    package func shown(to view: LeagueView) -> V2.LeagueTable {
        let hasEnded = numbers[view.member].map { places[$0].today != nil } ?? false
        return V2.LeagueTable(
            period: period, startsOn: startsOn,
            entries: (hasEnded ? places : Self.withoutToday(places)).map { place in
                V2.LeagueTable.Entry(
                    rank: place.rank, name: place.name, points: place.points, played: place.played, won: place.won,
                    isMe: place.member == view.member, today: place.today)
            }, endedToday: places.count { $0.today != nil }, isWithoutToday: !hasEnded)
    }

    /// The places as they would be if nobody had ended today's word.
    private static func withoutToday(_ places: [LeaguePlace]) -> [LeaguePlace] {
        var places = places.map { place in
            guard let today = place.today else { return place }
            var former = place
            former.today = nil
            former.played -= 1
            if today.state == .won {
                former.won -= 1
                former.points -= V2.Game.maximumGuesses + 1 - today.guesses
            }
            return former
        }
        places.sort { ($1.points, $1.won, $0.joined) < ($0.points, $0.won, $1.joined) }
        for index in places.indices {
            let isEqual =
                index > 0
                && (places[index].points, places[index].won) == (places[index - 1].points, places[index - 1].won)
            places[index].rank = isEqual ? places[index - 1].rank : index + 1
        }
        return places
    }
}

/// A `league_place`.
struct LeaguePlace: Sendable {
    let startsOn: V2.Day?
    let day: V2.Day
    var rank: Int
    let member: PostgresUUID
    let name: String
    var points: Int
    var played: Int
    var won: Int
    var today: V2.LeagueTable.Today?
    /// The member's place in the order in which they joined.
    let joined: Int
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
        let isWon = try fields.next(Bool?.self, in: bytes)
        let guesses = try fields.next(Int32?.self, in: bytes)
        let seconds = try fields.next(Int64?.self, in: bytes)
        let marks = try fields.next(String?.self, in: bytes)
        let letters = try fields.next(Int32?.self, in: bytes)
        joined = try fields.integer(in: bytes)
        guard let isWon, let guesses, let seconds, let marks, let letters else {
            today = nil
            return
        }
        today = V2.LeagueTable.Today(
            state: isWon ? .won : .lost, guesses: Int(guesses), seconds: Int(seconds),
            marks: try V2.Mark.rows(marks, length: Int(letters)))
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
