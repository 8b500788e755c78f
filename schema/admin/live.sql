-- The current state, as far as the database knows it.

-- Reads the services, the games of the last hour and the state of PostgreSQL, and warns of problems. It reads only
-- the newest blocks of ledger and games.
--
-- PostgreSQL shows other roles' transactions and standbys only to members of pg_read_all_stats. The service's role
-- is not a member; the owner of this function may be (packaging/database), and returns only numbers.
--
-- Called by: the service (the admin page), every few seconds while somebody looks.
-- Answers: silent and oldest in seconds, lag in milliseconds, size and behind in bytes; values that PostgreSQL does
-- not show are left out. warnings are names, which the page has words for.
CREATE OR REPLACE FUNCTION admin_live(session bytea) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    since timestamptz := now() - interval '1 hour';
    running_services jsonb;
    releases bigint;
    started record;
    ended record;
    paid bigint;
    is_told boolean := pg_has_role(current_user, 'pg_read_all_stats', 'USAGE');
    oldest double precision;
    standbys jsonb;
    slowest double precision;
    is_archive_failing boolean;
    most integer := current_setting('max_connections')::integer;
    connections bigint;
    has_words boolean;
    this_day date := today();
BEGIN
    IF admin_may(session, 'support') IS NULL THEN RETURN admin_refused(session); END IF;
    SELECT jsonb_agg(jsonb_build_object('id', left(id::text, 8), 'release', release, 'startedAt', show_time(started_at),
            'silent', floor(extract(epoch FROM now() - seen_at))) ORDER BY started_at, id),
        count(DISTINCT release) FILTER (WHERE seen_at > now() - interval '30 seconds')
    INTO running_services, releases FROM services WHERE seen_at > now() - interval '1 hour';
    SELECT count(*) AS games, count(*) FILTER (WHERE ended_at IS NULL) AS running INTO started
    FROM judged_games WHERE started_at >= since;
    SELECT count(*) FILTER (WHERE is_won) AS won, count(*) FILTER (WHERE NOT is_won) AS lost INTO ended
    FROM judged_games WHERE ended_at >= since;
    SELECT count(*) INTO paid FROM energy_ledger
    WHERE created_at >= since AND entry IS NOT NULL AND reason = 'game';
    SELECT count(*) = 2 INTO has_words FROM daily_words WHERE day BETWEEN this_day AND this_day + 1;
    SELECT sum(numbackends) INTO connections FROM pg_stat_database;
    IF is_told THEN
        SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0) INTO oldest FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid();
    END IF;
    SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('name', application_name, 'state', state, 'mode', sync_state,
            'lag', round(1000 * extract(epoch FROM replay_lag)), 'behind', CASE WHEN NOT pg_is_in_recovery()
                THEN pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) END)) ORDER BY application_name, pid),
        max(extract(epoch FROM replay_lag))
    INTO standbys, slowest FROM pg_stat_replication;
    SELECT last_failed_time > coalesce(last_archived_time, '-infinity') INTO is_archive_failing FROM pg_stat_archiver;
    RETURN ROW(NULL, jsonb_strip_nulls(jsonb_build_object('services', coalesce(running_services, '[]'),
        'lastHour', jsonb_build_object('players', count_active(since, now()), 'judged', started.games,
            'running', started.running, 'paid', paid, 'won', ended.won, 'lost', ended.lost),
        'postgres', jsonb_build_object('version', current_setting('server_version'),
            'size', pg_database_size(current_database()), 'connections', connections, 'maximum', most,
            'oldest', round(oldest), 'isTold', is_told, 'standbys', coalesce(standbys, '[]')),
        'warnings', array_remove(ARRAY[
            CASE WHEN releases > 1 THEN 'releases' END, CASE WHEN NOT has_words THEN 'days' END,
            CASE WHEN connections > 0.8 * most THEN 'connections' END, CASE WHEN oldest > 3600 THEN 'transaction' END,
            CASE WHEN slowest > 60 THEN 'standby' END, CASE WHEN is_archive_failing THEN 'archive' END],
            NULL)))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_live(bytea) TO juliet_service;
