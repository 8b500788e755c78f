import EventLoop
import Foundation
import JulietClient
import Testing

@Suite("Documentation", .timeLimit(.minutes(1)))
struct DocumentationTests {
    @Test(
        "the examples of both pages are the ones that are run here",
        arguments: ["Sources/JulietClient/JulietClient.docc/JulietClient.md", "docs/client.md"])
    func examples(page: String) throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
        let source = try String(contentsOf: here.appendingPathComponent("FirstPage.swift"), encoding: .utf8)
        let examples = source.components(separatedBy: "// begin ").dropFirst().compactMap { part in
            part.components(separatedBy: "// end").first?.drop { $0 != "\n" }.trimmingCharacters(in: .newlines)
        }
        let shown = text.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
        // The queue's examples are checked by its own tests, a manifest by those of the package.
        let ours = shown.filter { !$0.contains("RequestQueue") && !$0.contains(".package(") }
        #expect(!ours.isEmpty)
        for example in ours { #expect(examples.contains(example)) }
    }

    @Test("they run")
    func run() async throws {
        let server = try ScriptedServer { connection in
            while case let request = connection.request(), !request.isEmpty {
                let energy = request.contains("handleEnergyPurchase") ? 35 : 25
                connection.answer(
                    request.hasPrefix("GET /places?day=1&letters%5B%5D=5&letters%5B%5D=6 ")
                        ? #"["Verona"]"#
                        : """
                        {"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,\
                        "userEnergy":\(energy),"userWins":2,"secretWord":["M","U","S","I","C"]}}
                        """)
            }
        }
        #expect(try await play(at: server.baseURL, with: nil) == "MUSIC, 25 energy left")
        let juliet = Juliet(configuration(baseURL: server.baseURL, token: { "t" }))
        #expect(try await juliet.send(FetchPlaces(day: "1")) == ["Verona"])
        #expect(try await buy(5, for: "me", from: juliet) == 35)
        let shown = await withCheckedContinuation { continuation in
            _ = winCount(of: "me", from: juliet) { continuation.resume(returning: $0) }
        }
        #expect(shown == "2 wins")
    }
}
