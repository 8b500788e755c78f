-- Players' identities at providers (OpenID Connect). The service verifies their tokens. Issuer and subject identify
-- somebody; the provider's name is the one it had in the settings when the identity was linked.

-- Links an identity to the player. why: the reason for which the service refuses it; NULL: it has verified it. For a
-- refused one everything else may be NULL; the nonce is NULL if there is none to use up.
--
-- Called by: the service (POST /v2/identities).
-- Locks: the player's row of players; with an operation, the player's row of users; the nonce.
-- Answers: the identity; is_known: it was the player's already. Refuses, in this order: unauthorized, operation-reused;
-- identity-refused with a reason, which uses the nonce up; identity-taken, identity-linked, which leave it valid.
CREATE OR REPLACE FUNCTION link_identity(
    token bytea, answered bytea, why text, its_provider text, its_issuer text, its_subject text, operation text,
    request bigint
) RETURNS identity_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    answer identity_answer;
BEGIN
    IF NOT hold_player(player) THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    IF operation IS NOT NULL THEN
        PERFORM FROM users WHERE id = player FOR NO KEY UPDATE;
        answer := first_answer(player, operation, request, answer);
        IF answer.is_replay OR answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    END IF;
    IF why IS NOT NULL THEN
        IF answered IS NOT NULL THEN PERFORM use_nonce(answered); END IF;
        answer.refusal := 'identity-refused';
        answer.reason := why;
    ELSIF NOT use_nonce(answered) THEN
        answer.refusal := 'identity-refused';
        answer.reason := 'nonce';
    ELSE
        answer := keep_identity(player, its_provider, its_issuer, its_subject);
        IF answer.refusal IS NOT NULL THEN PERFORM give_nonce_back(answered); END IF;
    END IF;
    PERFORM keep_answer(player, operation, request, 'link_identity', answer.refusal, NULL,
        jsonb_strip_nulls(to_jsonb(answer)) - 'refusal');
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION link_identity(bytea, bytea, text, text, text, text, text, bigint) TO juliet_service;

-- Stores an identity of the player.
--
-- Called by: link_identity, create_identified_player. They hold the player's row of players, or have just made it.
-- Answers: the identity; is_known: it was the player's already. Refuses: identity-taken, when it is another player's;
-- identity-linked, when the player has another one of the provider's.
CREATE OR REPLACE FUNCTION keep_identity(
    player text, its_provider text, its_issuer text, its_subject text
) RETURNS identity_answer
LANGUAGE plpgsql AS $$
DECLARE
    held juliet.identities;
    answer juliet.identity_answer;
BEGIN
    -- A session says by which provider it was opened: so none has the name of another way in.
    IF (char_length(its_subject) BETWEEN 1 AND 255 AND its_issuer <> '' AND its_provider <> ''
        AND its_provider NOT IN ('registration', 'recoveryCode', 'passkey')) IS NOT TRUE
    THEN
        RAISE 'this is not a valid identity' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    -- What was linked under another name has it still; another one of the provider's would be a second.
    IF NOT EXISTS (SELECT FROM identities WHERE user_id = player AND provider = its_provider) THEN
        INSERT INTO identities (issuer, subject, user_id, provider)
        VALUES (its_issuer, its_subject, player, its_provider)
        ON CONFLICT DO NOTHING RETURNING * INTO held;
        answer.is_known := NOT FOUND;
    END IF;
    IF held IS NULL THEN
        SELECT * INTO held FROM identities WHERE issuer = its_issuer AND subject = its_subject;
        answer.is_known := true;
    END IF;
    IF held.user_id IS DISTINCT FROM player THEN
        answer.is_known := NULL;
        answer.refusal := CASE WHEN held.user_id IS NULL THEN 'identity-linked' ELSE 'identity-taken' END;
        RETURN answer;
    END IF;
    answer.provider := held.provider;
    answer.created_at := held.created_at;
    RETURN answer;
END
$$;

-- Lists the player's identities, newest first.
--
-- Called by: the service (GET /v2/identities).
-- Answers: a first row that has the refusal or NULL, then a row an identity. Refuses: unauthorized.
CREATE OR REPLACE FUNCTION list_identities(token bytea) RETURNS SETOF identity_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    answer identity_answer;
BEGIN
    IF player IS NULL THEN answer.refusal := 'unauthorized'; END IF;
    RETURN NEXT answer;
    RETURN QUERY SELECT NULL::text, NULL::text, NULL::boolean, NULL::boolean, provider, created_at
        FROM identities WHERE user_id = player ORDER BY created_at DESC, provider;
END
$$;
GRANT EXECUTE ON FUNCTION list_identities(bytea) TO juliet_service;

-- Unlinks an identity of the player. The sessions that it opened stay open.
--
-- Called by: the service (DELETE /v2/identities/{provider}).
-- Answers: NULL, or a refusal: unauthorized, not-found.
CREATE OR REPLACE FUNCTION unlink_identity(token bytea, its_provider text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
BEGIN
    IF player IS NULL THEN RETURN 'unauthorized'; END IF;
    DELETE FROM identities WHERE user_id = player AND provider = its_provider;
    RETURN CASE WHEN NOT FOUND THEN 'not-found' END;
END
$$;
GRANT EXECUTE ON FUNCTION unlink_identity(bytea, text) TO juliet_service;

-- Reads the player of an identity; NULL: there is none.
--
-- Called by: the service (POST /v2/sessions), to make a token that names the player.
CREATE OR REPLACE FUNCTION identified_player(its_issuer text, its_subject text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    RETURN (SELECT user_id FROM identities WHERE issuer = its_issuer AND subject = its_subject);
END
$$;
GRANT EXECUTE ON FUNCTION identified_player(text, text) TO juliet_service;

-- Opens a session for an identity token, which the service has verified. The token of the session names the player.
--
-- Called by: the service (POST /v2/sessions).
-- Locks: the nonce; then as make_room_for_session; the player's row of players, shared.
-- Answers: the player. Refuses: nonce-used; identity-unknown, when the player no longer has it.
CREATE OR REPLACE FUNCTION open_identity_session(
    token bytea, session uuid, answered bytea, its_issuer text, its_subject text
) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := token_player(token);
    its_provider text;
    answer player_answer;
BEGIN
    IF (octet_length(token) = 68 AND session IS NOT NULL) IS NOT TRUE THEN
        RAISE 'a token of a player has 68 bytes, and a session an id' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF NOT use_nonce(answered) THEN RETURN with_refusal(answer, 'nonce-used'); END IF;
    IF EXISTS (SELECT FROM identities WHERE issuer = its_issuer AND subject = its_subject AND user_id = player) THEN
        PERFORM make_room_for_session(player);
    END IF;
    IF share_player(player) THEN
        -- Locked, so that whoever takes the identity away waits, and then ends this session too.
        SELECT provider INTO its_provider
        FROM identities WHERE issuer = its_issuer AND subject = its_subject AND user_id = player FOR KEY SHARE;
    END IF;
    IF its_provider IS NULL THEN RETURN with_refusal(answer, 'identity-unknown'); END IF;
    INSERT INTO sessions (user_id, id, token_hash, opened_by)
    VALUES (player, session, session_digest(token), its_provider);
    RETURN show_player(player);
END
$$;
GRANT EXECUTE ON FUNCTION open_identity_session(bytea, uuid, bytea, text, text) TO juliet_service;

-- Creates a player with an identity, as create_player does.
--
-- Called by: the service (POST /v2/players).
-- Locks: the nonce; those of create_player.
-- Answers: the player. Refuses, in this order: name-refused; nonce-used; identity-taken, claimed and claim-refused,
-- which leave the nonce valid.
CREATE OR REPLACE FUNCTION create_identified_player(
    player text, given_name text, account text, token bytea, session uuid, recovery bytea, answered bytea,
    its_provider text, its_issuer text, its_subject text
) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    linked identity_answer;
    answer player_answer;
BEGIN
    IF given_name IS NOT NULL AND player_name(given_name) IS NULL THEN
        RETURN with_refusal(answer, 'name-refused');
    END IF;
    IF NOT use_nonce(answered) THEN RETURN with_refusal(answer, 'nonce-used'); END IF;
    IF EXISTS (SELECT FROM identities WHERE issuer = its_issuer AND subject = its_subject) THEN
        answer.refusal := 'identity-taken';
    ELSE
        BEGIN
            answer := create_player(player, given_name, account, token, session, recovery);
            IF answer.refusal IS NULL THEN
                linked := keep_identity(player, its_provider, its_issuer, its_subject);
                -- Somebody else has linked it in the meantime: there is no new player.
                IF linked.refusal IS NOT NULL THEN RAISE unique_violation; END IF;
            END IF;
        EXCEPTION
            WHEN unique_violation THEN
                answer := NULL;
                answer.refusal := 'identity-taken';
        END;
    END IF;
    IF answer.refusal IS NOT NULL THEN PERFORM give_nonce_back(answered); END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION create_identified_player(text, text, text, bytea, uuid, bytea, bytea, text, text, text)
    TO juliet_service;

-- Checks the name of a player whose identity token the service has refused: of two faults, the name is reported.
-- answered NULL: there is no nonce of ours.
--
-- Called by: the service (POST /v2/players).
-- Answers: name-refused; or NULL, and the nonce is used up.
CREATE OR REPLACE FUNCTION refuse_identified_player(given_name text, answered bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    IF given_name IS NOT NULL AND player_name(given_name) IS NULL THEN RETURN 'name-refused'; END IF;
    IF answered IS NOT NULL THEN PERFORM use_nonce(answered); END IF;
    RETURN NULL;
END
$$;
GRANT EXECUTE ON FUNCTION refuse_identified_player(text, bytea) TO juliet_service;

-- Reads what is kept about a player's identities, the oldest first.
--
-- Called by: admin_ways, player_records.
CREATE OR REPLACE FUNCTION identity_records(player text) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT coalesce(jsonb_agg(jsonb_build_object('provider', provider, 'issuer', issuer, 'subject', subject,
        'createdAt', show_time(created_at)) ORDER BY created_at, provider), '[]')
        FROM identities WHERE user_id = player);
END
$$;
