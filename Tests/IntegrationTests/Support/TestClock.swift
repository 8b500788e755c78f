import TestSupport

extension TestDatabase {
    /// Has the functions that know days and moments of games read a clock that tests can move ahead. On one server: functions
    /// of other servers would have to know the clock too.
    func setClock() async throws {
        try await psql(
            """
            CREATE TABLE public.test_clock (ahead interval NOT NULL);
            INSERT INTO public.test_clock VALUES ('0');
            CREATE FUNCTION public.test_moment() RETURNS timestamptz LANGUAGE plpgsql AS
                'BEGIN RETURN clock_timestamp() + (SELECT ahead FROM public.test_clock); END';
            DO $$
            DECLARE
                body text;
            BEGIN
                FOR body IN SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'juliet'::regnamespace
                    AND proname IN ('end_game', 'start_daily_game', 'start_archive_game', 'write_days', 'last_kept_day',
                        'choose_daily_words')
                LOOP
                    EXECUTE replace(body, 'clock_timestamp()', 'public.test_moment()');
                END LOOP;
                SELECT pg_get_functiondef('today()'::regprocedure) INTO body;
                EXECUTE replace(body, 'now()', '(now() + (SELECT ahead FROM public.test_clock))');
            END
            $$
            """)
    }

    /// Has all days begin in a time zone, as if it had always been that of the rules.
    func begin(in zone: String) async throws {
        try await psql(
            """
            DELETE FROM days; DELETE FROM daily_words;
            SELECT apply_rules('test', '{"game.timeZone": "\(zone)"}'), choose_daily_words()
            """)
    }

    /// Moves the clock ahead to a moment, as SQL; never back.
    func moveClock(to moment: String) async throws {
        try await psql("UPDATE public.test_clock SET ahead = greatest(ahead, \(moment) - clock_timestamp())")
    }
}
