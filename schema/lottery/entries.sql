-- Who takes part.

-- Enters a player into the lottery.
--
-- Called by: enter_lottery, change_entry, enter_player below.
-- Locks: the player's row of users, shared, so that nobody deletes or claims the player.
-- Answers: the participant and how many entries there are; is_new, when the player did not take part. Refuses:
-- not-found.
CREATE OR REPLACE FUNCTION enter_player(player text) RETURNS lottery_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer juliet.lottery_answer;
    registered timestamptz;
BEGIN
    -- The player is neither deleted nor claimed meanwhile.
    SELECT created_at INTO registered FROM users WHERE id = player FOR KEY SHARE;
    IF NOT FOUND THEN RETURN with_refusal(answer, 'not-found'); END IF;
    SELECT number INTO answer.participant FROM lottery_participants WHERE user_id = player;
    IF NOT FOUND THEN
        INSERT INTO lottery_participants (number, user_id, registered_on)
        VALUES (nextval('lottery_player_numbers'), player, (registered AT TIME ZONE 'UTC')::date)
        ON CONFLICT (user_id) DO NOTHING;
        SELECT number INTO answer.participant FROM lottery_participants WHERE user_id = player;
    END IF;
    INSERT INTO lottery_entries (participant) VALUES (answer.participant) ON CONFLICT DO NOTHING;
    answer.is_new := FOUND;
    IF FOUND THEN
        UPDATE lottery_participants SET is_listed = true WHERE number = answer.participant AND NOT is_listed;
    END IF;
    SELECT count(*) INTO answer.entries FROM lottery_entries;
    RETURN answer;
END
$$;

-- Enters the player whose session it is.
--
-- Called by: the service (PUT /lottery/entry).
-- Answers: as enter_player. Refuses: unauthorized.
CREATE OR REPLACE FUNCTION enter_lottery(token bytea) RETURNS lottery_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    answer lottery_answer := enter_player(session_player(token));
BEGIN
    IF answer.refusal IS NOT NULL THEN answer.refusal := 'unauthorized'; END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION enter_lottery(bytea) TO juliet_service;

-- Enters a player into the lottery, and records who did it.
--
-- Called by: operators (juliet lottery enter).
-- Answers and refuses: as enter_player above.
CREATE OR REPLACE FUNCTION enter_player(who text, player text) RETURNS lottery_answer
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    answer lottery_answer := enter_player(player);
BEGIN
    IF answer.is_new THEN
        PERFORM record_action(
            who, 'lottery.enter', player, 'participant/' || answer.participant, NULL, NULL, NULL, NULL);
    END IF;
    RETURN answer;
END
$$;

-- Changes the entry of a participant: enter, leave, void, valid.
--
-- Called by: operators (juliet lottery enter, leave, void).
-- Locks: the player's row of users, shared, as enter_player does: the trail has the name that the player has.
-- Answers: the participant and how many entries there are; is_new, when something changed. Refuses: not-found, for a
-- participant who does not exist or, except to enter, does not take part.
CREATE OR REPLACE FUNCTION change_entry(who text, changed bigint, change text) RETURNS lottery_answer
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    answer lottery_answer;
    p lottery_participants;
    waited_for text;
BEGIN
    -- The player is neither deleted nor claimed meanwhile: after a wait for that, the participant has another name.
    LOOP
        SELECT * INTO p FROM lottery_participants WHERE number = changed;
        PERFORM FROM users WHERE id = p.user_id FOR KEY SHARE;
        EXIT WHEN FOUND OR p.user_id IS NOT DISTINCT FROM waited_for;
        waited_for := p.user_id;
    END LOOP;
    IF change = 'enter' AND p.user_id IS NOT NULL THEN
        answer := enter_player(p.user_id);
    ELSIF change = 'enter' THEN
        -- Whom the documents do not name any more, and a deleted player, cannot take part.
        IF NOT coalesce(p.is_listed, false) THEN RETURN with_refusal(answer, 'not-found'); END IF;
        INSERT INTO lottery_entries (participant) VALUES (changed) ON CONFLICT DO NOTHING;
        answer.is_new := FOUND;
    ELSIF change = 'leave' THEN
        DELETE FROM lottery_entries WHERE participant = changed;
        answer.is_new := FOUND;
        UPDATE lottery_participants SET is_listed = false WHERE number = changed AND user_id IS NOT NULL AND is_listed;
    ELSIF change = 'void' OR change = 'valid' THEN
        PERFORM FROM lottery_entries WHERE participant = changed;
        IF NOT FOUND THEN answer.refusal := 'not-found'; END IF;
        UPDATE lottery_entries SET is_void = change = 'void'
        WHERE participant = changed AND is_void <> (change = 'void');
        answer.is_new := FOUND;
    ELSE
        RAISE 'an entry can enter, leave, be void or valid' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF p.number IS NULL THEN answer.refusal := 'not-found'; END IF;
    answer.participant := changed;
    SELECT count(*) INTO answer.entries FROM lottery_entries;
    IF answer.is_new AND answer.refusal IS NULL THEN
        PERFORM record_action(who, 'lottery.' || change, p.user_id, 'participant/' || changed, NULL, NULL, NULL, NULL);
    END IF;
    RETURN answer;
END
$$;

-- Combines the participants of two players. The one who takes part stays, the player's before the other's. Then
-- nobody has the other number, but the player has the draws that it has won.
--
-- Called by: take_over, which holds both players.
CREATE OR REPLACE FUNCTION merge_participants(player text, other text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    own bigint := (SELECT number FROM lottery_participants WHERE user_id = player);
    others bigint := (SELECT number FROM lottery_participants WHERE user_id = other);
    kept bigint := own;
    retired bigint := others;
BEGIN
    IF others IS NULL THEN RETURN; END IF;
    IF own IS NULL OR EXISTS (SELECT FROM lottery_entries WHERE participant = others)
        AND NOT EXISTS (SELECT FROM lottery_entries WHERE participant = own)
    THEN
        kept := others;
        retired := own;
    END IF;
    DELETE FROM lottery_entries WHERE participant = retired;
    UPDATE lottery_participants SET user_id = NULL, name = 'Player ' || number, registered_on = '2000-01-01',
        is_listed = false, merged_into = kept
    WHERE number = retired;
    UPDATE lottery_participants SET merged_into = kept WHERE merged_into = retired;
    UPDATE lottery_participants SET user_id = player,
        registered_on = (SELECT (created_at AT TIME ZONE 'UTC')::date FROM users WHERE id = player)
    WHERE number = kept;
END
$$;
