-- Lets a player take part by the operator's hand. Refused: not-found.
CREATE OR REPLACE FUNCTION enter_player(player text) RETURNS lottery_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer juliet.lottery_answer;
    registered timestamptz;
BEGIN
    -- The player is neither deleted nor claimed meanwhile.
    SELECT created_at INTO registered FROM users WHERE id = player FOR KEY SHARE;
    IF NOT FOUND THEN
        answer.refusal := 'not-found';
        RETURN answer;
    END IF;
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

-- Lets a player take part by the operator's hand. Refused: not-found.
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
