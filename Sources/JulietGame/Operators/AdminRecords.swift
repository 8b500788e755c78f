package import Postgres

/// The keys of the admin page and its audit trail, over one session of the role that owns the tables.
package struct AdminRecords {
    /// A key, without its secret.
    package struct Key: Sendable, Hashable, Encodable {
        /// Whose key it is.
        package let name: String
        /// Its role: an ``AdminRole``, or one of a newer release.
        package let role: String
        /// When it was made, ISO 8601 in UTC.
        package let createdAt: String
        /// The hour in which it was last used; nil: never.
        package let lastUsedAt: String?
        /// When it was revoked; nil: it is valid.
        package let revokedAt: String?
    }

    /// Something that an operator did.
    package struct Action: Sendable, Hashable, Encodable {
        /// Its place in the trail.
        package let id: Int
        /// When, ISO 8601 in UTC.
        package let at: String
        /// Who: the name of a key, or `os:` and the system's user who ran a command.
        package let actor: String
        /// What: `energy.grant`, `word.retire`, `key.add` and so on.
        package let action: String
        /// The player it is about; a deleted player's pseudonym.
        package let userID: String?
        /// What else it is about: `en/music`, the name of a key, a language.
        package let subject: String?
        /// The operator's reason.
        package let reason: String?
        /// The values, as JSON.
        package let details: String?
    }

    private let connection: PostgresConnection

    /// Works on this session.
    package init(connection: PostgresConnection) { self.connection = connection }

    /// Whether a text may be the name of a key. The trail names the key's owner by it.
    package static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            && !name.contains(":")
    }

    /// Makes a key for somebody. Only this answer has it.
    ///
    /// - Parameters:
    ///   - name: One that ``isName(_:)`` accepts.
    ///   - role: Its role, which never changes: another role needs another key.
    ///   - actor: Who makes it.
    /// - Returns: nil if the name has a valid key.
    package func addKey(for name: String, role: AdminRole, by actor: String) async throws(PostgresError) -> AdminKey? {
        let key = AdminKey.random()
        let isNew = try await connection.first(AddKey(name: name, role: role, key: key, actor: actor)) ?? false
        return isNew ? key : nil
    }

    /// Revokes somebody's key. Every node refuses it and its sessions from then on.
    ///
    /// - Returns: Whether the name had a valid key.
    package func revokeKey(of name: String, by actor: String) async throws(PostgresError) -> Bool {
        try await connection.first(RevokeKey(name: name, actor: actor)) ?? false
    }

    /// The keys, revoked ones too, oldest first.
    package func keys() async throws(PostgresError) -> [Key] { try await connection.execute(ListKeys()) }

    /// What was done, newest first.
    ///
    /// - Parameters:
    ///   - user: Only actions about this player; nil: all.
    ///   - count: How many at most.
    package func actions(to user: User.ID? = nil, last count: Int) async throws(PostgresError) -> [Action] {
        try await connection.execute(ListActions(user: user, count: count))
    }
}

private struct AddKey: Statement {
    var sql: StaticString {
        """
        WITH added AS (
            INSERT INTO juliet.admin_keys (key_hash, name, role) VALUES (sha256($2), $1, $4)
            ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING name, key_hash),
        unused AS (INSERT INTO juliet.admin_key_uses (key_hash) SELECT key_hash FROM added),
        noted AS MATERIALIZED (
            SELECT juliet.record_action($3, 'key.add', NULL, name, NULL, jsonb_build_object('role', $4::text), NULL, NULL)
            FROM added)
        SELECT count(*) > 0 FROM noted
        """
    }
    let name: String
    let role: AdminRole
    let key: AdminKey
    let actor: String

    func bind(to parameters: inout Parameters) {
        parameters.append(name)
        parameters.append(key.digest)
        parameters.append(actor)
        parameters.append(role.rawValue)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Bool { try row.next() }
}

private struct RevokeKey: Statement {
    var sql: StaticString {
        """
        WITH revoked AS (
            UPDATE juliet.admin_keys SET revoked_at = now() WHERE name = $1 AND revoked_at IS NULL RETURNING name),
        noted AS MATERIALIZED (
            SELECT juliet.record_action($2, 'key.revoke', NULL, name, NULL, NULL, NULL, NULL) FROM revoked)
        SELECT count(*) > 0 FROM noted
        """
    }
    let name: String
    let actor: String

    func bind(to parameters: inout Parameters) {
        parameters.append(name)
        parameters.append(actor)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Bool { try row.next() }
}

private struct ListKeys: Statement {
    var sql: StaticString {
        """
        SELECT name, role, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
            to_char(used_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
            to_char(revoked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        FROM juliet.admin_keys LEFT JOIN juliet.admin_key_uses USING (key_hash)
        ORDER BY created_at, key_hash LIMIT 10000
        """
    }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> AdminRecords.Key {
        AdminRecords.Key(
            name: try row.next(), role: try row.next(), createdAt: try row.next(), lastUsedAt: try row.next(),
            revokedAt: try row.next())
    }
}

private struct ListActions: Statement {
    var sql: StaticString {
        """
        SELECT id, to_char(done_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), actor, action, user_id, subject,
            reason, details::text
        FROM juliet.admin_actions WHERE $1::text IS NULL OR user_id = $1 ORDER BY id DESC LIMIT $2
        """
    }
    var access: StatementAccess { .read }
    let user: User.ID?
    let count: Int

    func bind(to parameters: inout Parameters) {
        parameters.append(user?.rawValue)
        parameters.append(Int64(count))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> AdminRecords.Action {
        AdminRecords.Action(
            id: Int(try row.next(Int64.self)), at: try row.next(), actor: try row.next(), action: try row.next(),
            userID: try row.next(), subject: try row.next(), reason: try row.next(), details: try row.next())
    }
}
