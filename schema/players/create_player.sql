-- Makes a player with a session; of a player of the app, when an account is claimed. given_name NULL: one is made.
-- Refused: name-refused, claimed, claim-refused (no such account).
CREATE OR REPLACE FUNCTION create_player(
    player text, given_name text, account text, token bytea, session uuid, recovery bytea
) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    reserved constant text := '^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
    new_name text := player_name(coalesce(given_name, 'Player ' || 1000 + floor(random() * 9000)));
    answer player_answer;
    moved users;
BEGIN
    IF player !~ reserved OR octet_length(recovery) <> 32
        OR octet_length(token) <> 32 AND substr(token, 33) <> convert_to(player, 'UTF8')
    THEN
        RAISE 'a player has a UUID of version 8, and digests of 32 bytes' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF new_name IS NULL THEN
        answer.refusal := 'name-refused';
        RETURN answer;
    END IF;
    IF account IS NULL THEN
        PERFORM register_user(player, NULL, NULL);
    ELSE
        LOCK TABLE energy_ledger_archive IN SHARE ROW EXCLUSIVE MODE;
        DELETE FROM users WHERE id = account AND account !~ reserved AND strpos(account, E'\t') = 0 RETURNING * INTO moved;
        IF NOT FOUND THEN
            answer.refusal := CASE WHEN EXISTS (SELECT FROM claims WHERE account_id = account) THEN 'claimed'
                ELSE 'claim-refused' END;
            RETURN answer;
        END IF;
        moved.id := player;
        INSERT INTO users SELECT moved.*;
        INSERT INTO claims (account_id, user_id) VALUES (account, player);
        PERFORM move_ledger(account, player, true);
        WITH moved AS (DELETE FROM played_words WHERE user_id = account RETURNING *)
        INSERT INTO played_words (user_id, number, word_id, played_at)
        SELECT player, number, word_id, played_at FROM moved;
    END IF;
    INSERT INTO players (user_id, name, recovery_hash) VALUES (player, new_name, recovery);
    INSERT INTO sessions (user_id, id, token_hash) VALUES (player, session, substr(token, 1, 32));
    RETURN show_player(player);
END
$$;
GRANT EXECUTE ON FUNCTION create_player(text, text, text, bytea, uuid, bytea) TO juliet_service;
