import HTTPServer
import JulietAPI
import JulietGame
import Testing

@testable import JulietServer

@Suite("The page of a link to a challenge")
struct ChallengePageTests {
    private static let day = V2.Day("2026-12-24") ?? V2.Day(daysSince1970: 0)

    private func link(by maker: String? = "Ada", isOver: Bool = false) -> ChallengeLink {
        ChallengeLink(maker: maker, length: 5, lastDay: Self.day, isOver: isOver)
    }

    private func html(
        _ text: HeadText, _ language: HeadLanguage = .english, basePath: String = "", origin: String? = nil,
        title: String = "Juliet", isUnknown: Bool = false, headers: Headers = ["Host": "host:8080"]
    ) -> String {
        var offer = PageOffer()
        offer.origin = origin
        offer.title = title
        return ChallengePage(offer, basePath: basePath)
            .html(
                text, language, at: "/c/H7KQ-2MXP", isUnknown: isUnknown,
                for: Request(method: .get, path: "/", headers: headers))
    }

    @Test("it says who challenges, how long the word is, and until when")
    func texts() {
        let english = HeadText(link(), in: .english)
        #expect(english.title == "Ada challenges you")
        #expect(english.description == "A word of 5 letters. You can play until 24 December 2026.")
        let german = HeadText(link(), in: .german)
        #expect(german.title == "Ada fordert dich heraus")
        #expect(german.description == "Ein Wort mit 5 Buchstaben. Du kannst bis zum 24. Dezember 2026 spielen.")
        // Nobody is known by a name that the service made.
        for nobody in [nil, "Player 4821"] {
            #expect(HeadText(link(by: nobody), in: .english).title == "A challenge")
            #expect(HeadText(link(by: nobody), in: .german).title == "Eine Herausforderung")
        }
    }

    @Test("it says when a challenge is over")
    func over() {
        #expect(
            HeadText(link(isOver: true), in: .english).description
                == "A word of 5 letters. The challenge ended on 24 December 2026.")
        #expect(
            HeadText(link(isOver: true), in: .german).description
                == "Ein Wort mit 5 Buchstaben. Die Herausforderung endete am 24. Dezember 2026.")
    }

    @Test("a name cannot turn the text around it: where it may run from right to left, it is isolated")
    func directions() {
        #expect(HeadText(link(by: "דנה"), in: .english).title == "\u{2068}דנה\u{2069} challenges you")
        #expect(HeadText(link(by: "Ägir"), in: .german).title == "Ägir fordert dich heraus")
    }

    @Test(
        "the language is the one that the client wants most; English, if it wants neither",
        arguments: [
            ("de", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("en;q=0.5, DE ; q=0.6", "de"), ("fr, de;q=0.1", "de"),
            ("en, de", "en"), ("de, en", "de"), ("de;q=0", "en"), ("fr", "en"), ("*", "en"), ("", "en"), ("den", "en"),
            ("de;q=much", "en"), (";,;", "en"),
        ])
    func languages(accepted: String, language: String) {
        #expect(HeadLanguage(["Accept-Language": accepted]).rawValue == language)
        #expect(HeadLanguage([:]) == .english)
    }

    @Test("it says what the service is called")
    func title() {
        let page = html(HeadText(link(), in: .english), title: "Words & more")
        #expect(page.contains("<title>Ada challenges you · Words &amp; more</title>"))
        #expect(page.contains("<meta property=\"og:title\" content=\"Ada challenges you · Words &amp; more\">"))
        #expect(page.contains("<meta property=\"og:site_name\" content=\"Words &amp; more\">"))
        #expect(!page.contains("Juliet"))
    }

    @Test("a name is text, whatever stands in it")
    func escaped() {
        let page = html(HeadText(link(by: #"<b>&"'"#), in: .english))
        let title = "&lt;b&gt;&amp;&quot;&#39; challenges you · Juliet"
        #expect(page.contains("<title>\(title)</title>"))
        #expect(page.contains("<meta property=\"og:title\" content=\"\(title)\">"))
        #expect(!page.contains("<b>"))
        let evil = html(HeadText(link(), in: .english), headers: ["Host": "\"><script>"])
        #expect(!evil.contains("\"><script>"))
    }

    @Test(
        "it is the page with another head, whose parts have addresses from the root of the host",
        arguments: ["", "/prod"])
    func page(basePath: String) throws {
        let page = html(HeadText(link(), in: .german), .german, basePath: basePath)
        #expect(page.hasPrefix("<!doctype html>\n<html lang=\"de\" data-title="))
        let own = Pages.game(PageOffer(), basePath: basePath)
        let (head, ownHead) = (
            try #require(page.firstRange(of: "og:image:width")), try #require(own.firstRange(of: "og:image:width"))
        )
        #expect(
            page[head.lowerBound...]
                == own[ownHead.lowerBound...].replacing("\"\(Pages.folder)/", with: "\"\(basePath)/\(Pages.folder)/"))
        for name in ["title>", "name=\"description\"", "og:title", "og:description", "og:type", "og:url", "og:image\""]
        {
            #expect(page.ranges(of: name).count == (name == "title>" ? 2 : 1), "\(name)")
        }
        #expect(!page.contains("\"pages/"))
    }

    @Test("it says that there is no such challenge, so that the page need not ask")
    func unknown() {
        let text = HeadText(refusedWith: .notFound, in: .english)
        let page = html(text, isUnknown: true)
        #expect(page.hasPrefix("<!doctype html>\n<html lang=\"en\" data-unknown data-title="))
        #expect(page.replacing(" data-unknown", with: "") == html(text))
    }

    @Test("addresses are complete: below the origin of the settings, else of the request")
    func addresses() {
        let text = HeadText(link(), in: .english)
        for (origin, headers, expected) in [
            ("https://juliet.example", ["Host": "other"], "https://juliet.example/prod"),
            (nil, ["Host": "other:8080"], "http://other:8080/prod"),
            (nil, ["Host": "other", "X-Forwarded-Proto": "https"], "https://other/prod"),
        ] as [(String?, Headers, String)] {
            let page = html(text, basePath: "/prod", origin: origin, headers: headers)
            #expect(page.contains("<meta property=\"og:url\" content=\"\(expected)/c/H7KQ-2MXP\">"))
            #expect(page.contains("<meta property=\"og:image\" content=\"\(expected)/\(Pages.folder)/preview.png\">"))
        }
    }
}
