import Foundation
import TestSupport
import Testing

extension PageTests {
    @Suite("The page of the API", .defaultLayout("about the browser, not the database"))
    struct DocumentationTests {
        private func show(
            width: Int = 1280, height: Int = 900, _ body: (PlayedService, Browser) async throws -> Void
        ) async throws {
            try await play(on: Browser.Device(width: width, height: height)) { service, browser in
                try await browser.open(service.address)
                try await browser.run("location.assign('docs')")
                try await browser.wait(for: Self.isThere("The API"))
                try await body(service, browser)
                // What is refused, a browser complains of.
                #expect(try await browser.complaints().filter { !$0.contains("status of 422") } == [])
            }
        }

        private static func isThere(_ heading: String) -> String {
            "document.querySelector('main h1')?.textContent === '\(heading)'"
        }

        /// Goes to an operation, a type or another view, and waits until it is shown.
        private func go(_ name: String, _ browser: Browser, until condition: String? = nil) async throws {
            try await browser.run("location.hash = '\(name)'")
            try await browser.wait(for: condition ?? "document.querySelector('#operation-\(name)') !== null")
        }

        /// The names in the contents that are not hidden.
        private static let listed =
            "[...document.querySelectorAll('#groups li')].filter((i) => i.offsetParent !== null).map((i) => i.querySelector('a').hash.slice(1))"

        @Test("what is typed is found by path, parameter, type and problem, and one operation is shown at a time")
        func found() async throws {
            try await show { _, browser in
                for (text, name) in [
                    ("recovery-code", "renewRecoveryCode"), ("guess-hard", "guess"), ("StartedGame", "startGame"),
                    ("lottery draws POST", "startDraw"), ("handleEnergyPurchase", "iAPManager"),
                ] {
                    try await browser.fill("#search", text)
                    try await browser.wait(for: "\(Self.listed).includes('\(name)') && \(Self.listed).length < 12")
                }
                try await browser.fill("#search", "renewRecoveryCode")
                try await browser.wait(for: "\(Self.listed).length === 1")
                try await browser.type("\n")
                try await browser.wait(for: "document.querySelector('#operation-renewRecoveryCode') !== null")
                #expect(try await browser.value("document.querySelectorAll('main article').length") == 1)
                #expect(
                    try await browser.value("document.querySelector('#groups [aria-current]').hash")
                        == "#renewRecoveryCode")
                #expect(try await browser.value("document.activeElement.tagName") == "H1")
                #expect(try await browser.value("document.title.startsWith('Makes a new recovery code')") == true)
                // An address of its own, which goes back and can be opened at once.
                try await browser.goBack()
                try await browser.wait(for: Self.isThere("The API"))
                try await browser.run("location.hash = 'problem-guess-hard'")
                try await browser.wait(for: "document.querySelector('#problem-guess-hard.is-meant') !== null")
            }
        }

        @Test("every operation of the description is in the contents, and shows what to ask and what is answered")
        func whole() async throws {
            try await show { _, browser in
                let operations =
                    "Object.entries(description.paths).flatMap(([path, item]) => Object.values(item).map((said) => ({ path, said })))"
                try await browser.run(
                    "return fetch('openapi.json').then((r) => r.json()).then((d) => { description = d; })")
                try await browser.run(
                    """
                    go = async (name) => {
                        location.hash = name;
                        await new Promise((done) => addEventListener('hashchange', done, { once: true }));
                        for (const fold of document.querySelectorAll('main details')) fold.open = true;
                        const text = document.querySelector('main').textContent;
                        return { text, faults: text.includes('undefined') || text.includes('[object') ? [`${name}: its text`] : [] };
                    };
                    goToOperation = async ({ path, said }) => {
                        const name = said.operationId;
                        const { text, faults } = await go(name);
                        if (!document.querySelector(`#groups a[href="#${name}"]`)) faults.push(`${name} is not listed`);
                        for (const part of [path, said.summary, 'curl -s', ...Object.keys(said.responses), 'Try it']) {
                            if (!text.includes(part)) faults.push(`${name}: ${part}`);
                        }
                        const answers = Object.values(said.responses).flatMap((answer) => Object.values(answer.content ?? {}));
                        if (answers.some((media) => media.examples) && !document.querySelector('.shown [aria-label="Answer"]')) {
                            faults.push(`${name}: no example`);
                        }
                        return faults;
                    };
                    """)
                let count: Int = try await browser.value("\(operations).length")
                #expect(count > 50)
                for index in 0..<count {
                    #expect(try await browser.value("goToOperation(\(operations)[\(index)])") == [String]())
                }
                for name in try await browser.value("Object.keys(description.components.schemas)", as: [String].self) {
                    #expect(try await browser.value("go('\(name)').then(({ faults }) => faults)") == [String]())
                }
            }
        }

        @Test("types unfold, as deep as they go, and say where they are used")
        func types() async throws {
            try await show { _, browser in
                try await go("Challenge", browser, until: Self.isThere("Challenge"))
                try await browser.run("document.querySelector('main .fold').open = true")
                try await browser.wait(for: "document.querySelector('main .fold .members .name') !== null")
                #expect(
                    try await browser.value(
                        "[...document.querySelectorAll('.operations a')].map((a) => a.hash).includes('#readChallenge')")
                        == true)
            }
        }

        @Test(
            "this service can be tried: a player is made, plays on by the links of an answer, and their token stays in the tab"
        )
        func tried() async throws {
            try await show { service, browser in
                try await go("createPlayer", browser)
                #expect(
                    try await browser.value("document.querySelector('.try textarea').value", as: String.self)
                        .contains("Ada"))
                try await browser.click(".try .is-main")
                try await browser.wait(for: "document.querySelector('.try .status')?.textContent === '201'")
                #expect(try await service.playerCount() == 1)
                try await browser.click(".answer > button")
                try await browser.wait(for: "document.querySelector('.answer > [role=status]') !== null")
                try await go("startGame", browser)
                try await browser.click(".try .is-main")
                try await browser.wait(for: "document.querySelector('.try .status')?.textContent === '201'")
                let game: String = try await browser.value(
                    "document.querySelector('.answer pre').textContent.match(/\"id\": \"([^\"]+)\"/)[1]")
                try await browser.click(".answer a[href=\"#guess\"]")
                try await browser.wait(for: "document.querySelector('#operation-guess') !== null")
                #expect(try await browser.value("document.querySelector('.try [name=id]').value") == game)
                // What is typed in a shell follows the form, and has no token in it.
                try await browser.fill(".try textarea", #"{"word": "zzzzz"}"#)
                let shell: String = try await browser.value("document.querySelector('[aria-label=curl]').textContent")
                #expect(shell.contains("/v2/games/\(game)/guesses") && shell.contains(#"-d '{"word": "zzzzz"}'"#))
                #expect(shell.contains("Bearer $TOKEN") && !shell.contains("jt_"))
                try await browser.click(".try .is-main")
                try await browser.wait(for: "document.querySelector('.try .status')?.textContent === '422'")
                #expect(
                    try await browser.value("Object.values(localStorage).some((value) => value.includes('jt_'))")
                        == false)
                #expect(try await browser.value("sessionStorage.length") == 1)
                let addresses = try await browser.requestedAddresses()
                #expect(addresses.filter { !$0.hasPrefix(service.address) } == [])
                // Whoever clears the field has it forgotten.
                try await browser.fill(".try [name=token]", "\u{E003}")
                #expect(try await browser.value("sessionStorage.length") == 0)
            }
        }

        @Test("the lottery's events are shown as they come, until somebody stops them")
        func events() async throws {
            try await show { _, browser in
                try await go("watchLottery", browser)
                try await browser.click(".try .is-main")
                try await browser.wait(
                    for: "document.querySelector('.answer pre')?.textContent.includes('\"state\":\"landing\"')")
                try await browser.click(".try .buttons button:last-child")
                try await browser.wait(for: "document.querySelector('.try .is-main').disabled === false")
            }
        }

        @Test("what it says to type in a shell works")
        func shell() async throws {
            try await show { service, browser in
                let made = try await command("createPlayer", browser)
                let player = try await run(made)
                let token = try #require(player.firstMatch(of: #/jt_[A-Za-z0-9_-]{43}/#)?.output)
                for (operation, part) in [
                    ("readPlayer", #""name":"Ada""#), ("startGame", #""commitment":"#),
                    ("listGames", #""state":"playing""#),
                    ("readToday", #""tomorrow":"#), ("createLeague", #""invite":"#),
                    ("renamePlayer", #""name":"Ada L.""#),
                    ("authenticateUser", #""dynamoDBInvocationHttpsStatusCode":200"#),
                    ("readLotteryUsers", #""items":"#),
                    ("deletePlayer", ""),
                ] {
                    let said = try await run("TOKEN=\(token)\n" + command(operation, browser))
                    #expect(part.isEmpty ? said.isEmpty : said.contains(part), "\(operation): \(said)")
                }
                // A parameter that nobody has filled in is a variable.
                let game = try await command("readGame", browser)
                #expect(game.contains("/v2/games/'\"$ID\"'"))
            }
        }

        private func command(_ operation: String, _ browser: Browser) async throws -> String {
            try await go(operation, browser)
            return try await browser.value("document.querySelector('[aria-label=curl]').textContent")
        }

        private func run(_ command: String) async throws -> String {
            try await Command.run(["bash", "-c", command])
        }

        @Test("on a phone the contents are behind a button, and the keyboard does it all")
        func phone() async throws {
            try await show(width: 320, height: 640) { _, browser in
                #expect(
                    try await browser.value("document.querySelector('#contents').getClientRects().length === 0") == true
                )
                try await browser.click("#toggle")
                try await browser.wait(for: "document.querySelector('#toggle').ariaExpanded === 'true'")
                try await browser.click("#groups summary")
                try await browser.click("#groups details[open] li:last-child a")
                try await browser.wait(for: "document.querySelector('#operation-readService') !== null")
                #expect(try await browser.value("document.querySelector('#toggle').ariaExpanded") == "false")
                #expect(try await browser.value("document.documentElement.scrollWidth") <= 320)
                try await browser.type("/")
                try await browser.wait(for: "document.activeElement.id === 'search'")
            }
        }
    }
}
