import TestSupport
import Testing

extension PageTests {
    @Suite("Energy", .everyLayout)
    struct EnergyTests {
        /// Moves the clocks of all players back, as if so much time had passed.
        private func pass(_ interval: String, _ service: PlayedService) async throws {
            try await service.psql(
                "UPDATE users SET refill = ROW((refill).due, earlier((refill).since, '\(interval)'))::refill_clock")
        }

        /// Opens the page when the service has read the price of a word: it looks at the rules now and then.
        private func openWhenPrice(is price: Int, _ service: PlayedService, _ browser: Browser) async throws {
            try await browser.open(service.address)
            try await browser.wait(
                for:
                    "(fetch('v2/service').then((answer) => answer.json()).then(({ energy }) => { window.price = energy.price; }), window.price === \(price))"
            )
            try await browser.reload()
        }

        @Test("the figure at the head opens what it is, when more comes, and where it came from and went")
        func dialog() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                try await browser.openDialog("power")
                let text = try await browser.text(of: "#power")
                #expect(text.contains("25"))
                #expect(text.firstMatch(of: /More comes back in (3:59:\d\d|4:00:00)\./) != nil, "\(text)")
                #expect(text.contains("A word of your own costs 5 energy; the word of the day is free."))
                // The rest is for those who want it, by the keyboard as well.
                #expect(!text.contains("Every 4 hours"))
                try await browser.run("document.querySelector('#power summary').focus()")
                try await browser.type("\n")
                try await browser.wait(for: "Every 4 hours, 5 energy comes back, up to 30.", in: "#power")
                try await browser.wait(for: "Finishing the word of the day on its day brings 5.", in: "#power")
                try await browser.wait(for: "document.querySelectorAll('#power tbody tr').length === 2")
                #expect(
                    try await browser.value(
                        """
                        [...document.querySelectorAll("#power tbody tr")].map((row) =>
                            [row.cells[0].firstChild.textContent, row.cells[1].textContent, row.cells[2].textContent].join(" "))
                        """) == ["A word of your own -5 25", "Welcome gift +30 30"])
                #expect(
                    try await browser.value("document.querySelector('#power .take-energy') === null", as: Bool.self))
                try await browser.closeDialog()

                try await pass("4 hours", service)
                try await browser.run("dispatchEvent(new Event('focus'))")
                try await browser.wait(for: "document.querySelector('#energy').classList.contains('is-due')")
                #expect(
                    try await browser.value(
                        "document.querySelector('#energy').textContent.includes('you can get 5 more')"))
                try await browser.openDialog("power")
                try await browser.click("#power .take-energy")
                try await browser.wait(for: "document.querySelector('#energy-amount').textContent === '30'")
                try await browser.wait(for: "More comes back when you have less than 30.", in: "#power")
                try await browser.wait(for: "Came back with time", in: "#power tbody tr:first-child")
                #expect(
                    try await browser.value(
                        "!document.querySelector('#energy').classList.contains('is-due')", as: Bool.self))
            }
        }

        @Test("without enough for a word the main button is what works: today’s word, what is due, or how to get more")
        func empty() async throws {
            try await play { service, browser in
                try await browser.spendAll(service)
                let main = "#panel .button.is-main"
                #expect(try await browser.text(of: main) == "Play the word of the day")
                #expect(try await browser.text(of: "#panel").contains("Finish it, and you get 5 energy."))
                #expect(
                    try await browser.text(of: "#panel").firstMatch(
                        of: /More energy comes back in (3:5\d:\d\d|4:00:00)\./) != nil
                )

                // What becomes due while one looks takes the place of it.
                try await pass("4 hours", service)
                try await browser.run("dispatchEvent(new Event('focus'))")
                try await browser.wait(for: "Get 5 energy now", in: main)
                try await browser.click(main)
                try await browser.wait(for: "A word just for you", in: "#panel")
                #expect(try await browser.value("document.activeElement.textContent") == "Play")
                try await browser.start()
                #expect(try await browser.text(of: "#energy-amount") == "0")
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                // The end of a game offers no word that cannot be paid for.
                try await browser.wait(for: "You solved it in 1", in: "#panel")
                #expect(try await browser.text(of: main) == "Play the word of the day")
                try await pass("8 hours", service)
                try await browser.run("dispatchEvent(new Event('focus'))")
                try await browser.wait(for: "Get 10 energy now", in: main)
                try await browser.click(main)
                try await browser.wait(for: "Next word for 5 energy", in: main)
            }
        }

        @Test("prices and rewards are the service’s, and today’s word says what it brought")
        func prices() async throws {
            try await play { service, browser in
                try await service.psql("UPDATE rules SET game_price = 10, daily_reward = 7")
                try await openWhenPrice(is: 10, service, browser)
                try await browser.start()
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "You get 7 energy.", in: "#panel")
                #expect(try await browser.text(of: "#energy-amount") == "37")
                try await browser.click("#panel .button.is-main")
                try await browser.wait(for: "It costs 10 energy.", in: "#panel")
                try await browser.start()
                #expect(try await browser.text(of: "#energy-amount") == "27")
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "Next word for 10 energy", in: "#panel")
            }
        }

        @Test("where words are free the page says nothing about energy")
        func free() async throws {
            try await play { service, browser in
                func check(_ place: String) async throws {
                    let text = try await browser.text(of: "body").lowercased()
                    #expect(!text.contains("energy") && !text.contains("bought"), "\(place): \(text)")
                }
                try await service.psql("UPDATE rules SET game_price = 0")
                try await openWhenPrice(is: 0, service, browser)
                try await browser.start()
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "document.querySelector('#panel .verdict')?.dataset.verdict")
                try await check("the end, which brought some")
                try await browser.click("#panel .button.is-main")
                try await browser.wait(for: "A word just for you", in: "#panel")
                try await check("a word of one's own")
                try await browser.start()
                try await check("playing")
                for dialog in ["help", "statistics", "settings"] {
                    try await browser.openDialog(dialog)
                    try await check(dialog)
                    try await browser.closeDialog()
                }
                try await browser.openTogether("challenges")
                try await browser.wait(for: "Make the challenge", in: "#together form")
                try await check("challenges")
                try await browser.closeDialog()
                try await browser.openDialog("settings")
                try await browser.click("#settings .to-data")
                try await browser.click("#data .delete-player")
                try await browser.wait(for: "document.querySelector('#data .losses')")
                try await check("data")
            }
        }
    }
}
