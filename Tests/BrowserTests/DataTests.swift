import TestSupport
import Testing

extension PageTests {
    @Suite("Your data", .everyLayout)
    struct DataTests {
        private func open(_ browser: Browser) async throws {
            try await browser.openDialog("settings")
            try await browser.click("#settings .to-data")
            try await browser.wait(for: "document.querySelector('#player-id')")
        }

        @Test("the player’s id can be read, everything taken along as a file, and energy and devices looked at")
        func seen() async throws {
            try await play(on: Browser.Device(hasClipboard: true)) { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                try await browser.guess("crane", 1)
                try await open(browser)
                struct Me: Decodable { let id, name: String }
                let me: Me = try await browser.ask("GET", "players/me")
                #expect(try await browser.text(of: "#player-id") == me.id)
                try await browser.run(
                    """
                    const make = URL.createObjectURL;
                    URL.createObjectURL = (blob) => { window.saved = blob; return make.call(URL, blob); };
                    """)
                try await browser.click("#data .export")
                try await browser.wait(for: "Saved.", in: "#data")
                struct Export: Decodable {
                    let id, name: String
                    let games: [GameAnswer]
                    let energyEntries: [AnyAnswer]
                }
                let saved: Export = try await browser.value("window.saved.text().then((text) => JSON.parse(text))")
                #expect(saved.id == me.id && saved.name == me.name)
                #expect(saved.games.map(\.guesses.count) == [1] && saved.energyEntries.count == 2)
                try await browser.click("#data .actions .button:not(.export)")
                try await browser.closeDialog()
                try await open(browser)
                try await browser.run(
                    "[...document.querySelectorAll('#data .button')].find((button) => button.textContent === 'Energy history').click()"
                )
                try await browser.wait(for: "Welcome gift", in: "#power")
                #expect(try await browser.complaints() == [])
            }
        }

        @Test("deleting is asked twice, the second time by name, and nothing is deleted before")
        func delete() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "You solved it in 1", in: "#panel")
                struct Me: Decodable { let name: String }
                let me: Me = try await browser.ask("GET", "players/me")
                try await open(browser)
                try await browser.click("#data .delete-player")
                try await browser.wait(for: "1 game, 1 won", in: "#data .losses")
                try await browser.click("#data .go-on")
                try await browser.wait(for: "Type the name to confirm: \(me.name)", in: "#data")
                try await browser.type("Somebody\n")
                try await browser.wait(for: "This is another name. Nothing was deleted.", in: "#data")
                #expect(try await service.playerCount() == 1)
                try await browser.fill("#data input", me.name.lowercased() + "\n")
                try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                try await browser.wait(for: "\(me.name) was deleted for good.", in: "#message")
                try await browser.wait(for: "You start with enough for six", in: "#panel")
                #expect(try await service.playerCount() == 0)
                #expect(
                    try await browser.value(
                        "Object.keys(localStorage).filter((name) => name.startsWith('juliet.player'))")
                        == [String]())
            }
        }

        @Test("the operator’s own pages are linked to below the game and in the dialog, and only where they are set")
        func links() async throws {
            let settings = [
                "JULIET_WEB_IMPRINT": "/imprint?a=1&b=2", "JULIET_WEB_PRIVACY": "https://example.com/privacy",
            ]
            try await play(settings: settings) { service, browser in
                let links =
                    "[...document.querySelectorAll('.way-out [data-legal]')].map((link) => `${link.textContent} ${link.getAttribute('href')}`)"
                let expected = ["Imprint /imprint?a=1&b=2", "Privacy https://example.com/privacy"]
                try await browser.open(service.address)
                #expect(try await browser.value(links) == expected)
                try await browser.start()
                try await open(browser)
                #expect(
                    try await browser.value(
                        "[...document.querySelectorAll('#data .legal a')].map((link) => `${link.textContent} ${link.getAttribute('href')}`)"
                    )
                        == expected)
                try await browser.open(
                    service.address + "lottery", until: "document.querySelector('#stage')?.dataset.state === 'landing'")
                #expect(try await browser.value(links) == expected)
            }
            try await play { service, browser in
                try await browser.open(service.address)
                #expect(try await browser.value("document.querySelector('[data-legal]') === null", as: Bool.self))
            }
        }
    }
}
