package import HTTPServer

/// The pages that play the game and show the lottery in a browser, and their parts: the files in `web`, which the build puts
/// into the program.
///
/// A browser keeps them and asks each time whether they are still the same, so a new release shows at once. Addresses in
/// them are relative: they work below any base path.
package enum Pages {
    /// Adds the game's page at `/`, the lottery's at `/lottery`, and their parts below `/pages/`.
    ///
    /// - Parameters:
    ///   - basePath: What a gateway puts before the URLs, such as `/prod`, without a slash at its end.
    ///   - hasLottery: Whether there is a lottery, and the way to it.
    package static func add(to router: inout Router, basePath: String, hasLottery: Bool = true) {
        for page in hasLottery ? all : allWithoutLottery {
            let path =
                switch page.name {
                case "index.html": "/"
                case "lottery.html": "/lottery"
                default: "/pages/\(page.name)"
                }
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
        Page("lottery.css", PackageResources.lottery_css),
        Page("lottery.html", PackageResources.lottery_html),
        Page("lottery.js", PackageResources.lottery_js),
        Page("lottery-events.js", PackageResources.lottery_events_js),
        Page("lottery-players.js", PackageResources.lottery_players_js),
        Page("lottery-proof.js", PackageResources.lottery_proof_js),
        Page("lottery-stage.js", PackageResources.lottery_stage_js),
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
    /// The game's page has the way to the lottery between two marks.
    private static var allWithoutLottery: [Page] {
        all.filter { !$0.name.hasPrefix("lottery") }.map { page in
            guard page.name == "index.html" else { return page }
            let text = String(decoding: page.bytes, as: UTF8.self)
            return Page(page.name, Array(text.replacing(#/ *<!-- lottery -->.*<!-- \/lottery -->\n/#, with: "").utf8))
        }
    }
}
