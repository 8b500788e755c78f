import TestSupport
import Testing

extension PageTests {
    @Suite("The keyboard", .defaultLayout("about the browser, not the database"))
    struct KeyboardTests {
        @Test("Enter submits the guess after a click on whatever button, link or dialog")
        func enterAfterClicks() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let guesses = words(otherThan: try await service.secret(of: browser.newestGame()))
                // A dialog that a click opened, closed by its cross, by Escape, by a click beside.
                for (index, closing) in ["cross", "Escape", "beside"].enumerated() {
                    try await browser.type(guesses[index])
                    try await browser.openDialog(["help", "statistics", "leaderboards"][index])
                    switch closing {
                    case "cross": try await browser.click("dialog[open] [aria-label=Close]")
                    case "Escape": try await browser.closeDialog()
                    default: try await browser.clickAt(x: 4, y: 4)
                    }
                    try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                    try await browser.type("\n")
                    try await browser.waitForGuesses(index + 1)
                    #expect(try await browser.value("document.querySelector('dialog[open]') === null", as: Bool.self))
                }
                // A link to where one is.
                try await browser.click(".tabs [href='#game']")
                try await browser.type(guesses[3] + "\n")
                try await browser.waitForGuesses(4)
                // Keys on the screen, and then Enter of the real keyboard.
                for letter in guesses[4] { try await browser.click("[data-letter=\(letter)]") }
                try await browser.type("\n")
                try await browser.waitForGuesses(5)
            }
        }

        @Test("Enter presses a button that was reached by Tab, and typing goes on with the word")
        func enterByTab() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let guess = words(otherThan: try await service.secret(of: browser.newestGame()))[0]
                try await browser.type(String(guess.prefix(2)))
                try await browser.reload()
                try await browser.type("\t\n")
                try await browser.wait(for: "document.querySelector('#help').open")
                try await browser.closeDialog()
                try await browser.type(guess.dropFirst(2) + "\n")
                try await browser.waitForGuesses(1)
                #expect(try await browser.value("document.querySelector('dialog[open]') === null", as: Bool.self))
            }
        }

        @Test("Enter once more, by a key or on the screen, says nothing after a guess; too few letters are told")
        func enterTwice() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let guesses = words(otherThan: try await service.secret(of: browser.newestGame()))
                try await browser.run(
                    """
                    window.said = [];
                    new MutationObserver(() => window.said.push(document.querySelector("#message").textContent))
                        .observe(document.querySelector("#message"), { childList: true });
                    """)
                try await browser.type(guesses[0] + "\n\n")
                try await browser.waitForGuesses(1)
                try await browser.type("\n")
                for letter in guesses[1] { try await browser.click("[data-letter=\(letter)]") }
                for _ in 0..<2 { try await browser.click("[data-key=enter]") }
                try await browser.waitForGuesses(2)
                try await browser.click("[data-key=enter]")
                #expect(try await browser.value("window.said.filter(Boolean)", as: [String].self) == [])
                try await browser.type(guesses[2].prefix(4) + "\n")
                try await browser.wait(for: "The word has 5 letters", in: "#message")
                #expect(try await browser.newestGame().guesses.count == 2)
                #expect(try await browser.complaints() == [])
            }
        }

        @Test("Enter that is held down presses a button once")
        func enterHeld() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                for (isRepeat, selector) in [(true, "#panel .button"), (true, ".tabs a"), (false, "#panel .button")] {
                    let isStopped: Bool = try await browser.value(
                        """
                        (() => {
                            const held = new KeyboardEvent("keydown",
                                { key: "Enter", repeat: \(isRepeat), bubbles: true, cancelable: true });
                            document.querySelector("\(selector)").dispatchEvent(held);
                            return held.defaultPrevented;
                        })()
                        """)
                    #expect(isStopped == isRepeat, "\(selector)")
                }
            }
        }

        @Test("letters of another alphabet are told, not typed")
        func otherLayouts() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                for letter in ["ж", "λ", "ü", "あ"] {
                    try await browser.type(letter)
                    try await browser.wait(for: "No word here has the letter \(letter)", in: "#message")
                }
                try await browser.wait(for: "These words are English", in: "#message")
                #expect(try await browser.board() == [])
                try await browser.type("c")
                #expect(try await browser.board() == ["C"])
                #expect(try await browser.text(of: "#message") == "")
            }
        }

        @Test("what is pasted is typed, as far as words have its letters and there is room")
        func paste() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let guess = words(otherThan: try await service.secret(of: browser.newestGame()))[0]
                try await browser.paste("ж, λ")
                try await browser.wait(for: "No word here has the letter ж", in: "#message")
                try await browser.paste(" \(guess.uppercased().prefix(3))-ж")
                try await browser.paste("\(guess.suffix(2))qqq")
                try await browser.type("\n")
                try await browser.waitForGuesses(1)
                #expect(try await browser.newestGame().guesses.map(\.word) == [guess])
                // A field of a dialog takes what is pasted into it.
                try await browser.openDialog("settings")
                try await browser.run("document.querySelector('#settings [autocomplete=nickname]').focus()")
                try await browser.paste("crane")
                try await browser.closeDialog()
                #expect(try await browser.board().count == 1)
            }
        }

        @Test("a language without keys of its own has a field for its letters, whatever they are")
        func field() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                #expect(try await browser.value("document.querySelector('#keyboard input') === null", as: Bool.self))
                try await service.psql(
                    "UPDATE judged_games SET language = 'cs' WHERE id = '\(browser.newestGame().id)'")
                try await browser.reload()
                try await browser.click("#keyboard input")
                try await browser.type("žluť1")
                #expect(try await browser.board() == ["ŽLUŤ"])
                #expect(try await browser.value("document.querySelector('#keyboard input').value") == "žluť")
                try await browser.click("[data-letter=e]")
                #expect(try await browser.value("document.querySelector('#keyboard input').value") == "žluťe")
                try await browser.type("\u{8}\u{8}")
                #expect(try await browser.board() == ["ŽLU"])
                #expect(try await browser.complaints() == [])
            }
        }

        @Test(
            "a list's letters that no layout has are keys, by the alphabet and as the script runs; they are enough to play"
        )
        func ownLetters() async throws {
            try await play { service, browser in
                let georgian = ["წყალი", "ვაშლი", "თბილი"]
                try await service.psql(
                    """
                    INSERT INTO words (language, word, is_secret)
                    SELECT 'ka', word, true FROM unnest('{\(georgian.joined(separator: ","))}'::text[]) AS word;
                    INSERT INTO words (language, word, is_secret)
                    VALUES ('fa', 'کتاب', true), ('fa', 'دانش', true), ('en', 'señor', false);
                    SELECT refresh_word_lists()
                    """)
                let service = try await service.restarted([:])
                func start(_ language: String, _ length: Int) async throws -> (GameAnswer, rows: [String]) {
                    try await browser.run(
                        "localStorage.setItem('juliet.list', JSON.stringify({ language: '\(language)', length: \(length) }))"
                    )
                    try await browser.reload()
                    try await browser.start()
                    let rows: [String] = try await browser.value(
                        """
                        [...document.querySelectorAll("#keyboard .keys")].map((row) => [...row.children]
                            .sort((one, other) => one.getBoundingClientRect().left - other.getBoundingClientRect().left)
                            .map(({ dataset }) => dataset.letter ?? " ").join(""))
                        """)
                    #expect(
                        try await browser.value("document.querySelector('#keyboard input') === null", as: Bool.self))
                    let game = try await browser.newestGame()
                    #expect(game.language == language)
                    return (game, rows)
                }
                func press(_ word: String, _ number: Int) async throws {
                    for letter in word { try await browser.click("[data-letter=\(letter)]") }
                    try await browser.click("[data-key=enter]")
                    try await browser.waitForGuesses(number)
                }

                try await browser.open(service.address + "#game")
                let (english, added) = try await start("en", 5)
                #expect(added == ["qwertyuiop", "asdfghjkl", "zxcvbnm", " ñ "])
                try await press("señor", 1)
                try await browser.guess(service.secret(of: english), 2)
                try await browser.wait(for: "You solved it in 2", in: "#panel")

                let (game, rows) = try await start("ka", 5)
                #expect(rows == ["აბვთილ", " ყშწ "])
                let secret = try await service.secret(of: game)
                try await press(georgian.first { $0 != secret } ?? "", 1)
                try await browser.reload()
                try await browser.type("ж")
                try await browser.wait(for: "No word here has the letter ж", in: "#message")
                try await browser.click("[data-letter=წ]")
                #expect(try await browser.board().last == "წ")
                try await browser.click("[data-key=erase]")
                try await press(secret, 2)
                try await browser.wait(for: "You solved it in 2", in: "#panel")

                let (persian, row) = try await start("fa", 4)
                #expect(row == [String(" ابتدشکن ".reversed())], "from right to left")
                let word = try await service.secret(of: persian)
                for letter in word { try await browser.click("[data-letter=\(letter)]") }
                try await browser.click("[data-key=enter]")
                try await browser.wait(for: "You solved it in 1", in: "#panel")
                #expect(try await browser.complaints() == [])
            }
        }

        @Test("the message about a guess is gone when the next one turns")
        func message() async throws {
            try await play(on: Browser.Device(hasMotion: true)) { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let guess = words(otherThan: try await service.secret(of: browser.newestGame()))[0]
                try await browser.type("qqqqq\n")
                try await browser.wait(for: "Not in the word list", in: "#message")
                try await browser.type("\u{8}\u{8}\u{8}\u{8}\u{8}" + guess + "\n")
                try await browser.wait(for: "document.querySelector('.row.is-turned') !== null")
                #expect(try await browser.text(of: "#message") == "")
            }
        }
    }
}
