-- What a participant is called.
CREATE OR REPLACE FUNCTION lottery_name(p lottery_participants) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN coalesce(p.name, (SELECT name FROM juliet.players WHERE user_id = p.user_id), 'Player ' || p.number);
END
$$;
