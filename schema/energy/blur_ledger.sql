-- Removes from the ledger of a deleted player, and from entries that go to files, everything that could lead to the
-- player: ids of games, words, draws and exact times.

-- The part of an entry's reference that is kept: the reason of support, and the App Store's number of a transaction,
-- which must not count twice.
--
-- Called by: blur_ledger; operators (juliet energy archive).
CREATE OR REPLACE FUNCTION lasting_reference(reason energy_reason, reference text) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE WHEN reason IN ('purchase', 'refund', 'support') THEN reference END;
END
$$;

-- Reduces a player's entries, in ledger and archive, to the day of their time and the lasting part of their reference,
-- and removes the names of operations.
--
-- Called by: delete_user, which holds the table energy_ledger_archive and has deleted the player's row of users.
-- Answers: by what the seal of the ledger changes.
--
-- A seal is an exclusive or of its entries. The former part of each entry is taken out and the new one put in, so a
-- correct seal stays correct, and a wrong one stays wrong.
CREATE OR REPLACE FUNCTION blur_ledger(player text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    ledger_change bigint;
    archive_change bigint;
BEGIN
    SELECT bit_xor(energy_entry_seal(entry, delta, balance_after, reason, reference, created_at) # energy_entry_seal(
        entry, delta, balance_after, reason, lasting_reference(reason, reference), day_of(created_at)))
    INTO ledger_change FROM energy_ledger WHERE user_id = player AND entry IS NOT NULL;
    SELECT bit_xor(energy_entry_seal(entry, delta, balance_after, reason, reference, created_at) # energy_entry_seal(
        entry, delta, balance_after, reason, lasting_reference(reason, reference), day_of(created_at)))
    INTO archive_change FROM energy_ledger_archive WHERE user_id = player;
    DELETE FROM energy_ledger WHERE user_id = player AND entry IS NULL;
    UPDATE energy_ledger SET reference = lasting_reference(reason, reference), created_at = day_of(created_at),
        operation_id = 'entry ' || entry, operation_request = NULL, operation_kind = NULL, answer = NULL
    WHERE user_id = player;
    UPDATE energy_ledger_archive SET reference = lasting_reference(reason, reference), created_at = day_of(created_at),
        operation_id = 'entry ' || entry, operation_request = NULL, operation_kind = NULL
    WHERE user_id = player;
    UPDATE energy_checkpoints SET seal = seal # coalesce(archive_change, 0)
    WHERE user_id = player AND begins = 'ledger';
    RETURN coalesce(ledger_change, 0) # coalesce(archive_change, 0);
END
$$;
