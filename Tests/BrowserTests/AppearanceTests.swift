import TestSupport
import Testing

extension PageTests {
    @Suite("As it looks and loads", .defaultLayout("about the browser, not the database"))
    struct AppearanceTests {
        @Test(
            "before a game the button is in sight, in it the last row of keys, upright, on its side and on a desk",
            arguments: ["en-US", "de-DE"])
        func inSight(language: String) async throws {
            try await play(on: Browser.Device(language: language)) { service, browser in
                let sizes = [
                    (280, 653), (320, 480), (320, 568), (390, 844), (568, 320), (844, 390), (1440, 900), (2560, 1300),
                ]
                func check(_ selectors: [String], _ place: String) async throws {
                    for (width, height) in sizes {
                        try await browser.resize(width: width, height: height)
                        for selector in selectors {
                            let bottom: Double = try await browser.value(Self.bottom(selector))
                            #expect(bottom <= Double(height), "\(place), \(selector), \(width)")
                        }
                    }
                }
                for route in ["#daily", "#game"] {
                    try await browser.open(service.address + route)
                    try await browser.reload()
                    try await check(["#panel .button.is-main"], route)
                }
                try await browser.start()
                try await check(["#keyboard .keys:last-child", "#board .row:last-child"], "playing")
                // The largest screen is not a phone's column in an empty room.
                #expect(try await browser.value("document.querySelector('main').offsetWidth > 800", as: Bool.self))
            }
        }

        private static func bottom(_ selector: String) -> String {
            "document.querySelector(\(selector.literal)).getBoundingClientRect().bottom + scrollY"
        }

        @Test("names on a leaderboard stand on one line on the narrowest phone", arguments: ["en-US", "de-DE"])
        func boardNames(language: String) async throws {
            try await play(on: Browser.Device(width: 320, height: 568, language: language)) { service, browser in
                try await browser.open(service.address)
                try await browser.start()
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.click("[data-opens=leaderboards]")
                try await browser.wait(for: "document.querySelector('#leaderboards tr.is-me')")
                #expect(
                    try await browser.value("document.querySelector('tr.is-me .wide').offsetHeight < 45", as: Bool.self)
                )
                try await expectNothingWider(than: 320, in: browser, "leaderboards")
            }
        }

        @Test("the tab of what is played is marked, and its name does not stand there twice")
        func tabs() async throws {
            try await play { service, browser in
                let marked = "[...document.querySelectorAll('.tabs [aria-current]')].map((link) => link.hash)"
                try await browser.open(service.address)
                #expect(try await browser.value(marked) == ["#daily"])
                #expect(try await browser.value("document.body.innerText.split('Word of the day').length") == 2)
                try await browser.start()
                let daily = try await browser.newestGame().id
                try await browser.click(".tabs [href='#game']")
                try await browser.wait(for: "A word just for you", in: "#panel")
                try await browser.start()
                let game = try await browser.newestGame().id
                try await browser.open(service.address + "#game/\(game)")
                try await browser.reload()
                #expect(try await browser.value(marked) == ["#game"])
                try await browser.open(service.address + "#game/\(daily)")
                try await browser.wait(for: "document.querySelector('#note').textContent.includes('No.')")
                #expect(try await browser.value(marked) == ["#daily"])
            }
        }

        @Test("empty tiles can be seen: their edge has a contrast of 3, in light and dark", arguments: [false, true])
        func emptyTiles(isDark: Bool) async throws {
            try await play(on: Browser.Device(isDark: isDark)) { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let contrast: Double = try await browser.value(
                    """
                    (() => {
                        const luminance = (colour) => {
                            const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => part / 255)
                                .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
                            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                        };
                        const style = getComputedStyle(document.querySelector(".row:last-child .tile"));
                        const [a, b] = [luminance(style.borderTopColor), luminance(style.backgroundColor)].sort((a, b) => b - a);
                        return (a + 0.05) / (b + 0.05);
                    })()
                    """)
                #expect(contrast >= 3)
            }
        }

        @Test(
            "nothing is wider than the narrowest phone, with large letters either, and a game fits on it",
            arguments: [280, 1280])
        func width(width: Int) async throws {
            try await play(on: Browser.Device(width: width, height: width == 280 ? 568 : 844)) { service, browser in
                try await browser.open(service.address + "#game")
                try await expectNothingWider(than: width, in: browser, "start")
                try await browser.start()
                try await browser.guess("crane", 1)
                try await expectNothingWider(than: width, in: browser, "playing")
                #expect(try await browser.value("document.documentElement.scrollHeight <= innerHeight", as: Bool.self))
                #expect(
                    try await browser.value("document.querySelector('#board .tile').offsetWidth >= 30", as: Bool.self))
                try await browser.run("document.documentElement.style.fontSize = '200%'")
                try await expectNothingWider(than: width, in: browser, "letters twice as large")
                let _: AnyAnswer = try await browser.ask("POST", "games/\(browser.newestGame().id)/resign")
                try await browser.reload()
                for dialog in ["help", "statistics", "leaderboards", "together", "settings", "power"] {
                    try await browser.click("[data-opens=\(dialog)]")
                    try await browser.wait(for: "document.querySelector('#\(dialog)').innerText.length > 40")
                    try await expectNothingWider(than: width, in: browser, dialog)
                    try await browser.click("#\(dialog) [aria-label=Close]")
                }
            }
        }

        @Test("the theme that is chosen outlives a reload and beats the device's")
        func theme() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                let light: String = try await browser.value(background)
                try await browser.setDark(true)
                let dark: String = try await browser.value(background)
                #expect(light != dark)
                try await browser.click("[data-opens=settings]")
                try await browser.click("[value=light]")
                #expect(try await browser.value(background) == light)
                try await browser.reload()
                #expect(try await browser.value(background) == light)
                // Where the system forces its colours, what is chosen still differs from what is not.
                try await browser.forceColours()
                try await browser.openDialog("settings")
                #expect(
                    try await browser.value(
                        """
                        new Set(["auto", "light", "dark"].map((theme) =>
                            getComputedStyle(document.querySelector(`#settings [value=${theme}] + span`)).backgroundColor)).size
                        """) == 2)
            }
        }

        @Test("a whole game asks no other host, and leaves no complaint about policy or script")
        func quiet() async throws {
            try await play { service, browser in
                _ = try await browser.requestedAddresses()
                try await browser.open(service.address)
                let letters = "getComputedStyle(document.querySelector('#heading')).fontFamily"
                let before: String = try await browser.value(letters)
                try await browser.start()
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "Seal verified", in: "#panel")
                // The letters are the device's, as they were from the first on.
                #expect(try await browser.value(letters) == before)
                #expect(try await browser.value("document.fonts.size") == 0)
                for dialog in ["statistics", "leaderboards", "together", "settings", "sealed", "help"] {
                    try await browser.click("[data-opens=\(dialog)]")
                    try await browser.click("#\(dialog) [aria-label=Close]")
                }
                #expect(try await browser.complaints() == [])
                let addresses = try await browser.requestedAddresses()
                #expect(addresses.count > 10)
                #expect(addresses.filter { !$0.hasPrefix(service.address) } == [])
                // The policy is in force: a style that somebody smuggles in has no effect.
                try await browser.run(
                    "document.body.insertAdjacentHTML('beforeend', '<p id=x style=\"color: red\">x</p>')")
                #expect(
                    try await browser.value("getComputedStyle(document.querySelector('#x')).color") != "rgb(255, 0, 0)")
                #expect(try await browser.complaints().contains { $0.contains("Content Security Policy") })
            }
        }

        @Test("a second visit loads the page and what it asks for, and none of the page's parts")
        func again() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                // What comes when the page can be played has come.
                try await browser.wait(for: Self.isWhole)
                try await browser.open("about:blank", until: "document.readyState == 'complete'")
                try await browser.open(service.address)
                let loaded: [String] = try await browser.value(
                    "performance.getEntriesByType('resource').filter((part) => part.transferSize > 0).map((part) => part.name)"
                )
                // A window that gets the focus meanwhile asks once more.
                #expect(
                    Set(loaded).count <= 2 && loaded.allSatisfy { $0.hasPrefix("\(service.address)v2/") }, "\(loaded)")
            }
        }

        @Test(
            "a first load over 150 ms and 1.6 Mb/s is at most 60 KB, nothing moves, and within a second it can be played"
        )
        func firstLoad() async throws {
            let service = try await PlayedService.start()
            // Other tests run on the same processors, so what a load takes without a slow network is taken off, but for 200 ms,
            // and the best of ten counts.
            let unhindered: Double = try await Browser.with { browser in
                try await browser.runBeforePages(Self.watch)
                try await browser.open(service.address)
                return try await browser.value("window.usableAt")
            }
            var best = Double.infinity
            for _ in 1...10 where best > 1000 {
                best = min(
                    best,
                    try await Browser.with { browser in
                        try await browser.setNetwork(latency: 150, throughput: 200_000)
                        try await browser.runBeforePages(Self.watch)
                        _ = try await browser.receivedBytes()
                        try await browser.open(service.address)
                        try await Task.sleep(for: .seconds(1))
                        let bytes = try await browser.receivedBytes()
                        #expect(bytes > 20_000 && bytes <= 60_000)
                        #expect(try await browser.value("window.shift") < 0.001)
                        return try await browser.value("window.usableAt") - max(0, unhindered - 200)
                    })
            }
            #expect(best <= 1000)
        }

        @Test(
            "a second visit over 150 ms and 1.6 Mb/s makes three requests at most, and within half a second it can be played"
        )
        func warmVisit() async throws {
            let service = try await PlayedService.start()
            let proxy = try Proxy(to: service.port, isRecording: true)
            defer { proxy.close() }
            let address = "http://127.0.0.1:\(proxy.port)/"
            try await Browser.with { browser in
                try await browser.runBeforePages(Self.watch)
                func visit() async throws -> (usableAt: Double, requests: Int) {
                    try await browser.open("about:blank", until: "document.readyState == 'complete'")
                    let before = proxy.requests.count
                    try await browser.open(address)
                    try await browser.wait(for: "window.usableAt")
                    let usableAt: Double = try await browser.value("window.usableAt")
                    // The last is the browser's, which looks whether there is another worker.
                    let deadline = ContinuousClock.now + .seconds(20)
                    while !proxy.requests.dropFirst(before).contains("GET /worker.js") {
                        guard ContinuousClock.now < deadline else { throw Failure(description: "no look for a worker") }
                        try await Task.sleep(for: .milliseconds(20))
                    }
                    return (usableAt, proxy.requests.count - before)
                }
                try await browser.open(address)
                // What comes when the page can be played has come, and the worker has all of it.
                try await browser.wait(for: Self.isWhole)
                try await browser.wait(for: "navigator.serviceWorker.ready")
                // As for a first load; the fewest requests count, too, for on busy processors one may be made again.
                let unhindered = try await visit().usableAt
                try await browser.setNetwork(latency: 150, throughput: 200_000)
                try await browser.setWorkersNetwork(latency: 150, throughput: 200_000)
                var (best, fewest) = (Double.infinity, Int.max)
                for _ in 1...10 where best > 500 || fewest > 3 {
                    let (usableAt, requests) = try await visit()
                    best = min(best, usableAt - max(0, unhindered - 200))
                    fewest = min(fewest, requests)
                    // The page itself comes over the worker's network.
                    let wait: Double = try await browser.value(
                        "performance.getEntriesByType('navigation')[0].responseStart")
                    #expect(wait >= 150)
                }
                #expect(best <= 500)
                #expect(fewest <= 3)
            }
        }

        @Test(
            "nothing moves by itself while one plays, and the board stays when the game ends", arguments: [320, 1280])
        func layoutShift(width: Int) async throws {
            try await play(on: Browser.Device(hasMotion: true)) { service, browser in
                try await browser.resize(width: width, height: width == 320 ? 568 : 844, isPhone: width == 320)
                try await browser.runBeforePages(Self.watch)
                try await browser.open(service.address + "#game")
                try await browser.start()
                let secret = try await service.secret(of: browser.newestGame())
                let guesses = words(otherThan: secret)
                for number in 1...2 { try await browser.guess(guesses[number - 1], number) }
                #expect(try await browser.value("window.shift") < 0.001)
                try await browser.reload()
                try await browser.type("qqqqq\n")
                try await browser.wait(for: "Not in the word list", in: "#message")
                // It lies below the row that it is about.
                let gap: Double = try await browser.value(
                    """
                    document.querySelector("#message").getBoundingClientRect().top
                        - document.querySelector("#board .row:nth-child(3)").getBoundingClientRect().bottom
                    """)
                #expect(abs(gap - 4) < 1)
                try await browser.type("\u{8}\u{8}\u{8}\u{8}\u{8}")
                try await browser.guess(secret, 3)
                try await browser.wait(for: "document.querySelector('.verdict')?.dataset.verdict")
                #expect(try await browser.value("window.shift") < 0.001)
                if width == 320 {
                    for button in [".is-main", ".share"] {
                        let bottom: Double = try await browser.value(Self.bottom("#panel .button\(button)"))
                        #expect(bottom <= 568, "\(button)")
                    }
                }
            }
        }

        /// Notes how much moved that nobody touched, and when the page could be played.
        private static let watch = """
            window.shift = 0;
            new PerformanceObserver((list) => {
                for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
            }).observe({ type: "layout-shift", buffered: true });
            new MutationObserver(() => {
                if (document.querySelector("#panel:not([hidden]) .button.is-main")) window.usableAt ??= performance.now();
            }).observe(document, { subtree: true, childList: true, attributes: true });
            """

        @Test("a service that is to have no page has none, and serves games all the same")
        func disabled() async throws {
            let service = try await PlayedService.start(["JULIET_WEB_ENABLED": "false"])
            #expect(try await service.status(of: "/") == 404)
            #expect(try await service.status(of: "/pages/0/app.js") == 404)
            #expect(try await service.status(of: "/worker.js") == 404)
            #expect(try await service.status(of: "/v2/daily") == 200)
        }

        @Test("below a base path it is played all the same")
        func basePath() async throws {
            try await play(settings: ["JULIET_HTTP_BASE_PATH": "/prod/v1"]) { service, browser in
                try await browser.open(String(service.address.dropLast()))
                #expect(try await browser.value("location.pathname") == "/prod/v1/")
                try await browser.start()
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "You solved it in 1", in: "#panel")
            }
        }

        @Test(
            "over plain HTTP from elsewhere the seal is checked, texts are copied, and what needs HTTPS says so; the service has the operator's name"
        )
        func plain() async throws {
            let title = "The Family & Friends"
            try await play(settings: ["JULIET_WEB_TITLE": title]) { service, browser in
                try await browser.open("http://juliet.test:\(service.port)/#game")
                #expect(try await browser.value("crypto.subtle === undefined", as: Bool.self))
                #expect(try await browser.value("document.title") == "\(title): find the word in six guesses")
                #expect(try await browser.text(of: "h1") == title)
                for width in [320, 390] {
                    try await browser.resize(width: width, height: 844, isPhone: true)
                    try await expectNothingWider(than: width, in: browser, title)
                }
                let names: [String] = try await browser.value(
                    """
                    fetch(document.querySelector("link[rel=manifest]").href).then((answer) => answer.json())
                        .then(({ name, short_name }) => [name, short_name])
                    """)
                #expect(names == [title, title])
                try await browser.start()
                let secret = try await service.secret(of: browser.newestGame())
                try await browser.guess(secret, 1)
                try await browser.wait(for: "Seal verified", in: "#panel")
                #expect(try await browser.value("navigator.clipboard === undefined", as: Bool.self))
                try await browser.run(
                    "document.addEventListener('copy', ({ target }) => { window.copied = target.value; });")
                try await browser.click("#panel .share")
                try await browser.wait(for: "Copied", in: "#message")
                #expect(
                    try await browser.value("window.copied")
                        == "\(title) · 1/6\n\n\(String(repeating: "🟪", count: 5))\n\nhttp://juliet.test:\(service.port)/"
                )
                #expect(try await browser.value("document.activeElement.classList.contains('share')", as: Bool.self))
                // In a dialog, beside which nothing can be selected.
                try await browser.openDialog("settings")
                #expect(try await browser.text(of: "#settings").contains("like an app, this page needs HTTPS"))
                let code = try await browser.showCode(in: "#settings")
                try await browser.click("#settings .recovery .button")
                try await browser.wait(for: "Copied", in: "#settings")
                #expect(try await browser.value("window.copied") == code)
                try await browser.closeDialog()
                try await browser.click("#seal")
                try await browser.click("#sealed summary")
                try await browser.wait(for: ":\(secret)' | sha256sum", in: "#sealed")
            }
        }

        /// Whether all has come that comes when the page can be played.
        private static let isWhole =
            "performance.getEntriesByType('resource').some(({ name, responseEnd }) => name.endsWith('/delight.js') && responseEnd > 0)"

        private var background: String { "getComputedStyle(document.body).backgroundColor" }

        private func expectNothingWider(than width: Int, in browser: Browser, _ place: String) async throws {
            let wide: [String] = try await browser.value(
                """
                [...document.querySelectorAll("body *")]
                    .filter((element) => element.getBoundingClientRect().right > \(width) + 0.5 && !element.closest("svg, .unseen"))
                    .map((element) => element.outerHTML.slice(0, 80))
                """)
            #expect(wide == [], "\(place)")
            #expect(try await browser.misshapenPictures() == [], "\(place)")
            #expect(try await browser.value("document.documentElement.scrollWidth") <= width, "\(place)")
        }
    }
}
