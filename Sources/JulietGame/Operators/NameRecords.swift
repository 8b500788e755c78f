package import Postgres

/// The texts that no player's name may contain, over one session of the role that owns the tables.
package struct NameRecords {
    /// A part of names that is refused.
    package struct Part: Sendable, Hashable, Encodable {
        /// As it was written.
        package let part: String
    }

    /// A player whose name contains a text that is refused now.
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
        /// It has fewer than 2 characters, or more than 24.
        case notAPart
    }

    private let connection: PostgresConnection

    /// Works on this session.
    package init(connection: PostgresConnection) { self.connection = connection }

    /// The refused parts, in the order in which names are compared.
    package func parts() async throws(PostgresError) -> [Part] { try await connection.execute(ListParts()) }

    /// Players whose names contain a refused part, by their ids. It reads all names.
    ///
    /// - Parameter count: How many at most.
    package func called(first count: Int) async throws(PostgresError) -> [Called] {
        try await connection.execute(ListCalled(count: count))
    }

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
    var sql: StaticString { "SELECT part FROM juliet.refused_names ORDER BY bare LIMIT 100000" }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> NameRecords.Part {
        NameRecords.Part(part: try row.next())
    }
}

private struct ListCalled: Statement {
    var sql: StaticString {
        """
        SELECT user_id, name, part FROM juliet.players JOIN juliet.refused_names
            ON position(bare IN juliet.bare_name(name)) > 0
        ORDER BY user_id, bare LIMIT $1
        """
    }
    var access: StatementAccess { .read }
    let count: Int

    func bind(to parameters: inout Parameters) { parameters.append(Int64(count)) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> NameRecords.Called {
        NameRecords.Called(player: try row.next(), name: try row.next(), part: try row.next())
    }
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
