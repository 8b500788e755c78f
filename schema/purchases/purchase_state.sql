-- What became of a transaction, in a word: credited; refunded: credited and taken back; revoked: taken back before it
-- was credited; awaited: nobody has presented it.
CREATE OR REPLACE FUNCTION purchase_state(p purchases) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p.credit_entry IS NULL THEN CASE WHEN p.is_refunded THEN 'revoked' ELSE 'awaited' END
        WHEN p.is_refunded THEN 'refunded' ELSE 'credited' END
$$;
