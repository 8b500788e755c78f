import TestSupport
import Testing

extension PageTests {
    @Suite("The word of the day", .everyLayout)
    struct DailyTests {
        @Test("is played once a player and day, whatever is loaded, opened or signed in anew")
        func once() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                #expect(try await browser.text(of: "#note").contains("left"))
                try await browser.start()
                #expect(try await browser.text(of: "#energy-amount") == "30")
                let game = try await browser.newestGame()
                #expect(game.kind == "daily")
                let secret = try await service.secret(of: game)
                try await browser.guess(secret, 1)
                try await browser.wait(for: "You solved it in 1", in: "#panel")
                try await browser.wait(for: "The next word of the day comes in", in: "#panel")
                let board = try await browser.board()

                try await browser.click("[href='#game']")
                try await browser.wait(for: "You have 35.", in: "#panel")
                try await browser.click("[href='#daily']")
                try await browser.wait(for: "You solved it in 1", in: "#panel")
                try await browser.reload()
                try await browser.wait(for: "You solved it in 1", in: "#panel")
                #expect(try await browser.board() == board)
                #expect(try await browser.text(of: "#panel").contains("Seal verified"))
                let again: Started = try await browser.ask("POST", "daily/game")
                #expect(again.game.id == game.id)

                try await browser.click("[data-opens=leaderboards]")
                try await browser.wait(for: "Player", in: "#leaderboards tr.is-me")
                try await browser.type("\u{E00C}")
                try await browser.click("[data-opens=settings]")
                let code = try await browser.showCode(in: "#settings")
                try await Browser.with { other in
                    try await other.open(service.address)
                    try await other.click("[data-opens=settings]")
                    try await other.click("#settings input[required]")
                    try await other.type("AAAAA-AAAAA-AAAAA-AAAAA\n")
                    try await other.wait(for: "That code is not valid", in: "#settings")
                    try await other.run("document.querySelector('#settings input[required]').value = ''")
                    try await other.type(code.lowercased() + "\n")
                    try await other.wait(for: "You solved it in 1", in: "#panel")
                    #expect(try await other.board() == board)
                }
            }
        }

        @Test("a name given is the name on the board, and one that is refused says why")
        func rename() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                try await browser.start()
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.openDialog("settings")
                try await browser.run("document.querySelector('#settings input').value = ' '")
                try await browser.click("#settings form .button")
                try await browser.wait(for: "A name has 1 to 24 characters", in: "#settings")
                try await browser.run("document.querySelector('#settings input').value = '<b>Capulet</b>'")
                try await browser.click("#settings form .button")
                try await browser.wait(for: "Renamed.", in: "#settings")
                try await browser.click("#settings [aria-label=Close]")
                try await browser.click("[data-opens=leaderboards]")
                try await browser.wait(for: "<b>Capulet</b>", in: "#leaderboards tr.is-me")
            }
        }

        private struct Started: Decodable, Sendable { let game: GameAnswer }
    }
}
