package import JulietAPI
package import Postgres

extension V2.League: AnswerValue {
    /// Reads a `league_answer`: the league, as the calling player sees it.
    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> V2Answer<Self>? {
        let refusal = try fields.refusal(in: bytes)
        let isReplay = try fields.next(Bool?.self, in: bytes) ?? false
        guard let id = try fields.next(PostgresUUID?.self, in: bytes),
            let name = try fields.next(String?.self, in: bytes)
        else { return answer(refusal, nil, isReplay: isReplay) }
        let league = V2.League(
            id: .init(id.description), name: name, members: try fields.integer(in: bytes),
            isOwner: try fields.next(in: bytes),
            invite: try fields.next(String?.self, in: bytes).flatMap { V2.ShareCode($0)?.description },
            createdAt: V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes)))
        return answer(refusal, league, isReplay: isReplay)
    }
}

extension V2.LeagueMember: AnswerValue {
    /// Reads a `league_member_answer`.
    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> V2Answer<Self>? {
        let refusal = try fields.refusal(in: bytes)
        guard let id = try fields.next(PostgresUUID?.self, in: bytes) else { return answer(refusal, nil) }
        let member = V2.LeagueMember(
            id: .init(id.description), name: try fields.next(in: bytes), isOwner: try fields.next(in: bytes),
            isMe: try fields.next(in: bytes),
            joinedAt: V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes)))
        return answer(refusal, member)
    }
}

/// What a player may see of a league's table (`league_view`).
package struct LeagueView: Sendable, Hashable {
    /// Which member it is.
    package let member: PostgresUUID
    /// Today.
    package let day: V2.Day
    /// Whether they have ended the word of the day, on it.
    package let hasEnded: Bool
}

extension LeagueView: AnswerValue {
    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> V2Answer<Self>? {
        let refusal = try fields.refusal(in: bytes)
        guard let member = try fields.next(PostgresUUID?.self, in: bytes), refusal == nil else {
            return answer(refusal, nil)
        }
        let view = LeagueView(
            member: member, day: V2.Day(try fields.next(PostgresDate.self, in: bytes)),
            hasEnded: try fields.next(in: bytes))
        return answer(nil, view)
    }
}
