-- Announces the prize of the next draw; 0: none.
--
-- Called by: operators (juliet lottery announce).
-- Locks: the draw's row.
-- Answers: the draw's number.
--
-- With another prize the draw gets another seed, so that nobody who may have read the former one can choose list or
-- prize by it. A list that was frozen for the former seed is given up. The audit trail keeps the former seed, which
-- anybody can compare with the commitment that was public, and the new commitment.
CREATE OR REPLACE FUNCTION announce_prize(who text, amount integer) RETURNS bigint
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    draw bigint;
    former lottery_draws;
    new_seed bytea := random_seed();
BEGIN
    LOOP
        SELECT max(number) INTO draw FROM lottery_draws;
        IF draw IS NULL THEN
            PERFORM prepare_draw(1);
            CONTINUE;
        END IF;
        -- Unless it starts in this moment.
        SELECT * INTO former FROM lottery_draws WHERE number = draw AND started_at IS NULL FOR UPDATE;
        EXIT WHEN FOUND;
    END LOOP;
    IF former.prize IS DISTINCT FROM amount THEN
        UPDATE lottery_draws SET prize = amount, seed = new_seed, commitment = sha256(new_seed), list_digest = NULL,
            entries = NULL, started_by = NULL
        WHERE number = draw;
        PERFORM record_action(who, 'lottery.announce', NULL, 'draw/' || draw, NULL, jsonb_build_object(
            'prize', amount, 'commitment', encode(sha256(new_seed), 'hex'),
            'formerCommitment', encode(former.commitment, 'hex'), 'formerSeed', encode(former.seed, 'hex')),
            NULL, NULL);
    END IF;
    RETURN draw;
END
$$;
