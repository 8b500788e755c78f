package import HTTPServer

/// The page that plays the game in a browser, and its parts: the files in `web`, which the build puts into the program.
///
/// A browser keeps them and asks each time whether they are still the same, so a new release shows at once. Addresses in
/// them are relative: they work below any base path.
package enum Pages {
    /// Adds the page at `/` and its parts below `/pages/`.
    ///
    /// - Parameter basePath: What a gateway puts before the URLs, such as `/prod`, without a slash at its end.
    package static func add(to router: inout Router, basePath: String) {
        for page in all {
            let path = page.name == "index.html" ? "/" : "/pages/\(page.name)"
            router.on(.get, basePath + path) { request in page.response(to: request) }
        }
        guard !basePath.isEmpty else { return }
        // Without the slash the page's addresses would be relative to what is above it.
        router.on(.get, basePath) { _ in
            Response(status: 308, headers: ["Location": basePath + "/", "Cache-Control": "no-cache"])
        }
    }

    /// Every file.
    static let all = [
        Page("index.html", PackageResources.index_html),
        Page("api.js", PackageResources.api_js),
        Page("app.js", PackageResources.app_js),
        Page("board.css", PackageResources.board_css),
        Page("board.js", PackageResources.board_js),
        Page("clock.js", PackageResources.clock_js),
        Page("colours.css", PackageResources.colours_css),
        Page("connection.js", PackageResources.connection_js),
        Page("desk.js", PackageResources.desk_js),
        Page("dialogs.css", PackageResources.dialogs_css),
        Page("dialogs.js", PackageResources.dialogs_js),
        Page("docs.css", PackageResources.docs_css),
        Page("dom.js", PackageResources.dom_js),
        Page("icon.svg", PackageResources.icon_svg),
        Page("juliet.webmanifest", PackageResources.juliet_webmanifest),
        Page("keyboard.js", PackageResources.keyboard_js),
        Page("layout.css", PackageResources.layout_css),
        Page("leaderboards.js", PackageResources.leaderboards_js),
        Page("letters.js", PackageResources.letters_js),
        Page("panels.js", PackageResources.panels_js),
        Page("play.js", PackageResources.play_js),
        Page("player.js", PackageResources.player_js),
        Page("seal.js", PackageResources.seal_js),
        Page("settings.js", PackageResources.settings_js),
        Page("share.js", PackageResources.share_js),
        Page("statistics.js", PackageResources.statistics_js),
        Page("storage.js", PackageResources.storage_js),
        Page("theme.js", PackageResources.theme_js),
    ]
}
