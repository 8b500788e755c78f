import HTTPServer
import JulietGame

/// The files of the admin page: those in `admin`, and those of the players' page that both use. Browsers do not keep them.
enum AdminPages {
    /// The page for people who are signed in.
    static let main = Page("admin.html", PackageResources.admin_html, isPrivate: true)

    /// The form to sign in.
    ///
    /// - Parameters:
    ///   - message: Why it is shown again.
    ///   - retryAfter: How many seconds to wait.
    static func signIn(_ message: String = "", _ status: HTTPStatus = .ok, _ retryAfter: Int? = nil) -> Response {
        let text = String(decoding: PackageResources.sign_in_html, as: UTF8.self)
        var headers = Page.headers(isPrivate: true)
        headers.append("Content-Type", "text/html; charset=utf-8")
        if let retryAfter { headers.append("Retry-After", String(retryAfter)) }
        return Response(
            status: status, headers: headers,
            body: .bytes(Array(text.replacing("<!-- message -->", with: message).utf8)))
    }

    /// Whether a file is needed to sign in; the others take a valid key.
    static func isOpen(_ name: String) -> Bool {
        ["colours.css", "admin.css", "theme.js", "icon.svg"].contains(name)
    }

    /// The script with how much can be given at a time.
    private static var deeds: [UInt8] {
        let text = String(decoding: PackageResources.admin_deeds_js, as: UTF8.self)
        return Array(
            text.replacing("const maximumGrant = 0;", with: "const maximumGrant = \(EnergyLedger.grants.upperBound);")
                .utf8)
    }

    /// Every file below `/admin/pages/`.
    static let files = [
        Page("admin.css", PackageResources.admin_css, isPrivate: true),
        Page("admin.js", PackageResources.admin_js, isPrivate: true),
        Page("admin-api.js", PackageResources.admin_api_js, isPrivate: true),
        Page("admin-chart.js", PackageResources.admin_chart_js, isPrivate: true),
        Page("admin-deeds.js", deeds, isPrivate: true),
        Page("admin-figures.js", PackageResources.admin_figures_js, isPrivate: true),
        Page("admin-live.js", PackageResources.admin_live_js, isPrivate: true),
        Page("admin-manual.js", PackageResources.admin_manual_js, isPrivate: true),
        Page("admin-names.js", PackageResources.admin_names_js, isPrivate: true),
        Page("admin-player.js", PackageResources.admin_player_js, isPrivate: true),
        Page("admin-players.js", PackageResources.admin_players_js, isPrivate: true),
        Page("admin-together.js", PackageResources.admin_together_js, isPrivate: true),
        Page("admin-trail.js", PackageResources.admin_trail_js, isPrivate: true),
        Page("admin-views.js", PackageResources.admin_views_js, isPrivate: true),
        Page("admin-words.js", PackageResources.admin_words_js, isPrivate: true),
        Page("colours.css", PackageResources.colours_css, isPrivate: true),
        Page("dom.js", PackageResources.dom_js, isPrivate: true),
        Page("hex.js", PackageResources.hex_js, isPrivate: true),
        Page("icon.svg", PackageResources.icon_svg, isPrivate: true),
        Page("operations.md", PackageResources.operations_md, isPrivate: true),
        Page("theme.js", PackageResources.theme_js, isPrivate: true),
    ]
}
