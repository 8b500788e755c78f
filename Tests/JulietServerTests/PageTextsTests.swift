import Foundation
import Testing

@testable import JulietServer

@Suite("What the page says")
struct PageTextsTests {
    private static let languages = ["en", "de"]

    /// What files of texts begin with: what is there from the first on, and what comes later.
    private static let kinds = ["texts", "texts-later"]

    /// A text is one form, or several by number.
    private static func texts(_ kind: String, _ language: String) throws -> [String: [String: String]] {
        let file = try PagesTests.text(of: "\(kind)-\(language).js")
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

    private static func values(in forms: [String: String]) -> Set<String> {
        Set(forms.values.flatMap { $0.matches(of: #/\{(\w+)\}/#).map { String($0.1) } })
    }

    @Test("no other file of the pages has a text")
    func outside() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/JulietServer/Pages/web")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix("texts-") }
        // The page of the API is English, as the description is that it is made of.
        for name in names.sorted() where name.hasSuffix(".js") && !name.hasPrefix("docs") {
            let found = Self.suspects(inModule: try PagesTests.text(of: name))
            #expect(found == [], "\(name)")
        }
        for name in names.sorted() where name.hasSuffix(".html") && !name.hasPrefix("docs") {
            let found = Self.suspects(inPage: try PagesTests.text(of: name))
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
        "Accept", "Authorization", "Bearer ${token}", "Content-Type", "Date", "Idempotency-Key",
        "If-None-Match",
        "Idempotent-Replayed", "Retry-After", "AbortError", "AltGraph", "Backspace", "Enter", "Tab",
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
