import TestSupport
import Testing

extension PageTests {
    @Suite("Challenges", .everyLayout)
    struct ChallengePageTests {
        /// Makes a challenge in the dialog, of a word or of one that is dealt, and returns its link.
        private func make(_ browser: Browser, _ service: PlayedService, word: String = "") async throws -> String {
            try await browser.open(service.address)
            try await browser.openTogether("challenges")
            if !word.isEmpty { try await browser.chooseOwnWord(word) }
            try await browser.click("#together form .is-main")
            try await browser.wait(for: "Your challenge", in: "#panel")
            return try await browser.text(of: "#panel .link .code")
        }

        /// Notes how long a condition of a page takes to come true, in seconds.
        private func time(_ action: () async throws -> Void) async throws -> Double {
            let start = ContinuousClock.now
            try await action()
            return start.duration(to: .now) / .seconds(1)
        }

        @Test(
            "one that is dealt is paid once, played by a link, by its maker too, and each sees the results at the end")
        func dealt() async throws {
            try await play { service, ada in
                let link = try await make(ada, service)
                #expect(link.hasPrefix(service.address + "c/"))
                #expect(link.suffix(9).wholeMatch(of: /[0-9A-Z]{4}-[0-9A-Z]{4}/) != nil)
                #expect(try await ada.text(of: "#energy-amount") == "25")
                try await ada.click("#panel .button.is-main")
                try await ada.wait(for: "!document.querySelector('#keyboard').hidden")
                #expect(try await ada.text(of: "#heading") == "A challenge")
                // Who plays looks at no results.
                #expect(try await ada.value("document.querySelector('#panel').childElementCount") == 0)
                let game = try await ada.newestGame()
                #expect(game.kind == "challenge")
                let secret = try await service.secret(of: game)
                try await Browser.with { bob in
                    try await bob.follow(link, until: "challenges you")
                    #expect(try await bob.text(of: "#panel").contains("1 player has begun"))
                    // Nobody is known by a name that the service made; who likes to be known says so before the first guess.
                    #expect(try await bob.text(of: "#panel h3") == "Somebody challenges you")
                    try await bob.fill("#panel [name=name]", "Bob\n")
                    try await bob.wait(for: "!document.querySelector('#keyboard').hidden")
                    try await bob.guess(words(otherThan: secret)[0], 1)
                    try await bob.guess(secret, 2)
                    try await bob.wait(for: "document.querySelectorAll('.results tbody tr').length === 1")
                    #expect(try await bob.text(of: "#energy-amount") == "30")

                    try await ada.guess(secret, 1)
                    try await ada.wait(for: "document.querySelectorAll('.results tbody tr').length === 2")
                    let rows = try await ada.table(".results")
                    #expect(rows[0].hasPrefix("1 ") && rows[1].hasPrefix("2 "))
                    #expect(rows[0].contains("▪ 1 ") && rows[1].contains("Bob▪▪ 2 "), "\(rows)")
                    #expect(try await ada.value("document.querySelector('.results tr.is-me').rowIndex") == 1)
                    // Who looks sees the other come in.
                    try await bob.wait(for: "document.querySelectorAll('.results tbody tr').length === 2")
                    #expect(try await bob.text(of: "#panel").contains("Seal verified"))
                    try await bob.openTogether("challenges")
                    try await bob.wait(for: "2 of 6", in: "#together .games")
                    #expect(try await bob.complaints() == [])
                }
            }
        }

        @Test(
            "a link by its code opens the challenge at the page's own address: to be loaded again, and to come back from",
            arguments: ["", "/prod"])
        func link(basePath: String) async throws {
            let settings = basePath.isEmpty ? [:] : ["JULIET_HTTP_BASE_PATH": basePath]
            try await play(settings: settings) { service, ada in
                let code = try await make(ada, service).suffix(9)
                try await Browser.with { bob in
                    try await bob.open(service.address)
                    try await bob.wait(for: "Find today’s word", in: "#panel")
                    try await bob.follow("\(service.address)c/\(code)", until: "challenges you")
                    #expect(try await bob.value("location.href") == "\(service.address)#challenge/\(code)")
                    #expect(try await bob.value("document.baseURI === location.href", as: Bool.self))
                    try await bob.reload()
                    try await bob.wait(for: "challenges you", in: "#panel")
                    try await bob.click("#panel .button.is-main")
                    try await bob.wait(for: "!document.querySelector('#keyboard').hidden")
                    try await bob.goBack()
                    try await bob.wait(for: "Find today’s word", in: "#panel")
                    #expect(try await bob.complaints() == [])

                    // Over or gone, it is the same page.
                    try await service.psql(
                        "UPDATE challenges SET created_at = created_at - interval '9 days', ends_at = now()")
                    try await bob.open("\(service.address)c/\(code)")
                    try await bob.wait(for: "!document.querySelector('#keyboard').hidden")
                    try await bob.follow(
                        "\(service.address)c/0000-0000", until: "This challenge was deleted, or never existed")
                    // It has counted once, and is asked for when it is wanted again.
                    let asked =
                        "performance.getEntriesByType('resource').some(({ name }) => name.includes('/challenges/'))"
                    #expect(try await !bob.value(asked, as: Bool.self))
                    try await bob.run("location.hash = 'challenge/0000-0001'")
                    try await bob.wait(for: asked)
                    try await bob.wait(for: "This challenge was deleted, or never existed", in: "#panel")
                }
            }
        }

        @Test("a word of one's own is played by the others, and its maker sees each result within three seconds")
        func ownWord() async throws {
            try await play { service, ada in
                let link = try await make(ada, service, word: "spool")
                #expect(try await ada.text(of: "#panel").contains("The word is SPOOL."))
                #expect(try await ada.value("document.querySelector('#panel .button.is-main') === null", as: Bool.self))
                try await Browser.with { bob in
                    try await bob.follow(link, until: "challenges you")
                    #expect(try await bob.text(of: "#panel").contains("One word of 5 letters"))
                    try await bob.click("#panel .button.is-main")
                    try await bob.wait(for: "!document.querySelector('#keyboard').hidden")
                    try await ada.wait(for: "1 player has begun", in: ".results")
                    try await bob.type("spool\n")
                    let seconds = try await time {
                        try await ada.wait(for: "document.querySelectorAll('.results tbody tr').length === 1")
                    }
                    #expect(seconds <= 3)
                    // What did not change is not sent again.
                    let asked =
                        "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/challenges/')).length"
                    let count: Int = try await ada.value(asked)
                    _ = try await ada.receivedBytes()
                    try await ada.wait(for: "\(asked) >= \(count + 2)")
                    #expect(try await ada.receivedBytes() < 2_000)
                }
            }
        }

        @Test("a refusal says why: an unknown word, too little energy, an unknown code")
        func refused() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                try await browser.openTogether("challenges")
                try await browser.chooseOwnWord("\n")
                try await browser.wait(for: "Write a word first.", in: "#together form")
                try await browser.fill("#together [name=word]", "qqqqq\n")
                try await browser.wait(for: "Not in the word list", in: "#together form")
                for _ in 1...6 { let _: AnyAnswer = try await browser.ask("POST", "challenges") }
                try await browser.fill("#together [name=word]", "spool\n")
                try await browser.wait(for: "A challenge costs 5 energy", in: "#together form")
                try await browser.fill("#together form:last-of-type input", "0000-0000\n")
                try await browser.wait(
                    for: "This challenge was deleted, or never existed", in: "#together form:last-of-type")
                try await browser.closeDialog()
                try await browser.open(service.address + "#challenge/0000-0000")
                try await browser.reload()
                try await browser.wait(for: "This challenge was deleted, or never existed", in: "#panel")
            }
        }

        @Test("a game that is over leads to a challenge to the same word; its maker ends it after a question")
        func afterGame() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let secret = try await service.secret(of: browser.newestGame())
                try await browser.guess(secret, 1)
                try await browser.wait(for: "Challenge friends to this word", in: "#panel")
                try await browser.run(
                    "[...document.querySelectorAll('#panel .quiet')].find((one) => one.textContent.startsWith('Challenge')).click()"
                )
                try await browser.wait(
                    for: "document.querySelector('#together [name=word]')?.value === \(secret.literal)")
                try await browser.click("#together form .is-main")
                try await browser.wait(for: "The word is \(secret.uppercased()).", in: "#panel")
                try await browser.click("#panel .asking button")
                try await browser.wait(for: "will be gone for good", in: "#panel .asking")
                try await browser.click("#panel .asking .is-danger")
                try await browser.wait(for: "document.querySelector('#together').open")
                #expect(try await service.psql("SELECT count(*) FROM challenges WHERE deleted_at IS NULL") == "0")
            }
        }

        @Test("one that is over shows its word and results to everybody, and nobody can begin it")
        func over() async throws {
            try await play { service, ada in
                let link = try await make(ada, service, word: "spool")
                try await Browser.with { bob in
                    try await bob.follow(link, until: "challenges you")
                    try await service.psql(
                        "UPDATE challenges SET created_at = created_at - interval '9 days', ends_at = now()")
                    try await bob.click("#panel .button.is-main")
                    try await bob.wait(for: "This challenge is over.", in: "#panel .outcome")
                    try await bob.reload()
                    try await bob.wait(for: "The word was SPOOL.", in: "#panel")
                    #expect(
                        try await bob.value("document.querySelector('#panel .button.is-main') === null", as: Bool.self))
                    // Hardly anything comes any more, so it is looked at seldom.
                    try await bob.run(
                        """
                        const wait = window.setTimeout;
                        window.waits = [];
                        window.setTimeout = (action, time) => {
                            window.waits.push(time);
                            return wait(action, time);
                        };
                        location.hash = "daily";
                        """)
                    try await bob.wait(for: "Find today’s word", in: "#panel")
                    try await bob.run("location.hash = 'challenge/\(link.suffix(9))'")
                    try await bob.wait(for: "window.waits.includes(60000)")
                }
            }
        }
    }
}
