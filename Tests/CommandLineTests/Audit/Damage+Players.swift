extension Damage {
    private static let (ada, bob) = (Someone.ada, Someone.bob)

    static let toPlayers: [Damage] = [
        Damage("a player's row of /v2 is gone", "DELETE FROM players WHERE user_id = '\(ada)'", "players.gone", ada),
        Damage("a player's row of users is gone", "DELETE FROM users WHERE id = '\(ada)'", "players.nobody", ada),
        Damage(
            "a recovery code is emptied", "UPDATE players SET recovery_hash = '' WHERE user_id = '\(ada)'",
            "players.digest", "the recovery code of player \(ada)"),
        Damage(
            "a token is cut", "UPDATE sessions SET token_hash = '\\x00' WHERE user_id = '\(ada)'", "players.digest",
            "session"),
        Damage(
            "the day a player came is altered",
            "UPDATE users SET created_at = created_at - interval '1 day' WHERE id = 'ANNA'", "players.time", "ANNA"),
        Damage("wins are added", "UPDATE users SET wins = 99 WHERE id = '\(ada)'", "players.wins", ada),
        Damage("wins are taken", "UPDATE users SET wins = 0 WHERE id = '\(ada)'", "players.wins", ada),
        Damage(
            "wins of the app that an answer told of are taken", "UPDATE users SET wins = 0 WHERE id = 'ANNA'",
            "players.wins", "ANNA"),
        Damage(
            "more is noted as bought today than was",
            "UPDATE unverified_purchases SET energy = 50 WHERE user_id = 'BEN'",
            "players.limit", "BEN"),
        Damage(
            "a session of nobody",
            "INSERT INTO sessions (user_id, id, token_hash, opened_by) VALUES ('nobody', gen_random_uuid(), sha256('x'), 'passkey')",
            "players.session", "nobody"),
        Damage(
            "a session of tomorrow",
            "UPDATE sessions SET created_at = now() + interval '1 day' WHERE user_id = '\(bob)'", "players.sessionTime",
            bob),
        Damage(
            "a session that plays is deleted", "DELETE FROM sessions WHERE user_id = '\(ada)'", "players.playing", ada),
        Damage(
            "a game that is over is played",
            "UPDATE judged_games SET session_hash = sha256('bob') WHERE user_id = '\(bob)'", "players.playing", bob),
        Damage(
            "a passkey of nobody", "UPDATE passkeys SET user_id = 'nobody'", "players.passkeyOfNobody", "nobody"),
        Damage("a passkey's handle is cut", "UPDATE passkeys SET user_handle = 'x'", "players.passkey", ada),
        Damage("a passkey's counter is below zero", "UPDATE passkeys SET sign_count = -1", "players.passkey", ada),
        Damage(
            "a passkey that may not be synced is", "UPDATE passkeys SET is_backup_eligible = false", "players.passkey",
            ada),
        Damage(
            "a passkey is used tomorrow", "UPDATE passkeys SET last_used_at = now() + interval '1 day'",
            "players.passkey", ada),
        Damage(
            "an identity of nobody", "UPDATE identities SET user_id = 'nobody'", "players.identityOfNobody", "nobody"),
        Damage("an identity has no subject", "UPDATE identities SET subject = ''", "players.identity", bob),
        Damage("nothing signs nonces", "DELETE FROM nonce_keys", "players.nonceKey", ""),
        Damage("a short key signs nonces", "UPDATE nonce_keys SET key = 'short'", "players.nonceKey", ""),
        Damage("what was answered is no nonce", "INSERT INTO used_nonces VALUES ('x')", "players.usedNonce", "78"),
        Damage(
            "a claim of nobody", "INSERT INTO claims (account_id, user_id) VALUES ('GONE', 'nobody')",
            "players.claimOfNobody", "account GONE"),
        Damage(
            "a claim of a living account",
            "UPDATE claims SET account_id = 'ANNA' WHERE user_id = '\(bob)'", "players.claimOfLiving", "account ANNA"),
        Damage("a claim is deleted", "DELETE FROM claims", "players.claimGone", bob),
        Damage(
            "the app goes on where the rules refuse it",
            """
            UPDATE claims SET claimed_at = claimed_at - interval '1 day' WHERE user_id = '\(bob)';
            SELECT change_energy('\(bob)', -5, 'game', NULL, NULL, NULL)
            """,
            "players.claimedApp", bob),
    ]
}
