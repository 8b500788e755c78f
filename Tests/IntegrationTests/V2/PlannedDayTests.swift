import JulietAPI
import JulietGame
import Postgres
import TestSupport
import Testing

/// Words of days that operators plan: by SQL as commands do, and by the admin page.
@Suite("/v2: planned days", .everyLayout)
struct PlannedDayTests {
    private func plan(
        _ days: [(ahead: Int, word: String)], mayRepeat: Bool = false, in database: TestDatabase
    ) async throws -> String {
        let ahead = days.map { "today() + \($0.ahead)" }.joined(separator: ", ")
        let words = days.map { "'\($0.word)'" }.joined(separator: ", ")
        return try await database.psql(
            """
            SELECT string_agg(place || coalesce(' ' || fault, ''), ', ' ORDER BY place)
            FROM plan_days('test', ARRAY[\(ahead)]::date[], ARRAY[\(words)]::text[], \(mayRepeat), NULL)
            """)
    }

    @Test("players see that a day was planned: before, on the day and after it, and its commitment holds")
    func shown() async throws {
        let database = try await TestDatabase.create(in: .shared())
        let service = try await TestService.start(on: database)
        try await database.setClock()
        let player = try await V2Client.player(on: service)
        #expect(try await player.get("/v2/daily").json.planned == .missing)
        #expect(try await plan([(3, "crane")], in: database) == "1")
        let planned = try await database.psql("SELECT today() + 3")
        try await database.moveClock(to: "day_start(today() + 2)")
        let before = try await player.get("/v2/daily").json
        #expect(before.planned == .missing && before.tomorrow.planned == .boolean(true))
        try await database.moveClock(to: "day_start(today() + 1)")
        let during = try await player.get("/v2/daily").json
        #expect(during.day.text == planned && during.planned == .boolean(true) && during.tomorrow.planned == .missing)
        #expect(during.commitment == before.tomorrow.commitment)
        #expect(try await player.get("/v2/daily/days?limit=1").json.days[0].planned == .boolean(true))
        try await database.moveClock(to: "day_start(today() + 1)")
        let past = try await player.get("/v2/daily/\(planned)").json
        #expect(past.planned == .boolean(true) && past.secret == "crane" && past.commitment == during.commitment)
        let days = try await player.get("/v2/daily/days?limit=2").json.days
        #expect(days[0].planned == .missing && days[1].planned == .boolean(true))
        try await database.expectCleanAudit(without: [.schema])
        try await service.stop()
    }

    @Test("all of a plan or none of it; a day keeps its word from two days before on")
    func refusals() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            SELECT choose_daily_words();
            SELECT change_words('test', 'en', '{lemon}', 'retire', NULL, NULL, NULL)
            """)
        let days = { try await database.psql("SELECT string_agg(d::text, ',' ORDER BY day) FROM daily_words AS d") }
        let before = try await days()
        #expect(
            try await plan(
                [
                    (2, "crane"), (0, "crane"), (-5, "crane"), (401, "crane"), (9, "slate"), (9, "crane"),
                    (10, "xyzzy"),
                    (11, "lemon"), (12, "slate"), (13, "music"),
                ], in: database)
                == "1 day-early, 2 day-early, 3 day-early, 4 day-late, 6 day-twice, 7 word-unknown, 8 word-retired, 9 word-repeated"
        )
        #expect(try await days() == before)
        #expect(try await plan([(3, "crane"), (400, "slate")], in: database) == "1, 2")
        // The same again changes nothing; a planned day may get another word, and the words may trade places.
        #expect(try await plan([(3, "crane")], in: database) == "")
        #expect(try await plan([(3, "slate"), (400, "crane")], in: database) == "1, 2")
        #expect(try await plan([(40, "slate")], in: database) == "1 word-repeated")
        #expect(try await plan([(40, "slate")], mayRepeat: true, in: database) == "1")
        #expect(
            try await database.psql(
                "SELECT string_agg(day - today() || ' ' || word, ', ' ORDER BY day) FROM daily_words WHERE is_planned")
                == "3 slate, 40 slate, 400 crane")
        try await database.expectCleanAudit(without: [.trail])
    }

    @Test("days that chance gave a planned word get another one, and a refusal tells nothing of them")
    func chance() async throws {
        let database = try await TestDatabase.create()
        try await database.psql("SELECT choose_daily_words()")
        let word = try await database.psql("SELECT word FROM daily_words WHERE day = today() + 7")
        let near = try await database.psql("SELECT word FROM daily_words WHERE day = today() + 2")
        let others = {
            try await database.psql(
                "SELECT string_agg(word, ',' ORDER BY day) FROM daily_words WHERE day - today() NOT IN (5, 7, 8)")
        }
        let before = try await others()
        #expect(try await plan([(5, word), (8, near)], in: database) == "1, 2")
        #expect(try await others() == before)
        #expect(
            try await database.psql(
                "SELECT word <> '\(word)' AND NOT is_planned FROM daily_words WHERE day = today() + 7") == "t")
        // Changes of the lists choose days again, but not these; nor does the list that the rules name, if it has them.
        try await database.psql(
            """
            SELECT change_words('test', 'en', '{\(word)}', 'retire', NULL, NULL, NULL); SELECT choose_days_again('test');
            SELECT choose_daily_words()
            """)
        #expect(try await database.psql("SELECT word FROM daily_words WHERE day = today() + 5") == word)
        try await database.insert(words: ["größe", "blume", "äpfel"], language: "de", areSecret: true)
        #expect(try await plan([(300, "crane")], in: database) == "1")
        try await database.psql("SELECT apply_rules('test', '{\"game.language\": \"de\"}')")
        #expect(try await database.psql("SELECT count(*) FROM daily_words WHERE is_planned") == "0")
        #expect(
            try await database.psql("SELECT count(*), max(day) - today() FROM daily_words WHERE day >= today()")
                == "31|30")
        #expect(try await plan([(5, "blume")], in: database) == "1")
        // Back to chance: near days at once, far ones when it is their turn.
        #expect(try await plan([(100, "größe")], in: database) == "1")
        #expect(
            try await database.psql(
                "SELECT string_agg(place || coalesce(' ' || fault, ''), ', ' ORDER BY place) FROM unplan_days('test', ARRAY[today() + 5, today() + 100, today() + 6], NULL)"
            )
                == "1, 2, 3 not-planned")
        #expect(
            try await database.psql("SELECT count(*), max(day) - today() FROM daily_words WHERE day >= today()")
                == "31|30")
        try await database.expectCleanAudit(without: [.trail])
    }

    @Test("a midnight that passes before a plan is kept replaces no word whose commitment was shown")
    func midnight() async throws {
        let database = try await TestDatabase.create(in: .shared())
        let service = try await TestService.start(on: database)
        try await database.setClock()
        let player = try await V2Client.player(on: service)
        var told: [String: JSON] = [:]
        func note() async throws {
            let daily = try await player.get("/v2/daily").json
            let today = try #require(V2.Day(daily.day.text))
            for (day, commitment) in [("\(today)", daily.commitment), ("\(today.next)", daily.tomorrow.commitment)] {
                #expect(told[day, default: commitment] == commitment, "\(day)")
                told[day] = commitment
            }
        }
        try await note()
        try await database.withOwner { other in
            try await other.executeScript(
                """
                BEGIN;
                SELECT juliet.plan_days('test', ARRAY[juliet.today() + 3, juliet.today() + 31], '{crane, slate}', true, NULL)
                """)
            try await database.moveClock(to: "day_start(today() + 1)")
            try await note()
            try await other.executeScript("COMMIT")
        }
        try await note()
        try await database.moveClock(to: "day_start(today() + 1)")
        try await note()
        try await database.moveClock(to: "day_start(today() + 1)")
        try await note()
        #expect(try await database.psql("SELECT word FROM daily_words WHERE day = today()") == "crane")
        try await service.stop()
    }

    @Test("a plan takes the place of a word that a service chooses at the same moment")
    func sameMoment() async throws {
        let database = try await TestDatabase.create()
        try await database.psql("SELECT choose_daily_words(); DELETE FROM daily_words WHERE day = today() + 30")
        try await database.withOwner { service in
            try await service.executeScript("BEGIN; SELECT juliet.choose_daily_words()")
            async let answer = plan([(30, "crane")], mayRepeat: true, in: database)
            try await database.waitForWaitingSessions(1)
            try await service.executeScript("COMMIT")
            #expect(try await answer == "1")
        }
        #expect(
            try await database.psql("SELECT word, is_planned FROM daily_words WHERE day = today() + 30") == "crane|t")
        try await database.expectCleanAudit(without: [.trail])
    }

    @Test("days planned far apart, in any order, and cleared again are no fault to the audit")
    func farApart() async throws {
        let database = try await TestDatabase.create()
        try await database.psql("SELECT choose_daily_words()")
        for (ahead, word) in [(100, "crane"), (99, "slate"), (200, "music"), (201, "fjord"), (31, "novel")] {
            #expect(try await plan([(ahead, word)], mayRepeat: true, in: database) == "1")
            try await database.expectCleanAudit("\(ahead)", without: [.trail])
        }
        for ahead in [200, 99, 31] {
            try await database.psql("SELECT unplan_days('test', ARRAY[today() + \(ahead)], NULL)")
            try await database.expectCleanAudit("\(ahead)", without: [.trail])
        }
        // A day that was planned alone is sealed again when chance comes to the day before it.
        try await database.psql(
            """
            SELECT plan_days('test', ARRAY[today() + 31], '{novel}', true, NULL);
            DELETE FROM daily_words WHERE day = today() + 30;
            SELECT choose_daily_words()
            """)
        try await database.expectCleanAudit(without: [.trail])
    }

    @Test("the admin page plans and clears days with a key of the role; the trail has no words")
    func admin() async throws {
        let database = try await TestDatabase.create()
        let (service, owner) = try await AdminClient.start(on: database)
        let words = try await owner.with(key: database.addAdminKey("wil", role: .words))
        let support = try await owner.with(key: database.addAdminKey("sue", role: .support))
        let days = try await database.psql("SELECT today() + n FROM unnest('{2, 3, 30, 400}'::integer[]) AS n")
            .split(separator: "\n").map(String.init)
        let empty = try await words.get("days")
        #expect(empty.status == 200 && empty.json.days == .array([]), "\(empty)")
        #expect(empty.json.from.text == days[1] && empty.json.to.text == days[3] && empty.json.language == "en")
        for (body, status) in [
            (#"{"day": "\#(days[1])", "word": "CRANE"}"#, "200"), (#"{"day": "\#(days[1])", "word": "crane"}"#, "200"),
            (#"{"day": "\#(days[2])", "word": "crane"}"#, "422 word-repeated"),
            (#"{"day": "\#(days[2])", "word": "crane", "repeat": true}"#, "200"),
            (#"{"day": "\#(days[0])", "word": "slate"}"#, "422 day-early"),
            (#"{"day": "9999-12-31", "word": "slate"}"#, "422 day-late"),
            (#"{"day": "\#(days[2])", "word": "xyzzy"}"#, "422 word-unknown"),
            (#"{"day": "\#(days[2])", "word": "no"}"#, "400 request-invalid"),
            (#"{"day": "soon", "word": "slate"}"#, "400 request-invalid"),
            (#"{"day": "\#(days[2])"}"#, "400 request-invalid"),
            (#"{"day": "\#(days[2])", "word": "slate", "repeat": 1}"#, "400 request-invalid"),
        ] {
            let reply = try await words.send("PUT", "days", body)
            #expect(reply.summary == status, "\(body) \(reply)")
        }
        let listed = try await words.get("days").json.days
        #expect(listed.items.map { "\($0.day.text) \($0.word.text)" } == ["\(days[1]) crane", "\(days[2]) crane"])
        let why = #"{"reason": "another class"}"#
        #expect(try await words.send("DELETE", "days/\(days[1])", #"{"reason": " "}"#).status == 400)
        #expect(try await words.send("DELETE", "days/soon", why).status == 400)
        #expect(try await words.send("DELETE", "days/\(days[0])", why).summary == "422 day-early")
        #expect(try await words.send("DELETE", "days/\(days[1])", why).json.isChanged == .boolean(true))
        #expect(try await words.send("DELETE", "days/\(days[1])", why).json.isChanged == .boolean(false))
        // Only from its own page, and only with such a key.
        let put = #"{"day": "\#(days[1])", "word": "slate"}"#
        #expect(try await words.send("PUT", "days", put, origin: "http://evil.example").status == 403)
        for (client, status) in [(support, 403), (owner.with(session: nil), 401)] {
            #expect(try await client.get("days").status == status)
            #expect(try await client.send("PUT", "days", put).status == status)
            #expect(try await client.send("DELETE", "days/\(days[2])", why).status == status)
        }
        // A day that is near is listed without its word.
        try await database.psql("UPDATE daily_words SET is_planned = true WHERE day = today() + 1")
        let near = try await owner.get("days").json.days[0]
        #expect(near.word == .missing && near.day != .missing)
        let trail = try await owner.get("trail").json.actions.items.filter { $0.action.text.hasPrefix("day.") }
        #expect(trail.map(\.action.text) == ["day.clear", "day.plan", "day.plan"])
        #expect(trail.map(\.subject.text) == [days[1], days[2], days[1]])
        #expect(trail[0].reason == "another class" && trail.allSatisfy { $0.details == .missing })
        // Somebody who changes words makes it wait no longer than half a second.
        try await database.withOwner { other in
            try await other.executeScript("BEGIN; LOCK TABLE juliet.words IN SHARE ROW EXCLUSIVE MODE")
            #expect(try await words.send("PUT", "days", put).status == 503)
            try await other.executeScript("ROLLBACK")
        }
        try await service.stop()
    }
}
