import EventLoop
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@Suite("Documentation", .timeLimit(.minutes(2)))
struct DocumentationTests {
    @Test("the example of the first page is the one that is run here")
    func example() throws {
        #expect(try DocC.firstPage(of: "HTTPCompression", hasCodeOf: "FirstPage"))
    }

    @Test("it runs")
    func runs() async throws {
        let loop = try EventLoop(label: "http")
        defer { loop.shutdown() }
        let server = compressing(on: loop)
        let address = try await server.start()
        let serving = Task { try await server.run() }
        let client = try await HTTPTestClient.connect(to: address, on: loop)
        for (path, isCompressed) in [
            ("/words/all", true), ("/words/news", true), ("/rules", true), ("/session", false),
        ] {
            await client.send("GET \(path) HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")
            let response = try await client.response()
            #expect(response.status == 200)
            #expect((response.headers["Content-Encoding"] == "gzip") == isCompressed, "\(path)")
        }
        await client.close()
        serving.cancel()
        try await serving.value
    }

    @Test("docc makes the pages without a warning")
    func pages() async throws {
        #expect(try await DocC.pages(of: "HTTPCompression").contains("httpcompression/gzipencoder"))
    }
}
