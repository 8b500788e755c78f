import JulietAPI
import JulietGame
import TestSupport
import Testing

/// Days of the game begin at midnight in the time zone of the rules, and when they begin is kept once it was said.
@Suite("The host's day", .everyLayout)
struct TimeZoneTests {
    /// Zones, days in them, and when these begin in UTC.
    private static let begins = [
        ("Europe/Berlin", "2026-03-29", "2026-03-28 23:00"), ("Europe/Berlin", "2026-03-30", "2026-03-29 22:00"),
        ("Europe/Berlin", "2026-10-25", "2026-10-24 22:00"), ("Europe/Berlin", "2026-10-26", "2026-10-25 23:00"),
        ("America/New_York", "2026-03-08", "2026-03-08 05:00"),
        ("America/New_York", "2026-03-09", "2026-03-09 04:00"),
        ("America/New_York", "2026-11-01", "2026-11-01 04:00"),
        ("America/New_York", "2026-11-02", "2026-11-02 05:00"),
        // Midnight does not exist: 01:00 is the first moment.
        ("America/Havana", "2026-03-08", "2026-03-08 05:00"), ("Asia/Beirut", "2026-03-29", "2026-03-28 22:00"),
        // Midnight comes twice: the first counts; or the evening before comes twice.
        ("America/Havana", "2026-11-01", "2026-11-01 04:00"), ("Asia/Beirut", "2026-10-25", "2026-10-24 22:00"),
        ("Australia/Lord_Howe", "2026-04-05", "2026-04-04 13:00"),
        ("Australia/Lord_Howe", "2026-04-06", "2026-04-05 13:30"),
        ("Australia/Lord_Howe", "2026-10-05", "2026-10-04 13:00"),
        ("Pacific/Kiritimati", "2027-01-01", "2026-12-31 10:00"),
        ("Pacific/Niue", "2027-01-01", "2027-01-01 11:00"),
        // Clocks that went back behind midnight a minute after it, and a day that there was not.
        ("America/St_Johns", "2010-11-07", "2010-11-07 02:30"), ("Pacific/Apia", "2011-12-30", "2011-12-30 10:00"),
        ("UTC", "2026-11-28", "2026-11-28 00:00"),
    ]

    @Test("a day begins at the first moment with its date, where clocks change at midnight too")
    func firstMoments() async throws {
        let database = try await TestDatabase.create()
        for (zone, day, begins) in Self.begins {
            let found = try await database.psql(
                "SELECT to_char(first_moment('\(day)', '\(zone)') AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')")
            #expect(found == begins, "\(day) in \(zone)")
        }
    }

    /// Zones, and a day in each after which its clocks change; Kiritimati's never do.
    private static let changes = [
        ("Europe/Berlin", "2027-03-27"), ("Europe/Berlin", "2027-10-30"), ("America/New_York", "2027-03-13"),
        ("America/New_York", "2027-11-06"), ("America/Havana", "2027-03-13"), ("America/Havana", "2027-11-06"),
        ("Asia/Beirut", "2027-03-27"), ("Asia/Beirut", "2027-10-30"), ("Australia/Lord_Howe", "2027-04-03"),
        ("Australia/Lord_Howe", "2027-10-02"), ("Pacific/Kiritimati", "2027-12-31"),
    ]

    @Test("each quarter of an hour belongs to the day that the calendar of the zone says")
    func calendar() async throws {
        let database = try await TestDatabase.create(in: .shared())
        try await database.setClock()
        for (zone, day) in Self.changes {
            try await database.begin(in: zone)
            let wrong = try await database.psql(
                """
                UPDATE public.test_clock SET ahead = '\(day) 00:00Z'::timestamptz - interval '2 days' - clock_timestamp();
                DELETE FROM days; DELETE FROM daily_words;
                DO $$
                DECLARE
                    moment timestamptz;
                    latest date;
                    step interval := '15 minutes';
                BEGIN
                    CREATE TEMPORARY TABLE wrong (moment timestamptz, said date, wanted date);
                    PERFORM choose_daily_words();
                    moment := public.test_moment();
                    latest := (moment AT TIME ZONE '\(zone)')::date;
                    FOR n IN 1..480 LOOP
                        UPDATE public.test_clock SET ahead = ahead + step;
                        moment := moment + step;
                        -- Once a date has come the one before does not come back.
                        latest := greatest(latest, (moment AT TIME ZONE '\(zone)')::date);
                        IF n % 3 = 0 THEN PERFORM choose_daily_words(); END IF;
                        IF day_at(moment) <> latest THEN INSERT INTO wrong VALUES (moment, day_at(moment), latest); END IF;
                    END LOOP;
                END
                $$;
                SELECT * FROM wrong;
                SELECT 'no whole days' WHERE (SELECT count(*) < 6 OR max(day) - min(day) + 1 <> count(*) FROM days)
                """)
            #expect(wrong == "", "\(zone)")
        }
        try await database.expectCleanAudit(without: [.schema, .trail])
    }

    @Test("a zone is UTC or a name of the database of time zones, as it is spelled there")
    func names() async throws {
        let database = try await TestDatabase.create()
        for (zone, hint) in [
            ("berlin", "did you mean Europe/Berlin?"), ("europe/berlin", "did you mean Europe/Berlin?"),
            ("Lord Howe", "did you mean Australia/Lord_Howe?"), ("CET", "use UTC or a name such as Europe/Berlin"),
            ("posix/Europe/Berlin", "did you mean Europe/Berlin?"), ("+02:00", "use UTC"), ("Mars/Olympus", "use UTC"),
            ("", "use UTC"),
        ] {
            let failure = await #expect(throws: Command.Failure.self, "\(zone)") {
                try await database.psql("SELECT apply_rules('test', '{\"game.timeZone\": \"\(zone)\"}')")
            }
            #expect(
                failure?.output.contains("there is no time zone \"\(zone)\": \(hint)") == true,
                "\(failure?.output ?? "")")
        }
        #expect(try await database.psql("SELECT count(*) FROM rules WHERE time_zone <> 'UTC'") == "0")
    }

    @Test("a change holds from the third day on, is announced, and moves nothing that was said")
    func change() async throws {
        let database = try await TestDatabase.create(in: .shared())
        let service = try await TestService.start(on: database)
        try await database.setClock()
        let player = try await V2Client.player(on: service)
        let today = try await database.psql("SELECT today()")
        func apply(_ zone: String) async throws {
            try await database.psql("SELECT apply_rules('test', '{\"game.timeZone\": \"\(zone)\"}')")
        }
        func bounds() async throws -> String {
            try await database.psql(
                "SELECT string_agg(day - '\(today)' || ' ' || starts_at, ', ' ORDER BY day) FROM days")
        }
        let said = try await bounds()
        let first = try await player.get("/v2/daily").json
        try await apply("Europe/Berlin")
        // The second change on a day replaces the first.
        try await apply("America/New_York")
        #expect(try await bounds() == said)
        let rules = try await database.psql("SELECT read_rules() ->> 'timeZone', read_rules() ->> 'timeZoneFrom'")
        #expect(try await rules == "UTC|" + database.psql("SELECT '\(today)'::date + 3"))
        // A service reads rules every ten seconds.
        var offered = try await player.get("/v2/service").json
        while offered.nextTimeZone.timeZone != "America/New_York" {
            try await Task.sleep(for: .milliseconds(100))
            offered = try await player.get("/v2/service").json
        }
        #expect(offered.timeZone == "UTC")
        #expect(try await offered.nextTimeZone.from.text == database.psql("SELECT '\(today)'::date + 3"))
        #expect(try await player.get("/v2/daily").json == first)
        // The next day: the day that the first change made begins as it said, and a change back holds from the day after.
        try await database.moveClock(to: "day_start('\(today)'::date + 1) + interval '1 hour'")
        let second = try await player.get("/v2/daily").json
        #expect(second.endsAt == first.tomorrow.endsAt)
        try await apply("UTC")
        try await database.moveClock(to: "day_start('\(today)'::date + 2) + interval '1 hour'")
        let third = try await player.get("/v2/daily").json
        #expect(third.endsAt == second.tomorrow.endsAt)
        let midnight = try await database.psql(
            "SELECT show_time(first_moment('\(today)'::date + 3, 'America/New_York'))")
        #expect(third.endsAt.text == midnight)
        try await database.moveClock(to: "day_start('\(today)'::date + 3) + interval '1 hour'")
        let fourth = try await player.get("/v2/daily").json
        #expect(fourth.endsAt.text.hasSuffix("T00:00:00.000000Z"))
        #expect(
            try await database.psql("SELECT string_agg(time_zone, ' ' ORDER BY day) FROM days WHERE day >= '\(today)'")
                == "UTC UTC UTC America/New_York UTC UTC")
        #expect(
            try await database.psql("SELECT read_rules() ->> 'timeZone', read_rules() ->> 'timeZoneFrom'").hasPrefix(
                "America/New_York|"))
        // A past day says when it ended.
        #expect(try await player.get("/v2/daily/\(first.day.text)").json.endsAt == first.endsAt)
        #expect(try await player.get("/v2/daily/\(third.day.text)").json.endsAt.text == midnight)
        try await database.expectCleanAudit(without: [.schema, .trail])
        try await service.stop()
    }

    @Test("a change that would leave a day less than an hour is refused, and what can be done is said")
    func refused() async throws {
        let database = try await TestDatabase.create(in: .shared())
        try await database.setClock()
        try await database.begin(in: "Pacific/Niue")
        for zone in ["Pacific/Kiritimati", "Pacific/Tongatapu"] {
            let failure = await #expect(throws: Command.Failure.self) {
                try await database.psql("SELECT apply_rules('test', '{\"game.timeZone\": \"\(zone)\"}')")
            }
            #expect(
                failure?.output.contains(
                    "would last less than an hour: first change to a time zone between the two, and to this one a day later"
                )
                    == true)
        }
        #expect(try await database.psql("SELECT time_zone FROM rules ORDER BY since DESC LIMIT 1") == "Pacific/Niue")
        // By way of another zone, three days later, it goes.
        try await database.psql("SELECT apply_rules('test', '{\"game.timeZone\": \"UTC\"}')")
        for day in 1...3 {
            try await database.moveClock(to: "day_start(today() + 1) + interval '1 minute'")
            try await database.psql("SELECT \(day), choose_daily_words()")
        }
        try await database.psql("SELECT apply_rules('test', '{\"game.timeZone\": \"Pacific/Kiritimati\"}')")
        try await database.expectCleanAudit(without: [.schema, .trail])
    }

    @Test("whatever changes come, days follow each other, and no end that was said changes")
    func anyChanges() async throws {
        let database = try await TestDatabase.create(in: .shared())
        try await database.setClock()
        let seed = Double.random(in: 0..<1)
        let zones = [
            "UTC", "Europe/Berlin", "America/New_York", "America/Havana", "Asia/Beirut", "Australia/Lord_Howe",
            "Pacific/Kiritimati", "Pacific/Niue", "Asia/Kathmandu", "America/St_Johns",
        ]
        let wrong = try await database.psql(
            """
            SELECT setseed(\(seed));
            DELETE FROM days;
            DO $$
            DECLARE
                zones text[] := '{\(zones.joined(separator: ","))}';
                told daily_answer;
                former date;
                changed integer := 0;
                refused integer := 0;
            BEGIN
                CREATE TEMPORARY TABLE said (day date PRIMARY KEY, ends timestamptz);
                CREATE TEMPORARY TABLE wrong (what text);
                PERFORM choose_daily_words();
                FOR n IN 1..300 LOOP
                    UPDATE public.test_clock SET ahead = ahead + random() * interval '20 hours';
                    IF random() < 0.4 THEN
                        BEGIN
                            PERFORM apply_rules('test', jsonb_build_object('game.timeZone',
                                zones[1 + floor(random() * array_length(zones, 1))::integer]));
                            changed := changed + 1;
                        EXCEPTION WHEN invalid_parameter_value THEN refused := refused + 1;
                        END;
                    END IF;
                    IF random() < 0.5 THEN PERFORM choose_daily_words(); END IF;
                    told := read_today(NULL);
                    IF told.refusal = 'no-words' THEN
                        PERFORM choose_daily_words();
                        told := read_today(NULL);
                    END IF;
                    IF told.refusal IS NOT NULL THEN INSERT INTO wrong VALUES (told.refusal); END IF;
                    -- Of the moment at which this transaction began, as today() is.
                    IF told.day < former OR told.ends_at <= now() + (SELECT ahead FROM public.test_clock) THEN
                        INSERT INTO wrong VALUES (format('%s after %s', told.day, former));
                    END IF;
                    former := told.day;
                    INSERT INTO said VALUES (told.day, told.ends_at), (told.day + 1, told.next_ends_at) ON CONFLICT DO NOTHING;
                    INSERT INTO wrong SELECT format('%s ends %s, not %s', day, day_start(day + 1), ends) FROM said
                        WHERE ends <> (SELECT starts_at FROM days WHERE days.day = said.day + 1);
                END LOOP;
                INSERT INTO wrong SELECT 'days of less than an hour, or none' FROM (
                    SELECT day - lag(day) OVER o AS step, starts_at - lag(starts_at) OVER o AS length FROM days
                    WINDOW o AS (ORDER BY day)) AS steps WHERE step <> 1 OR length < interval '1 hour' OR length > interval '51 hours';
                IF changed < 20 THEN INSERT INTO wrong VALUES (format('%s changed, %s refused', changed, refused)); END IF;
            END
            $$;
            SELECT * FROM wrong
            """)
        #expect(wrong == "", "seed \(seed)")
        try await database.expectCleanAudit(without: [.schema, .trail])
    }

    @Test("limits a day, blurred records, seals and figures stay in UTC")
    func staysInUTC() async throws {
        let database = try await TestDatabase.create()
        // A zone in which it is another day than in UTC now.
        let zone = try await database.psql(
            "SELECT CASE WHEN extract(hour FROM now() AT TIME ZONE 'UTC') < 10 THEN 'Pacific/Niue' ELSE 'Pacific/Kiritimati' END"
        )
        try await database.begin(in: zone)
        try await database.psql(
            """
            SELECT apply_rules('test', '{"purchases.unverifiedDailyLimit": 100}');
            \(TestDatabase.signedIn("sha256('k')"));
            SELECT register_user('ANNA', NULL, NULL), register_user('BELA', NULL, NULL);
            SELECT buy_energy('ANNA', 5, NULL, NULL)
            """)
        let utc = try await database.psql("SELECT (now() AT TIME ZONE 'UTC')::date")
        #expect(try await database.psql("SELECT today()") != utc)
        #expect(try await database.psql("SELECT day FROM unverified_purchases") == utc)
        try await database.psql(
            """
            SELECT admin_delete(sha256('k'), 'BELA', E'deleted\\tx', 'asked', 'op', 1)
            """)
        #expect(try await database.psql("SELECT done_on FROM former_actions") == utc)
        #expect(try await database.psql("SELECT closed_at = '\(utc) 00:00Z'::timestamptz FROM closed_ledgers") == "t")
        #expect(try await database.psql("SELECT day_of(now()) = '\(utc) 00:00Z'::timestamptz") == "t")
        #expect(
            try await database.psql(
                "SELECT (admin_read_figures(sha256('k'), '\(utc)', '\(utc)')).body::jsonb ->> 'left'")
                == "0", "today of UTC is not over")
        #expect(
            try await database.psql("SELECT start_of('\(utc)') = '\(utc) 00:00Z'::timestamptz") == "t", "figures")
        try await database.expectCleanAudit(without: [.trail])
    }
}
