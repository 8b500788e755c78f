import Testing

extension PageTests {
    @Suite("The page of the API")
    struct DocumentationTests {
        private func show(_ body: (PlayedService, Browser) async throws -> Void) async throws {
            try await play(on: Browser.Device(width: 1280)) { service, browser in
                try await browser.open(service.address)
                try await browser.run("location.assign('docs')")
                try await browser.wait(for: "document.querySelector('#search') !== null")
                try await body(service, browser)
                #expect(try await browser.complaints() == [])
            }
        }

        private static let shown =
            "[...document.querySelectorAll('article')].filter((a) => a.offsetParent !== null).map((a) => a.id)"

        @Test("what is typed is found by name and by what it says, and one operation is shown at a time, or all")
        func found() async throws {
            try await show { _, browser in
                try await browser.fill("#search", "recovery-code")
                let links =
                    "[...document.querySelectorAll('nav li li')].filter((i) => !i.hidden).map((i) => i.textContent)"
                let found = try await browser.value(links, as: [String].self)
                #expect(found.contains { $0.contains("recovery-code") } && found.count < 10, "\(found)")
                try await browser.run("document.querySelector('nav a[href=\"#renewRecoveryCode\"]').click()")
                try await browser.wait(for: "\(Self.shown).join() === 'renewRecoveryCode'")
                try await browser.click("#everything")
                try await browser.wait(for: "\(Self.shown).length > 50")
                #expect(
                    try await browser.value("document.querySelector('nav a[aria-current]').hash")
                        == "#renewRecoveryCode")
            }
        }

        @Test("this service can be tried: a player is made, and their token asks who they are")
        func tried() async throws {
            try await show { service, browser in
                try await browser.run("location.hash = 'createPlayer'")
                try await browser.run("document.querySelector('#createPlayer > details:last-of-type').open = true")
                try await browser.wait(for: "document.querySelector('#createPlayer form') !== null")
                #expect(
                    try await browser.value("document.querySelector('#createPlayer textarea').value", as: String.self)
                        .contains("Ada"))
                try await browser.click("#createPlayer form button")
                try await browser.wait(
                    for: "document.querySelector('#createPlayer form pre').textContent.startsWith('201 ')")
                #expect(try await service.playerCount() == 1)
                let said: String = try await browser.value(
                    "document.querySelector('#createPlayer form pre').textContent")
                let token = try #require(said.firstMatch(of: #/jt_[A-Za-z0-9_-]{43}/#)?.output)
                try await browser.run("location.hash = 'readPlayer'")
                try await browser.run("document.querySelector('#readPlayer > details:last-of-type').open = true")
                try await browser.wait(for: "document.querySelector('#readPlayer form') !== null")
                try await browser.fill("#readPlayer form input", String(token))
                try await browser.click("#readPlayer form button")
                try await browser.wait(
                    for: "document.querySelector('#readPlayer form pre').textContent.startsWith('200 ')")
                let answer: String = try await browser.value(
                    "document.querySelector('#readPlayer form pre').textContent")
                #expect(answer.contains(#""name": "Ada""#), "\(answer)")
            }
        }
    }
}
