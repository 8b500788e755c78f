-- Changes the entry of a participant: enter, leave, void, valid. Refused: not-found (no such participant, or one who
-- does not take part). is_new: it was not so already.
CREATE OR REPLACE FUNCTION change_entry(who text, changed bigint, change text) RETURNS lottery_answer
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    answer lottery_answer;
    p lottery_participants;
BEGIN
    SELECT * INTO p FROM lottery_participants WHERE number = changed;
    IF change = 'enter' AND p.user_id IS NOT NULL THEN
        answer := enter_player(p.user_id);
    ELSIF change = 'enter' THEN
        -- Whom the documents do not name any more, and a deleted player, cannot take part.
        IF NOT coalesce(p.is_listed, false) THEN
            answer.refusal := 'not-found';
            RETURN answer;
        END IF;
        INSERT INTO lottery_entries (participant) VALUES (changed) ON CONFLICT DO NOTHING;
        answer.is_new := FOUND;
    ELSIF change = 'leave' THEN
        DELETE FROM lottery_entries WHERE participant = changed;
        answer.is_new := FOUND;
        UPDATE lottery_participants SET is_listed = false WHERE number = changed AND user_id IS NOT NULL AND is_listed;
    ELSIF change = 'void' OR change = 'valid' THEN
        PERFORM FROM lottery_entries WHERE participant = changed;
        IF NOT FOUND THEN answer.refusal := 'not-found'; END IF;
        UPDATE lottery_entries SET is_void = change = 'void' WHERE participant = changed AND is_void <> (change = 'void');
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
