package import Postgres

/// The parts that no name may have, over one session of the role that owns the tables.
package struct NameRecords {
    /// A part that no name may have.
    package struct Part: Sendable, Hashable, Encodable {
        /// As it was written. If it begins with `=`, it is a whole word.
        package let part: String
        /// Whether it is one of those that the release has.
        package let isShipped: Bool
        /// Whether names may have it all the same, because an operator has allowed it. Only shipped parts stay then.
        package let isAllowed: Bool
    }

    /// A player whose name has a part that is refused now.
    package struct Called: Sendable, Hashable, Encodable {
        /// The player.
        package let player: String
        /// Their name.
        package let name: String
        /// The refused part.
        package let part: String
    }

    /// The result of a change.
    package enum Change: Sendable, Hashable {
        /// It is refused, or allowed, from now on.
        case done
        /// Nothing had to change.
        case unchanged
        /// It has fewer than 2 characters or more than 24, or is to be a word and has other characters than letters and
        /// digits.
        case notAPart
    }

    private let connection: PostgresConnection

    /// Works on this session.
    package init(connection: PostgresConnection) { self.connection = connection }

    /// The refused parts, and those of the release that are allowed, in the order in which names are searched.
    package func parts() async throws(PostgresError) -> [Part] { try await connection.execute(ListParts()) }

    /// Players whose names have a refused part, by their ids, for each part of a name. It reads all names.
    ///
    /// - Parameter count: How many players at most.
    package func called(first count: Int) async throws(PostgresError) -> [Called] {
        try await connection.execute(ListCalled(count: count)).flatMap { $0 }
    }

    /// Brings the parts that this release refuses into the database, and takes out those that it no longer refuses. What
    /// operators have refused or allowed stays so.
    package func refreshShipped() async throws(PostgresError) { _ = try await connection.execute(RefreshShipped()) }

    /// Refuses names that contain a part, or allows them again, and records it in the audit trail.
    package func change(
        _ part: String, isRefused: Bool, by actor: String, reason: String
    ) async throws(PostgresError) -> Change {
        let change = ChangePart(part: part, isRefused: isRefused, actor: actor, reason: reason)
        guard let isChanged = try await connection.first(change) ?? nil else { return .notAPart }
        return isChanged ? .done : .unchanged
    }
}

private struct ListParts: Statement {
    var sql: StaticString {
        "SELECT part, is_carried, is_allowed FROM juliet.refused_names ORDER BY bare LIMIT 100000"
    }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> NameRecords.Part {
        NameRecords.Part(part: try row.next(), isShipped: try row.next(), isAllowed: try row.next())
    }
}

private struct ListCalled: Statement {
    var sql: StaticString {
        """
        WITH refused AS MATERIALIZED (
            SELECT array_agg(part ORDER BY bare) AS parts, array_agg(look ORDER BY bare) AS looks
            FROM juliet.refused_names WHERE NOT is_allowed)
        SELECT user_id, name, juliet.parts_in(name, parts, looks) FROM juliet.players CROSS JOIN refused
        WHERE cardinality(juliet.parts_in(name, parts, looks)) > 0 ORDER BY user_id LIMIT $1
        """
    }
    var access: StatementAccess { .read }
    let count: Int

    func bind(to parameters: inout Parameters) { parameters.append(Int64(count)) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> [NameRecords.Called] {
        let (player, name): (String, String) = (try row.next(), try row.next())
        let parts: [String] = try row.next()
        return parts.map { NameRecords.Called(player: player, name: name, part: $0) }
    }
}

private struct RefreshShipped: Statement {
    var sql: StaticString { "SELECT juliet.refresh_refused_names()" }
    typealias Row = NoRow
}

private struct ChangePart: Statement {
    var sql: StaticString { "SELECT juliet.change_part($1, $2, $3, $4, NULL, NULL)" }
    let part: String
    let isRefused: Bool
    let actor: String
    let reason: String

    func bind(to parameters: inout Parameters) { parameters.append(actor, part, isRefused, reason) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Bool? { try row.next() }
}
