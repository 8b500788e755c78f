import TestSupport
import Testing

extension PageTests {
    @Suite("As an app", .defaultLayout("about the browser, not the database"))
    struct InstalledTests {
        /// Opens the page and waits until all of its release is kept.
        private func openKept(_ browser: Browser, _ service: PlayedService) async throws {
            try await browser.open(service.address)
            try await browser.wait(
                for: "navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated')")
        }

        /// Makes a guess, ends the service, and loads the page again, which is kept.
        ///
        /// - Returns: The word that was guessed, and others.
        private func guessOnce(_ browser: Browser, _ service: PlayedService) async throws -> [String] {
            try await browser.open(service.address + "#game")
            try await browser.start()
            let guesses = words(otherThan: try await service.secret(of: browser.newestGame()))
            try await browser.guess(guesses[0], 1)
            try await openKept(browser, service)
            try await browser.open(service.address + "#game")
            try await browser.reload()
            service.kill()
            try await browser.reload()
            try await browser.wait(for: "No connection", in: "#banner")
            return guesses
        }

        @Test("without a service it starts, shows the last game, and a guess is sent when the service is back")
        func offline() async throws {
            try await play { service, browser in
                let guesses = try await guessOnce(browser, service)
                #expect(try await browser.board().count == 1)
                #expect(
                    try await browser.value("navigator.serviceWorker.controller.scriptURL")
                        == service.address + "worker.js")
                // Parts that come later are kept as well.
                try await browser.openDialog("together")
                try await browser.wait(for: "A league compares", in: "#together")
                try await browser.closeDialog()
                try await browser.type(guesses[1] + "\n")
                try await browser.reload()
                #expect(try await browser.board().count == 2)
                try await service.start()
                try await browser.waitForGuesses(2)
                #expect(try await browser.newestGame().guesses.map(\.word) == Array(guesses.prefix(2)))
                // Of what the service says nothing is kept but by the page itself.
                let kept: [String] = try await browser.value(
                    """
                    caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name))))
                        .then((all) => Promise.all(all.map((cache) => cache.keys())))
                        .then((all) => all.flat().map(({ url }) => new URL(url).pathname))
                    """)
                #expect(
                    kept.contains("/") && kept.contains { $0.hasSuffix("/app.js") }
                        && kept.contains { $0.hasSuffix("/together.js") })
                #expect(kept.filter { $0.contains("/v2") || $0.contains("lottery") } == [])
            }
        }

        @Test("an answer that a guess has overtaken does not take the guess back")
        func overtaken() async throws {
            try await play { service, browser in
                let guesses = try await guessOnce(browser, service)
                try await browser.type(guesses[1] + "\n")
                // The game is asked for before the guess counts, and the answer arrives after the guess's.
                try await browser.run(
                    """
                    const real = window.fetch;
                    const lists = [];
                    window.fetch = async (url, options) => {
                        const isList = String(url).includes("games?state=playing");
                        if (!isList) await Promise.all(lists);
                        const asked = real(url, options);
                        if (isList) lists.push(asked.catch(() => {}));
                        const answer = await asked;
                        if (isList) {
                            while (document.querySelectorAll("#board .tile[data-mark]:first-child").length < 2) {
                                await new Promise((done) => setTimeout(done, 20));
                            }
                            setTimeout(() => { document.body.dataset.overtaken = "yes"; }, 500);
                        }
                        return answer;
                    };
                    """)
                try await service.start()
                try await browser.wait(for: "document.body.dataset.overtaken === 'yes'")
                try await browser.waitForGuesses(2)
                #expect(try await browser.newestGame().guesses.map(\.word) == Array(guesses.prefix(2)))
            }
        }

        @Test("without a service each view says what cannot be seen, and the page goes on when it is back")
        func nothingKept() async throws {
            try await play { service, browser in
                try await openKept(browser, service)
                service.kill()
                try await browser.reload()
                try await browser.wait(for: "The word of the day cannot be seen now", in: "#panel")
                for (route, text) in [
                    ("game", "Your word cannot be seen now"),
                    ("day/2019-01-01", "The word of this day cannot be seen now"),
                    ("challenge/0000-0000", "This challenge cannot be seen now"),
                ] {
                    try await browser.run("location.hash = '\(route)'")
                    try await browser.wait(for: text, in: "#panel")
                }
                try await browser.activate("#panel button")
                try await browser.wait(for: "Still no answer.", in: "#message")
                // What is not kept leads to the page that is.
                try await browser.open(service.address + "lottery", until: "location.hash === '#lottery'")
                try await browser.wait(for: "The lottery cannot be seen now", in: "#panel")
                try await browser.run("location.hash = 'daily'")
                try await browser.openDialog("calendar")
                try await browser.wait(for: "This month cannot be seen now", in: "#calendar")
                try await browser.closeDialog()
                try await service.start()
                try await browser.run("dispatchEvent(new Event('online'))")
                try await browser.wait(for: "Find today’s word", in: "#panel")
            }
        }

        @Test(
            "without a service the recovery code is shown, nothing is deleted, and signing out is for this browser alone"
        )
        func withoutService() async throws {
            try await play { service, browser in
                _ = try await guessOnce(browser, service)
                try await browser.openDialog("settings")
                let code = try await browser.showCode(in: "#settings")
                #expect(code.count == 23)
                #expect(try await browser.text(of: "#settings .recovery").contains("It works unless it was used since"))
                try await browser.click("#settings .to-data")
                try await browser.click("#data .delete-player")
                try await browser.click("#data .go-on")
                let name: String = try await browser.value(
                    "JSON.parse(Object.entries(localStorage).find(([name]) => name.startsWith('juliet.players.'))[1]).name"
                )
                try await browser.fill("#data input", name + "\n")
                try await browser.wait(for: "No connection: nothing was deleted.", in: "#data")
                try await browser.closeDialog()
                try await browser.openDialog("settings")
                try await browser.click("#settings .sign-out")
                try await browser.click("#sign-out-now")
                try await browser.wait(for: "There was no answer, so you may still be signed in.", in: "#leave")
                try await browser.activate("#leave .outcome + .actions button")
                try await browser.wait(for: "The service could not be told", in: "#message")
                #expect(
                    try await browser.value(
                        "Object.keys(localStorage).filter((name) => name.startsWith('juliet.player'))")
                        == [String]())
                try await service.start()
                // The code that was noted is good.
                try await browser.openDialog("settings")
                try await browser.fill("#settings input[required]", code + "\n")
                try await browser.wait(for: "Welcome back", in: "#message")
                #expect(try await service.playerCount() == 1)
            }
        }

        @Test("another release replaces the one before, and no page has parts of both", arguments: ["", "/prod"])
        func update(basePath: String) async throws {
            let settings = basePath.isEmpty ? [:] : ["JULIET_HTTP_BASE_PATH": basePath]
            let service = try await PlayedService.start(settings)
            try await Browser.with { browser in
                try await openKept(browser, service)
                let names = "caches.keys()"
                let before: [String] = try await browser.value(names)
                let first = try #require(before.first)
                #expect(before.count == 1)
                // What is offered is another page, and so another release.
                let other = try await service.restarted(["JULIET_PLAY_LEAGUES": "off"])
                try await browser.reload()
                #expect(try await browser.value("document.documentElement.dataset.has") == "challenges daysGoneBy")
                try await browser.wait(for: "\(names).then((names) => names.length === 2)")
                // Without the service it is the new one.
                try await browser.wait(
                    for:
                        "navigator.serviceWorker.getRegistration().then(({ active, installing, waiting }) => !installing && !waiting && active.state === 'activated')"
                )
                other.kill()
                try await browser.reload()
                #expect(try await browser.value("document.documentElement.dataset.has") == "challenges daysGoneBy")
                try await other.start()
                // The third takes the place of the first.
                let third = try await other.restarted(["JULIET_PLAY_CHALLENGES": "off"])
                try await browser.reload()
                try await browser.wait(
                    for: "\(names).then((names) => names.length === 2 && !names.includes(\(first.literal)))")
                #expect(
                    try await browser.value("navigator.serviceWorker.getRegistration().then(({ scope }) => scope)")
                        == third.address)
            }
        }

        @Test("while services of two releases answer, nothing is kept rather than some of each")
        func mixed() async throws {
            try await play { service, browser in
                // The page of another release, as another service would answer it.
                try await browser.open(service.address)
                let kept: Bool = try await browser.value(
                    """
                    (async () => {
                        const worker = await (await fetch("worker.js")).text();
                        const parts = JSON.parse(worker.match(/const parts = (\\{.*\\});/)[1]);
                        const [path] = Object.keys(parts).filter((name) => name.endsWith("/app.js"));
                        const digest = async (address) => Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256",
                            await (await fetch(address)).arrayBuffer())), (byte) => byte.toString(16).padStart(2, "0")).join("");
                        // All that is listed is what is answered; what is answered for another release's module is none of its own.
                        for (const [name, wanted] of Object.entries(parts)) if ((await digest(name || "./")) !== wanted) return false;
                        return Object.keys(parts).length > 10 && (await digest(path.replace(/pages\\/\\w+/, "pages/000000000000"))) !== parts[path];
                    })()
                    """)
                #expect(kept)
            }
        }

        @Test("a service that has no page any more leaves no browser with an old one")
        func removed() async throws {
            try await play { service, browser in
                try await openKept(browser, service)
                let other = try await service.restarted(["JULIET_WEB_ENABLED": "false"])
                try await browser.open(other.address, until: "!document.body.innerText.includes('Find today')")
                try await browser.wait(
                    for: "navigator.serviceWorker.getRegistrations().then((all) => all.length === 0)")
                try await browser.wait(for: "caches.keys().then((names) => names.length === 0)")
            }
        }

        @Test("plain HTTP from elsewhere has no such thing, and plays all the same")
        func plain() async throws {
            try await play { service, browser in
                try await browser.open("http://juliet.test:\(service.port)/")
                #expect(try await browser.value("navigator.serviceWorker === undefined", as: Bool.self))
                try await browser.start()
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                #expect(try await browser.complaints().filter { $0.lowercased().contains("worker") } == [])
            }
        }

        @Test("it can be installed: manifest and pictures are there, and the settings have the browser's offer")
        func install() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                let faults: [String] = try await browser.value(
                    """
                    (async () => {
                        const address = document.querySelector("link[rel=manifest]").href;
                        const manifest = await (await fetch(address)).json();
                        const faults = [];
                        if (new URL(manifest.start_url, address).href !== document.baseURI) faults.push("start");
                        const size = async (source) => {
                            const image = new Image();
                            image.src = source;
                            await image.decode();
                            return `${image.naturalWidth}x${image.naturalHeight}`;
                        };
                        for (const { src, sizes } of manifest.icons) {
                            if (sizes !== "any" && (await size(new URL(src, address).href)) !== sizes) faults.push(src);
                        }
                        if (!manifest.icons.some(({ purpose }) => purpose === "maskable")) faults.push("maskable");
                        if ((await size(document.querySelector("[rel=apple-touch-icon]").href)) !== "180x180") faults.push("apple");
                        const preview = document.querySelector("[property='og:image']").content;
                        if ((await size(new URL(preview, document.baseURI).href)) !== "1200x630") faults.push("preview");
                        return faults;
                    })()
                    """)
                #expect(faults == [])
                // The browser's own offer comes when it likes: one of ours, which is as it is.
                try await browser.run(
                    """
                    const offer = new Event("beforeinstallprompt", { cancelable: true });
                    offer.prompt = async () => { window.wasPrompted = true; };
                    dispatchEvent(offer);
                    """)
                try await browser.openDialog("settings")
                try await browser.click("#settings .install")
                try await browser.wait(for: "window.wasPrompted")
                #expect(try await browser.value("document.querySelector('#settings .install') === null", as: Bool.self))
                // Safari on a phone.
                try await browser.closeDialog()
                try await browser.run("Object.defineProperty(navigator, 'standalone', { value: false })")
                try await browser.openDialog("settings")
                try await browser.wait(for: "Add to Home Screen", in: "#settings")
            }
        }
    }
}
