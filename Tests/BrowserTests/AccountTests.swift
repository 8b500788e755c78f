import Foundation
import TestSupport
import Testing

extension PageTests {
    @Suite("Sign-in and devices", .everyLayout)
    struct AccountTests {
        /// Starts a game as a new player.
        private func begin(_ service: PlayedService, _ browser: Browser) async throws {
            try await browser.open(service.address + "#game")
            try await browser.start()
        }

        /// Makes a passkey in the settings, which stay open.
        private func makePasskey(_ browser: Browser) async throws {
            try await browser.openDialog("settings")
            try await browser.click("#settings .make-passkey")
            try await browser.wait(for: "Done: from now on you can sign in with your passkey", in: "#settings")
        }

        private func openWays(_ browser: Browser) async throws {
            if try await browser.value("document.querySelector('#settings').open") == false {
                try await browser.openDialog("settings")
            }
            try await browser.click("#settings .to-ways")
            try await browser.wait(for: "document.querySelector('#ways .things')")
        }

        @Test("a passkey is made, opens the player where it is synced to, and no more once it is removed")
        func passkey() async throws {
            try await play(hasPasskeys: true) { service, browser in
                let keeper = try await browser.addAuthenticator()
                try await begin(service, browser)
                try await browser.guess("crane", 1)
                try await makePasskey(browser)
                try await openWays(browser)
                #expect(try await browser.value("document.querySelectorAll('#ways [data-passkey]').length") == 1)
                #expect(try await browser.text(of: "#ways [data-passkey]").contains("not used yet"))
                let credentials = try await browser.credentials(in: keeper)
                let credential = try #require(credentials.first)
                let board = try await browser.board()

                try await Browser.with { other in
                    let synced = try await other.addAuthenticator()
                    try await other.add(credential, to: synced)
                    try await other.open(service.address + "#game")
                    try await other.openDialog("settings")
                    try await other.click("#settings .passkey-sign-in")
                    try await other.wait(for: "document.querySelector('dialog[open]') === null")
                    try await other.wait(for: "document.querySelectorAll('#board .tile[data-mark]').length === 5")
                    #expect(try await other.board() == board)
                    // A passkey brings no code, and says so.
                    try await other.openDialog("settings")
                    try await other.wait(for: "This browser has no code for you", in: "#settings .recovery")
                    try await other.closeDialog()

                    try await browser.closeDialog()
                    try await openWays(browser)
                    #expect(try await browser.text(of: "#ways [data-passkey]").contains("last used"))
                    #expect(try await browser.text(of: "#ways").contains("by a passkey"))
                    try await browser.click("#ways [data-passkey] .button")
                    try await browser.wait(for: "You can no longer sign in with it", in: "#ways [data-passkey]")
                    #expect(try await service.psql("SELECT count(*) FROM passkeys") == "1")
                    try await browser.click("#ways [data-passkey] .is-danger")
                    try await browser.wait(for: "document.querySelector('#ways [data-passkey]') === null")

                    // The device stays signed in; who has only the passkey left does not get in.
                    try await other.run("localStorage.clear()")
                    try await other.reload()
                    try await other.openDialog("settings")
                    try await other.click("#settings .passkey-sign-in")
                    try await other.wait(for: "This passkey is not valid", in: "#settings")
                    #expect(try await other.value("localStorage.getItem('juliet.player')", as: String?.self) == nil)
                }
            }
        }

        @Test("signing out says that the passkey opens the player again, and it does")
        func leave() async throws {
            try await play(hasPasskeys: true) { service, browser in
                _ = try await browser.addAuthenticator()
                try await begin(service, browser)
                try await makePasskey(browser)
                try await browser.click("#settings .sign-out")
                try await browser.wait(for: "Your passkey can sign you in as", in: "#leave")
                // It is not synced, and whoever loses the device needs a code.
                #expect(
                    try await browser.text(of: "#leave").contains("So far it works only with the device that keeps it"))
                #expect(try await browser.text(of: "#sign-out-now") == "Sign out")
                #expect(try await browser.value("document.querySelector('#leave .losses') === null", as: Bool.self))
                try await browser.click("#sign-out-now")
                try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                try await browser.wait(for: "A word just for you", in: "#panel")
                try await browser.openDialog("settings")
                try await browser.click("#settings .passkey-sign-in")
                try await browser.wait(for: "!document.querySelector('#keyboard').hidden")
                #expect(try await service.playerCount() == 1)
            }
        }

        @Test("a passkey that is locked out says what to do, in the player's language")
        func lockedOut() async throws {
            try await play(hasPasskeys: true) { service, browser in
                _ = try await browser.addAuthenticator()
                try await begin(service, browser)
                try await makePasskey(browser)
                // As after a use of a copy that has counted further.
                _ = try await service.psql("UPDATE passkeys SET sign_count = 4294967295")
                try await browser.run("localStorage.clear()")
                for (language, text) in [
                    ("en", "This passkey was refused"), ("de", "Dieser Passkey wurde abgelehnt"),
                ] {
                    try await browser.run("localStorage.setItem('juliet.language', JSON.stringify('\(language)'))")
                    try await browser.reload()
                    try await browser.openDialog("settings")
                    try await browser.click("#settings .passkey-sign-in")
                    try await browser.wait(for: text, in: "#settings")
                }
            }
        }

        @Test("a ceremony that is cancelled or forged says so, and changes nothing")
        func refused() async throws {
            try await play(hasPasskeys: true) { service, browser in
                let keeper = try await browser.addAuthenticator()
                try await begin(service, browser)
                // The player dismisses what the browser asks.
                try await browser.run(
                    """
                    window.create = navigator.credentials.create.bind(navigator.credentials);
                    navigator.credentials.create = async () => { throw new DOMException("", "NotAllowedError"); };
                    """)
                try await browser.openDialog("settings")
                try await browser.click("#settings .make-passkey")
                try await browser.wait(for: "it was cancelled", in: "#settings")
                // What was made answers another challenge than the service's.
                try await browser.run(
                    """
                    navigator.credentials.create = ({ publicKey }) =>
                        window.create({ publicKey: { ...publicKey, challenge: new Uint8Array(32) } });
                    """)
                try await browser.click("#settings .make-passkey")
                try await browser.wait(for: "This passkey was not accepted, and nothing has changed", in: "#settings")
                try await browser.run("navigator.credentials.create = window.create")
                #expect(try await service.psql("SELECT count(*) FROM passkeys") == "0")
                try await browser.click("#settings .make-passkey")
                try await browser.wait(for: "Done: from now on you can sign in", in: "#settings")
                // The same device once more: the service names what there is.
                try await browser.click("#settings .make-passkey")
                try await browser.wait(for: "This device has a passkey of yours already", in: "#settings")

                let credentials = try await browser.credentials(in: keeper)
                let genuine = try #require(credentials.first)
                try await Browser.with { other in
                    let forger = try await other.addAuthenticator()
                    try await other.open(service.address)
                    // Nothing that fits: the browser says no for the player.
                    try await other.openDialog("settings")
                    try await other.click("#settings .passkey-sign-in")
                    try await other.wait(for: "No passkey was used", in: "#settings")
                    // The same name and player, another key.
                    var forged = genuine
                    forged.privateKey = try await other.value(
                        """
                        (async () => {
                            const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign"]);
                            const bytes = new Uint8Array(await crypto.subtle.exportKey("pkcs8", privateKey));
                            return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
                        })()
                        """, as: String.self)
                    try await other.add(forged, to: forger)
                    try await other.click("#settings .passkey-sign-in")
                    try await other.wait(for: "This passkey is not valid", in: "#settings")
                    #expect(try await other.value("localStorage.getItem('juliet.player')", as: String?.self) == nil)
                }
                #expect(try await service.psql("SELECT count(*) FROM sessions") == "1")
            }
        }

        @Test("browsers without the standard's conversions make and use passkeys all the same")
        func ownConversions() async throws {
            try await play(hasPasskeys: true) { service, browser in
                _ = try await browser.addAuthenticator()
                try await browser.runBeforePages(
                    """
                    delete PublicKeyCredential.parseCreationOptionsFromJSON;
                    delete PublicKeyCredential.parseRequestOptionsFromJSON;
                    delete PublicKeyCredential.prototype.toJSON;
                    """)
                try await begin(service, browser)
                #expect(try await browser.value("PublicKeyCredential.prototype.toJSON === undefined", as: Bool.self))
                try await makePasskey(browser)
                try await browser.click("#settings .new-player")
                try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                try await browser.openDialog("settings")
                try await browser.click("#settings .passkey-sign-in")
                // The dialog closes when the session of before, which the new one replaces, has ended.
                try await browser.wait(for: "document.querySelector('dialog[open]') === null")
                try await browser.wait(for: "!document.querySelector('#keyboard').hidden")
                #expect(try await service.psql("SELECT count(*) FROM sessions") == "1")
            }
        }

        @Test("without anything that keeps passkeys, or a service that takes them, there is the code alone")
        func codeAlone() async throws {
            try await play(hasPasskeys: true) { service, browser in
                try await begin(service, browser)
                try await expectCodeAlone(browser)
                try await openWays(browser)
                #expect(try await browser.text(of: "#ways").contains("This browser cannot make passkeys here"))
                // As over plain HTTP from another machine.
                try await browser.runBeforePages(
                    "Object.defineProperty(globalThis, 'isSecureContext', { value: false });")
                try await browser.reload()
                try await openWays(browser)
                #expect(try await browser.text(of: "#ways").contains("Passkeys need HTTPS."))
            }
            try await play { service, browser in
                _ = try await browser.addAuthenticator()
                try await begin(service, browser)
                try await expectCodeAlone(browser)
                try await openWays(browser)
                #expect(try await !browser.text(of: "#ways").contains("Passkeys"))
            }
        }

        private func expectCodeAlone(_ browser: Browser) async throws {
            try await browser.openDialog("settings")
            try await browser.wait(for: "document.querySelector('#settings #show-code')")
            try await browser.wait(for: "document.querySelectorAll('#settings [data-passkeys=none]').length === 2")
            #expect(try await !browser.text(of: "#settings").contains("passkey"))
        }

        @Test("removing a way in says what else is left, or that nothing is")
        func lastWay() async throws {
            try await play(hasPasskeys: true) { service, browser in
                _ = try await browser.addAuthenticator()
                try await begin(service, browser)
                try await openWays(browser)
                try await browser.click("#ways .make-passkey")
                // What became of it stays, beside the new one.
                try await browser.wait(for: "Done: from now on you can sign in with your passkey", in: "#ways")
                #expect(try await browser.text(of: "#ways [data-passkey]").contains("not used yet"))
                try await browser.click("#ways [data-passkey] .button")
                try await browser.wait(for: "Then you cannot sign in on another device", in: "#ways [data-passkey]")
                // Who thinks better of it keeps it.
                try await browser.click("#ways [data-passkey] .asking .button:not(.is-danger)")
                try await browser.wait(for: "document.activeElement.textContent === 'Remove'")
                _ = try await browser.showCode(in: "#ways")
                try await browser.click("#ways [data-passkey] .button")
                try await browser.wait(
                    for: "You can then still sign in with: a recovery code", in: "#ways [data-passkey]")
                #expect(try await service.psql("SELECT count(*) FROM passkeys") == "1")
            }
        }

        @Test("devices are listed, by what they came in, and signed out one by one or all at once")
        func devices() async throws {
            try await play { service, browser in
                try await begin(service, browser)
                try await browser.openDialog("settings")
                var code = try await browser.showCode(in: "#settings")
                for number in 1...2 {
                    let used = code
                    code = try await Browser.with { other in
                        try await other.open(service.address)
                        try await other.openDialog("settings")
                        try await other.fill("#settings input[required]", used + "\n")
                        try await other.wait(for: "document.querySelector('#energy-amount').textContent === '25'")
                        // Signing in closes the dialog that it was asked for in, after the player is shown.
                        try await other.wait(for: "document.querySelector('dialog[open]') === null")
                        try await other.openDialog("settings")
                        let next = try await other.showCode(in: "#settings")
                        try await other.closeDialog()
                        if number == 1 {
                            try await openWays(browser)
                            #expect(
                                try await browser.value(
                                    "[...document.querySelectorAll('#ways .things li strong')].map((name) => name.textContent)"
                                )
                                    == ["This device", "Another device"])
                            #expect(try await browser.text(of: "#ways .things").contains("as a new player"))
                            #expect(try await browser.text(of: "#ways .things").contains("by a recovery code"))
                            try await browser.click("#ways .things li:not(.is-current) .button")
                            try await browser.wait(for: "document.querySelectorAll('#ways .things li').length === 1")
                            try await browser.closeDialog()
                            try await other.run("dispatchEvent(new Event('focus'))")
                            try await other.wait(for: "document.querySelector('#lost').open")
                        }
                        return next
                    }
                }
                try await openWays(browser)
                try await browser.click("#ways .end-others")
                try await browser.wait(for: "All other devices then need", in: "#ways")
                #expect(try await service.psql("SELECT count(*) FROM sessions") == "2")
                try await browser.click("#ways .asking .is-danger")
                try await browser.wait(for: "document.querySelector('#ways .asking .is-danger') === null")
                #expect(try await service.psql("SELECT count(*) FROM sessions") == "1")
                try await browser.closeDialog()
                try await browser.guess("crane", 1)
            }
        }

        @Test(
            "accounts elsewhere are listed and can be taken away, and one that opens the player is named when they leave"
        )
        func identities() async throws {
            let provider = [
                "JULIET_IDENTITIES_PROVIDERS": "apple", "JULIET_IDENTITIES_APPLE_ISSUERS": "https://id.example",
                "JULIET_IDENTITIES_APPLE_AUDIENCES": "juliet", "JULIET_IDENTITIES_APPLE_KEYS": "/nowhere/apple.json",
            ]
            try await play(settings: provider) { service, browser in
                try await begin(service, browser)
                try await service.psql(
                    """
                    INSERT INTO identities (issuer, subject, user_id, provider)
                    SELECT 'https://id.example', 'somebody', id, 'apple' FROM users
                    """)
                try await browser.openDialog("settings")
                try await browser.click("#settings .sign-out")
                try await browser.wait(for: "Your account at apple can sign you in as", in: "#leave")
                try await browser.closeDialog()
                try await openWays(browser)
                #expect(try await browser.text(of: "#ways [data-identity]").contains("since"))
                try await browser.click("#ways [data-identity] .button")
                try await browser.wait(for: "Then you cannot sign in", in: "#ways [data-identity]")
                try await browser.click("#ways [data-identity] .is-danger")
                try await browser.wait(for: "document.querySelector('#ways [data-identity]') === null")
                #expect(try await service.psql("SELECT count(*) FROM identities") == "0")
            }
        }

        @Test("a code can be saved as a file, for a drawer or a printer")
        func codeFile() async throws {
            try await play { service, browser in
                try await begin(service, browser)
                try await browser.run(
                    """
                    const make = URL.createObjectURL;
                    URL.createObjectURL = (blob) => { window.saved = blob; return make.call(URL, blob); };
                    """)
                try await browser.openDialog("settings")
                let code = try await browser.showCode(in: "#settings")
                try await browser.click("#settings .save-code")
                let text: String = try await browser.value("window.saved.text()")
                #expect(text.contains("Recovery code: \(code)\n"))
                #expect(text.contains("Player: Player "))
                #expect(text.contains(service.address))
                #expect(try await browser.complaints() == [])
            }
        }
    }
}
