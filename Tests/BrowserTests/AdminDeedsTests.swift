import Foundation
import TestSupport
import Testing

extension PageTests {
    @Suite("Deeds on the admin page", .everyLayout)
    struct AdminDeedsTests {
        private struct Me: Decodable { let id: String }

        /// A player who has begun a game, and the admin page, which shows the player.
        private func administer(
            on device: Browser.Device = Browser.Device(width: 1280),
            _ body: (PlayedService, Browser, _ player: String) async throws -> Void
        ) async throws {
            try await play(on: device) { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                try await service.swap(browser.newestGame(), to: "spool")
                try await browser.guess("floor", 1)
                let me: Me = try await browser.ask("GET", "players/me")
                try await service.psql(
                    """
                    INSERT INTO passkeys (user_id, id, credential_id, user_handle, public_key, sign_count, is_backup_eligible, is_backed_up, name)
                    SELECT '\(me.id)', gen_random_uuid(), convert_to('\(me.id)' || n, 'UTF8'), decode(replace('\(me.id)', '-', ''), 'hex'),
                        'key', 0, true, true, 'Phone <b>' || n FROM generate_series(1, 2) AS n;
                    INSERT INTO identities (issuer, subject, user_id, provider)
                    VALUES ('https://id.example/realms/a-very-long-name-of-a-realm', 'subject-\(me.id)', '\(me.id)', 'company');
                    INSERT INTO sessions (user_id, id, token_hash, opened_by)
                    VALUES ('\(me.id)', gen_random_uuid(), sha256('\(me.id)'), 'passkey')
                    """)
                let key = try await service.addAdminKey("dora-\(UUID().uuidString.prefix(8))")
                try await browser.open(service.adminAddress, until: "document.querySelector('#key')")
                try await browser.fill("#key", key + "\n")
                try await browser.wait(for: "document.querySelector('#live-services td')")
                try await browser.run("location.hash = 'player/\(me.id)'")
                try await browser.wait(
                    for: "document.querySelector('#games td') && document.querySelector('#ways .actions .button')")
                try await body(service, browser, me.id)
            }
        }

        /// Opens the dialog of a button, which has the words.
        private func ask(_ browser: Browser, _ section: String, _ words: String, title: String) async throws {
            let button = """
                [...document.querySelectorAll('\(section) .button')].find((button) =>
                    button.textContent === '\(words)')
                """
            try await browser.wait(for: "\(button) !== undefined")
            try await browser.run("const button = \(button); button.focus(); button.click();")
            try await browser.wait(for: title, in: "dialog[open] h2")
        }

        /// Gives the reason in the dialog and does it; waits for what is there then.
        private func answer(_ browser: Browser, _ reason: String = "ticket 17", until effect: String) async throws {
            try await browser.fill("dialog[open] [name=reason]", reason + "\n")
            try await browser.wait(for: "!document.querySelector('dialog[open]') && \(effect)")
        }

        private func actions(_ service: PlayedService, _ player: String) async throws -> String {
            try await service.psql(
                "SELECT coalesce(string_agg(action, ' ' ORDER BY id), '') FROM admin_actions WHERE user_id = '\(player)'"
            )
        }

        @Test("devices, passkeys and identities are listed and taken away, asked first; Escape does nothing")
        func ways() async throws {
            try await administer { service, browser, player in
                #expect(try await browser.value("document.querySelectorAll('#ways table').length") == 3)
                #expect(try await browser.text(of: "#ways").contains("Phone <b>1"))
                #expect(try await browser.text(of: "#ways").contains("subject-\(player)"))
                try await ask(browser, "#ways", "Sign out…", title: "Sign this device out?")
                #expect(try await browser.value("document.activeElement.name") == "reason")
                try await browser.type("\u{E00C}")
                try await browser.wait(for: "!document.querySelector('dialog')")
                #expect(
                    try await browser.value("document.activeElement.textContent") == "Sign out…", "where it was")
                #expect(try await actions(service, player) == "")

                let rows = { (label: String) in "document.querySelectorAll('#ways [aria-label^=\"\(label)\"]').length" }
                try await ask(browser, "#ways", "Sign out…", title: "Sign this device out?")
                try await answer(browser, until: "\(rows("Sign out the")) === 1")
                try await browser.wait(for: "Done.", in: "#ways > .message")
                #expect(try await browser.text(of: ".facts").contains("Devices\n1"))
                try await ask(browser, "#ways", "Remove…", title: "Remove this passkey?")
                try await answer(browser, until: "\(rows("Remove the passkey")) === 1")
                try await ask(browser, "#ways", "Remove every way to sign in…", title: "Remove every way to sign in?")
                try await answer(browser, until: "document.querySelectorAll('#ways table').length === 0")
                #expect(
                    try await actions(service, player) == "player.session player.passkey player.ways")
                #expect(
                    try await service.psql(
                        """
                        SELECT (SELECT count(*) FROM sessions WHERE user_id = '\(player)')
                            + (SELECT count(*) FROM passkeys WHERE user_id = '\(player)')
                            + (SELECT count(*) FROM identities WHERE user_id = '\(player)')
                        """) == "0")
                try await browser.wait(for: "removed every way to sign in", in: "#done")
                #expect(try await browser.complaints() == [])
            }
        }

        @Test("a new recovery code is shown once; an answer that is lost says that nobody has the code")
        func recovery() async throws {
            try await administer { service, browser, player in
                let before = try await service.psql("SELECT recovery_hash FROM players WHERE user_id = '\(player)'")
                try await ask(browser, "#ways", "New recovery code…", title: "Make a new recovery code?")
                try await browser.fill("dialog[open] [name=reason]", "lost phone\n")
                try await browser.wait(for: "document.querySelector('#recovery-code')")
                let code = try await browser.text(of: "#recovery-code")
                #expect(code.count > 20 && code.contains("-"))
                #expect(
                    try await service.psql("SELECT recovery_hash FROM players WHERE user_id = '\(player)'") != before)
                try await browser.click("dialog[open] .is-main")
                try await browser.wait(for: "!document.querySelector('dialog')")
                #expect(
                    !(try await browser.value("document.documentElement.outerHTML", as: String.self)).contains(code))

                try await ask(browser, "#ways", "New recovery code…", title: "Make a new recovery code?")
                try await browser.run(
                    """
                    const real = window.fetch;
                    window.fetch = async (...all) => { await real(...all); window.fetch = real; throw new TypeError(); };
                    """)
                try await browser.fill("dialog[open] [name=reason]", "once more\n")
                try await browser.wait(for: "It may have taken effect", in: "dialog[open] .message")
                try await browser.click("dialog[open] .is-main")
                try await browser.wait(for: "nobody has it", in: "dialog[open] .message")
                try await browser.click("dialog[open] .is-main")
                try await browser.wait(for: "document.querySelector('#recovery-code')")
                #expect(
                    try await actions(service, player)
                        == "player.recoveryCode player.recoveryCode player.recoveryCode")
            }
        }

        @Test("energy is taken, and given back by Undo; a reason that is hidden is not in the ledger")
        func energy() async throws {
            try await administer { service, browser, player in
                #expect(try await browser.text(of: "#balance") == "25")
                try await browser.fill("#grant [name=amount]", "20")
                try await browser.fill("#grant [name=reason]", "a sly one")
                try await browser.click("#grant [name=isShown]")
                try await browser.click("#grant [value=take]")
                try await browser.wait(for: "Took 20. The balance is 5.", in: "#grant .message")
                #expect(try await browser.text(of: "#balance") == "5")
                #expect(try await browser.text(of: "#ledger tbody tr").contains("−20"))
                #expect(!(try await browser.text(of: "#ledger")).contains("sly"))
                #expect(try await browser.text(of: "#done").contains("a sly one"))
                try await browser.fill("#grant [name=amount]", "6")
                try await browser.fill("#grant [name=reason]", "too much")
                try await browser.click("#grant [value=take]")
                try await browser.wait(for: "The balance is lower than that.", in: "#grant .message")
                try await browser.fill("#grant [name=amount]", "5")
                try await browser.click("#grant [value=take]")
                try await browser.wait(for: "Took 5. The balance is 0.", in: "#grant .message")
                try await ask(browser, "#grant", "Undo", title: "Give 5 back?")
                #expect(
                    try await browser.value("document.querySelector('dialog [name=reason]').value")
                        == "undone: too much")
                try await browser.click("dialog[open] .is-main")
                try await browser.wait(for: "Undone. The balance is 5.", in: "#grant .message")
                try await browser.wait(for: "document.querySelector('#balance').textContent === '5'")
                #expect(try await actions(service, player) == "energy.take energy.take energy.grant")
            }
        }

        @Test("a running game is ended, once however often it is asked, and its word is shown then")
        func game() async throws {
            try await administer { service, browser, player in
                #expect(try await browser.text(of: "#games").contains("sealed"))
                try await ask(browser, "#games", "End it…", title: "End this game?")
                try await browser.fill("dialog[open] [name=reason]", "stuck")
                try await browser.run(
                    "const form = document.querySelector('dialog form'); form.requestSubmit(); form.requestSubmit();")
                try await browser.wait(for: "spool", in: "#games")
                #expect(try await browser.text(of: "#games").contains("Lost"))
                #expect(try await browser.value("document.querySelectorAll('#games td .button').length") == 0)
                #expect(try await actions(service, player) == "game.end")
                try await browser.wait(for: "It was an ordinary game. It had 1 guess.", in: "#done")
                #expect(
                    try await service.psql("SELECT played, current_streak FROM players WHERE user_id = '\(player)'")
                        == "1|0")
            }
        }

        @Test("a player is exported into a file, and deleted only by the id typed again")
        func export() async throws {
            try await administer { service, browser, player in
                try await browser.run(
                    """
                    const make = URL.createObjectURL;
                    URL.createObjectURL = (blob) => { window.saved = blob; return make.call(URL, blob); };
                    """)
                try await ask(browser, "#data", "Export…", title: "Export everything?")
                try await answer(browser, "asked by mail", until: "window.saved")
                try await browser.wait(for: "The file is in your downloads.", in: "#data > .message")
                struct Export: Decodable {
                    let id: String
                    let passkeys: [Passkey]
                    struct Passkey: Decodable { let name: String }
                }
                let saved: Export = try await browser.value("window.saved.text().then((text) => JSON.parse(text))")
                #expect(saved.id == player && saved.passkeys.count == 2)
                #expect(try await browser.value("window.saved.text().then((text) => text.includes('spool'))") == false)
                #expect(try await actions(service, player) == "player.export")

                try await ask(browser, "#data", "Delete…", title: "Delete ")
                #expect(try await browser.text(of: "dialog[open] ul").contains("25 energy"))
                try await browser.fill("dialog[open] [name=id]", "x")
                try await browser.fill("dialog[open] [name=reason]", "asked by mail\n")
                try await browser.wait(for: "is not the id of this player", in: "dialog[open] .message")
                #expect(try await service.psql("SELECT count(*) FROM users WHERE id = '\(player)'") == "1")
                try await browser.fill("dialog[open] [name=id]", player + "\n")
                try await browser.wait(for: "The player is deleted", in: "main h1")
                #expect(try await service.psql("SELECT count(*) FROM users WHERE id = '\(player)'") == "0")
                #expect(!(try await browser.text(of: "main")).contains(player))
                #expect(
                    try await service.psql(
                        """
                        SELECT count(*) FROM former_actions WHERE player = sha256('\(player)') AND action = 'player.delete'
                        """) == "1")
            }
        }

        @Test("axe finds nothing to object to, and all of it fits a narrow screen, the dialogs too")
        func everybody() async throws {
            for width in [320, 1280] {
                try await administer(on: Browser.Device(width: width)) { _, browser, _ in
                    let axe = try Axe()
                    func check(_ place: String) async throws {
                        try await axe.check(browser, "\(place), \(width)")
                        let wide: [String] = try await browser.value(
                            """
                            [...document.querySelectorAll("main *")]
                                .filter((element) => element.getBoundingClientRect().right > \(width) + 0.5
                                    && !element.closest("svg, .unseen, thead"))
                                .map((element) => element.outerHTML.slice(0, 80))
                            """)
                        #expect(wide == [], "\(place), \(width)")
                        #expect(try await browser.value("document.documentElement.scrollWidth") <= width, "\(place)")
                    }
                    try await check("player")
                    for (section, words, title) in [
                        ("#ways", "Remove…", "Remove this passkey?"),
                        ("#games", "End it…", "End this game?"), ("#data", "Export…", "Export everything?"),
                        ("#data", "Delete…", "Delete "), ("#ways", "New recovery code…", "Make a new recovery code?"),
                    ] {
                        try await ask(browser, section, words, title: title)
                        try await check(title)
                        guard section != "#ways" || words == "Remove…" else { continue }
                        try await browser.type("\u{E00C}")
                        try await browser.wait(for: "!document.querySelector('dialog')")
                    }
                    try await browser.fill("dialog[open] [name=reason]", "lost\n")
                    try await browser.wait(for: "document.querySelector('#recovery-code')")
                    try await check("code")
                }
            }
        }
    }
}
