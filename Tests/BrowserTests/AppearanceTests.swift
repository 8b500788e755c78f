import Testing

extension PageTests {
    @Suite("As it looks and loads")
    struct AppearanceTests {
        @Test("nothing is wider than the narrowest phone, and a game fits on it", arguments: [320, 1280])
        func width(width: Int) async throws {
            try await play(on: Browser.Device(width: width, height: width == 320 ? 568 : 844)) { service, browser in
                try await browser.open(service.address + "#game")
                try await expectNothingWider(than: width, in: browser, "start")
                try await browser.start()
                try await browser.guess("crane", 1)
                try await expectNothingWider(than: width, in: browser, "playing")
                #expect(try await browser.value("document.documentElement.scrollHeight <= innerHeight", as: Bool.self))
                #expect(
                    try await browser.value("document.querySelector('#board .tile').offsetWidth >= 30", as: Bool.self))
                let _: AnyAnswer = try await browser.ask("POST", "games/\(browser.newestGame().id)/resign")
                try await browser.reload()
                for dialog in ["help", "statistics", "leaderboards", "settings"] {
                    try await browser.click("[data-opens=\(dialog)]")
                    try await browser.wait(for: "document.querySelector('#\(dialog)').open")
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
            }
        }

        @Test("a whole game asks no other host, and leaves no complaint about policy or script")
        func quiet() async throws {
            try await play { service, browser in
                _ = try await browser.requestedAddresses()
                try await browser.open(service.address)
                try await browser.start()
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "Seal verified", in: "#panel")
                for dialog in ["statistics", "leaderboards", "settings", "sealed", "help"] {
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

        @Test("who comes again loads the page and what it asks for, and none of the page's parts")
        func again() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                try await browser.open("about:blank", until: "document.readyState == 'complete'")
                try await browser.open(service.address)
                let loaded: [String] = try await browser.value(
                    "performance.getEntriesByType('resource').filter((part) => part.transferSize > 0).map((part) => part.name)"
                )
                #expect(loaded.count <= 2 && loaded.allSatisfy { $0.hasPrefix("\(service.address)v2/") }, "\(loaded)")
            }
        }

        @Test("a service that is to have no page has none, and serves games all the same")
        func disabled() async throws {
            let service = try await PlayedService.start(["JULIET_WEB_ENABLED": "false"])
            #expect(try await service.status(of: "/") == 404)
            #expect(try await service.status(of: "/pages/0/app.js") == 404)
            #expect(try await service.status(of: "/v2/daily") == 200)
        }

        @Test("below a base path it is played all the same")
        func basePath() async throws {
            try await play(settings: ["JULIET_HTTP_BASE_PATH": "/prod/v1"]) { service, browser in
                try await browser.open(String(service.address.dropLast()))
                #expect(try await browser.value("location.pathname") == "/prod/v1/")
                try await browser.start()
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "Opened in 1 of 6", in: "#panel")
            }
        }

        @Test("where the browser computes no digests, plain HTTP from elsewhere, it says how to check the seal by hand")
        func plain() async throws {
            try await play { service, browser in
                try await browser.open("http://juliet.test:\(service.port)/#game")
                #expect(try await browser.value("crypto.subtle === undefined", as: Bool.self))
                try await browser.start()
                let secret = try await service.secret(of: browser.newestGame())
                try await browser.guess(secret, 1)
                try await browser.wait(for: "The seal is open: check it by hand.", in: "#panel")
                try await browser.click("#seal")
                try await browser.wait(for: ":\(secret)' | sha256sum", in: "#sealed")
            }
        }

        private var background: String { "getComputedStyle(document.body).backgroundColor" }

        private func expectNothingWider(than width: Int, in browser: Browser, _ place: String) async throws {
            let wide: [String] = try await browser.value(
                """
                [...document.querySelectorAll("body *")]
                    .filter((element) => element.getBoundingClientRect().right > \(width) + 0.5 && !element.closest("svg, .unseen"))
                    .map((element) => element.outerHTML.slice(0, 80))
                """)
            #expect(wide == [], "\(place)")
            #expect(try await browser.value("document.documentElement.scrollWidth") <= width, "\(place)")
        }
    }
}
