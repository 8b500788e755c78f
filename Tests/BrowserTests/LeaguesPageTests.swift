import TestSupport
import Testing

@testable import juliet

extension PageTests {
    @Suite("Leagues", .everyLayout)
    struct LeaguesPageTests {
        @Test(
            "a link asks before anybody joins; the table shows what members do while one looks, today for who has played, and a tap on a name what is known of a member"
        )
        func together() async throws {
            try await play { service, ada in
                try await ada.open(service.address)
                let link = try await ada.makeLeague("The Crew")
                #expect(link.hasPrefix(service.address + "#league/"))
                #expect(link.suffix(9).wholeMatch(of: /[0-9A-Z]{4}-[0-9A-Z]{4}/) != nil)
                try await Browser.with { bob in
                    try await bob.follow(link, until: "You are invited to this league.")
                    #expect(try await bob.text(of: "#panel h3") == "The Crew")
                    #expect(try await bob.text(of: "#panel").contains("1 member"))
                    #expect(try await service.psql("SELECT count(*) FROM league_members") == "1")
                    // Enter twice joins once.
                    try await bob.run(
                        """
                        const ask = window.fetch;
                        window.joins = 0;
                        window.fetch = (address, options) => {
                            if (String(address).endsWith("/join")) window.joins += 1;
                            return ask(address, options);
                        };
                        const form = document.querySelector("#panel form");
                        form.requestSubmit();
                        form.requestSubmit();
                        """)
                    try await bob.wait(for: "document.querySelectorAll('#together .standing tr.is-me').length === 1")
                    #expect(try await bob.value("window.joins") == 1)
                    try await bob.wait(for: "document.querySelectorAll('#together .standing tbody tr').length === 2")
                    #expect(try await bob.value("location.hash") == "#daily")
                    // Nothing manages a league but its owner.
                    #expect(try await bob.text(of: "#together .link") == "")
                    // Who made the league looks at it still.
                    try await ada.wait(for: "document.querySelectorAll('#together .standing tbody tr').length === 2")

                    try await ada.closeDialog()
                    try await ada.playToday(service, after: ["floor", "stool"])
                    try await bob.wait(for: "1 of 2 has played today’s word.", in: "#together .standing")
                    #expect(try await bob.value("document.querySelectorAll('#together .standing th').length") == 3)
                    #expect(
                        try await bob.table("#together .standing").allSatisfy {
                            $0.hasPrefix("1 ") && $0.hasSuffix(" 0")
                        })
                    #expect(try await bob.text(of: "#together .standing").contains("once you have played too"))
                    // Today alone has no table yet; and what cannot be loaded says so.
                    try await bob.click("#together [value=day]")
                    try await bob.wait(
                        for:
                            "document.querySelector('#together .standing a') && !document.querySelector('#together .standing table')"
                    )
                    try await bob.setBlocked("*/table*")
                    try await bob.click("#together [value=week]")
                    try await bob.wait(for: "There is no connection.", in: "#together .standing [role=alert]")
                    try await bob.setBlocked()
                    try await bob.click("#together .standing button")
                    try await bob.wait(for: "document.querySelector('#together .standing table')")
                    _ = try await bob.complaints()
                    // The way to play closes the dialog.
                    try await bob.click("#together .standing a")
                    try await bob.wait(for: "document.querySelector('dialog[open]') === null")
                    try await bob.playToday(service)
                    try await bob.openTogether("leagues")
                    try await bob.click("#together .entry")
                    try await bob.wait(for: "document.querySelectorAll('#together .pattern').length === 2")
                    #expect(
                        try await bob.table("#together .standing").map { $0.split(separator: " ").suffix(2) } == [
                            ["▪", "6"], ["▪▪▪", "4"],
                        ])
                    // A member opens by the keyboard too, is read out, and stays open in another period.
                    try await bob.run("document.querySelector('#together tbody tr:last-child summary').focus()")
                    try await bob.type("\n")
                    let about = "#together tbody tr:last-child .about"
                    try await bob.wait(for: "Today: 3 of 6", in: about)
                    let told: String = try await bob.value("document.querySelector('\(about)').textContent")
                    for part in ["4 points", "1 day played, 1 won", "Guess 3: 5 in place, 0 elsewhere"] {
                        #expect(told.contains(part))
                    }
                    #expect(try await bob.value("document.querySelector('\(about)').getAttribute('role')") == "status")
                    try await bob.click("#together [value=month]")
                    try await bob.wait(for: "document.querySelectorAll('#together .pattern').length === 3")
                    #expect(try await bob.complaints() == [])
                    // The link again, of who is a member already.
                    try await bob.closeDialog()
                    try await bob.follow(link, until: "You are invited to this league.")
                    try await bob.click("#panel .button.is-main")
                    try await bob.wait(for: "document.querySelectorAll('#together .standing tbody tr').length === 2")
                    #expect(try await service.psql("SELECT count(*) FROM league_members") == "2")
                }
            }
        }

        @Test("a name that is refused is followed by one that is not, and the league is made once")
        func refusedName() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                try await browser.openTogether("leagues")
                try await browser.fill("#together form input", String(repeating: "a", count: 41) + "\n")
                try await browser.wait(for: "At most 40 characters.", in: "#together form")
                try await browser.fill("#together form input", "The Crew\n")
                try await browser.wait(for: "The Crew", in: "#together h3")
                #expect(try await service.psql("SELECT count(*) FROM leagues") == "1")
            }
        }

        @Test("the QR code is the one that the program makes of the link, module by module")
        func code() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                let link = try await browser.makeLeague("The Crew")
                let code = try #require(QRCode(link))
                let path: String = try await browser.value("document.querySelector('.qr path').getAttribute('d')")
                var expected = ""
                for row in 0..<code.size {
                    for column in 0..<code.size where code[row, column] { expected += "M\(column) \(row)h1v1h-1z" }
                }
                #expect(path == expected)
                #expect(
                    try await browser.value("document.querySelector('.qr').getAttribute('viewBox')")
                        == "-4 -4 \(code.size + 8) \(code.size + 8)")
                // Dark on light, whatever the colours are.
                try await browser.setDark(true)
                #expect(
                    try await browser.value(
                        "((style) => [style.fill, style.backgroundColor])(getComputedStyle(document.querySelector('.qr')))"
                    ) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"])
            }
        }

        @Test("the owner renames, removes, makes a new invite and ends the league, each but the first after a question")
        func owner() async throws {
            try await play { service, ada in
                try await ada.open(service.address)
                let link = try await ada.makeLeague("The Crew")
                try await Browser.with { bob in
                    try await bob.follow(link, until: "You are invited to this league.")
                    try await bob.click("#panel .button.is-main")
                    try await bob.wait(for: "document.querySelectorAll('#together .standing tbody tr').length === 2")

                    try await ada.click("#together .managing summary")
                    try await ada.wait(for: "document.querySelectorAll('#together .members li').length === 2")
                    try await ada.fill("#together .managing form input", " ")
                    try await ada.type("\n")
                    try await ada.wait(
                        for: "At least one character must be visible.", in: "#together .managing form")
                    try await ada.fill("#together .managing form input", "<i>Crew</i>")
                    try await ada.type("\n")
                    try await ada.wait(for: "document.querySelector('#together h3').textContent === '<i>Crew</i>'")
                    try await ada.click("#together .managing summary")
                    try await ada.wait(for: "document.querySelector('#together .members button')")
                    try await ada.click("#together .members button")
                    try await ada.wait(for: "Remove Player", in: "#together .members")
                    #expect(try await service.psql("SELECT count(*) FROM league_members") == "2")
                    try await ada.click("#together .members .is-danger")
                    try await ada.wait(
                        for: "document.querySelector('#together .link .code').textContent !== \(link.literal)")
                    #expect(try await service.psql("SELECT count(*) FROM league_members") == "1")
                    // Who was removed, and looks, is told so; the invite they had is none any more.
                    try await bob.wait(for: "You are not in this league any more.", in: "#together")
                    try await bob.closeDialog()
                    try await bob.open(link)
                    try await bob.reload()
                    try await bob.wait(for: "This invite is not valid any more, or never was.", in: "#panel")

                    let second = try await ada.text(of: "#together .link .code")
                    try await ada.click("#together .managing summary")
                    try await ada.press("New invite")
                    try await ada.wait(
                        for: "document.querySelector('#together .link .code').textContent !== \(second.literal)")
                    try await ada.click("#together .managing summary")
                    try await ada.press("End the league")
                    try await ada.wait(for: "document.querySelector('#together .entry') === null")
                    try await ada.wait(for: "Make a league", in: "#together")
                    #expect(try await service.psql("SELECT count(*) FROM leagues") == "0")
                }
            }
        }

        @Test("a member joins by a code that is typed, leaves after a question, and is told what is no invite")
        func member() async throws {
            try await play { service, ada in
                try await ada.open(service.address)
                let link = try await ada.makeLeague("The Crew")
                let code = String(link.suffix(9))
                try await Browser.with { bob in
                    try await bob.open(service.address)
                    try await bob.openTogether("leagues")
                    try await bob.fill("#together form:last-of-type input", "0000-0000\n")
                    try await bob.wait(
                        for: "This invite is not valid any more, or never was.", in: "#together form:last-of-type")
                    // A name is asked for first, and one that cannot be is refused before anybody joins.
                    try await bob.run("document.querySelector('#together [name=name]').value = 'B\u{200B}ob'")
                    try await bob.fill("#together form:last-of-type input", code.lowercased() + "\n")
                    try await bob.wait(
                        for: "The character U+200B (ZERO WIDTH SPACE) is not allowed", in: "#together form:last-of-type"
                    )
                    #expect(try await service.psql("SELECT count(*) FROM league_members") == "1")
                    try await bob.run("document.querySelector('#together [name=name]').value = 'Bob'")
                    try await bob.fill("#together form:last-of-type input", code.lowercased() + "\n")
                    try await bob.wait(for: "The Crew", in: "#together h3")
                    try await bob.click("#together .managing summary")
                    try await bob.wait(for: "document.querySelectorAll('#together .members li').length === 2")
                    #expect(try await bob.text(of: "#together .members").contains("Bob"))
                    #expect(
                        try await bob.value(
                            "document.querySelector('#together .members button') === null", as: Bool.self))
                    try await bob.press("Leave the league")
                    try await bob.wait(for: "Make a league", in: "#together")
                    #expect(try await service.psql("SELECT count(*) FROM league_members") == "1")
                }
            }
        }

        @Test("where leagues are off the page shows none, and where challenges are off too, no such button")
        func off() async throws {
            try await play(settings: ["JULIET_PLAY_LEAGUES": "off"]) { service, browser in
                try await browser.open(service.address)
                try await browser.openDialog("together")
                try await browser.wait(for: "Make a challenge", in: "#together")
                #expect(
                    try await browser.value("document.querySelector('#together [name=part]') === null", as: Bool.self))
                #expect(try await !browser.text(of: "#together").contains("eague"))
            }
            try await play(settings: ["JULIET_PLAY_LEAGUES": "off", "JULIET_PLAY_CHALLENGES": "off"]) {
                service, browser in
                try await browser.open(service.address)
                #expect(try await browser.value("document.querySelectorAll('.tool[data-opens]').length") == 5)
                #expect(
                    try await browser.value(
                        "document.querySelector('.tool[data-opens=together]') === null", as: Bool.self))
            }
        }
    }
}

extension Browser {
    /// Presses a button of the league's owner, or a member's, that asks first, and says yes.
    fileprivate func press(_ text: String) async throws {
        let button =
            "[...document.querySelectorAll('#together .managing .asking button')].find((one) => one.textContent === \(text.literal))"
        try await wait(for: button)
        try await run("\(button).click()")
        try await wait(for: "document.querySelector('#together .asking .is-danger + button')")
        try await run("document.querySelector('#together .asking:has(.is-danger + button) .is-danger').click()")
    }
}
