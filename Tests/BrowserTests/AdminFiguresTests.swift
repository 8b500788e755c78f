import Foundation
import TestSupport
import Testing

extension PageTests {
    @Suite("The admin page's figures", .everyLayout)
    struct AdminFiguresTests {
        /// A browser in front of figures: of each of the last 401 days as many active players as days have gone by since.
        private func look(
            on device: Browser.Device = Browser.Device(width: 1280), at part: String = "figures",
            _ body: (PlayedService, Browser) async throws -> Void
        ) async throws {
            try await play(on: device) { service, browser in
                // The service counts when it has run for a while. What is here is not counted again.
                try await service.psql(
                    """
                    DELETE FROM figures;
                    INSERT INTO figures (kind, starts_on, counts)
                    SELECT 'day', today() - n, jsonb_build_object('active', n, 'registered', 1, 'begun',
                        jsonb_build_object('app', 3, 'game', 2), 'hard', 1, 'challenges', 0, 'won', 1, 'lost', 1,
                        'entries', '{"game": 5, "purchase": 2, "refund": 1}'::jsonb,
                        'brought', '{"purchase": 1200, "refill": 5}'::jsonb, 'took', '{"game": 25}'::jsonb,
                        'outcomes', to_jsonb(ARRAY[0, 1, 2, 30, 4, 5, 6]))
                    FROM generate_series(1, 401) AS n;
                    INSERT INTO figures (kind, starts_on, counts)
                    SELECT 'week', date_trunc('week', today()::timestamp)::date - 7 * n, jsonb_build_object('active', 100 + n,
                        'came', 50, 'cohorts', (SELECT jsonb_object_agg(
                            date_trunc('week', today()::timestamp)::date - 7 * m, 25) FROM generate_series(n + 1, n + 12) AS m))
                    FROM generate_series(1, 60) AS n;
                    INSERT INTO figures (kind, starts_on, counts)
                    SELECT 'month', date_trunc('month', today()::timestamp - n * interval '1 month')::date, '{"active": 1000}'
                    FROM generate_series(1, 13) AS n
                    """)
                let key = try await service.addAdminKey("anna-\(UUID().uuidString.prefix(8))")
                try await browser.open(service.adminAddress, until: "document.querySelector('#key')")
                try await browser.fill("#key", key + "\n")
                try await browser.wait(for: "document.querySelector('#live-services td')")
                try await browser.run("location.hash = '\(part)'")
                try await browser.wait(for: "document.querySelector('#days')")
                try await body(service, browser)
            }
        }

        /// The chart with a title.
        private func chart(_ title: String) -> String {
            "[...document.querySelectorAll('.chart')].find((one) => one.querySelector('h2').textContent === '\(title)')"
        }

        @Test("each range has its days; a chart has a scale, and tells its values under the pointer and to the arrows")
        func charts() async throws {
            try await look { service, browser in
                let active = chart("Players active a day")
                #expect(try await browser.value("document.querySelectorAll('.chart').length") == 10)
                #expect(
                    try await browser.value("\(active).querySelector('.frame').getAttribute('aria-valuemax')") == "30")
                // 29 is the most.
                #expect(
                    try await browser.value(
                        "[...\(active).querySelectorAll('text')].slice(0, 4).map((one) => one.textContent)")
                        == ["0", "10", "20", "30"])
                try await browser.run(
                    """
                    const frame = \(active).querySelector('.frame');
                    frame.scrollIntoView({ block: 'center' });
                    frame.focus();
                    """)
                let value = "\(active).querySelector('.frame').getAttribute('aria-valuetext')"
                #expect(try await browser.value(value, as: String.self).hasSuffix(" 0 so far"))
                try await browser.type("\u{E012}")  // arrow left
                try await browser.wait(for: "\(value).endsWith(': 1')")
                try await browser.type("\u{E011}")  // home
                try await browser.wait(for: "\(value).endsWith(': 29')")
                #expect(try await browser.value("\(active).querySelector('.readout').textContent === \(value)"))
                struct Place: Decodable { let x: Int, y: Int }
                let place: Place = try await browser.value(
                    """
                    (() => {
                        const box = \(active).querySelector('.frame').getBoundingClientRect();
                        return { x: Math.round(box.right - 3), y: Math.round(box.top + 60) };
                    })()
                    """)
                try await browser.clickAt(x: place.x, y: place.y)
                try await browser.wait(for: "\(value).endsWith(' 0 so far')")
                #expect(
                    try await browser.value("\(chart("Games begun")).querySelector('.legend').textContent")
                        == "The app’s 87Ordinary 58Of the day 0Challenges 0Past days 0")
                #expect(try await browser.text(of: "#active-yesterday") == "1")
                for (days, name) in [(7, "7 days"), (90, "90 days"), (365, "A year")] {
                    try await browser.click("[href='#figures/\(days)']")
                    try await browser.wait(
                        for:
                            "document.querySelector('.ranges [aria-current]')?.textContent === '\(name)' && \(chart("New players"))"
                    )
                    #expect(
                        try await browser.value(
                            "\(chart("New players")).querySelector('.frame').getAttribute('aria-valuemax')")
                            == "\(days)")
                }
                #expect(try await browser.value("document.querySelectorAll('#left').length") == 0)
                #expect(try await browser.complaints() == [])
            }
        }

        @Test("the word of a day can be chosen, who came back is a table, and the days are a table and a file")
        func tables() async throws {
            try await look { service, browser in
                let guesses = chart("Guesses for the word of the day")
                let value = "\(guesses).querySelector('.frame').getAttribute('aria-valuetext')"
                #expect(try await browser.value(value) == "Lost: 6")
                try await browser.run(
                    "document.querySelector('#outcomes-day').selectedIndex = 0; document.querySelector('#outcomes-day').dispatchEvent(new Event('change'));"
                )
                try await browser.wait(for: "\(value) === 'Lost: 0'")
                #expect(
                    try await browser.value(
                        "document.querySelector('#retention tbody tr').textContent", as: String.self
                    )
                    .hasSuffix("5050 %50 %50 %50 %50 %50 %50 %50 %"))
                #expect(try await browser.value("document.querySelectorAll('#days table').length") == 0)
                try await browser.click("#days summary")
                try await browser.wait(for: "document.querySelectorAll('#days tbody tr').length === 30")
                #expect(try await browser.text(of: "#days tbody tr:nth-child(2) td:nth-child(2)") == "1")
                let lines = try await browser.value(
                    "decodeURIComponent(document.querySelector('#csv').href.split(',')[1]).split('\\r\\n')",
                    as: [String].self)
                #expect(lines.count == 32 && lines[0].hasPrefix(#""Day","Active","New players","Begun: the app’s""#))
                let oldest = try await service.psql("SELECT today() - 29")
                #expect(lines[1].hasPrefix("\(oldest),29,1,3,2,0,0,0,1,1,1,0,2,1,"))
                #expect(Set(lines.dropLast().map { $0.split(separator: ",").count }).count == 1)
                #expect(
                    try await browser.value("document.querySelector('#csv').download", as: String.self).hasSuffix(
                        ".csv"))
            }
        }

        @Test("days that are not counted yet are left out and named, and the page does not wait for them")
        func counting() async throws {
            try await look { service, browser in
                // The service counts by itself, so what is not counted yet is taken out of its answer.
                try await browser.run(
                    """
                    const real = window.fetch;
                    window.fetch = async (...all) => {
                        const answer = await (await real(...all)).json();
                        if (answer.kept) answer.kept.days = [];
                        return new Response(JSON.stringify(answer), { status: 200 });
                    };
                    location.hash = 'figures/90';
                    """)
                try await browser.wait(for: "88 of these days are not counted yet", in: "#left")
                let active = chart("Players active a day")
                try await browser.run("\(active).querySelector('.frame').focus()")
                try await browser.type("\u{E011}")
                try await browser.wait(
                    for:
                        "\(active).querySelector('.frame').getAttribute('aria-valuetext').endsWith(': not counted yet')"
                )
                #expect(try await browser.complaints() == [])
            }
        }
    }
}
