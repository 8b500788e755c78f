-- Everything kept about a player's transactions, and what the store told of them.
CREATE OR REPLACE FUNCTION purchase_records(player text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'transaction', transaction_id, 'environment', environment, 'product', product, 'quantity', quantity,
        'energy', energy, 'state', purchase_state(purchases), 'purchasedAt', show_time(purchased_at),
        'signedAt', show_time(signed_at), 'presentedAt', show_time(created_at), 'decidedAt', show_time(decided_at),
        'notifications', (SELECT jsonb_agg(jsonb_build_object('id', n.id, 'type', type, 'subtype', subtype,
            'signedAt', show_time(n.signed_at), 'receivedAt', show_time(received_at), 'payload', payload)
            ORDER BY n.signed_at, n.id)
            FROM store_notifications AS n
            WHERE n.environment = purchases.environment AND n.transaction_id = purchases.transaction_id)
        )) ORDER BY created_at, environment, transaction_id), '[]')
    FROM purchases WHERE user_id = player
$$;
