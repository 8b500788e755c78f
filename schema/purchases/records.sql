-- Reads transactions.

-- The name of a transaction in the ledger.
CREATE OR REPLACE FUNCTION purchase_reference(environment text, transaction_id text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$ SELECT environment || '/' || transaction_id $$;

-- The state of a transaction: credited, refunded (credited, then taken back), revoked (taken back before it was
-- credited), or awaited (nobody has presented it).
CREATE OR REPLACE FUNCTION purchase_state(p purchases) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p.credit_entry IS NULL THEN CASE WHEN p.is_refunded THEN 'revoked' ELSE 'awaited' END
        WHEN p.is_refunded THEN 'refunded' ELSE 'credited' END
$$;

-- Reads the data stored about a player's transactions, with the store's notifications about them.
--
-- Called by: all_records; operators (juliet users export).
-- Answers: a JSON array.
CREATE OR REPLACE FUNCTION purchase_records(player text) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = juliet, pg_temp AS $$
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'id', transaction_id, 'environment', environment, 'product', product, 'quantity', quantity,
        'energy', energy, 'state', juliet.purchase_state(purchases), 'purchasedAt', juliet.show_time(purchased_at),
        'signedAt', juliet.show_time(signed_at), 'presentedAt', juliet.show_time(created_at),
        'decidedAt', juliet.show_time(decided_at),
        'notifications', (SELECT jsonb_agg(jsonb_build_object('id', n.id, 'type', type, 'subtype', subtype,
            'signedAt', juliet.show_time(n.signed_at), 'receivedAt', juliet.show_time(received_at), 'payload', payload)
            ORDER BY n.signed_at, n.id)
            FROM juliet.store_notifications AS n
            WHERE n.environment = purchases.environment AND n.transaction_id = purchases.transaction_id)
        )) ORDER BY created_at, environment, transaction_id), '[]')
    FROM juliet.purchases WHERE user_id = player
$$;
