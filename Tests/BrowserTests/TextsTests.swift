import TestSupport
import Testing

extension PageTests {
    @Suite("In the player's language", .defaultLayout("about the browser, not the database"))
    struct TextsTests {
        private static let german = Browser.Device(language: "de-DE")

        @Test("the browser chooses the language, the player another one, which a reload keeps, and no other is loaded")
        func chosen() async throws {
            try await play(on: Self.german) { service, browser in
                _ = try await browser.requestedAddresses()
                try await browser.open(service.address)
                try await browser.wait(for: "Das Wort von heute", in: "#panel")
                #expect(try await browser.value("document.documentElement.lang") == "de")
                #expect(try await browser.value("document.title") == "Juliet: Finde das Wort in sechs Versuchen")
                let addresses = try await browser.requestedAddresses()
                #expect(addresses.contains { $0.hasSuffix("/texts-de.js") })
                #expect(!addresses.contains { $0.hasSuffix("/texts-en.js") })
                try await browser.openDialog("settings")
                try await browser.click("#settings [value=en]")
                try await browser.wait(for: "Find today’s word", in: "#panel")
                try await browser.reload()
                try await browser.wait(for: "Find today’s word", in: "#panel")
                try await browser.open(
                    service.address + "lottery", until: "document.querySelector('#stage')?.dataset.state === 'landing'")
                #expect(try await browser.text(of: "#heading") == "The lottery")
            }
        }

        @Test("plurals, dates, countdowns and shares are the language's own")
        func forms() async throws {
            try await play(on: Self.german) { service, browser in
                try await browser.open(service.address)
                let today = "new Intl.DateTimeFormat('de', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format()"
                #expect(
                    try await browser.value(
                        "\(today) === document.querySelector('#heading').textContent", as: Bool.self))
                #expect(
                    try await browser.text(of: "#note").wholeMatch(of: /Englisch · Nr\. \d+ · noch \d+:\d\d:\d\d/)
                        != nil)
                try await browser.open(service.address + "#game")
                try await browser.wait(for: "Ein Wort nur für dich", in: "#panel")
                try await browser.start()
                #expect(try await browser.text(of: "#note").contains("Noch 6 Versuche"))
                let secret = try await service.secret(of: browser.newestGame())
                for (index, word) in words(otherThan: secret).prefix(5).enumerated() {
                    try await browser.guess(word, index + 1)
                }
                #expect(try await browser.text(of: "#note").contains("Noch 1 Versuch ·"))
                try await browser.guess(secret, 6)
                try await browser.wait(for: "In 6 Versuchen gelöst", in: "#panel")
                try await browser.openDialog("statistics")
                #expect(try await browser.text(of: "#statistics .figures").contains("100\u{a0}%"))
            }
        }

        @Test("whatever the page shows or tells is a text of its file")
        func nothingElse() async throws {
            try await play(on: Self.german, hasPasskeys: true) { service, browser in
                _ = try await browser.addAuthenticator()
                try await service.beginLottery(["Ada", "Bo"], void: ["Bo"])
                func check(_ place: String) async throws {
                    let found: [String] = try await browser.value(Self.foreign)
                    #expect(found == [], "\(place)")
                }
                try await browser.open(service.address + "#game/none")
                try await browser.wait(for: "Wessen Spiel", in: "#panel")
                try await check("stranger")
                try await browser.open(service.address)
                try await check("daily")
                try await browser.click("[href='#game']")
                try await browser.wait(for: "Ein Wort nur für dich", in: "#panel")
                try await check("game")
                try await browser.start()
                try await browser.type("ж")
                try await check("foreign letter")
                try await browser.type("ab\n")
                try await check("short")
                try await browser.type("cde\n")
                try await browser.wait(for: "Nicht in der Wortliste", in: "#message")
                try await check("unknown")
                try await browser.type("\u{8}\u{8}\u{8}\u{8}\u{8}")
                try await service.swap(browser.newestGame(), to: "spool")
                try await browser.guess("floor", 1)
                try await check("playing")
                try await browser.click("[data-opens=resign]")
                try await check("resign")
                try await browser.closeDialog()
                try await browser.guess("spool", 2)
                try await browser.wait(for: "In 2 Versuchen gelöst", in: "#panel")
                try await browser.wait(for: "document.querySelector('#panel .verdict').dataset.verdict")
                try await check("over")
                try await service.shortenList()
                try await browser.activate("#panel .review button")
                try await browser.wait(for: "document.querySelector('#panel .review li')")
                try await check("looking back")
                for dialog in ["help", "statistics", "leaderboards", "together", "settings", "keep", "sealed"] {
                    try await browser.click("[data-opens=\(dialog)]")
                    try await browser.wait(for: "document.querySelector('#\(dialog)').open")
                    try await browser.wait(for: "document.querySelector('#\(dialog)').innerText.length > 40")
                    try await Task.sleep(for: .milliseconds(150))
                    try await check(dialog)
                    try await browser.closeDialog()
                }
                try await browser.visitAccount(
                    made: "Fertig: Ab jetzt", last: "Dann kommst du auf einem anderen", check)
                let _: AnyAnswer = try await browser.ask("DELETE", "sessions/current")
                try await browser.run("dispatchEvent(new Event('focus'))")
                try await browser.wait(for: "document.querySelector('#lost').open")
                try await check("lost")

                try await browser.open(
                    service.address + "lottery", until: "document.querySelector('.chip') !== null")
                try await check("lottery")
                try await browser.startLottery()
                try await browser.waitForDraw()
                try await check("draw")
                try await browser.wait(for: "/Hier geprüft/.test(document.querySelector('.verdict')?.textContent)")
                try await check("result")
                try await browser.click("#seal")
                try await check("seal")
            }
        }

        @Test("what is played together and on past days is said in the player's language")
        func together() async throws {
            try await play(on: Self.german) { service, browser in
                func check(_ place: String) async throws {
                    let found: [String] = try await browser.value(Self.foreign)
                    #expect(found == [], "\(place)")
                }
                try await browser.open(service.address)
                let link = try await browser.makeLeague("Ada")
                try await browser.wait(for: "document.querySelector('#together .standing tr.is-me')")
                try await browser.click("#together .member summary")
                try await browser.click("#together .managing summary")
                try await browser.wait(for: "document.querySelector('#together .members li')")
                try await browser.run(
                    "[...document.querySelectorAll('#together .asking button')].forEach((button) => button.click())")
                try await browser.wait(for: "document.querySelectorAll('#together .asking .is-danger').length >= 3")
                try await check("league")
                try await browser.closeDialog()
                try await browser.follow(link, until: "eingeladen")
                try await check("invite")
                try await browser.openTogether("challenges")
                try await browser.wait(for: "document.querySelector('#together form .is-main')")
                try await check("challenges")
                try await browser.chooseOwnWord("qqqqq\n")
                try await browser.wait(for: "Trotzdem nehmen", in: "#together .offer")
                try await check("a word of one's own")
                try await browser.activate("#together [name=kind][value=dealt]")
                try await browser.click("#together form .is-main")
                try await browser.wait(for: "Deine Herausforderung", in: "#panel")
                try await browser.wait(for: "angefangen", in: ".results")
                try await check("challenge")
                try await browser.start()
                try await service.swap(browser.newestGame(), to: "spool")
                try await browser.guess("spool", 1)
                try await browser.wait(for: "document.querySelector('.results tr.is-me')")
                try await check("results")
                try await browser.openTogether("challenges")
                try await browser.wait(for: "document.querySelector('#together .games li')")
                try await check("my challenges")
                try await browser.closeDialog()
                try await browser.open(service.address)
                try await browser.reload()
                try await browser.openDialog("calendar")
                try await browser.wait(for: "document.querySelector('#calendar .day[aria-current]')")
                try await check("calendar")
                try await browser.closeDialog()
                try await browser.open(service.address + "#day/2019-01-01")
                try await browser.wait(for: "An diesem Tag", in: "#panel")
                try await check("no day")
            }
        }

        /// Texts and labels in the page that are no text of the language's file, nor data: letters, words, names, numbers.
        private static let foreign = #"""
            (async () => {
                const addresses = performance.getEntriesByType("resource").map(({ name }) => name)
                    .filter((name) => /texts-([a-z]+-)?de\.js$/.test(name));
                const texts = {};
                for (const address of addresses) Object.assign(texts, (await import(address)).default);
                const plain = (text) => text.replace(/\s+/g, " ").trim();
                const known = Object.values(texts).flatMap((text) => (typeof text === "object" ? Object.values(text) : [text]));
                const escaped = (text) => text.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
                const wholes = known.map((text) =>
                    new RegExp(`^\\(?${plain(text).split(/\{\w+\}/).map(escaped).join(".+?")}\\)?$`, "s"));
                const pieces = new Set(known.flatMap((text) => text.split(/\{\w+\}/).map(plain)));
                const names = "Juliet English Deutsch Ada Bo FLOOR SPOOL Linux".split(" ");
                const data = /^([A-Z]|Player \d+|([0-9A-Z]{5}-){3}[0-9A-Z]{5}|[0-9a-f]{6}|\d{1,2}\. \p{L}+|\p{L}+ \d{4})$/u;
                // A day in the calendar, and what became of it.
                const isDay = (text) => /^\d{1,2}\. \p{L}+: /u.test(text) && isKnown(text.slice(text.indexOf(": ") + 2));
                const isKnown = (text) => !/\p{L}/u.test(text) || names.includes(text) || data.test(text) || pieces.has(text)
                    || wholes.some((whole) => whole.test(text));
                const found = [];
                const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
                while (walker.nextNode()) {
                    const text = plain(walker.currentNode.data);
                    if (walker.currentNode.parentElement.closest("noscript, script, style, .code")) continue;
                    if (text !== "" && !isKnown(text)) found.push(text);
                }
                for (const element of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
                    for (const name of ["aria-label", "title", "placeholder"]) {
                        const text = element.getAttribute(name);
                        // Tiles: a letter and what is known of it.
                        if (text && !isKnown(plain(text)) && !isDay(plain(text))) found.push(`${name}: ${text}`);
                    }
                }
                // It would have found one.
                return isKnown("Try again") ? ["everything is known"] : found;
            })()
            """#
    }
}
