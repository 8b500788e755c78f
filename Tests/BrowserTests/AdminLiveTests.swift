import Foundation
import TestSupport
import Testing

extension PageTests {
    @Suite("The admin page's live part", .everyLayout)
    struct AdminLiveTests {
        /// A browser whose page asks again as soon as a script has it wait no longer.
        private func look(_ body: (PlayedService, Browser) async throws -> Void) async throws {
            try await play(on: Browser.Device(width: 1280)) { service, browser in
                // Ten seconds are a tenth of one here.
                try await browser.runBeforePages(
                    """
                    const later = window.setTimeout;
                    window.setTimeout = (action, time, ...all) => later(action, time / 100, ...all);
                    const real = window.fetch;
                    window.asked = 0;
                    window.isAway = false;
                    window.fetch = (address, ...all) => {
                        if (String(address).endsWith("/live")) window.asked += 1;
                        return window.isAway ? Promise.reject(new TypeError()) : real(address, ...all);
                    };
                    """)
                let key = try await service.addAdminKey("anna-\(UUID().uuidString.prefix(8))")
                try await browser.open(service.adminAddress, until: "document.querySelector('#key')")
                try await browser.fill("#key", key + "\n")
                try await browser.wait(for: "document.querySelector('#live-services td')")
                try await body(service, browser)
            }
        }

        @Test("it is the first thing to be seen, comes up to date by itself, and says when it does not")
        func refreshing() async throws {
            try await look { service, browser in
                #expect(try await browser.text(of: "nav [aria-current]") == "Live")
                #expect(try await browser.text(of: "#live-paid") == "0")
                #expect(try await browser.text(of: "#live-sessions").contains(" of "))
                #expect(try await browser.text(of: "#live-standbys").contains("None is connected."))
                let player = "DEVICE \(UUID().uuidString)"
                try await service.psql(
                    "SELECT register_user('\(player)', NULL, NULL), pay_for_game('\(player)', NULL, NULL)")
                try await browser.wait(for: "document.querySelector('#live-paid').textContent === '1'")
                try await browser.run("window.isAway = true")
                try await browser.wait(for: "The values are from", in: "#live-state.is-stale")
                #expect(try await browser.text(of: "#announcer") == "What you see is out of date.")
                #expect(try await browser.text(of: "#live-paid") == "1", "what was known stays")
                try await browser.run("window.isAway = false")
                try await browser.wait(for: "document.querySelector('#live-state:not(.is-stale)')")
                #expect(try await browser.text(of: "#announcer") == "Up to date again.")
            }
        }

        @Test("it asks no more while it is hidden or another part is shown, and at once when it is seen again")
        func hiding() async throws {
            try await look { _, browser in
                let hide = { (isHidden: Bool) in
                    """
                    Object.defineProperty(document, 'hidden', { configurable: true, value: \(isHidden) });
                    document.dispatchEvent(new Event('visibilitychange'));
                    """
                }
                // Nobody waits for a time: a timer that is set now ends after all that would have asked.
                let settle =
                    "new Promise((done) => setTimeout(() => setTimeout(done, 30000), 30000)).then(() => window.asked)"
                try await browser.run(hide(true))
                let asked: Int = try await browser.value(settle)
                #expect(try await browser.value(settle) == asked)
                try await browser.run(hide(false))
                try await browser.wait(for: "window.asked > \(asked)")
                try await browser.run("location.hash = 'trail'")
                try await browser.wait(for: "document.querySelector('main h1')?.textContent === 'Audit trail'")
                let then: Int = try await browser.value(settle)
                #expect(try await browser.value(settle) == then)
                try await browser.run(hide(true) + hide(false))
                #expect(try await browser.value(settle) == then, "what is not shown does not ask")
            }
        }

        @Test("the manual is rendered: all that is in it goes in as text, and what is not known stays as it is written")
        func markdown() async throws {
            try await look { _, browser in
                let text = """
                    ## Growth & <img src=x>

                    One `a < b`, **two [three](#x)**, *four*,
                    <b>five</b> 2 * 3.
                    - item
                      goes on
                      - inner

                    1. first

                       ```sh
                       ls | wc
                       ```
                    2. second

                    | a | |
                    |---|---|
                    | `1` | <i>x</i><a id="y"></a> |

                    ```
                    # no heading
                    """
                let made: String = try await browser.value(
                    """
                    import("/admin/pages/admin-markdown.js").then(({ rendered }) => {
                        const place = document.createElement("div");
                        place.append(...rendered(\(text.literal), (target, content) => {
                            const link = Object.assign(document.createElement("a"), { title: target });
                            link.append(...content);
                            return link;
                        }));
                        return place.innerHTML.replaceAll(/ (?:role|data-label|tabindex)="[^"]*"/g, "");
                    })
                    """)
                #expect(
                    made == """
                        <h1 id="growth--img-srcx"><a title="#growth--img-srcx">Growth &amp; &lt;img src=x&gt;</a></h1>\
                        <p>One <code>a &lt; b</code>, <strong>two <a title="#x">three</a></strong>, <em>four</em>,
                        &lt;b&gt;five&lt;/b&gt; 2 * 3.</p>\
                        <ul><li>item
                        goes on<ul><li>inner</li></ul></li></ul>\
                        <ol><li>first<pre><code>ls | wc</code></pre></li><li>second</li></ol>\
                        <div class="list"><table><thead><tr><th scope="col">a</th><td></td></tr></thead>\
                        <tbody><tr><td><span><code>1</code></span></td><td><span>&lt;i&gt;x&lt;/i&gt;<a id="y"></a></span></td></tr></tbody>\
                        </table></div><pre><code># no heading</code></pre>
                        """)
                // Nothing of the manual itself is left as it is written.
                let left: [String] = try await browser.value(
                    """
                    Promise.all([import("/admin/pages/admin-markdown.js"), import("/admin/pages/admin-manual.js").then(({ pages }) =>
                        Promise.all(pages.map((page) => fetch(`/admin/pages/${page}.md`).then((one) => one.text()))))])
                        .then(([{ rendered }, texts]) => {
                            const text = texts.join("\\n");
                            const place = document.createElement("div");
                            place.append(...rendered(text.replace(/^ *<!-- .* -->\\n/gm, ""), () => ""));
                            for (const code of place.querySelectorAll("code")) code.remove();
                            return place.textContent.match(/[^\\n]*(?:\\*\\*|\\]\\(|\\|---|`|<!--)[^\\n]*/g) ?? [];
                        })
                    """)
                #expect(left == [])
            }
        }

        @Test("what is wrong is said, with the section of the manual that tells what to do")
        func warnings() async throws {
            try await look { service, browser in
                try await browser.wait(for: "Nothing is known to be wrong.", in: "#live-warnings")
                try await service.psql(
                    """
                    SELECT renew_service(gen_random_uuid(), '0.0.1', repeat('a', 64));
                    UPDATE services SET seen_at = now() + interval '10 minutes' WHERE release = '0.0.1'
                    """)
                try await browser.wait(for: "Services of different releases run.", in: "#live-warnings")
                #expect(try await browser.text(of: "#live-services").contains("0.0.1 (here: "))
                try await browser.click("#live-warnings a")
                try await browser.wait(for: "A new release", in: "main h1")
                try await browser.click(".manual ul a")
                try await browser.wait(for: "With the package", in: "main h1")
                #expect(try await browser.text(of: ".manual").contains("juliet migrate plan"))
                #expect(!(try await browser.text(of: ".manual").contains("<!--")))
                #expect(!(try await browser.text(of: ".manual").contains("```")))
                #expect(try await browser.value("document.querySelectorAll('.manual pre').length > 1", as: Bool.self))
                #expect(try await browser.text(of: "nav [aria-current]") == "Live")
                // The link that skips the head leaves the address as it is, so a reload shows the same.
                try await browser.run(
                    "document.querySelector('main h1').textContent = 'before'; document.querySelector('.skip').click();"
                )
                #expect(try await browser.value("document.activeElement.id") == "content")
                try await browser.run("location.reload()")
                try await browser.wait(for: "document.querySelector('main h1')?.textContent === 'With the package'")
                try await browser.run("location.hash = 'manual/admin/refused-parts'")
                try await browser.wait(for: "document.activeElement.id === 'refused-parts'")
                // A row.
                try await browser.run("location.hash = 'manual/trouble/transaction'")
                try await browser.wait(for: "has been open for an hour", in: "main tr:focus")
                #expect(try await browser.complaints() == [])
            }
        }
    }
}
