-- Announces the prize of the next draw; 0: none.
--
-- Called by: operators (juliet lottery announce).
-- Locks: the draw's row.
-- Answers: the draw's number.
CREATE OR REPLACE FUNCTION announce_prize(who text, amount integer) RETURNS bigint
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    draw bigint;
BEGIN
    LOOP
        SELECT max(number) INTO draw FROM lottery_draws;
        IF draw IS NULL THEN
            PERFORM prepare_draw(1);
            CONTINUE;
        END IF;
        -- Unless it starts in this moment.
        PERFORM FROM lottery_draws WHERE number = draw AND started_at IS NULL FOR UPDATE;
        EXIT WHEN FOUND;
    END LOOP;
    UPDATE lottery_draws SET prize = amount WHERE number = draw AND prize <> amount;
    IF FOUND THEN
        PERFORM record_action(who, 'lottery.announce', NULL, 'draw/' || draw, NULL, jsonb_build_object('prize', amount),
            NULL, NULL);
    END IF;
    RETURN draw;
END
$$;
