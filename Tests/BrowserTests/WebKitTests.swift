import TestSupport
import Testing

#if os(Linux)
    extension PageTests {
        @Suite("In WebKit", .defaultLayout("about the browser, not the database"))
        struct WebKitTests {
            @Test("a whole game, signing out with the code noted, and recovery; every picture is seen in its shape")
            func game() async throws {
                let service = try await PlayedService.start()
                try await Browser.withWebKit { browser in
                    try await browser.open(service.address + "#game")
                    #expect(try await browser.misshapenPictures() == [])
                    try await browser.start()
                    #expect(try await browser.misshapenPictures() == [])
                    let secret = try await service.secret(of: browser.newestGame())
                    let guess = words(otherThan: secret)[0]
                    try await browser.guess(guess, 1)
                    for letter in secret { try await browser.click("[data-letter=\(letter)]") }
                    try await browser.click("[data-key=enter]")
                    try await browser.waitForGuesses(2)
                    try await browser.wait(for: "You solved it in 2", in: "#panel")
                    try await browser.wait(for: "Seal verified", in: "#panel")
                    let board = try await browser.board()

                    try await browser.openDialog("settings")
                    #expect(try await browser.misshapenPictures() == [])
                    try await browser.click("#settings .sign-out")
                    let code = try await browser.showCode(in: "#leave")
                    try await browser.click("#sign-out-now")
                    try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                    try await browser.wait(for: "You start with enough for six", in: "#panel")

                    try await browser.openDialog("settings")
                    try await browser.click("#settings input[required]")
                    try await browser.type(code.lowercased() + "\n")
                    try await browser.wait(for: "document.querySelector('#energy-amount').textContent === '25'")
                    let game = try await browser.newestGame()
                    try await browser.open(service.address + "#game/\(game.id)")
                    try await browser.wait(for: "You solved it in 2", in: "#panel")
                    #expect(try await browser.board() == board)
                    for page in ["lottery", "docs"] {
                        try await browser.open(
                            service.address + page, until: "document.querySelector('#stage .lots, main h1')")
                        #expect(try await browser.misshapenPictures() == [], "\(page)")
                    }
                }
            }
        }
    }
#endif
