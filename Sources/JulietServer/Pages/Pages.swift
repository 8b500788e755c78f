package import HTTPServer

/// The pages that play the game, show the lottery and tell of the API in a browser, and their parts: the files in `web`, which the build puts
/// into the program. A browser asks for one module and one style sheet a page: the program joins them when it starts.
///
/// Parts that a browser has kept need no request: their folder is named after the digest of all of them, so another release
/// has another folder, and no page mixes files of two releases. The pages themselves are requested each time. Addresses in
/// them are relative: they work below any base path.
package enum Pages {
    /// Where the parts are, below the base path: `pages/` and twelve digits of the digest of all of them.
    static let folder = "pages/\(release)"

    private static let release = String(
        Page.digest(of: files.flatMap { Array("\($0.name)\n\(Page.digest(of: $0.bytes))\n".utf8) }).prefix(12))

    /// Adds the game's page at `/`, the lottery's at `/lottery`, the API's at `/docs`, and their parts below `/pages/`.
    ///
    /// While services are replaced, a browser may request a part of another release. It gets the part of this release and does
    /// not keep it. But no page runs modules of two releases: instead of the other release's first module it gets one that
    /// reloads the page. Late modules and their texts are 404, and the page says that there is a new version.
    ///
    /// - Parameters:
    ///   - basePath: What a gateway puts before the URLs, such as `/prod`, without a slash at its end.
    ///   - offer: What the page offers.
    package static func add(to router: inout Router, basePath: String, offer: PageOffer = PageOffer()) {
        for page in all where offer.hasLottery || !page.name.hasPrefix("lottery") {
            switch page.name {
            case "index.html":
                let page = Page(page.name, Array(game(offer, basePath: basePath).utf8))
                let worker = PageWorker.file(for: page, parts: gameParts, in: folder)
                router.on(.get, basePath + "/") { request in page.response(to: request) }
                router.on(.get, basePath + "/worker.js") { request in worker.response(to: request) }
            case "lottery.html":
                let text = String(decoding: page.bytes, as: UTF8.self)
                let page = Page(page.name, Array(offer.linked(offer.named(text)).utf8))
                router.on(.get, basePath + "/lottery") { request in page.response(to: request) }
            case "docs.html":
                let page = Page(page.name, Array(offer.named(String(decoding: page.bytes, as: UTF8.self)).utf8))
                router.on(.get, basePath + "/docs") { request in page.response(to: request) }
            default:
                let page = page.name == manifest ? named(page, offer) : page
                let other = otherReleases(page)
                router.on(.get, "\(basePath)/pages/{release}/\(page.name)") { request in
                    request.parameters["release"] == release ? page.response(to: request) : other(request)
                }
            }
        }
        // A base path such as `/ready` is the address of something else.
        guard !basePath.isEmpty, router.allow(basePath) == nil else { return }
        // Without the slash the page's addresses would be relative to what is above it.
        router.on(.get, basePath) { _ in
            Response(status: 308, headers: ["Location": basePath + "/", "Cache-Control": "no-cache"])
        }
    }

    /// The game's page with an offer.
    static func game(_ offer: PageOffer, basePath: String) -> String {
        let page = String(decoding: all.first { $0.name == "index.html" }?.bytes ?? [], as: UTF8.self)
        return offer.applied(to: page, basePath: basePath)
    }

    private static let manifest = "juliet.webmanifest"

    /// The manifest with an operator's name of the service, which may change: it is requested each time.
    private static func named(_ manifest: Page, _ offer: PageOffer) -> Page {
        Page(manifest.name, Array(offer.manifest(String(decoding: manifest.bytes, as: UTF8.self)).utf8))
    }

    /// Answers a request for a part of another release.
    private static func otherReleases(_ page: Page) -> @Sendable (Request) -> Response {
        let isLate = served.lateModules.contains(page.name) || page.name.hasPrefix("texts-later-")
        if isLate { return { _ in Response(status: 404, headers: ["Cache-Control": "no-store"]) } }
        guard entries.contains(page.name) || page.name.hasPrefix("texts-") else {
            return { request in page.unkeptResponse(to: request) }
        }
        // By then another service may answer, or all are of one release.
        let anew = Page(page.name, Array("setTimeout(() => location.reload(), 2000);\n".utf8))
        return { request in anew.unkeptResponse(to: request) }
    }

    /// The module of each page.
    private static let entries = ["app.js", "lottery.js", "docs.js"]

    /// Every file as it is served: of each page one module and one style sheet, which are many as they are written, and its late
    /// modules.
    static var all: [Page] { served.pages }

    private static let served: (pages: [Page], lateModules: Set<String>) = {
        let sources = Dictionary(
            uniqueKeysWithValues: files.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) })
        let modules = entries.reduce(into: [:]) { modules, name in
            modules.merge(ModuleBundle(name, from: sources).files) { one, other in
                precondition(one == other, "two pages have a late module, which takes modules from each")
                return one
            }
        }
        let parts = files.compactMap { name, bytes in
            modules[name].map { Page(name, Array($0.utf8), keeping: .forGood) }
                ?? (isServed(name) ? Page(name, bytes, keeping: .forGood, isCompressed: !isPacked(name)) : nil)
        }
        let pages = ["index", "lottery", "docs"].map { ("\($0).html", "\($0).css") }.flatMap { name, sheet in
            let text = sources[name] ?? ""
            let rules = sheets(of: text).map { sources[$0] ?? "" }.joined(separator: "\n")
            return [
                page(name, Array(joined(text, sheet: sheet).utf8)),
                Page(sheet, Array(rules.utf8), keeping: .forGood),
            ]
        }
        return (pages: parts + pages, lateModules: Set(modules.keys).subtracting(entries))
    }()

    /// The parts that the game's page may request during play, without those of other pages, icons, pictures and the manifest.
    private static var gameParts: [Page] {
        all.filter { page in
            !["lottery", "docs", "worker"].contains { page.name.hasPrefix($0) }
                && !["html", "png", "webmanifest"].contains { page.name.hasSuffix($0) }
        }
    }

    /// A page whose parts are in `pages/`, as it is written.
    private static func page(_ name: String, _ bytes: [UInt8]) -> Page {
        Page(name, Array(String(decoding: bytes, as: UTF8.self).replacing("\"pages/", with: "\"\(folder)/").utf8))
    }

    /// Whether a file is a part as it is written: other modules and style sheets are joined.
    private static func isServed(_ name: String) -> Bool {
        switch name.split(separator: ".").last {
        case "html": false
        case "js": name == "theme.js" || name.hasPrefix("texts-")
        case "css": false
        default: true
        }
    }

    /// Whether a file's format is compressed by itself.
    private static func isPacked(_ name: String) -> Bool { name.hasSuffix(".png") }

    /// The style sheets that a page names as it is written.
    private static func sheets(of page: String) -> [String] {
        page.matches(of: #/rel="stylesheet" href="pages/([^"]+)"/#).map { String($0.1) }
    }

    /// A page with one style sheet instead of those that it names, and without its list of modules to load early.
    private static func joined(_ page: String, sheet: String) -> String {
        page.replacing(
            #/(?: *<link rel="stylesheet"[^\n]*\n)+/#, with: "    <link rel=\"stylesheet\" href=\"pages/\(sheet)\">\n"
        )
        .replacing(#/ *<link rel="modulepreload"[^\n]*\n/#, with: "")
    }

    /// Every file as it is written.
    private static let files: [(name: String, bytes: [UInt8])] = [
        ("index.html", PackageResources.index_html),
        ("api.js", PackageResources.api_js),
        ("app.js", PackageResources.app_js),
        ("board.css", PackageResources.board_css),
        ("board.js", PackageResources.board_js),
        ("calendar.js", PackageResources.calendar_js),
        ("challenges.js", PackageResources.challenges_js),
        ("clock.js", PackageResources.clock_js),
        ("colours.css", PackageResources.colours_css),
        ("connection.js", PackageResources.connection_js),
        ("data.js", PackageResources.data_js),
        ("delight.css", PackageResources.delight_css),
        ("delight.js", PackageResources.delight_js),
        ("desk.js", PackageResources.desk_js),
        ("dialogs.css", PackageResources.dialogs_css),
        ("dialogs.js", PackageResources.dialogs_js),
        ("docs.css", PackageResources.docs_css),
        ("docs.html", PackageResources.docs_html),
        ("docs.js", PackageResources.docs_js),
        ("docs-code.js", PackageResources.docs_code_js),
        ("docs-schema.js", PackageResources.docs_schema_js),
        ("docs-try.js", PackageResources.docs_try_js),
        ("docs-views.js", PackageResources.docs_views_js),
        ("dom.js", PackageResources.dom_js),
        ("ending.js", PackageResources.ending_js),
        ("energy.js", PackageResources.energy_js),
        ("forms.js", PackageResources.forms_js),
        ("hex.js", PackageResources.hex_js),
        ("icon-192.png", PackageResources.icon_192_png),
        ("icon-512.png", PackageResources.icon_512_png),
        ("icon-apple.png", PackageResources.icon_apple_png),
        ("icon-maskable.png", PackageResources.icon_maskable_png),
        ("icon.svg", PackageResources.icon_svg),
        ("install-part.js", PackageResources.install_part_js),
        ("install.js", PackageResources.install_js),
        ("juliet.webmanifest", PackageResources.juliet_webmanifest),
        ("keep.js", PackageResources.keep_js),
        ("keyboard.js", PackageResources.keyboard_js),
        ("late.js", PackageResources.late_js),
        ("layout.css", PackageResources.layout_css),
        ("leaderboards.js", PackageResources.leaderboards_js),
        ("leagues.js", PackageResources.leagues_js),
        ("letters.js", PackageResources.letters_js),
        ("link-part.js", PackageResources.link_part_js),
        ("lottery.css", PackageResources.lottery_css),
        ("lottery.html", PackageResources.lottery_html),
        ("lottery.js", PackageResources.lottery_js),
        ("lottery-events.js", PackageResources.lottery_events_js),
        ("lottery-players.js", PackageResources.lottery_players_js),
        ("lottery-proof.js", PackageResources.lottery_proof_js),
        ("lottery-stage.js", PackageResources.lottery_stage_js),
        ("making.js", PackageResources.making_js),
        ("merge.js", PackageResources.merge_js),
        ("once.js", PackageResources.once_js),
        ("paging.js", PackageResources.paging_js),
        ("panels.js", PackageResources.panels_js),
        ("passkeys.js", PackageResources.passkeys_js),
        ("picture.js", PackageResources.picture_js),
        ("play.js", PackageResources.play_js),
        ("player.js", PackageResources.player_js),
        ("players.js", PackageResources.players_js),
        ("preview.png", PackageResources.preview_png),
        ("players-part.js", PackageResources.players_part_js),
        ("power.js", PackageResources.power_js),
        ("profile.css", PackageResources.profile_css),
        ("profile.js", PackageResources.profile_js),
        ("qr.js", PackageResources.qr_js),
        ("recovery.js", PackageResources.recovery_js),
        ("review.js", PackageResources.review_js),
        ("seal.js", PackageResources.seal_js),
        ("service.js", PackageResources.service_js),
        ("settings.js", PackageResources.settings_js),
        ("sha256.js", PackageResources.sha256_js),
        ("share.js", PackageResources.share_js),
        ("statistics.js", PackageResources.statistics_js),
        ("storage.js", PackageResources.storage_js),
        ("texts.js", PackageResources.texts_js),
        ("texts-de.js", PackageResources.texts_de_js),
        ("texts-en.js", PackageResources.texts_en_js),
        ("texts-later-de.js", PackageResources.texts_later_de_js),
        ("texts-later-en.js", PackageResources.texts_later_en_js),
        ("theme.js", PackageResources.theme_js),
        ("together.css", PackageResources.together_css),
        ("together.js", PackageResources.together_js),
        ("watch.js", PackageResources.watch_js),
        ("ways.js", PackageResources.ways_js),
        ("who.js", PackageResources.who_js),
    ]
}
