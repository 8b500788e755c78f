import Foundation
import Testing

/// Fields of the pages count UTF-16, and a letter has at most two units of it; the schema counts letters, and decides.
@Suite("The fields of the pages")
struct PageLimitsTests {
    /// A field, by what is written before its length, and what is written before the limit in the schema.
    struct Field: Sendable, CustomTestStringConvertible {
        let file: String
        let before: String
        let schema: String
        let limit: String

        init(_ file: String, _ before: String, _ schema: String, _ limit: String) {
            self.file = file
            self.before = before
            self.schema = schema
            self.limit = limit
        }

        var testDescription: String { "\(file): \(before)" }
    }

    private static let name = ("players/read_player.sql", "public_text(given, ")
    private static let league = ("leagues/leagues.sql", "BETWEEN 1 AND ")
    private static let reason = ("admin/deeds.sql", "char_length(why) > ")

    static let fields = [
        Field("web/settings.js", #"player.name ?? "", maxlength: ""#, name.0, name.1),
        Field("web/making.js", #"autocomplete: "nickname", maxlength: ""#, name.0, name.1),
        Field(
            "web/making.js", #"name: "hint", maxlength: ""#, "challenges/create_challenge.sql",
            "public_text(given_hint, "),
        Field("web/leagues.js", #"t("league.make"), { maxlength: ""#, league.0, league.1),
        Field("web/leagues.js", #"value: league.name, maxlength: ""#, league.0, league.1),
        Field(
            "admin/admin-names.js", #"name: "part", required: true, maxlength: "#, "admin/names.sql", "BETWEEN 2 AND "),
        Field("admin/admin-names.js", #"name: "name", maxlength: "#, name.0, name.1),
        Field("admin/admin-names.js", #"name: "reason", required: true, maxlength: "#, reason.0, reason.1),
        Field("admin/admin-views.js", #"name: "reason", required: true, maxlength: "#, reason.0, reason.1),
        Field("admin/admin-together.js", #"name: "reason", required: true, maxlength: "#, reason.0, reason.1),
        Field("admin/admin-words.js", #"name: "reason", required: true, maxlength: "#, reason.0, reason.1),
    ]

    @Test("take the longest text that the service takes", arguments: fields)
    func lengths(field: Field) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        func number(_ path: String, after text: String) throws -> Int {
            let content = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            let range = try #require(content.firstRange(of: text), "\(path): \(text)")
            return try #require(Int(content[range.upperBound...].prefix { $0.isNumber }))
        }
        let most = try number("schema/\(field.schema)", after: field.limit)
        #expect(try number("Sources/JulietServer/Pages/\(field.file)", after: field.before) == 2 * most)
    }
}
