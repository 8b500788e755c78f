import TestSupport
import Testing

extension PageTests {
    @Suite("The lottery", .everyLayout)
    struct LotteryTests {
        private static let names = ["Jack Alexy", "Mia Chen", "Noor Haddad", "Olga Petrova", "Sam O''Neill"]

        private func show(
            _ names: [String] = names, void: Set<String> = [], on device: Browser.Device = Browser.Device(),
            settings: [String: String] = [:], _ body: (PlayedService, Browser) async throws -> Void
        ) async throws {
            try await play(on: device, settings: settings) { service, browser in
                try await service.beginLottery(names, void: void)
                try await body(service, browser)
            }
        }

        private static let checked = "Checked here: all 10 rounds follow from the seal."

        @Test("two windows see the same ten names and the same winner, and each checks the draw itself")
        func twoWindows() async throws {
            try await show { service, browser in
                try await Browser.with(Browser.Device(width: 1280)) { other in
                    try await browser.openLottery(service)
                    try await other.openLottery(service)
                    #expect(try await browser.text(of: "#note") == "Draw 1 · 5 take part")
                    try await browser.wait(for: "document.querySelectorAll('.chip').length === 5")
                    try await browser.startLottery()
                    for window in [browser, other] {
                        try await window.waitForStage("winner")
                        try await window.wait(for: Self.checked, in: ".verdict")
                    }
                    let rounds = try await service.rounds(of: 1)
                    #expect(rounds.count == 10)
                    let expected = Dictionary(uniqueKeysWithValues: rounds.enumerated().map { ($0 + 1, $1) })
                    #expect(try await browser.shownRounds() == expected)
                    #expect(try await other.shownRounds() == expected)
                    #expect(try await other.text(of: ".card") == rounds.last)
                    #expect(try await other.text(of: "#announcer").contains("wins. Checked here"))
                    try await browser.click("#seal")
                    try await browser.click("#sealed summary")
                    #expect(
                        try await browser.text(of: "#seed")
                            == service.psql("SELECT encode(seed, 'hex') FROM lottery_draws WHERE number = 1"))
                    #expect(try await browser.complaints() == [])
                    let addresses = try await browser.requestedAddresses()
                    #expect(addresses.filter { !$0.hasPrefix(service.address) } == [])
                }
            }
        }

        @Test("a draw that the command line starts shows at once, and a reload in its midst goes on with it")
        func elsewhere() async throws {
            try await show { service, browser in
                try await browser.openLottery(service)
                async let command = service.drawLottery()
                let start = ContinuousClock.now
                try await browser.waitForDraw()
                #expect(ContinuousClock.now - start < .seconds(4), "the command's own start included")
                #expect(try await browser.text(of: "#announcer") == "The draw has started.")
                try await browser.waitForStage("round")
                try await browser.openLottery(service, until: "round")
                let before = try await browser.shownRounds()
                try await browser.waitForStage("winner")
                let rounds = try await service.rounds(of: 1)
                #expect(try await browser.text(of: ".card") == rounds.last)
                let shown = try await browser.shownRounds()
                #expect(shown.count >= before.count && shown[10] == rounds.last)
                for (round, name) in shown { #expect(rounds[round - 1] == name) }
                try await browser.wait(for: Self.checked, in: ".verdict")
                #expect(try await command.contains(rounds[9]))
            }
        }

        @Test("after a draw the next can be started, below the result of the last, which a newcomer can check")
        func next() async throws {
            try await show { service, browser in
                try await browser.openLottery(service)
                try await service.startDraw(1)
                try await browser.waitForStage("winner")
                let winner = try await browser.text(of: ".card")
                try await browser.run("document.querySelector('.rounds summary').focus()")
                // The pause is over. What is read stays.
                try await service.psql(
                    "UPDATE lottery_draws SET started_at = started_at - interval '40 s' WHERE number = 1")
                try await browser.waitForStage("landing")
                #expect(try await browser.text(of: ".card") == winner)
                #expect(try await browser.value("document.activeElement.matches('.rounds summary')", as: Bool.self))
                #expect(try await browser.text(of: "#note") == "Draw 2 · 5 take part")
                try await Browser.with { newcomer in
                    try await newcomer.openLottery(service)
                    try await newcomer.wait(for: "\(winner) won.", in: "#last")
                    try await newcomer.click("#last .quiet")
                    // The newcomer did not see the seal before that draw, and says so.
                    try await newcomer.wait(for: "this browser did not see the seal before the draw", in: "#last")
                    #expect(try await newcomer.text(of: "#last").contains("All 10 rounds follow from the seal"))
                    try await newcomer.startLottery()
                    try await newcomer.waitForDraw()
                }
                try await browser.waitForDraw()
                #expect(try await service.psql("SELECT max(number) FROM lottery_draws") == "3")
            }
        }

        @Test("of many who take part sixty are shown, and any can be searched for, also while others come")
        func search() async throws {
            let names = (1...75).map { "Player \($0)" } + ["Zoë Ångström"]
            try await show(names, on: Browser.Device(width: 320, height: 568)) { service, browser in
                try await browser.openLottery(service)
                try await browser.wait(for: "and 16 more", in: ".chips")
                #expect(try await browser.value("document.querySelectorAll('.chip:not(.is-rest)').length") == 60)
                // Taking part is what is seen first, and starting a draw comes last.
                #expect(
                    try await browser.value(
                        """
                        (([first, ...others]) => first.matches("#invitation *") && first.getBoundingClientRect().bottom < innerHeight
                            && others.at(-1).matches("#starting details:not([open]) *"))([...document.querySelectorAll("main .button")])
                        """, as: Bool.self))
                try await browser.click("#search")
                try await browser.type("zoe ang")
                try await browser.wait(for: "document.querySelectorAll('.chip').length === 1")
                #expect(try await browser.text(of: ".chip") == "Zoë Ångström")
                try await browser.run("window.field = document.activeElement")
                // What others do takes neither focus nor text from the field.
                try await service.importLottery(names + ["Zoe Angel"])
                try await browser.wait(for: "document.querySelectorAll('.chip').length === 2")
                #expect(try await browser.value("document.activeElement === window.field", as: Bool.self))
                try await browser.type("x")
                try await browser.wait(for: "No name matches.", in: ".chips")
                #expect(try await browser.value("document.documentElement.scrollWidth") <= 320)
            }
        }

        @Test("a page that is opened in the midst of a draw shows who takes part, and all rounds when it is over")
        func late() async throws {
            try await show { service, browser in
                try await service.startDraw(1)
                try await browser.open(
                    service.address + "lottery", until: "document.querySelector('#stage')?.dataset.state === 'round'")
                try await browser.wait(for: "document.querySelectorAll('.chip').length === 5")
                try await browser.waitForStage("winner")
                try await browser.wait(for: "document.querySelectorAll('.rounds li').length === 10")
                try await browser.click(".rounds summary")
                #expect(
                    try await browser.value(
                        "[...document.querySelectorAll('.rounds li')].map((round) => round.innerText)")
                        == service.rounds(of: 1))
            }
        }

        @Test("an entry that is void leaves the draw without a winner")
        func noWinner() async throws {
            try await show(["Mia Chen"], void: ["Mia Chen"]) { service, browser in
                try await browser.openLottery(service)
                try await browser.wait(for: "document.querySelectorAll('.chip.is-void s').length === 1")
                try await browser.startLottery()
                try await browser.waitForStage("noWinner")
                #expect(try await browser.text(of: "#stage h3") == "Nobody wins")
                try await browser.wait(for: Self.checked, in: ".verdict")
                let told = try await browser.text(of: "#announcer")
                #expect(told.hasPrefix("Nobody wins: the entry of Mia Chen is void."))
            }
        }

        @Test("nobody takes part: nothing can be started, until somebody does; with a prize, operators start the draw")
        func empty() async throws {
            try await show([]) { service, browser in
                try await browser.openLottery(service)
                try await browser.wait(for: "nobody takes part yet", in: "#note")
                #expect(try await browser.value("document.querySelector('#starting').hidden", as: Bool.self))
                try await service.psql(
                    "SELECT import_lottery('tests', '{1}', '{Mia}', '{mia}', '{2020-10-19}', '{1}', '{false}')")
                try await browser.wait(for: "!document.querySelector('#starting').hidden")
                try await browser.wait(for: "Mia", in: ".chips")
                try await service.psql("SELECT announce_prize('tests', 50)")
                try await browser.wait(for: "document.querySelector('#starting').hidden")
                #expect(try await browser.text(of: ".prize") == "The prize: 50 energy.")
                #expect(try await browser.text(of: "#stage .fine").contains("started by the operator"))
            }
        }

        @Test("the player of this browser takes part, once, and finds themselves in the list")
        func takePart() async throws {
            try await show { service, browser in
                try await browser.open(service.address + "lottery", until: "document.querySelector('#players .chip')")
                #expect(try await browser.value("document.querySelector('#enter') === null", as: Bool.self))
                try await browser.open(service.address + "#game")
                try await browser.start()
                try await browser.open(service.address + "lottery", until: "document.querySelector('#enter')")
                try await browser.click("#enter")
                try await browser.wait(for: "You take part.", in: "#taking-part")
                try await browser.wait(for: "document.querySelectorAll('.chip').length === 6")
                #expect(try await browser.text(of: ".chip.is-me").hasSuffix(" (you)"))
                try await browser.wait(for: "6 take part", in: "#note")
                #expect(try await service.psql("SELECT count(*) FROM lottery_entries") == "6")
            }
        }

        @Test("without network it says so, and catches up when it is back")
        func network() async throws {
            try await show { service, browser in
                try await browser.openLottery(service)
                try await service.startDraw(1)
                try await browser.waitForStage("round")
                try await browser.setOffline(true)
                try await browser.wait(for: "No connection", in: "#banner")
                try await browser.setOffline(false)
                try await browser.waitForStage("winner")
                try await browser.wait(for: "document.querySelector('#banner').textContent === ''")
                try await browser.wait(for: Self.checked, in: ".verdict")
            }
        }

        @Test("a service that dies in the midst of a draw goes on with it, and so does the page")
        func outage() async throws {
            try await show { service, browser in
                try await browser.openLottery(service)
                try await service.startDraw(1)
                try await browser.waitForStage("round")
                service.kill()
                try await browser.wait(for: "cannot be reached", in: "#banner")
                try await service.start()
                try await browser.waitForStage("winner")
                try await browser.wait(for: Self.checked, in: ".verdict")
                #expect(try await browser.text(of: ".card") == service.rounds(of: 1).last)
                #expect(try await browser.value("document.querySelector('#banner').textContent") == "")
            }
        }

        @Test(
            "a draw that was tampered with does not fit its seal, and the page says so",
            arguments: [
                "rounds = rounds[2:10] || rounds[1]", "winner = CASE WHEN winner = 1 THEN 2 ELSE 1 END",
                "seed = sha256('other')",
            ])
        func tampered(change: String) async throws {
            try await show { service, browser in
                try await browser.openLottery(service)
                try await service.startDraw(1)
                try await browser.waitForStage("round")
                try await service.psql(
                    """
                    UPDATE lottery_draws SET \(change) WHERE number = 1;
                    UPDATE lottery_draws SET commitment = sha256(seed) WHERE number = 1
                    """)
                try await browser.wait(for: "does not fit its seal", in: ".verdict")
            }
        }

        @Test("axe finds nothing to object to, and nothing is wider than the page", arguments: [320, 1280])
        func everybody(width: Int) async throws {
            let long = "Wolfeschlegelsteinhausenbergerdorff of the Extraordinarily Long Name"
            try await show(Self.names + [long], void: ["Mia Chen"], on: Browser.Device(width: width)) {
                service, browser in
                let axe = try Axe()
                func check(_ place: String) async throws {
                    try await axe.check(browser, "lottery, \(place), \(width)")
                    #expect(try await browser.value("document.documentElement.scrollWidth") <= width, "\(place)")
                }
                try await browser.openLottery(service)
                try await browser.wait(for: "document.querySelector('.chip')")
                try await check("landing")
                try await service.startDraw(1)
                try await browser.waitForStage("round")
                try await browser.run(
                    "document.querySelector('.card').textContent = '\(long)'")
                #expect(try await browser.value("document.documentElement.scrollWidth") <= width, "round")
                try await browser.wait(for: "document.querySelector('.verdict')")
                try await check("result")
                try await browser.click("#seal")
                try await browser.click("#sealed summary")
                try await check("sealed")
            }
        }

        @Test("below a base path, by the link on the game's page, and without a trace of it where it is turned off")
        func ways() async throws {
            try await show(settings: ["JULIET_HTTP_BASE_PATH": "/prod"]) { service, browser in
                try await browser.open(service.address)
                try await browser.click(".way-out a")
                try await browser.wait(for: "document.querySelector('#stage')?.dataset.state === 'landing'")
                #expect(try await browser.value("location.pathname") == "/prod/lottery")
                try await browser.startLottery()
                try await browser.waitForStage("round")
                try await browser.click(".way")
                try await browser.wait(for: "document.querySelector('#board')")
                #expect(try await browser.complaints() == [])
            }
            let service = try await PlayedService.start(["JULIET_LOTTERY_ENABLED": "false"])
            for path in ["/lottery", "/lottery/events", "/lottery/draws/1", "/pages/0/lottery.js"] {
                #expect(try await service.status(of: path) == 404, "\(path)")
            }
        }

        @Test("where the browser computes no digests the page does, and checks the draw")
        func plain() async throws {
            try await show { service, browser in
                try await browser.open(
                    "http://juliet.test:\(service.port)/lottery",
                    until: "document.querySelector('#stage')?.dataset.state === 'landing'")
                try await browser.startLottery()
                try await browser.waitForStage("winner")
                try await browser.wait(for: "Checked here: all 10 rounds follow from the seal", in: ".verdict")
                try await browser.click("#seal")
                try await browser.click("#sealed summary")
                try await browser.wait(for: "| xxd -r -p | sha256sum", in: "#sealed")
            }
        }
    }
}
