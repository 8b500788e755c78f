import TestSupport
import Testing

extension PageTests {
    @Suite("The seal", .defaultLayout("about the browser, not the database"))
    struct SealTests {
        @Test("is verified only where the commitment was seen before the end, and its line opens to the proof")
        func honest() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let game = try await browser.newestGame()
                try await browser.guess(service.secret(of: game), 1)
                try await browser.wait(for: "Seal verified", in: "#panel .verdict")
                try await browser.click("#panel .verdict button")
                try await browser.wait(for: "document.querySelector('#sealed #verdict')")
                #expect(try await browser.text(of: "#sealed #verdict").contains("Seal verified"))
                // The proof is for those who want it.
                #expect(try await browser.value("document.querySelector('#sealed details').open") == false)
                try await browser.click("#sealed summary")
                #expect(try await browser.text(of: "#opened").hasSuffix(":" + service.secret(of: game)))
                try await browser.closeDialog()
                try await browser.openDialog("settings")
                let code = try await browser.showCode(in: "#settings")

                // Another device sees the game only when it is over.
                try await Browser.with { other in
                    try await other.open(service.address)
                    try await other.openDialog("settings")
                    try await other.click("#settings input[required]")
                    try await other.type(code + "\n")
                    try await other.wait(for: "document.querySelector('dialog[open]') === null")
                    try await other.open(service.address + "#game/\(game.id)")
                    try await other.wait(for: "not seen from the beginning", in: "#panel .verdict")
                    #expect(try await !other.text(of: "#panel").contains("verified"))
                    try await other.click("#panel .verdict button")
                    try await other.click("#sealed summary")
                    try await other.wait(for: "only after the game was over", in: "#sealed")
                    // It stays so, however often it is looked at.
                    try await other.closeDialog()
                    try await other.reload()
                    try await other.wait(for: "not seen from the beginning", in: "#panel .verdict")
                }
            }
        }
    }
}
