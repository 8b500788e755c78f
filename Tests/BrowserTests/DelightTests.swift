import TestSupport
import Testing

extension PageTests {
    @Suite("For delight", .defaultLayout("about the browser, not the database"))
    struct DelightTests {
        /// Waits until what is for delight alone is here.
        private func waitForDelight(_ browser: Browser) async throws {
            try await browser.wait(
                for:
                    "performance.getEntriesByType('resource').some(({ name, responseEnd }) => name.endsWith('/delight.js') && responseEnd > 0)"
            )
            try await browser.wait(for: "document.querySelector('#panel .example:not(:empty)')")
        }

        @Test("the letter opens into the board, petals fall for a win, and nothing of either stays or moves the page")
        func moving() async throws {
            try await play(on: Browser.Device(hasMotion: true)) { service, browser in
                // Without scroll bars, which come and go beside the page.
                try await browser.resize(width: 390, height: 844, isPhone: true)
                try await browser.runBeforePages(
                    """
                    window.seen = new Set();
                    window.shift = 0;
                    new PerformanceObserver((list) => {
                        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
                    }).observe({ type: "layout-shift", buffered: true });
                    new MutationObserver(() => {
                        for (const name of ["opening", "shower"]) if (document.querySelector(`.${name}`)) window.seen.add(name);
                    }).observe(document, { subtree: true, childList: true });
                    """)
                try await browser.open(service.address)
                try await waitForDelight(browser)
                try await browser.click("#panel .button.is-main")
                try await browser.wait(for: "window.seen.has('opening')")
                try await browser.wait(for: "document.querySelector('.opening') === null")
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "window.seen.has('shower')")
                try await browser.wait(for: "document.querySelector('.shower') === null")
                #expect(try await browser.value("window.shift") < 0.001)
                #expect(try await browser.complaints() == [])
            }
        }

        @Test("with reduced motion neither opens nor falls anything, and the example stands still")
        func still() async throws {
            try await play { service, browser in
                try await browser.runBeforePages(
                    """
                    window.seen = new Set();
                    new MutationObserver(() => {
                        for (const name of ["opening", "shower"]) if (document.querySelector(`.${name}`)) window.seen.add(name);
                    }).observe(document, { subtree: true, childList: true });
                    """)
                try await browser.open(service.address)
                try await waitForDelight(browser)
                #expect(
                    try await browser.value(
                        "[...document.querySelectorAll('.example .tile')].map((tile) => tile.dataset.mark)") == [
                            "absent", "present", "absent", "absent", "correct",
                        ])
                try await browser.start()
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "You solved it in 1", in: "#panel")
                #expect(
                    try await browser.value(
                        "document.querySelector('#board').classList.contains('is-glowing')", as: Bool.self))
                #expect(try await browser.value("window.seen.size") == 0)
            }
        }

        @Test("an example is shown to those who have never played here; How to play has it for all")
        func example() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                try await waitForDelight(browser)
                try await browser.wait(for: "T is in its place", in: "#panel .example")
                try await browser.click("[href='#game']")
                try await browser.wait(for: "A word just for you", in: "#panel")
                try await browser.start()
                try await browser.click("[href='#daily']")
                try await browser.wait(for: "Find today’s word", in: "#panel")
                #expect(try await browser.value("document.querySelector('#panel .example') === null", as: Bool.self))
                try await browser.openDialog("help")
                try await browser.wait(for: "document.querySelectorAll('#help .example .tile').length === 5")
            }
        }

        @Test("sounds and vibration are off until they are switched on")
        func feel() async throws {
            try await play { service, browser in
                try await browser.runBeforePages(
                    """
                    window.felt = [];
                    window.notes = 0;
                    navigator.vibrate = (touch) => window.felt.push(touch);
                    const start = OscillatorNode.prototype.start;
                    OscillatorNode.prototype.start = function (...when) { window.notes += 1; return start.apply(this, when); };
                    """)
                try await browser.open(service.address)
                try await waitForDelight(browser)
                try await browser.start()
                let guesses = words(otherThan: try await service.secret(of: browser.newestGame()))
                try await browser.guess(guesses[0], 1)
                #expect(try await browser.value("[window.felt.length, window.notes]") == [0, 0])
                try await browser.openDialog("settings")
                try await browser.click("#settings [name=sounds]")
                try await browser.click("#settings [name=haptics]")
                try await browser.closeDialog()
                try await browser.guess(guesses[1], 2)
                // Five keys, and five tiles that turn.
                #expect(try await browser.value("[window.felt.length, window.notes]") == [6, 10])
                try await browser.type("a\n")
                try await browser.wait(for: "window.felt.length === 8 && window.notes === 13")
            }
        }

        @Test("the tools have their names where there is room, and keep them as labels where there is not")
        func names() async throws {
            for (width, isNamed) in [(390, false), (320, false), (1280, true)] {
                try await play(on: Browser.Device(width: width, language: "de-DE")) { service, browser in
                    try await browser.open(service.address)
                    let shown: [Bool] = try await browser.value(
                        "[...document.querySelectorAll('.tools .name')].map((name) => name.offsetWidth > 0)")
                    #expect(shown == Array(repeating: isNamed, count: 5))
                    // No name runs into another one.
                    let wide: [String] = try await browser.value(
                        "[...document.querySelectorAll('.tools .name')].filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"
                    )
                    #expect(wide == [])
                    let labels: [String] = try await browser.value(
                        "[...document.querySelectorAll('.tools .tool')].map((tool) => tool.ariaLabel)")
                    #expect(labels == ["Anleitung", "Deine Spiele", "Bestenlisten", "Zusammen", "Einstellungen"])
                }
            }
        }
    }
}
