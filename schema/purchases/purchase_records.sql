-- Everything kept about a player's transactions, and what the store told of them.
CREATE OR REPLACE FUNCTION purchase_records(player text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'transaction', transaction_id, 'environment', environment, 'product', product, 'quantity', quantity,
        'energy', energy, 'state', juliet.purchase_state(purchases), 'purchasedAt', juliet.show_time(purchased_at),
        'signedAt', juliet.show_time(signed_at), 'presentedAt', juliet.show_time(created_at), 'decidedAt', juliet.show_time(decided_at),
        'notifications', (SELECT jsonb_agg(jsonb_build_object('id', n.id, 'type', type, 'subtype', subtype,
            'signedAt', juliet.show_time(n.signed_at), 'receivedAt', juliet.show_time(received_at), 'payload', payload)
            ORDER BY n.signed_at, n.id)
            FROM juliet.store_notifications AS n
            WHERE n.environment = purchases.environment AND n.transaction_id = purchases.transaction_id)
        )) ORDER BY created_at, environment, transaction_id), '[]')
    FROM juliet.purchases WHERE user_id = player
$$;
