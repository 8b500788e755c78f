import HTTPServer

/// The game's page as links to challenges open it, with a head of their own. Programs in which people share links show what
/// the head says, without running scripts.
///
/// Its address is not the page's own, so addresses in it begin with a slash. `theme.js` leads on to the page's own address.
struct ChallengePage: Sendable {
    private let beforeLanguage: String
    private let beforeHead: String
    private let afterHead: String
    private let basePath: String
    private let offer: PageOffer

    /// Links to the game's page.
    ///
    /// - Parameters:
    ///   - offer: What the page offers. Without an origin, addresses are where a request is for.
    ///   - basePath: What a gateway puts before the URLs, without a slash at its end.
    init(_ offer: PageOffer, basePath: String) {
        let page = Pages.game(offer, basePath: basePath)
            .replacing("\"\(Pages.folder)/", with: "\"\(basePath)/\(Pages.folder)/")
        guard let language = page.firstRange(of: "lang=\"en\""), let head = page.firstRange(of: "<!-- preview -->\n"),
            let end = page.firstRange(of: "    <!-- /preview -->\n")
        else { preconditionFailure("the page has no head for links") }
        beforeLanguage = String(page[..<language.lowerBound])
        beforeHead = String(page[language.upperBound..<head.lowerBound])
        afterHead = String(page[end.upperBound...])
        self.basePath = basePath
        self.offer = offer
    }

    /// The page with the head of a link.
    ///
    /// - Parameters:
    ///   - text: What the link leads to.
    ///   - language: The language of the text.
    ///   - path: The link, below the base path.
    ///   - isUnknown: Whether there is no such challenge, as the page then shows without asking again.
    ///   - request: The request for it.
    func html(
        _ text: HeadText, _ language: HeadLanguage, at path: String, isUnknown: Bool, for request: Request
    ) -> String {
        let root = (offer.origin ?? Self.origin(of: request)) + basePath
        let title = "\(text.title) · \(offer.title)".escapedForHTML
        let description = text.description.escapedForHTML
        return """
            \(beforeLanguage)lang="\(language.rawValue)"\(isUnknown ? " data-unknown" : "")\(beforeHead)<title>\(title)</title>
                <meta name="description" content="\(description)">
                <meta property="og:type" content="website">
                <meta property="og:title" content="\(title)">
                <meta property="og:description" content="\(description)">
                <meta property="og:url" content="\((root + path).escapedForHTML)">
                <meta property="og:image" content="\("\(root)/\(Pages.folder)/preview.png".escapedForHTML)">
            \(afterHead)
            """
    }

    /// Where a request is for. Only its sender sees it, so what a proxy says of TLS needs no proof.
    private static func origin(of request: Request) -> String {
        let isSecure = request.headers["X-Forwarded-Proto"]?.lowercased() == "https"
        return "\(isSecure ? "https" : "http")://\(request.authority)"
    }
}
