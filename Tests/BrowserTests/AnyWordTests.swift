import TestSupport
import Testing

extension PageTests {
    @Suite("Challenges of any word, and hints", .everyLayout)
    struct AnyWordTests {
        /// Makes a challenge of a word that is in no list, and returns its link.
        private func make(_ word: String, _ browser: Browser, _ service: PlayedService) async throws -> String {
            try await browser.open(service.address)
            try await browser.openTogether("challenges")
            try await browser.chooseOwnWord(word + "\n")
            try await browser.wait(for: "any letters count as a guess", in: "#together .offer")
            try await browser.click("#together .offer button")
            try await browser.wait(for: "Your challenge", in: "#panel")
            return try await browser.text(of: "#panel .link .code")
        }

        @Test("a word of one's own has a hint, shown before, in and after the game, and its maker a name")
        func hint() async throws {
            try await play { service, ada in
                try await ada.open(service.address)
                try await ada.openTogether("challenges")
                try await ada.chooseOwnWord("spool")
                try await ada.fill("#together [name=hint]", "A Spool of it")
                try await ada.fill("#together [name=name]", "Ada\n")
                try await ada.wait(for: "The hint must not contain the word.", in: "#together form")
                #expect(try await ada.text(of: "#energy-amount") == "30")
                try await ada.fill("#together [name=hint]", "for <b>thread</b>\n")
                try await ada.wait(for: "Hint: for <b>thread</b>", in: "#panel")
                let link = try await ada.text(of: "#panel .link .code")
                // Who has a name is not asked for it again.
                try await ada.openTogether("challenges")
                #expect(try await ada.value("document.querySelector('#together [name=name]') === null", as: Bool.self))
                try await Browser.with { bob in
                    try await bob.follow(link, until: "Ada challenges you")
                    #expect(try await bob.text(of: "#panel .hint") == "Hint: for <b>thread</b>")
                    try await bob.start()
                    #expect(try await bob.text(of: "#hint") == "Hint: for <b>thread</b>")
                    try await bob.guess("spool", 1)
                    try await bob.wait(for: "You solved it in 1", in: "#panel")
                    #expect(try await bob.text(of: "#hint") == "Hint: for <b>thread</b>")
                    // The next game has none.
                    try await bob.run("location.hash = 'daily'")
                    try await bob.wait(for: "Find today’s word", in: "#panel")
                    #expect(try await bob.text(of: "#hint") == "")
                    #expect(try await bob.complaints() == [])
                }
            }
        }

        @Test("a word of no list is offered with what that means; its letters are typed into a field, or pasted")
        func letters() async throws {
            try await play { service, ada in
                try await Browser.with { bob in
                    for (word, guess, shown) in [
                        ("λόγος", "ΛΟ\u{301}ΓΟΣ", "Λ!Ό!Γ!Ο!ς!"), ("ışık", "ışık", "ı!Ş!ı!K!"),
                        ("straße", "STRAßE", "S!T!R!A!ß!E!"), ("שלום", "שלום", "ש!ל!ו!ם!"),
                    ] {
                        let link = try await make(word, ada, service)
                        try await bob.follow(link, until: "Any letters count as a guess.")
                        try await bob.start()
                        try await bob.click("#keyboard .letters")
                        let wrong = String(repeating: "x", count: word.count)
                        try await bob.guess(wrong, 1)
                        #expect(try await bob.value("document.querySelector('#keyboard .letters').value") == "")
                        try await bob.run("document.activeElement.blur()")
                        try await bob.paste("“\(guess)”")
                        try await bob.type("\n")
                        try await bob.waitForGuesses(2)
                        #expect(try await bob.board().last == shown)
                        let direction = word == "שלום" ? "rtl" : "ltr"
                        #expect(try await bob.value("document.querySelectorAll('#board .row')[1].dir") == direction)
                        try await bob.wait(for: "You solved it in 2", in: "#panel")
                        try await bob.wait(for: "document.querySelector('.results tr.is-me')")
                        // No list says how many words were left.
                        #expect(try await bob.value("document.querySelector('.review') === null", as: Bool.self))
                    }
                    #expect(try await bob.complaints() == [])
                }
            }
        }

        @Test("what an input method composes is on the board, and is sent when it is decided on")
        func composition() async throws {
            try await play { service, ada in
                let link = try await make("ひまわり", ada, service)
                try await Browser.with { bob in
                    try await bob.follow(link, until: "Any letters count as a guess.")
                    try await bob.start()
                    try await bob.click("#keyboard .letters")
                    func compose(_ text: String, _ event: String) async throws {
                        try await bob.run(
                            """
                            const field = document.querySelector("#keyboard .letters");
                            field.value = \(text.literal);
                            field.dispatchEvent(\(event));
                            """)
                    }
                    try await compose("ひmawa1", #"new InputEvent("input", { isComposing: true })"#)
                    #expect(try await bob.board() == ["ひMAW"])
                    #expect(try await bob.value("document.querySelector('#keyboard .letters').value") == "ひmawa1")
                    try await compose("ひまわり", #"new CompositionEvent("compositionend")"#)
                    #expect(try await bob.board() == ["ひまわり"])
                    try await bob.type("\n")
                    try await bob.wait(for: "You solved it in 1", in: "#panel")
                }
            }
        }

        @Test("what cannot be any word is not offered to be one")
        func refused() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                try await browser.openTogether("challenges")
                for word in ["abc", "abcdefghi", "ab-cd", "a bcde"] {
                    try await browser.chooseOwnWord(word + "\n")
                    try await browser.wait(for: "A word has 4 to 8 letters", in: "#together form")
                    try await browser.run("document.querySelector('#together form .outcome').textContent = ''")
                }
                #expect(try await browser.value("document.querySelector('.offer').childElementCount") == 0)
            }
        }
    }
}
