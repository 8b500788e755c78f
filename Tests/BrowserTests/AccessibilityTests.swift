import Foundation
import TestSupport
import Testing

extension PageTests {
    @Suite("For everybody", .defaultLayout("about the browser, not the database"))
    struct AccessibilityTests {
        /// A phone, the narrowest screen, and a window of 1280 by 900 at 200 %.
        @Test(
            "axe finds nothing to object to, wherever the page is, in whatever colours, on narrow screens and zoomed in",
            arguments: [(390, 844, 1), (280, 653, 1), (640, 450, 2)])
        func axe(screen: (width: Int, height: Int, scale: Int)) async throws {
            try await play(hasPasskeys: true) { service, browser in
                _ = try await browser.addAuthenticator()
                try await browser.resize(width: screen.width, height: screen.height, scale: screen.scale)
                let axe = try Axe()
                func check(_ place: String) async throws {
                    try await browser.wait(
                        for: "document.getAnimations().every((animation) => animation.playState !== 'running')")
                    try await axe.check(browser, "\(place), \(screen.width)")
                    #expect(
                        try await browser.value("document.documentElement.scrollWidth") <= screen.width, "\(place)")
                }
                try await browser.open(service.address + "#game/none")
                try await browser.wait(for: "Whose game is this?", in: "#panel")
                try await check("stranger")
                try await browser.open(service.address)
                try await check("daily")
                try await browser.open(service.address + "#game")
                try await browser.wait(for: "A word just for you", in: "#panel")
                try await check("start")
                try await browser.start()
                try await service.swap(browser.newestGame(), to: "spool")
                try await browser.guess("floor", 1)
                try await browser.type("ab\n")
                try await check("playing")
                try await browser.click("[data-opens=resign]")
                try await check("resign")
                try await browser.closeDialog()
                try await browser.type("\u{8}\u{8}")
                try await browser.guess("spool", 2)
                try await browser.wait(for: "You solved it in 2", in: "#panel")
                try await browser.wait(for: "document.querySelector('.verdict').dataset.verdict")
                try await check("over")
                for dialog in ["help", "statistics", "leaderboards", "settings", "sealed", "keep"] {
                    try await browser.click("[data-opens=\(dialog)]")
                    try await browser.wait(for: "document.querySelector('#\(dialog)').open")
                    if dialog == "settings" || dialog == "keep" {
                        try await browser.wait(for: "document.querySelector('#\(dialog) .recovery button')")
                    }
                    try await check(dialog)
                    try await browser.closeDialog()
                    #expect(try await browser.value("document.activeElement.dataset.opens") == dialog)
                }
                try await browser.visitAccount(made: "Done: from now on", last: "Then you cannot sign in", check)
                // It would have told.
                try await browser.run("document.querySelector('#note').style.color = 'silver'")
                #expect(try await axe.faults(in: browser, of: "light", "normal").count == 1)
                try await browser.run("document.querySelector('#note').style.color = ''")
                let _: AnyAnswer = try await browser.ask("DELETE", "sessions/current")
                try await browser.run("dispatchEvent(new Event('focus'))")
                try await browser.wait(for: "document.querySelector('#lost').open")
                try await check("lost")
                try await browser.closeDialog()
                try await check("behind it")
            }
        }

        @Test(
            "axe finds nothing to object to in what is played together, and it fits any screen",
            arguments: [(390, 844, 1), (280, 653, 1), (640, 450, 2)])
        func together(screen: (width: Int, height: Int, scale: Int)) async throws {
            try await play { service, browser in
                try await browser.resize(width: screen.width, height: screen.height, scale: screen.scale)
                let axe = try Axe()
                func check(_ place: String) async throws {
                    try await browser.wait(
                        for: "document.getAnimations().every((animation) => animation.playState !== 'running')")
                    try await axe.check(browser, "\(place), \(screen.width)")
                    try await checkWidth(place)
                }
                func checkWidth(_ place: String) async throws {
                    let wide: [String] = try await browser.value(
                        """
                        [...document.querySelectorAll("main *, dialog[open] *")]
                            .filter((element) => element.getBoundingClientRect().right > \(screen.width) + 0.5
                                && !element.closest("svg, .unseen"))
                            .map((element) => element.outerHTML.slice(0, 80))
                        """)
                    #expect(wide == [], "\(place), \(screen.width)")
                }
                try await browser.playToday(service, after: ["floor"])
                try await browser.openTogether("leagues")
                try await check("leagues")
                try await browser.closeDialog()
                let link = try await browser.makeLeague(String(repeating: "W", count: 40))
                try await browser.wait(for: "document.querySelector('#together .standing .pattern')")
                try await browser.click("#together .member summary")
                try await browser.click("#together .managing summary")
                try await browser.wait(for: "document.querySelector('#together .members li')")
                try await check("league")
                try await browser.closeDialog()
                #expect(try await browser.value("document.activeElement.dataset.opens") == "together")
                try await browser.follow(link, until: "You are invited")
                try await check("invite")
                try await browser.openTogether("challenges")
                try await check("challenges")
                try await browser.chooseOwnWord("qqqqq\n")
                try await browser.wait(for: "document.querySelector('#together .offer button')")
                try await check("a word of no list")
                try await browser.activate("#together [name=kind][value=dealt]")
                try await browser.click("#together form .is-main")
                try await browser.wait(for: "Your challenge", in: "#panel")
                try await browser.wait(for: "Nobody has begun", in: ".results")
                try await check("challenge")
                try await browser.start()
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "document.querySelector('.results tr.is-me')")
                try await check("results")
                try await browser.open(service.address)
                try await browser.reload()
                try await browser.wait(for: "WW: no. 1 today", in: "#panel .standings")
                try await checkWidth("over, with a league")
                try await browser.click("#days")
                try await browser.wait(for: "document.querySelector('#calendar .day[aria-current]')")
                try await check("calendar")
                try await browser.closeDialog()
                #expect(try await browser.value("document.activeElement.id") == "days")
                try await service.psql(
                    """
                    INSERT INTO daily_words (day, language, word, salt, commitment, is_planned, seal)
                    SELECT today() - 1, 'en', 'spool', salt, promise, false, daily_word_seal(today() - 1, promise, false, false)
                    FROM gen_random_uuid() AS salt, commitment(salt, 'spool') AS promise
                    """)
                try await browser.open(service.address + "#day/\(service.psql("SELECT today() - 1"))")
                try await browser.wait(for: "does not count", in: "#panel")
                try await check("day")
            }
        }

        @Test("axe finds nothing to object to in the page of the API, which asks no other host and fits any screen")
        func documentation() async throws {
            for (width, isDark) in [(320, false), (320, true), (1280, false), (1280, true)] {
                try await play(on: Browser.Device(width: width, isDark: isDark)) { service, browser in
                    try await browser.open(
                        service.address + "docs", until: "document.querySelector('main h1') !== null")
                    for name in [
                        "", "group-the-published-app", "createPlayer", "guess", "iAPManager", "watchLottery", "Game",
                        "problems",
                    ] {
                        try await browser.run("location.hash = '\(name)'")
                        try await browser.wait(
                            for:
                                "(document.querySelector('#groups [aria-current]')?.hash ?? '') === '\(name.isEmpty ? "" : "#" + name)'"
                        )
                        if name == "createPlayer" {
                            try await browser.run("document.querySelector('.try form').requestSubmit()")
                            try await browser.wait(for: "document.querySelector('.try .status') !== null")
                        }
                        try await browser.run(
                            "for (const fold of document.querySelectorAll('main details')) fold.open = true")
                        try await Axe().check(browser, "docs#\(name), \(width)")
                        #expect(try await browser.value("document.documentElement.scrollWidth") <= width, "\(name)")
                    }
                    if width == 320 {
                        try await browser.click("#toggle")
                        try await browser.wait(for: "document.querySelector('#contents').getClientRects().length > 0")
                        try await Axe().check(browser, "docs, contents")
                    }
                    #expect(try await browser.complaints() == [])
                    let addresses = try await browser.requestedAddresses()
                    #expect(addresses.contains(service.address + "docs"))
                    #expect(addresses.filter { !$0.hasPrefix(service.address) } == [])
                }
            }
        }

        @Test("a screen reader is told each letter that is typed, each guess, and what each tile and key is")
        func told() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                try await service.swap(browser.newestGame(), to: "spool")
                try await browser.type("f")
                #expect(try await browser.value("document.querySelector('#announcer').textContent") == "F")
                try await browser.guess("loor", 1)
                let guess = "F, not in the word; L, elsewhere; O, in place; O, in place; R, not in the word."
                #expect(
                    try await browser.value("document.querySelector('#announcer').textContent") == "Guess 1: " + guess)
                #expect(
                    try await browser.value(
                        "[...document.querySelector('#board .row').children].map((tile) => tile.ariaLabel).join('; ') + '.'"
                    ) == guess)
                #expect(
                    try await browser.value("document.querySelector('[data-letter=l]').ariaLabel") == "L, elsewhere")
                #expect(try await browser.value("document.querySelector('[data-key=erase]').ariaLabel") == "Delete")
            }
        }
    }
}

/// axe-core, as `scripts/setup test` gets it from PyPI.
struct Axe {
    private let script: String

    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../.build/axe/lib")
        let pythons = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        guard let python = pythons.first else {
            throw Failure(description: "axe-core is not here: scripts/setup test gets it")
        }
        let file = folder.appending(path: "\(python)/site-packages/axe_playwright_python/axe.min.js")
        script = try String(contentsOf: file, encoding: .utf8)
    }

    /// Expects no violation, best practices included, and enough contrast in all colours.
    func check(_ browser: Browser, _ place: String) async throws {
        for contrast in ["more", "normal"] {
            for theme in ["dark", "light"] {
                let faults = try await faults(in: browser, of: theme, contrast)
                #expect(faults == [], "\(place), \(theme), \(contrast)")
            }
        }
    }

    /// What violates a rule; where the colours are not the first ones, a rule of colours.
    func faults(in browser: Browser, of theme: String, _ contrast: String) async throws -> [String] {
        if try await browser.value("window.axe === undefined") { try await browser.run(script) }
        let isFirst = theme == "light" && contrast == "normal"
        return try await browser.value(
            """
            (async () => {
                Object.assign(document.documentElement.dataset, { theme: "\(theme)", contrast: "\(contrast)" });
                const { violations, passes } = await axe.run(document, {
                    resultTypes: ["violations"],
                    ...(\(isFirst) ? {} : { runOnly: ["color-contrast"] }),
                });
                if (passes.length === 0) return ["nothing was looked at"];
                return violations.map(({ id, nodes }) =>
                    `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join(" | ")}`);
            })()
            """)
    }
}
