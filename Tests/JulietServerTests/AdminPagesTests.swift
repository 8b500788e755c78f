import Foundation
import HTTPServer
import JulietAPI
import JulietGame
import Testing

@testable import JulietServer

@Suite("The admin page's parts")
struct AdminPagesTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/JulietServer/Pages/admin")

    /// A file as it is written.
    static func text(of name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    @Test("every file of the folder is served; none names another host or has a script or style in it")
    func files() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let served = Set(AdminPages.files.map(\.name))
        let shared: Set = ["colours.css", "dom.js", "hex.js", "icon.svg", "texts.js", "theme.js"]
        // The texts have the names that both pages ask for.
        let own = names.filter { $0 != "admin.html" }.map { $0.replacing("admin-texts-", with: "texts-") }
        #expect(served.subtracting(shared) == Set(own))
        // The manual goes in as text.
        for name in names where !name.hasSuffix(".md") {
            let text = try Self.text(of: name).replacing("http://www.w3.org/", with: "")
            #expect(!text.contains("http://") && !text.contains("https://"), "\(name)")
            for link in text.matches(of: /(?:"\/admin\/pages\/|from "\.\/)([^"]+)"/) {
                #expect(served.contains(String(link.1)), "\(name) loads \(link.1)")
            }
            guard name.hasSuffix(".html") else { continue }
            #expect(!text.contains("<style") && !text.contains(" style="))
            #expect(text.matches(of: #/ on[a-z]+=/#).isEmpty)
            #expect(text.matches(of: /<script[^>]*><\/script>/).count == text.matches(of: /<script/).count)
        }
    }

    @Test("no browser keeps anything, forms are sent nowhere, and no other page frames it")
    func headers() {
        for page in AdminPages.files + [AdminPages.main] {
            let headers = page.response(to: Request(method: .get, path: "/")).headers
            #expect(headers["Cache-Control"] == "no-store")
            #expect(headers["Content-Security-Policy"]?.contains("form-action 'none'; frame-ancestors 'none'") == true)
            #expect(headers["Referrer-Policy"] == "same-origin")
        }
    }

    @Test(
        "a change comes from the page itself if its Origin is what the request is for",
        arguments: [
            ("http://h:9090", "h:9090", true), ("https://Admin.example", "admin.example", true),
            ("http://h", "h:9090", false), ("null", "h", false), ("http://h.evil.example", "h", false),
            ("ftp://h", "h", false), ("http://", "", false),
        ])
    func origins(origin: String, host: String, isOwn: Bool) {
        let request = Request(method: .post, path: "/admin/api/grants", headers: ["Host": host, "Origin": origin])
        #expect(CrossOrigin.isOwnPage(request) == isOwn)
        #expect(!CrossOrigin.isOwnPage(Request(method: .post, path: "/", headers: ["Host": host])))
    }

    @Test("a key is read as it was printed, blanks around it aside, and described nowhere")
    func keys() throws {
        let key = AdminKey.random()
        #expect(AdminKey(key.text) == key && AdminKey(" \(key.text)\n") == key && AdminKey.random() != key)
        for text in [
            "", "juliet-admin-", "x\(key.text)", "\(key.text)0", "\(key.text) \(key.text)", key.text.uppercased(),
        ] {
            #expect(AdminKey(text) == nil, "\(text)")
        }
        #expect("\(key)" == "juliet-admin-…" && !String(reflecting: key).contains(key.text.dropFirst(13)))
    }

    @Test(
        "a session is read from the header, else from the cookie that browsers keep for HTTPS alone, and described nowhere"
    )
    func sessions() throws {
        let (session, other) = (AdminSession.random(), AdminSession.random())
        #expect(AdminSession(session.text) == session && session != other && session.text.count == 64)
        for text in ["", "x", "\(session.text)0", String(session.text.dropLast()), "\(session.text.dropLast())g"] {
            #expect(AdminSession(text) == nil, "\(text)")
        }
        #expect(!"\(session)".contains(session.text) && !String(reflecting: session).contains(session.text))

        func read(_ headers: Headers) -> AdminSession? {
            AdminSession(of: Request(method: .get, path: "/", headers: headers))
        }
        let cookie = "a=b; __Host-juliet_admin=\(session.text);c=d"
        #expect(read(["Cookie": cookie]) == session)
        #expect(read(["Authorization": "Bearer \(other.text)", "Cookie": cookie]) == other)
        #expect(read(["Authorization": "bearer \(other.text)"]) == other)
        #expect(read(["Authorization": "Basic \(other.text)", "Cookie": cookie]) == session)
        #expect(read(["Authorization": "Bearer x", "Cookie": cookie]) == session, "a proxy's own")
        #expect(read(["Authorization": "Bearer x"]) == nil)
        #expect(read(["Cookie": "juliet_admin=\(session.text)"]) == nil)
        #expect(read(["Cookie": "x__Host-juliet_admin=\(session.text)"]) == nil)
        #expect(read(["Authorization": session.text]) == nil && read([:]) == nil)
        #expect(
            session.newCookie
                == "__Host-juliet_admin=\(session.text); Path=/; Secure; HttpOnly; SameSite=Strict")
    }

    @Test("figures of today, and of a day that may not be counted yet, are read again after a minute")
    func dayFigures() {
        let minute: Int64 = 60_000_000
        func later(_ minutes: Int64) -> V2.Timestamp {
            V2.Timestamp(
                microsecondsSince1970: V2.Day(daysSince1970: 20_000).start.microsecondsSince1970 + minutes * minute)
        }
        let today = V2.Day(daysSince1970: 20_000)
        var figures = DayFigures()
        #expect(
            DayFigures.days(7, at: later(1)) == (today.previous.previous.previous.previous.previous.previous, today))
        #expect(DayFigures.open(at: later(1)) == [today.previous, today])
        #expect(figures.known(today, at: later(5)) == nil)
        figures.keep("today", of: today, at: later(5))
        figures.keep("yesterday", of: today.previous, at: later(5))
        #expect(figures.known(today, at: later(5))?.json == "today")
        #expect(figures.known(today, at: later(5))?.readAt == later(5))
        #expect(figures.known(today, at: later(6)) == nil)
        #expect(figures.known(today, at: later(4)) == nil, "the clock was put back")
        #expect(figures.known(today.previous, at: later(6)) == nil, "it may be counted meanwhile")
        figures.keep("late", of: today, at: later(1442))
        figures.keep("next", of: today.next.next, at: later(2 * 1440 + 2))
        #expect(figures.known(today, at: later(1442)) == nil, "forgotten")
    }
}
