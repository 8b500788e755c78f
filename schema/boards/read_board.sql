-- Reads a page of a board: from the first entry on, or with the player's in the middle; at either end of the board the
-- page is its first or last entries. wanted: the day, for the daily board alone.
--
-- Called by: the service (GET /v2/daily/{day}/leaderboard, GET /v2/leaderboards/wins).
-- Locks: the session's row, when the hour of its use is noted.
-- Answers: a first row that has the refusal or the number of players, then the entries, then the player's own again,
-- with is_listed false. Refuses: unauthorized, not-found.
CREATE OR REPLACE FUNCTION read_board(
    token bytea, which board, wanted date, most integer, is_around boolean
) RETURNS SETOF board_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := session_player(token);
    this_day date := today();
    starts date := coalesce(wanted, board_start(which, this_day));
    answer board_answer;
BEGIN
    IF token IS NOT NULL AND player IS NULL THEN
        answer.refusal := 'unauthorized';
    ELSIF which = 'daily' AND NOT EXISTS (SELECT FROM daily_words WHERE day = starts AND day <= this_day) THEN
        answer.refusal := 'not-found';
    END IF;
    IF answer.refusal IS NOT NULL THEN
        RETURN NEXT answer;
        RETURN;
    END IF;
    RETURN QUERY SELECT * FROM board_page(player, which, starts, most, is_around);
END
$$;
GRANT EXECUTE ON FUNCTION read_board(bytea, board, date, integer, boolean) TO juliet_service;

-- Reads the page of read_board.
--
-- Called by: read_board.
-- Answers: as read_board, without refusals.
--
-- The function is STABLE, so it reads everything in the snapshot of the query that calls it. Counts, and changes that
-- tend_boards has not gathered yet, fit together without a lock.
--
-- It counts the rank of the first entry, and of the first entry with another score. The ranks after that follow from
-- the place on the page.
CREATE OR REPLACE FUNCTION board_page(
    player text, which board, starts date, most integer, is_around boolean
) RETURNS SETOF board_answer
LANGUAGE plpgsql STABLE AS $$
DECLARE
    answer juliet.board_answer;
    noted juliet.board_change[] := changes_of(which, starts);
    mine juliet.board_entries;
    first_score bigint := -9223372036854775808;
    first_reached_at timestamptz := '-infinity';
    first_user_id text := '';
    after_mine integer;
    entry record;
    place bigint := 0;
    last_score bigint;
    before_page bigint;
    own_rank bigint;
BEGIN
    answer.players := count_players(which, starts, noted);
    RETURN NEXT answer;

    SELECT * INTO mine FROM board_entries WHERE user_id = player AND board = which AND starts_on = starts;
    IF is_around AND mine.score IS NOT NULL THEN
        -- If fewer entries follow the player's than fit, more before it are on the page.
        SELECT count(*) INTO after_mine
        FROM (SELECT user_id FROM board_entries
            WHERE board = which AND starts_on = starts
                AND (score, reached_at, user_id) > (mine.score, mine.reached_at, mine.user_id)
            ORDER BY score, reached_at, user_id LIMIT most / 2) AS page;
        SELECT score, reached_at, user_id INTO first_score, first_reached_at, first_user_id
        FROM (SELECT user_id, score, reached_at FROM board_entries
            WHERE board = which AND starts_on = starts
                AND (score, reached_at, user_id) <= (mine.score, mine.reached_at, mine.user_id)
            ORDER BY score DESC, reached_at DESC, user_id DESC LIMIT most - after_mine) AS page
        ORDER BY page.score, page.reached_at, page.user_id LIMIT 1;
    END IF;
    answer.players := NULL;
    answer.is_listed := true;
    FOR entry IN SELECT board_entries.user_id, players.name, score, reached_at
        FROM board_entries JOIN players ON players.user_id = board_entries.user_id
        WHERE board = which AND starts_on = starts
            AND (score, reached_at, board_entries.user_id) >= (first_score, first_reached_at, first_user_id)
        ORDER BY score, reached_at, board_entries.user_id LIMIT most
    LOOP
        place := place + 1;
        IF last_score IS NULL THEN
            answer.rank := count_better(which, starts, entry.score, noted) + 1;
        ELSIF entry.score <> last_score THEN
            before_page := coalesce(before_page, count_better(which, starts, entry.score, noted) + 1 - place);
            answer.rank := before_page + place;
        END IF;
        last_score := entry.score;
        answer.name := entry.name;
        answer.score := entry.score;
        answer.is_me := entry.user_id IS NOT DISTINCT FROM player;
        RETURN NEXT answer;
    END LOOP;
    IF mine.score IS NOT NULL THEN
        own_rank := count_better(which, starts, mine.score, noted) + 1;
        RETURN QUERY SELECT NULL::text, NULL::bigint, own_rank, players.name, mine.score, true, false
            FROM players WHERE players.user_id = player;
    END IF;
END
$$;
