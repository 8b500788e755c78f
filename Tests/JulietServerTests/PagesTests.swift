import Foundation
import HTTPServer
import Testing

@testable import JulietGame
@testable import JulietServer

@Suite("The page's files")
struct PagesTests {
    @Test("every file of the folder is served, modules and style sheets joined to one of each a page, and nothing else")
    func files() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let late = try names.filter { $0.hasSuffix(".js") }.flatMap { name in
            try Self.text(of: name).matches(of: #/\bimport\("\./([^"]+)"\)/#).map { String($0.1) }
        }
        let own =
            ["app.js", "lottery.js", "docs.js", "theme.js"] + late
            + names.filter { $0.hasPrefix("texts-") }
        let joined = Set(names.filter { ($0.hasSuffix(".js") || $0.hasSuffix(".css")) && !own.contains($0) })
        #expect(
            Set(Pages.all.map(\.name))
                == Set(names).subtracting(joined).union(["index.css", "lottery.css", "docs.css"]))
        for name in names where !joined.contains(name) && !(["app.js", "lottery.js", "docs.js"] + late).contains(name) {
            let response = await get(Self.path(of: name))
            #expect(response.status == .ok)
            if Self.isPacked(name) {
                #expect(try response.bytes == [UInt8](Data(contentsOf: Self.folder.appending(path: name))), "\(name)")
                continue
            }
            // Pages name the folder of this release, one style sheet, and no modules to load early.
            let text = String(decoding: response.bytes, as: UTF8.self).replacing("\"\(Pages.folder)/", with: "\"pages/")
            let written = try Self.text(of: name).replacing(#/ *<link rel="modulepreload"[^\n]*\n/#, with: "")
                .replacing(
                    #/(?: *<link rel="stylesheet"[^\n]*\n)+/#,
                    with: "    <link rel=\"stylesheet\" href=\"pages/\(name.dropLast(5)).css\">\n")
            #expect(text == written, "\(name)")
        }
    }

    @Test(
        "a page's modules are joined: what each declares is there once, nothing is imported but texts",
        arguments: ["app.js", "lottery.js"])
    func joined(name: String) throws {
        let text = try #require(Pages.all.first { $0.name == name }).text
        #expect(text.matches(of: #/(?m)^import /#).isEmpty)
        #expect(text.matches(of: #/(?m)^export (?!\{ module_)/#).isEmpty)
        // Late are modules whose names are written out, and a language's texts.
        #expect(text.matches(of: #/\bimport\((?!"\./[\w-]+\.js"\)|`\./texts-)/#).isEmpty)
        #expect(text.matches(of: #/class Unreachable /#).count == 1)
        #expect(!text.contains("/**"))
        let page = Self.page(of: name)
        let sheet = try #require(Pages.all.first { $0.name == "\(page).css" }).text
        for rule in [":root {", ".wordmark {", "dialog::backdrop {"] { #expect(sheet.contains(rule), "\(rule)") }
    }

    private static func page(of module: String) -> String {
        module == "app.js" ? "index" : String(module.dropLast(".js".count))
    }

    @Test(
        "what a page as it is written loads early is what is joined, so it can be worked on without the program",
        arguments: ["app.js", "lottery.js", "docs.js"])
    func early(name: String) throws {
        let text = try #require(Pages.all.first { $0.name == name }).text
        #expect(text.matches(of: #/(?m)^(import|export (?!\{ module_))/#).isEmpty)
        let page = Self.page(of: name)
        let early = try Self.text(of: "\(page).html").matches(of: #/rel="modulepreload" href="pages/([^"]+)\.js"/#)
            .map { "module_" + $0.1.replacing("-", with: "_") }
        let variables = text.matches(of: #/(?m)^const (module_\w+) = \{\};$/#).map { String($0.1) }
        #expect(Set(early + ["module_\(name.dropLast(3))"]) == Set(variables))
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/JulietServer/Pages/web")

    /// A file as it is written.
    static func text(of name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// Whether a file is compressed by its format: a picture.
    static func isPacked(_ name: String) -> Bool { name.hasSuffix(".png") }

    /// Where a file is served.
    private static func path(of name: String) -> String {
        ["index.html": "/", "lottery.html": "/lottery", "docs.html": "/docs"][name] ?? "/\(Pages.folder)/\(name)"
    }

    @Test(
        "parts are kept for good in a folder of their release; pages are asked for each time, and so are others' parts, but no module is mixed"
    )
    func keeping() async throws {
        #expect(Pages.folder.wholeMatch(of: #/pages/[0-9a-f]{12}/#) != nil)
        for page in Pages.all {
            let response = await get(Self.path(of: page.name))
            // The manifest has the operator's name of the service.
            let isAsked = page.name.hasSuffix(".html") || page.name == "juliet.webmanifest"
            #expect(
                response.headers["Cache-Control"] == (isAsked ? "no-cache" : "public, max-age=31536000, immutable"),
                "\(page.name)")
        }
        for page in Pages.all where !page.name.hasSuffix(".html") {
            let name = page.name
            let other = await get("/pages/0123456789ab/\(name)")
            #expect(other.headers.values(of: "Cache-Control") == ["no-store"], "\(name)")
            switch name {
            case "app.js", "lottery.js", "docs.js", "texts-en.js", "texts-de.js":
                #expect(other.status == .ok)
                #expect(String(decoding: other.bytes, as: UTF8.self) == "setTimeout(() => location.reload(), 2000);\n")
                #expect(other.headers["Content-Type"] == "text/javascript; charset=utf-8")
            case "theme.js": #expect(other.bytes == page.bytes)
            case _ where name.hasSuffix(".js"): #expect(other.status == .notFound, "\(name)")
            default: #expect(other.bytes == page.bytes, "\(name)")
            }
        }
        #expect(await get("/pages/app.js").status == .notFound)
    }

    @Test(
        "a client that accepts gzip gets every text compressed, under an ETag of its own",
        arguments: Pages.all.map(\.name).filter { !isPacked($0) })
    func compressed(name: String) async throws {
        let path = Self.path(of: name)
        let plain = await get(path)
        for accepted in [
            "gzip, deflate, br, zstd", "gzip;q=0.5", "x-gzip", "br;q=1.0, gzip;q=0.1", "*", "br, *;q=0.1",
            "gzip;q=0.5, identity;q=0.4", "identity;q=0, gzip;q=0.1",
        ] {
            let response = await get(path, ["Accept-Encoding": accepted])
            #expect(response.headers["Content-Encoding"] == "gzip", "\(accepted)")
            #expect(response.headers["Vary"] == "Accept-Encoding")
            #expect(response.headers["Content-Type"] == plain.headers["Content-Type"])
            let tag = try #require(response.headers["ETag"])
            #expect(tag != plain.headers["ETag"])
            #expect(response.bytes.count < plain.bytes.count)
            #expect(try gunzipped(response.bytes) == plain.bytes)
            let again = await get(path, ["Accept-Encoding": accepted, "If-None-Match": tag])
            #expect(again.status.code == 304 && again.headers["ETag"] == tag)
        }
        for refused in [
            "", "br", "gzip;q=0", "gzip; q=0.0, br", "identity", "gzip;q=0, *", "gzip;q=0.5, identity;q=1", "*;q=0",
            "gzip;q=0.5, identity", "gzip;q=2",
        ] {
            let response = await get(path, ["Accept-Encoding": refused])
            #expect(response.bytes == plain.bytes, "\(refused)")
            #expect(response.headers["Content-Encoding"] == nil && response.headers["Vary"] == "Accept-Encoding")
        }
    }

    private func gunzipped(_ bytes: [UInt8]) throws -> [UInt8] {
        let gunzip = Gunzip()
        var (pieces, text): ([[UInt8]], [UInt8]) = ([bytes], [])
        while let piece = try gunzip.read(upToCount: 65_536, from: { pieces.popLast() }) { text += piece }
        return text
    }

    @Test("without a lottery there is neither its page nor a way to it")
    func noLottery() async throws {
        var offer = PageOffer()
        offer.hasLottery = false
        for name in ["lottery.html", "lottery.js", "lottery.css", "lottery-events.js"] {
            #expect(await get(Self.path(of: name), offer: offer).status == .notFound, "\(name)")
        }
        let page = String(decoding: await get("/", offer: offer).bytes, as: UTF8.self)
        #expect(!page.contains("lottery") && page.contains("</main>\n\n") && page.contains("announcer"))
        #expect(try #require(Pages.all.first { $0.name == "index.html" }).text.contains(#"href="lottery""#))
    }

    @Test("the operator's own pages are linked to where they are set, and what stands there is no markup")
    func links() async throws {
        var offer = PageOffer()
        for name in ["index.html", "lottery.html"] {
            #expect(
                !String(decoding: await get(Self.path(of: name), offer: offer).bytes, as: UTF8.self).contains(
                    "data-legal"))
        }
        offer.imprint = "/imprint?a=1&b=\"<"
        offer.privacy = "https://example.com/privacy"
        for name in ["index.html", "lottery.html"] {
            let page = String(decoding: await get(Self.path(of: name), offer: offer).bytes, as: UTF8.self)
            #expect(
                page.contains(
                    #"<a href="/imprint?a=1&amp;b=&quot;&lt;" data-legal data-text="legal.imprint"></a><a href="https://example.com/privacy" data-legal data-text="legal.privacy"></a>"#
                ), "\(name)")
        }
    }

    @Test("what an operator has switched off is not in the page: neither its buttons nor that there is such a thing")
    func offers() async throws {
        let whole = String(decoding: await get("/").bytes, as: UTF8.self)
        #expect(whole.contains(#"data-has="challenges daysGoneBy leagues""#))
        let off: [(WritableKeyPath<PageOffer, Bool>, String, [String])] = [
            (\.hasChallenges, "daysGoneBy leagues", []),
            (\.hasLeagues, "challenges daysGoneBy", []),
            (\.hasDaysGoneBy, "challenges leagues", [#"data-opens="calendar""#]),
        ]
        for (part, names, buttons) in off {
            var offer = PageOffer()
            offer[keyPath: part] = false
            let page = String(decoding: await get("/", offer: offer).bytes, as: UTF8.self)
            #expect(page.contains("data-has=\"\(names)\""))
            #expect(page.contains(#"data-opens="together""#))
            for button in buttons { #expect(whole.contains(button) && !page.contains(button)) }
        }
        var alone = PageOffer()
        alone.hasChallenges = false
        alone.hasLeagues = false
        let page = String(decoding: await get("/", offer: alone).bytes, as: UTF8.self)
        #expect(!page.contains(#"data-opens="together""#) && page.contains(#"data-has="daysGoneBy""#))
    }

    @Test(
        "what the pages load, they find", arguments: ["index.html", "lottery.html", "juliet.webmanifest"])
    func links(name: String) throws {
        let text = try #require(Pages.all.first { $0.name == name }).text
        let names = Set(Pages.all.map(\.name))
        let links = text.matches(of: /(?:href|src)=?"?:? ?"([^"#][^"]*)"/).map { String($0.1) }
        #expect(!links.isEmpty)
        for link in links where !["./", "lottery", "../../"].contains(link) {
            #expect(names.contains(link.replacing("\(Pages.folder)/", with: "")), "\(link)")
        }
    }

    @Test("the page's worker keeps the page and all that it may ask for, by the digests of what is served here")
    func worker() async throws {
        let response = await get("/worker.js")
        #expect(response.headers["Cache-Control"] == "no-cache")
        #expect(response.headers["Content-Type"] == "text/javascript; charset=utf-8")
        let text = String(decoding: response.bytes, as: UTF8.self)
        let list = try #require(text.firstMatch(of: #/(?m)^const parts = \{ (.+) \};$/#)?.1)
        let parts = list.matches(of: #/"([^"]*)": "([0-9a-f]{64})"/#).map { (String($0.1), String($0.2)) }
        for (path, digest) in parts {
            #expect(Page.digest(of: (await get("/" + path)).bytes) == digest, "\(path)")
        }
        let names = Set(parts.map { $0.0.split(separator: "/").last.map(String.init) ?? "" })
        let others = Pages.all.map(\.name).filter { !names.contains($0) }
        let isOther = #/lottery.*|docs.*|.*\.(html|png|webmanifest)/#
        #expect(others.allSatisfy { $0.wholeMatch(of: isOther) != nil }, "\(others)")
        #expect(names.contains("") && names.contains("app.js") && names.contains("together.js"))
        // Another page is another release of the worker.
        let release = try #require(text.firstMatch(of: #/(?m)^const release = "([0-9a-f]{12})";$/#)?.1)
        var offer = PageOffer()
        offer.hasLeagues = false
        let other = String(decoding: await get("/worker.js", offer: offer).bytes, as: UTF8.self)
        #expect(other.contains("const release = ") && !other.contains(release))
        #expect(await get("/prod/worker.js", basePath: "/prod").status == .ok)
    }

    @Test(
        "what the operator calls the service is in the head, the tab, previews and the manifest, whatever stands in it")
    func title() async throws {
        struct Manifest: Decodable {
            let name: String
            let short_name: String
        }
        var offer = PageOffer()
        offer.title = #"Wörter & "mehr" \<b>"#
        let escaped = #"Wörter &amp; &quot;mehr&quot; \&lt;b&gt;"#
        let head = ["<title>\(escaped)</title>", "data-name=\"\(escaped)\"", "<span>\(escaped)</span></h1>"]
        let preview = ["title", "site_name"].map { "<meta property=\"og:\($0)\" content=\"\(escaped)\">" }
        let api = ["<title>\(escaped): the API</title>", head[1], "<span>\(escaped)</span></a>"]
        for (path, texts) in [("/", head + preview), ("/lottery", head), ("/docs", api)] {
            let page = String(decoding: await get(path, offer: offer).bytes, as: UTF8.self)
            for text in texts { #expect(page.contains(text), "\(path) \(text)") }
            #expect(!page.contains("Juliet"))
        }
        let bytes = await get(Self.path(of: "juliet.webmanifest"), offer: offer).bytes
        let manifest = try JSONDecoder().decode(Manifest.self, from: Data(bytes))
        #expect(manifest.name == offer.title && manifest.short_name == offer.title)
    }

    @Test("a link to the page is shown with a picture, by its whole address where it is known")
    func preview() async throws {
        var offer = PageOffer()
        let image = "property=\"og:image\" content=\""
        #expect(String(decoding: await get("/").bytes, as: UTF8.self).contains("\(image)\(Pages.folder)/preview.png\""))
        offer.origin = "https://juliet.example"
        let page = String(decoding: await get("/prod/", basePath: "/prod", offer: offer).bytes, as: UTF8.self)
        #expect(page.contains("\(image)https://juliet.example/prod/\(Pages.folder)/preview.png\""))
    }

    @Test("no script or style stands in the page itself, and no file names another host")
    func strict() throws {
        for page in Pages.all {
            let text = page.text.replacing("http://www.w3.org/", with: "")
            #expect(!text.contains("http://") && !text.contains("https://"), "\(page.name)")
            guard page.name.hasSuffix(".html") else { continue }
            #expect(!text.contains("<style") && !text.contains(" style="))
            #expect(text.matches(of: #/ on[a-z]+=/#).isEmpty)
            #expect(text.matches(of: /<script[^>]*><\/script>/).count == text.matches(of: /<script/).count)
        }
    }

    @Test("a browser that has the file gets a 304, by any form of the tag")
    func notModified() async throws {
        let tag = try #require(await get("/").headers["ETag"])
        #expect(tag.wholeMatch(of: /"[0-9a-f]{64}"/) != nil)
        for known in [tag, "W/\(tag)", "\"other\", \(tag)", "\"a, b\",\(tag)", "*"] {
            let response = await get("/", ["If-None-Match": known])
            #expect(response.status.code == 304 && response.bytes.isEmpty, "\(known)")
            #expect(response.headers["ETag"] == tag && response.headers["Vary"] == "Accept-Encoding")
            #expect(response.headers["Cache-Control"] == "no-cache")
            #expect(response.headers["Content-Security-Policy"] != nil && response.headers["Content-Type"] == nil)
        }
        // A comma and what looks like a tag may stand inside the quotes of another tag (RFC 9110 §8.8.3).
        for other in ["\"other\"", tag.replacing("\"", with: ""), "", "\"a,*,b\"", "\"a, W/\"", "\"-gzip\""] {
            #expect(await get("/", ["If-None-Match": other]).status == .ok, "\(other)")
        }
    }

    @Test("If-Match goes before If-None-Match, and compares strongly (RFC 9110 §13.1.1, §13.2.2)")
    func preconditions() async throws {
        let tag = try #require(await get("/").headers["ETag"])
        for other in ["\"other\"", "W/\(tag)", ""] {
            let response = await get("/", ["If-Match": other, "If-None-Match": tag])
            #expect(response.status.code == 412 && response.bytes.isEmpty, "\(other)")
        }
        for known in [tag, "\"other\", \(tag)", "*"] {
            #expect(await get("/", ["If-Match": known]).status == .ok, "\(known)")
            #expect(await get("/", ["If-Match": known, "If-None-Match": tag]).status.code == 304, "\(known)")
        }
    }

    @Test("a part of a file, for a picture as for a text, and of the coding that is sent (RFC 9110 §14)")
    func ranges() async throws {
        for name in ["index.html", "app.js", "icon-512.png"] {
            let path = Self.path(of: name)
            let whole = await get(path)
            let part = await get(path, ["Range": "bytes=2-5"])
            #expect(part.status == .partialContent && part.bytes == Array(whole.bytes[2...5]), "\(name)")
            #expect(part.headers["Content-Range"] == "bytes 2-5/\(whole.bytes.count)")
            for field in ["ETag", "Content-Type", "Cache-Control", "Content-Security-Policy"] {
                #expect(part.headers[field] == whole.headers[field])
            }
            let tag = try #require(whole.headers["ETag"])
            #expect(await get(path, ["Range": "bytes=2-5", "If-Range": tag]).status == .partialContent)
            #expect(await get(path, ["Range": "bytes=2-5", "If-Range": "\"x\""]).bytes == whole.bytes)
            #expect(await get(path, ["Range": "bytes=2-5"], method: .head).status == .ok)
            let late = await get(path, ["Range": "bytes=\(whole.bytes.count)-"])
            #expect(late.status == .rangeNotSatisfiable)
        }
        let zipped = await get("/", ["Accept-Encoding": "gzip", "Range": "bytes=0-1"])
        #expect(zipped.bytes == [0x1F, 0x8B] && zipped.headers["Content-Encoding"] == "gzip")
    }

    @Test("every file says what it is and what a browser may do with it")
    func headers() async throws {
        for page in Pages.all {
            let headers = await get(Self.path(of: page.name)).headers
            #expect(
                headers["Content-Security-Policy"]
                    == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                    + "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            )
            #expect(headers["X-Content-Type-Options"] == "nosniff")
            #expect(headers["Referrer-Policy"] == "no-referrer")
            #expect(headers["Cross-Origin-Opener-Policy"] == "same-origin")
        }
        #expect(await get("/").headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(await get(Self.path(of: "app.js")).headers["Content-Type"] == "text/javascript; charset=utf-8")
    }

    @Test("below a base path the page is there, and without the slash it sends there")
    func basePath() async {
        #expect(await get("/prod/", basePath: "/prod").status == .ok)
        #expect(await get("/prod\(Self.path(of: "app.js"))", basePath: "/prod").status == .ok)
        #expect(await get("/", basePath: "/prod").status == .notFound)
        let response = await get("/prod", basePath: "/prod")
        #expect(response.status.code == 308)
        #expect(response.headers["Location"] == "/prod/")
    }

    private func get(
        _ path: String, _ headers: Headers = [:], method: HTTPMethod = .get, basePath: String = "",
        offer: PageOffer = PageOffer()
    ) async -> Response {
        var router = Router()
        Pages.add(to: &router, basePath: basePath, offer: offer)
        return await router.respond(to: Request(method: method, path: path, headers: headers))
    }
}

extension Page {
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension Response {
    fileprivate var bytes: [UInt8] { body.bytesAtHand ?? [] }
}
