import Foundation
import TestSupport
import Testing

extension PageTests {
    @Suite("The admin page", .everyLayout)
    struct AdminTests {
        /// Signs in with a key on the form that is shown.
        private func signIn(_ browser: Browser, _ key: String) async throws {
            try await browser.fill("#key", key + "\n")
        }

        /// Goes to a part of the page and waits for something there.
        private func go(_ browser: Browser, to part: String, _ expression: String) async throws {
            try await browser.run("location.hash = '\(part)'")
            try await browser.wait(for: expression)
        }

        /// A service, a browser, a person whose key was just made, and a player of the app.
        private func administer(
            on device: Browser.Device = Browser.Device(width: 1280),
            _ body: (PlayedService, Browser, _ name: String, _ player: String) async throws -> Void
        ) async throws {
            try await play(on: device) { service, browser in
                let name = "anna-\(UUID().uuidString.prefix(8))"
                let player = "DEVICE \(UUID().uuidString) <b>/&#?"
                try await service.psql("SELECT register_user('\(player)', NULL, NULL)")
                let key = try await service.addAdminKey(name)
                try await browser.open(service.adminAddress, until: "document.querySelector('#key')")
                try await signIn(browser, key)
                try await browser.wait(for: "document.querySelector('#live-services td')")
                try await body(service, browser, name, player)
            }
        }

        @Test("a wrong key is refused, a valid one opens the page, and signing out ends the session")
        func door() async throws {
            try await play { service, browser in
                let name = "ben-\(UUID().uuidString.prefix(8))"
                let key = try await service.addAdminKey(name)
                try await browser.open(service.adminAddress, until: "document.querySelector('#key')")
                try await signIn(browser, "juliet-admin-wrong")
                try await browser.wait(for: "That key is not valid", in: ".message")
                try await signIn(browser, key)
                try await browser.wait(for: "document.querySelector('#live-services td')")
                #expect(try await browser.text(of: "#who") == name)
                #expect(try await browser.value("document.cookie") == "")
                let stored: String = try await browser.value(
                    "Object.values(sessionStorage).join() + Object.values(localStorage).join()")
                #expect(!stored.contains("juliet-admin-"), "the page keeps no key")
                let kept: String = try await browser.value("sessionStorage.getItem('juliet-admin-session')")
                #expect(kept.count == 64)
                let addresses = try await browser.requestedAddresses()
                let home = "http://127.0.0.1:\(service.adminPort)/"
                #expect(addresses.contains(service.adminAddress) && addresses.allSatisfy { $0.hasPrefix(home) })
                try await browser.click(".who .button")
                try await browser.wait(for: "document.querySelector('#key')")
                #expect(try await browser.value("sessionStorage.length") == 0)
                #expect(
                    try await service.psql(
                        "SELECT count(*) FROM admin_sessions WHERE session_hash = sha256(sha256('\\x\(kept)'))")
                        == "0")
                try await browser.open(service.adminAddress + "#trail", until: "document.querySelector('#key')")
                try await service.revokeAdminKey(name)
            }
        }

        @Test("in German everything is, refusals too, except the manual; another language can be chosen")
        func german() async throws {
            try await play(on: Browser.Device(width: 1280, language: "de-DE")) { service, browser in
                let key = try await service.addAdminKey("anna-\(UUID().uuidString.prefix(8))")
                try await browser.open(service.adminAddress, until: "document.querySelector('#key')")
                try await signIn(browser, "juliet-admin-wrong")
                try await browser.wait(for: "Dieser Schlüssel ist ungültig", in: ".message")
                try await signIn(browser, key)
                try await browser.wait(for: "document.querySelector('#live-services td')")
                #expect(try await browser.value("document.documentElement.lang") == "de")
                #expect(
                    try await browser.value("[...document.querySelectorAll('nav a')].map((link) => link.textContent)")
                        == ["Live", "Zahlen", "Profile", "Gemeinsam", "Namen", "Wörter", "Protokoll"])
                try await go(browser, to: "names", "document.querySelector('#part')")
                try await browser.fill("#part [name=part]", "é")
                try await browser.fill("#part [name=reason]", "x")
                try await browser.click("#part [value=refuse]")
                try await browser.wait(for: "hat 2 bis 24 Zeichen", in: "#part .message")
                try await go(browser, to: "manual/watching/what-grows", "document.querySelector('.manual[lang=en]')")
                #expect(try await browser.text(of: "main").hasPrefix("Das Handbuch ist auf Englisch."))
                try await browser.run(
                    """
                    const choice = document.querySelector(".who .language");
                    choice.value = "en";
                    choice.dispatchEvent(new Event("change"));
                    """)
                try await browser.wait(
                    for: "document.querySelector('nav a[href=\"#trail\"]')?.textContent === 'Audit trail'")
                try await browser.wait(for: "document.querySelector('main h1')?.textContent === 'What grows'")
            }
        }

        @Test("a player is found, granted energy once however often the button is pressed, and the trail says who")
        func grant() async throws {
            try await administer { service, browser, name, player in
                try await browser.click("[href='#players']")
                try await browser.wait(for: "document.querySelector('[name=search]')")
                try await browser.fill("[name=search]", player + "\n")
                try await browser.wait(for: "the id", in: "main tbody")
                try await browser.click("main td a")
                try await browser.wait(for: "document.querySelector('#ledger td')")
                #expect(try await browser.text(of: "#balance") == "30")
                #expect(try await browser.text(of: "main code") == player, "markup is text")
                let reason = "<img src=x onerror=alert(1)> ticket 17"
                try await browser.fill("#grant [name=amount]", "1200")
                try await browser.fill("#grant [name=reason]", reason)
                try await browser.run(
                    "const form = document.querySelector('#grant'); form.requestSubmit(); form.requestSubmit();")
                try await browser.wait(for: "Gave 1,200. The balance is 1,230.", in: "#grant .message")
                #expect(try await browser.text(of: "#balance") == "1,230")
                #expect(try await browser.text(of: "#ledger tbody tr").contains(reason))
                #expect(try await browser.value("document.querySelectorAll('#ledger tbody tr').length") == 2)
                #expect(try await browser.text(of: "#done li").contains("\(name) gave "))
                #expect(try await browser.value("document.querySelectorAll('main img').length") == 0)
                #expect(
                    try await service.psql("SELECT count(*) FROM admin_actions WHERE user_id = '\(player)'") == "1")

                // An answer that is lost: the same once more is the same.
                try await browser.fill("#grant [name=amount]", "5")
                try await browser.fill("#grant [name=reason]", "again")
                try await browser.run(
                    """
                    const real = window.fetch;
                    window.fetch = async (...all) => { await real(...all); window.fetch = real; throw new TypeError(); };
                    """)
                try await browser.click("#grant .button")
                try await browser.wait(for: "It may have taken effect", in: "#grant .message")
                try await browser.click("#grant .button")
                try await browser.wait(for: "It was given before: 5.", in: "#grant .message")
                #expect(try await browser.text(of: "#balance") == "1,235")
                try await go(browser, to: "trail", "document.querySelector('main h1')?.textContent === 'Audit trail'")
                try await browser.wait(for: "again", in: ".sentences")
                #expect(try await browser.complaints() == [])
            }
        }

        @Test("the trail has a sentence for each deed: rules with both values, counts as numbers, digests as they are")
        func trailValues() async throws {
            try await administer { service, browser, name, _ in
                // As apply_rules, end_league, announce_prize and the import of meanings write them.
                let digest = String(repeating: "12e4", count: 16)
                try await service.psql(
                    """
                    SELECT record_action('\(name)', what, NULL, NULL, NULL, details::jsonb, NULL, NULL) FROM (VALUES
                        ('rules.apply', '{"former": {"energy.price": 5, "players.claims": "open"}, "new": {"energy.price": 7, "players.claims": "refuse"}}'),
                        ('league.end', '{"members": 1200}'),
                        ('lottery.announce', '{"prize": 500, "commitment": "\(digest)"}'),
                        ('words.meanings', '{"cleared": 3}')) AS lines (what, details)
                    """)
                try await go(browser, to: "trail", "document.querySelector('.sentences li')")
                let sentences = """
                    [...document.querySelectorAll(".sentences li")].map((line) => [...line.children].map((one) => one.textContent))
                        .filter(([text]) => text.startsWith("\(name) ")).map(([text]) => text.slice(\(name.count + 1)))
                    """
                #expect(
                    try await browser.value(sentences) == [
                        "changed what words mean, . 3 deleted.",
                        "announced a prize of 500 energy for draw . The seal is \(digest).",
                        "ended the league . It had 1,200 members.",
                        "changed the rules. energy.price: 7, before 5. players.claims: refuse, before open.",
                    ])
                // All that there are, of which nothing is known but who did it.
                let kinds: [String] = try await browser.value(
                    """
                    import("/admin/pages/texts-en.js").then((texts) => Object.keys(texts.default)
                        .filter((name) => name.startsWith("deed.") && name !== "deed.other").map((name) => name.slice(5)))
                    """)
                try await service.psql(
                    """
                    SELECT record_action('\(name)', what, NULL, NULL, 'ticket 9', NULL, NULL, NULL)
                    FROM unnest('{\(kinds.joined(separator: ","))}'::text[]) AS what
                    """)
                for language in ["de", "en"] {
                    try await browser.run(
                        """
                        document.querySelector("main h1").textContent = "before";
                        const choice = document.querySelector(".who .language");
                        choice.value = "\(language)";
                        choice.dispatchEvent(new Event("change"));
                        """)
                    let title = language == "de" ? "Protokoll" : "Audit trail"
                    try await browser.wait(for: "document.querySelector('main h1')?.textContent === '\(title)'")
                    try await browser.wait(for: "document.querySelectorAll('.sentences li').length >= \(kinds.count)")
                    let told: [String] = try await browser.value(sentences)
                    #expect(told.count >= kinds.count && told.allSatisfy { $0.hasSuffix(".") }, "\(told)")
                    let broken = ["undefined", "null", "{", " did ", " tat "]
                    #expect(told.filter { one in broken.contains { one.contains($0) } } == [])
                }
                #expect(try await browser.text(of: ".sentences .fine").hasSuffix("UTC. Reason: ticket 9"))
                #expect(try await browser.complaints() == [])
            }
        }

        @Test("a player’s games are shown, but of a running one not the word; ledgers go on page by page")
        func games() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let running = try await browser.newestGame()
                try await service.swap(running, to: "spool")
                try await browser.guess("floor", 1)
                struct Me: Decodable { let id: String }
                let me: Me = try await browser.ask("GET", "players/me")
                try await service.psql(
                    "SELECT change_energy('\(me.id)', 1, 'support', 'x', NULL, NULL) FROM generate_series(1, 60)")
                let key = try await service.addAdminKey("carl-\(UUID().uuidString.prefix(8))")
                try await browser.open(service.adminAddress, until: "document.querySelector('#key')")
                try await signIn(browser, key)
                try await browser.wait(for: "document.querySelector('#live-services td')")
                try await go(browser, to: "player/\(me.id)", "document.querySelector('#games td')")
                #expect(try await browser.value("document.querySelectorAll('#games .mark').length") == 5)
                // The shapes are the game's: round in place, a petal elsewhere, a square not in the word.
                #expect(
                    try await browser.value(
                        """
                        ["correct", "present", "absent"].map((mark) => {
                            const place = document.querySelector("#games .mark").parentElement;
                            const tile = Object.assign(document.createElement("span"), { className: `mark is-${mark}` });
                            place.append(tile);
                            const { borderTopLeftRadius, borderTopRightRadius } = getComputedStyle(tile);
                            tile.remove();
                            return `${borderTopLeftRadius} ${borderTopRightRadius}`;
                        })
                        """) == ["50% 50%", "50% 3px", "3px 3px"])
                #expect(try await browser.text(of: "#games").contains("sealed"))
                #expect(try await browser.text(of: "#games").contains("Ordinary"))
                #expect(try await browser.text(of: ".facts").contains("Refill"))
                #expect(
                    !(try await browser.value("document.documentElement.outerHTML", as: String.self)).contains("spool"))
                #expect(try await browser.value("document.querySelectorAll('#ledger tbody tr').length") == 50)
                try await browser.click("#ledger .list > .button")
                try await browser.wait(for: "document.querySelectorAll('#ledger tbody tr').length === 62")
                #expect(try await browser.value("document.querySelector('#ledger .list > .button').hidden") == true)
            }
        }

        @Test("a word is retired and brought back, and one that is not there can be added")
        func words() async throws {
            try await administer { service, browser, name, _ in
                try await go(
                    browser, to: "words", "document.querySelector('[name=word]') && document.querySelector('main td')")
                try await browser.fill("[name=word]", "Llama\n")
                try await browser.wait(for: "A secret: games deal it.", in: "#word-state")
                try await browser.fill("#word [name=reason]", "complaint 3")
                try await browser.click("#word [value=retire]")
                try await browser.wait(for: "Retired, a secret: no game deals it", in: "#word-state")
                try await browser.wait(for: "Done.", in: "#word .message")
                #expect(try await service.psql("SELECT is_banned FROM words WHERE word = 'llama'") == "t")
                try await browser.fill("#word [name=reason]", "a mistake")
                try await browser.click("#word [value=restore]")
                try await browser.wait(for: "A secret: games deal it.", in: "#word-state")
                let new = "qqq\(["aa", "bb", "cc", "dd"].randomElement() ?? "ee")"
                try await go(browser, to: "words/en%2F\(new)", "document.querySelector('[value=addGuessable]')")
                try await browser.fill("#word [name=reason]", "new")
                try await browser.click("#word [value=addGuessable]")
                try await browser.wait(for: "Guessable only: no game deals it.", in: "#word-state")
                #expect(
                    try await service.psql("SELECT count(*) FROM admin_actions WHERE actor = '\(name)'") == "3")
                try await service.psql("DELETE FROM words WHERE word = '\(new)'")
            }
        }

        /// Plans the word of a day on the form, and waits for what is said.
        private func plan(_ browser: Browser, _ word: String, on day: String, says text: String) async throws {
            // The order in which people type a date depends on the browser's language.
            try await browser.run("document.querySelector('#plan [name=day]').value = '\(day)'")
            try await browser.fill("#plan [name=word]", word)
            try await browser.click("#plan .button")
            try await browser.wait(for: text, in: "#plan .message")
        }

        @Test("the word of a day is planned, repeats another day's only if it may, and is cleared for a reason")
        func days() async throws {
            try await administer { service, browser, name, _ in
                try await go(browser, to: "words/en%2Ffrost", "document.querySelector('#word')")
                try await browser.wait(for: "No day is planned.", in: "#planned")
                #expect(try await browser.text(of: "#plan").contains("of the list en, 5 letters"))
                let from: String = try await browser.value("document.querySelector('#plan [name=day]').min")
                #expect(try await browser.value("document.querySelector('#plan [name=day]').max") > from)
                // Not the first one, which could be too near soon.
                let days = try await service.psql(
                    "SELECT string_agg((date '\(from)' + n)::text, ' ' ORDER BY n) FROM generate_series(1, 3) AS n"
                ).split(separator: " ").map(String.init)
                let rows = """
                    [...document.querySelectorAll("#planned tbody tr")].map((row) => [...row.cells].slice(0, 2)
                        .map((cell) => cell.textContent).join(": "))
                    """

                try await plan(browser, "Frost", on: days[0], says: "The word of \(days[0]) is frost.")
                #expect(try await browser.value(rows) == ["\(days[0]): frost"])
                try await plan(browser, "frost", on: days[1], says: "the word of another day within a year")
                #expect(try await browser.value(rows) == ["\(days[0]): frost"])
                try await browser.click("#plan [name=repeat]")
                try await browser.click("#plan .button")
                try await browser.wait(for: "The word of \(days[1]) is frost.", in: "#plan .message")
                #expect(try await browser.value(rows) == ["\(days[0]): frost", "\(days[1]): frost"])
                #expect(try await browser.value("document.querySelector('#plan [name=repeat]').checked") == false)
                try await plan(browser, "snowy", on: days[1], says: "The word of \(days[1]) is snowy.")
                #expect(try await browser.value(rows) == ["\(days[0]): frost", "\(days[1]): snowy"])
                try await plan(browser, "snowy", on: days[1], says: "Nothing had to change.")

                try await browser.fill("#word [name=reason]", "complaint 3")
                try await browser.click("#word [value=retire]")
                try await browser.wait(for: "Done.", in: "#word .message")
                #expect(
                    try await browser.value(rows)
                        == ["\(days[0]): frost (retired since; it stays)", "\(days[1]): snowy"])
                try await plan(browser, "frost", on: days[2], says: "plan another one")

                let clear = "#planned [aria-label='Clear the word of \(days[0])']"
                try await browser.click(clear)
                try await browser.wait(for: "Clear the word of \(days[0])?", in: "dialog[open] h2")
                try await Axe().check(browser, "clearing a day")
                try await browser.fill("dialog[open] [name=reason]", "a mistake\n")
                try await browser.wait(for: "The word of \(days[0]) is chosen by chance.", in: "#plan .message")
                try await browser.wait(for: "document.activeElement.textContent === 'Words of coming days'")
                #expect(try await browser.value(rows) == ["\(days[1]): snowy"])
                #expect(
                    try await service.psql("SELECT string_agg(day::text, ' ') FROM daily_words WHERE is_planned")
                        == days[1])

                try await go(browser, to: "trail", "document.querySelector('.sentences li')")
                let lines: [String] = try await browser.value(
                    """
                    [...document.querySelectorAll(".sentences li p:first-child")].map((one) => one.textContent)
                    """)
                let planned = "\(name) planned the word of"
                #expect(
                    lines.filter { $0.hasPrefix(name) && $0.contains("the word of 20") } == [
                        "\(name) left the word of \(days[0]) to chance again.", "\(planned) \(days[1]).",
                        "\(planned) \(days[1]).", "\(planned) \(days[0]).",
                    ])
                #expect(try await browser.text(of: ".sentences").contains("Reason: a mistake"))

                // A day that was planned and has come nearer keeps its word, and does not show it.
                try await service.psql("UPDATE daily_words SET is_planned = true WHERE day = date '\(from)' - 1")
                try await browser.click(".sentences a[href='#words']")
                try await browser.wait(for: "Planned. Its word is not shown any more.", in: "#planned")
                #expect(try await browser.value("document.querySelectorAll('#planned .button').length") == 1)
            }
        }

        @Test("a league is found by a part of its name and ended, a challenge by its code")
        func together() async throws {
            try await administer { service, browser, name, _ in
                // UUIDs of version 8.
                func newID() -> String {
                    let id = UUID().uuidString.lowercased()
                    return "\(id.prefix(14))8\(id.dropFirst(15))"
                }
                let (player, other) = (newID(), newID())
                let title = "Crew \(player.prefix(8)) <b>"
                let token = "sha256('\(player)') || convert_to('\(player)', 'UTF8')"
                try await service.psql(
                    """
                    SELECT create_player(id, 'Ada', NULL, sha256(id::bytea) || convert_to(id, 'UTF8'), gen_random_uuid(),
                        sha256(('code ' || id)::bytea)) FROM unnest('{\(player),\(other)}'::text[]) AS id;
                    SELECT join_league(sha256('\(other)') || convert_to('\(other)', 'UTF8'), (league).invite)
                    FROM (SELECT create_league(\(token), '\(title)', NULL, NULL) AS league) AS made
                    """)
                let code = try await service.psql(
                    """
                    SELECT show_share_code(((juliet.create_challenge(\(token), 'en', 5, NULL, false, 7, NULL, NULL)).challenge).code)
                    """)
                try await go(
                    browser, to: "together/crew \(player.prefix(8))", "document.querySelector('#leagues td a')")
                #expect(try await browser.text(of: "#leagues td a") == title, "markup is text")
                #expect(try await browser.value("document.querySelectorAll('#challenges').length") == 0)
                try await browser.click("#leagues td a")
                try await browser.wait(for: "document.querySelectorAll('#members tbody tr').length === 2")
                #expect(try await browser.text(of: "nav [aria-current]") == "Together")
                try await browser.fill("#end [name=reason]", "rude")
                try await browser.click("#end .button")
                try await browser.wait(for: "The league has ended.", in: "#end .message")
                #expect(try await service.psql("SELECT count(*) FROM leagues WHERE name = '\(title)'") == "0")

                try await go(browser, to: "together/\(code)", "document.querySelector('#challenges td')")
                try await browser.fill("#end [name=reason]", "rude")
                try await browser.run(
                    "const form = document.querySelector('#end'); form.requestSubmit(); form.requestSubmit();")
                try await browser.wait(for: "Ended \(code).", in: "#end .message")
                #expect(try await browser.text(of: "#challenges tbody tr").contains("Deleted"))
                #expect(
                    try await service.psql(
                        "SELECT string_agg(action, ' ' ORDER BY id) FROM admin_actions WHERE actor = '\(name)'")
                        == "league.end challenge.end")
                #expect(try await browser.complaints() == [])
            }
        }

        @Test("when the key is revoked while the page is open, nothing of it stays")
        func revoked() async throws {
            try await administer { service, browser, name, player in
                let id = try #require(player.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                try await go(browser, to: "player/\(id)", "document.querySelector('#grant')")
                try await service.revokeAdminKey(name)
                try await browser.fill("#grant [name=amount]", "5")
                try await browser.fill("#grant [name=reason]", "late\n")
                try await browser.wait(for: "You are signed out", in: "main h1")
                #expect(!(try await browser.text(of: "body")).contains("DEVICE"))
                #expect(try await service.psql("SELECT energy FROM users WHERE id = '\(player)'") == "30")
            }
        }

        @Test("axe finds nothing to object to in any part, dark or light, and every part fits a narrow screen")
        func everybody() async throws {
            for (width, language) in [(320, "de-DE"), (1280, "en-US")] {
                try await administer(on: Browser.Device(width: width, language: language)) {
                    service, browser, _, player in
                    let axe = try Axe()
                    try await service.psql(
                        """
                        SELECT count(*) FROM plan_days('os:test', ARRAY[last_kept_day() + 2, last_kept_day() + 3],
                            ARRAY['frost', 'snowy'], false, NULL)
                        """)
                    let id = try #require(player.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                    let parts = [
                        ("live", "document.querySelector('#live-services td')"),
                        ("manual/watching/what-grows", "document.querySelector('.manual')"),
                        ("figures/7", "document.querySelector('#days')"),
                        ("figures/365", "document.querySelector('#days')"),
                        ("players", "document.querySelector('main td')"),
                        ("players/DEVICE", "document.querySelector('main p')"),
                        ("player/\(id)", "document.querySelector('#done p')"),
                        ("together/\(id)", "document.querySelectorAll('main h2').length === 2"),
                        ("names", "document.querySelector('#parts p')"),
                        (
                            "words/en%2Fcrane",
                            "document.querySelector('#word') && document.querySelector('#planned td')"
                        ),
                        ("trail", "document.querySelector('.sentences li')"),
                    ]
                    for (part, expression) in parts {
                        try await go(browser, to: part, expression)
                        try await axe.check(browser, "\(part), \(width)")
                        #expect(try await browser.value("document.documentElement.scrollWidth") <= width, "\(part)")
                    }
                    try await browser.click(".who .button")
                    try await browser.wait(for: "document.querySelector('#key')")
                    try await axe.check(browser, "sign in, \(width)")
                }
            }
        }
    }
}
