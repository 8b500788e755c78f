/// The ways to sign in: passkeys, identities, and the key that signs nonces.
enum AccountChecks {
    static let all: [AuditCheck] = [
        AuditCheck(
            "players.passkeyOfNobody", "the passkey belongs to no player", do: "delete it: nobody can sign in with it",
            """
            SELECT passkeys.user_id, 'passkey ' || id, NULL
            FROM juliet.passkeys LEFT JOIN (SELECT user_id FROM juliet.players WHERE {user_id}) AS players
                ON players.user_id = passkeys.user_id
            WHERE {passkeys.user_id} AND players.user_id IS NULL
            """),
        AuditCheck(
            "players.passkey", "the passkey is not valid: its names, its key, its counter or its times",
            do: "delete it: the player can register another one",
            """
            SELECT user_id, 'passkey ' || id, NULL FROM juliet.passkeys
            WHERE {user_id} AND (octet_length(credential_id) BETWEEN 1 AND 1023 AND octet_length(user_handle) = 16
                AND octet_length(public_key) BETWEEN 1 AND 1024 AND sign_count BETWEEN 0 AND 4294967295
                AND (is_backup_eligible OR NOT is_backed_up) AND char_length(name) BETWEEN 1 AND 40
                AND created_at <= now() + interval '10 minutes'
                AND coalesce(last_used_at, now()) <= now() + interval '1 hour') IS NOT TRUE
            """),
        AuditCheck(
            "players.identityOfNobody", "the identity belongs to no player",
            do: "delete it: nobody can sign in with it",
            """
            SELECT identities.user_id, 'identity of ' || provider, NULL
            FROM juliet.identities LEFT JOIN (SELECT user_id FROM juliet.players WHERE {user_id}) AS players
                ON players.user_id = identities.user_id
            WHERE {identities.user_id} AND players.user_id IS NULL
            """),
        AuditCheck(
            "players.identity", "the identity is not valid", do: "delete it: the player can link it again",
            """
            SELECT user_id, 'identity of ' || provider, NULL FROM juliet.identities
            WHERE {user_id} AND (issuer <> '' AND char_length(subject) BETWEEN 1 AND 255 AND provider <> ''
                AND created_at <= now() + interval '10 minutes') IS NOT TRUE
            """),
        AuditCheck(
            "players.nonceKey", "the key that signs challenges and nonces is missing or too short",
            do: "make another: juliet players renew-nonces",
            """
            SELECT NULL, 'the newest key', NULL
            WHERE (SELECT octet_length(key) >= 32 FROM juliet.nonce_keys ORDER BY since DESC LIMIT 1) IS NOT TRUE
            """),
        AuditCheck(
            "players.usedNonce", "a row of used nonces is not a nonce", do: "delete it",
            """
            SELECT NULL, 'nonce ' || encode(nonce, 'hex'), NULL FROM juliet.used_nonces WHERE octet_length(nonce) <> 32
            """),
    ]
}
