import Foundation
import JulietClient
import Testing

@Suite("Queue documentation")
struct QueueDocumentationTests {
    @Test(
        "the examples of the pages are the ones that are run here",
        arguments: [
            ("Sources/JulietClient/JulietClient.docc/Queue.md", 2), ("docs/client.md", 4),
        ])
    func examples(page: String, count: Int) throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
        let source = try String(contentsOf: here.appending(path: "QueuePage.swift"), encoding: .utf8)
        let examples = source.components(separatedBy: "// begin ").dropFirst().compactMap { part in
            part.components(separatedBy: "// end").first?.drop { $0 != "\n" }.trimmingCharacters(in: .newlines)
        }
        let shown = text.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }.filter { $0.contains("RequestQueue") }
        #expect(shown.count == count)
        for example in shown { #expect(examples.contains(example)) }
    }

    @Test("they run")
    func run() async throws {
        let folder = try TemporaryFolder()
        let transport = AnsweringTransport { _, _ in
            let body = """
                {"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,\
                "userEnergy":35,"userWins":2}}
                """
            return HTTPResponse(status: 200, body: Array(body.utf8))
        }
        let juliet = Juliet(JulietConfiguration(baseURL: "http://127.0.0.1", transport: transport))
        #expect(try await play(as: "me", journal: folder.journal, juliet: juliet) == 2)
        try await withQueue(transport, folder: folder) { queue in
            try await report(20, of: "me", to: queue)
            await queue.pause()
            try await playOffline(queue)
            #expect(await queue.requests.map(\.path).first == "/v2/games")
        }
        #expect(await transport.sent.count == 3)
    }
}
