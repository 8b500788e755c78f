import Foundation
import JulietAPI
import JulietGame
import Testing

@testable import JulietServer

@Suite("What the page says")
struct PageTextsTests {
    private static let languages = ["en", "de"]

    /// What files of texts begin with: what is there from the first on, what comes later, and the admin page's.
    private static let kinds = ["texts", "texts-later", "admin-texts"]

    /// A file of the game's page or of the admin page.
    private static func file(_ name: String) throws -> String {
        name.hasPrefix("admin") ? try AdminPagesTests.text(of: name) : try PagesTests.text(of: name)
    }

    /// A text is one form, or several by number.
    private static func texts(_ kind: String, _ language: String) throws -> [String: [String: String]] {
        let file = try file("\(kind)-\(language).js")
        let start = "export default "
        #expect(file.hasPrefix(start + "{") && file.hasSuffix("};\n"), "data alone: JSON behind three words")
        let json = try JSONSerialization.jsonObject(with: Data(file.dropFirst(start.count).dropLast(2).utf8))
        return try #require(json as? [String: Any]).mapValues { value in
            (value as? [String: String]) ?? ["other": value as? String ?? ""]
        }
    }

    @Test("every language has every text, with the same values in it, and a form for any number", arguments: kinds)
    func whole(kind: String) throws {
        let english = try Self.texts(kind, "en")
        for language in Self.languages {
            let texts = try Self.texts(kind, language)
            #expect(Set(texts.keys) == Set(english.keys), "\(language)")
            for (name, forms) in texts {
                #expect(forms["other"]?.isEmpty == false, "\(language) \(name)")
                let values = Self.values(in: forms)
                #expect(values == Self.values(in: english[name] ?? [:]), "\(language) \(name)")
                #expect(forms.count == 1 || forms.keys.allSatisfy { $0.hasPrefix("=") || $0 == "one" || $0 == "other" })
            }
        }
    }

    @Test("no text is in two files, and what begins a page has no text that comes later")
    func early() throws {
        let (early, later) = (Set(try Self.texts("texts", "en").keys), Set(try Self.texts("texts-later", "en").keys))
        #expect(early.isDisjoint(with: later))
        for page in ["app.js", "lottery.js"] {
            let joined = try #require(Pages.all.first { $0.name == page })
            let text = String(decoding: joined.bytes, as: UTF8.self)
            let names = Set(text.matches(of: #/\b(?:t|parts)\("([\w.]+)"/#).map { String($0.1) })
            #expect(names.count > 20 && names.subtracting(early) == [], "\(page)")
        }
        for page in ["index.html", "lottery.html"] {
            let names = Set(
                try PagesTests.text(of: page).matches(of: #/data-(?:text|label|title)="([^"]+)"/#).map { String($0.1) })
            #expect(names.subtracting(early) == [], "\(page)")
        }
    }

    @Test("every text that the admin page asks for is there, and it asks for every text")
    func admin() throws {
        let names = Set(try Self.texts("admin-texts", "en").keys)
        let modules = AdminPages.files.filter { $0.name.hasPrefix("admin") && $0.name.hasSuffix(".js") }
        let code = modules.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "\n")
        let page = String(decoding: AdminPages.main.bytes, as: UTF8.self)
        let asked =
            code.matches(of: #/\b(?:t|parts|forGood)\("([\w.-]+)"/#).map { String($0.1) }
            + page.matches(of: #/data-(?:text|label|title)="([^"]+)"/#).map { String($0.1) }
        #expect(asked.count > 200 && Set(asked).subtracting(names) == [])
        // What is put together at the time it is asked: `problem.${code}`.
        let beginnings = code.matches(of: #/`([\w.]+\.)\$\{/#).map { String($0.1) }
        let words = Set(code.matches(of: #/"([\w.-]+)"/#).map { String($0.1) }).union(asked)
        let idle = names.filter { name in !words.contains(name) && !beginnings.contains { name.hasPrefix($0) } }
        #expect(idle == [])
    }

    @Test("every refusal of the admin page's requests has a text of its own")
    func refusals() throws {
        let names = Set(try Self.texts("admin-texts", "en").keys)
        for refusal in AdminRefusal.allCases {
            let code = V2.Problem(for: refusal).code
            #expect(names.contains("problem.\(code)"), "\(code)")
        }
        for code: V2.ProblemCode in [.tooManyRequests, .originRefused, .internalError, .unavailable, .requestTimeout] {
            #expect(names.contains("problem.\(code.rawValue)"), "\(code)")
        }
    }

    @Test("every deed that is recorded has a sentence")
    func deeds() throws {
        let sentences = Set(
            try Self.texts("admin-texts", "en").keys.filter { $0.hasPrefix("deed.") }.map { String($0.dropFirst(5)) })
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        var recorded: Set<String> = []
        for folder in ["schema", "Sources/JulietGame"] {
            let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
            for case let path as String in try #require(paths) where path.hasSuffix(".sql") || path.hasSuffix(".swift")
            {
                let text = try String(contentsOf: root.appending(path: "\(folder)/\(path)"), encoding: .utf8)
                for call in text.matches(of: #/(?s)record_action\(.{0,160}/#) {
                    recorded.formUnion(call.output.matches(of: #/'([a-z]+\.[A-Za-z]+)'/#).map { String($0.1) })
                }
            }
        }
        // What is put together: 'name.' || change.
        recorded.formUnion([
            "name.rename", "name.hide", "name.show", "player.passkey", "player.identity", "player.session",
        ])
        recorded.formUnion(["enter", "leave", "void", "valid"].map { "lottery.\($0)" })
        recorded.formUnion(["retire", "restore", "secret", "guessable"].map { "word.\($0)" })
        #expect(recorded.count > 35 && sentences == recorded.union(["other"]))
    }

    private static func values(in forms: [String: String]) -> Set<String> {
        Set(forms.values.flatMap { $0.matches(of: #/\{(\w+)\}/#).map { String($0.1) } })
    }

    @Test("no other file of the pages has a text")
    func outside() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/JulietServer/Pages/web")
        let names = try [folder, AdminPagesTests.folder].flatMap {
            try FileManager.default.contentsOfDirectory(atPath: $0.path)
        }
        .filter { !$0.contains("texts-") }
        // The page of the API is English, as the description is that it is made of. What reads Markdown has backticks in its
        // regular expressions.
        for name in names.sorted()
        where name.hasSuffix(".js") && !name.hasPrefix("docs") && name != "admin-markdown.js" {
            let found = Self.suspects(inModule: try Self.file(name))
            #expect(found == [], "\(name)")
        }
        for name in names.sorted() where name.hasSuffix(".html") && !name.hasPrefix("docs") {
            let found = Self.suspects(inPage: try Self.file(name))
            #expect(found == [], "\(name)")
        }
        // They would be found.
        #expect(Self.suspects(inModule: #"h("p", {}, "No connection")"#) == ["No connection"])
        #expect(Self.suspects(inModule: "h(\"p\", {}, `${count} guesses left`)") == ["${count} guesses left"])
        #expect(Self.suspects(inModule: #"h("p", { "aria-label": "Close" })"#) == ["Close"])
        #expect(Self.suspects(inPage: "<p>Sealed</p>") == ["Sealed"])
        #expect(Self.suspects(inPage: #"<p aria-label="Sealed"></p>"#) == ["Sealed"])
    }

    /// Literals that a person could read: with a word that begins with a capital, or with several words that are no classes.
    private static func suspects(inModule text: String) -> [String] {
        let lines = text.split(separator: "\n").filter { line in
            let isRemark = ["//", "/**", "*"].contains { line.drop { $0 == " " }.hasPrefix($0) }
            return !isRemark && !line.contains("throw ") && !line.contains("new Error(")
        }
        let code = lines.joined(separator: "\n").replacing(#/// .*/#, with: "")
        return code.matches(of: #/"([^"\n]*)"|`([^`]*)`/#).map { String($0.1 ?? $0.2 ?? "") }.filter { literal in
            let bare = literal.replacing(#/\$\{[^}]*\}/#, with: "·")
            guard !technical.contains(literal), bare.contains(#/[A-Za-z]{2}/#) else { return false }
            if bare.contains(#/^[A-Z][a-z]/#) || bare.contains(#/[.!?:]$/#) { return true }
            return bare.contains(#/[A-Za-z·] [A-Za-z]+ [A-Za-z]+/#)
                && !bare.contains(#/^[a-z· -]*(?:is-|button)/#)
        }
    }

    /// What requests, keys of the keyboard and the like are called, the languages' own names, and commands to paste.
    private static let technical: Set<String> = [
        "Accept", "Authorization", "Bearer ${token}", "Bearer ${session}", "Content-Type", "Date", "Idempotency-Key",
        "If-None-Match",
        "Idempotent-Replayed", "Retry-After", "AbortError", "AltGraph", "Backspace", "Enter", "Tab",
        "https:", "#challenges tbody tr", "juliet words import",
        "Juliet", "Juliet ${number}", "English", "Deutsch", "juliet.", "players.", "seal.",
        "printf %s '${salt}:${secret}' | sha256sum", "printf %s ${shown.seed} | xxd -r -p | sha256sum",
        "curl -s ${new URL(", ", document.baseURI)} > draw.json\\njuliet lottery verify --file draw.json",
    ]

    /// What stands between tags, and labels. The name of the game, its letters, and what is said without JavaScript or to
    /// machines may.
    private static func suspects(inPage text: String) -> [String] {
        let bare = text.replacing(#/(?s)<noscript>.*?</noscript>/#, with: "").replacing(#/(?s)<!--.*?-->/#, with: "")
        let between = bare.matches(of: #/>([^<]+)</#).map { String($0.1) }
        let labels = bare.matches(of: #/(?:aria-label|title|placeholder|alt)="([^"]+)"/#).map { String($0.1) }
        return (between + labels).map {
            $0.trimmingCharacters(in: .whitespacesAndNewlines).replacing("&nbsp;", with: "")
        }
        .filter { $0.count > 1 && $0 != "Juliet" && !text.contains("data-title=\"\($0)\"") }
    }
}
