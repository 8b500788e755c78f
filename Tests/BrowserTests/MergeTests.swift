import TestSupport
import Testing

extension PageTests {
    @Suite("Two players of one person", .everyLayout)
    struct MergeTests {
        /// Plays as two players, the second of whom plays now, and opens the question whether they are one.
        private func ask(_ service: PlayedService, _ browser: Browser) async throws {
            try await browser.openDialog("settings")
            try await browser.click("#settings .others .merge")
            try await browser.wait(for: "document.querySelector('#merge .merge-now')")
        }

        @Test(
            "become one when the player asks, with all that the other had; while the other plays it is refused, with advice"
        )
        func merge() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let first: Me = try await browser.ask("GET", "players/me")
                let running = try await browser.newestGame()
                let secret = try await service.secret(of: running)
                try await browser.openDialog("settings")
                try await browser.click("#settings .new-player")
                try await browser.wait(for: "Play as \(first.name)", in: "#panel")
                try await browser.start()
                let second: Me = try await browser.ask("GET", "players/me")
                let _: AnyAnswer = try await browser.ask("POST", "games/\(browser.newestGame().id)/resign")

                try await ask(service, browser)
                try await browser.click("#merge summary")
                let question = try await browser.text(of: "#merge")
                for part in [first.name, second.name, "energy that was bought", "this cannot be undone"] {
                    #expect(question.contains(part), "\(part)")
                }
                try await browser.click("#merge .merge-now")
                try await browser.wait(for: "\(first.name) has a game that is not over", in: "#merge")
                #expect(try await service.playerCount() == 2)
                try await browser.click("#merge .quiet")
                try await browser.wait(for: "!document.querySelector('#keyboard').hidden")
                try await browser.guess(secret, 1)
                try await browser.wait(for: "You solved it in 1", in: "#panel")

                // Back to the second one, who gets it all.
                try await browser.openDialog("settings")
                try await browser.click("#settings .others .button")
                try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                try await ask(service, browser)
                try await browser.wait(for: "\(first.name) has 1 game, 1 won.", in: "#merge")
                try await browser.click("#merge .merge-now")
                try await browser.wait(for: "has everything", in: "#merge")
                let merged: Me = try await browser.ask("GET", "players/me")
                #expect(merged.id == second.id && merged.name == second.name)
                #expect(merged.statistics.played == 2 && merged.statistics.won == 1)
                // What was given for being new does not come over.
                #expect(merged.energy == 25)
                try await browser.click("#merge .button")
                try await browser.openDialog("settings")
                #expect(try await browser.value("document.querySelector('#settings .others') === null", as: Bool.self))
                try await browser.closeDialog()
                try await browser.openDialog("statistics")
                try await browser.wait(for: secret.uppercased(), in: "#statistics .games")
            }
        }

        @Test("are kept when the service does not know the other any more, and that is said")
        func gone() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let first: Me = try await browser.ask("GET", "players/me")
                let _: AnyAnswer = try await browser.ask("DELETE", "sessions/current")
                try await browser.run("localStorage.removeItem('juliet.player')")
                try await browser.reload()
                try await browser.start()
                try await ask(service, browser)
                try await browser.click("#merge .merge-now")
                try await browser.wait(for: "\(first.name) was signed out here", in: "#merge")
                #expect(try await service.playerCount() == 2)
                // It is the other's session that is over, not this one.
                #expect(try await browser.value("document.querySelector('#lost').open") == false)
            }
        }

        private struct Me: Decodable, Sendable {
            struct Statistics: Decodable, Sendable { let played, won: Int }
            let id, name: String
            let energy: Int
            let statistics: Statistics
        }
    }
}
