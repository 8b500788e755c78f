import TestSupport
import Testing

extension PageTests {
    @Suite("Another tab writes, an answer comes late, and nobody loses a player", .everyLayout)
    struct TabsTests {
        private struct Me: Decodable, Sendable { let id, name: String }

        /// True when so many players are kept, each with the token that is theirs.
        private func areWhole(_ count: Int) -> String {
            """
            Promise.all(Object.keys(localStorage).filter((name) => name.startsWith("juliet.players.")).map(async (name) => {
                const { id, token } = JSON.parse(localStorage[name]);
                const answer = await fetch(new URL("v2/players/me", document.baseURI),
                    { headers: { Authorization: "Bearer " + token } });
                return answer.ok && name.endsWith(id) && (await answer.json()).id === id;
            })).then((all) => all.length === \(count) && all.every(Boolean))
            """
        }

        /// Plays as two players, the second of whom plays now, and returns both.
        private func beginTwice(_ service: PlayedService, _ browser: Browser) async throws -> (first: Me, second: Me) {
            try await browser.open(service.address + "#game")
            try await browser.start()
            let first: Me = try await browser.ask("GET", "players/me")
            try await browser.openDialog("settings")
            try await browser.click("#settings .new-player")
            try await browser.wait(for: "Play as \(first.name)", in: "#panel")
            try await browser.start()
            let second: Me = try await browser.ask("GET", "players/me")
            return (first, second)
        }

        /// Makes it a player's turn, as another tab does before this one is told.
        private func turn(to player: Me, in browser: Browser) async throws {
            try await browser.run(
                """
                const { token } = JSON.parse(localStorage["juliet.players.\(player.id)"]);
                localStorage["juliet.player"] = JSON.stringify({ token });
                """)
        }

        /// Has answers to requests of a method and the end of a path wait for `release()`.
        private func hold(_ method: String, _ path: String, in browser: Browser) async throws {
            try await browser.run(
                """
                const ask = window.fetch;
                window.fetch = async (address, options) => {
                    const answer = await ask(address, options);
                    if (options?.method === "\(method)" && address.endsWith("\(path)"))
                        await new Promise((resolve) => { window.release = resolve; });
                    return answer;
                };
                """)
        }

        /// Has answers to requests of the end of a path get lost, until `mend()`.
        private func lose(_ path: String, in browser: Browser) async throws {
            try await browser.run(
                """
                const ask = window.fetch;
                window.mend = () => { window.fetch = ask; };
                window.fetch = async (address, options) => {
                    const answer = await ask(address, options);
                    if (address.endsWith("\(path)")) throw new TypeError("lost");
                    return answer;
                };
                """)
        }

        @Test("an answer about the player before changes nothing of the player now")
        func lateAnswer() async throws {
            try await play { service, browser in
                let (first, second) = try await beginTwice(service, browser)
                try await hold("PATCH", "players/me", in: browser)
                try await browser.openDialog("settings")
                try await browser.fill("#settings [autocomplete=nickname]", "Late Bird\n")
                try await browser.wait(for: "window.release !== undefined")
                try await browser.click("#settings .others .button")
                try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                try await browser.run("release()")
                try await browser.wait(for: "localStorage['juliet.players.\(second.id)'].includes('Late Bird')")
                try await browser.wait(for: areWhole(2))
                try await browser.openDialog("settings")
                try await browser.wait(for: "\(first.name) stays in this browser", in: "#settings")
            }
        }

        @Test("dialogs about the player before close when another tab changes the player")
        func dialogsClose() async throws {
            try await play { service, browser in
                _ = try await beginTwice(service, browser)
                try await browser.openDialog("settings")
                try await browser.click("#settings .sign-out")
                try await browser.wait(for: "document.querySelector('#sign-out-now')")
                let tabs = try await browser.openTab()
                try await browser.open(service.address + "#game")
                try await browser.openDialog("settings")
                try await browser.click("#settings .others .button")
                try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                try await browser.goTo(tab: tabs.old)
                try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                #expect(try await service.psql("SELECT count(*) FROM sessions") == "2")
            }
        }

        @Test("the player whose name is typed is deleted, also when another player plays by then")
        func deletion() async throws {
            try await play { service, browser in
                let (first, second) = try await beginTwice(service, browser)
                try await browser.openDialog("settings")
                try await browser.click("#settings .to-data")
                try await browser.click("#data .delete-player")
                try await browser.click("#data .go-on")
                try await browser.wait(for: "Type the name to confirm: \(second.name)", in: "#data")
                try await turn(to: first, in: browser)
                try await browser.type(second.name + "\n")
                try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                try await browser.wait(for: areWhole(1))
                let me: Me = try await browser.ask("GET", "players/me")
                #expect(me.id == first.id)
            }
        }

        @Test("the player who was asked is signed out, also when another player plays by then")
        func signOut() async throws {
            try await play { service, browser in
                let (first, second) = try await beginTwice(service, browser)
                try await browser.openDialog("settings")
                try await browser.click("#settings .sign-out")
                try await browser.wait(for: "document.querySelector('#sign-out-now')")
                #expect(try await browser.text(of: "#leave").contains(second.name))
                try await turn(to: first, in: browser)
                try await browser.click("#sign-out-now")
                try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                try await browser.wait(for: areWhole(1))
                let me: Me = try await browser.ask("GET", "players/me")
                #expect(me.id == first.id)
            }
        }

        @Test("a button that is out of date, because another tab signed in, uses the player that is kept now")
        func staleButton() async throws {
            try await play { service, browser in
                // This tab is told nothing.
                try await browser.runBeforePages(
                    "addEventListener('storage', (event) => event.stopImmediatePropagation())")
                try await browser.open(service.address + "#game")
                try await browser.start()
                let me: Me = try await browser.ask("GET", "players/me")
                try await browser.openDialog("settings")
                let code = try await browser.showCode(in: "#settings")
                try await browser.click("#settings .new-player")
                try await browser.wait(for: "Play as \(me.name)", in: "#panel")
                let tabs = try await browser.openTab()
                try await browser.open(service.address + "#game")
                try await browser.openDialog("settings")
                try await browser.fill("#settings input[required]", code + "\n")
                try await browser.wait(for: "!document.querySelector('#keyboard').hidden")
                try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                try await browser.openDialog("settings")
                try await browser.click("#settings .new-player")
                try await browser.wait(for: "Play as \(me.name)", in: "#panel")
                try await browser.goTo(tab: tabs.old)
                try await browser.click("#panel .fine .quiet")
                try await browser.wait(for: "!document.querySelector('#keyboard').hidden")
                try await browser.wait(for: areWhole(1))
                #expect(try await service.psql("SELECT count(*) FROM sessions") == "1")
            }
        }

        @Test("a code is not said to work after one was asked for whose answer got lost")
        func lostCode() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                try await browser.openDialog("settings")
                let code = try await browser.showCode(in: "#settings")
                try await browser.closeDialog()
                try await lose("recovery-code", in: browser)
                try await browser.openDialog("settings")
                try await browser.wait(for: "You were shown a code", in: "#settings .recovery")
                try await browser.click("#make-code")
                try await browser.wait(for: "A new code replaces the old one", in: "#settings .recovery")
                try await browser.click("#settings .recovery button")
                try await browser.wait(for: "No connection", in: "#settings")
                try await browser.closeDialog()
                try await browser.openDialog("settings")
                try await browser.wait(for: "This browser has no code for you", in: "#settings .recovery")
                try await browser.run("mend()")
                let made = try await browser.showCode(in: "#settings")
                #expect(made.count == 23 && made != code)
                try await browser.closeDialog()
                try await browser.openDialog("settings")
                try await browser.wait(for: "You were shown a code", in: "#settings .recovery")
            }
        }

        @Test("two players are made one once, also when the answer got lost, and no button keeps both meanwhile")
        func lostMerge() async throws {
            try await play { service, browser in
                let (first, second) = try await beginTwice(service, browser)
                let _: AnyAnswer = try await browser.ask("POST", "games/\(browser.newestGame().id)/resign")
                // The first is no longer in a game either.
                try await turn(to: first, in: browser)
                let _: AnyAnswer = try await browser.ask("POST", "games/\(browser.newestGame().id)/resign")
                try await turn(to: second, in: browser)

                try await lose("players/me/merge", in: browser)
                try await browser.openDialog("settings")
                try await browser.click("#settings .others .merge")
                try await browser.click("#merge .merge-now")
                try await browser.wait(for: "No connection", in: "#merge")
                #expect(
                    try await browser.value("typeof JSON.parse(localStorage['juliet.players.\(first.id)']).merging")
                        == "string")
                try await browser.run("mend()")
                try await hold("POST", "players/me/merge", in: browser)
                try await browser.click("#merge .merge-now")
                try await browser.wait(for: "window.release !== undefined")
                #expect(
                    try await browser.value(
                        "[...document.querySelectorAll('#merge .actions button')].every(({ disabled }) => disabled)",
                        as: Bool.self))
                try await browser.run("release()")
                try await browser.wait(for: "has everything", in: "#merge")
                try await browser.wait(for: areWhole(1))
                #expect(try await service.playerCount() == 1)
            }
        }

        @Test("where the browser has no more room, what is new is there as long as the page is open")
        func noRoom() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.run(
                    """
                    for (let size = 1 << 20, count = 0; size >= 1; size >>= 1) {
                        try { while (true) localStorage.setItem("filler" + count++, "x".repeat(size)); } catch {}
                    }
                    """)
                try await browser.start()
                try await browser.guess("crane", 1)
                #expect(try await service.playerCount() == 1)
                #expect(try await browser.value("localStorage.getItem('juliet.player') === null", as: Bool.self))
                try await browser.openDialog("settings")
                try await browser.fill("#settings [autocomplete=nickname]", "No Room\n")
                try await browser.wait(for: "document.querySelector('#settings .form .outcome').textContent !== '…'")
                let code = try await browser.showCode(in: "#settings")
                #expect(code.count == 23)
                // Who was there before, and whose record cannot grow, is not taken for who they are now.
                try await browser.click("#settings .new-player")
                try await browser.wait(for: "Play as No Room", in: "#panel")
                try await browser.click("#panel .fine .quiet")
                try await browser.waitForGuesses(1)
            }
        }
    }
}
