import Foundation
import JulietAPI
import TestSupport
import Testing

@Suite("The documents", .defaultLayout("about what is written"))
struct DocumentTests {
    private static let root = TestDatabase.root
    private static let pages = root.appending(path: "scripts/pages").path

    @Test("print what runs, and what it prints")
    func commands() async throws {
        let output = try await Command.run(["env", "PROGRAM=\(ServiceProcess.executable.path)", Self.pages])
        let last = output.split(separator: "\n").last ?? ""
        #expect(last.wholeMatch(of: /pages: \d+ as printed/) != nil, "\(output)")
    }

    @Test("say of each block of commands where it is typed")
    func rooms() async throws {
        let list = try await Command.run([Self.pages, "--list"]).split(separator: "\n")
        #expect(list.count > 40)
        let place = #/^[\w./-]+:\d+: (play|operator|compose|debian|citus|not: |a file, )/#
        for line in list {
            #expect(line.firstMatch(of: place) != nil, "\(line)")
        }
    }

    @Test("say of each alert, and of each warning on the admin page, what to do")
    func alerts() throws {
        let read = { (path: String) in try String(contentsOf: Self.root.appending(path: path), encoding: .utf8) }
        let page = try read("docs/trouble.md")
        let rows = Set(page.matches(of: #/\n\| <a id="([\w-]+)"><\/a>/#).map { String($0.1) })
        let rules = try read("packaging/observability/juliet.rules.yml")
        let alerts = rules.matches(of: #/- alert: (\w+)\n/#).map { String($0.1) }
        let links = rules.matches(of: #/runbook_url: \S+\/docs\/trouble\.md#(\S+)/#).map { String($0.1) }
        #expect(links == alerts.map { $0.lowercased() } && links.count >= 8)
        for (alert, link) in zip(alerts, links) {
            #expect(rows.contains(link) && page.contains("<a id=\"\(link)\"></a>`\(alert)`"), "\(alert)")
        }
        let warnings = try read("Sources/JulietServer/Pages/admin/admin-texts-en.js")
            .matches(of: #/"warning\.(\w+)":/#).map { String($0.1) }
        let live = try read("Sources/JulietServer/Pages/admin/admin-live.js")
        for warning in warnings {
            let place = try #require(live.matches(of: #/\b(\w+): "(\w+)(?:\/([\w-]+))?"/#).first { $0.1 == warning })
            #expect(place.2 != "trouble" || rows.contains(String(place.3 ?? "")), "\(warning)")
        }
        #expect(warnings.count >= 13)
    }

    @Test("name every problem of /v2 with its status", arguments: V2.ProblemCode.allCases)
    func problems(code: V2.ProblemCode) throws {
        let text = try String(contentsOf: Self.root.appending(path: "docs/v2.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("`\(code.rawValue)`") }
        #expect(rows.contains { $0.split(separator: "|")[0].contains("\(code.status)") })
    }
}
