import Foundation
import JulietAPI
import JulietSchema
import Migrations
import Testing

@testable import JulietGame

@Suite("The schema")
struct SchemaTests {
    private static let checkout = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardized

    @Test("that the program carries is that of the folders, and its newest migration is the one this release needs")
    func carried() throws {
        let migrations = try MigrationFolder.load(path: Self.checkout.appending(path: "migrations").path)
        #expect(migrations == Schema.migrations)
        #expect(migrations.last?.version == Schema.version)
        let code = try SchemaCode(path: Self.checkout.appending(path: "schema").path)
        #expect(code == Schema.code)
        #expect(code.functions.count > 100)
    }

    @Test("the database has the blocked words of the list: else run config/words/make-blocked")
    func blocked() throws {
        let list = try String(contentsOf: Self.checkout.appending(path: "config/words/blocked.txt"), encoding: .utf8)
        let words = list.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let function = Schema.code.functions.first { $0.function?.name == "carried_blocked_words" }
        let array = try #require(function?.statements.first?.text.firstMatch(of: #/'\{([^}]*)\}'/#)).output.1
        #expect(array.split(whereSeparator: { $0 == "," || $0.isWhitespace }) == words)
    }

    @Test("the database has the refused parts of the list: else run config/names/make-names.swift")
    func refusedParts() throws {
        let list = try String(contentsOf: Self.checkout.appending(path: "config/names/refused.txt"), encoding: .utf8)
        let parts = list.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let function = Schema.code.functions.first { $0.function?.name == "carried_refused_parts" }
        let array = try #require(function?.statements.first?.text.firstMatch(of: #/'\{([^}]*)\}'/#)).output.1
        #expect(array.split { $0 == "," || $0 == "\n" }.map { $0.filter { $0 != "\"" } } == parts.map(String.init))
        #expect(Set(parts).count == parts.count)
    }

    @Test(
        "the database refuses in names the characters that the service refuses: else run config/names/make-names.swift")
    func refusedCharacters() throws {
        let function = Schema.code.functions.first { $0.function?.name == "characters" }
        let text = try #require(function?.statements.first?.text)
        let start = try #require(text.firstRange(of: "WHEN 'refused' THEN")).upperBound
        let end = try #require(text.firstRange(of: "WHEN 'mark' THEN")).lowerBound
        var ranges: [ClosedRange<UInt32>] = []
        for match in text[start..<end].matches(of: #/\\[uU]([0-9A-F]+)(?:-\\[uU]([0-9A-F]+))?/#) {
            let first = try #require(UInt32(match.output.1, radix: 16))
            let last = try match.output.2.map { try #require(UInt32($0, radix: 16)) } ?? first
            ranges.append(first...last)
        }
        #expect(ranges.count > 500 && zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        var place = 0
        var wrong: [String] = []
        for scalar in (UInt32(1)...0x3FFFF).compactMap({ Unicode.Scalar($0) }) {
            while place < ranges.count, ranges[place].upperBound < scalar.value { place += 1 }
            let isRefused = place < ranges.count && ranges[place].contains(scalar.value)
            // An older Swift knows fewer characters.
            if !isRefused, scalar.properties.generalCategory == .unassigned { continue }
            let fault = V2.GivenName("a\(scalar)b", .player).fault
            if (fault != nil) != isRefused { wrong.append("U+\(String(scalar.value, radix: 16))") }
        }
        #expect(wrong == [])
    }

    @Test("each migration says whether services of the release before can run beside it")
    func compatibility() {
        #expect(Schema.migrations.filter { $0.isBackwardCompatible == nil }.map(\.fileName) == [])
    }

    @Test("only what the service may call has its owner's rights, and whatever has, looks for names in one place")
    func entries() {
        for piece in Schema.code.functions {
            guard let function = piece.function else { continue }
            // A deferred trigger runs as the session's role.
            let isEntry =
                !piece.callers.isEmpty || ["refuse_energy_without_entry", "seal_trail"].contains(function.name)
            #expect(function.isSecurityDefiner == isEntry, "\(function.signature)")
            #expect(piece.callers.isEmpty || piece.callers == ["juliet_service"], "\(function.signature)")
            #expect(!isEntry || function.settings.first == "search_path=juliet, pg_temp", "\(function.signature)")
        }
    }

    @Test("is drawn in schema/README.md as it is: else paste what `juliet migrate catalog --map` prints")
    func map() throws {
        let readme = try String(contentsOf: Self.checkout.appending(path: "schema/README.md"), encoding: .utf8)
        let start = try #require(readme.range(of: "<!-- map -->\n"))
        let end = try #require(readme.range(of: "<!-- end of map -->"))
        let map = SchemaMap(code: Schema.code, catalog: SchemaFiles.catalog).text
        #expect(readme[start.upperBound..<end.lowerBound] == map, "\(map)")
        // Every folder is described.
        for room in Set(Schema.code.pieces.compactMap { $0.file.contains("/") ? $0.file.prefix { $0 != "/" } : nil }) {
            #expect(readme.contains("| `\(room)/` |"), "\(room)")
        }
    }
}
