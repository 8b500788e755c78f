package import JulietAPI
package import Postgres

/// The result of a request about a league (`league_answer`).
package struct LeagueAnswer: Sendable, RefusableRow {
    /// Why nothing was done; nil if it was done.
    package let refusal: PlayRefusal?
    /// Whether this was answered before, under the operation's name.
    package let isReplay: Bool
    /// The league, as the calling player sees it.
    package let value: V2.League?

    /// Reads a `league_answer`.
    package init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        refusal = try fields.refusal(in: bytes)
        isReplay = try fields.next(Bool?.self, in: bytes) ?? false
        guard let id = try fields.next(PostgresUUID?.self, in: bytes),
            let name = try fields.next(String?.self, in: bytes)
        else {
            value = nil
            return
        }
        value = V2.League(
            id: .init(id.description), name: name, members: try fields.integer(in: bytes),
            isOwner: try fields.next(in: bytes),
            invite: try fields.next(String?.self, in: bytes).flatMap { V2.ShareCode($0)?.description },
            createdAt: V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes)))
    }
}

/// A `league_member_answer`.
struct LeagueMemberAnswer: RefusableRow {
    let refusal: PlayRefusal?
    let value: V2.LeagueMember?

    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        refusal = try fields.refusal(in: bytes)
        guard let id = try fields.next(PostgresUUID?.self, in: bytes) else {
            value = nil
            return
        }
        value = V2.LeagueMember(
            id: .init(id.description), name: try fields.next(in: bytes), isOwner: try fields.next(in: bytes),
            isMe: try fields.next(in: bytes),
            joinedAt: V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes)))
    }
}

/// What a player may see of a league's table.
package struct LeagueView: Sendable, Hashable {
    /// Which member it is.
    package let member: PostgresUUID
    /// Today.
    package let day: V2.Day
    /// Whether they have ended the word of the day, on it.
    package let hasEnded: Bool
}

/// A `league_view`.
struct LeagueViewAnswer: RefusableRow {
    let refusal: PlayRefusal?
    let value: LeagueView?

    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        refusal = try fields.refusal(in: bytes)
        guard let member = try fields.next(PostgresUUID?.self, in: bytes), refusal == nil else {
            value = nil
            return
        }
        value = LeagueView(
            member: member, day: V2.Day(try fields.next(PostgresDate.self, in: bytes)),
            hasEnded: try fields.next(in: bytes))
    }
}
