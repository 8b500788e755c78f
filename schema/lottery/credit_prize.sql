-- Gives the winner of a draw, whose row is locked, its prize. One who is claimed in this moment is found under the new
-- name, one who is deleted gets nothing, nor has a balance that is full.
CREATE OR REPLACE FUNCTION credit_prize(draw bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    d juliet.lottery_draws;
    player text;
    credit juliet.operation_answer;
    last_entry integer;
BEGIN
    SELECT * INTO d FROM lottery_draws WHERE number = draw;
    FOR attempt IN 1..3 LOOP
        SELECT user_id INTO player FROM lottery_participants WHERE number = d.winner;
        IF player IS NULL OR d.prize = 0 THEN RETURN; END IF;
        -- The name that makes it happen once is of the draw's number. What follows from the seed keeps clients from taking
        -- it for something else before.
        credit := change_energy(player, d.prize, 'lottery', draw::text,
            'lottery-' || draw || '-' || left(encode(sha256(d.seed || 'prize'), 'hex'), 16), draw);
        EXIT WHEN credit.refusal IS DISTINCT FROM 'user-unknown';
    END LOOP;
    IF credit.refusal = 'user-unknown' THEN RETURN; END IF;
    IF credit.is_replay OR credit.refusal <> 'energy-full' THEN
        RAISE 'the prize of draw % was credited before the draw', draw USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF credit.refusal IS NULL THEN SELECT ledger_entry INTO last_entry FROM users WHERE id = player; END IF;
    UPDATE lottery_draws SET credited_to = player, credit_entry = last_entry WHERE number = draw;
END
$$;
