import TestSupport
import Testing

extension PageTests {
    @Suite("Nobody loses a player", .everyLayout)
    struct PlayersTests {
        /// Starts a game in a new browser and returns the player's name.
        private func begin(_ service: PlayedService, _ browser: Browser) async throws -> String {
            try await browser.open(service.address + "#game")
            try await browser.start()
            struct Me: Decodable { let name: String }
            let me: Me = try await browser.ask("GET", "players/me")
            return me.name
        }

        @Test("signing out asks, says what is lost, offers the code first, and leaves nothing of the player in sight")
        func signOut() async throws {
            try await play { service, browser in
                let name = try await begin(service, browser)
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "You solved it in 1", in: "#panel")
                try await browser.openDialog("settings")
                try await browser.click("#settings .sign-out")
                try await browser.wait(for: "document.querySelector('#leave .recovery button')")
                let text = try await browser.text(of: "#leave")
                for loss in [name, "1 game, 1 won", "25 energy", "Without a recovery code you lose for good"] {
                    #expect(text.contains(loss), "\(loss)")
                }
                // The code comes before the button that ends all, which says what it does.
                #expect(
                    try await browser.value(
                        """
                        Boolean(document.querySelector("#leave .recovery").compareDocumentPosition(
                            document.querySelector("#sign-out-now")) & Node.DOCUMENT_POSITION_FOLLOWING)
                        """))
                #expect(try await browser.text(of: "#sign-out-now") == "Sign out without a code")
                let code = try await browser.showCode(in: "#leave")
                #expect(try await browser.text(of: "#sign-out-now") == "I wrote it down: sign out")
                #expect(try await service.psql("SELECT count(*) FROM sessions") == "1")
                try await browser.click("#sign-out-now")
                try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                try await browser.wait(for: "You start with enough for six", in: "#panel")
                #expect(try await browser.value("document.querySelector('#field').hidden", as: Bool.self))
                #expect(try await browser.value("document.querySelector('#energy').hidden", as: Bool.self))
                #expect(
                    try await browser.value(
                        "Object.keys(localStorage).filter((name) => name.startsWith('juliet.player'))")
                        == [String]())
                #expect(try await service.psql("SELECT count(*) FROM sessions") == "0")

                try await browser.openDialog("settings")
                try await browser.click("#settings input[required]")
                try await browser.type(code + "\n")
                try await browser.wait(for: "document.querySelector('#energy-amount').textContent === '25'")
                try await browser.wait(for: "Welcome back.", in: "#message")
            }
        }

        @Test("cancelling the dialog changes nothing")
        func stay() async throws {
            try await play { service, browser in
                _ = try await begin(service, browser)
                try await browser.openDialog("settings")
                try await browser.click("#settings .sign-out")
                try await browser.wait(for: "document.querySelector('#leave').open")
                try await browser.closeDialog()
                try await browser.guess("crane", 1)
                #expect(try await service.psql("SELECT count(*) FROM sessions") == "1")
            }
        }

        @Test("somebody else plays, and the player before stays in the list and takes over where they were")
        func switching() async throws {
            try await play { service, browser in
                let first = try await begin(service, browser)
                try await browser.guess("crane", 1)
                let board = try await browser.board()
                try await browser.type("ab")
                try await browser.openDialog("settings")
                try await browser.click("#settings .new-player")
                try await browser.wait(for: "Play as \(first)", in: "#panel")
                #expect(try await browser.value("document.querySelector('#field').hidden", as: Bool.self))
                try await browser.start()
                #expect(try await browser.board() == [])
                #expect(try await service.playerCount() == 2)

                try await browser.openDialog("settings")
                try await browser.click("#settings .others .button")
                try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                try await browser.wait(
                    for: "document.querySelectorAll('#board .tile.is-typed:not([data-mark])').length === 2")
                #expect(try await browser.board() == board + ["AB"])
                // The second is in the list now, and signing out the first leaves them.
                try await browser.openDialog("settings")
                #expect(try await browser.value("document.querySelectorAll('#settings .others .button').length") == 1)
                try await browser.click("#settings .sign-out")
                try await browser.wait(for: "document.querySelector('#leave .recovery button')")
                try await browser.click("#sign-out-now")
                try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                try await browser.click("#panel .fine .quiet")
                try await browser.wait(for: "!document.querySelector('#keyboard').hidden")
                #expect(try await browser.board() == [])
                #expect(try await service.psql("SELECT count(*) FROM sessions") == "1")
            }
        }

        @Test("a code that another device has used is not shown as good, nor one that may have been")
        func usedCode() async throws {
            try await play { service, browser in
                _ = try await begin(service, browser)
                try await browser.openDialog("settings")
                let code = try await browser.showCode(in: "#settings")
                try await browser.closeDialog()
                // Whoever has seen a code may have used it: it is not shown once more.
                try await browser.openDialog("settings")
                try await browser.wait(for: "You were shown a code", in: "#settings .recovery")
                try await browser.closeDialog()

                try await Browser.with { other in
                    try await other.open(service.address)
                    try await other.openDialog("settings")
                    try await other.click("#settings input[required]")
                    try await other.type(code + "\n")
                    try await other.wait(for: "document.querySelector('dialog[open]') === null")

                    try await browser.openDialog("settings")
                    try await browser.wait(for: "It does not work any more", in: "#settings .recovery")
                    #expect(try await !browser.value("document.body.innerText.includes('\(code)')", as: Bool.self))
                    // A new one is made when it is asked for, and ends the one that the other device was given.
                    let renewed = try await browser.showCode(in: "#settings")
                    #expect(renewed != code)
                    try await other.openDialog("settings")
                    try await other.wait(for: "may have made a newer code", in: "#settings .recovery")
                    try await other.closeDialog()
                    try await other.run("localStorage.clear()")
                    try await other.reload()
                    try await other.openDialog("settings")
                    try await other.click("#settings input[required]")
                    try await other.type(renewed + "\n")
                    try await other.wait(for: "document.querySelector('#energy-amount').textContent === '25'")
                }
            }
        }

        @Test("a code that nobody has seen is good, and making a new one in its place is asked twice once it was seen")
        func newCode() async throws {
            try await play { service, browser in
                _ = try await begin(service, browser)
                try await browser.openDialog("settings")
                try await browser.wait(for: "document.querySelector('#show-code')")
                let code = try await browser.showCode(in: "#settings")
                try await browser.closeDialog()
                try await browser.openDialog("settings")
                try await browser.click("#make-code")
                try await browser.wait(for: "A new code replaces the old one", in: "#settings .recovery")
                try await browser.click("#settings .recovery .quiet")
                try await browser.wait(for: "document.querySelector('#make-code')")
                try await browser.closeDialog()
                try await Browser.with { other in
                    try await other.open(service.address)
                    try await other.openDialog("settings")
                    try await other.click("#settings input[required]")
                    try await other.type(code + "\n")
                    try await other.wait(for: "document.querySelector('#energy-amount').textContent === '25'")
                }
            }
        }

        @Test("a new player is told once, after the first win, how to keep it")
        func told() async throws {
            try await play { service, browser in
                _ = try await begin(service, browser)
                let _: AnyAnswer = try await browser.ask("POST", "games/\(browser.newestGame().id)/resign")
                try await browser.reload()
                try await browser.start()
                #expect(try await browser.value("document.querySelector('.keeping') === null", as: Bool.self))
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "How to keep it", in: "#panel .keeping")
                // A name is asked for there, too, and not again of who wants none.
                try await browser.click("#panel .first-name .quiet")
                try await browser.wait(for: "You can choose a name in the settings", in: "#panel .first-name")
                try await browser.openDialog("keep")
                #expect(try await browser.showCode(in: "#keep").count == 23)
                try await browser.closeDialog()
                try await browser.click("#panel .button.is-main")
                try await browser.wait(for: "!document.querySelector('#keyboard').hidden")
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "You solved it in 1", in: "#panel")
                #expect(try await browser.value("document.querySelector('.keeping') === null", as: Bool.self))
                #expect(try await browser.value("document.querySelector('.first-name') === null", as: Bool.self))
            }
        }

        @Test(
            "the first win asks for a name, and says which character is wrong; the head shows who plays, and a tap switches"
        )
        func named() async throws {
            try await play { service, browser in
                let plays = "[...document.querySelectorAll('#who button')].map((one) => one.ariaLabel)"
                _ = try await begin(service, browser)
                #expect(try await browser.value(plays) == [String]())
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "document.querySelector('.first-name input')")
                try await browser.run("document.querySelector('.first-name input').value = 'A\u{200B}da'")
                try await browser.click(".first-name .button")
                try await browser.wait(for: "U+200B (ZERO WIDTH SPACE)", in: ".first-name .outcome")
                try await browser.fill(".first-name input", "Ada\n")
                try await browser.wait(for: "You play as Ada", in: ".first-name")
                #expect(try await browser.value(plays) == ["You play as Ada"])

                try await browser.openDialog("settings")
                try await browser.fill("#settings form:has(.new-player) input", "Bob\n")
                try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                #expect(try await browser.value("\(plays).toSorted()") == ["Play as Ada", "You play as Bob"])
                #expect(try await service.playerCount() == 2)
                try await browser.click("#who button:not([aria-current])")
                try await browser.wait(
                    for: "document.querySelector('#who [aria-current]').ariaLabel === 'You play as Ada'")
                #expect(try await browser.value("document.activeElement.ariaLabel") == "You play as Ada")
            }
        }

        @Test("signed out elsewhere, this browser signs in again with the code that it has kept")
        func signInAgain() async throws {
            try await play { service, browser in
                _ = try await begin(service, browser)
                try await browser.type("cra")
                let _: AnyAnswer = try await browser.ask("DELETE", "sessions/current")
                try await browser.type("ne\n")
                try await browser.wait(for: "document.querySelector('#sign-in-again')")
                // Escape, as often as one likes, leaves no empty sheet.
                try await browser.closeDialog()
                try await browser.type("\u{E00C}")
                #expect(try await browser.text(of: "#panel h3") == "You are signed out here")
                try await browser.click("#panel [data-opens=lost]")
                try await browser.click("#sign-in-again")
                // What was typed goes on where it was.
                try await browser.waitForGuesses(1)
                #expect(try await browser.board().count == 1)
            }
        }

        @Test("two tabs, of which one changes the player and the other begins a game, lose neither")
        func twoTabs() async throws {
            try await play { service, browser in
                _ = try await begin(service, browser)
                try await browser.openDialog("settings")
                try await browser.click("#settings .new-player")
                try await browser.wait(for: "You start with enough for six", in: "#panel")
                let tabs = try await browser.openTab()
                try await browser.open(service.address + "#game")
                try await browser.start()
                try await browser.goTo(tab: tabs.old)
                try await browser.wait(for: "!document.querySelector('#keyboard').hidden")
                #expect(try await service.playerCount() == 2)
                #expect(
                    try await browser.value(
                        "Object.keys(localStorage).filter((name) => name.startsWith('juliet.players.')).length") == 2)
                try await browser.openDialog("settings")
                try await browser.click("#settings .others .button")
                try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                try await browser.goTo(tab: tabs.new)
                let name: String = try await browser.value(
                    """
                    (() => { const { token } = JSON.parse(localStorage["juliet.player"]);
                    const all = Object.values(localStorage).map((text) => JSON.parse(text));
                    return all.find((kept) => kept.name && kept.token === token).name; })()
                    """)
                struct Me: Decodable { let name: String }
                let me: Me = try await browser.ask("GET", "players/me")
                #expect(me.name == name)
            }
        }

        @Test("a player who takes over while a start waits pays for nothing, and keeps their place")
        func startingLeft() async throws {
            try await play { service, browser in
                _ = try await begin(service, browser)
                let _: AnyAnswer = try await browser.ask("POST", "games/\(browser.newestGame().id)/resign")
                let before = try await service.psql("SELECT count(*) FROM judged_games")
                try await browser.openDialog("settings")
                try await browser.click("#settings .new-player")
                try await browser.wait(for: "You start with enough for six", in: "#panel")
                // The answer that makes a player waits.
                try await browser.run(
                    """
                    const ask = window.fetch;
                    const gate = new Promise((resolve) => { window.answer = resolve; });
                    window.fetch = async (address, options) => {
                        if (options?.method !== "POST" || !String(address).endsWith("/players")) return ask(address, options);
                        window.isWaiting = true;
                        await gate;
                        const made = await ask(address, options);
                        window.isMade = true;
                        return made;
                    };
                    """)
                try await browser.click("#panel .button.is-main")
                try await browser.wait(for: "window.isWaiting")
                try await browser.click("#panel .quiet")
                try await browser.wait(for: "localStorage['juliet.player']")
                let player: String = try await browser.value("localStorage['juliet.player']")
                try await browser.run("window.answer()")
                try await browser.wait(for: "window.isMade")
                try await browser.wait(for: "You have 25.", in: "#panel")
                #expect(try await browser.value("localStorage['juliet.player']") == player)
                #expect(try await service.psql("SELECT count(*) FROM judged_games") == before)
            }
        }

        @Test("a game's address without a player says whose it is, and offers a way")
        func stranger() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game/01a21098-1795-764f-b32c-a1b86fe80ae3")
                try await browser.wait(for: "Whose game is this?", in: "#panel")
                try await browser.openDialog("settings")
                try await browser.closeDialog()
                try await browser.click("#panel [href='#daily']")
                try await browser.wait(for: "Find today’s word", in: "#panel")
            }
        }
    }
}
