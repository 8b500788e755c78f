import JulietAPI
import TestSupport
import Testing

/// What a page of any site can have its visitors' browsers send: the browser sends it before it looks whether the page may read the
/// answer.
@Suite("Pages of other sites", .defaultLayout("about the service, not the database"))
struct ForeignPageTests {
    private static let foreign = [
        ["Origin: https://elsewhere.example"], ["Origin: http://127.0.0.1:1"],
        ["Origin: https://127.0.0.1.elsewhere.example"],
        ["Origin: null"],
        ["Origin: https://elsewhere.example", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"],
    ]

    private static let changes = ["post", "put", "patch", "delete"]

    @Test("no URL of the service acts on what they send, with a token or without")
    func everyURL() async throws {
        let service = try await TestService.shared(.standard)
        let player = try await V2Client.player(on: service)
        var count = 0
        for path in APIDocument.checkedIn.json.paths.names {
            let target = path.replacing(#/\{[a-z]+\}/#, with: "1")
            for method in Self.changes where APIDocument.checkedIn.operation(method, path) != .missing {
                // Apple sends it, and signs what it sends.
                guard !path.contains("otifications") else { continue }
                for client in [player, player.with(token: nil)] {
                    let request = client.request(method.uppercased(), target, "{}", fields: Self.foreign[0])
                    let reply = try await service.exchange(request, isHead: false)
                    #expect(reply.status == 403, "\(method) \(path)")
                    #expect(reply.text.contains(path.hasPrefix("/Juliet_") ? "origin.refused" : "origin-refused"))
                }
                count += 1
            }
        }
        #expect(count > 35)
        #expect(try await player.me().games == .missing)
    }

    @Test("what they send does not count for the address of their visitor", arguments: foreign)
    func counts(fields: [String]) async throws {
        let service = try await TestService.start(
            ["accounts.origin": "http://localhost", "limits.registrationsPerAddress": "1", "limits.exempt": ""],
            on: .shared())
        let visitor = V2Client.newcomer(on: service)
        for _ in 0..<70 {
            for (path, body) in [
                ("/v2/players", "{}"), ("/v2/sessions/options", ""), ("/v2/sessions", #"{"recoveryCode": "x"}"#),
            ] {
                #expect(try await visitor.post(path, body, fields: fields).json.code == "origin-refused")
            }
        }
        for _ in 0..<2 {
            let app = try await service.post(
                #"{"requestType":"initialRegistration","vendorID":"\#(TestService.newUser())"}"#,
                to: Endpoint.authenticateUser.path, fields: fields)
            #expect(app.status == 403)
            #expect(app.text.contains(#""code":"origin.refused""#))
        }
        #expect(try await visitor.post("/v2/sessions/options").status == 200)
        #expect(try await visitor.post("/v2/sessions", #"{"recoveryCode": "x"}"#).json.code == "unauthorized")
        #expect(try await visitor.post("/v2/players", "{}").status == 201)
        try await service.stop()
    }

    @Test("a picture, a frame or a fetch of another site tries no codes, a link that somebody follows opens")
    func codes() async throws {
        let service = try await TestService.start(on: .shared())
        let visitor = try await V2Client.player(on: service)
        let fetched = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"]
        for _ in 0..<40 {
            #expect(try await visitor.get("/v2/challenges/AAAA-BBBB", fields: fetched).json.code == "origin-refused")
            let link = visitor.request("GET", "/c/AAAA-BBBB", fields: fetched)
            #expect(try await service.exchange(link).status == 403)
        }
        let followed = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]
        #expect(try await service.exchange(visitor.request("GET", "/c/AAAA-BBBB", fields: followed)).status == 404)
        #expect(try await visitor.get("/v2/challenges/AAAA-BBBB").status == 404)
        try await service.stop()
    }

    @Test("its own page, programs, and pages of allowed origins are served")
    func others() async throws {
        let service = try await TestService.start(["web.allowedOrigins": "https://friend.example"], on: .shared())
        let newcomer = V2Client.newcomer(on: service)
        for fields in [
            [], ["Origin: http://127.0.0.1"], ["Origin: https://127.0.0.1"], ["Origin: https://friend.example"],
            // A proxy that does not pass on Host; the browser says whose page it is.
            ["Origin: https://juliet.example", "Sec-Fetch-Site: same-origin"],
        ] {
            #expect(try await newcomer.post("/v2/players", "{}", fields: fields).status == 201, "\(fields)")
        }
        try await service.stop()
    }

    @Test("where the page's origin is known, a name of another's that leads here is not enough")
    func rebinding() async throws {
        let service = try await TestService.start(["accounts.origin": "https://juliet.example"], on: .shared())
        for (host, origin, status) in [
            ("evil.example:8080", "http://evil.example:8080", 403), ("juliet.example", "https://juliet.example", 201),
            ("upstream:8080", "https://juliet.example", 201), ("192.0.2.1:8080", "http://192.0.2.1:8080", 201),
            ("localhost:8080", "http://localhost:8080", 201), ("juliet.example", "http://juliet.example", 403),
        ] {
            let head = "POST /v2/players HTTP/1.1\r\nHost: \(host)\r\nOrigin: \(origin)\r\nContent-Length: 2\r\n\r\n{}"
            #expect(try await service.exchange(Array(head.utf8)).status == status, "\(host) \(origin)")
        }
        try await service.stop()
    }

    @Test("viewers of the lottery leave seats for everybody else")
    func seats() async throws {
        let service = try await TestService.start(["http.maximumConnections": "40"], on: .shared())
        let port = service.port
        let newcomer = V2Client.newcomer(on: service).request("POST", "/v2/players", "{}")
        let statuses = try await offPool {
            // Ten get a stream; the others are refused, and stay.
            let viewers = try (0..<44).map { _ in
                let viewer = try ClientConnection(port: port)
                try viewer.send(Array("GET /lottery/events HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
                return viewer
            }
            return try withExtendedLifetime(viewers) {
                var statuses: Set<Int> = []
                repeat {
                    let connection = try ClientConnection(port: port)
                    try connection.send(newcomer)
                    statuses.insert(try connection.receive().status)
                } while !statuses.contains(201)
                return statuses
            }
        }
        #expect(statuses.isSubset(of: [201, 503]))
        try await service.stop()
    }
}
