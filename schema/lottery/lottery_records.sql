-- What is kept about a player in the lottery; NULL: nothing. A draw that is still shown is not won yet.
CREATE OR REPLACE FUNCTION lottery_records(player text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('number', number, 'takesPart', participant IS NOT NULL, 'isVoid', coalesce(is_void, false),
        'won', (SELECT coalesce(jsonb_agg(jsonb_build_object('draw', d.number, 'at', juliet.show_time(started_at),
            'energy', CASE WHEN credit_entry IS NULL THEN 0 ELSE prize END) ORDER BY d.number), '[]')
            FROM juliet.lottery_draws AS d WHERE winner = p.number AND (juliet.see_draw(d, false)).has_ended))
    FROM juliet.lottery_participants AS p LEFT JOIN juliet.lottery_entries ON participant = number WHERE user_id = player
$$;
