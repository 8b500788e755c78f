import Foundation
import TestSupport
import Testing

extension PageTests {
    @Suite("The end of a game", .everyLayout)
    struct EndingTests {
        @Test(
            "is about the player: praise, the word, days in a row, rank today, the distribution with this game’s bar, and a main button"
        )
        func about() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                try await browser.start()
                let secret = try await service.secret(of: browser.newestGame())
                try await browser.guess(words(otherThan: secret)[0], 1)
                try await browser.guess(secret, 2)
                try await browser.wait(for: "document.querySelector('#panel .distribution')")
                let text = try await browser.text(of: "#panel")
                for part in [
                    "Wonderful. The word was \(secret.uppercased()).", "No. 1", "of 1 today", "days won in a row",
                ] {
                    #expect(text.contains(part), "\(part)")
                }
                #expect(
                    try await browser.value(
                        "[...document.querySelectorAll('#panel .bar')].map((bar) => bar.classList.contains('is-last'))")
                        == [false, true, false, false, false, false])
                #expect(try await browser.text(of: "#panel .figures dt") == "days won in a row")
                #expect(try await browser.text(of: "#panel .button.is-main") == "Play a word of your own")
                // Several days in a row go with what is shared.
                try await browser.run(
                    """
                    const ask = window.fetch;
                    window.fetch = async (address, options) => {
                        const answer = await ask(address, options);
                        if (!String(address).endsWith("/players/me")) return answer;
                        const player = await answer.json();
                        player.statistics.days.currentStreak = 5;
                        window.isTold = true;
                        return new Response(JSON.stringify(player), answer);
                    };
                    navigator.clipboard.writeText = async (text) => { window.shared = text; };
                    dispatchEvent(new Event("focus"));
                    """)
                try await browser.wait(for: "window.isTold")
                try await browser.click("#panel .share")
                try await browser.wait(for: "window.shared")
                #expect(
                    try await browser.value(
                        "window.shared.split('\\n')[0].endsWith(' · 2/6 · 5 days in a row')", as: Bool.self))
                #expect(try await browser.complaints() == [])
            }
        }

        @Test("says the rank in one’s leagues; of a table that cannot be loaded it says nothing, and tries again")
        func leagues() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                try await browser.start()
                #expect(
                    try await browser.value(
                        """
                        fetch("v2/leagues", { method: "POST", body: JSON.stringify({ name: "The Crew" }),
                            headers: { Authorization: "Bearer " + JSON.parse(localStorage["juliet.player"]).token } }).then(({ ok }) => ok)
                        """, as: Bool.self))
                try await browser.setBlocked("*/table*")
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "The Crew: this table cannot be loaded now.", in: "#panel .standings")
                #expect(try await !browser.text(of: "#panel .standings").contains("no."))
                try await browser.setBlocked()
                try await browser.click("#panel .standings button")
                try await browser.wait(for: "The Crew: no. 1 today, 1 of 1 has played", in: "#panel .standings")
            }
        }

        @Test("is shared as a picture that the page has drawn, without a letter, and saved where it cannot be shared")
        func picture() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                try await browser.guess(service.secret(of: browser.newestGame()), 1)
                try await browser.wait(for: "document.querySelector('#panel .share-image')")
                try await browser.run(
                    """
                    const make = URL.createObjectURL;
                    URL.createObjectURL = (blob) => { window.saved = blob; return make.call(URL, blob); };
                    """)
                try await browser.click("#panel .share-image")
                try await browser.wait(for: "The picture is saved", in: "#message")
                struct Picture: Decodable { let type: String, width: Int, height: Int, wax: Int }
                let picture: Picture = try await browser.value(
                    """
                    (async () => {
                        const image = await createImageBitmap(window.saved);
                        const canvas = new OffscreenCanvas(image.width, image.height);
                        const draw = canvas.getContext("2d");
                        draw.drawImage(image, 0, 0);
                        const probe = document.querySelector("#board [data-mark=correct]");
                        const wax = getComputedStyle(probe).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number);
                        const { data } = draw.getImageData(0, 0, image.width, image.height);
                        let count = 0;
                        for (let i = 0; i < data.length; i += 4) if (wax.every((part, index) => data[i + index] === part)) count += 1;
                        return { type: window.saved.type, width: image.width, height: image.height, wax: count };
                    })()
                    """)
                #expect(picture.type == "image/png" && picture.width == 1080 && picture.height == 1080)
                // Five round marks of 132 dots, and the seal.
                #expect((60_000...90_000).contains(picture.wax), "\(picture.wax)")

                // A phone's own way takes picture and text.
                try await browser.run(
                    """
                    const { matchMedia } = window;
                    window.matchMedia = (query) => (query.includes("coarse") ? { matches: true } : matchMedia.call(window, query));
                    navigator.canShare = () => true;
                    navigator.share = async ({ files, text }) => { window.shared = [files.length, files[0].type, text]; };
                    """)
                try await browser.click("#panel .share-image")
                try await browser.wait(for: "window.shared")
                #expect(try await browser.value("window.shared.slice(0, 2).join(' ')") == "1 image/png")
                #expect(try await browser.value("window.shared[2].endsWith('\(service.address)')", as: Bool.self))
                #expect(try await browser.complaints() == [])
            }
        }

        @Test("can be looked back at: how many words each guess left, and what could be expected of it")
        func lookBack() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                try await service.swap(browser.newestGame(), to: "spool")
                try await service.shortenList()
                try await browser.guess("crane", 1)
                try await browser.guess("spool", 2)
                try await browser.wait(for: "document.querySelector('#panel .review button')")
                try await browser.run(
                    """
                    const ask = window.fetch;
                    window.fetch = (address, options) => {
                        if (!/review/.test(address)) return ask(address, options);
                        window.fetch = ask;
                        return Promise.resolve(new Response("{}", { status: 429, headers: { "Retry-After": "3" } }));
                    };
                    """)
                try await browser.activate("#panel .review button")
                try await browser.wait(for: "Wait a minute, then try again.", in: "#panel .review")
                try await browser.activate("#panel .review button")
                try await browser.wait(for: "document.querySelectorAll('#panel .review li').length === 2")
                let sentences: [String] = try await browser.value(
                    "[...document.querySelectorAll('#panel .review li')].map((line) => line.textContent)")
                let left =
                    /After CRANE, [\d,]+ of [\d,]+ words (?:was|were) left\. Average: [\d.,]+\. (?:The best|No word)/
                #expect(sentences[0].prefixMatch(of: left) != nil, "\(sentences)")
                #expect(
                    sentences[1].wholeMatch(of: /SPOOL was the word, one of [\d,]+ that were left\./) != nil,
                    "\(sentences)")
                #expect(try await browser.value("document.activeElement.textContent") == "Looking back")
                #expect(try await browser.complaints() == [])
            }
        }

        @Test("is shown when the service answers no more, without what only it knows")
        func offline() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let secret = try await service.secret(of: browser.newestGame())
                try await browser.run(
                    """
                    const ask = window.fetch;
                    window.fetch = (address, options) =>
                        /players\\/me|service/.test(address) ? Promise.reject(new TypeError("no network")) : ask(address, options);
                    """)
                try await browser.guess(secret, 1)
                try await browser.wait(for: "You solved it in 1", in: "#panel")
                #expect(try await browser.text(of: "#panel").contains("The word was \(secret.uppercased())."))
            }
        }
    }
}
