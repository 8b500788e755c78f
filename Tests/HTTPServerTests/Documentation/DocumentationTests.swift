import EventLoop
import HTTPServerTesting
import TestSupport
import Testing

@testable import HTTPServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("Documentation", .timeLimit(.minutes(1)))
struct DocumentationTests {
    @Test("the example of the first page is this one")
    func example() throws {
        let here = #filePath.split(separator: "/").dropLast()
        let root = here.dropLast(3)
        let page = try text(
            "/" + (root + ["Sources", "HTTPServer", "HTTPServer.docc", "HTTPServer.md"]).joined(separator: "/"))
        let source = try text("/" + (here + ["FirstPage.swift"]).joined(separator: "/"))
        let example = try #require(page.between("let loop = try", "```"))
        let code = try #require(source.between("let loop = try", "    // end"))
        let unindented = code.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("    ") ? $0.dropFirst(4) : $0 }.joined(separator: "\n")
        #expect(example.hasPrefix(unindented))
    }

    @Test("it runs")
    func runs() async throws {
        let (addresses, continuation) = AsyncStream.makeStream(of: SocketAddress.self)
        let serving = Task { try await firstPage { continuation.yield($0) } }
        let address = try #require(await addresses.first { _ in true })
        let loop = try EventLoop(label: "client")
        defer { loop.shutdown() }
        let client = try await HTTPTestClient.connect(to: address, on: loop)
        await client.send(Raw.get("/hello?you") + Raw.post("/echo", "abc") + Raw.get("/count"))
        #expect(try await client.response().text == "Hello, you!\n")
        #expect(try await client.response().text == "abc")
        #expect(try await client.response().text == "1\n2\n3\n")
        await client.close()
        serving.cancel()
        try await serving.value
    }

    @Test("docc makes the pages without a warning")
    func pages() async throws {
        #expect(try await DocC.pages(of: "HTTPServer").contains("httpserver/router"))
    }

    private func text(_ path: String) throws -> String {
        let file = try #require(fopen(path, "r"), "\(path)")
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// From the first text on, up to the next of the second.
    fileprivate func between(_ start: String, _ end: String) -> String? {
        guard let start = firstRange(of: start)?.lowerBound, let end = self[start...].firstRange(of: end)?.lowerBound
        else {
            return nil
        }
        return String(self[start..<end])
    }
}
