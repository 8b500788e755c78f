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
    private let origin: String?

    /// Links to a page.
    ///
    /// - Parameters:
    ///   - page: The game's page as it is served, whose head has its texts between two comments.
    ///   - basePath: What a gateway puts before the URLs, without a slash at its end.
    ///   - origin: Where the page is; nil: where a request is for.
    init(_ page: String, basePath: String, origin: String?) {
        let page = page.replacing("\"\(Pages.folder)/", with: "\"\(basePath)/\(Pages.folder)/")
        guard let language = page.firstRange(of: "lang=\"en\""), let head = page.firstRange(of: "<!-- preview -->\n"),
            let end = page.firstRange(of: "    <!-- /preview -->\n")
        else { preconditionFailure("the page has no head for links") }
        beforeLanguage = String(page[..<language.lowerBound])
        beforeHead = String(page[language.upperBound..<head.lowerBound])
        afterHead = String(page[end.upperBound...])
        self.basePath = basePath
        self.origin = origin
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
        let root = (origin ?? Self.origin(of: request)) + basePath
        let (title, description) = (Self.escaped(text.title), Self.escaped(text.description))
        return """
            \(beforeLanguage)lang="\(language.rawValue)"\(isUnknown ? " data-unknown" : "")\(beforeHead)<title>\(title)</title>
                <meta name="description" content="\(description)">
                <meta property="og:type" content="website">
                <meta property="og:title" content="\(title)">
                <meta property="og:description" content="\(description)">
                <meta property="og:url" content="\(Self.escaped(root + path))">
                <meta property="og:image" content="\(Self.escaped("\(root)/\(Pages.folder)/preview.png"))">
            \(afterHead)
            """
    }

    /// Where a request is for. Only its sender sees it, so what a proxy says of TLS needs no proof.
    private static func origin(of request: Request) -> String {
        let isSecure = request.headers["X-Forwarded-Proto"]?.lowercased() == "https"
        return "\(isSecure ? "https" : "http")://\(request.authority)"
    }

    /// A text as HTML, between tags or quotation marks.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
