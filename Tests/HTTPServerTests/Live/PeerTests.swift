import EventLoop
import Foundation
import TestSupport
import Testing

@testable import HTTPServer

/// The example of docs/http-server.md, and the programs that it has to get on with.
@Suite("curl, nginx and systemd", .serialized, .timeLimit(.minutes(1)))
struct PeerTests {
    private static let program: String = {
        let places = CommandLine.arguments.prefix(1) + [Bundle.main.bundlePath + "/x"]
        let candidates = places.map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().appending(path: "HTTPServerExample").path
        }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "HTTPServerExample"
    }()

    /// Runs the body beside a program, in a folder that is gone afterwards.
    private static func beside(
        _ command: (String) throws -> [String], _ body: (String) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "peer-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        chmod(folder, 0o755)
        let child = try ChildProcess(try command(folder), output: .null, errors: .null)
        do {
            try await body(folder)
        } catch {
            child.signal(SIGKILL)
            _ = await child.end()
            throw error
        }
        child.signal(SIGTERM)
        _ = await child.end()
    }

    private static func curl(_ arguments: String...) async throws -> String {
        try await Command.run(["curl", "--silent", "--show-error", "--noproxy", "*", "--max-time", "20"] + arguments)
    }

    /// Conditions, ranges, and an upload that waits for 100 Continue, by a base URL.
    private static func speak(_ url: String, _ folder: String, _ more: [String]) async throws {
        func ask(_ path: String, _ arguments: String...) async throws -> String {
            try await Command.run(
                ["curl", "--silent", "--show-error", "--noproxy", "*", "--max-time", "20"] + more + arguments
                    + ["\(url)\(path)"])
        }
        #expect(try await ask("/hello/you") == "Hello, you!")
        #expect(try await ask("/", "--range", "4-8") == "Hello")
        let etag = "\(folder)/etag"
        #expect(try await ask("/", "--etag-save", etag) == "<h1>Hello</h1>")
        #expect(
            try await ask("/", "--etag-compare", etag, "--write-out", "%{http_code}") == "304")
        let file = "\(folder)/upload"
        #expect(FileManager.default.createFile(atPath: file, contents: Data(count: 3_000_000)))
        let known = "Authorization: Bearer example"
        #expect(
            try await ask(
                "/uploads/a", "--upload-file", file, "--header", known, "--header", "Expect: 100-continue",
                "--write-out", "%{http_code}") == "3000000 bytes of a\n201")
        #expect(
            try await ask(
                "/uploads/a", "--upload-file", file, "--header", known, "--header", "Transfer-Encoding: chunked")
                == "3000000 bytes of a")
        #expect(try await ask("/uploads/a", "--upload-file", file, "--write-out", "%{http_code}") == "who?\n401")
    }

    @Test("the example of docs/http-server.md is the program that runs here, and has fewer than 40 lines")
    func example() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let program = try String(
            contentsOf: root.appending(path: "Tests/HTTPServerExample/main.swift"), encoding: .utf8)
        let page = try String(contentsOf: root.appending(path: "docs/http-server.md"), encoding: .utf8)
        #expect(page.contains("```swift\n\(program)```\n"))
        #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count < 40)
    }

    @Test("curl by a Unix socket, and nginx before one")
    func unix() async throws {
        try await Self.beside({ [Self.program, "\($0)/s"] }) { folder in
            let socket = "\(folder)/s"
            #expect(await eventually { FileManager.default.fileExists(atPath: socket) })
            chmod(socket, 0o666)
            try await Self.speak("http://localhost", folder, ["--unix-socket", socket])
            let port = try Command.freePort()
            let nginx = { (own: String) throws -> [String] in
                let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                    .map { "\($0)_temp_path \(own)/\($0);" }.joined(separator: " ")
                let text = """
                    daemon off; pid \(own)/pid; error_log stderr; \(geteuid() == 0 ? "user root;" : "")
                    events {}
                    http {
                        access_log off; \(temporary) client_max_body_size 10m;
                        server {
                            listen 127.0.0.1:\(port);
                            location / {
                                proxy_pass http://unix:\(socket); proxy_http_version 1.1; proxy_request_buffering off;
                                proxy_set_header Connection ""; proxy_set_header Host $host;
                            }
                        }
                    }
                    """
                try text.write(toFile: "\(own)/nginx.conf", atomically: true, encoding: .utf8)
                let program = ["/usr/sbin/nginx", "/opt/homebrew/bin/nginx"]
                    .first { FileManager.default.isExecutableFile(atPath: $0) }
                return [program ?? "nginx", "-p", own, "-e", "stderr", "-c", "\(own)/nginx.conf"]
            }
            try await Self.beside(nginx) { own in
                #expect(
                    await eventually {
                        (try? await Self.curl("http://127.0.0.1:\(port)/hello/you")) == "Hello, you!"
                    })
                try await Self.speak("http://127.0.0.1:\(port)", own, [])
            }
        }
    }

    #if os(Linux)
        @Test("systemd hands over its sockets: TCP and Unix")
        func activation() async throws {
            let port = try Command.freePort()
            try await Self.beside({
                [
                    "systemd-socket-activate", "--listen=127.0.0.1:\(port)", "--listen=\($0)/s", Self.program,
                    "inherited",
                ]
            }) { folder in
                #expect(await eventually { FileManager.default.fileExists(atPath: "\(folder)/s") })
                #expect(try await Self.curl("http://127.0.0.1:\(port)/hello/you") == "Hello, you!")
                try await Self.speak("http://localhost", folder, ["--unix-socket", "\(folder)/s"])
            }
        }
    #endif
}
