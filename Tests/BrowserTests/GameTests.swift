import TestSupport
import Testing

extension PageTests {
    @Suite("A game", .everyLayout)
    struct GameTests {
        @Test("is played with the keyboard alone, won, paid for once and counted")
        func keyboard() async throws {
            try await play { service, browser in
                let players = try await service.playerCount()
                try await browser.open(service.address + "#game")
                #expect(try await browser.text(of: "#panel").contains("enough for six"))
                #expect(try await browser.value("localStorage.getItem('juliet.player')", as: String?.self) == nil)
                #expect(try await service.playerCount() == players)

                // The first Tab stops are the tools, the tabs, and the button that starts.
                try await browser.type("\t\t\t\t\t\t\t\t")
                try await browser.run("dispatchEvent(new Event('focus'))")
                #expect(try await browser.value("document.activeElement.textContent", as: String.self) == "Play")
                try await browser.type("\n")
                try await browser.wait(for: "!document.querySelector('#keyboard').hidden")
                #expect(try await service.playerCount() == players + 1)
                #expect(try await browser.text(of: "#energy-amount") == "25")

                let game = try await browser.newestGame()
                let secret = try await service.secret(of: game)
                let other = words(otherThan: secret)[0]
                try await browser.type(other.prefix(3) + "\n")
                try await browser.wait(for: "The word has 5 letters", in: "#message")
                try await browser.type("\u{8}\u{8}\u{8}" + "qqqqq\n")
                try await browser.wait(for: "Not in the word list", in: "#message")
                #expect(try await browser.newestGame().guesses.isEmpty)
                try await browser.type("\u{8}\u{8}\u{8}\u{8}\u{8}")
                try await browser.guess(other.uppercased(), 1)
                try await browser.guess(secret, 2)

                try await browser.wait(for: "You solved it in 2", in: "#panel")
                try await browser.wait(for: "Seal verified", in: "#panel")
                #expect(try await browser.board().last == secret.uppercased().map { "\($0)!" }.joined())
                #expect(
                    try await browser.value("document.activeElement.textContent", as: String.self)
                        == "You solved it in 2 guesses"
                )
                let won = try await browser.newestGame()
                #expect(won.state == "won")
                #expect(won.guesses.map(\.word) == [other, secret])

                try await browser.click("[data-opens=statistics]")
                try await browser.wait(for: secret.uppercased(), in: "#statistics .games")
                #expect(
                    try await browser.text(of: "#statistics .figures")
                        == "days won in a row\n0\nbest run of days\n0\nplayed\n1\nwon\n100%\nwins in a row\n1\nbest run of wins\n1"
                )
                #expect(
                    try await browser.value(
                        "[...document.querySelectorAll('#statistics .bar')].map((bar) => bar.textContent)") == [
                            "0", "1", "0", "0", "0", "0",
                        ])
                try await browser.type("\u{E00C}")
                try await browser.click("[data-opens=leaderboards]")
                try await browser.click("[value=wins]")
                try await browser.wait(for: "Player", in: "#leaderboards tr.is-me")
            }
        }

        @Test("is played with clicks alone, lost, and tells its word then and not before")
        func clicks() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                // A word that the page has not in its own texts.
                let secret = "fjord"
                try await service.swap(browser.newestGame(), to: secret)
                for (index, word) in words(otherThan: secret).prefix(6).enumerated() {
                    #expect(
                        try await !browser.value("document.documentElement.outerHTML", as: String.self).contains(secret)
                    )
                    for letter in word { try await browser.click("[data-letter=\(letter)]") }
                    try await browser.click("[data-key=enter]")
                    try await browser.waitForGuesses(index + 1)
                }
                try await browser.wait(for: "The word was \(secret.uppercased()).", in: "#panel")
                #expect(try await browser.newestGame().state == "lost")
                try await browser.wait(for: "document.querySelector('#panel .figures')")
                #expect(try await browser.value("document.querySelectorAll('#panel .bar').length") == 0)
                try await browser.click("#panel .button.is-main")
                try await browser.wait(for: "!document.querySelector('#keyboard').hidden")
                #expect(try await browser.board().isEmpty)
                #expect(try await browser.text(of: "#energy-amount") == "20")
            }
        }

        @Test(
            "after “Next word” a game runs until its own end, which is celebrated, whatever is known of the player meanwhile"
        )
        func next() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let first = try await browser.newestGame()
                try await browser.guess(service.secret(of: first), 1)
                try await browser.wait(for: "document.activeElement.textContent === 'You solved it in 1 guess'")
                let looks =
                    "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/players/me')).length"
                let before: Int = try await browser.value(looks)
                try await browser.start()
                #expect(try await browser.text(of: "#energy-amount") == "20")
                try await browser.wait(for: "\(looks) > \(before)")
                // What a start asks has been answered by then.
                try await browser.run("dispatchEvent(new Event('focus'))")
                try await browser.wait(for: "\(looks) > \(before + 1)")
                #expect(try await browser.value("document.querySelector('#field').style.height") == "")
                #expect(try await browser.value("document.querySelector('#panel').hidden", as: Bool.self))

                let second = try await browser.newestGame()
                #expect(second.id != first.id)
                let secret = try await service.secret(of: second)
                try await browser.guess(words(otherThan: secret)[0], 1)
                try await browser.guess(secret, 2)
                try await browser.wait(for: "document.activeElement.textContent === 'You solved it in 2 guesses'")
                #expect(try await browser.complaints() == [])
            }
        }

        @Test("a game that is left while it starts is found there, and the next word after it is another one")
        func leftWhileStarting() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "document.activeElement.textContent === 'You solved it in 1 guess'")
                // The answer to what is paid never arrives.
                try await browser.run(
                    """
                    const ask = window.fetch;
                    window.fetch = async (address, options) => {
                        const answer = await ask(address, options);
                        if (options?.method !== "POST" || !String(address).endsWith("/games")) return answer;
                        window.isPaid = true;
                        return new Promise((_, reject) => options.signal.addEventListener("abort", () => reject(options.signal.reason)));
                    };
                    """)
                try await browser.click("#panel .button.is-main")
                try await browser.wait(for: "window.isPaid")
                try await browser.reload()
                try await browser.wait(for: "!document.querySelector('#keyboard').hidden")
                let second = try await browser.newestGame()
                try await browser.guess(service.secret(of: second), 1)
                try await browser.wait(for: "document.activeElement.textContent === 'You solved it in 1 guess'")
                try await browser.start()
                #expect(try await browser.newestGame().id != second.id)
                #expect(try await browser.text(of: "#energy-amount") == "15")
            }
        }

        @Test("marks a letter that is guessed more often than the word has it, tiles, keys and shared text alike")
        func repeatedLetters() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                // In hard mode, which has a star.
                try await browser.run("localStorage.setItem('juliet.hard', 'true')")
                try await browser.start()
                try await service.swap(browser.newestGame(), to: "spool")
                try await browser.guess("lolly", 1)
                try await browser.guess("floor", 2)
                #expect(try await browser.board() == ["L?O?L-L-Y-", "F-L?O!O!R-"])
                #expect(
                    try await browser.value(
                        "['l', 'o', 'y', 's'].map((l) => document.querySelector(`[data-letter=${l}]`).dataset.mark ?? '')"
                    )
                        == ["present", "correct", "absent", ""])
                try await browser.guess("spool", 3)

                try await browser.wait(for: "You solved it in 3", in: "#panel")
                try await browser.run("navigator.clipboard.writeText = async (text) => { window.shared = text; }")
                try await browser.click("#panel .share")
                try await browser.wait(for: "window.shared !== undefined")
                #expect(
                    try await browser.value("window.shared") == """
                        Juliet · 3/6*

                        🟧🟧⬜⬜⬜
                        ⬜🟧🟪🟪⬜
                        🟪🟪🟪🟪🟪

                        \(service.address)
                        """)
                // The word was not the one of the seal that the page had seen.
                #expect(
                    try await browser.text(of: "#panel .verdict") == "The seal does not match: this is another word.")
            }
        }

        @Test("tiles turn one after the other, and what is typed meanwhile waits in the next row")
        func motion() async throws {
            try await play(on: Browser.Device(hasMotion: true)) { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let secret = try await service.secret(of: browser.newestGame())
                try await browser.type(words(otherThan: secret)[0] + "\n")
                try await browser.wait(for: "document.querySelectorAll('.is-turned .tile').length === 5")
                #expect(try await browser.value("document.querySelectorAll('.key[data-mark]').length") == 0)
                try await browser.type("ab")
                #expect(try await browser.board().last == "AB")
                try await browser.waitForGuesses(1)
                try await browser.wait(for: "document.querySelectorAll('.key[data-mark]').length === 5")
                try await browser.type("\n")
                try await browser.wait(for: "document.querySelector('.row.is-shaken') !== null")
            }
        }

        @Test("without energy for another game the page says so, and what the day offers")
        func noEnergy() async throws {
            try await play { service, browser in
                try await browser.spendAll(service)
                #expect(try await browser.text(of: "#energy-amount") == "0")
                try await browser.click("#panel .button")
                try await browser.wait(for: "Everybody plays the same word today", in: "#panel")
            }
        }
    }
}
