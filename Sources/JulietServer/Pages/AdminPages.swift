import JulietGame

/// The files of the admin page: those in `admin`, and those of the players' page that both use. Browsers do not keep them.
///
/// The texts have the names that `texts.js` and `theme.js` ask for on both pages.
enum AdminPages {
    /// The page itself.
    static let main = Page("admin.html", PackageResources.admin_html, isPrivate: true)

    /// The script with how much can be given at a time.
    private static var deeds: [UInt8] {
        let text = String(decoding: PackageResources.admin_deeds_js, as: UTF8.self)
        return Array(
            text.replacing("const maximumGrant = 0;", with: "const maximumGrant = \(EnergyLedger.grants.upperBound);")
                .utf8)
    }

    /// The manual: the pages of `docs` that an operator reads. `admin-manual.js` has the same list.
    static let manual = [
        Page("admin.md", PackageResources.admin_md, isPrivate: true),
        Page("advanced.md", PackageResources.advanced_md, isPrivate: true),
        Page("audit.md", PackageResources.audit_md, isPrivate: true),
        Page("backup.md", PackageResources.backup_md, isPrivate: true),
        Page("https.md", PackageResources.https_md, isPrivate: true),
        Page("settings.md", PackageResources.settings_md, isPrivate: true),
        Page("trouble.md", PackageResources.trouble_md, isPrivate: true),
        Page("upgrade.md", PackageResources.upgrade_md, isPrivate: true),
        Page("watching.md", PackageResources.watching_md, isPrivate: true),
    ]

    /// Every file below `/admin/pages/`.
    static let files = own + manual

    private static let own = [
        Page("admin.css", PackageResources.admin_css, isPrivate: true),
        Page("admin.js", PackageResources.admin_js, isPrivate: true),
        Page("admin-api.js", PackageResources.admin_api_js, isPrivate: true),
        Page("admin-chart.js", PackageResources.admin_chart_js, isPrivate: true),
        Page("admin-deeds.js", deeds, isPrivate: true),
        Page("admin-figures.js", PackageResources.admin_figures_js, isPrivate: true),
        Page("admin-language.js", PackageResources.admin_language_js, isPrivate: true),
        Page("admin-live.js", PackageResources.admin_live_js, isPrivate: true),
        Page("admin-manual.js", PackageResources.admin_manual_js, isPrivate: true),
        Page("admin-markdown.js", PackageResources.admin_markdown_js, isPrivate: true),
        Page("admin-names.js", PackageResources.admin_names_js, isPrivate: true),
        Page("admin-player.js", PackageResources.admin_player_js, isPrivate: true),
        Page("admin-players.js", PackageResources.admin_players_js, isPrivate: true),
        Page("admin-sign-in.js", PackageResources.admin_sign_in_js, isPrivate: true),
        Page("admin-together.js", PackageResources.admin_together_js, isPrivate: true),
        Page("admin-trail.js", PackageResources.admin_trail_js, isPrivate: true),
        Page("admin-views.js", PackageResources.admin_views_js, isPrivate: true),
        Page("admin-words.js", PackageResources.admin_words_js, isPrivate: true),
        Page("colours.css", PackageResources.colours_css, isPrivate: true),
        Page("dom.js", PackageResources.dom_js, isPrivate: true),
        Page("hex.js", PackageResources.hex_js, isPrivate: true),
        Page("icon.svg", PackageResources.icon_svg, isPrivate: true),
        Page("texts.js", PackageResources.texts_js, isPrivate: true),
        Page("texts-de.js", PackageResources.admin_texts_de_js, isPrivate: true),
        Page("texts-en.js", PackageResources.admin_texts_en_js, isPrivate: true),
        Page("theme.js", PackageResources.theme_js, isPrivate: true),
    ]
}
