import EventLoop
import Foundation
import HTTPServer
import HTTPServerTypes
import TestSupport
import Testing

@Suite("Documentation", .timeLimit(.minutes(2)))
struct DocumentationTests {
    @Test("the example of the first page is the one that is run here")
    func example() throws {
        #expect(try DocC.firstPage(of: "HTTPServerTypes", hasCodeOf: "FirstPage"))
    }

    @Test("it runs, and serves curl")
    func runs() async throws {
        let loop = try EventLoop(label: "http")
        defer { loop.shutdown() }
        let server = greeting(on: loop)
        let address = try await server.start()
        let serving = Task { try await server.run() }
        func curl(_ path: String, _ arguments: String...) async throws -> String {
            let all = ["--silent", "--show-error", "--noproxy", "*", "--max-time", "20"] + arguments
            return try await Command.run(["curl"] + all + ["http://\(address)\(path)"])
        }
        #expect(
            try await curl("/hello/you?a=%20", "--header", "Host: example.org")
                == "Hello, you! You asked example.org for /hello/you?a=%20.")
        let file = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID().uuidString)")
        try Data(count: 3_000_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try await curl("/files/a", "--upload-file", file.path, "--write-out", "%{http_code}") == "401")
        let answer = try await curl(
            "/files/a", "--upload-file", file.path, "--header", "Authorization: Bearer example", "--header",
            "Transfer-Encoding: chunked", "--include")
        #expect(answer.contains("HTTP/1.1 201 Created\r\n"))
        #expect(answer.contains("Cache-Control: no-store\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n3000000 bytes"))
        serving.cancel()
        try await serving.value
    }

    @Test("docc makes the pages without a warning")
    func pages() async throws {
        let pages = try await DocC.pages(of: "HTTPServerTypes")
        #expect(pages.contains("httpservertypes/httptypeshandler"))
        #expect(pages.contains("httpservertypes/httptypeserror"))
    }
}
