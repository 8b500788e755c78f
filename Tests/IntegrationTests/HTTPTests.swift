import JulietAPI
import TestSupport
import Testing

/// What HTTP itself refuses is an envelope too: the app hangs on anything else.
@Suite("Answers of HTTP's own", .defaultLayout("about the service, not the database"))
struct HTTPTests {
    private static let body = #"{"requestType":"statNewGameSession","userID":"u"}"#

    private func envelope(_ status: Int, _ body: String, _ reply: HTTPReply, _ error: String) {
        #expect(reply.status == status)
        #expect(reply["Content-Type"] == "application/json")
        #expect(
            reply.text.hasPrefix(
                #"{"lambdaInvocationHttpsStatusCode":\#(status),"body":\#(body),"error":{"code":"\#(error)","message":""#
            ),
            "\(reply)")
    }

    @Test(
        "unknown path: 404",
        arguments: [
            "/index.html", "/juliet_usersessionmanager", "/Juliet_UserSessionManager/", "/Juliet_UserSessionManager/x",
            "/prod/Juliet_UserSessionManager", "/favicon.ico",
        ])
    func notFound(path: String) async throws {
        let service = try await TestService.shared(.standard)
        envelope(
            404, #"{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":0,"secretWord":[]}"#,
            try await service.post(Self.body, to: path),
            "http.notFound")
        envelope(
            404, #"{"dynamoDBInvocationHttpsStatusCode":404}"#, try await service.post("", to: path), "http.notFound")
    }

    @Test("wrong method: 405 with Allow", arguments: Endpoint.allCases, ["GET", "PUT", "DELETE", "PATCH"])
    func methodNotAllowed(endpoint: Endpoint, method: String) async throws {
        let service = try await TestService.shared(.standard)
        let head = "\(method) \(endpoint.path) HTTP/1.1\r\nHost: h\r\nContent-Length: \(Self.body.utf8.count)\r\n\r\n"
        let reply = try await service.exchange(Array((head + Self.body).utf8))
        envelope(
            405, #"{"dynamoDBInvocationHttpsStatusCode":405,"userEnergy":0,"secretWord":[]}"#, reply,
            "http.methodNotAllowed")
        #expect(reply["Allow"]?.contains("POST") == true)
    }

    @Test("a body over the limit: 413, in the shape its beginning tells")
    func tooLarge() async throws {
        let service = try await TestService.shared(.standard)
        let body = #"{"requestType":"updateUserWins","userID":"u","x":"\#(String(repeating: "x", count: 20_000))"}"#
        let reply = try await service.post(body, to: Endpoint.userSessionManager.path)
        envelope(413, #"{"dynamoDBInvocationHttpsStatusCode":413,"userWins":0}"#, reply, "http.body.tooLarge")
    }

    @Test("a head over the limit: 431, a target over the limit: 414, a broken request: 400")
    func heads() async throws {
        let service = try await TestService.shared(.standard)
        let large = try await service.post(
            Self.body, to: "/Juliet_WordManager",
            fields: (0..<3).map { "X\($0): " + String(repeating: "x", count: 8_000) })
        envelope(431, #"{"dynamoDBInvocationHttpsStatusCode":431}"#, large, "http.head.tooLarge")
        let long = try await service.post(Self.body, to: "/" + String(repeating: "x", count: 10_000))
        envelope(414, #"{"dynamoDBInvocationHttpsStatusCode":414}"#, long, "http.target.tooLong")
        let broken = try await service.exchange(Array("POST /Juliet_WordManager HTTP/1.1\r\nHost : h\r\n\r\n".utf8))
        envelope(400, #"{"dynamoDBInvocationHttpsStatusCode":400}"#, broken, "http.malformed")
    }

    @Test(
        "the content type means nothing",
        arguments: ["application/x-www-form-urlencoded", "text/plain", "application/json; charset=utf-8", "x"])
    func contentType(type: String) async throws {
        let service = try await TestService.shared(.standard)
        let reply = try await service.reply(
            to: .initialRegistration(vendorID: TestService.newUser()), fields: ["Content-Type:\(type)"])
        #expect(reply.status == 200)
    }

    @Test("a chunked body is a body")
    func chunked() async throws {
        let service = try await TestService.shared(.standard)
        let body = GameRequest.initialRegistration(vendorID: TestService.newUser()).encoded()
        let head = "POST /Juliet_AuthenticateUser HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        let chunks = "\(String(body.count, radix: 16))\r\n\(String(decoding: body, as: UTF8.self))\r\n0\r\n\r\n"
        #expect(try await service.exchange(Array((head + chunks).utf8)).status == 200)
    }

    @Test("the alias of the registration's URL")
    func alias() async throws {
        let service = try await TestService.shared(.standard)
        let request = GameRequest.initialRegistration(vendorID: TestService.newUser())
        let reply = try await service.exchange(TestService.post(request.encoded(), to: "/Juliet_AuthenticateUsers"))
        #expect(
            reply.text == #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200}}"#)
    }

    @Test("a base path stands before the URLs, and only there", arguments: Endpoint.allCases)
    func basePath(endpoint: Endpoint) async throws {
        let service = try await TestService.shared(.basePath)
        for path in [endpoint.path] + [endpoint.alias].compactMap(\.self) {
            #expect(try await service.post("{}", to: "/prod" + path).status == 400)
            #expect(try await service.post("{}", to: path).status == 404)
        }
    }

    @Test("X-Request-Id is returned when valid and made otherwise")
    func requestID() async throws {
        let service = try await TestService.shared(.standard)
        let request = GameRequest.initialRegistration(vendorID: TestService.newUser())
        #expect(try await service.reply(to: request, fields: ["X-Request-Id: abc-123"])["X-Request-Id"] == "abc-123")
        let made = try await service.reply(to: request)["X-Request-Id"]
        let other = try await service.reply(to: request, fields: ["X-Request-Id: a b\u{7}"])
        #expect(made?.isEmpty == false)
        #expect(other["X-Request-Id"] != made)
    }
}

/// API keys: `AuthToken` when some are configured.
@Suite("API keys", .defaultLayout("about the service, not the database"))
struct KeyTests {
    @Test(
        "every configured key is taken, however the header is spelled",
        arguments: ["AuthToken", "Authtoken", "authtoken", "AUTHTOKEN"], ["first-key", "second-key"])
    func accepted(name: String, key: String) async throws {
        let service = try await TestService.shared(.keys)
        let request = GameRequest.initialRegistration(vendorID: TestService.newUser())
        for field in ["\(name): \(key)", "\(name):\(key)", "\(name):   \(key)  "] {
            #expect(try await service.reply(to: request, fields: [field]).status == 200)
        }
    }

    @Test(
        "no key or a wrong one: 401 with every key of the type, and no effect",
        arguments: [
            ([], "auth.required"), (["AuthToken: third-key"], "auth.invalid"),
            (["AuthToken: first-ke"], "auth.invalid"),
            (["AuthToken: first-keyx"], "auth.invalid"), (["AuthToken: FIRST-KEY"], "auth.invalid"),
            (["AuthToken: first-key, second-key"], "auth.invalid"),
            (["Authorization: first-key"], "auth.required"),
        ] as [([String], String)])
    func refused(fields: [String], error: String) async throws {
        let service = try await TestService.shared(.keys)
        let user = TestService.newUser()
        let requests: [(GameRequest, String)] = [
            (.initialRegistration(vendorID: user), #"{"dynamoDBInvocationHttpsStatusCode":401}"#),
            (.fetchNewSecretWord(userID: user), #"{"secretWord":[]}"#),
            (
                .updateUserPlayedWordsList(userID: user, playedWord: "vapor"),
                #"{"dynamoDBInvocationHttpsStatusCode":401}"#
            ),
            (
                .updateUserEnergy(userID: user, userEnergy: 1),
                #"{"dynamoDBInvocationHttpsStatusCode":401,"userEnergy":0}"#
            ),
            (.singleGameEnergyUpdate(userID: user), #"{"dynamoDBInvocationHttpsStatusCode":401,"userEnergy":0}"#),
            (
                .handleEnergyPurchase(userID: user, energyPurchaseAmount: 5),
                #"{"dynamoDBInvocationHttpsStatusCode":401,"userEnergy":0}"#
            ),
            (.fetchUserWins(userID: user), #"{"dynamoDBInvocationHttpsStatusCode":401,"userWins":0}"#),
            (.updateUserWins(userID: user), #"{"dynamoDBInvocationHttpsStatusCode":401,"userWins":0}"#),
            (
                .statNewGameSession(userID: user),
                #"{"dynamoDBInvocationHttpsStatusCode":401,"userEnergy":0,"secretWord":[]}"#
            ),
        ]
        for (request, body) in requests {
            let reply = try await service.reply(to: request, fields: fields)
            #expect(reply.status == 401)
            #expect(reply["WWW-Authenticate"] == "AuthToken")
            #expect(
                reply.text.hasPrefix(
                    #"{"lambdaInvocationHttpsStatusCode":401,"body":\#(body),"error":{"code":"\#(error)","#), "\(reply)"
            )
        }
        let known = try await service.answer(to: .fetchUserWins(userID: user), fields: ["AuthToken: first-key"])
        #expect(known.problem?.code == "user.unknown")
    }
}
