import AppStore
import AppStoreTesting
import Foundation
import Testing

@Suite("Documentation")
struct DocumentationTests {
    @Test("the example of the first page is this one")
    func example() throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let page = try String(
            contentsOf: here.appending(path: "../../../Sources/AppStore/AppStore.docc/AppStore.md"), encoding: .utf8)
        let source = try String(contentsOf: here.appending(path: "FirstPage.swift"), encoding: .utf8)
        let code = try #require(source.firstMatch(of: #/    // begin\n((?s).*)    // end/#)).1
        let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("    ") ? $0.dropFirst(4) : $0 }
        #expect(page.contains("import AppStore\n\n" + lines.joined(separator: "\n") + "```"))
    }

    @Test("it takes nothing but what Apple signed")
    func runs() async throws {
        let jws = try Shop.shared.get().authority.sign(TestTransaction().payload)
        await #expect(throws: AppStoreRefusal.chain) {
            try await firstPage(signedTransaction: jws, signedPayload: jws, player: Shop.player)
        }
    }
}
