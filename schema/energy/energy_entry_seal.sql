-- The seal of a ledger: a running checksum, the exclusive or of what each entry adds.
--
-- It shows that an entry was altered, or that the last entry was cut off and the balance set back, unless the seal was
-- changed to match. The hash functions are those that place rows in hash partitions, so every release of PostgreSQL
-- computes the same.
--
-- An entry's part is computed in two steps: what is known before the player's row is read (the digest), and the rest.

-- What an entry adds, as far as it is known before the player's row is read.
CREATE OR REPLACE FUNCTION energy_entry_digest(
    delta integer, reason energy_reason, reference text, created_at timestamptz
) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT hashtextextended(coalesce(reference, ''), hashtextextended(
        coalesce(reason::text, ''), hashint4extended(delta, (date_part('epoch', created_at) * 1000000)::bigint)))
$$;

-- What an entry adds, by its digest and by the number and the balance before it.
--
-- Called by: create_user, change_energy, change_energies, change_closed_energy, energy_entry_seal below.
CREATE OR REPLACE FUNCTION energy_entry_seal(entry_before integer, balance_before integer, digest bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS 'SELECT hashint4extended(balance_before, hashint4extended(entry_before, digest))';

-- What an entry adds, by its row of energy_ledger.
--
-- Called by: blur_ledger; operators (juliet energy audit, archive, import), whose sessions have another search_path.
CREATE OR REPLACE FUNCTION energy_entry_seal(
    entry integer, delta integer, balance_after integer, reason energy_reason, reference text, created_at timestamptz
) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT juliet.energy_entry_seal(
        entry - 1, balance_after - delta, juliet.energy_entry_digest(delta, reason, reference, created_at))
$$;
