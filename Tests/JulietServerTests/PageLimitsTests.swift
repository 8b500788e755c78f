import Foundation
import JulietAPI
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

    private static let reason = ("admin/deeds.sql", "char_length(why) > ")

    static let fields = [
        Field("admin/admin-names.js", #"name: "reason", required: true, maxlength: "#, reason.0, reason.1),
        Field("admin/admin-views.js", #"name: "reason", required: true, maxlength: "#, reason.0, reason.1),
        Field("admin/admin-together.js", #"name: "reason", required: true, maxlength: "#, reason.0, reason.1),
        Field("admin/admin-words.js", #"name: "reason", required: true, maxlength: "#, reason.0, reason.1),
    ]

    @Test(
        "names and hints have the lengths of the service",
        arguments: [("nameLength", V2.GivenName.Kind.player), ("leagueNameLength", .league), ("hintLength", .hint)])
    func names(constant: String, kind: V2.GivenName.Kind) throws {
        #expect(
            try number("Sources/JulietServer/Pages/web/letters.js", after: "export const \(constant) = ") == kind.limit)
    }

    private func number(_ path: String, after text: String) throws -> Int {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let content = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        let range = try #require(content.firstRange(of: text), "\(path): \(text)")
        return try #require(Int(content[range.upperBound...].prefix { $0.isNumber }))
    }

    @Test("take the longest text that the service takes", arguments: fields)
    func lengths(field: Field) throws {
        let most = try number("schema/\(field.schema)", after: field.limit)
        #expect(try number("Sources/JulietServer/Pages/\(field.file)", after: field.before) == 2 * most)
    }
}
