-- Merges two players: the calling player gets everything of the other, who no longer exists.

-- Merges the player of a session, or of a recovery code, into the calling player. One of the two proofs is NULL.
--
-- Called by: the service (POST /v2/players/me/merge).
-- Locks, answers and refuses: as merge_players.
CREATE OR REPLACE FUNCTION merge_player(
    token bytea, other_token bytea, other_recovery bytea, operation text, request bigint
) RETURNS merge_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := session_player(token);
    other text;
BEGIN
    IF other_token IS NOT NULL THEN
        other := session_player(other_token);
    ELSE
        other := (SELECT user_id FROM players WHERE recovery_hash = sha256(other_recovery));
    END IF;
    RETURN merge_players(player, session_digest(token), other, session_digest(other_token),
        sha256(other_recovery), NULL,
        operation, request);
END
$$;
GRANT EXECUTE ON FUNCTION merge_player(bytea, bytea, bytea, text, bigint) TO juliet_service;

-- Merges the player whose passkey has signed a challenge, which the service has verified. answered and credential NULL:
-- it proves nothing, and only the first answer to a known operation is given; the service uses the challenge up.
--
-- Called by: the service (POST /v2/players/me/merge).
-- Locks: as merge_players; the passkey's row after the players.
-- Answers and refuses: as merge_players.
CREATE OR REPLACE FUNCTION merge_by_passkey(
    token bytea, answered bytea, credential bytea, signatures bigint, synced boolean, operation text, request bigint
) RETURNS merge_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := session_player(token);
    other text;
    answer merge_answer;
BEGIN
    SELECT user_id INTO other FROM passkeys WHERE credential_id = credential;
    IF player IS NOT NULL AND other IS NOT NULL THEN
        PERFORM hold_merge(player, other);
        SELECT user_id INTO other FROM passkeys
        WHERE credential_id = credential AND (sign_count < signatures OR sign_count = 0 AND signatures = 0) FOR UPDATE;
    END IF;
    answer := merge_players(player, session_digest(token), other, NULL, NULL, answered, operation, request);
    IF answer.is_replay IS NULL AND other IS NOT NULL
        AND coalesce(answer.refusal, '') NOT IN ('unauthorized', 'operation-reused', 'proof-unknown')
    THEN
        PERFORM use_passkey(
            CASE WHEN answer.refusal IS NULL THEN player ELSE other END, credential, signatures, synced);
    END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION merge_by_passkey(bytea, bytea, bytea, bigint, boolean, text, bigint) TO juliet_service;

-- Merges the player whom a provider names, which the service has verified. its_issuer NULL: it proves nothing, as
-- above.
--
-- Called by: the service (POST /v2/players/me/merge).
-- Locks: as merge_players; the identity's row after the players.
-- Answers and refuses: as merge_players.
CREATE OR REPLACE FUNCTION merge_by_identity(
    token bytea, answered bytea, its_issuer text, its_subject text, operation text, request bigint
) RETURNS merge_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := session_player(token);
    other text;
BEGIN
    SELECT user_id INTO other FROM identities WHERE issuer = its_issuer AND subject = its_subject;
    IF player IS NOT NULL AND other IS NOT NULL THEN
        PERFORM hold_merge(player, other);
        SELECT user_id INTO other FROM identities WHERE issuer = its_issuer AND subject = its_subject FOR UPDATE;
    END IF;
    RETURN merge_players(player, session_digest(token), other, NULL, NULL, answered, operation, request);
END
$$;
GRANT EXECUTE ON FUNCTION merge_by_identity(bytea, bytea, text, text, text, bigint) TO juliet_service;

-- Locks two players who are to be merged.
--
-- Called by: merge_by_passkey, merge_by_identity, merge_players.
-- Locks: the table energy_ledger_archive; then as hold_players.
CREATE OR REPLACE FUNCTION hold_merge(player text, other text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    LOCK TABLE energy_ledger_archive IN SHARE ROW EXCLUSIVE MODE;
    PERFORM hold_players(ARRAY[player, other]);
END
$$;

-- Merges a player into another one. The other's session or recovery code, if one is given, must still be valid when
-- both are locked. answered: a challenge or nonce, which is used up unless the first answer is given.
--
-- Called by: merge_player, merge_by_passkey, merge_by_identity.
-- Locks: as hold_merge. If the proof proves nothing, only the player's row of users and the nonce, so it waits for no
-- other player.
-- Answers: the player. Refuses, in this order: unauthorized, operation-reused; proof-unknown, which is not remembered;
-- merge-self; merge-unfinished with the game; too-many; energy-full.
CREATE OR REPLACE FUNCTION merge_players(
    player text, token_digest bytea, other text, other_digest bytea, other_recovery bytea, answered bytea,
    operation text, request bigint
) RETURNS merge_answer
LANGUAGE plpgsql AS $$
DECLARE
    g juliet.judged_games;
    answer juliet.merge_answer;
    brought integer;
BEGIN
    IF other IS NOT NULL THEN
        PERFORM hold_merge(player, other);
    ELSE
        PERFORM FROM users WHERE id = player FOR NO KEY UPDATE;
    END IF;
    IF player IS NULL OR hold_session(player, token_digest) IS NULL THEN
        IF answered IS NOT NULL THEN PERFORM use_nonce(answered); END IF;
        RETURN with_refusal(answer, 'unauthorized');
    END IF;
    IF operation IS NOT NULL THEN
        answer := first_answer(player, operation, request, answer);
        IF answer.is_replay OR answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    END IF;
    IF answered IS NOT NULL AND NOT use_nonce(answered) OR other IS NULL THEN
        RETURN with_refusal(answer, 'proof-unknown');
    END IF;
    PERFORM FROM players WHERE user_id = other
        AND (other_recovery IS NULL OR recovery_hash = other_recovery);
    IF NOT FOUND OR other_digest IS NOT NULL AND hold_session(other, other_digest) IS NULL THEN
        RETURN with_refusal(answer, 'proof-unknown');
    END IF;
    SELECT * INTO g FROM judged_games WHERE user_id = other AND ended_at IS NULL ORDER BY id LIMIT 1;
    brought := energy_to_merge(other);
    answer.refusal := CASE WHEN other = player THEN 'merge-self'
        WHEN g.id IS NOT NULL THEN 'merge-unfinished'
        WHEN (SELECT count(*) FROM merges WHERE merged_into = player AND merged_at > now() - interval '30 days')
            >= maximum_merges() THEN 'too-many'
        WHEN (SELECT energy + brought::bigint NOT BETWEEN -2147483648 AND 2147483647 FROM users WHERE id = player)
            THEN 'energy-full' END;
    IF answer.refusal IS NULL THEN
        PERFORM take_over(player, other, brought);
        answer.player := show_player(player);
    ELSIF answer.refusal = 'merge-unfinished' THEN
        answer.game := show_game(g);
    END IF;
    PERFORM keep_answer(player, operation, request, 'merge_players', answer.refusal, NULL,
        jsonb_strip_nulls(CASE answer.refusal WHEN 'merge-unfinished'
            THEN jsonb_build_object('player_id', other, 'game_id', g.id, 'guess_count', g.guess_count)
            ELSE jsonb_build_object('player', answer.player) END));
    RETURN answer;
END
$$;

-- Moves everything of the other to the player, and deletes the other. brought: the energy that is taken over.
--
-- Called by: merge_players, which holds the table energy_ledger_archive and both players.
-- Locks: what is moved or deleted.
CREATE OR REPLACE FUNCTION take_over(player text, other text, brought integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    days date[];
    entry integer := merge_energy(player, other, brought);
    closed record;
BEGIN
    INSERT INTO merges (user_id, merged_into, holder, energy, entry) VALUES (other, player, player, brought, entry);
    UPDATE merges SET holder = player WHERE holder = other;
    PERFORM merge_wins(player, other);
    days := merge_games(player, other);
    UPDATE challenges SET maker = player, ledger = coalesce(ledger, other) WHERE maker = other;
    PERFORM recount_games(player);
    PERFORM merge_boards(player, other, days);
    PERFORM merge_daily_results(player, other);
    PERFORM merge_played_words(player, other);
    PERFORM merge_memberships(player, other);
    PERFORM merge_participants(player, other);
    UPDATE purchases SET user_id = player,
        credit_ledger = CASE WHEN credit_entry IS NOT NULL THEN coalesce(credit_ledger, other) END,
        last_ledger = CASE WHEN last_entry IS NOT NULL THEN coalesce(last_ledger, other) END
    WHERE user_id = other;
    PERFORM FROM claims WHERE user_id = other;
    IF FOUND THEN PERFORM merge_operations(player, other); END IF;
    UPDATE claims SET user_id = player, ledger = coalesce(ledger, other) WHERE user_id = other;
    UPDATE passkeys SET user_id = player WHERE user_id = other;
    DELETE FROM identities WHERE user_id = other
        AND provider IN (SELECT provider FROM identities WHERE user_id = player);
    UPDATE identities SET user_id = player WHERE user_id = other;
    DELETE FROM sessions WHERE user_id = other;
    DELETE FROM unverified_purchases WHERE user_id = other;
    DELETE FROM players WHERE user_id = other;
    DELETE FROM users WHERE id = other RETURNING ledger_entry, energy, ledger_seal INTO STRICT closed;
    INSERT INTO closed_ledgers (user_id, ledger_entry, ledger_balance, ledger_seal)
    VALUES (other, closed.ledger_entry, closed.energy, closed.ledger_seal);
END
$$;

-- Adds up the wins of two players: those of the app, and what the service judged, which recount_games adds.
--
-- Called by: take_over, before the games of both are counted together.
CREATE OR REPLACE FUNCTION merge_wins(player text, other text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    of_app bigint := 0;
    of_player bigint;
    each_of text;
BEGIN
    FOREACH each_of IN ARRAY ARRAY[player, other] LOOP
        SELECT users.wins - players.won INTO of_player
        FROM users JOIN players ON players.user_id = users.id WHERE users.id = each_of AND players.user_id = each_of;
        of_app := of_app + of_player;
    END LOOP;
    UPDATE users SET wins = least(2147483647, greatest(0, of_app)) WHERE id = player;
END
$$;

-- Keeps the answers to the other's operations under the player's id too: the app repeats a request under the account
-- that was claimed, which is the player's from now on. If both have used a name, the player's answer stays.
--
-- Called by: take_over, when the other has claimed an account.
CREATE OR REPLACE FUNCTION merge_operations(player text, other text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    kept juliet.energy_ledger;
BEGIN
    FOR kept IN SELECT * FROM energy_ledger WHERE user_id = other AND operation_request IS NOT NULL LOOP
        PERFORM FROM energy_ledger_archive WHERE user_id = player AND operation_id = kept.operation_id;
        CONTINUE WHEN FOUND;
        INSERT INTO energy_ledger (user_id, operation_id, delta, balance_after, operation_request, operation_kind,
            refusal, answer, created_at)
        VALUES (player, kept.operation_id, 0, kept.balance_after, kept.operation_request, kept.operation_kind,
            kept.refusal, CASE WHEN kept.entry IS NULL THEN kept.answer
                ELSE kept_answer(kept) || jsonb_build_object('ledger', other) END, kept.created_at)
        ON CONFLICT DO NOTHING;
    END LOOP;
END
$$;
