-- What stays of a deleted player has no game's id and of each time the day, and so has what goes to files. A line of a
-- file then adds something else to a seal than its entry did: file_seal is what the lines in files add, seal what their
-- entries did. So files and ledger can both be checked.
--
-- The ledgers of players who were deleted before become like those of players who are deleted from now on.

-- migrate:up
ALTER TABLE energy_checkpoints ADD COLUMN file_seal bigint;
UPDATE energy_checkpoints SET file_seal = seal WHERE begins = 'archive';

-- As delete_user does it. Entries are deleted and inserted, because an UPDATE of a distributed table may only call
-- immutable functions. On a new database there is nobody, and energy_entry_seal is not there yet.
DO $$
DECLARE
    closed text;
    closed_on timestamptz;
    e energy_ledger;
    a energy_ledger_archive;
    before_it bigint;
    ledger_change bigint;
    archive_change bigint;
BEGIN
    FOR closed, closed_on IN SELECT user_id, date_trunc('day', closed_at, 'UTC') FROM closed_ledgers LOOP
        ledger_change := 0;
        archive_change := 0;
        FOR e IN DELETE FROM energy_ledger WHERE user_id = closed AND entry IS NOT NULL RETURNING * LOOP
            before_it := energy_entry_seal(e.entry, e.delta, e.balance_after, e.reason, e.reference, e.created_at);
            e.reference := CASE WHEN e.reason IN ('purchase', 'refund', 'support') THEN e.reference END;
            e.created_at := date_trunc('day', e.created_at, 'UTC');
            ledger_change := ledger_change # before_it
                # energy_entry_seal(e.entry, e.delta, e.balance_after, e.reason, e.reference, e.created_at);
            INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, reference, created_at)
            VALUES (closed, e.operation_id, e.entry, e.delta, e.balance_after, e.reason, e.reference, e.created_at);
        END LOOP;
        FOR a IN DELETE FROM energy_ledger_archive WHERE user_id = closed RETURNING * LOOP
            before_it := energy_entry_seal(a.entry, a.delta, a.balance_after, a.reason, a.reference, a.created_at);
            a.reference := CASE WHEN a.reason IN ('purchase', 'refund', 'support') THEN a.reference END;
            a.created_at := date_trunc('day', a.created_at, 'UTC');
            archive_change := archive_change # before_it
                # energy_entry_seal(a.entry, a.delta, a.balance_after, a.reason, a.reference, a.created_at);
            INSERT INTO energy_ledger_archive (
                user_id, entry, delta, balance_after, reason, reference, operation_id, created_at)
            VALUES (closed, a.entry, a.delta, a.balance_after, a.reason, a.reference, a.operation_id, a.created_at);
        END LOOP;
        UPDATE energy_checkpoints SET seal = seal # archive_change WHERE user_id = closed AND begins = 'ledger';
        UPDATE closed_ledgers SET ledger_seal = ledger_seal # ledger_change # archive_change,
            closed_at = closed_on
        WHERE user_id = closed;
    END LOOP;
END
$$;
UPDATE admin_actions SET user_id = CASE WHEN action NOT LIKE 'lottery.%' THEN user_id END,
    done_at = date_trunc('day', done_at, 'UTC')
WHERE strpos(user_id, E'\t') > 0;
UPDATE purchases SET purchased_at = date_trunc('day', purchased_at, 'UTC'),
    signed_at = date_trunc('day', signed_at, 'UTC'), created_at = date_trunc('day', created_at, 'UTC')
WHERE strpos(user_id, E'\t') > 0;
UPDATE lottery_draws SET credited_to = NULL, credit_entry = CASE WHEN credit_entry IS NOT NULL THEN 0 END
WHERE strpos(credited_to, E'\t') > 0;

-- migrate:down
ALTER TABLE energy_checkpoints DROP COLUMN file_seal;
