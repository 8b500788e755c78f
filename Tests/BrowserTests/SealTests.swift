import TestSupport
import Testing

extension PageTests {
    @Suite("The seal", .defaultLayout("about the browser, not the database"))
    struct SealTests {
        @Test("is verified only where the commitment was seen before the end, and its line opens to the proof")
        func honest() async throws {
            try await play { service, browser in
                try await browser.open(service.address + "#game")
                try await browser.start()
                let game = try await browser.newestGame()
                try await browser.guess(service.secret(of: game), 1)
                try await browser.wait(for: "Seal verified", in: "#panel .verdict")
                try await browser.click("#panel .verdict button")
                try await browser.wait(for: "document.querySelector('#sealed #verdict')")
                #expect(try await browser.text(of: "#sealed #verdict").contains("Seal verified"))
                // The proof is for those who want it.
                #expect(try await browser.value("document.querySelector('#sealed details').open") == false)
                try await browser.click("#sealed summary")
                #expect(try await browser.text(of: "#opened").hasSuffix(":" + service.secret(of: game)))
                try await browser.closeDialog()
                try await browser.openDialog("settings")
                let code = try await browser.showCode(in: "#settings")

                // Another device sees the game only when it is over.
                try await Browser.with { other in
                    try await other.open(service.address)
                    try await other.openDialog("settings")
                    try await other.click("#settings input[required]")
                    try await other.type(code + "\n")
                    try await other.wait(for: "document.querySelector('dialog[open]') === null")
                    try await other.open(service.address + "#game/\(game.id)")
                    try await other.wait(for: "not seen from the beginning", in: "#panel .verdict")
                    #expect(try await !other.text(of: "#panel").contains("verified"))
                    try await other.click("#panel .verdict button")
                    try await other.click("#sealed summary")
                    try await other.wait(for: "only after the game was over", in: "#sealed")
                    // It stays so, however often it is looked at.
                    try await other.closeDialog()
                    try await other.reload()
                    try await other.wait(for: "not seen from the beginning", in: "#panel .verdict")
                }
            }
        }

        @Test("the page's own SHA-256 gives the digests of FIPS 180-4's examples, and the browser's for every length")
        func digests() async throws {
            try await play { service, browser in
                try await browser.open(service.address)
                let faults: [String] = try await browser.value(
                    """
                    (async () => {
                        const { sha256 } = await import(new URL("sha256.js", document.querySelector("script[type=module]").src));
                        const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
                        const faults = Object.entries({
                            "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                            "abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq":
                                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
                            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu":
                                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
                            ["a".repeat(1_000_000)]: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
                        }).filter(([text, digest]) => hex(sha256(new TextEncoder().encode(text))) !== digest).map(([text]) => text);
                        const bytes = Uint8Array.from({ length: 200 }, (_, index) => 7 * index);
                        for (let length = 0; length <= bytes.length; length += 1) {
                            const part = bytes.subarray(0, length);
                            const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", part));
                            if (hex(sha256(part)) !== hex(digest)) faults.push(String(length));
                        }
                        return faults;
                    })()
                    """)
                #expect(faults == [])
            }
        }
    }
}
