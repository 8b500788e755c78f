-- The energy of a player who is merged into another one. Energy for being new, for waiting or for the word of the day
-- is not taken over, so nobody gains by merging new players.

-- The part of a player's balance that is taken over: the lasting energy (lasting_energy), at most the
-- balance; a debt completely.
--
-- Called by: merge_players, which holds the player's row of users.
CREATE OR REPLACE FUNCTION energy_to_merge(player text) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    balance integer := (SELECT energy FROM users WHERE id = player);
BEGIN
    RETURN least(balance, greatest(0, CASE WHEN balance > 0 THEN lasting_energy(player) END));
END
$$;

-- The energy from a player's entries that a merge takes over: verified purchases less refunds, support, prizes, imports
-- and merges. For entries in files, it is the sum noted when they went there.
--
-- Called by: energy_to_merge.
CREATE OR REPLACE FUNCTION lasting_energy(player text) RETURNS bigint
LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT coalesce(sum(amount), 0) FROM (
        SELECT delta AS amount FROM energy_ledger
        WHERE user_id = player AND entry IS NOT NULL AND brings_lasting_energy(reason, reference)
        UNION ALL
        SELECT delta FROM energy_ledger_archive WHERE user_id = player AND brings_lasting_energy(reason, reference)
        UNION ALL
        SELECT lasting FROM energy_checkpoints WHERE user_id = player AND begins = 'archive'
        ) AS amounts);
END
$$;

-- Whether what an entry brings, or takes, lasts through a merge.
--
-- Called by: lasting_energy; operators (juliet energy archive, juliet audit).
CREATE OR REPLACE FUNCTION brings_lasting_energy(reason energy_reason, reference text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN reason IN ('refund', 'support', 'lottery', 'import', 'merge')
        OR reason = 'purchase' AND reference IS NOT NULL;
END
$$;

-- Takes the other's whole balance out of their ledger and adds the part that is taken over to the player's: two
-- entries, or none if it is zero. Each names the other ledger.
--
-- Called by: take_over, which holds both players and has checked that the balance is not too high.
-- Answers: the number of the player's entry; NULL: nothing came over.
CREATE OR REPLACE FUNCTION merge_energy(player text, other text, brought integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    balance integer := (SELECT energy FROM users WHERE id = other);
    held juliet.rules;
    changed juliet.operation_answer;
BEGIN
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    IF balance <> 0 THEN
        changed := change_energy(other, -balance, 'merge', player, NULL, NULL, held => held);
        IF changed.refusal IS NOT NULL THEN RAISE 'a balance that was locked has changed: %', changed.refusal; END IF;
    END IF;
    IF brought = 0 THEN RETURN NULL; END IF;
    changed := change_energy(player, brought, 'merge', other, NULL, NULL, held => held);
    IF changed.refusal IS NOT NULL THEN RAISE 'a balance that was locked has changed: %', changed.refusal; END IF;
    RETURN (SELECT ledger_entry FROM users WHERE id = player);
END
$$;
