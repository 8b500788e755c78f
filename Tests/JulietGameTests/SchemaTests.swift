import Foundation
import Testing

@testable import JulietGame

@Suite("The schema")
struct SchemaTests {
    private static let checkout = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardized

    @Test("that this release knows is the newest migration's")
    func version() throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: Self.checkout.appending(path: "migrations").path)
        let newest = names.filter { $0.hasSuffix(".sql") }.compactMap { Int($0.prefix(4)) }.max()
        #expect(newest == Schema.version)
    }
}
