import TestSupport
import Testing

extension PageTests {
    @Suite("Past days", .everyLayout)
    struct CalendarTests {
        /// The days of this month and the one before it have had a word, "spool" all of them.
        private func addDays(_ service: PlayedService) async throws {
            try await service.psql(
                """
                INSERT INTO daily_words (day, language, word, salt, commitment, is_planned, seal)
                SELECT day, 'en', 'spool', salt, promise, false, daily_word_seal(day, promise, false, false)
                FROM (SELECT day::date, gen_random_uuid() AS salt FROM generate_series(
                    date_trunc('month', today() - interval '1 month'), today() - 1, interval '1 day') AS day) AS days,
                    commitment(salt, 'spool') AS promise
                ON CONFLICT (day) DO NOTHING
                """)
        }

        private func day(_ expression: String, _ service: PlayedService) async throws -> String {
            try await service.psql("SELECT (\(expression))::date")
        }

        @Test("today is the day of the host's time zone, and a day that the host planned is marked")
        func hostsDay() async throws {
            try await play { service, browser in
                // A zone in which it is another day than in UTC now.
                try await service.psql(
                    """
                    DELETE FROM days; DELETE FROM daily_words;
                    SELECT apply_rules('test', jsonb_build_object('game.timeZone', CASE
                        WHEN extract(hour FROM now() AT TIME ZONE 'UTC') < 10 THEN 'Pacific/Niue' ELSE 'Pacific/Kiritimati' END));
                    SELECT choose_daily_words();
                    UPDATE daily_words SET is_planned = true WHERE day = today()
                    """)
                let today = try await day("today()", service)
                #expect(try await day("now() AT TIME ZONE 'UTC'", service) != today)
                // A service reads rules every ten seconds.
                try await browser.open(service.address)
                let zone =
                    "fetch(new URL('v2/service', document.baseURI)).then((reply) => reply.json()).then((offers) => offers.timeZone)"
                while try await browser.value(zone, as: String.self) == "UTC" {}
                // What lies at another address than the day's is of the same day.
                try await browser.open(service.address + "#day/\(today)")
                try await browser.reload()
                try await browser.wait(for: "location.hash === '#daily'")
                try await browser.wait(for: "The host chose this word.", in: "#panel")
                let number = Int(today.suffix(2)).map(String.init) ?? ""
                #expect(try await browser.text(of: "#heading").contains(number))
                try await browser.click("#days")
                try await browser.wait(for: "document.querySelector('#calendar .day[aria-current]')")
                #expect(try await browser.text(of: "#calendar .day[aria-current]") == number)
                let label = "document.querySelector('#calendar .day.is-planned[aria-current]').ariaLabel"
                #expect(try await browser.value(label, as: String.self).hasSuffix("open, chosen by the host"))
                try await browser.reload()
                try await browser.openDialog("help")
                try await browser.wait(for: "Days end at midnight (", in: "#help")
                #expect(try await !browser.text(of: "#midnight").contains("Coordinated Universal Time"))
            }
        }

        @Test(
            "a calendar shows what was solved, lost, begun and is open, month by month; a day in it is played for fun")
        func calendar() async throws {
            try await play { service, browser in
                try await addDays(service)
                // In the month before, where days have gone by whatever today is.
                let first = try await day("date_trunc('month', today() - interval '1 month')", service)
                func nth(_ number: Int) async throws -> String {
                    try await day("'\(first)'::date + \(number - 1)", service)
                }
                try await browser.open(service.address)
                try await browser.click("#days")
                try await browser.wait(for: "document.querySelector('#calendar .day[aria-current]')")
                #expect(
                    try await browser.value("document.querySelector('#calendar .day[aria-current]').hash") == "#daily")
                // Weeks begin on Sunday where English is of the United States, and today is below its weekday.
                #expect(try await browser.value("document.querySelector('#calendar th').abbr") == "Sunday")
                let weekday = try await service.psql("SELECT extract(dow FROM today())")
                #expect(
                    try await browser.value(
                        "String(document.querySelector('#calendar td:has([aria-current])').cellIndex)") == weekday)
                #expect(try await browser.value("document.querySelector('[data-turn=next]').disabled", as: Bool.self))
                try await browser.click("[data-turn=previous]")
                try await browser.wait(for: "document.querySelector('#calendar [href=\"#day/\(first)\"]')")
                #expect(
                    try await browser.value("document.querySelector('[data-turn=previous]').disabled", as: Bool.self))
                #expect(try await browser.value("document.activeElement.closest('#calendar') !== null", as: Bool.self))

                // Solved.
                try await browser.click("#calendar [href='#day/\(first)']")
                try await browser.wait(for: "it does not count in your statistics", in: "#panel")
                #expect(try await browser.value("document.querySelector('dialog[open]') === null", as: Bool.self))
                try await browser.start()
                #expect(try await browser.newestGame().kind == "archive")
                try await browser.guess("floor", 1)
                #expect(try await browser.text(of: "#note").contains("a past day"))
                try await browser.guess("spool", 2)
                try await browser.wait(for: "You solved it in 2", in: "#panel")
                try await browser.wait(for: "Seal verified", in: "#panel")
                // Lost.
                let second = try await nth(2)
                try await browser.open(service.address + "#day/\(second)")
                try await browser.wait(for: "it does not count in your statistics", in: "#panel")
                try await browser.start()
                let _: AnyAnswer = try await browser.ask("POST", "games/\(browser.newestGame().id)/resign")
                // Begun, and there again when it is opened again.
                let third = try await nth(3)
                try await browser.open(service.address + "#day/\(third)")
                try await browser.wait(for: "it does not count in your statistics", in: "#panel")
                try await browser.start()
                try await browser.guess("floor", 1)
                try await browser.reload()
                #expect(try await browser.board() == ["F-L?O!O!R-"])

                try await browser.click("#days")
                try await browser.wait(for: "document.querySelector('#calendar .day')")
                if try await browser.value("document.querySelector('#calendar [href=\"#day/\(first)\"]') === null") {
                    try await browser.click("[data-turn=previous]")
                    try await browser.wait(for: "document.querySelector('#calendar [href=\"#day/\(first)\"]')")
                }
                let states: [String] = try await browser.value(
                    """
                    ["\(first)", "\(second)", "\(third)", "\(nth(4))"].map((day) =>
                        document.querySelector(`#calendar [href="#day/${day}"]`)).map((link) =>
                        `${link.dataset.state} ${link.ariaLabel.split(": ")[1]}`)
                    """)
                #expect(states == ["won solved in 2 guesses", "lost not solved", "playing begun", "open open"])
                // It counts nowhere.
                struct Me: Decodable, Sendable {
                    struct Statistics: Decodable, Sendable { let played: Int }
                    let statistics: Statistics
                }
                let me: Me = try await browser.ask("GET", "players/me")
                #expect(me.statistics.played == 0)
                #expect(try await browser.complaints() == [])
            }
        }

        @Test(
            "where a part cannot be had even again, or the service has another release, the desk offers to load the page"
        )
        func partsGone() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                try await browser.setBlocked("*/calendar.js")
                try await browser.run("location.hash = 'day/2019-01-01'")
                // It is tried again at once.
                try await browser.wait(for: "Load the page", in: "#panel button")
                try await browser.run(
                    "document.querySelector('script[type=module]').setAttribute('src', 'pages/other/app.js')")
                try await browser.run("location.hash = 'day/2019-01-02'")
                try await browser.wait(for: "This page has a new version.", in: "#panel")
                try await browser.setBlocked()
                try await browser.click("#panel .button")
                try await browser.wait(for: "There was no word on this day", in: "#panel")
            }
        }

        @Test("a day to come, one that never was, and nonsense are told, and today is the word of the day")
        func otherDays() async throws {
            try await play { service, browser in
                for day in ["2019-01-01", "2999-01-01", "yesterday", "2026-02-31"] {
                    try await browser.open(service.address + "#day/\(day)")
                    try await browser.reload()
                    try await browser.wait(for: "There was no word on this day", in: "#panel")
                }
                try await browser.open(service.address + "#day/\(day("today()", service))")
                try await browser.wait(for: "Find today’s word", in: "#panel")
                #expect(try await browser.value("location.hash") == "#daily")
            }
        }

        @Test("where past days are off there is no way to them")
        func off() async throws {
            try await play(settings: ["JULIET_PLAY_DAYS_GONE_BY": "off"]) { service, browser in
                try await browser.open(service.address)
                #expect(try await browser.value("document.querySelector('#days') === null", as: Bool.self))
                try await browser.open(service.address + "#day/2026-01-01")
                try await browser.reload()
                try await browser.wait(for: "There was no word on this day", in: "#panel")
            }
        }

        @Test("hard mode holds for games begun after it is chosen; a guess that leaves something out says what")
        func hard() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.openDialog("settings")
                try await browser.click("#settings [name=hard]")
                try await browser.closeDialog()
                try await browser.start()
                try await service.swap(browser.newestGame(), to: "spool")
                #expect(try await browser.text(of: "#note").contains("hard"))
                try await browser.guess("floor", 1)
                try await browser.type("crane\n")
                try await browser.wait(for: "Hard mode: O stays in place 3", in: "#message")
                try await browser.type("\u{8}\u{8}\u{8}\u{8}\u{8}groom\n")
                try await browser.wait(for: "Hard mode: use L", in: "#message")
                #expect(try await browser.newestGame().guesses.count == 1)
                try await browser.type("\u{8}\u{8}\u{8}\u{8}\u{8}")
                try await browser.guess("spool", 2)
                // The day's, and chosen again: another browser's games are as ever.
                try await browser.click("[href='#daily']")
                try await browser.wait(for: "Find today’s word", in: "#panel")
                try await browser.start()
                #expect(try await service.psql("SELECT count(*) FROM judged_games WHERE is_hard") == "2")
                try await browser.openDialog("settings")
                #expect(
                    try await browser.value("document.querySelector('#settings [name=hard]').checked", as: Bool.self))
            }
        }
    }
}
