import TestSupport
import Testing

extension PageTests {
    @Suite("The word of the day", .everyLayout)
    struct DailyTests {
        @Test("is played once a player and day, whatever is loaded, opened or signed in anew")
        func once() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                #expect(try await browser.text(of: "#note").contains("left"))
                try await browser.start()
                #expect(try await browser.text(of: "#energy-amount") == "30")
                let game = try await browser.newestGame()
                #expect(game.kind == "daily")
                let secret = try await service.secret(of: game)
                try await browser.guess(secret, 1)
                try await browser.wait(for: "You solved it in 1", in: "#panel")
                try await browser.wait(for: "The next word of the day comes in", in: "#panel")
                let board = try await browser.board()

                try await browser.click("[href='#game']")
                try await browser.wait(for: "You have 35.", in: "#panel")
                try await browser.click("[href='#daily']")
                try await browser.wait(for: "You solved it in 1", in: "#panel")
                try await browser.reload()
                try await browser.wait(for: "You solved it in 1", in: "#panel")
                #expect(try await browser.board() == board)
                #expect(try await browser.text(of: "#panel").contains("Seal verified"))
                let again: Started = try await browser.ask("POST", "daily/game")
                #expect(again.game.id == game.id)

                try await browser.click("[data-opens=leaderboards]")
                try await browser.wait(for: "Player", in: "#leaderboards tr.is-me")
                try await browser.type("\u{E00C}")
                try await browser.click("[data-opens=settings]")
                let code = try await browser.showCode(in: "#settings")
                try await Browser.with { other in
                    try await other.open(service.address)
                    try await other.click("[data-opens=settings]")
                    try await other.click("#settings input[required]")
                    try await other.type("AAAAA-AAAAA-AAAAA-AAAAA\n")
                    try await other.wait(for: "This code is not valid", in: "#settings")
                    try await other.run("document.querySelector('#settings input[required]').value = ''")
                    try await other.type(code.lowercased() + "\n")
                    try await other.wait(for: "You solved it in 1", in: "#panel")
                    #expect(try await other.board() == board)
                }
            }
        }

        @Test("a word in another language than the page's says so, and from which day on that changes")
        func language() async throws {
            // As an operator switches a service to German that has dealt English words so far.
            func switched(_ service: PlayedService) async throws -> PlayedService {
                try await service.psql(
                    """
                    INSERT INTO words (language, word, is_secret)
                    SELECT 'de', word, true FROM unnest('{größe,blume,äpfel}'::text[]) AS word;
                    SELECT refresh_word_lists();
                    SELECT apply_rules('test', '{"game.language": "de"}')
                    """)
                return try await service.restarted([:])
            }
            try await play(on: Browser.Device(language: "de-DE")) { service, browser in
                let service = try await switched(service)
                try await browser.open(service.address)
                try await browser.wait(for: "sind die Wörter des Tages auf Deutsch", in: "#panel")
                #expect(try await browser.text(of: "#note").hasPrefix("Englisch · "))
                try await browser.click("[href='#game']")
                try await browser.wait(for: "Es kostet 5 Energie", in: "#panel")
                let choice = "[...document.querySelectorAll('#panel option')].map(({ text }) => text)"
                #expect(try await browser.value(choice) == ["Deutsch, 5 Buchstaben", "Englisch, 5 Buchstaben"])
                try await browser.start()
                try await browser.wait(for: "Ü", in: "#keyboard")
                #expect(try await !browser.text(of: "#note").contains("Deutsch"))
            }
            try await play { service, browser in
                let service = try await switched(service)
                try await browser.open(service.address)
                try await browser.wait(for: "Everybody plays the same word today", in: "#panel")
                #expect(try await !browser.text(of: "#note").contains("English"))
                // There are English words, too, for the published app; only words of one's own can be of these.
                try await browser.click("[href='#game']")
                try await browser.wait(for: "It costs 5 energy", in: "#panel")
                try await browser.start()
                try await browser.wait(for: "German · 6 guesses left", in: "#note")
                #expect(try await browser.newestGame().language == "de")
            }
        }

        @Test(
            "a word of one's own is of the list that was chosen; the choice stays, and without one there is no choice")
        func choice() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.wait(for: "It costs 5 energy", in: "#panel")
                #expect(try await browser.value("document.querySelectorAll('#panel select').length") == 0)
                try await service.psql(
                    """
                    INSERT INTO words (language, word, is_secret)
                    VALUES ('en', 'animal', true), ('de', 'größe', true), ('de', 'blume', true);
                    UPDATE words SET meaning = 'wie <b>groß</b> etwas ist' WHERE word = 'größe';
                    SELECT refresh_word_lists()
                    """)
                let service = try await service.restarted([:])
                try await browser.reload()
                try await browser.wait(for: "document.querySelector('#panel select')")
                let options = "[...document.querySelectorAll('#panel option')].map(({ text }) => text)"
                #expect(
                    try await browser.value(options) == [
                        "English, 5 letters", "German, 5 letters", "English, 6 letters",
                    ])
                func choose(_ index: Int) async throws {
                    try await browser.run(
                        "const list = document.querySelector('#panel select'); list.selectedIndex = \(index); list.dispatchEvent(new Event('change'));"
                    )
                }
                try await choose(2)
                try await browser.reload()
                try await browser.wait(for: "document.querySelector('#panel select')?.selectedIndex === 2")
                try await browser.start()
                let long = try await browser.newestGame()
                #expect(long.language == "en" && long.length == 6)
                try await browser.guess("animal", 1)
                try await browser.wait(for: "You solved it in 1", in: "#panel")
                #expect(try await browser.value("document.querySelectorAll('#panel .meaning').length") == 0)
                // The next one is of the same list, until another is chosen.
                try await browser.start()
                #expect(try await browser.newestGame().length == 6)
                try await browser.guess("animal", 1)
                try await browser.wait(for: "You solved it in 1", in: "#panel")
                try await browser.run(
                    "localStorage.setItem('juliet.list', JSON.stringify({ language: 'de', length: 5 }))")
                try await browser.start()
                let game = try await browser.newestGame()
                #expect(game.language == "de")
                try await service.swap(game, to: "größe")
                try await browser.guess("größe", 1)
                try await browser.wait(for: "wie <b>groß</b> etwas ist", in: "#panel .meaning")
                #expect(try await browser.value("document.querySelector('#panel .meaning').lang") == "de")
                // A list that is retired while the page offers it: it says so, and the next press takes what is shown then.
                try await browser.reload()
                try await browser.wait(for: "document.querySelector('#panel select')?.selectedIndex === 1")
                try await service.psql(
                    "UPDATE words SET retired_at = now() WHERE language = 'de'; SELECT refresh_word_lists()")
                try await browser.click("#panel .button.is-main")
                try await browser.wait(for: "These words are not played here any more.", in: "body")
                try await browser.wait(for: "document.querySelector('#panel select')?.selectedIndex === 0")
                try await browser.start()
                #expect(try await browser.newestGame().language == "en")
            }
        }

        @Test("the end of the day replaces nothing that is looked at, and is told; the new word is a button away")
        func endOfDay() async throws {
            try await play(on: Browser.Device(hasMotion: true)) { service, browser in
                try await browser.runBeforePages(Self.later)
                // Before the game.
                try await browser.open(service.address)
                try await browser.run("window.later = 86_400_000")
                try await browser.wait(for: "There is a new word of the day.", in: "#note")
                try await browser.wait(for: Self.isTold)
                #expect(try await browser.text(of: "#panel .is-main") == "Play the word of the day")

                // While the last guess is judged.
                try await browser.reload()
                try await browser.start()
                let secret = try await service.secret(of: browser.newestGame())
                try await browser.type(secret)
                try await browser.run("window.later = 86_400_000")
                try await browser.type("\n")
                try await browser.wait(for: "document.querySelectorAll('.is-turned .tile').length === 5")
                try await browser.wait(for: "document.activeElement.textContent === 'You solved it in 1 guess'")
                try await browser.wait(for: Self.isTold)
                #expect(try await browser.text(of: "#panel").contains("The word was \(secret.uppercased())."))
                #expect(try await browser.text(of: "#note").contains("a past day"))
                try await browser.wait(for: "document.querySelector('#panel .figures')")
                #expect(try await browser.text(of: "#panel .is-main") == "Play the new word of the day")
                try await browser.activate("#panel .is-main")
                try await browser.wait(for: "Find today’s word", in: "#panel")
                try await browser.wait(for: "left", in: "#note")

                // While the result is looked at.
                try await browser.reload()
                try await browser.wait(for: "The next word of the day comes in", in: "#panel")
                try await browser.run(
                    "window.looked = [...document.querySelector('#panel').children]; document.querySelector('.share').focus()"
                )
                try await browser.run("window.later = 86_400_000")
                try await browser.wait(for: Self.isTold)
                try await browser.wait(for: "Play the new word of the day", in: "#panel")
                #expect(
                    try await browser.value(
                        "window.looked.every((part) => part.isConnected) && document.activeElement.matches('.share')",
                        as: Bool.self))
                // Energy that comes by then leads to the same word, once.
                try await browser.run(
                    """
                    const ask = window.fetch;
                    window.fetch = async (address, options) => {
                        const answer = await ask(address, options);
                        if (!String(address).endsWith("/players/me")) return answer;
                        return new Response(JSON.stringify({ ...await answer.json(), energy: 40 }));
                    };
                    dispatchEvent(new Event("focus"));
                    """)
                try await browser.wait(for: "document.querySelector('#energy-amount').textContent === '40'")
                #expect(try await browser.value("document.querySelectorAll('#panel .new-day').length") == 1)
                try await browser.activate(".tabs [href='#daily']")
                try await browser.wait(for: "Find today’s word", in: "#panel")
                #expect(try await browser.complaints() == [])
            }
        }

        private static let isTold =
            "document.querySelector('#announcer').textContent === 'There is a new word of the day.'"

        /// Has the clocks of browser and service go on by `window.later` milliseconds, a day, and tells of the next day then.
        private static let later = """
            const [ask, clock] = [window.fetch, Date.now];
            window.later = 0;
            Date.now = () => clock() + window.later;
            window.fetch = async (address, options) => {
                const answer = await ask(address, options);
                if (window.later === 0) return answer;
                let text = await answer.text();
                if (String(address).endsWith("/v2/daily")) {
                    const { day, number, tomorrow } = JSON.parse(text);
                    const after = (time) => new Date(Date.parse(time) + window.later).toISOString();
                    text = JSON.stringify({ ...tomorrow, day: after(day).slice(0, 10), number: number + 1,
                        tomorrow: { ...tomorrow, endsAt: after(tomorrow.endsAt) } });
                }
                const headers = new Headers(answer.headers);
                headers.set("Date", new Date(Date.now()).toUTCString());
                return new Response(text || null, { status: answer.status, headers });
            };
            """

        @Test("a name given is the name on the board, and one that is refused says why")
        func rename() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                try await browser.start()
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.openDialog("settings")
                // 16 characters, 128 units of UTF-16.
                try await browser.run(
                    "document.querySelector('#settings [autocomplete=nickname]').value = '👨\u{200D}👩\u{200D}👧'.repeat(16)"
                )
                try await browser.click("#settings form .button")
                try await browser.wait(for: "Renamed.", in: "#settings")
                try await browser.run(
                    "document.querySelector('#settings [autocomplete=nickname]').value = '👨\u{200D}👩\u{200D}👧'.repeat(20)"
                )
                try await browser.click("#settings form .button")
                try await browser.wait(for: "an emoji of several people counts as several characters", in: "#settings")
                try await browser.run("document.querySelector('#settings [autocomplete=nickname]').value = ' '")
                try await browser.click("#settings form .button")
                try await browser.wait(for: "At least one character must be visible.", in: "#settings")
                try await browser.run(
                    "document.querySelector('#settings [autocomplete=nickname]').value = '<b>Capulet</b>'")
                try await browser.click("#settings form .button")
                try await browser.wait(for: "Renamed.", in: "#settings")
                try await browser.click("#settings [aria-label=Close]")
                try await browser.click("[data-opens=leaderboards]")
                try await browser.wait(for: "<b>Capulet</b>", in: "#leaderboards tr.is-me")
            }
        }

        private struct Started: Decodable, Sendable { let game: GameAnswer }
    }
}
