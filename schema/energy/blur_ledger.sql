-- What stays of the ledger of a player who is deleted, and what goes to files: nothing that a game's id, a word, a draw
-- or an exact time leads to the player from.

-- What stays of an entry's reference: what support said, and the App Store's number of a transaction, which must not
-- count twice.
--
-- Called by: blur_ledger; juliet energy archive.
CREATE OR REPLACE FUNCTION lasting_reference(reason energy_reason, reference text) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE WHEN reason IN ('purchase', 'refund', 'support') THEN reference END;
END
$$;

-- Leaves of a player's entries, in ledger and archive, the day of their time and what lasts of their reference.
--
-- Called by: delete_user, which holds the table energy_ledger_archive and has deleted the player's row of users.
-- Answers: by what the seal of the ledger changes.
--
-- A seal is an exclusive or of its entries. What each entry added is taken out, and what it adds now put in, so a seal
-- that fitted fits, and one that did not fit still shows it.
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
    UPDATE energy_ledger SET reference = lasting_reference(reason, reference),
        created_at = day_of(created_at)
    WHERE user_id = player AND entry IS NOT NULL;
    UPDATE energy_ledger_archive SET reference = lasting_reference(reason, reference),
        created_at = day_of(created_at)
    WHERE user_id = player;
    UPDATE energy_checkpoints SET seal = seal # coalesce(archive_change, 0)
    WHERE user_id = player AND begins = 'ledger';
    RETURN coalesce(ledger_change, 0) # coalesce(archive_change, 0);
END
$$;
