import TestSupport
import Testing

extension PageTests {
    @Suite("What happens goes on", .defaultLayout("about the browser, not the database"))
    struct ContinuityTests {
        @Test("a reload in the middle shows the same game, and the letters that were typed")
        func reload() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let secret = try await service.secret(of: browser.newestGame())
                let guesses = words(otherThan: secret)
                try await browser.guess(guesses[0], 1)
                try await browser.type("abc\u{8}")
                let board = try await browser.board()
                #expect(board.last == "AB")
                try await browser.reload()
                #expect(try await browser.board() == board)
                try await browser.type("\u{8}\u{8}")
                try await browser.guess(guesses[1], 2)
                #expect(try await browser.newestGame().guesses.map(\.word) == Array(guesses.prefix(2)))
            }
        }

        @Test("a guess without network is kept, said to be kept, and counts once when the network is back")
        func network() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let secret = try await service.secret(of: browser.newestGame())
                let word = words(otherThan: secret)[0]
                try await browser.type(String(word.prefix(2)))
                try await browser.setOffline(true)
                try await browser.type(word.dropFirst(2) + "\n")
                try await browser.wait(for: "No connection", in: "#banner")
                #expect(try await browser.board() == [word.uppercased()])
                try await browser.setOffline(false)
                try await browser.waitForGuesses(1)
                try await browser.wait(for: "document.querySelector('#banner').textContent === ''")
                #expect(try await browser.newestGame().guesses.map(\.word) == [word])
            }
        }

        @Test(
            "what comes slowly is announced, on the desk and in a dialog, moves nothing, and is over when it is there")
        func slow() async throws {
            try await play { service, browser in
                let isSeen = { (place: String, part: String) in
                    """
                    'coming' in document.documentElement.dataset
                        && getComputedStyle(document.querySelector("\(place)"), "\(part)").visibility === "visible"
                    """
                }
                let isOver = "!('coming' in document.documentElement.dataset)"
                try await browser.open(service.address)
                try await browser.run(
                    """
                    const real = window.fetch;
                    const held = [];
                    window.release = () => held.splice(0).forEach((go) => go());
                    window.fetch = async (...request) => {
                        await new Promise((go) => held.push(go));
                        return real(...request);
                    };
                    """)
                let top = "document.querySelector('#panel .is-main').getBoundingClientRect().top"
                let before: Double = try await browser.value(top)
                try await browser.click("#panel .is-main")
                try await browser.wait(for: "Loading …", in: "#announcer")
                try await browser.wait(for: isSeen("body", "::before"))
                #expect(try await browser.value(top) == before)
                try await browser.run("window.releasing = setInterval(release, 20)")
                try await browser.wait(for: "!document.querySelector('#keyboard').hidden && \(isOver)")
                #expect(try await browser.text(of: "#announcer") != "Loading …")
                try await browser.run("clearInterval(releasing)")

                try await browser.click("[data-opens=leaderboards]")
                try await browser.wait(for: "Loading …", in: "#leaderboards .told")
                try await browser.wait(for: isSeen("#leaderboards > header", "::after"))
                try await browser.run("setInterval(release, 20)")
                try await browser.wait(for: "Nobody has solved today’s word yet.", in: "#leaderboards")
                try await browser.wait(for: isOver)
                #expect(try await browser.text(of: "#leaderboards .told") == "")
            }
        }

        @Test("a guess that was sent to a dead service counts after its restart, even when the page is loaded anew")
        func outage() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let secret = try await service.secret(of: browser.newestGame())
                let word = words(otherThan: secret)[0]
                service.kill()
                try await browser.type(word + "\n")
                try await browser.wait(for: "No connection", in: "#banner")
                try await service.start()
                try await browser.reload()
                try await browser.waitForGuesses(1)
                #expect(try await browser.newestGame().guesses.map(\.word) == [word])
            }
        }

        @Test("whatever answer is lost on its way, a game is paid once and a guess counts once")
        func lostAnswers() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                // The service answers, and the first answer to each thing said does not arrive.
                try await browser.run(
                    """
                    const real = window.fetch, lost = new Set();
                    window.fetch = async (url, options) => {
                        const response = await real(url, options);
                        if (options.method !== "POST" || lost.has(String(url))) return response;
                        lost.add(String(url));
                        throw new TypeError("lost");
                    };
                    """)
                try await browser.start()
                let game = try await browser.newestGame()
                let word = words(otherThan: try await service.secret(of: game))[0]
                try await browser.guess(word, 1)
                #expect(try await browser.text(of: "#energy-amount") == "25")
                #expect(try await browser.newestGame().id == game.id)
                #expect(try await browser.newestGame().guesses.map(\.word) == [word])
            }
        }

        @Test(
            "two tabs show one game: a guess in one is shown in the other, and one that is too late shows the current game"
        )
        func tabs() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let secret = try await service.secret(of: browser.newestGame())
                let guesses = words(otherThan: secret)
                let tabs = try await browser.openTab()
                try await browser.open(service.address + "#game")
                try await browser.wait(for: "!document.querySelector('#keyboard').hidden")
                try await browser.guess(guesses[0], 1)
                try await browser.goTo(tab: tabs.old)
                try await browser.waitForGuesses(1)

                // This tab does not look any more, as one that sleeps.
                try await browser.run(
                    """
                    const real = window.fetch;
                    window.fetch = (url, options) => options.method === "GET" ? new Promise(() => {}) : real(url, options);
                    """)
                try await browser.goTo(tab: tabs.new)
                try await browser.guess(guesses[1], 2)
                let board = try await browser.board()
                try await browser.goTo(tab: tabs.old)
                try await browser.type(guesses[2] + "\n")
                try await browser.wait(for: "You played on in another window", in: "#message")
                #expect(try await browser.board() == board + [guesses[2].uppercased()])
                #expect(try await browser.newestGame(by: tabs.new).guesses.map(\.word) == Array(guesses.prefix(2)))
            }
        }

        @Test("a device that is signed out elsewhere says so, and goes on as a new player if it must")
        func signedOut() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let _: AnyAnswer = try await browser.ask("DELETE", "sessions/current")
                try await browser.type("crane\n")
                try await browser.wait(for: "document.querySelector('#lost').open")
                try await browser.click("#lost > .content > .button")
                try await browser.wait(for: "enough for six", in: "#panel")
                try await browser.start()
                #expect(try await browser.text(of: "#energy-amount") == "25")
            }
        }
    }
}

extension Browser {
    fileprivate func newestGame(by tab: String) async throws -> GameAnswer {
        try await goTo(tab: tab)
        return try await newestGame()
    }
}
