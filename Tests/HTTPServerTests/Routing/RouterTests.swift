import EventLoop
import Testing

@testable import HTTPServer

@Suite("Router")
struct RouterTests {
    private static func text(_ response: Response) -> String {
        guard case .bytes(let bytes) = response.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("exact paths, aliases, methods, a base path")
    func routes() async {
        var router = Router(basePath: "/prod/")
        router.on(.get, "/a", aliases: ["/b"]) { _ in .text("read") }
        router.on(.post, "/a") { _ in .text("written") }
        func ask(_ method: HTTPMethod, _ path: String) async -> String {
            let response = await router.respond(to: Request(method: method, path: path))
            return "\(response.status.code) \(response.headers["Allow"] ?? "-") \(Self.text(response))"
        }
        #expect(await ask(.get, "/prod/a") == "200 - read")
        #expect(await ask(.get, "/prod/b") == "200 - read")
        #expect(await ask(.head, "/prod/a") == "200 - read")
        #expect(await ask(.post, "/prod/a") == "200 - written")
        #expect(await ask(.post, "/prod/b").hasPrefix("405 GET, HEAD, OPTIONS "))
        #expect(await ask(.options, "/prod/a") == "204 GET, POST, HEAD, OPTIONS ")
        #expect(await ask(.get, "/a").hasPrefix("404 - "))
        #expect(await ask(.get, "/prod/%61") == "200 - read")
        #expect(await ask(.get, "/prod%2Fa").hasPrefix("404 - "), "an escaped slash is no slash")
        #expect(await ask(.get, "/prod/%").hasPrefix("404 - "))
    }

    @Test("a handler of its own for HEAD and OPTIONS comes first")
    func ownHandlers() async {
        var router = Router()
        router.on(.get, "/") { _ in .text("get") }
        router.on(.head, "/") { _ in .text("head") }
        router.on(.options, "/") { _ in .text("options") }
        for method in [HTTPMethod.get, .head, .options] {
            let response = await router.respond(to: Request(method: method, path: "/"))
            #expect(Self.text(response) == method.rawValue.lowercased())
        }
    }

    @Test("404 and 405 go through the error renderer, which sees the request")
    func renderer() async {
        var router = Router(errorRenderer: { failure in
            .text("\(failure.code) \(failure.path ?? "") \(failure.body.count)", status: failure.status)
        })
        router.on(.get, "/a") { _ in Response() }
        let response = await router.respond(to: Request(method: .put, path: "/a", body: [1, 2]))
        #expect(Self.text(response) == "http.methodNotAllowed /a 2")
        #expect(response.headers["Allow"] == "GET, HEAD, OPTIONS", "added, since the renderer left it out")
        #expect(Self.text(await router.respond(to: Request(method: .put, path: "/b"))) == "http.notFound /b 0")
    }

    // MARK: Parameters

    /// A router whose handlers tell which route was taken and what its parameters are.
    private static func games(basePath: String = "") -> Router {
        var router = Router(basePath: basePath)
        func on(_ method: HTTPMethod, _ path: String, _ names: String...) {
            router.on(method, path) { request in
                let values = names.map { "\($0)=\(request.parameters[$0] ?? "-")" }
                return .text(([method.rawValue, path] + values).joined(separator: " "))
            }
        }
        on(.get, "/games", "id")
        on(.get, "/games/{id}", "id", "other")
        on(.post, "/games/{id}/guesses", "id")
        on(.get, "/{room}/{id}/{part}", "room", "id", "part")
        on(.post, "/daily/game")
        on(.get, "/daily/{day}", "day")
        on(.get, "/daily/{day}/board", "day")
        on(.get, "/daily/first/{part}", "part")
        return router
    }

    private static func ask(_ method: HTTPMethod, _ path: String, _ router: Router = games()) async -> String {
        let response = await router.respond(to: Request(method: method, path: path))
        return response.status == .ok
            ? text(response) : "\(response.status.code) \(response.headers["Allow"] ?? "-")"
    }

    @Test(
        "a parameter stands for any one segment, and the handler finds it percent-decoded",
        arguments: [
            ("/games/7", "GET /games/{id} id=7 other=-"),
            ("/games/a%20b", "GET /games/{id} id=a b other=-"),
            ("/games/a%2Fb", "GET /games/{id} id=a/b other=-"),
            ("/games/%C3%A4", "GET /games/{id} id=ä other=-"),
            ("/games/%2541", "GET /games/{id} id=%41 other=-"),
            ("/games/a+b", "GET /games/{id} id=a+b other=-"),
            ("/games/..", "GET /games/{id} id=.. other=-"),
            ("/games/{id}", "GET /games/{id} id={id} other=-"),
            ("/g%61mes/7", "GET /games/{id} id=7 other=-"),
            ("/games", "GET /games id=-"),
        ])
    func parameters(path: String, answer: String) async {
        #expect(await Self.ask(.get, path) == answer)
    }

    @Test(
        "a segment that is empty or no UTF-8, one too many or too few: nothing is found",
        arguments: [
            "/games/", "/games//", "//games", "/games/7/", "/games/%FF", "/games/%C3", "/games/%C0%80", "/games/%4",
            "/games/%", "/games%2F7", "/a/b/c/d", "/Games/7", "",
        ])
    func unmatched(path: String) async {
        #expect(await Self.ask(.get, path) == "404 -")
    }

    @Test("an exact path wins whole; then text goes before parameters, from the left, whatever was added first")
    func precedence() async {
        #expect(await Self.ask(.get, "/daily/game") == "405 POST, OPTIONS")
        #expect(await Self.ask(.post, "/daily/game") == "POST /daily/game")
        #expect(await Self.ask(.get, "/daily/g%61me") == "405 POST, OPTIONS")
        #expect(await Self.ask(.get, "/daily/games") == "GET /daily/{day} day=games")
        #expect(await Self.ask(.get, "/daily/first/board") == "GET /daily/first/{part} part=board")
        #expect(await Self.ask(.get, "/daily/game/board") == "GET /daily/{day}/board day=game")
        #expect(await Self.ask(.get, "/daily/game/other") == "GET /{room}/{id}/{part} room=daily id=game part=other")
        #expect(await Self.ask(.get, "/games/7/guesses") == "405 POST, OPTIONS", "no other route is looked for")
    }

    @Test("a parameter that takes numbers: a path with anything else is unknown for every method, or another's")
    func forms() async {
        var router = Router(basePath: "/prod")
        router.group("/days") { group in
            group.parameter("day") { Int($0) != nil }
            group.on(.get, "/{day}") { .text("day \($0.parameters["day"] ?? "-")") }
            group.on(.get, "/{day}/board") { .text("board \($0.parameters["day"] ?? "-")") }
        }
        router.on(.get, "/{room}/{day}/board") { .text("room \($0.parameters["day"] ?? "-")") }
        for (path, answer) in [("7", "day 7"), ("%37", "day 7"), ("7/board", "board 7"), ("none/board", "room none")] {
            #expect(await Self.ask(.get, "/prod/days/\(path)", router) == answer, "\(path)")
        }
        for method in [HTTPMethod.get, .head, .post, .options] {
            #expect(await Self.ask(method, "/prod/days/none", router).hasPrefix("404"))
            #expect(await Self.ask(method, "/prod/days/n%6fne", router).hasPrefix("404"))
        }
    }

    @Test("a path that is not offered now is unknown, whatever the method")
    func offers() async {
        let isOffered = Locked(false)
        var router = Router(basePath: "/prod")
        router.on(.post, "/refill") { _ in .text("refilled") }
        router.on(.options, "/refill") { _ in .text("options") }
        router.on(.get, "/games/{id}") { _ in .text("game") }
        for path in ["/refill", "/games/{id}"] {
            router.offer(path) { isOffered.withLock { $0 } }
        }
        let methods = [HTTPMethod.get, .head, .post, .put, .options]
        for path in ["/prod/refill", "/prod/r%65fill", "/prod/games/7"] {
            for method in methods { #expect(await Self.ask(method, path, router) == "404 -", "\(method) \(path)") }
        }
        isOffered.withLock { $0 = true }
        #expect(await Self.ask(.post, "/prod/refill", router) == "refilled")
        #expect(await Self.ask(.options, "/prod/refill", router) == "options")
        #expect(await Self.ask(.get, "/prod/refill", router) == "405 POST, OPTIONS")
        #expect(await Self.ask(.get, "/prod/games/7", router) == "game")
    }

    @Test("HEAD, OPTIONS and 405 are as for exact paths")
    func parameterMethods() async {
        #expect(await Self.ask(.head, "/games/7") == "GET /games/{id} id=7 other=-")
        #expect(await Self.ask(.options, "/games/7") == "204 GET, HEAD, OPTIONS")
        #expect(await Self.ask(.delete, "/games/7") == "405 GET, HEAD, OPTIONS")
        #expect(await Self.ask(.options, "*") == "204 GET, HEAD, OPTIONS, POST")
        let router = Self.games()
        #expect(router.allow("/games/{id}/guesses") == "POST, OPTIONS")
        #expect(router.allow("/daily/game") == "POST, OPTIONS")
        #expect(router.allow("/daily") == nil)
        #expect(router.allow("/a/{b}/c/{d}") == nil)
    }

    @Test("a base path stands before parameters too")
    func parameterBasePath() async {
        let router = Self.games(basePath: "/prod")
        #expect(await Self.ask(.get, "/prod/games/7", router) == "GET /games/{id} id=7 other=-")
        #expect(await Self.ask(.get, "/games/7", router) == "404 -")
        #expect(await Self.ask(.get, "/other/games/7", router) == "404 -")
    }
}
