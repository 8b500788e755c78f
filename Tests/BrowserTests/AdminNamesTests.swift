import Foundation
import TestSupport
import Testing

extension PageTests {
    @Suite("Names and roles on the admin page", .everyLayout)
    struct AdminNamesTests {
        /// A browser that is signed in with a key of a role, and a player of /v2 with a name.
        private func administer(
            as role: String = "owner", on device: Browser.Device = Browser.Device(width: 1280),
            _ body: (PlayedService, Browser, _ id: String, _ name: String) async throws -> Void
        ) async throws {
            try await play(on: device) { service, browser in
                let uuid = UUID().uuidString.lowercased()
                let (id, name) = ("\(uuid.prefix(14))8\(uuid.dropFirst(15))", "Zoë <b> \(uuid.prefix(8))")
                try await service.psql(
                    """
                    SELECT create_player('\(id)', '\(name)', NULL, sha256('\(id)') || convert_to('\(id)', 'UTF8'),
                        gen_random_uuid(), sha256('code \(id)'))
                    """)
                let key = try await service.addAdminKey("key-\(uuid.prefix(8))", role: role)
                try await browser.open(service.adminAddress, until: "document.querySelector('#key')")
                try await browser.fill("#key", key + "\n")
                let first = role == "words" ? "[name=word]" : "#live-services td"
                try await browser.wait(for: "document.querySelector('\(first)')")
                try await body(service, browser, id, name)
            }
        }

        private func go(_ browser: Browser, to part: String, _ expression: String) async throws {
            try await browser.run("location.hash = '\(part)'")
            try await browser.wait(for: expression)
        }

        @Test("a player is found by a part of the name without accents, renamed, hidden and shown again")
        func name() async throws {
            try await administer { service, browser, id, name in
                try await go(browser, to: "players", "document.querySelector('[name=search]')")
                try await browser.fill("[name=search]", name.replacing("Zoë", with: "OE").uppercased() + "\n")
                try await browser.wait(for: "the name", in: "main tbody")
                #expect(try await browser.text(of: "main td a") == name, "markup is text")
                try await browser.click("main td:nth-child(2) a")
                try await browser.wait(for: "document.querySelector('#name')")
                try await browser.fill("#name [name=reason]", "rude")
                try await browser.run(
                    """
                    const [form, button] = [document.querySelector('#name'), document.querySelector('#name [value=hide]')];
                    form.requestSubmit(button); form.requestSubmit(button);
                    """)
                try await browser.wait(for: "The name is Player", in: "#name .message")
                try await browser.wait(for: "Hidden: \(name)", in: "#name-state")
                #expect(try await browser.text(of: "main h1").hasPrefix("Player "))
                try await browser.fill("#name [name=reason]", "a mistake")
                try await browser.click("#name [value=show]")
                try await browser.wait(for: "The name is \(name).", in: "#name .message")
                #expect(try await browser.text(of: "main h1") == name)
                try await browser.fill("#name [name=name]", "Zoë Two")
                try await browser.fill("#name [name=reason]", "asked for it")
                try await browser.click("#name [value=rename]")
                try await browser.wait(for: "The name is Zoë Two.", in: "#name .message")
                #expect(
                    try await service.psql(
                        "SELECT string_agg(action, ' ' ORDER BY id) FROM admin_actions WHERE user_id = '\(id)'")
                        == "name.hide name.show name.rename")
                try await browser.wait(for: "gave Zoë Two another name", in: "#done")
                #expect(try await browser.complaints() == [])
            }
        }

        @Test("a refused text is added, leads to the players who have it in their names, and is allowed again")
        func parts() async throws {
            try await administer { service, browser, _, name in
                let part = String(name.suffix(8))
                try await go(browser, to: "names", "document.querySelector('#parts .list')")
                try await browser.fill("#part [name=part]", part.uppercased())
                try await browser.fill("#part [name=reason]", "rude")
                try await browser.click("#part [value=refuse]")
                try await browser.wait(for: "Refused: \(part.uppercased()).", in: "#part .message")
                #expect(try await service.psql("SELECT player_name('x \(part) y') IS NULL") == "t")
                try await browser.click("#parts a[href='#players/\(part.uppercased())']")
                try await browser.wait(for: name, in: "main td a")
                try await go(browser, to: "names", "document.querySelector('#part')")
                try await browser.fill("#part [name=part]", part)
                try await browser.fill("#part [name=reason]", "fine")
                try await browser.click("#part [value=allow]")
                try await browser.wait(for: "Allowed again: \(part).", in: "#part .message")
                #expect(try await service.psql("SELECT player_name('x \(part) y') IS NULL") == "f")
                try await browser.fill("#part [name=part]", "é")
                try await browser.fill("#part [name=reason]", "x")
                try await browser.click("#part [value=refuse]")
                try await browser.wait(for: "has 2 to 24 characters", in: "#part .message")
            }
        }

        @Test("names are found page by page, and a deleted player by the operators' actions")
        func pages() async throws {
            try await administer(on: Browser.Device(width: 320)) { service, browser, id, name in
                // Without a text, the newest are listed.
                try await go(browser, to: "players", "document.querySelector('main td a')")
                #expect(try await browser.text(of: "main h2") == "The newest players")
                #expect(try await browser.value("document.querySelectorAll('main th').length") == 4)
                let mark = name.suffix(8)
                try await service.psql(
                    """
                    SELECT count(create_player(other, 'M\(mark) ' || n, NULL, sha256(other::bytea) || other::bytea, gen_random_uuid(),
                        sha256(('code ' || other)::bytea)))
                    FROM (SELECT n, overlay(gen_random_uuid()::text PLACING '8' FROM 15) AS other FROM generate_series(1, 44) AS n) AS o
                    """)
                try await go(browser, to: "players/\(mark)", "document.querySelectorAll('main tbody tr').length === 20")
                try await browser.click("main .list > .button")
                try await browser.wait(for: "document.querySelectorAll('main tbody tr').length === 40")
                try await browser.click("main .list > .button")
                try await browser.wait(for: "document.querySelectorAll('main tbody tr').length === 45")
                #expect(try await browser.value("document.querySelector('main .list > .button').hidden") == true)
                #expect(try await browser.value("document.documentElement.scrollWidth") <= 320)

                try await service.psql(
                    """
                    SELECT record_action('os:test', 'name.hide', '\(id)', NULL, 'ticket 9', NULL, NULL, NULL);
                    SELECT delete_user('\(id)', E'deleted\\t\(mark)')
                    """)
                try await go(browser, to: "players/\(id)", "document.querySelector('#former li')")
                #expect(try await browser.text(of: "#former").contains("hid the name of \(id)"))
                #expect(try await browser.text(of: "#former").contains("ticket 9"))
                #expect(!(try await browser.text(of: "main")).contains(name))
                try await Axe().check(browser, "a deleted player")
                #expect(try await browser.value("document.documentElement.scrollWidth") <= 320)
            }
        }

        @Test(
            "the page has no views and forms for what the key may not do, whatever the address says",
            arguments: [
                ("support", ["Live", "Players", "Together", "Names"]), ("words", ["Words"]),
                ("owner", ["Live", "Figures", "Players", "Together", "Names", "Words", "Audit trail"]),
            ])
        func roles(role: String, parts: [String]) async throws {
            try await administer(as: role) { _, browser, id, name in
                try await browser.wait(for: "document.querySelectorAll('nav a').length === \(parts.count)")
                let shown = "[...document.querySelectorAll('nav a')].map((link) => link.textContent)"
                #expect(try await browser.value(shown) == parts)
                #expect(try await browser.text(of: "main h1") == parts[0])
                #expect(try await browser.text(of: "nav [aria-current]") == parts[0])
                if role == "words" {
                    for part in ["player/\(id)", "live"] {
                        try await browser.run("document.querySelector('main h1').textContent = 'before'")
                        try await go(browser, to: part, "document.querySelector('main h1')?.textContent === 'Words'")
                        #expect(!(try await browser.text(of: "main")).contains(name))
                    }
                }
                if role == "support" {
                    try await go(browser, to: "player/\(id)", "document.querySelector('#done p')")
                    #expect(try await browser.text(of: "main h1") == name)
                    try await go(browser, to: "trail", "document.querySelector('main h1')?.textContent === 'Live'")
                }
                #expect(try await browser.complaints() == [])
            }
        }
    }
}
