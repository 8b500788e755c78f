import Foundation
import HTTPServer
import JulietServer
import TestSupport
import Testing

/// `/openapi.json` and the page of it.
@Suite("The description of the API")
struct DescriptionTests {
    private func get(_ path: String, on service: TestService, fields: [String] = []) async throws -> HTTPReply {
        let head = ["GET \(path) HTTP/1.1", "Host: h"] + fields
        return try await service.exchange(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    }

    @Test("docs/openapi.json is what the service says")
    func checkedIn() async throws {
        let reply = try await get("/openapi.json", on: TestService.shared(.standard))
        let written = try Array(Data(contentsOf: APIDocument.file))
        guard reply.body != written else { return }
        let new = APIDocument.file.deletingLastPathComponent().appending(path: "../.build/openapi.json").standardized
        try Data(reply.body).write(to: new)
        Issue.record("The description has changed. If it is meant: cp \(new.path) docs/openapi.json")
    }

    @Test("it is JSON for everybody, and is not sent again to whom has it")
    func headers() async throws {
        let service = try await TestService.shared(.standard)
        let reply = try await get("/openapi.json", on: service)
        #expect(reply.status == 200)
        #expect(reply["Content-Type"] == "application/json")
        #expect(reply["Access-Control-Allow-Origin"] == "*")
        let tag = try #require(reply["ETag"])
        let again = try await get("/openapi.json", on: service, fields: ["If-None-Match: \(tag)"])
        #expect(again.status == 304)
    }

    @Test("the page is read below the same rules as the one that plays, and names everything")
    func page() async throws {
        let service = try await TestService.shared(.standard)
        let reply = try await get("/docs", on: service)
        #expect(reply.status == 200)
        #expect(reply["Content-Type"] == "text/html; charset=utf-8")
        #expect(reply["Content-Security-Policy"]?.hasPrefix("default-src 'none'; script-src 'self'; ") == true)
        let document = APIDocument.checkedIn.json
        let operations = document.paths.names.flatMap { path in
            document.paths[dynamicMember: path].names.map { document.paths[dynamicMember: path][dynamicMember: $0] }
        }
        let names = operations.map(\.operationId.text) + Array(document.components.schemas.names)
        for name in names { #expect(reply.text.contains("id=\"\(name)\""), "\(name)") }
        #expect(Set(names).count == names.count)
        // What it links to is there.
        for link in reply.text.matches(of: #/(?:href|src)="(?<target>[^"]*)"/#).map(\.target) {
            if link.hasPrefix("#") {
                #expect(reply.text.contains("id=\"\(link.dropFirst())\""), "\(link)")
            } else {
                #expect(try await get("/" + link.drop { $0 == "." || $0 == "/" }, on: service).status == 200, "\(link)")
            }
        }
    }

    @Test("what is described is served, with these methods and no others")
    func served() async throws {
        let service = try await TestService.shared(.standard)
        let paths = APIDocument.checkedIn.json.paths
        for path in paths.names {
            // A method that no URL offers, so that Allow says which ones this does.
            let target = path.replacing(#/{[a-z]+}/#, with: "x")
            let reply = try await service.exchange(Array("PUT \(target) HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
            let allowed = Set((reply["Allow"] ?? "").split(separator: ", ").map { $0.lowercased() })
            #expect(allowed.subtracting(["head", "options"]) == paths[dynamicMember: path].names, "\(path)")
        }
    }

    @Test("below a base path it says so")
    func basePath() async throws {
        let service = try await TestService.shared(.basePath)
        let document = try APIDocument((try await get("/prod/openapi.json", on: service)).body)
        #expect(document.json.servers[0].url == "/prod")
        #expect(document.json.paths == APIDocument.checkedIn.json.paths)
        #expect(try await get("/prod/docs", on: service).status == 200)
    }

    @Test("without the page there is no page of it either, but the document")
    func withoutPages() async throws {
        let service = try await TestService.start(["web.enabled": "false"], on: .shared())
        #expect(try await get("/docs", on: service).status == 404)
        #expect(try await get("/openapi.json", on: service).status == 200)
        try await service.stop()
    }
}
