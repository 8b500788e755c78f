// What the tests of playing together do again and again.

extension Browser {
    /// Ends the game of the day by its word, in the guesses given before it.
    func playToday(_ service: PlayedService, after guesses: [String] = []) async throws {
        try await open(service.address)
        try await start()
        try await service.swap(newestGame(), to: "spool")
        for (index, guess) in (guesses + ["spool"]).enumerated() { try await self.guess(guess, index + 1) }
        try await wait(for: "You solved it in \(guesses.count + 1)", in: "#panel")
    }

    /// Opens a part of the dialog of what is played together.
    func openTogether(_ part: String) async throws {
        try await openDialog("together")
        try await wait(for: "document.querySelector('#together form')")
        try await click("#together [value=\(part)]")
        try await wait(for: "document.querySelector('#together .games')")
    }

    /// Fills in a word of one's own, in the dialog's part about challenges.
    func chooseOwnWord(_ word: String) async throws {
        try await activate("#together [name=kind][value=own]")
        try await fill("#together [name=word]", word)
    }

    /// Makes a league and returns the link that invites to it.
    func makeLeague(_ name: String) async throws -> String {
        try await openTogether("leagues")
        try await fill("#together form input", name)
        try await type("\n")
        try await wait(for: name, in: "#together h3")
        return try await text(of: "#together .link .code")
    }

    /// Follows a link of the page, as who was sent it.
    func follow(_ link: String, until text: String) async throws {
        try await open(link)
        try await wait(for: text, in: "#panel")
    }

    /// The table that a selector finds: a row each, its cells by blanks; patterns as "▪" each guess.
    func table(_ selector: String) async throws -> [String] {
        try await value(
            """
            [...document.querySelectorAll("\(selector) tbody tr")].map((row) => [...row.children].map((cell) => {
                const copy = cell.cloneNode(true);
                for (const seen of copy.querySelectorAll(".unseen")) seen.remove();
                for (const pattern of copy.querySelectorAll(".pattern")) pattern.replaceWith("▪".repeat(pattern.children.length));
                return copy.textContent.trim();
            }).join(" "))
            """)
    }
}
