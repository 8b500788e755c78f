/// The parts of the game's page that the operator has switched on. The page does not show the others.
package struct PageOffer: Sendable {
    /// What the service is called.
    package var title = WebSettings().title
    /// Whether there is a lottery, and a link to it.
    package var hasLottery = true
    /// Whether there are challenges.
    package var hasChallenges = true
    /// Whether past days can be played.
    package var hasDaysGoneBy = true
    /// Whether there are leagues.
    package var hasLeagues = true
    /// Where the page is, such as `https://juliet.example`; nil: not known. Programs that show a link to the page need
    /// absolute addresses.
    package var origin: String?
    /// Where the operator says who they are; empty: nowhere.
    package var imprint = ""
    /// The operator's privacy policy; empty: none.
    package var privacy = ""

    /// An offer with all parts.
    package init() {}

    /// The page with this offer. Parts are between two comments, such as `<!-- days -->` and `<!-- /days -->`, and
    /// `data-has` names the parts for the page's modules.
    ///
    /// - Parameter basePath: What a gateway puts before the URLs, without a slash at its end.
    func applied(to page: String, basePath: String) -> String {
        var page = named(page)
        let parts = [
            "lottery": hasLottery, "days": hasDaysGoneBy, "together": hasChallenges || hasLeagues,
        ]
        for (name, isThere) in parts where !isThere {
            let marks = ["<!-- \(name) -->", "<!-- /\(name) -->\n"]
            guard let start = page.firstRange(of: marks[0])?.lowerBound,
                let end = page.firstRange(of: marks[1])?.upperBound,
                let lineBefore = page[..<start].lastIndex(of: "\n")
            else { preconditionFailure("the page has no part \(name)") }
            page.removeSubrange(page.index(after: lineBefore)..<end)
        }
        let names = [("challenges", hasChallenges), ("daysGoneBy", hasDaysGoneBy), ("leagues", hasLeagues)]
            .filter(\.1).map(\.0)
        if let origin {
            let image = "property=\"og:image\" content=\""
            page.replace(image, with: image + origin + basePath + "/")
        }
        return linked(page).replacing(
            #"data-has="challenges daysGoneBy leagues""#, with: #"data-has="\#(names.joined(separator: " "))""#)
    }

    /// A page that is called as the service is, wherever it says Juliet as it is written. Another name than that is not drawn.
    func named(_ page: String) -> String {
        guard title != WebSettings().title else { return page }
        return page.replacing(#/<svg class="name".*?</svg>/#, with: "<span>Juliet</span>")
            .replacing("Juliet", with: title.escapedForHTML)
    }

    /// The manifest of the page as an app, with the service's name.
    func manifest(_ text: String) -> String {
        text.replacing("Juliet", with: title.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))
    }

    /// A page with links to the operator's own pages instead of a mark.
    func linked(_ page: String) -> String {
        let links = [("imprint", imprint), ("privacy", privacy)].filter { !$0.1.isEmpty }.map { name, address in
            "<a href=\"\(address.escapedForHTML)\" data-legal data-text=\"legal.\(name)\"></a>"
        }
        return links.isEmpty ? page : page.replacing("<!-- legal -->", with: links.joined())
    }
}
