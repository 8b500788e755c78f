-- Has the games that a session plays forget it when it ends, in the same transaction.
CREATE OR REPLACE FUNCTION forget_session() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE juliet.judged_games SET session_hash = NULL, session_seen_at = NULL
    WHERE user_id = OLD.user_id AND session_hash = OLD.token_hash;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER sessions_games_guard AFTER DELETE ON sessions
    FOR EACH ROW EXECUTE FUNCTION forget_session();
