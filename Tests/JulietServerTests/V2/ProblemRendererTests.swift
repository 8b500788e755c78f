import Foundation
import HTTPServer
import Testing

@testable import JulietServer

@Suite("What HTTP itself refuses under /v2")
struct ProblemRendererTests {
    private static func web(_ origins: String...) -> WebSettings {
        var web = WebSettings()
        web.allowedOrigins = origins
        return web
    }

    private func response(
        to failure: HTTPFailure, path: String?, headers: Headers = [:], basePath: String = "",
        web: WebSettings = WebSettings()
    ) -> Response {
        var failure = failure
        failure.path = path
        failure.requestHeaders = headers
        return JulietService.errorRenderer(basePath: basePath, web: web)(failure)
    }

    private func members(_ response: Response) throws -> [String: any Sendable] {
        guard case .bytes(let bytes) = response.body else { return [:] }
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: any Sendable])
    }

    @Test(
        "is a problem of its status",
        arguments: [
            (400, "request-invalid"), (404, "not-found"), (405, "method-not-allowed"), (408, "request-timeout"),
            (413, "content-too-large"), (414, "uri-too-long"), (415, "unsupported-media-type"),
            (417, "expectation-failed"), (421, "misdirected-request"), (431, "header-fields-too-large"),
            (500, "internal-error"), (501, "not-implemented"), (503, "unavailable"),
            (505, "http-version-not-supported"),
        ])
    func codes(status: Int, code: String) throws {
        let failure = HTTPFailure(
            code: .malformed, status: HTTPStatus(status), message: "Which rule was broken.",
            headers: status == 503 ? ["Retry-After": "7"] : [:])
        let response = response(to: failure, path: "/v2/games", headers: ["X-Request-Id": "mine"])
        #expect(response.status.code == status)
        #expect(response.headers["Content-Type"] == "application/problem+json")
        #expect(response.headers["X-Request-Id"] == "mine")
        #expect(response.headers["Retry-After"] == (status == 503 ? "7" : nil))
        let problem = try members(response)
        #expect(problem["code"] as? String == code)
        #expect(problem["type"] as? String == "/problems/\(code)")
        #expect(problem["status"] as? Int == status)
        #expect((problem["title"] as? String)?.isEmpty == false)
        #expect((problem["detail"] as? String)?.isEmpty == false)
        #expect(problem["path"] as? String == (status == 400 ? "" : nil))
        #expect(problem["retryAfter"] as? Int == (status == 503 ? 7 : nil))
    }

    @Test(
        "everywhere below it, whatever comes behind",
        arguments: [
            ("/v2", ""), ("/v2/", ""), ("/v2/games", ""), ("/%762/games", ""), ("/prod/v2", "/prod"),
            ("/prod/v2/x", "/prod"),
        ])
    func below(path: String, basePath: String) {
        let failure = HTTPFailure(code: .notFound, status: .notFound, message: "Nothing.")
        let response = response(to: failure, path: path, basePath: basePath)
        #expect(response.headers["Content-Type"] == "application/problem+json")
        #expect(response.headers["X-Request-Id"]?.count == 12)
    }

    @Test(
        "all else is the app's envelope, and so is what did not get as far as its path",
        arguments: [
            ("/", ""), ("/v2x", ""), ("/v", ""), ("/V2/games", ""), ("/Juliet_WordManager", ""), ("/v2/games", "/prod"),
            ("/prod/v2/games", ""), (nil, ""),
        ] as [(String?, String)])
    func elsewhere(path: String?, basePath: String) throws {
        let failure = HTTPFailure(code: .notFound, status: .notFound, message: "Nothing.")
        let response = response(to: failure, path: path, basePath: basePath, web: Self.web("*"))
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(try members(response)["lambdaInvocationHttpsStatusCode"] as? Int == 404)
    }

    @Test("a page of an allowed origin can read it")
    func crossOrigin() {
        let failure = HTTPFailure(code: .bodyTooLarge, status: .contentTooLarge, message: "Too large.")
        for (origins, allowed) in [(["https://a"], "https://a"), (["*"], "*"), (["https://b"], nil), ([], nil)] {
            var web = WebSettings()
            web.allowedOrigins = origins
            let response = response(to: failure, path: "/v2/games", headers: ["Origin": "https://a"], web: web)
            #expect(response.headers["Access-Control-Allow-Origin"] == allowed)
        }
        let app = response(
            to: failure, path: "/Juliet_WordManager", headers: ["Origin": "https://a"], web: Self.web("*"))
        #expect(!app.headers.contains("Access-Control-Allow-Origin"), "the app's URLs are not for pages")
    }
}
