/// What browsers get from the service, and whose pages may use it.
package struct WebSettings: Sendable, Equatable {
    /// Who may read the leaderboards of `/v2`.
    package enum Readers: String, Sendable, CaseIterable {
        /// Everybody.
        case `public`
        /// Players, by their token.
        case players
    }

    /// Whether the page is served at `/`. Default: true.
    package var isEnabled = true
    /// The name of this service that players see. Default: Juliet.
    package var title = "Juliet"
    /// The origins whose pages may use `/v2`, spelled as browsers send them, or only "*": all. Default: none.
    package var allowedOrigins: [String] = []
    /// Who may read the leaderboards. Default: everybody.
    package var leaderboards = Readers.public
    /// Where the operator says who they are: an address of HTTPS, or a path of this host. Empty, the default: nowhere.
    package var imprint = ""
    /// The operator's privacy policy, as ``imprint``.
    package var privacy = ""

    /// The defaults.
    package init() {}

    /// Origins as browsers spell them (RFC 6454 §6.2): in lower case, without a slash at the end and without the
    /// scheme's own port. nil if one is malformed, or "*" is not alone.
    static func origins(_ texts: [String]) -> [String]? {
        if texts == ["*"] { return texts }
        let origins = texts.compactMap(origin)
        return origins.count == texts.count ? origins : nil
    }

    /// An address that pages may link to; nil if the text is none. An empty text is valid.
    static func link(_ text: String) -> String? {
        let isLink =
            text.isEmpty
            || text.wholeMatch(
                of:
                    #/(https:\/\/[A-Za-z0-9\-]+(\.[A-Za-z0-9\-]+)*(:[0-9]{1,5})?(?=[\/?#]|$)|\/(?![\/\\]))[!#-;=?-\[\]_a-z~]*/#
            ) != nil
        return isLink && text.utf8.count <= 2000 ? text : nil
    }

    private static func origin(_ text: String) -> String? {
        let text = text.lowercased()
        guard
            let parts = text.wholeMatch(
                of:
                    #/(?<scheme>[a-z][a-z0-9+.\-]*):\/\/(?<host>[a-z0-9._\-]+|\[[0-9a-f:.]+\])(?<port>:[1-9][0-9]*)?\/?/#
            )
        else { return nil }
        let origin = "\(parts.scheme)://\(parts.host)"
        guard let port = parts.port?.dropFirst() else { return origin }
        switch (parts.scheme, port) {
        case ("http", "80"), ("https", "443"): return origin
        default: return UInt16(port) == nil ? nil : "\(origin):\(port)"
        }
    }
}
