// What the tests of the page see and do again and again.

extension Browser {
    /// The board as a player sees it: a row each, letters with their marks, "C-" absent, "C?" present, "C!" correct, typed
    /// ones alone; empty rows left out.
    func board() async throws -> [String] {
        try await value(
            """
            [...document.querySelectorAll("#board .row")].map((row) => [...row.children].map((tile) =>
                tile.textContent + ({ absent: "-", present: "?", correct: "!" }[tile.dataset.mark] ?? "")
            ).join("")).filter((row) => row !== "")
            """)
    }

    /// The pictures in sight, but for those of the opening letter, that are too small to be seen or have another shape than they are drawn in.
    func misshapenPictures() async throws -> [String] {
        try await value(
            """
            [...document.querySelectorAll("svg:not(.sprite, .opening *), img, canvas")].filter((picture) => {
                if (picture.getClientRects().length === 0) return false;
                const { width, height } = picture.getBoundingClientRect();
                const used = picture.querySelector("use")?.getAttribute("href");
                const box = (used ? document.querySelector(used) : picture).viewBox?.baseVal;
                const shape = box ? box.width / box.height : picture.naturalWidth / picture.naturalHeight;
                return !(width >= 8 && height >= 8 && Math.abs(width / height / shape - 1) < 0.03);
            }).map((picture) => picture.outerHTML.slice(0, 120))
            """)
    }

    /// Starts a game of the page's tab and waits for its keys.
    func start() async throws {
        try await click("#panel .button.is-main")
        try await wait(for: "!document.querySelector('#keyboard').hidden")
    }

    /// Types a word and Enter, and waits until so many guesses are judged.
    func guess(_ word: String, _ number: Int) async throws {
        try await type(word + "\n")
        try await waitForGuesses(number)
    }

    /// Waits until so many guesses are judged, and have turned.
    func waitForGuesses(_ number: Int) async throws {
        try await wait(for: "document.querySelectorAll('#board .tile[data-mark]:first-child').length === \(number)")
        try await wait(for: "document.getAnimations().every((animation) => animation.playState !== 'running')")
    }

    /// Pastes a text where the focus is.
    func paste(_ text: String) async throws {
        try await run(
            """
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", \(text.literal));
            document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
            """)
    }

    /// Shows the recovery code in an open dialog, one that is still good or a new one, and returns it.
    func showCode(in dialog: String) async throws -> String {
        try await wait(for: "document.querySelector('\(dialog) .recovery button') !== null")
        let isShown = "document.querySelector('#recovery-code') !== null"
        // One button shows the code or makes one; where there is an old one, it asks first, and another one makes it.
        let clicks = ["\(isShown) || document.querySelector('\(dialog) .recovery .quiet') !== null", isShown]
        for ending in clicks {
            if try await value(isShown) { break }
            try await click("\(dialog) .recovery:not(:has(#recovery-code)) button")
            try await wait(for: ending)
        }
        return try await text(of: "#recovery-code")
    }

    /// Opens a dialog and waits until it is filled.
    func openDialog(_ id: String) async throws {
        try await click("[data-opens=\(id)]")
        try await wait(for: "document.querySelector('#\(id)').open")
        let content = "document.querySelector('#\(id) .content')"
        try await wait(for: "\(content)?.textContent !== '' && !\(content)?.querySelector(':scope > .coming')")
    }

    /// Visits what there is about the player, whom a passkey is made for and taken from again, in a browser that can keep one.
    ///
    /// - Parameters:
    ///   - made: What is said when there is a passkey.
    ///   - last: What is asked before the last way in is taken away.
    ///   - check: Looks at each place, by its name.
    func visitAccount(made: String, last: String, _ check: (String) async throws -> Void) async throws {
        try await openDialog("power")
        try await wait(for: "document.querySelector('#power tbody tr')")
        try await check("power")
        try await closeDialog()
        try await openDialog("settings")
        try await wait(for: "document.querySelector('#settings .make-passkey')")
        try await check("settings with passkeys")
        try await click("#settings .make-passkey")
        try await wait(for: made, in: "#settings")
        try await check("a passkey made")
        try await click("#settings .to-ways")
        try await wait(for: "document.querySelector('#ways .recovery button')")
        try await check("ways")
        try await click("#ways [data-passkey] .button")
        try await wait(for: last, in: "#ways")
        try await check("removing a passkey")
        try await click("#ways [data-passkey] .is-danger")
        try await wait(for: "document.querySelector('#ways [data-passkey]') === null")
        try await closeDialog()
        try await openDialog("settings")
        try await click("#settings .to-data")
        try await click("#data .delete-player")
        try await check("data")
        try await click("#data .go-on")
        try await check("deleting")
        try await closeDialog()
        try await openDialog("settings")
        try await click("#settings .sign-out")
        _ = try await showCode(in: "#leave")
        try await check("leave")
        try await closeDialog()
    }

    /// Spends all energy on games that are given up, and shows what is offered then.
    func spendAll(_ service: PlayedService) async throws {
        try await open(service.address + "#game")
        try await start()
        for number in 1...6 {
            let _: AnyAnswer = try await ask("POST", "games/\(newestGame().id)/resign")
            if number < 6 { let _: AnyAnswer = try await ask("POST", "games") }
        }
        try await reload()
        try await wait(for: "Not enough energy", in: "#panel")
    }

    /// Closes the dialog that is open by Escape.
    func closeDialog() async throws {
        try await type("\u{E00C}")
        try await wait(for: "document.querySelector('dialog[open]') === null")
    }

    /// Asks the service in the player's name, and returns the answer as JSON.
    func ask<Answer: Decodable>(_ method: String, _ path: String, as type: Answer.Type = Answer.self) async throws
        -> Answer
    {
        try await value(
            """
            fetch(new URL("v2/\(path)", document.baseURI), {
                method: "\(method)",
                headers: { Authorization: "Bearer " + JSON.parse(localStorage.getItem("juliet.player")).token },
            }).then(async (response) => JSON.parse(await response.text() || "{}"))
            """)
    }

    /// The player's newest game.
    func newestGame() async throws -> GameAnswer {
        struct Page: Decodable { let games: [GameAnswer] }
        let page: Page = try await ask("GET", "games?limit=1")
        guard let game = page.games.first else { throw Failure(description: "no game") }
        return game
    }
}

/// What the tests look at in a game.
struct GameAnswer: Decodable, Sendable {
    struct Guess: Decodable, Sendable { let word: String }
    let id: String
    let kind: String
    let state: String
    let language: String
    let length: Int
    let guesses: [Guess]
}

/// Nothing that is looked at.
struct AnyAnswer: Decodable, Sendable {}
